//! Textures: finding the file that a model refers to, decoding it within limits, and the substitute for a missing one.
//!
//! Models name textures as their author's disk had them (`C:/…/x.png`, `..\Textures\x.png`, wrong case). The search: as
//! written, relative to the model (absolute paths are not followed); the base name beside the model; the base name in a
//! folder `textures` beside the model's folder, where the forge puts it; both ignoring case; for a model with one texture
//! the model's own name with an image's extension.

mod emboss;
mod ktx2;

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io::{self, Cursor};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader};

pub use emboss::Reliefs;

use crate::files::find;
use crate::{Files, Image};

/// Greatest size of an image file: 64 MiB.
pub const MAX_FILE_BYTES: u64 = 64 << 20;
/// Greatest width and height. Unit: pixels.
pub const MAX_SIDE: u32 = 8192;
/// Greatest size of the decoded pixels of an image, and of all images of a model: 256 MiB.
pub const MAX_DECODED_BYTES: u64 = 256 << 20;

const EXTENSIONS: [&str; 5] = ["png", "jpg", "jpeg", "tga", "bmp"];

/// Reason that an image is not used. The caller names the image.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextureError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(io::Error),
    /// The file is larger than [`MAX_FILE_BYTES`].
    #[error("is a file of more than {} MiB, the most an image may have", MAX_FILE_BYTES >> 20)]
    FileTooLarge,
    /// A side is 0 or more than [`MAX_SIDE`].
    #[error("is {width} x {height} pixels; each side may have 1 to {MAX_SIDE}")]
    Side {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// The decoded pixels would take more than [`MAX_DECODED_BYTES`].
    #[error("takes {} MiB decoded; it may take {}", bytes >> 20, MAX_DECODED_BYTES >> 20)]
    TooManyBytes {
        /// Size of the decoded pixels.
        bytes: u64,
    },
    /// It is neither BMP, JPEG, KTX2, PNG, TGA nor WebP, or is damaged.
    #[error("cannot be decoded as BMP, JPEG, KTX2, PNG, TGA or WebP: {0}")]
    Decode(String),
}

impl From<io::Error> for TextureError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::FileTooLarge { Self::FileTooLarge } else { Self::Io(error) }
    }
}

/// The textures of one model: each image is decoded once, each failure told once.
pub struct Textures<'a> {
    model: &'a Path,
    files: &'a dyn Files,
    done: HashMap<(String, String), Option<Arc<Image>>>,
    decoded: HashMap<PathBuf, Arc<Image>>,
    decoded_bytes: u64,
    told: Vec<String>,
    substitute: Option<Arc<Image>>,
    /// Whether an image of the model's own name stands for one that is missing.
    takes_own_name: bool,
    /// A sentence for each image that was missing or refused.
    pub warnings: Vec<String>,
}

impl<'a> Textures<'a> {
    /// Textures of the model in the file `model`. If it names `one_alone`, an image of the model's own name stands for it
    /// where it is missing; of several none is told which it would be.
    pub fn new(model: &'a Path, files: &'a dyn Files, one_alone: bool) -> Self {
        Self {
            model,
            files,
            done: HashMap::new(),
            decoded: HashMap::new(),
            decoded_bytes: 0,
            told: Vec::new(),
            substitute: None,
            takes_own_name: one_alone,
            warnings: Vec::new(),
        }
    }

    /// The image of a material that names `texture` and `alphamap` (empty for none), the map's grey put into alpha.
    ///
    /// A missing or refused texture is replaced by the checker of [`substitute`] and warned about; a missing alpha map
    /// is left out instead, since the texture itself shows that something is there. `None` if neither is named.
    pub fn get(&mut self, texture: &str, alphamap: &str) -> Option<Arc<Image>> {
        let key = (texture.to_owned(), alphamap.to_owned());
        if let Some(done) = self.done.get(&key) {
            return done.clone();
        }
        let base = (!texture.is_empty()).then(|| match self.find(texture) {
            Ok(image) => image,
            Err(why) => {
                self.tell(texture, &format!("texture '{texture}' {why}; a checker stands in"));
                Arc::clone(self.substitute.get_or_insert_with(|| Arc::new(substitute())))
            }
        });
        let map = (!alphamap.is_empty()).then(|| self.find(alphamap));
        let image = match (base, map) {
            (base, None) => base,
            (base, Some(Ok(map))) => Some(Arc::new(with_alpha(base.as_deref(), &map))),
            (base, Some(Err(why))) => {
                self.tell(alphamap, &format!("alpha map '{alphamap}' {why}; it is left out"));
                base
            }
        };
        self.done.insert(key, image.clone());
        image
    }

