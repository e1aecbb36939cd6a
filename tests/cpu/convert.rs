//! Models written in other formats: the project's own there and back, and those of others where they are at hand.
#![allow(clippy::unwrap_used)] // A failure here is a failed test.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use glam::{EulerRot, Quat, Vec3};
use ms3d::raw::{Document, Joint, Key};
use pelagic::model::animation::{pose, skin};
use pelagic::model::export::{ExportError, Exported, Target, export};
use pelagic::model::{Clip, LoadedModel, ModelRequest, load, read_document};
use pelagic::runtime::files::ProgramFiles;
use serde_json::Value;

use crate::sample;
use crate::support::harness::end_ignored;
use crate::support::models::{bounds, others_if_there};
use crate::support::say;

/// Tolerance of a rotation, of 1, and of a place, of the model's size.
const CLOSE: f32 = 1e-5;

fn converted(request: &ModelRequest, out: &Path) -> Result<Exported, ExportError> {
    let target = Target::of(out).unwrap();
    let posed = |skeleton: &_, time_s| pose(skeleton, time_s).model_from_rest;
    export(request, out, target, &ProgramFiles, &posed)
}

/// Converts into a file, with the images beside it; its path.
fn written(source: &str, out: PathBuf) -> String {
    written_for(&ModelRequest::new(source), out)
}

/// Converts a request's model.
fn written_for(request: &ModelRequest, out: PathBuf) -> String {
    let exported = converted(request, &out).unwrap_or_else(|error| panic!("{error}"));
    std::fs::write(&out, exported.bytes).unwrap();
    for (name, bytes) in exported.images {
        std::fs::write(out.with_file_name(name), bytes).unwrap();
    }
    out.to_str().unwrap().to_owned()
}

/// Sources of the project's own models, and of the MS3D files of others that are at hand.
fn sources() -> Vec<String> {
    let mut sources: Vec<String> = assets::models().map(|name| format!("builtin:{name}")).collect();
    if let Some(folder) = others_if_there("ms3d") {
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let models = files.filter(|path| path.extension().is_some_and(|extension| extension == "ms3d"));
        sources.extend(models.map(|path| path.to_str().unwrap().to_owned()));
    }
    sources
}

fn size(document: &Document) -> f32 {
    let positions = || document.vertices.iter().map(|vertex| Vec3::from(vertex.position));
    let least = positions().reduce(Vec3::min).unwrap_or_default();
    (positions().fold(least, Vec3::max) - least).length().max(1e-3)
}

fn turned([x, y, z]: [f32; 3]) -> Quat {
    Quat::from_euler(EulerRot::ZYX, z, y, x)
}

fn is_same_turn(a: [f32; 3], b: [f32; 3]) -> bool {
    turned(a).dot(turned(b)).abs() > 1.0 - CLOSE
}

fn is_same_place(a: [f32; 3], b: [f32; 3], size: f32) -> bool {
    (Vec3::from(a) - Vec3::from(b)).length() <= CLOSE * size
}

/// Makes equal what differs by rounding alone.
fn rounded(joint: &mut Joint, original: &Joint, size: f32) {
    let restore = |keys: &mut Vec<Key>, originals: &[Key], is_same: &dyn Fn([f32; 3], [f32; 3]) -> bool| {
        for (key, original) in keys.iter_mut().zip(originals) {
            if (key.time - original.time).abs() < 1e-5 && is_same(key.value, original.value) {
                *key = *original;
            }
        }
    };
    restore(&mut joint.rotation_keys, &original.rotation_keys, &is_same_turn);
    restore(&mut joint.translation_keys, &original.translation_keys, &|a, b| is_same_place(a, b, size));
    if is_same_turn(joint.rotation, original.rotation) {
        joint.rotation = original.rotation;
    }
}

