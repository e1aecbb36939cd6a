//! Filter of log messages.

/// Crates that `pelagic` means in a filter.
const CRATES: [&str; 23] = [
    "pelagic", "assets", "bench", "camera", "config", "demo", "film", "forge", "gl", "headset", "life", "math", "mdl",
    "model", "ms3d", "ocean", "platform", "render", "runtime", "scene", "shell", "storage", "viewer",
];

/// Default filter, without arguments or `RUST_LOG`.
///
/// winit logs two warnings that the user cannot act on and that change nothing here: a screen without a size in
/// millimetres (`randr`), such as a virtual one, and a desktop without XSETTINGS (`xdisplay`).
const USUAL: &str = "warn,pelagic=info,winit::platform_impl::linux::x11::util::randr=error,\
    winit::platform_impl::linux::x11::xdisplay=error";

/// Filter for `--quiet` or a number of `--verbose`.
pub fn of_arguments(quiet: bool, verbose: u8) -> &'static str {
    match (quiet, verbose) {
        (true, _) => "error",
        (_, 0) => USUAL,
        (_, 1) => "info,pelagic=debug",
        _ => "debug",
    }
}

/// `filter` with a directive for `pelagic` given to each of the program's crates, and one for `pelagic::render` to the crate
/// that the root package calls so.
pub fn expanded(filter: &str) -> String {
    let is_crate = |path: &str| path.split([':', '=']).next().is_some_and(|name| CRATES.contains(&name));
    let directives = filter.split(',').flat_map(|directive| match directive.strip_prefix("pelagic") {
        Some(level) if level.is_empty() || level.starts_with('=') => {
            CRATES.iter().map(|name| format!("{name}{level}")).collect()
        }
        Some(rest) => match rest.strip_prefix("::") {
            Some(path) if is_crate(path) => vec![path.to_owned()],
            _ => vec![directive.to_owned()],
        },
        None => vec![directive.to_owned()],
    });
    directives.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// Crates that log nothing.
    const SILENT: [&str; 7] = ["build_info", "located", "look", "suggest", "testing", "validate", "view"];

    #[test]
    fn every_crate_of_the_workspace_is_meant_by_the_programs_name() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
        let entries = fs::read_dir(folder).expect("the crates").map(|entry| entry.expect("an entry"));
        let names = entries.filter(|entry| entry.path().is_dir());
        let mut there: Vec<String> = names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        there.push("pelagic".into());
        there.sort();
        let mut known: Vec<&str> = CRATES.into_iter().chain(SILENT).collect();
        known.sort_unstable();
        assert_eq!(known, there);
    }

    #[test]
    fn a_directive_for_the_program_is_one_for_each_crate() {
        let filter = expanded("warn,pelagic=debug,winit=error");
        assert!(
            filter.starts_with("warn,pelagic=debug,assets=debug,") && filter.ends_with(",viewer=debug,winit=error")
        );
        assert_eq!(expanded("info,pelagic_page=debug"), "info,pelagic_page=debug");
        assert_eq!(expanded("pelagic::render::frame=trace"), "render::frame=trace");
        assert_eq!(expanded("pelagic::cli=debug"), "pelagic::cli=debug");
    }
}
