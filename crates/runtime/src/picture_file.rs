//! Picture files: checked before the work, never half written.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use image::codecs::openexr::OpenExrEncoder;
use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};
use render::Capture;
#[cfg(not(target_arch = "wasm32"))]
use storage::read_start;
use storage::{OutFile, is_there};

use crate::AppError;

/// File format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// 8 bits a channel, as on the screen.
    Png,
    /// Linear 32-bit float radiance.
    Exr,
}

/// A place for a picture that was found to be writable.
#[derive(Clone, Debug)]
pub struct PictureFile {
    file: OutFile,
    format: PictureFormat,
}

impl PictureFile {
    /// Checks that a picture can be written to `path`, making its folder if need be.
    ///
    /// # Errors
    /// If the ending is neither `.png` nor `.exr`, or nothing can be written there.
    pub fn check(path: &Path) -> Result<Self, AppError> {
        let format = PictureFormat::of(path).ok_or_else(|| AppError::UnknownFormat(path.into()))?;
        let file = OutFile::check(path)
            .map_err(|error| AppError::Unwritable { path: path.into(), why: error.why.to_string() })?;
        Ok(Self { file, format })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The format of the file.
    pub fn format(&self) -> PictureFormat {
        self.format
    }

    /// Whether linear values are wanted from [`Renderer::capture`](render::Renderer::capture).
    pub fn is_linear(&self) -> bool {
        self.format == PictureFormat::Exr
    }

    /// Writes the picture, all of it or nothing.
    ///
    /// # Errors
    /// If the disk is full or the folder is gone.
    ///
    /// # Panics
    /// If the capture is linear for a PNG, or not for an EXR: the caller's mistake.
    pub fn write(&self, capture: &Capture) -> Result<(), AppError> {
        let failed = |error: image::ImageError| AppError::Write { path: self.path().into(), why: error.to_string() };
        self.write_encoded(&self.format.encode(capture).map_err(failed)?)
    }

    /// Writes the picture to a new file instead, at this place or at the first free one of `others`, of the same
    /// folder; returns its path.
    ///
    /// # Errors
    /// Same as [`Self::write`].
    ///
    /// # Panics
    /// Same as [`Self::write`].
    pub fn write_new(&self, capture: &Capture, others: impl Iterator<Item = PathBuf>) -> Result<PathBuf, AppError> {
        let failed = |why: String| AppError::Write { path: self.path().into(), why };
        let bytes = self.format.encode(capture).map_err(|error| failed(error.to_string()))?;
        let places = std::iter::once(self.path().to_owned()).chain(others);
        OutFile::write_new(places, &bytes).map_err(|error| failed(error.why.to_string()))
    }

    /// Writes bytes that [`Self::format`] has encoded, all of them or nothing.
    ///
    /// # Errors
    /// Same as [`Self::write`].
    pub fn write_encoded(&self, bytes: &[u8]) -> Result<(), AppError> {
        let failed = |why: String| AppError::Write { path: self.path().into(), why };
        self.file.write(bytes).map_err(|error| failed(error.why.to_string()))
    }
}

impl PictureFormat {
    /// Format of a file by its ending; `None` if it is no picture's.
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
        match ending.as_deref() {
            Some("png") => Some(Self::Png),
            Some("exr") => Some(Self::Exr),
            _ => None,
        }
    }

