//! Interface to the machine: OpenGL contexts with and without a window, Ctrl-C, standard error and the console, the
//! clock, and the user's folders.
//!
//! A [`context::Context`] is current on the thread that made it. Nothing here knows a scene. In a browser, which has
//! neither processes nor folders, only the clock, the errors and the choice of folders are left.
//!
//! ```
//! use platform::out_folders::OutFolders;
//!
//! let folders = OutFolders::new("pictures".into(), Some("/home/me/Pictures".into()));
//! let (folder, refused) = folders.first(|folder| folder.is_absolute().then_some(folder.to_owned()).ok_or("relative"))?;
//! assert_eq!((folder.to_str(), refused), (Some("/home/me/Pictures"), Some("relative")));
//! # Ok::<(), &str>(())
//! ```
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests write files"))]

pub mod clock;
pub mod console;
#[cfg(not(target_arch = "wasm32"))]
pub mod context;
pub mod context_error;
#[cfg(not(target_arch = "wasm32"))]
pub mod interrupt;
pub mod out_folders;
pub mod stderr;
pub mod troubles;
#[cfg(not(target_arch = "wasm32"))]
pub mod user_folders;
