//! The program for the browser: compiled for wasm32 and given its JavaScript side.
//!
//! `wasm-opt` is not used: it made a build without link-time optimisation 6 % smaller, and Debian 12's (binaryen 108)
//! exports the first table in place of the second, so that no program starts.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, ensure};

use crate::root;

const TARGET: &str = "wasm32-unknown-unknown";

/// The program's two files.
pub struct Program {
    /// The JavaScript that loads it, an ES module.
    pub script: PathBuf,
    /// The program itself.
    pub wasm: PathBuf,
}

/// Builds the program.
///
/// # Errors
/// If no compiler for this target is here, or a step fails.
pub fn build() -> Result<Program> {
    // A target folder of its own, so that the desktop's build is not invalidated each time.
    let target = root().join("target/web");
    let mut cargo = Command::new(root().join("scripts/cargo-for.sh"));
    // Cargo sets these for the programs that it runs; they are this tool's, not the page's.
    for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CARGO_PKG_")) {
        cargo.env_remove(name);
    }
    // The crate type is set here, so that no desktop build links another library.
    cargo.args([TARGET, "rustc", "--locked", "--profile", "web", "--package", "pelagic", "--lib"]);
    cargo.args(["--crate-type", "cdylib"]);
    // Every browser with WebGL 2 that is still maintained has SIMD: Chrome 91, Firefox 89, Safari 16.4.
    cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "-C target-feature=+simd128");
    run(cargo.current_dir(root()).env("CARGO_TARGET_DIR", &target))?;

    let folder = target.join("bindgen");
    // Files of an older build are removed.
    let _ = fs::remove_dir_all(&folder);
    let compiled = target.join(TARGET).join("web/pelagic.wasm");
    bind(&compiled, &folder)?;
    let program = Program { script: folder.join("pelagic.js"), wasm: folder.join("pelagic_bg.wasm") };
    ensure!(!folder.join("snippets").exists(), "the program brings scripts of its own, which the page does not pack");
    Ok(program)
}

/// Generates the JavaScript side of a compiled program; writes both into `folder`.
#[cfg(feature = "bindgen")]
fn bind(compiled: &Path, folder: &Path) -> Result<()> {
    let mut bindgen = wasm_bindgen_cli_support::Bindgen::new();
    bindgen.typescript(false).omit_default_module_path(true).remove_name_section(true).remove_producers_section(true);
    bindgen.input_path(compiled).web(true)?.generate(folder)
}

#[cfg(not(feature = "bindgen"))]
fn bind(_: &Path, _: &Path) -> Result<()> {
    anyhow::bail!("this tool was built without the feature `bindgen`: make web turns it on")
}

/// Runs a command that must succeed; its output is shown.
pub fn run(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("{name} cannot be run"))?;
    ensure!(status.success(), "{name} failed: {status}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_of_the_bindings_are_of_one_version() {
        let lock = fs::read_to_string(root().join("Cargo.lock")).expect("Cargo.lock");
        let version = |name: &str| {
            let mut lines = lock.lines().skip_while(|line| *line != format!("name = \"{name}\""));
            lines.nth(1).unwrap_or_else(|| panic!("{name} is not in Cargo.lock")).to_owned()
        };
        assert_eq!(version("wasm-bindgen"), version("wasm-bindgen-cli-support"));
    }
}
