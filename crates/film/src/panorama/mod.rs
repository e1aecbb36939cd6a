//! Equirectangular pictures all round a camera, for one eye or two, put together from those of narrow cameras.

pub mod mapping;
mod metadata;
mod tiles;

use std::fmt;
use std::path::Path;

use clap::ValueEnum;
use platform::interrupt;
use render::{Capture, RenderChange, Stereo};
use runtime::AppError;
use runtime::offscreen::Session;
use runtime::picture_file::PictureFormat;
use view::Camera;

use mapping::Eye;
use tiles::{Tiles, beside};

use metadata::with_metadata;

/// Texels at the edge of a developed piece that are thrown away: smoothing looks that far.
const MARGIN: u32 = 8;
/// Widest picture of one eye. Unit: pixels.
const WIDEST: u32 = 16_384;
/// Narrowest. Unit: pixels.
const NARROWEST: u32 = 128;
/// Width of one eye's picture for which none was asked. Unit: pixels.
const WIDTH: u32 = 4096;

/// Projection of the world onto a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Projection {
    /// As a lens does it.
    #[default]
    Perspective,
    /// All round: columns are longitudes, rows latitudes.
    Equirect,
    /// The half before the camera likewise, for two eyes beside each other that stay in their places.
    Vr180,
}

impl fmt::Display for Projection {
    /// As the command line takes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Perspective => "perspective",
            Self::Equirect => "equirect",
            Self::Vr180 => "vr180",
        })
    }
}

/// An equirectangular picture in the making: its size and stereo layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panorama {
    /// Width and height of the whole picture in pixels.
    pub size: (u32, u32),
    /// One eye, or two above or beside each other.
    pub stereo: Stereo,
    /// Whether it is of the half before the camera.
    is_half: bool,
}