    fn tell(&mut self, reference: &str, sentence: &str) {
        if !self.told.iter().any(|told| told == reference) {
            self.told.push(reference.to_owned());
            self.warnings.push(sentence.to_owned());
        }
    }

    fn find(&mut self, reference: &str) -> Result<Arc<Image>, String> {
        let Some(path) = locate(self.files, self.model, reference, self.takes_own_name) else {
            // Recorded, so that its appearance is noticed.
            self.files.version(&beside(self.model, reference));
            return Err("is not found beside the model".into());
        };
        if let Some(image) = self.decoded.get(&path) {
            return Ok(Arc::clone(image));
        }
        let bytes = self.files.read(&path, MAX_FILE_BYTES).map_err(TextureError::from);
        let image = bytes.and_then(|bytes| Ok((decode(&path.to_string_lossy(), &bytes)?, is_cut_short(&bytes))));
        let (image, is_cut_short) = image.map_err(|error| error.to_string())?;
        if is_cut_short {
            self.tell(reference, &format!("texture '{reference}' is cut short: some of it is missing"));
        }
        self.decoded_bytes += image.rgba.len() as u64;
        if self.decoded_bytes > MAX_DECODED_BYTES {
            let most = MAX_DECODED_BYTES >> 20;
            return Err(format!("is one too many: the model's images may take {most} MiB decoded together"));
        }
        let image = Arc::new(image);
        self.decoded.insert(path, Arc::clone(&image));
        Ok(image)
    }
}

/// Whether the file exists that `reference` refers to, for a model in the file `model`.
pub(super) fn is_found(files: &dyn Files, model: &Path, reference: &str) -> bool {
    locate(files, model, reference, false).is_some()
}

/// The file that `reference` refers to, by the search order of this module, which may end with the model's own name;
/// `None` if there is none.
fn locate(files: &dyn Files, model: &Path, reference: &str, takes_own_name: bool) -> Option<PathBuf> {
    let folder = model.parent().unwrap_or(Path::new(""));
    let base = base_name(reference);
    if base.is_empty() {
        return None;
    }
    let written = reference.replace('\\', "/");
    let absolute = written.starts_with('/') || written.as_bytes().get(1) == Some(&b':');
    let as_written = (!absolute).then(|| folder.join(written.strip_prefix("./").unwrap_or(&written)));
    let forged = folder.join("../textures").join(base);
    let is_there = |path: &PathBuf| match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => files.names(folder).iter().any(|found| found == name),
        _ => false,
    };
    if let Some(exact) = as_written.into_iter().chain([folder.join(base), forged]).find(is_there) {
        return Some(exact);
    }
    let in_another_case = [Some(written.as_str()).filter(|_| !absolute), Some(base)];
    if let Some(found) = in_another_case.into_iter().flatten().find_map(|name| find(files, folder, name)) {
        return Some(found);
    }
    let mut names = files.names(folder);
    names.sort();
    let first = |wanted: &dyn Fn(&OsStr) -> bool| names.iter().find(|name| wanted(name)).map(|name| folder.join(name));
    model.file_stem().filter(|_| takes_own_name).and_then(|stem| {
        EXTENSIONS.iter().find_map(|extension| {
            first(&|name| {
                let name = Path::new(name);
                name.file_stem().is_some_and(|s| s.eq_ignore_ascii_case(stem))
                    && name.extension().is_some_and(|e| e.eq_ignore_ascii_case(extension))
            })
        })
    })
}

/// Usual path of a model's texture.
fn beside(model: &Path, reference: &str) -> PathBuf {
    model.parent().unwrap_or(Path::new("")).join(base_name(reference))
}

fn base_name(reference: &str) -> &str {
    reference.rsplit(['/', '\\']).next().unwrap_or(reference)
}