fn ms3d_comes_back_from_gltf_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    for (source, extension) in sources().iter().zip(["glb", "gltf"].iter().cycle()) {
        let original = read_document(source, &ProgramFiles).unwrap();
        let gltf = written(source, folder.path().join(format!("there.{extension}")));
        let back = written(&gltf, folder.path().join("back.ms3d"));
        let mut back = read_document(&back, &ProgramFiles).unwrap();
        let size = size(&original);
        for (joint, original) in back.joints.iter_mut().zip(&original.joints) {
            rounded(joint, original, size);
        }
        // A texture that only the glTF file holds has another name.
        for (material, original) in back.materials.iter_mut().zip(&original.materials) {
            if material.texture.to_lossy().starts_with("back_") {
                (material.texture, material.alphamap) = (original.texture.clone(), original.alphamap.clone());
            }
        }
        assert!(back.vertices == original.vertices, "{source}: vertices");
        assert!(back.triangles == original.triangles, "{source}: triangles");
        for (joint, original) in back.joints.iter().zip(&original.joints) {
            assert_eq!(joint, original, "{source}");
        }
        assert!(back == original, "{source}");
    }
}

fn our_own_files_are_written_again_byte_for_byte() {
    for name in assets::models() {
        let bytes = assets::read(&format!("{name}.ms3d")).unwrap();
        let read = ms3d::read(bytes, &ms3d::Limits::default()).unwrap();
        assert!(ms3d::write(&read.document).unwrap() == bytes, "{name}");
    }
}

/// Corners of triangles as they are drawn at a moment of a clip.
fn corners(loaded: &LoadedModel, clip: usize, share: f32) -> Vec<[f32; 3]> {
    let time_s = loaded.clips.get(clip).map_or(0.0, |clip| clip.start_s + share * (clip.end_s - clip.start_s));
    let lod = &loaded.model.lods[0];
    let (positions, _) = skin(&lod.vertices, &pose(&loaded.model.skeleton, time_s));
    lod.indices.iter().map(|&index| positions[index as usize].to_array()).collect()
}

fn converted_models_move_as_the_originals_do() {
    let folder = tempfile::tempdir().unwrap();
    let all = sources();
    let own = assets::models().count();
    // Levels of detail take their time.
    for source in all[..own].iter().step_by(6).chain(&all[own..]) {
        let original = load(&ModelRequest::new(source), &ProgramFiles).unwrap();
        let path = written(source, folder.path().join("model.glb"));
        let converted = load(&ModelRequest::new(&path), &ProgramFiles).unwrap();
        let names = |loaded: &LoadedModel| loaded.clips.iter().map(|clip| clip.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&converted), names(&original), "{source}");
        let size = 2.0 * original.model.bounds.radius().max(1e-3);
        for clip in 0..original.clips.len().max(1) {
            for share in [0.0, 0.21, 0.5, 0.83, 1.0] {
                let (a, b) = (corners(&original, clip, share), corners(&converted, clip, share));
                assert_eq!(a.len(), b.len(), "{source}");
                let apart = a.iter().zip(&b).map(|(a, b)| Vec3::from(*a).distance((*b).into())).fold(0.0, f32::max);
                assert!(apart <= CLOSE * size, "{source}, clip {clip} at {share}: {apart} of {size}");
            }
        }
    }
}

