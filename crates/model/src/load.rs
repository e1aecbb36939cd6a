//! From a request to a model without its palette.

use std::io;
use std::path::Path;

use glam::Vec3;
use ms3d::raw;

use crate::files::{BUILTIN, Files, RecordedFiles, builtin_models, name_of, path_of};
use crate::foreign::foreign;
use crate::import::{Format, Imported, MorphFile};
use crate::request::MAX_FILE_BYTES;
use crate::sideways::body_length;
use crate::{
    Attachment, Bounds, Clip, LoadedModel, Lod, Material, Model, ModelError, ModelPart, ModelRequest, ModelWarning,
    Morphs, Palette, Skeleton, USUAL_CLIPS, body_wave, import, lod, rest_pose, sideways, triangle_order, usual_clip,
};

/// Extension of the file of a model's levels of detail.
pub const LEVELS: &str = "lods";

/// Loads a model: file, meshes, materials, textures, skeleton, clips and levels of detail. The palette stays empty:
/// `animation::load_model` loads and bakes.
///
/// # Errors
/// If the source cannot be read, is no usable model of a known format, or has no such clip as requested.
pub fn load(request: &ModelRequest, files: &dyn Files) -> Result<LoadedModel, ModelError> {
    let path = path_of(&request.source);
    let files = RecordedFiles::new(files);
    let (Imported { mesh: full, materials, skeleton, morphs, attachments, clips, warnings }, bounds) =
        import_at(&path, request, &files)?;
    let rest = skeleton.joints.len() as u16;
    let levels = match stored_levels(&path, request, &files, &full, rest) {
        Some(levels) => levels,
        None if request.is_builtin() => kept_levels(&files, &full, rest, is_stone(&materials)),
        None => lod::chain_of_unknown(&full, rest),
    };
    let length = body_length(&bounds, &skeleton, request.is_builtin());
    let shows_through = |material: usize| materials[material].is_transparent();
    let model = Model {
        name: name_of(&request.source),
        bounds,
        length,
        lods: levels.iter().map(|level| triangle_order::ordered(level, shows_through)).collect(),
        materials,
        skeleton,
        morphs,
        attachments,
        palette: Palette::default(),
        bend: None,
    };
    Ok(LoadedModel { model, clips, warnings, files: files.asked() })
}

/// Stored levels of detail of one of the program's own models, if there are any: see [`pack_levels`].
fn stored_levels(path: &Path, request: &ModelRequest, files: &dyn Files, full: &Lod, rest: u16) -> Option<Vec<Lod>> {
    // For other models such a file is neither looked for nor watched.
    let bytes = request.is_builtin().then(|| files.read(&path.with_extension(LEVELS), MAX_FILE_BYTES))?.ok()?;
    let levels = lod::unpack(full, rest, &bytes);
    if levels.is_none() {
        log::warn!("{}: its levels of detail are of another model, so they are made anew", request.source);
    }
    levels
}

/// Levels of detail that were kept when they were made before; else made, and kept for the next time. Making them takes
/// longest of all the loading of a scene.
fn kept_levels(files: &dyn Files, full: &Lod, rest: u16, is_stone: bool) -> Vec<Lod> {
    let key = lod::key(full, rest);
    if let Some(levels) = files.kept_levels(key).and_then(|bytes| lod::unpack(full, rest, &bytes)) {
        return levels;
    }
    let levels = lod::chain(full, rest, is_stone);
    if let Some(bytes) = lod::pack(full, rest, &levels) {
        files.keep_levels(key, &bytes);
    }
    levels
}

/// Packs the levels of detail of a model; `None` if they cannot be packed. If a file of these bytes and with the
/// extension [`LEVELS`] lies beside one of the program's own models, loading it makes no levels.
///
/// # Errors
/// See [`load`].
pub fn pack_levels(request: &ModelRequest, files: &dyn Files) -> Result<Option<Vec<u8>>, ModelError> {
    let (Imported { mesh: full, materials, skeleton, .. }, _) = import_at(&path_of(&request.source), request, files)?;
    let rest = skeleton.joints.len() as u16;
    Ok(lod::pack(&full, rest, &lod::chain(&full, rest, is_stone(&materials))))
}

/// Whether a model is a rock.
fn is_stone(materials: &[Material]) -> bool {
    materials.iter().any(|material| material.stone)
}