impl Panorama {
    /// Encodes a picture of it as a file's bytes; a PNG says that it is all round.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn encode(self, format: PictureFormat, capture: &Capture) -> image::ImageResult<Vec<u8>> {
        let bytes = format.encode(capture)?;
        Ok(match format {
            // Nothing is agreed on for halves.
            PictureFormat::Png if self.is_half => bytes,
            PictureFormat::Png => with_metadata(&bytes, self.size, self.stereo),
            PictureFormat::Exr => bytes,
        })
    }

    /// Panorama of a projection; `None` if that is through a lens. Halves are for two eyes beside each other, whether
    /// `stereo` says so or is off.
    ///
    /// # Errors
    /// With a valid choice, if no such picture is made.
    pub fn of(projection: Projection, size: Option<(u32, u32)>, stereo: Stereo) -> Result<Option<Self>, String> {
        match projection {
            Projection::Perspective => Ok(None),
            Projection::Equirect => Self::new(size, stereo).map(Some),
            Projection::Vr180 => Self::half(size, stereo).map(Some),
        }
    }

    fn half(size: Option<(u32, u32)>, stereo: Stereo) -> Result<Self, String> {
        if !matches!(stereo, Stereo::Off | Stereo::SideBySide) {
            return Err("vr180 has two eyes' pictures beside each other; leave --stereo out".into());
        }
        let size = size.unwrap_or((WIDTH, WIDTH / 2));
        if size.0 != 2 * size.1 || !(NARROWEST..=WIDEST / 2).contains(&size.1) {
            return Err(format!(
                "vr180 has a square picture for each eye, {NARROWEST} to {} pixels wide; choose --size {WIDTH}x{} or so",
                WIDEST / 2,
                WIDTH / 2
            ));
        }
        Ok(Self { size, stereo: Stereo::SideBySide, is_half: true })
    }

    /// Panorama all round of a size, or of the usual one.
    ///
    /// # Errors
    /// With a valid choice, if no such picture is made.
    pub fn new(size: Option<(u32, u32)>, stereo: Stereo) -> Result<Self, String> {
        let whole = |(width, height): (u32, u32)| match stereo {
            Stereo::SideBySide => (2 * width, height),
            Stereo::TopBottom => (width, 2 * height),
            Stereo::Off | Stereo::Anaglyph => (width, height),
        };
        if stereo == Stereo::Anaglyph {
            return Err(
                "all round, two eyes' pictures lie above or beside each other; choose --stereo top-bottom".into()
            );
        }
        let size = size.unwrap_or_else(|| whole((WIDTH, WIDTH / 2)));
        let eye = stereo.eye_extent(size);
        if whole(eye) != size || eye.0 != 2 * eye.1 || !(NARROWEST..=WIDEST).contains(&eye.0) {
            let (width, height) = whole((WIDTH, WIDTH / 2));
            return Err(format!(
                "all round, each eye's picture is twice as wide as high, and {NARROWEST} to {WIDEST} pixels wide; choose \
                 --size {width}x{height} or so"
            ));
        }
        Ok(Self { size, stereo, is_half: false })
    }

    /// Suffix of a file's name that players look for, before its ending.
    pub fn suffix(self) -> &'static str {
        match self.stereo {
            Stereo::SideBySide if self.is_half => "_180_LR",
            Stereo::SideBySide => "_360_LR",
            Stereo::TopBottom => "_360_TB",
            Stereo::Off | Stereo::Anaglyph => "_360",
        }
    }

    /// Logs a hint if players do not recognise the picture by its file's name.
    pub fn tell_of_name(self, out: &Path) {
        let suffix = self.suffix();
        if !out.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with(suffix)) {
            log::info!("players know such pictures by a name that ends in {suffix}, before its ending");
        }
    }

    /// Width and height of one eye's picture in pixels.
    fn eye_size(self) -> (u32, u32) {
        self.stereo.eye_extent(self.size)
    }

    /// The tiles of each eye; two eyes are `interocular_m` apart.
    fn eyes(self, interocular_m: f32) -> Vec<Tiles> {
        if self.is_half {
            let (width, height) = self.eye_size();
            return vec![Tiles::new(Eye::Only, 0.0, (2 * width, height)).ahead(); 2];
        }
        let eyes: &[Eye] = if self.stereo == Stereo::Off { &[Eye::Only] } else { &[Eye::Left, Eye::Right] };
        eyes.iter().map(|&eye| Tiles::new(eye, 0.5 * f64::from(interocular_m), self.eye_size())).collect()
    }

    /// Number of pieces that [`Self::capture`] draws.
    pub fn pieces(self) -> u64 {
        self.eyes(0.0).iter().map(|eye| eye.list.len() as u64).sum()
    }

    /// Width and height of the pieces, which is all that the driver has to draw at once. Unit: pixels.
    pub fn piece_size(self) -> (u32, u32) {
        self.eyes(0.0).first().map_or(self.size, |tiles| tiles.extent)
    }

    /// The present moment all round `camera`, as [`Self::picture`] makes it.
    ///
    /// # Errors
    /// Same as [`Self::picture`].
    pub fn capture(
        self,
        session: &mut Session,
        camera: Camera,
        linear: bool,
        told: &mut dyn FnMut(u64),
    ) -> Result<Capture, AppError> {
        session.world.extract(1.0, camera, &mut session.frame);
        self.picture(session, linear, told)
    }

    /// The moment in [`Session::frame`] all round its camera, level, drawn and read back: linear radiance if `linear`,
    /// else display pixels, all exposed as one picture. `told` is called with the number of each piece, from 0. The
    /// renderer draws pieces from then on.
    ///
    /// # Errors
    /// If the driver refuses a target, the context is lost or Ctrl-C was pressed.
    pub fn picture(self, session: &mut Session, linear: bool, told: &mut dyn FnMut(u64)) -> Result<Capture, AppError> {
        let middle = session.frame.camera;
        let interocular_m = session.config.scene.camera.stereo.interocular_m;
        let mut drawn = 0;
        let mut display = Vec::new();
        let mut radiance = Vec::new();
        for (tiles, side) in self.eyes(interocular_m).into_iter().zip([-0.5, 0.5]) {
            // Eyes of all round move with the direction; of the half ahead they stay.
            let camera = if self.is_half { beside(middle, side * interocular_m) } else { middle };
            let change = RenderChange {
                output: Some(tiles.extent),
                stereo: Some(Stereo::Off),
                pieces: Some(true),
                ..RenderChange::default()
            };
            session.renderer.apply(&change)?;
            let (width, height) = tiles.size;
            let mut rgb = vec![0.0; 3 * width as usize * height as usize];
            let mut taken = tiles.list.iter();
            let cameras = tiles.list.iter().map(|tile| tiles.camera(tile, camera));
            session.renderer.radiance(&session.frame, cameras, &mut |texels| {
                if let Some(tile) = taken.next() {
                    tiles.add(tile, texels, &mut rgb);
                }
                told(drawn);
                drawn += 1;
                !interrupt::requested()
            })?;
            if interrupt::requested() {
                return Err(AppError::Interrupted);
            }
            if linear {
                radiance.push(if self.is_half { middle_half(&rgb, width, 3) } else { rgb });
            } else {
                let pixels = developed(session, &tiles, &rgb)?;
                display.push(if self.is_half { middle_half(&pixels, width, 4) } else { pixels });
            }
        }
        let (width, height) = self.size;
        let capture = match linear {
            true => Capture::Linear { width, height, rgb: self.joined(&radiance, 3) },
            false => Capture::Display { width, height, rgba: self.joined(&display, 4) },
        };
        session.kept(capture)
    }

    /// Joins the eyes' pictures, of `values` values a pixel, into one.
    fn joined<T: Copy>(self, eyes: &[Vec<T>], values: usize) -> Vec<T> {
        match self.stereo {
            Stereo::SideBySide => {
                let row = values * self.eye_size().0 as usize;
                let rows = eyes[0].chunks_exact(row).zip(eyes[1].chunks_exact(row));
                rows.flat_map(|(left, right)| left.iter().chain(right)).copied().collect()
            }
            _ => eyes.concat(),
        }
    }
}

