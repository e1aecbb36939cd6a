//! Systems that packages are for.

use clap::ValueEnum;

/// System that a package is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum System {
    /// Linux, of this machine's architecture.
    Linux,
    /// Windows, 64 bits.
    Windows,
    /// Browsers with WebGL 2.
    Web,
}

impl System {
    /// Target of the compiler.
    pub fn triple(self) -> String {
        match self {
            Self::Linux => format!("{}-unknown-linux-gnu", std::env::consts::ARCH),
            Self::Windows => "x86_64-pc-windows-gnu".into(),
            Self::Web => "wasm32-unknown-unknown".into(),
        }
    }

    /// Name in the names of files.
    pub fn name(self) -> String {
        match self {
            Self::Linux => format!("linux-{}", std::env::consts::ARCH),
            Self::Windows => "windows-x86_64".into(),
            Self::Web => "web".into(),
        }
    }
}
