//! Assets in the page's form: small, with a hash of the contents in the file name.
//!
//! Models, in [columns] and with their [levels of detail](crate::model), and fonts are gzip. Textures are lossy WebP in
//! two versions: a small and coarse one for the tier `low`, where their finest level is hardly ever seen. Their alpha
//! stays exact: it cuts holes, and a cut is an edge.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Cursor;
use std::num::NonZeroU64;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use epaint_default_fonts::{EGUI_ICONS, HACK_REGULAR, UBUNTU_LIGHT};
use image::{ImageFormat, RgbaImage};
use math::Fnv;
use ms3d::columns;
use ms3d::raw::Document;
use pelagic::config::BUILTIN_SCENES;
use pelagic::model::Image;
use pelagic::model::texture::has_holes;
use pelagic::render::fitted;
use serde::Serialize;

use crate::model::Models;
use crate::program::run;
use crate::root;

/// Greatest side of a texture in the smaller size. Unit: pixels.
const SMALL_SIDE: u32 = 512;
/// Lossy coder's quality for textures, 0 to 100: crops of those that change most, rock and fan coral, show no
/// difference enlarged four times.
const QUALITY: u32 = 90;
/// Lossy coder's quality for the smaller textures, which are never seen close up.
const SMALL_QUALITY: u32 = 80;

/// Iterations of the gzip coder for models and the program: more take a minute and save a thousandth.
const ITERATIONS: NonZeroU64 = NonZeroU64::new(5).expect("it is not 0");

/// List of assets, which the page reads first.
#[derive(Debug, Default, Serialize)]
pub struct Manifest {
    /// The program, gzip.
    pub program: Packed,
    /// Models and fonts, gzip, by the names that the program knows: `sardine.ms3d`.
    pub files: BTreeMap<String, Asset>,
    /// Textures, by the names that models know: `sardine.png`.
    pub textures: BTreeMap<String, Sizes>,
    /// Picture of each scene, for choosing and for waiting; `make pictures` makes them.
    pub pictures: BTreeMap<String, Packed>,
}

/// A model or a font.
#[derive(Debug, Serialize)]
pub struct Asset {
    /// The packed file.
    #[serde(flatten)]
    pub packed: Packed,
    /// Unpacked bytes of a model's file, in columns; its levels of detail follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<usize>,
    /// Names of a model's textures.
    pub textures: Vec<String>,
}

/// A file of the page.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Packed {
    /// Path relative to the folder of `index.html`.
    pub file: String,
    /// Size of the file. Unit: bytes.
    pub bytes: u64,
}

/// A texture in the two sizes for tiers.
#[derive(Debug, Serialize)]
pub struct Sizes {
    /// For the tier `low`.
    pub low: Packed,
    /// For the other tiers.
    pub full: Packed,
}

/// Packs all models, textures, fonts and pictures into `site/assets`.
///
/// # Errors
/// If a file cannot be read or written, or `cwebp` is not installed.
pub fn assets(site: &Path, manifest: &mut Manifest) -> Result<()> {
    let files = assets::models().map(|name| Ok((name.to_owned(), assets::read(&format!("{name}.ms3d"))?.to_vec())));
    let models = Models::new(files.collect::<Result<Vec<_>>>()?.into_iter())?;
    for (name, document, bytes) in models.files() {
        let columns = columns::pack(bytes).with_context(|| format!("{name} cannot be packed"))?;
        let with_levels = [&columns[..], &models.levels(name)?].concat();
        let file = format!("{name}.ms3d");
        let packed = write(site, Path::new(&file), "bin", &gzip(&with_levels)?)?;
        manifest.files.insert(file, Asset { packed, model: Some(columns.len()), textures: textures(document) });
    }
    for name in of_kind("otf") {
        let packed = write(site, Path::new(name), "bin", &gzip(assets::read(name)?)?)?;
        manifest.files.insert(name.to_owned(), Asset { packed, model: None, textures: Vec::new() });
    }
    let [letters, of_one_width, icons] = assets::PANEL_FONTS;
    for (font, bytes) in [(letters, UBUNTU_LIGHT), (of_one_width, HACK_REGULAR), (icons, EGUI_ICONS)] {
        let packed = write(site, Path::new(font), "bin", &gzip(bytes)?)?;
        manifest.files.insert(font.to_owned(), Asset { packed, model: None, textures: Vec::new() });
    }
    for name in of_kind("png") {
        let (path, full) = (Path::new(name), assets::read(name)?);
        let image = image::load_from_memory_with_format(full, ImageFormat::Png);
        let image = image.with_context(|| format!("{name} cannot be decoded"))?.into_rgba8();
        let full = write(site, path, "webp", &webp(full, QUALITY)?)?;
        let small = small(&image).unwrap_or(image);
        let low = write(site, path, "webp", &webp(&png(&small)?, SMALL_QUALITY)?)?;
        manifest.textures.insert(name.to_owned(), Sizes { low, full });
    }
    for scene in BUILTIN_SCENES {
        let path = root().join("docs/scenes").join(scene.name).with_extension("webp");
        if path.exists() {
            let picture = write(site, &path, "webp", &read(&path)?)?;
            manifest.pictures.insert(scene.name.to_owned(), picture);
        }
    }
    Ok(())
}