/// Imports a model and adapts it to `request`. Also returns its bounds.
fn import_at(path: &Path, request: &ModelRequest, files: &dyn Files) -> Result<(Imported, Bounds), ModelError> {
    let bytes = read(&request.source, path, files)?;
    let morph_files = morph_files(request, files)?;
    let imported = import::import(request, &bytes, path, files, &morph_files)?;
    let mut attachments: Vec<Attachment> = imported.places().collect();
    let Imported { mesh: mut full, materials, mut skeleton, mut morphs, mut clips, mut warnings, .. } = imported;
    order_morphs(request, &mut morphs, &mut skeleton)?;
    if full.indices.is_empty() {
        let text = "nothing in it is drawn: it has no triangles, or hides those it has";
        warnings.push(ModelWarning::new(ModelPart::Mesh, text));
    }
    let names: Vec<&str> = clips.iter().map(|clip| clip.name.as_str()).collect();
    if let Some(clip) = usual_clip(&names).filter(|_| !request.is_builtin()) {
        let time_s = clips[clip].start_s;
        rest_pose::follow((&mut full, &mut morphs), &mut skeleton, &mut attachments, time_s);
    }
    let bounds = bounds(&full);
    if request.swims && !request.is_builtin() {
        warnings
            .extend(sideways(&bounds, &skeleton, request.forward).map(|text| ModelWarning::new(ModelPart::Mesh, text)));
        warnings.extend(choice_of_clip(request, &clips).map(|text| ModelWarning::new(ModelPart::Clip(None), text)));
    }
    if request.swims && !skeleton.moves() && !full.indices.is_empty() {
        let text = match body_wave::added(&mut full, &bounds) {
            Some((spine, swim)) => {
                let morph_keys = skeleton.morph_keys;
                (skeleton, clips) = (Skeleton { morph_keys, ..spine }, vec![swim]);
                let at_rest = skeleton.joints.len() as u16;
                attachments.iter_mut().for_each(|attachment| attachment.joint = at_rest);
                "it has no key frames to swim by, so its body is bent in a wave from nose to tail"
            }
            None => "it has no key frames to swim by and is too short along its nose for a wave, so it stays stiff",
        };
        warnings.push(ModelWarning::new(ModelPart::Clip(None), text));
    }
    Ok((Imported { mesh: full, materials, skeleton, morphs, attachments, clips, warnings }, bounds))
}

/// A line about the clip that a swimmer moves by, where its file has several and calls none as the program does.
fn choice_of_clip(request: &ModelRequest, clips: &[Clip]) -> Option<String> {
    let names: Vec<&str> = clips.iter().map(|clip| clip.name.as_str()).collect();
    let taken = names[usual_clip(&names)?];
    let is_plain = names.len() < 2 || !request.clips.is_empty() || USUAL_CLIPS.contains(&taken);
    (!is_plain).then(|| {
        let count = names.len();
        format!("of its {count} clips it swims by '{taken}'; clips.swim.sequence = \"...\" chooses another")
    })
}

/// The files of the morphs that have one.
pub(super) fn morph_files(request: &ModelRequest, files: &dyn Files) -> Result<Vec<MorphFile>, ModelError> {
    let with_file = request.morphs.iter().filter(|(_, source)| !source.is_empty());
    let file = |(name, source): (&String, &String)| {
        let bytes = read(source, &path_of(source), files)?;
        Ok(MorphFile { name: name.clone(), source: source.clone(), bytes })
    };
    with_file.map(file).collect()
}

/// Moves the first morph of the request to the front.
fn order_morphs(request: &ModelRequest, morphs: &mut Morphs, skeleton: &mut Skeleton) -> Result<(), ModelError> {
    let position = |name: &String| morphs.names.iter().position(|known| known == name);
    if let Some(morph) = request.morphs.keys().chain(&request.first_morph).find(|name| position(name).is_none()) {
        let known = if morphs.names.is_empty() { "none".into() } else { morphs.names.join(", ") };
        let why = format!("the file has no morph of this name; there are: {known}");
        return Err(ModelError::BadMorph { source_name: request.source.clone(), morph: morph.clone(), why });
    }
    if let Some(first) = request.first_morph.as_ref().and_then(position) {
        let count = morphs.names.len();
        morphs.names.swap(0, first);
        skeleton.morph_keys.swap(0, first);
        morphs.deltas.chunks_exact_mut(count).for_each(|row| row.swap(0, first));
    }
    Ok(())
}

/// Format of a model's file.
///
/// # Errors
/// If the file cannot be read or is too large.
pub fn format_of(source: &str, files: &dyn Files) -> Result<Format, ModelError> {
    Ok(Format::of(&read(source, &path_of(source), files)?))
}

/// Reads and checks the document of an MS3D file, without making a model of it.
///
/// # Errors
/// If the file cannot be read, is too large, broken, or has errors of meaning.
pub fn read_document(source: &str, files: &dyn Files) -> Result<raw::Document, ModelError> {
    Ok(import::from_ms3d::checked(source, &read(source, &path_of(source), files)?)?.0)
}

pub(super) fn read(source: &str, path: &Path, files: &dyn Files) -> Result<Vec<u8>, ModelError> {
    let bytes =
        files.read(path, MAX_FILE_BYTES).map_err(|error| match (error.kind(), source.strip_prefix(BUILTIN)) {
            (io::ErrorKind::NotFound, Some(name)) => {
                ModelError::UnknownBuiltin { name: name.into(), known: builtin_models(files) }
            }
            (io::ErrorKind::FileTooLarge, _) => ModelError::TooLarge { path: path.to_owned() },
            _ => ModelError::Io { path: path.to_owned(), error },
        })?;
    match foreign(&bytes) {
        Some(what) => Err(ModelError::Foreign { source_name: source.to_owned(), what }),
        None => Ok(bytes),
    }
}

fn bounds(lod: &Lod) -> Bounds {
    let whole = lod.vertices.iter().map(|vertex| Bounds { min: vertex.position, max: vertex.position });
    whole
        .reduce(|a, b| Bounds { min: a.min.min(b.min), max: a.max.max(b.max) })
        .unwrap_or(Bounds { min: Vec3::ZERO, max: Vec3::ZERO })
}
