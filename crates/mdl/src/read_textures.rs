//! Textures and the table of skins, from the model's file or from its texture file.

use super::bytes::{Budget, Bytes, Record, Span, spend};
use super::header::open;
use super::{Companion, Document, Part, Place, ReadError, Skins, Texture, Warning, texture_flags};

/// Bytes of 256 colours.
const PALETTE_BYTES: usize = 768;
/// Greatest width and height. Unit: pixels.
const MAX_SIDE: i32 = 8192;

/// Reads the textures into `document`, from the texture file if the model's own has none.
pub(super) fn textures(
    file: Bytes<'_>,
    header: &Record<'_>,
    budget: &mut Budget,
    companion: &mut dyn FnMut(Companion) -> Result<Vec<u8>, String>,
    document: &mut Document,
) -> Result<(), ReadError> {
    let needs_some = document.body_parts.iter().flat_map(|part| &part.models).any(|model| !model.meshes.is_empty());
    if header.i32(180) != 0 || !needs_some {
        return own_textures(file, header, budget, document);
    }
    let read = companion(Companion::Textures).and_then(|bytes| {
        let (file, header) = open(&bytes, &budget.limits).map_err(|error| error.to_string())?;
        own_textures(file, &header, budget, document).map_err(|error| error.to_string())?;
        document.bytes += bytes.len();
        Ok(())
    });
    document.warnings.extend(read.err().map(|why| Warning::Companion { companion: Companion::Textures, why }));
    Ok(())
}

fn own_textures(
    file: Bytes<'_>,
    header: &Record<'_>,
    budget: &mut Budget,
    document: &mut Document,
) -> Result<(), ReadError> {
    let mut textures = Vec::new();
    for (index, record) in file.table(Part::Textures, header.span(180), 80, budget)?.enumerate() {
        let (name, flags) = (record.text(0, 64), record.i32(64));
        if flags & !texture_flags::KNOWN != 0 {
            let flags = flags & !texture_flags::KNOWN;
            document.warnings.push(Warning::Extension { at: record.at, flags });
        }
        let texture = Texture { name, flags, width: 0, height: 0, pixels: Vec::new(), palette: Vec::new() };
        textures.push(match picture(file, &record, budget) {
            Ok((width, height, pixels, palette)) => Texture { width, height, pixels, palette, ..texture },
            Err(why) => {
                document.warnings.push(Warning::Texture { index, name: texture.name.clone(), why });
                texture
            }
        });
    }
    document.skins = skins(file, header, budget, textures.len())?;
    document.textures = textures;
    Ok(())
}

type Picture = (usize, usize, Vec<u8>, Vec<[u8; 3]>);

fn picture(file: Bytes<'_>, record: &Record<'_>, budget: &mut Budget) -> Result<Picture, ReadError> {
    let [width, height, offset] = record.integers(68);
    for side in [width, height] {
        if !(1..=MAX_SIDE).contains(&side) {
            return Err(ReadError::Count { at: record.at, count: side.into(), limit: MAX_SIDE as usize });
        }
    }
    let (width, height) = (width as usize, height as usize);
    let at = Place { part: Part::Pixels, offset: offset.into(), ..record.at };
    let bytes = file.take(at, (width * height + PALETTE_BYTES) as u64)?;
    spend(&mut budget.pixels, at, width * height)?;
    let (pixels, palette) = bytes.split_at(width * height);
    Ok((width, height, pixels.to_vec(), palette.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect()))
}

/// The table of skins; if it is missing or has no slots, texture i is in slot i.
fn skins(file: Bytes<'_>, header: &Record<'_>, budget: &mut Budget, textures: usize) -> Result<Skins, ReadError> {
    let [slots, families, offset] = header.integers(192);
    let at = Place { part: Part::Skins, record: None, offset: offset.into() };
    let product = i64::from(slots) * i64::from(families);
    let count = i32::try_from(product).ok().filter(|_| slots >= 0 && families >= 0);
    let count = count.ok_or(ReadError::Count { at, count: product, limit: budget.records })?;
    if count == 0 {
        return Ok(Skins { slots: textures, textures: (0..textures).collect() });
    }
    let records = file.table(Part::Skins, Span { count, offset }, 2, budget)?;
    let textures = records.map(|record| record.index("texture", record.i16(0).into(), textures));
    Ok(Skins { slots: slots as usize, textures: textures.collect::<Result<_, _>>()? })
}
