use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};

use super::*;

mod glossary;

/// Names of the values filled into each text.
type Arguments = BTreeMap<String, BTreeSet<String>>;

fn arguments(language: Language) -> Arguments {
    fn in_pattern(pattern: &Pattern<&str>, names: &mut BTreeSet<String>) {
        for element in &pattern.elements {
            match element {
                PatternElement::Placeable { expression: Expression::Inline(inline) } => in_inline(inline, names),
                PatternElement::Placeable { expression: Expression::Select { selector, variants } } => {
                    in_inline(selector, names);
                    variants.iter().for_each(|variant| in_pattern(&variant.value, names));
                }
                PatternElement::TextElement { .. } => {}
            }
        }
    }
    fn in_inline(expression: &InlineExpression<&str>, names: &mut BTreeSet<String>) {
        match expression {
            InlineExpression::VariableReference { id } => drop(names.insert(id.name.to_owned())),
            InlineExpression::StringLiteral { .. } | InlineExpression::NumberLiteral { .. } => {}
            other => panic!("the texts hold nothing but values and choices: {other:?}"),
        }
    }
    let resource = FluentResource::try_new(language.source().to_owned());
    let resource = resource.map_err(|(_, errors)| errors).expect("Fluent's syntax");
    let mut all = Arguments::new();
    for entry in resource.entries() {
        let Entry::Message(message) = entry else { continue };
        let mut names = BTreeSet::new();
        let patterns = message.value.iter().chain(message.attributes.iter().map(|attribute| &attribute.value));
        patterns.for_each(|pattern| in_pattern(pattern, &mut names));
        assert!(all.insert(message.id.name.to_owned(), names).is_none(), "{} is there twice", message.id.name);
    }
    all
}

/// The repository's top folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Source code of the window, without tests.
fn sources() -> String {
    let mut folders = ["shell", "demo", "viewer"].map(|name| root().join("crates").join(name).join("src")).to_vec();
    let mut text = String::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true if !path.ends_with("tests") => folders.push(path),
                false if !path.ends_with("tests.rs") => text += &fs::read_to_string(path).expect("a source file"),
                _ => {}
            }
        }
    }
    text
}

/// Quoted strings that directly follow each `before`.
fn quoted<'a>(text: &'a str, before: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(before).skip(1).filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next())
}

/// Names of animals' intentions, as `life` gives them.
fn doings() -> Vec<String> {
    let path = root().join("crates/life/src/mind/intention.rs");
    let text = fs::read_to_string(path).expect("a source file");
    quoted(&text, "=>").map(|name| format!("doing-{}", name.replace(' ', "-"))).collect()
}

#[test]
fn every_language_says_the_same_with_the_same_values() {
    let english = arguments(Language::English);
    assert!(english.len() > 50);
    for language in Language::ALL {
        assert_eq!(arguments(language), english, "{}", language.code());
        let messages = Messages::new(language);
        assert_eq!(
            messages.format("fish-count", &[("count", 1500.into()), ("mib", 398.into())]).matches("1500").count(),
            1
        );
        assert_eq!(messages.get("no such text"), "no such text");
    }
}

#[test]
fn what_is_said_is_there_and_what_is_there_is_said() {
    let (english, sources) = (arguments(Language::English), sources());
    let calls = ["get", "format"].map(|call| [format!("messages.{call}("), format!("messages().{call}(")]);
    let said = calls.as_flattened().iter().flat_map(|call| quoted(&sources, call)).map(str::to_owned);
    for id in said.chain(doings()) {
        assert!(english.contains_key(&id), "no text '{id}' in assets/locale");
    }
    for call in calls[1].iter().flat_map(|call| sources.split(call.as_str()).skip(1)) {
        // Other ids and values are computed before the call.
        let Some((id, rest)) = call.trim_start().strip_prefix('"').and_then(|call| call.split_once("\",")) else {
            continue;
        };
        let Some((values, _)) = rest.trim_start().strip_prefix("&[").and_then(|rest| rest.split_once("])")) else {
            continue;
        };
        let given = quoted(values, "(").filter(|name| !name.contains('{') && values.contains(&format!("\"{name}\",")));
        assert_eq!(given.map(str::to_owned).collect::<BTreeSet<_>>(), english[id], "values of '{id}'");
    }
    let about = doings();
    for id in english.keys().filter(|id| !about.contains(id)) {
        assert!(sources.contains(&format!("\"{id}\"")), "nobody says '{id}'");
    }
}

#[test]
fn the_system_s_language_is_followed_if_it_is_known() {
    for (locale, language) in [
        ("zh-CN", Language::Chinese),
        ("zh", Language::Chinese),
        ("zh-Hans-SG", Language::Chinese),
        ("en-GB", Language::English),
        ("de-DE", Language::English),
        ("C", Language::English),
        ("tlh_!!", Language::English),
        ("", Language::English),
    ] {
        assert_eq!(Language::of_locale(locale), language, "{locale}");
    }
}

/// The headings of a page by their levels, and its code without comments.
fn outline(page: &str) -> (Vec<usize>, String) {
    let (mut levels, mut code, mut is_code) = (Vec::new(), String::new(), false);
    for line in page.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
            code += &format!("{line}\n");
        } else if is_code {
            let line = line.split(" #").next().unwrap_or_default().trim_end();
            if !line.is_empty() && !line.trim_start().starts_with('#') {
                code += &format!("{line}\n");
            }
        } else if line.starts_with('#') {
            levels.push(line.chars().take_while(|&c| c == '#').count());
        }
    }
    (levels, code)
}

/// The pages of the README and the guide in two languages: name, English, Chinese.
fn pages() -> Vec<(String, String, String)> {
    let root = root();
    let read = |path: &Path| fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut pages = vec![("README".to_owned(), read(&root.join("README.md")), read(&root.join("README.zh-CN.md")))];
    let folders = ["en", "zh-CN"].map(|language| root.join("docs/guide").join(language));
    let names = |folder: &Path| -> BTreeSet<String> {
        let files = fs::read_dir(folder).expect("a folder of chapters").map(|entry| entry.expect("an entry").path());
        let chapters = files.filter(|path| path.extension().is_some_and(|end| end == "md"));
        chapters.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect()
    };
    let [english, chinese] = folders.each_ref().map(|folder| names(folder));
    assert_eq!(chinese, english, "every chapter is there in every language");
    for name in english {
        let [english, chinese] = folders.each_ref().map(|folder| read(&folder.join(&name)));
        pages.push((name, english, chinese));
    }
    pages
}

#[test]
fn every_page_has_the_same_sections_and_commands_in_every_language() {
    let pages = pages();
    assert!(pages.len() > 15);
    for (name, english, chinese) in &pages {
        let (levels, code) = outline(english);
        assert!(name != "README" || levels.len() > 10 && code.contains("make run\n"));
        let (chinese_levels, chinese_code) = outline(chinese);
        assert_eq!(chinese_levels, levels, "{name}");
        assert_eq!(chinese_code, code, "{name}");
    }
}
