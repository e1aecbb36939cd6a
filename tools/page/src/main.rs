//! The page that shows Pelagic in a browser: built, packed and served. A tool of the project, no part of the program.
//!
//! The page is a folder of static files for any web server, under any path:
//!
//! ```text
//! index.html              names the folder below, and is the only file that changes under its name
//! page-<hash>/            scripts, style, the program and the list of assets (manifest.json)
//! assets/<name>-<hash>.*  models and fonts (.bin, which is gzip); textures in two sizes and pictures (.webp)
//! ```
//!
//! The page itself unpacks these files. They are called `.bin` because some servers turn `.gz` into a transfer
//! encoding, which the browser would already have unpacked.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

mod model;
mod pack;
mod program;
mod serve;
mod site;
mod tls;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;

/// Pelagic in a browser.
#[derive(Parser)]
#[command(name = "pelagic-page", version)]
enum Command {
    /// Build the page into a folder of static files
    Build {
        /// Where it goes
        #[arg(short, long, value_name = "DIR", default_value = site::FOLDER)]
        out: PathBuf,
    },
    /// Serve a built page on this machine
    Serve {
        /// The built page
        #[arg(value_name = "DIR", default_value = site::FOLDER)]
        folder: PathBuf,
        /// The port
        #[arg(long, default_value_t = 8017)]
        port: u16,
        /// Serve other machines of the network, too, by HTTPS: headsets ask for that
        #[arg(long)]
        https: bool,
    },
}

/// The project's folder.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn main() -> ExitCode {
    let done = match Command::parse() {
        Command::Build { out } => site::build(&out),
        Command::Serve { folder, port, https } => serve::serve(&folder, port, https),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pelagic-page: {error:#}");
            ExitCode::FAILURE
        }
    }
}