/// Decodes a BMP, JPEG, KTX2, PNG, TGA or WebP file; its content decides which, then the extension of `name`.
///
/// # Errors
/// If it is none of these, is damaged, or exceeds [`MAX_SIDE`] or [`MAX_DECODED_BYTES`].
pub fn decode(name: &str, bytes: &[u8]) -> Result<Image, TextureError> {
    if ktx2::is_ktx2(bytes) {
        return ktx2::decode(name, bytes);
    }
    let refused = |error: image::ImageError| TextureError::Decode(error.to_string());
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format()?;
    if reader.format().is_none() {
        // TGA has no signature.
        reader.set_format(ImageFormat::from_path(name).map_err(refused)?);
    }
    use ImageFormat::{Bmp, Jpeg, Png, Tga, WebP};
    if !matches!(reader.format(), Some(Bmp | Jpeg | Png | Tga | WebP)) {
        return Err(TextureError::Decode("it is another format".into()));
    }
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(MAX_DECODED_BYTES);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(refused)?;
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 || width > MAX_SIDE || height > MAX_SIDE {
        return Err(TextureError::Side { width, height });
    }
    let bytes = decoder.total_bytes().max(4 * u64::from(width) * u64::from(height));
    if bytes > MAX_DECODED_BYTES {
        return Err(TextureError::TooManyBytes { bytes });
    }
    let mut rgba = DynamicImage::from_decoder(decoder).map_err(refused)?.into_rgba8().into_raw();
    if rgba.chunks_exact(4).all(|pixel| pixel[3] == 0) {
        // 32-bit images whose writer left alpha empty would vanish.
        rgba.chunks_exact_mut(4).for_each(|pixel| pixel[3] = 255);
    }
    Ok(Image { name: name.to_owned(), width, height, rgba })
}

/// Whether an image lacks its end but is decoded all the same: JPEG's decoder makes up the rest.
pub fn is_cut_short(bytes: &[u8]) -> bool {
    let Some(mut rest) = bytes.strip_prefix(&[0xff, 0xd8]) else { return false };
    // Goes to the next marker; between markers 0xff is followed by 0 or the number of a restart.
    while let Some(at) = rest.windows(2).position(|two| two[0] == 0xff && !matches!(two[1], 0 | 0xd0..=0xd7 | 0xff)) {
        let length = match rest[at + 1..] {
            [0xd9, ..] => return false,
            // A thumbnail's end is within a segment.
            [_, high, low, ..] => 2 + usize::from(u16::from_be_bytes([high, low])),
            _ => return true,
        };
        rest = rest.get(at + length..).unwrap_or_default();
    }
    true
}

/// `base` (white if there is none) with the grey of `map` as its alpha, in the size of `base`.
fn with_alpha(base: Option<&Image>, map: &Image) -> Image {
    let (width, height) = base.map_or((map.width, map.height), |base| (base.width, base.height));
    let mut rgba = base.map_or_else(|| vec![255; map.rgba.len()], |base| base.rgba.clone());
    for y in 0..height {
        for x in 0..width {
            let from_x = (u64::from(x) * u64::from(map.width) / u64::from(width)) as usize;
            let from_y = (u64::from(y) * u64::from(map.height) / u64::from(height)) as usize;
            let from = 4 * (from_y * map.width as usize + from_x);
            let [r, g, b] = [0, 1, 2].map(|channel| u32::from(map.rgba[from + channel]));
            let to = 4 * (y as usize * width as usize + x as usize);
            rgba[to + 3] = ((54 * r + 183 * g + 19 * b) / 256) as u8;
        }
    }
    let name = base.map_or_else(|| map.name.clone(), |base| format!("{} with alpha of {}", base.name, map.name));
    Image { name, width, height, rgba }
}

/// Whether some texels have alpha below a half: holes, where the usual cut is made.
pub fn has_holes(image: &Image) -> bool {
    image.rgba.chunks_exact(4).any(|pixel| pixel[3] < 128)
}

/// Name of the [substitute].
pub const SUBSTITUTE: &str = "substitute";

/// Image in place of a missing texture: a checker of magenta and grey.
pub fn substitute() -> Image {
    let cell =
        |x: usize, y: usize| if (x / 8 + y / 8).is_multiple_of(2) { [255, 0, 255, 255] } else { [96, 96, 96, 255] };
    let rgba = (0..64 * 64).flat_map(|i| cell(i % 64, i / 64)).collect();
    Image { name: SUBSTITUTE.into(), width: 64, height: 64, rgba }
}