fn what_is_no_ms3d_file_moves_as_before_too() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("large.mdl"), sample::large()).unwrap();
    let mut sources = vec![folder.path().join("large.mdl")];
    if let Some(folder) = others_if_there("models") {
        let inside = |folder: PathBuf| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let all =
            inside(folder.join("mdl")).chain(inside(folder.join("glb"))).chain(inside(folder.join("glb/synthetic")));
        sources
            .extend(all.filter(|path| path.is_file() && path.extension().is_some_and(|extension| extension != "bin")));
    }
    let mut compared = 0;
    for source in &sources {
        let source = source.to_str().unwrap();
        // Files that belong to others say so.
        let Ok(original) = load(&ModelRequest::new(source), &ProgramFiles) else { continue };
        if original.model.lods[0].indices.is_empty() {
            continue;
        }
        for extension in if source.ends_with("mdl") { ["ms3d", "glb"].as_slice() } else { &["ms3d"] } {
            let out = folder.path().join(format!("model.{extension}"));
            let left_out = ["morph targets", "change their size"];
            let told = converted(&ModelRequest::new(source), &out).unwrap().warnings;
            if told.iter().any(|told| left_out.iter().any(|text| told.contains(text))) {
                continue;
            }
            let converted = load(&ModelRequest::new(written(source, out)), &ProgramFiles).unwrap();
            assert!(extension != &"ms3d" || original.clips.len() == converted.clips.len(), "{source} as {extension}");
            for (number, clip) in original.clips.iter().enumerate().step_by(3) {
                let other = match *extension {
                    "ms3d" => converted.clips.get(number),
                    _ => converted.clips.iter().find(|other| other.name == clip.name),
                };
                let Some(other) = other else {
                    // A pose is no clip of a glTF file.
                    assert!(extension == &"glb" && !is_motion(&original, clip), "{source}, {}", clip.name);
                    continue;
                };
                for share in [0.0, 0.3, 1.0] {
                    let at = |clip: &Clip| clip.start_s + share * (clip.end_s - clip.start_s);
                    let ([a, b], [c, d]) = (bounds(&original, at(clip)), bounds(&converted, at(other)));
                    let off = a.distance(c).max(b.distance(d)) / a.distance(b).max(1e-3);
                    // Weights are whole percents in MS3D files.
                    assert!(off <= 1e-3, "{source} as {extension}, clip {} at {share}: {off}", clip.name);
                }
            }
            compared += 1;
        }
    }
    assert!(compared >= 2);
    say(&format!("{compared} compared"));
}

/// Converts by the command line; what it says.
fn by_command(input: &Path, out: &Path) -> Result<(), String> {
    let command = assert_cmd::cargo::cargo_bin!("pelagic");
    let done = Command::new(command).args(["-q", "model", "convert"]).arg(input).arg(out).output().unwrap();
    if done.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&done.stderr).into_owned()) }
}

fn what_cannot_be_converted_is_told_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let ours = assets::read("starfish.ms3d").unwrap();
    std::fs::write(path("a.ms3d"), ours).unwrap();
    std::fs::write(path("cut.glb"), &ours[..99]).unwrap();
    let refused = [
        ("a.ms3d", "a.obj", "must end in .ms3d, .glb or .gltf"),
        ("a.ms3d", "a.ms3d", "choose another name"),
        ("a.ms3d", "b.ms3d", "is MS3D already"),
        ("cut.glb", "b.gltf", "is not a usable MS3D file"),
        ("none.glb", "b.ms3d", "there is no such file"),
    ];
    for (input, out, why) in refused {
        let said = by_command(&path(input), &path(out)).unwrap_err();
        assert!(said.contains(why), "{said}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    let beside = tempfile::tempdir().unwrap();
    for name in ["starfish.ms3d", "starfish.png"] {
        std::fs::write(beside.path().join(name), assets::read(name).unwrap()).unwrap();
    }
    by_command(&beside.path().join("starfish.ms3d"), &path("b.glb")).unwrap();
    // Its texture is beside neither of the two any more, so it needs a name: one that is taken is not.
    std::fs::write(path("c_0.png"), "something else").unwrap();
    let said = by_command(&path("b.glb"), &path("c.ms3d")).unwrap_err();
    assert!(said.contains("c_0.png is there already"), "{said}");
    assert!(!path("c.ms3d").exists());
    by_command(&path("b.glb"), &path("d.ms3d")).unwrap();
    assert!(path("d_0.png").exists());
    let said = by_command(&path("b.glb"), &path("d.ms3d")).unwrap_err();
    assert!(said.contains("d.ms3d is there already") && said.contains("--force"), "{said}");
    // An unwritable target is found before the model is read.
    let said = by_command(&path("none.glb"), Path::new("/proc/none/d.ms3d")).unwrap_err();
    assert!(said.contains("/proc/none"), "{said}");
}

/// Every key of a value with where it stands; of lists that of the first element, and nothing of what is in the format's own
/// terms.
fn keys(value: &Value, at: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                found.insert(format!("{at}.{key}"));
                if key != "in_file" {
                    keys(value, &format!("{at}.{key}"), found);
                }
            }
        }
        Value::Array(elements) => elements.iter().take(1).for_each(|element| keys(element, &format!("{at}[]"), found)),
        _ => {}
    }
}

