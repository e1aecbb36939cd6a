//! Texts that the command line's own definition and the release give: manual pages, completions, metainfo.

use anyhow::Result;
use clap::Command;
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use pelagic::bench::host::utc;
use pelagic::cli;

use crate::{APP_ID, Release, text};

/// Paths and bytes of the manual pages: the program's and one for each of its commands.
///
/// # Errors
/// None that is known of: they are written to memory.
pub fn manual_pages(release: &Release) -> Result<Vec<(String, Vec<u8>)>> {
    let mut program = cli::command().version(build_info::VERSION);
    program.build();
    let mut pages = Vec::new();
    add_pages(&program, build_info::NAME, &format!("Pelagic {}", release.version), &mut pages)?;
    Ok(pages)
}

fn add_pages(command: &Command, name: &str, source: &str, pages: &mut Vec<(String, Vec<u8>)>) -> Result<()> {
    let mut page = Vec::new();
    // Without a date, which would make each day's page another.
    Man::new(command.clone()).title(name).date("").source(source).render(&mut page)?;
    pages.push((format!("share/man/man1/{name}.1"), page));
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        add_pages(inner, &format!("{name}-{}", inner.get_name()), source, pages)?;
    }
    Ok(())
}

/// Paths and bytes of the completions of three shells.
pub fn completions() -> Vec<(String, Vec<u8>)> {
    let name = build_info::NAME;
    let places = [
        (Shell::Bash, format!("share/bash-completion/completions/{name}")),
        (Shell::Zsh, format!("share/zsh/vendor-completions/_{name}")),
        (Shell::Fish, format!("share/fish/vendor_completions.d/{name}.fish")),
    ];
    let script = |shell: Shell| {
        let mut script = Vec::new();
        generate(shell, &mut cli::command(), name, &mut script);
        script
    };
    places.into_iter().map(|(shell, path)| (path, script(shell))).collect()
}

/// The metainfo by which software centres show the program.
///
/// # Errors
/// If the template cannot be read.
pub fn metainfo(release: &Release) -> Result<String> {
    let template = text("tools/dist/files/metainfo.xml")?;
    // A release's date is that of its commit.
    let moment = utc(release.time_s);
    let date = moment.split('T').next().unwrap_or_default();
    let linked = release.url.as_ref().map(|url| {
        format!(
            "  <url type=\"homepage\">{url}</url>\n  <screenshots>\n    <screenshot type=\"default\">\n      \
             <caption>Fish over a coral reef</caption>\n      \
             <image type=\"source\">{url}/raw/HEAD/docs/reef.webp</image>\n    </screenshot>\n  </screenshots>\n"
        )
    });
    Ok(template
        .replace("@ID@", APP_ID)
        .replace("@VERSION@", &release.version)
        .replace("@DATE@", date)
        .replace("@LINKED@\n", &linked.unwrap_or_default()))
}
