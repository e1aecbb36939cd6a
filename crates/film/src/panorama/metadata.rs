//! Metadata that tell a viewer that a picture is all round: Google's Photo Sphere properties in a PNG file's XMP.
//!
//! <https://developers.google.com/streetview/spherical-metadata>. They support one eye only: for two, the stereo
//! property of Google's spherical videos stands beside them, and players go by the file's name.

use render::Stereo;

/// Length of the signature and the header chunk of a PNG file, after which XMP may stand. Unit: bytes.
const HEADER_BYTES: usize = 8 + 25;

/// Adds the metadata that viewers of all-round pictures look for to a PNG file. `size` is the whole picture's, in
/// pixels.
///
/// # Panics
/// If it is no PNG file: the caller's mistake.
pub fn with_metadata(png: &[u8], (width, height): (u32, u32), stereo: Stereo) -> Vec<u8> {
    assert!(png.len() > HEADER_BYTES && png[12..16] == *b"IHDR", "a PNG file begins with its header");
    let (header, rest) = png.split_at(HEADER_BYTES);
    let words = xmp((width, height), stereo);
    // Keyword, not compressed, no language, no translated keyword.
    let data = [b"XML:com.adobe.xmp\0\0\0\0\0".as_slice(), words.as_bytes()].concat();
    let typed = [b"iTXt".as_slice(), &data].concat();
    let chunk = [&(data.len() as u32).to_be_bytes()[..], &typed, &crc32(&typed).to_be_bytes()].concat();
    [header, &chunk, rest].concat()
}

fn xmp((width, height): (u32, u32), stereo: Stereo) -> String {
    let mode = match stereo {
        Stereo::TopBottom => " GSpherical:StereoMode=\"top-bottom\"",
        Stereo::SideBySide => " GSpherical:StereoMode=\"left-right\"",
        Stereo::Off | Stereo::Anaglyph => "",
    };
    format!(
        "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?><x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\
         <rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description rdf:about=\"\" \
         xmlns:GPano=\"http://ns.google.com/photos/1.0/panorama/\" \
         xmlns:GSpherical=\"http://ns.google.com/videos/1.0/spherical/\" \
         GPano:UsePanoramaViewer=\"True\" GPano:ProjectionType=\"equirectangular\" GPano:PoseHeadingDegrees=\"0\" \
         GPano:FullPanoWidthPixels=\"{width}\" GPano:FullPanoHeightPixels=\"{height}\" \
         GPano:CroppedAreaImageWidthPixels=\"{width}\" GPano:CroppedAreaImageHeightPixels=\"{height}\" \
         GPano:CroppedAreaLeftPixels=\"0\" GPano:CroppedAreaTopPixels=\"0\"{mode}/></rdf:RDF></x:xmpmeta>\
         <?xpacket end=\"r\"?>"
    )
}

/// The checksum of a chunk (ISO 3309, as PNG's Annex D has it).
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 })
    })
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{ImageFormat, Rgb, RgbImage};

    use super::*;

    #[test]
    fn the_file_is_read_as_before_and_says_what_it_is() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926, "the check value of the CRC catalogue");
        let mut plain = Cursor::new(Vec::new());
        let picture = RgbImage::from_pixel(4, 4, Rgb([90, 60, 30]));
        picture.write_to(&mut plain, ImageFormat::Png).expect("encoded");
        let plain = plain.into_inner();
        let told = with_metadata(&plain, (4, 4), Stereo::TopBottom);
        let decoded = |bytes: &[u8]| image::load_from_memory(bytes).expect("it is read").to_rgb8();
        assert_eq!(decoded(&told), decoded(&plain));
        let text = String::from_utf8_lossy(&told);
        for words in ["XML:com.adobe.xmp", "ProjectionType=\"equirectangular\"", "StereoMode=\"top-bottom\""] {
            assert!(text.contains(words), "{words}");
        }
        assert!(!String::from_utf8_lossy(&with_metadata(&plain, (4, 2), Stereo::Off)).contains("StereoMode"));
    }
}
