//! Models and textures as files: MS3D, of [rounded](crate::rounding) numbers, and PNG.

use std::collections::BTreeMap;

use crate::rounding::rounded;
use crate::{Forged, Picture};

/// Bytes by path, such as `models/sardine.ms3d` and `textures/sardine.png`.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Deflate level of files to keep, 1 to 9: level 9 takes twice as long and gains a hundredth.
const LEVEL: u8 = 7;

/// Effort that goes into compressing the textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// For files that are read back at once.
    Quick,
    /// For files to keep.
    Full,
}

/// A model or a texture that does not fit its format.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The model.
    #[error("{0}: the model does not fit the format: {1}")]
    Model(String, ms3d::WriteError),
    /// The texture.
    #[error("{0}: cannot encode: {1}")]
    Texture(String, png::EncodingError),
}

/// Path of the model called `name`.
pub fn model_path(name: &str) -> String {
    format!("models/{name}.ms3d")
}

/// All files of one thing.
///
/// # Errors
/// If something does not fit its format.
pub fn of(forged: &Forged, effort: Effort) -> Result<Files, Error> {
    let model = |(name, document): (&String, &ms3d::raw::Document)| {
        let bytes = ms3d::write(&rounded(document.clone())).map_err(|error| Error::Model(name.clone(), error))?;
        Ok((model_path(name), bytes))
    };
    let shapes = forged.shapes.iter().map(|(name, document)| (name, document));
    let texture = |(file, picture): &(String, Picture)| {
        let bytes = encode(picture, effort).map_err(|error| Error::Texture(file.clone(), error))?;
        Ok((format!("textures/{file}"), bytes))
    };
    let textures = forged.textures.iter().map(texture);
    textures.chain([(&forged.name, &forged.document)].into_iter().chain(shapes).map(model)).collect()
}

/// A PNG, without alpha where all is opaque.
fn encode(picture: &Picture, effort: Effort) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.width, picture.height);
    let is_opaque = picture.rgba.chunks_exact(4).all(|pixel| pixel[3] == u8::MAX);
    let rgb: Vec<u8>;
    let pixels = if is_opaque {
        rgb = picture.rgba.chunks_exact(4).flat_map(|pixel| &pixel[..3]).copied().collect();
        &rgb
    } else {
        &picture.rgba
    };
    encoder.set_color(if is_opaque { png::ColorType::Rgb } else { png::ColorType::Rgba });
    encoder.set_depth(png::BitDepth::Eight);
    match effort {
        Effort::Quick => encoder.set_compression(png::Compression::Fast),
        Effort::Full => {
            encoder.set_deflate_compression(png::DeflateCompression::Level(LEVEL));
            encoder.set_filter(png::Filter::Adaptive);
        }
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}