fn info_has_the_same_keys_for_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("sample.mdl"), sample::large()).unwrap();
    for (from, to) in [("sample.mdl", "sample.ms3d"), ("sample.mdl", "sample.glb")] {
        by_command(&path(from), &path(to)).unwrap();
    }
    let infos = ["sample.mdl", "sample.ms3d", "sample.glb"].map(|name| {
        let command = assert_cmd::cargo::cargo_bin!("pelagic");
        let said = Command::new(command).args(["model", "info", "--json"]).arg(path(name)).output().unwrap();
        serde_json::from_slice::<Value>(&said.stdout).unwrap()
    });
    let [mdl, ms3d, gltf] = infos.each_ref().map(|info| {
        let mut found = BTreeSet::new();
        keys(info, "", &mut found);
        found
    });
    assert_eq!(mdl, ms3d);
    assert_eq!(mdl, gltf);
    assert!(mdl.contains(".drawn.clips[].start_s"), "{mdl:?}");
    let counts = infos.each_ref().map(|info| (info["drawn"]["triangles"].clone(), info["drawn"]["bounds"].clone()));
    assert_eq!(counts[0], counts[1]);
    assert_eq!(counts[0].0, counts[2].0);
}

fn other_shapes_and_places_become_targets_and_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let mut marked = read_document("builtin:puffer", &ProgramFiles).unwrap();
    let comments = marked.tail.comments.as_mut().unwrap();
    let joint = marked.joints[1].name.to_lossy();
    comments.model.as_mut().unwrap().extend(format!("\npelagic: place camera=0,0.25,-0.5 on {joint}").into_bytes());
    let source = folder.path().join("puffer.ms3d");
    std::fs::write(&source, ms3d::write(&marked).unwrap()).unwrap();
    let out = folder.path().join("puffer.glb");
    let mut request = ModelRequest::new(source.to_str().unwrap());
    request.morphs.insert("puffed".into(), "builtin:puffer_puffed".into());
    let out = written_for(&request, out);
    let [own, gltf] = [request, ModelRequest::new(out)];
    let [own, gltf] = [own, gltf].map(|request| load(&request, &ProgramFiles).unwrap().model);
    assert_eq!(gltf.morphs.names, ["puffed"]);
    let [seat, other] = [&own, &gltf].map(|model| model.attachment("camera").unwrap());
    assert!(seat.position.distance(other.position) < 1e-5, "{} for {}", other.position, seat.position);
    assert_eq!(own.skeleton.joints[usize::from(seat.joint)].name, gltf.skeleton.joints[usize::from(other.joint)].name);
    // Every vertex of the one goes where one of the other goes.
    let swollen = |model: &pelagic::model::Model| -> Vec<Vec3> {
        let deltas = &model.morphs.deltas;
        let place = |v: &pelagic::model::Vertex| {
            v.position + deltas.get(v.morph_row as usize).map_or(Vec3::ZERO, |d| d.position)
        };
        model.lods[0].vertices.iter().map(place).collect()
    };
    let (own, gltf) = (swollen(&own), swollen(&gltf));
    for place in own.iter().step_by(37) {
        let nearest = gltf.iter().map(|other| other.distance(*place)).fold(f32::INFINITY, f32::min);
        assert!(nearest < 1e-4, "{place}: {nearest}");
    }
}