/// The half in the middle of each row of a picture that is `width` wide, of `values` values a pixel.
fn middle_half<T: Copy>(picture: &[T], width: u32, values: usize) -> Vec<T> {
    let row = values * width as usize;
    picture.chunks_exact(row).flat_map(|pixels| &pixels[row / 4..row / 4 + row / 2]).copied().collect()
}

/// Display pixels, RGBA, of an eye's radiance, RGB, a piece at a time: as large as the renderer's pictures are now.
/// Pieces overlap, round the back too, so that edge smoothing sees across their edges.
fn developed(session: &mut Session, tiles: &Tiles, rgb: &[f32]) -> Result<Vec<u8>, AppError> {
    let ((width, height), extent) = (tiles.size, tiles.extent);
    let inner = [extent.0, extent.1].map(|side| side.saturating_sub(2 * MARGIN).max(1));
    let margin = [0, 1].map(|axis| ([extent.0, extent.1][axis] - inner[axis]) / 2);
    let mut display = vec![255; 4 * width as usize * height as usize];
    let mut piece = vec![1.0; 4 * (extent.0 * extent.1) as usize];
    for top in (0..height).step_by(inner[1] as usize) {
        for left in (0..width).step_by(inner[0] as usize) {
            let in_panorama = |x: u32, y: u32| {
                let column = (i64::from(left + x) - i64::from(margin[0])).rem_euclid(i64::from(width));
                let row = (i64::from(top + y) - i64::from(margin[1])).clamp(0, i64::from(height) - 1);
                (row * i64::from(width) + column) as usize
            };
            let places = || (0..extent.1).flat_map(|y| (0..extent.0).map(move |x| (x, y)));
            for ((x, y), texel) in places().zip(piece.chunks_exact_mut(4)) {
                texel[..3].copy_from_slice(&rgb[3 * in_panorama(x, y)..][..3]);
            }
            let pixels = session.renderer.developed(&session.frame, &piece)?;
            for ((x, y), pixel) in places().zip(pixels.chunks_exact(4)) {
                let within =
                    (margin[0]..margin[0] + inner[0]).contains(&x) && (margin[1]..margin[1] + inner[1]).contains(&y);
                let is_new = within && left + x - margin[0] < width && top + y - margin[1] < height;
                if is_new {
                    display[4 * in_panorama(x, y)..][..3].copy_from_slice(&pixel[..3]);
                }
            }
        }
    }
    Ok(display)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_are_no_sphere_are_refused_with_one_that_is() {
        let of = |size, stereo| Panorama::new(size, stereo);
        assert_eq!(of(None, Stereo::Off).map(|panorama| panorama.size), Ok((4096, 2048)));
        assert_eq!(
            of(None, Stereo::TopBottom).map(|panorama| (panorama.size, panorama.suffix())),
            Ok(((4096, 4096), "_360_TB"))
        );
        assert_eq!(of(None, Stereo::SideBySide).map(|panorama| panorama.size), Ok((8192, 2048)));
        assert!(of(Some((1024, 1024)), Stereo::TopBottom).is_ok());
        for (size, stereo) in [
            ((1280, 720), Stereo::Off),
            ((1024, 1024), Stereo::Off),
            ((1025, 1024), Stereo::TopBottom),
            ((64, 32), Stereo::Off),
            ((32_768, 16_384), Stereo::Off),
        ] {
            let told = of(Some(size), stereo).expect_err("it is none");
            assert!(told.contains("--size 4096x"), "{told}");
        }
        assert!(of(None, Stereo::Anaglyph).expect_err("it is none").contains("top-bottom"));
    }

    #[test]
    fn halves_are_square_and_beside_each_other() {
        let of = |size, stereo| Panorama::of(Projection::Vr180, size, stereo);
        let usual = of(None, Stereo::Off).expect("there is one").expect("it is one");
        assert_eq!((usual.size, usual.stereo, usual.suffix()), ((4096, 2048), Stereo::SideBySide, "_180_LR"));
        assert!(of(Some((256, 128)), Stereo::SideBySide).is_ok());
        assert!(of(Some((256, 256)), Stereo::Off).expect_err("it is none").contains("--size 4096x2048"));
        assert!(of(None, Stereo::TopBottom).expect_err("it is none").contains("leave --stereo out"));
        assert_eq!(middle_half(&[1, 2, 3, 4, 5, 6, 7, 8], 4, 1), [2, 3, 6, 7]);
    }

    #[test]
    fn the_left_eye_is_above_or_to_the_left() {
        let joined = |stereo| Panorama { size: (4, 1), stereo, is_half: false }.joined(&[vec![1, 2], vec![3, 4]], 1);
        assert_eq!(joined(Stereo::TopBottom), [1, 2, 3, 4]);
        let beside = Panorama { size: (2, 2), stereo: Stereo::SideBySide, is_half: false };
        assert_eq!(beside.joined(&[vec![1, 2], vec![3, 4]], 1), [1, 3, 2, 4]);
    }
}
