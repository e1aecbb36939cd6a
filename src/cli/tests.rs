//! Test that the commands in the README and the guide are valid.

use std::fs;
use std::path::{Path, PathBuf};

use super::*;

/// The README and the chapters of the guide, in every language.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = vec![root.join("README.md"), root.join("README.zh-CN.md"), root.join("CONTRIBUTING.md")];
    for guide in ["docs/guide/en", "docs/guide/zh-CN"] {
        let files = fs::read_dir(root.join(guide)).expect("a folder of chapters");
        let files = files.map(|entry| entry.expect("an entry").path());
        pages.extend(files.filter(|path| path.extension().is_some_and(|end| end == "md")));
    }
    pages
}

/// Commands in a page's shell blocks, each with its line number.
fn commands(page: &str) -> Vec<(usize, String)> {
    let (mut found, mut is_shell) = (Vec::new(), false);
    for (line, number) in page.lines().zip(1..) {
        match line.strip_prefix("```") {
            Some(language) => is_shell = language == "sh",
            None if is_shell && line.split_whitespace().next() == Some("pelagic") => {
                found.push((number, line.to_owned()));
            }
            None => {}
        }
    }
    found
}

/// Words of a command up to a shell operator, without comments.
fn words(command: &str) -> Vec<String> {
    let words = shlex::split(command).unwrap_or_else(|| panic!("{command}: a quote is not closed"));
    words.into_iter().take_while(|word| !matches!(word.as_str(), "|" | ">" | "&&" | ";")).collect()
}

#[test]
fn every_command_of_the_readme_and_the_guide_is_understood() {
    let mut count = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
        for (line, command) in commands(&text) {
            if let Err(error) = parse_from(words(&command)) {
                panic!("{}:{line}: {command}\n{error}", page.display());
            }
            count += 1;
        }
    }
    assert!(count > 100, "only {count} commands");
}

#[test]
fn a_command_that_is_not_understood_is_refused() {
    assert!(parse_from(words("pelagic shot --out a.png --fsih 3")).is_err());
    assert!(parse_from(words("pelagic --list-scenes shot -o a.png")).is_err());
    assert_eq!(words("pelagic scene schema > a.json   # a comment"), ["pelagic", "scene", "schema"]);
}
