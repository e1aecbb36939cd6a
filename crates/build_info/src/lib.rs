//! The program's version, and the commit that a release is built from.
//!
//! ```
//! assert!(build_info::LONG_VERSION.starts_with(build_info::VERSION));
//! ```

/// The program's name.
pub const NAME: &str = "pelagic";

/// The program's name for desktops: of its windows, its desktop entry, its icon and its metainfo.
pub const APP_ID: &str = "org.pelagic.Pelagic";

/// The program's version, such as `0.1.0`.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Version and commit for people, such as `0.1.0 (1a2b3c4)` or `0.1.0 (debug build)`.
pub const LONG_VERSION: &str = env!("PELAGIC_VERSION");

/// Short hash of the commit that a release was built from, with `-dirty` if tracked files differed from it; `None` in debug
/// builds and outside a repository.
pub const COMMIT: Option<&str> = option_env!("PELAGIC_COMMIT");
