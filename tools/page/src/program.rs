//! The program for the browser: compiled for wasm32 and given its JavaScript side.
//!
//! `wasm-opt` has no part in it: it made a build without link-time optimisation 6 % smaller, and Debian 12's (binaryen 108)
//! exports the first table in place of the second, with which no program starts.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};

use crate::root;

const TARGET: &str = "wasm32-unknown-unknown";

/// What the linker of Debian's `lld-19` is called; its `rustc-web` brings none.
const SYSTEM_LINKER: &str = "/usr/bin/wasm-ld-19";

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
    // Of its own, so that the desktop's is not compiled anew each time.
    let target = root().join("target/web");
    let mut cargo = cargo()?;
    // The kind of library is named here, so that no desktop build links one more.
    cargo.args(["rustc", "--locked", "--profile", "web", "--package", "pelagic", "--lib", "--crate-type", "cdylib"]);
    cargo.args(["--target", TARGET]);
    // Every browser with WebGL 2 that is still kept up has it: Chrome 91, Firefox 89, Safari 16.4.
    cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "-C target-feature=+simd128");
    run(cargo.current_dir(root()).env("CARGO_TARGET_DIR", &target))?;

    let folder = target.join("bindgen");
    // Nothing of an older build stays.
    let _ = fs::remove_dir_all(&folder);
    let compiled = target.join(TARGET).join("web/pelagic.wasm");
    bind(&compiled, &folder)?;
    let program = Program { script: folder.join("pelagic.js"), wasm: folder.join("pelagic_bg.wasm") };
    ensure!(!folder.join("snippets").exists(), "the program brings scripts of its own, which the page does not pack");
    Ok(program)
}

/// Gives a compiled program its JavaScript side, both into `folder`.
#[cfg(feature = "bindgen")]
fn bind(compiled: &Path, folder: &Path) -> Result<()> {
    let mut bindgen = wasm_bindgen_cli_support::Bindgen::new();
    bindgen.typescript(false).omit_default_module_path(true).remove_name_section(true).remove_producers_section(true);
    bindgen.input_path(compiled).web(true)?.generate(folder)
}

#[cfg(not(feature = "bindgen"))]
fn bind(_: &Path, _: &Path) -> Result<()> {
    bail!("this tool was built without the feature `bindgen`: make web turns it on")
}

/// Cargo with a compiler and a standard library for the browser: rustup's, or else the system's.
fn cargo() -> Result<Command> {
    let mut ours = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    // Cargo sets these for what it runs; they are this tool's, not the page's.
    for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CARGO_PKG_")) {
        ours.env_remove(name);
    }
    if has_target("rustc") || (quiet(Command::new("rustup").args(["target", "add", TARGET])) && has_target("rustc")) {
        return Ok(ours);
    }
    // Debian's packages hold the standard library as source alone.
    if Path::new("/usr/bin/cargo").exists() && Path::new(SYSTEM_LINKER).exists() {
        let mut system = Command::new("/usr/bin/cargo");
        system.env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1").env_remove("RUSTUP_TOOLCHAIN");
        system.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", SYSTEM_LINKER);
        system.args(["-Zbuild-std=std,panic_abort"]);
        return Ok(system);
    }
    bail!(
        "there is no Rust for browsers here. Either of these brings one:\n  rustup target add {TARGET}\n  \
         apt-get install rustc-web cargo-web rust-web-src lld-19    (Debian; scripts/system-packages.sh web)"
    )
}

/// Whether this compiler has the target's standard library.
fn has_target(rustc: &str) -> bool {
    let output = Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]).output();
    output.is_ok_and(|output| {
        let folder = String::from_utf8_lossy(&output.stdout);
        fs::read_dir(folder.trim()).is_ok_and(|mut files| files.next().is_some())
    })
}

/// Runs a command that is to succeed; what it says is shown.
pub fn run(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("{name} cannot be run"))?;
    ensure!(status.success(), "{name} failed: {status}");
    Ok(())
}

/// Whether a command is there and succeeds; nothing of it is shown.
pub fn quiet(command: &mut Command) -> bool {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
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