#[cfg(test)]
mod tests {
    use image::{Rgba, RgbaImage};

    use super::*;
    use crate::files::in_memory::{InMemory, plain};

    /// An image file of one colour, in the format of the name's extension.
    fn file(name: &str, width: u32, height: u32, pixel: [u8; 4]) -> Vec<u8> {
        let image = DynamicImage::from(RgbaImage::from_pixel(width, height, Rgba(pixel)));
        let format = ImageFormat::from_path(name).expect("a known extension");
        let image = if format == ImageFormat::Jpeg { image.into_rgb8().into() } else { image };
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, format).expect("written");
        bytes.into_inner()
    }

    #[test]
    fn search_goes_from_the_written_path_to_the_models_own_name() {
        let mut files = InMemory::default();
        let found = |files: &InMemory, reference: &str| {
            let path = locate(files, Path::new("sub/fish.ms3d"), reference, true);
            path.map_or_else(String::new, |path| plain(&path).to_str().expect("UTF-8").to_owned())
        };
        assert_eq!(found(&files, "skin.png"), "");
        files.write("sub/FISH.PNG", []);
        assert_eq!(found(&files, "C:/gone/skin.png"), "sub/FISH.PNG", "own name");
        files.write("sub/Skin.PNG", []);
        assert_eq!(found(&files, "C:/gone/skin.png"), "sub/Skin.PNG", "ignoring case");
        files.write("textures/skin.png", []);
        assert_eq!(found(&files, "C:/gone/skin.png"), "textures/skin.png", "where the forge puts it");
        files.write("sub/skin.png", []);
        assert_eq!(found(&files, "C:\\gone\\skin.png"), "sub/skin.png", "base name");
        assert_eq!(found(&files, "//skin.png"), "sub/skin.png");
        assert_eq!(found(&files, "\\\\skin.png"), "sub/skin.png");
        files.write("Textures/skin.png", []);
        assert_eq!(found(&files, "..\\Textures\\skin.png"), "Textures/skin.png", "as written");
        assert_eq!(found(&files, ".\\skin.png"), "sub/skin.png");
        assert_eq!(found(&files, ""), "");
    }

    #[test]
    fn absolute_paths_are_not_followed() {
        let mut files = InMemory::default();
        files.write("/elsewhere/secret.png", []);
        assert_eq!(locate(&files, Path::new("/here/fish.ms3d"), "/elsewhere/secret.png", true), None);
    }

    #[test]
    fn all_formats_decode() {
        for name in ["a.png", "a.bmp", "a.tga", "a.jpg", "a.webp"] {
            let image = decode(name, &file(name, 8, 4, [200, 100, 50, 255])).expect(name);
            assert_eq!((image.width, image.height, image.rgba.len()), (8, 4, 128), "{name}");
            assert!(image.rgba[0].abs_diff(200) < 6 && image.rgba[3] == 255, "{name}");
        }
        let png = file("a.png", 8, 4, [200, 100, 50, 255]);
        assert!(decode("misnamed.jpg", &png).is_ok(), "content goes before the extension");
    }

    #[test]
    fn a_70000_pixel_image_is_refused_in_a_sentence() {
        let mut png = Vec::new();
        let row = image::GrayImage::new(70_000, 1);
        row.write_to(&mut Cursor::new(&mut png), ImageFormat::Png).expect("written");
        let error = decode("wide.png", &png).expect_err("too wide");
        assert_eq!(error.to_string(), "is 70000 x 1 pixels; each side may have 1 to 8192");
        assert!(matches!(decode("x.png", b"not an image"), Err(TextureError::Decode(_))));
        assert!(matches!(decode("x.gif", b"GIF89a..."), Err(TextureError::Decode(_))));
    }

    #[test]
    fn too_many_decoded_bytes_are_refused_before_they_are_taken() {
        // 8192 x 8192 texels of 16 bits a channel take 512 MiB; only the header says so here.
        let mut png = Vec::new();
        image::ImageBuffer::<image::Rgba<u16>, _>::new(2, 2)
            .write_to(&mut Cursor::new(&mut png), ImageFormat::Png)
            .expect("written");
        for (at, value) in [(16, 8192_u32), (20, 8192)] {
            png[at..at + 4].copy_from_slice(&value.to_be_bytes());
        }
        let crc = crc32(&png[12..29]);
        png[29..33].copy_from_slice(&crc.to_be_bytes());
        assert!(matches!(decode("x.png", &png), Err(TextureError::TooManyBytes { bytes }) if bytes == 512 << 20));
    }

    fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0_u32, |crc, &byte| {
            (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
        })
    }

    #[test]
    fn what_is_missing_is_replaced_and_told_once() {
        let files = InMemory::default();
        let mut textures = Textures::new(Path::new("fish.ms3d"), &files, true);
        let first = textures.get("gone.png", "").expect("a substitute");
        let again = textures.get("gone.png", "").expect("a substitute");
        textures.get("gone.png", "lost.png").expect("a substitute");
        assert!(Arc::ptr_eq(&first, &again));
        assert_eq!(first.rgba[..4], [255, 0, 255, 255]);
        assert_eq!(textures.warnings.len(), 2, "{:?}", textures.warnings);
        assert!(textures.warnings[0].contains("'gone.png' is not found"));
        assert!(textures.get("", "").is_none());
    }

    #[test]
    fn no_part_of_an_image_is_missing_silently() {
        let picture = RgbaImage::from_fn(24, 24, |x, y| Rgba([(10 * x) as u8, (10 * y) as u8, (x * y) as u8, 255]));
        for name in ["a.png", "a.bmp", "a.tga", "a.jpg", "a.webp"] {
            let format = ImageFormat::from_path(name).expect("a known extension");
            let image = DynamicImage::from(picture.clone()).into_rgb8();
            let mut bytes = Cursor::new(Vec::new());
            image.write_to(&mut bytes, format).expect("written");
            let bytes = bytes.into_inner();
            let whole = decode(name, &bytes).expect(name);
            assert!(!is_cut_short(&bytes), "{name}");
            let (mut refused, mut told) = (0, 0);
            for length in 0..bytes.len() {
                match decode(name, &bytes[..length]) {
                    Err(_) => refused += 1,
                    Ok(_) if is_cut_short(&bytes[..length]) => told += 1,
                    Ok(image) => assert!(image.rgba == whole.rgba, "{length} bytes of {name}"),
                }
            }
            assert!(refused > 0 && (told > 0) == (name == "a.jpg"), "{name}: {refused}, {told}");
        }
        // A thumbnail's end is not the picture's, and bytes after the end are not looked at.
        let jpeg = [&[0xff, 0xd8, 0xff, 0xe1, 0, 4, 0xff, 0xd9, 1, 0xff, 0][..], &[0xff, 0xd9, 7]];
        assert!(is_cut_short(jpeg[0]) && !is_cut_short(&jpeg.concat()));
        let mut files = InMemory::default();
        let skin = file("skin.jpg", 64, 64, [10, 20, 30, 255]);
        files.write("skin.jpg", &skin[..skin.len() - 20]);
        let mut textures = Textures::new(Path::new("fish.ms3d"), &files, true);
        textures.get("skin.jpg", "").expect("what there is of it");
        assert_eq!(textures.warnings, ["texture 'skin.jpg' is cut short: some of it is missing"]);
    }

    #[test]
    fn images_are_shared_and_alpha_maps_cut() {
        let mut files = InMemory::default();
        files.write("skin.png", file("skin.png", 4, 4, [10, 20, 30, 255]));
        files.write("mask.png", file("mask.png", 2, 2, [0, 0, 0, 255]));
        let mut textures = Textures::new(Path::new("fish.ms3d"), &files, true);
        let plain = textures.get("skin.png", "").expect("there");
        assert!(Arc::ptr_eq(&plain, &textures.get("./skin.png", "").expect("there")), "one file, one image");
        assert!(!has_holes(&plain));
        let cut = textures.get("skin.png", "mask.png").expect("there");
        assert_eq!(cut.rgba[..4], [10, 20, 30, 0]);
        assert!(has_holes(&cut));
        assert_eq!(textures.warnings, Vec::<String>::new());
    }

    #[test]
    fn alpha_left_empty_everywhere_counts_as_opaque() {
        let image = decode("skin.tga", &file("skin.tga", 2, 2, [10, 20, 30, 0])).expect("decodes");
        assert!(!has_holes(&image));
    }
}
