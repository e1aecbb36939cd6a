//! Pictures into files: checked before the work, never half written.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use image::codecs::openexr::OpenExrEncoder;
use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};

use crate::app::AppError;
use crate::render::Capture;

/// How a picture is written.
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
    path: PathBuf,
    format: PictureFormat,
}

impl PictureFile {
    /// Checks that a picture can be written to `path`, making its folder if need be.
    ///
    /// # Errors
    /// If the ending is neither `.png` nor `.exr`, or nothing can be written there.
    pub fn check(path: &Path) -> Result<Self, AppError> {
        let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
        let format = match ending.as_deref() {
            Some("png") => PictureFormat::Png,
            Some("exr") => PictureFormat::Exr,
            _ => return Err(AppError::UnknownFormat(path.into())),
        };
        let refused = |why: String| AppError::Unwritable { path: path.into(), why };
        if path.is_dir() {
            return Err(refused("it is a folder".into()));
        }
        let folder = folder_of(path);
        fs::create_dir_all(folder).map_err(|e| refused(format!("its folder {}: {e}", folder.display())))?;
        let output = Self { path: path.into(), format };
        let part = output.part();
        fs::File::create(&part).and_then(|_| fs::remove_file(&part)).map_err(|e| refused(e.to_string()))?;
        Ok(output)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether linear values are wanted from [`Renderer::capture`](crate::render::Renderer::capture).
    pub fn is_linear(&self) -> bool {
        self.format == PictureFormat::Exr
    }

    /// Writes the picture beside its place and moves it there when it is whole.
    ///
    /// # Errors
    /// If the disk is full or the folder is gone.
    ///
    /// # Panics
    /// If the capture is linear for a PNG, or not for an EXR: the caller's mistake.
    pub fn write(&self, capture: &Capture) -> Result<(), AppError> {
        let part = self.part();
        let written = self.encode(&part, capture).and_then(|()| fs::rename(&part, &self.path));
        written.map_err(|error| {
            // What is left of it is of no use to anybody; that it cannot be removed changes nothing.
            let _ = fs::remove_file(&part);
            AppError::Write { path: self.path.clone(), why: error.to_string() }
        })
    }

    fn encode(&self, part: &Path, capture: &Capture) -> std::io::Result<()> {
        let mut file = BufWriter::new(fs::File::create(part)?);
        let encoded = match (self.format, capture) {
            (PictureFormat::Png, Capture::Display { width, height, rgba }) => {
                let rgb: Vec<u8> = rgba.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
                PngEncoder::new(&mut file).write_image(&rgb, *width, *height, ExtendedColorType::Rgb8)
            }
            (PictureFormat::Exr, Capture::Linear { width, height, rgb }) => {
                let bytes: &[u8] = bytemuck::cast_slice(rgb);
                // The encoder seeks, which it may only do in what is a file to it.
                let mut whole = std::io::Cursor::new(Vec::new());
                let encoder = OpenExrEncoder::new(&mut whole);
                let encoded = encoder.write_image(bytes, *width, *height, ExtendedColorType::Rgb32F);
                file.write_all(whole.get_ref())?;
                encoded
            }
            (format, _) => panic!("the capture does not suit a {format:?} file"),
        };
        encoded.map_err(std::io::Error::other)?;
        file.flush()
    }

    /// Where it is written until it is whole.
    fn part(&self) -> PathBuf {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        folder_of(&self.path).join(format!(".{name}.{}.part", std::process::id()))
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Where screenshots go: `$XDG_PICTURES_DIR`, or else `./out`.
pub fn screenshot_folder() -> PathBuf {
    let folder = std::env::var_os("XDG_PICTURES_DIR").filter(|folder| !folder.is_empty());
    folder.map_or_else(|| PathBuf::from("out"), PathBuf::from)
}

/// A file name nobody has used yet in `folder` for a screenshot of `scene`. Those of `pending`, which are still to be
/// written, are used too.
pub fn screenshot_path(folder: &Path, scene: &str, pending: &[&Path]) -> PathBuf {
    let scene: String = scene.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
    let names = (1..).map(|number| folder.join(format!("pelagic-{scene}-{number:04}.png")));
    names
        .into_iter()
        .find(|path| !path.exists() && !pending.contains(&path.as_path()))
        .unwrap_or_else(|| folder.join("pelagic.png"))
}

#[cfg(test)]
mod tests {
    use super::*;

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