    /// Whether a file begins like one of this format, or is empty.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn is_of(self, path: &Path) -> bool {
        let magic: &[u8] = match self {
            Self::Png => b"\x89PNG\r\n\x1a\n",
            Self::Exr => b"\x76\x2f\x31\x01",
        };
        read_start(path, magic.len() as u64).is_ok_and(|start| start.is_empty() || start == magic)
    }

    /// Encodes a picture as the bytes of a file.
    ///
    /// # Errors
    /// If the encoder refuses it.
    ///
    /// # Panics
    /// If the capture is linear for a PNG, or not for an EXR: the caller's mistake.
    pub fn encode(self, capture: &Capture) -> image::ImageResult<Vec<u8>> {
        let mut file = Cursor::new(Vec::new());
        match (self, capture) {
            (Self::Png, Capture::Display { width, height, rgba }) => {
                PngEncoder::new(&mut file).write_image(&rgb_of(rgba), *width, *height, ExtendedColorType::Rgb8)?;
            }
            (Self::Exr, Capture::Linear { width, height, rgb }) => {
                let bytes: &[u8] = bytemuck::cast_slice(rgb);
                OpenExrEncoder::new(&mut file).write_image(bytes, *width, *height, ExtendedColorType::Rgb32F)?;
            }
            (format, _) => panic!("the capture does not suit a {format:?} file"),
        }
        Ok(file.into_inner())
    }
}

/// RGB of RGBA.
pub fn rgb_of(rgba: &[u8]) -> Vec<u8> {
    rgba.as_chunks::<4>().0.iter().map(|[r, g, b, _]| [*r, *g, *b]).collect::<Vec<_>>().into_flattened()
}

/// A file name nobody has used yet in `folder` for a screenshot of `scene`. Those of `pending`, which are still to be
/// written, are used too.
pub fn screenshot_path(folder: &Path, scene: &str, pending: &[&Path]) -> PathBuf {
    free_path(screenshot_paths(folder, scene), pending)
}

/// File names in `folder` for screenshots of `scene`.
pub fn screenshot_paths(folder: &Path, scene: &str) -> impl Iterator<Item = PathBuf> + use<> {
    numbered_paths(folder, scene, "png")
}

/// First of `paths` that is not in use yet and is none of `pending`.
pub fn free_path(mut paths: impl Iterator<Item = PathBuf>, pending: &[&Path]) -> PathBuf {
    let path = paths.find(|path| !is_there(path) && !pending.contains(&path.as_path()));
    path.expect("there are more numbers than files")
}

