//! Texts that the command line's own definition and the release give: manual pages, completions, metainfo.

use anyhow::Result;
use clap::Command;
use clap_complete::{Shell, generate};
use clap_mangen::Man;
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
    let days = release.time_s / 86_400;
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
        .replace("@DATE@", &date(days))
        .replace("@LINKED@\n", &linked.unwrap_or_default()))
}

/// Date of a day after 1970-01-01, as `YYYY-MM-DD`; by Hinnant's `civil_from_days`.
fn date(days: u64) -> String {
    let z = days + 719_468;
    let (era, of_era) = (z / 146_097, z % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year_of_era + 400 * era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!([0, 59, 11_016, 20_786].map(date), ["1970-01-01", "1970-03-01", "2000-02-29", "2026-11-29"]);
    }
}
