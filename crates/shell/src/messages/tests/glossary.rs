//! Test of the Chinese texts against the glossary, `assets/locale/zh-CN.glossary.toml`.

use std::collections::BTreeMap;

use fluent_bundle::FluentResource;
use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use serde::Deserialize;

use super::pages;
use crate::messages::Language;

/// Chinese rendering of an English term.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Term {
    /// Chinese term to use.
    say: String,
    /// Possible renderings that are rejected.
    not: Vec<String>,
}

fn glossary() -> BTreeMap<String, Term> {
    toml::from_str(include_str!("../../../../../assets/locale/zh-CN.glossary.toml")).expect("a table of terms")
}

/// Complete wording of each text, by its name; the name of an attribute contains a dot.
fn texts(source: &str) -> BTreeMap<String, String> {
    fn said(pattern: &Pattern<&str>) -> String {
        let said_by = |element: &PatternElement<&str>| match element {
            PatternElement::TextElement { value } => (*value).to_owned(),
            PatternElement::Placeable { expression: Expression::Select { variants, .. } } => {
                variants.iter().map(|variant| said(&variant.value) + " ").collect()
            }
            PatternElement::Placeable { expression: Expression::Inline(InlineExpression::StringLiteral { value }) } => {
                (*value).to_owned()
            }
            // A value that is filled in.
            PatternElement::Placeable { .. } => "…".to_owned(),
        };
        pattern.elements.iter().map(said_by).collect()
    }
    let resource = FluentResource::try_new(source.to_owned()).map_err(|(_, errors)| errors).expect("Fluent's syntax");
    let mut texts = BTreeMap::new();
    for entry in resource.entries() {
        let Entry::Message(message) = entry else { continue };
        texts.extend(message.value.iter().map(|value| (message.id.name.to_owned(), said(value))));
        let attributes = message.attributes.iter();
        texts.extend(attributes.map(|one| (format!("{}.{}", message.id.name, one.id.name), said(&one.value))));
    }
    texts
}

fn chinese() -> BTreeMap<String, String> {
    let mut all = texts(Language::Chinese.source());
    all.extend(texts(Language::Chinese.settings()));
    all
}

/// Lower-case words, each preceded by a blank, so that parts of words do not match.
fn words(text: &str) -> String {
    let letters = text.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { ' ' });
    format!(" {}", letters.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" "))
}

#[test]
fn no_text_says_what_the_glossary_rejects() {
    let glossary = glossary();
    assert!(glossary.len() > 50);
    let mut texts = chinese();
    // The page has some of the same texts.
    let page = include_str!("../../../../../web/texts.js").lines().zip(1..);
    texts.extend(page.map(|(line, number)| (format!("texts.js:{number}"), line.to_owned())));
    // So do the README and the guide.
    for (name, _, page) in pages() {
        texts.extend(page.lines().zip(1..).map(|(line, number)| (format!("{name}:{number}"), line.to_owned())));
    }
    let mut wrong = Vec::new();
    for (english, Term { say, not }) in &glossary {
        assert!(not.iter().all(|not| !say.contains(not.as_str())), "{english}: {say} holds what is rejected");
        let found = texts.iter().filter_map(|(id, text)| Some((id, not.iter().find(|not| text.contains(*not))?)));
        wrong.extend(found.map(|(id, not)| format!("{id}: {not} ({english} is {say})")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_the_english_text_names_the_chinese_text_names_by_its_term() {
    let (glossary, chinese) = (glossary(), chinese());
    let choices = chinese.keys().filter_map(|id| Some((id.clone(), id.strip_prefix("choice-")?.replace('-', " "))));
    let english: BTreeMap<String, String> = texts(Language::English.source()).into_iter().chain(choices).collect();
    let (mut held, mut wrong) = (0, Vec::new());
    for (id, english) in &english {
        let said = words(english);
        for (term, Term { say, .. }) in &glossary {
            if said.contains(&words(term)) {
                held += 1;
                if !chinese[id].contains(say.as_str()) {
                    wrong.push(format!("{id}: \"{english}\" is \"{}\", without {say} ({term})", chinese[id]));
                }
            }
        }
    }
    assert!(held > 80, "only {held} texts name a term");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_term_is_one_that_something_says() {
    let pages = pages();
    let texts = chinese();
    for (english, Term { say, .. }) in glossary() {
        let is_said =
            pages.iter().any(|(_, _, page)| page.contains(&say)) || texts.values().any(|text| text.contains(&say));
        assert!(is_said, "{english}: nobody says {say}");
    }
    let said: Vec<String> = glossary().into_values().map(|term| term.say).collect();
    let twice = said.iter().filter(|say| said.iter().filter(|other| other == say).count() > 1);
    assert_eq!(twice.collect::<Vec<_>>(), [""; 0], "a thing has a name of its own");
}