/// Endless numbered file names in `folder` for pictures and films of `scene`.
pub fn numbered_paths(folder: &Path, scene: &str, ending: &str) -> impl Iterator<Item = PathBuf> + use<> {
    let scene: String = scene.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
    let (folder, ending) = (folder.to_owned(), ending.to_owned());
    (1_u64..).map(move |number| folder.join(format!("pelagic-{scene}-{number:04}.{ending}")))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use storage::faults::at_every_call;
    use testing::{room_of, texts};

    use super::*;

    #[test]
    fn a_picture_is_the_old_or_the_new_one_whatever_fails() {
        let capture = Capture::Display { width: 16, height: 16, rgba: vec![7; 4 * 256] };
        let whole = room_of([]);
        PictureFile::check(&whole.path().join("a.png")).and_then(|file| file.write(&capture)).expect("written");
        let new = &texts(whole.path())["a.png"];
        for old in [None, Some("an old picture")] {
            at_every_call(
                || room_of(old.map(|old| ("a.png", old)).into_iter().chain([("mine.png", "mine")])),
                |room| PictureFile::check(&room.path().join("a.png"))?.write(&capture),
                |room, done, fault| {
                    PictureFile::check(&room.path().join("a.png")).expect("all is well again");
                    let mut found = texts(room.path());
                    assert_eq!(found.remove("mine.png").as_deref(), Some("mine"));
                    let picture = found.remove("a.png");
                    assert!(picture.as_ref() == Some(new) || (done.is_err() && picture.as_deref() == old), "{fault:?}");
                    assert!(found.is_empty(), "{fault:?} left {found:?}");
                },
            );
        }
    }

    #[test]
    fn a_png_comes_back_as_it_was_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let output = PictureFile::check(&folder.path().join("new/sub/a.PNG")).expect("writable");
        let rgba = vec![1, 2, 3, 255, 250, 128, 0, 255];
        output.write(&Capture::Display { width: 2, height: 1, rgba }).expect("written");
        let back = image::ImageReader::open(output.path()).expect("there").with_guessed_format().expect("read");
        assert_eq!(back.decode().expect("a PNG").into_rgb8().into_raw(), [1, 2, 3, 250, 128, 0]);
        assert_eq!(fs::read_dir(folder.path().join("new/sub")).expect("there").count(), 1);
    }

    #[test]
    fn an_exr_keeps_values_beyond_the_screen() {
        let folder = tempfile::tempdir().expect("a folder");
        let output = PictureFile::check(&folder.path().join("a.exr")).expect("writable");
        assert!(output.is_linear());
        let rgb = vec![0.0, 1e-5, 70_000.0, 0.25, 12.5, 1.0];
        output.write(&Capture::Linear { width: 1, height: 2, rgb: rgb.clone() }).expect("written");
        let back = image::open(output.path()).expect("an EXR").into_rgb32f();
        assert_eq!((back.width(), back.height(), back.into_raw()), (1, 2, rgb));
    }

    #[test]
    fn unknown_endings_folders_and_files_in_the_way_are_refused_before_the_work() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(matches!(PictureFile::check(&folder.path().join("a.jpg")), Err(AppError::UnknownFormat(_))));
        assert!(matches!(PictureFile::check(&folder.path().join("a")), Err(AppError::UnknownFormat(_))));
        fs::write(folder.path().join("file"), "").expect("written");
        let below_a_file = folder.path().join("file/a.png");
        assert!(matches!(PictureFile::check(&below_a_file), Err(AppError::Unwritable { .. })));
        fs::create_dir(folder.path().join("d.png")).expect("made");
        assert!(matches!(PictureFile::check(&folder.path().join("d.png")), Err(AppError::Unwritable { .. })));
    }

    #[test]
    fn a_file_is_a_picture_of_a_format_by_how_it_begins() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.png");
        let output = PictureFile::check(&path).expect("writable");
        output.write(&Capture::Display { width: 1, height: 1, rgba: vec![0; 4] }).expect("written");
        assert!(PictureFormat::Png.is_of(&path) && !PictureFormat::Exr.is_of(&path));
        fs::write(&path, "notes").expect("written");
        assert!(!PictureFormat::Png.is_of(&path));
        fs::write(&path, "").expect("written");
        assert!(PictureFormat::Png.is_of(&path), "nothing is lost with it");
        assert!(!PictureFormat::Png.is_of(folder.path()));
    }

    #[test]
    fn a_name_that_is_taken_meanwhile_is_left_and_the_next_one_used() {
        let folder = tempfile::tempdir().expect("a folder");
        let output = PictureFile::check(&screenshot_path(folder.path(), "reef", &[])).expect("writable");
        fs::write(output.path(), "another window's").expect("written");
        let capture = Capture::Display { width: 1, height: 1, rgba: vec![0; 4] };
        let place = output.write_new(&capture, screenshot_paths(folder.path(), "reef")).expect("written");
        assert_eq!(place, folder.path().join("pelagic-reef-0002.png"));
        assert_eq!(fs::read(output.path()).expect("there"), b"another window's");
        assert_eq!(fs::read_dir(folder.path()).expect("there").count(), 2);
    }

    #[test]
    fn screenshots_never_overwrite() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = screenshot_path(folder.path(), "my/reef 1", &[]);
        assert_eq!(first, folder.path().join("pelagic-my_reef_1-0001.png"));
        fs::write(&first, "").expect("written");
        let second = screenshot_path(folder.path(), "my/reef 1", &[]);
        assert_eq!(second, folder.path().join("pelagic-my_reef_1-0002.png"));
        let third = screenshot_path(folder.path(), "my/reef 1", &[&second]);
        assert_eq!(third, folder.path().join("pelagic-my_reef_1-0003.png"), "the second is still being written");
    }
}
