//! Objects that the driver was asked for and has not answered yet.

use crate::GlError;

/// An object that takes the driver a while to make.
///
/// Drivers compile on threads of their own, and a browser's is in another process: to wait for each answer in turn
/// takes many times as long as to ask for everything first.
pub trait Pending {
    /// Asks the driver for it, if that has not been done.
    ///
    /// # Errors
    /// If the driver gives no name.
    fn ask(&self) -> Result<(), GlError> {
        Ok(())
    }

    /// Whether the answer can be had without waiting; `true` too where the driver does not say.
    fn is_answered(&self) -> bool {
        true
    }

    /// Waits for the answer. An object that was good once returns at once, and one that was not is refused again.
    ///
    /// # Errors
    /// If the driver refused it.
    fn check(&self) -> Result<(), GlError>;
}