/// Script for the Khronos group's validator: files, to each of which it says how many errors and warnings it has. Studio
/// models have no need to keep what nothing uses.
const VALIDATE: &str = "
const fs = require('fs'), validator = require('gltf-validator');
(async () => {
    for (const file of process.argv.slice(1)) {
        const { issues } = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
        const told = issues.messages.filter(of =>
            of.severity < 2 || of.code === 'UNUSED_OBJECT' && /studio/.test(file));
        console.log(told.length, file, [...new Set(told.map(of => of.code))].join(' '));
    }
})();
";

fn the_validator_has_nothing_to_say() {
    let node = |arguments: &[&str]| {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        Command::new("node").args(arguments).current_dir(here).output().ok().filter(|done| done.status.success())
    };
    if node(&["-e", "require('gltf-validator')"]).is_none() {
        end_ignored(
            "there is no node with gltf-validator (npm i --prefix DIR gltf-validator; NODE_PATH=DIR/node_modules)",
        );
    }
    let folder = tempfile::tempdir().unwrap();
    let mut requests: Vec<ModelRequest> = sources().into_iter().map(ModelRequest::new).collect();
    // Models of several shapes once more with all of them.
    for (source, name, shape) in
        [("puffer", "puffed", "puffer_puffed"), ("moon_jelly", "gathered", "moon_jelly_gathered")]
    {
        let mut request = ModelRequest::new(format!("builtin:{source}"));
        request.morphs.insert(name.into(), format!("builtin:{shape}"));
        requests.push(request);
    }
    std::fs::write(folder.path().join("large.mdl"), sample::large()).unwrap();
    requests.push(ModelRequest::new(folder.path().join("large.mdl").to_str().unwrap()));
    let studio = others_if_there("models").map(|folder| std::fs::read_dir(folder.join("mdl")).unwrap());
    let studio = studio.into_iter().flatten().map(|entry| entry.unwrap().path().to_str().unwrap().to_owned());
    requests.extend(studio.filter(|path| path.ends_with(".mdl")).map(ModelRequest::new));
    let mut files = Vec::new();
    for (request, index) in requests.iter().zip(0..) {
        let kind = if request.source.ends_with(".mdl") { "studio" } else { "model" };
        // A file of sequences belongs to another, and says so.
        if kind == "studio" && converted(request, Path::new("studio.glb")).is_err() {
            continue;
        }
        for extension in ["glb", "gltf"] {
            files.push(written_for(request, folder.path().join(format!("{kind}_{index}.{extension}"))));
        }
    }
    let arguments: Vec<&str> = ["-e", VALIDATE].into_iter().chain(files.iter().map(String::as_str)).collect();
    let said = String::from_utf8(node(&arguments).unwrap().stdout).unwrap();
    let faults: Vec<&str> = said.lines().filter(|line| !line.starts_with("0 ")).collect();
    assert_eq!((said.lines().count(), faults), (files.len(), Vec::new()));
    say(&format!("{} files are valid", files.len()));
}

/// Whether anything moves in a clip.
fn is_motion(loaded: &LoadedModel, clip: &Clip) -> bool {
    let lod = &loaded.model.lods[0];
    let at = |share: f32| {
        let time_s = clip.start_s + share * (clip.end_s - clip.start_s);
        skin(&lod.vertices, &pose(&loaded.model.skeleton, time_s)).0
    };
    let first = at(0.0);
    [0.21, 0.47, 0.83, 1.0].into_iter().any(|share| at(share).iter().zip(&first).any(|(a, b)| a.distance(*b) > 1e-3))
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    ms3d_comes_back_from_gltf_as_it_was;
    our_own_files_are_written_again_byte_for_byte;
    converted_models_move_as_the_originals_do;
    what_is_no_ms3d_file_moves_as_before_too;
    what_cannot_be_converted_is_told_and_nothing_is_written;
    info_has_the_same_keys_for_every_format;
    other_shapes_and_places_become_targets_and_nodes;
    the_validator_has_nothing_to_say;
};
