//! Overwriting of existing files: a command replaces its own output, and with `--force` any file.

use std::path::Path;

use runtime::AppError;
use runtime::picture_file::PictureFormat;
use storage::refuse_replacing;

use crate::cli::CliError;

/// Whether an existing file is overwritten.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct ForceArgs {
    /// Replace what is there already and not of this command.
    #[arg(long)]
    pub force: bool,
}

impl ForceArgs {
    /// Checks that a file may be written to `path`.
    ///
    /// # Errors
    /// If a file is there that this command must not replace.
    pub fn check(self, path: &Path, is_ours: impl FnOnce(&Path) -> bool) -> Result<(), CliError> {
        Ok(refuse_replacing(path, |path| self.force || is_ours(path))?)
    }

    /// Checks a picture likewise; it may replace a picture of its own format, since making one is often repeated.
    ///
    /// # Errors
    /// If the name is not a picture's, or another kind of file is there.
    pub fn check_picture(self, path: &Path) -> Result<PictureFormat, CliError> {
        let format = PictureFormat::of(path).ok_or_else(|| AppError::UnknownFormat(path.into()))?;
        self.check(path, |path| format.is_of(path))?;
        Ok(format)
    }

    /// Checks a picture that is always written as PNG.
    ///
    /// # Errors
    /// For the reasons of [`Self::check_picture`], or if the name is that of another picture format.
    pub fn check_png(self, path: &Path) -> Result<(), CliError> {
        match self.check_picture(path)? {
            PictureFormat::Png => Ok(()),
            PictureFormat::Exr => {
                Err(CliError::Config(format!("{}: it is a PNG; end its name in .png", path.display())))
            }
        }
    }
}