/// File names of a model's textures.
fn textures(document: &Document) -> Vec<String> {
    let named = document.materials.iter().flat_map(|material| [&material.texture, &material.alphamap]);
    // Modelling programs write folders of their own disk before it.
    let names = named.map(|path| path.to_lossy().rsplit(['/', '\\']).next().unwrap_or_default().to_owned());
    names.filter(|name| !name.is_empty()).collect::<BTreeSet<_>>().into_iter().collect()
}

/// A file's bytes.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("{} cannot be read", path.display()))
}

/// Compresses with gzip's best ratio, which takes long; results are cached in `target/web/gzip`.
pub fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let folder = root().join("target/web/gzip");
    let kept = folder.join(format!("{}.gz", hash(&[bytes])));
    if let Ok(packed) = fs::read(&kept) {
        return Ok(packed);
    }
    let mut packed = Vec::new();
    let options = zopfli::Options { iteration_count: ITERATIONS, ..Default::default() };
    zopfli::compress(options, zopfli::Format::Gzip, bytes, &mut packed)?;
    fs::create_dir_all(&folder)?;
    let new = kept.with_extension("new");
    fs::write(&new, &packed)?;
    fs::rename(&new, &kept)?;
    Ok(packed)
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Names of the assets of one kind, sorted.
fn of_kind(extension: &str) -> impl Iterator<Item = &'static str> {
    assets::names().filter(move |name| Path::new(name).extension().is_some_and(|kind| kind == extension))
}

/// Writes an asset, named after `source` and a hash of its contents.
fn write(site: &Path, source: &Path, extension: &str, bytes: &[u8]) -> Result<Packed> {
    let file = format!("assets/{}-{}.{extension}", stem(source), hash(&[bytes]));
    let path = site.join(&file);
    fs::write(&path, bytes).with_context(|| format!("{} cannot be written", path.display()))?;
    Ok(Packed { file, bytes: bytes.len() as u64 })
}

/// Hash of `parts`, for a file name.
pub fn hash(parts: &[&[u8]]) -> String {
    let mut hash = Fnv::default();
    parts.iter().for_each(|part| hash.item(part));
    hash.hex()
}

/// Halves the size once or more, like the renderer; `None` if it is small already.
fn small(image: &RgbaImage) -> Option<RgbaImage> {
    let (width, height) = image.dimensions();
    let whole = Image { width, height, rgba: image.as_raw().clone(), ..Image::default() };
    match fitted(&whole, SMALL_SIDE, has_holes(&whole)) {
        (_, Cow::Borrowed(_)) => None,
        ((width, height), Cow::Owned(texels)) => RgbaImage::from_raw(width, height, texels),
    }
}

fn png(image: &RgbaImage) -> Result<Vec<u8>> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Png)?;
    Ok(bytes.into_inner())
}

/// Encodes a PNG as lossy WebP. Results are cached in `target/web/webp`: encoding all takes a minute.
fn webp(png: &[u8], quality: u32) -> Result<Vec<u8>> {
    let quality = quality.to_string();
    let arguments = ["-quiet", "-q", &quality, "-alpha_q", "100", "-exact", "-sharp_yuv", "-m", "6"];
    let folder = root().join("target/web/webp");
    let kept = folder.join(format!("{}.webp", hash(&[png, arguments.join(" ").as_bytes()])));
    if let Ok(bytes) = fs::read(&kept) {
        return Ok(bytes);
    }
    fs::create_dir_all(&folder)?;
    let (input, output) = (kept.with_extension("png"), kept.with_extension("new"));
    fs::write(&input, png)?;
    let mut cwebp = Command::new("cwebp");
    cwebp.args(arguments).arg(&input).arg("-o").arg(&output).stdout(Stdio::null());
    let coded = run(&mut cwebp).context("textures are coded by cwebp (Debian's package webp)");
    fs::remove_file(&input)?;
    coded?;
    fs::rename(&output, &kept)?;
    let bytes = read(&kept)?;
    ensure!(bytes.starts_with(b"RIFF"), "cwebp wrote something else than WebP");
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::*;

    #[test]
    fn large_textures_are_halved_and_small_ones_left() {
        let texel = Rgba([200, 100, 50, 0]);
        let halved = small(&RgbaImage::from_pixel(1024, 704, texel)).expect("it is large");
        assert_eq!(halved.dimensions(), (512, 352));
        assert!(halved.pixels().all(|&pixel| pixel == texel), "colour under holes is kept");
        let mut edge = RgbaImage::from_pixel(1024, 2, Rgba([9, 9, 9, 0]));
        edge.pixels_mut().step_by(2).for_each(|pixel| *pixel = Rgba([200, 100, 50, 255]));
        let halved = small(&edge).expect("it is large");
        assert!(halved.pixels().all(|&pixel| pixel == Rgba([200, 100, 50, 128])), "of holes only the size is seen");
        assert!(small(&RgbaImage::new(512, 256)).is_none());
    }

    #[test]
    fn names_change_with_what_is_inside() {
        assert_ne!(hash(&[b"ab", b"c"]), hash(&[b"a", b"bc"]));
    }
}
