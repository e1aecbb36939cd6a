//! Packs Pelagic for people who do not build it.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use dist::{Part, Program, System, pack, page, program, root};

/// Pelagic's packages.
#[derive(Parser)]
#[command(name = "pelagic-dist", version)]
struct Arguments {
    /// Where they go
    #[arg(short, long, value_name = "DIR", default_value = "out/dist")]
    out: PathBuf,
    /// Systems to pack it for
    #[arg(long, value_delimiter = ',', default_value = "linux,windows,web")]
    systems: Vec<System>,
    /// Pack this program for Linux instead of building one
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Web address of the project, for the package's texts
    #[arg(long)]
    url: Option<String>,
}

fn run(arguments: Arguments) -> Result<()> {
    let release = program::release(arguments.url)?;
    let part = |system: &System| {
        Ok(match (system, &arguments.program) {
            (System::Linux, Some(file)) => Part::Linux(Program::read(file)?),
            (System::Linux, None) => Part::Linux(program::build(System::Linux)?),
            (System::Windows, _) => Part::Windows(program::build(System::Windows)?),
            (System::Web, _) => Part::Web(page::build()?),
        })
    };
    let parts = arguments.systems.iter().map(part).collect::<Result<Vec<_>>>()?;
    for path in pack(&parts, &release, &root().join(&arguments.out))? {
        let size = std::fs::metadata(&path)?.len() as f64 / 1e6;
        println!("{size:6.1} MB  {}", path.canonicalize()?.display());
    }
    Ok(())
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pelagic-dist: {error:#}");
            ExitCode::FAILURE
        }
    }
}
