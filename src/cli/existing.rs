//! Files that are there already: a command replaces what is its own, and with `--force` anything.

use std::path::Path;

use runtime::AppError;
use runtime::picture_file::PictureFormat;
use storage::refuse_replacing;

use crate::cli::CliError;

/// Whether what is there already goes.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct ForceArgs {
    /// Replace what is there already and not of this command.
    #[arg(long)]
    pub force: bool,
}

impl ForceArgs {
    /// Finds that a file may be written to `path`.
    ///
    /// # Errors
    /// If one is there that is not this command's to replace.
    pub fn check(self, path: &Path, is_ours: impl FnOnce(&Path) -> bool) -> Result<(), CliError> {
        Ok(refuse_replacing(path, |path| self.force || is_ours(path))?)
    }

    /// The same of a picture, which may replace pictures of its own format: a command that makes one is there to be repeated.
    ///
    /// # Errors
    /// If the name is no picture's, or what is there is something else.
    pub fn check_picture(self, path: &Path) -> Result<PictureFormat, CliError> {
        let format = PictureFormat::of(path).ok_or_else(|| AppError::UnknownFormat(path.into()))?;
        self.check(path, |path| format.is_of(path))?;
        Ok(format)
    }

    /// The same of a picture that is a PNG whatever its name is.
    ///
    /// # Errors
    /// As of [`Self::check_picture`], or if it is named as one of another format.
    pub fn check_png(self, path: &Path) -> Result<(), CliError> {
        match self.check_picture(path)? {
            PictureFormat::Png => Ok(()),
            PictureFormat::Exr => {
                Err(CliError::Config(format!("{}: it is a PNG; end its name in .png", path.display())))
            }
        }
    }
}
