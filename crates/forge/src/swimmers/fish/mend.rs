//! All that keeps a species file from being a plan, not only the first of it.
//!
//! Serde stops at the first thing it cannot take. What that is gets mended in a copy, from a species of the project where
//! a value is needed, and the copy is read again, until it is a plan.

use std::ops::Range;

use located::{Step, parse};
use suggest::nearest;
use toml_edit::{DocumentMut, Item, Value};

use super::FishPlan;

/// Problems that are looked for; each takes a reading of the whole file.
pub(super) const MAX: usize = 20;

/// Where mended values come from: between them these say everything that a species must say.
const SAMPLES: [&str; 3] = [
    include_str!("../species/clownfish.toml"),
    include_str!("../species/anglerfish.toml"),
    include_str!("../species/barracuda.toml"),
];

/// What is said of a key that must be there.
const MISSING: &str = "is missing";

/// Something that serde did not take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub path: Vec<Step>,
    /// Whether the key itself is wrong, not its value.
    pub of_key: bool,
    /// What is wrong.
    pub what: String,
}

/// A plan, and what had to be mended for it; no plan if it could not be mended.
pub(super) struct Mended {
    pub plan: Option<FishPlan>,
    pub faults: Vec<Fault>,
    /// Whether there may be more faults than were looked for.
    pub more: bool,
}

/// Reads a plan; `text` is TOML.
pub(super) fn read(text: &str) -> Mended {
    let mut mended = Mended { plan: None, faults: Vec::new(), more: false };
    let Ok(mut copy) = text.parse::<DocumentMut>() else { return mended };
    loop {
        let now = copy.to_string();
        let error = match toml::from_str(&now) {
            Ok(plan) => {
                mended.plan = Some(plan);
                return mended;
            }
            Err(error) => error,
        };
        let Some(fault) = fault(&now, &error) else { return mended };
        let known = mended.faults.iter().any(|earlier| earlier.path == fault.path);
        if known || mended.faults.len() == MAX {
            mended.more |= !known;
            return mended;
        }
        let done = mend(&mut copy, &fault);
        mended.faults.push(fault);
        if done.is_none() {
            return mended;
        }
    }
}

/// What serde says, with the path of what it says it of.
fn fault(text: &str, error: &toml::de::Error) -> Option<Fault> {
    let mut places = vec![(0..text.len(), Vec::new())];
    parse(text, 0).ok()?.visit(&mut Vec::new(), &mut |path, span| places.push((span.bytes.clone(), path.to_vec())));
    let span = error.span().unwrap_or(0..text.len());
    let around = |place: &&(Range<usize>, Vec<Step>)| place.0.start <= span.start && span.end <= place.0.end;
    let mut path = places.iter().filter(around).min_by_key(|(place, path)| (place.len(), path.len()))?.1.clone();
    let message = error.message().trim();
    let quoted = |text: &str| text.split('`').nth(1).map(str::to_owned);
    let listed = |text: &str| text.split('`').skip(3).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let mean = |word: &str, of: &[String]| {
        nearest(word, of.iter().map(String::as_str)).map_or(String::new(), |near| format!("; did you mean {near}?"))
    };
    if message.starts_with("unknown field") {
        let (field, known) = (quoted(message)?, listed(message));
        if path.last() != Some(&Step::Key(field.clone())) {
            path.push(Step::Key(field.clone()));
        }
        let what = match mean(&field, &known) {
            near if near.is_empty() => format!("unknown key; there are {}", known.join(", ")),
            near => format!("unknown key{near}"),
        };
        return Some(Fault { path, of_key: true, what });
    }
    if message.starts_with("missing field") {
        // It is told of the whole table, of the file's own with no place.
        let of_table = places.iter().filter(|(place, _)| *place == span).max_by_key(|(_, path)| path.len());
        path = of_table.map_or_else(Vec::new, |(_, path)| path.clone());
        path.push(Step::Key(quoted(message)?));
        return Some(Fault { path, of_key: true, what: MISSING.into() });
    }
    let what = if message.starts_with("unknown variant") {
        let (variant, known) = (quoted(message)?, listed(message));
        format!("\"{variant}\" is not one of {}{}", known.join(", "), mean(&variant, &known))
    } else if let Some((found, expected)) =
        message.strip_prefix("invalid type: ").and_then(|rest| rest.split_once(", expected "))
    {
        let expected = match expected {
            "f32" => "a number",
            "u32" | "usize" => "a whole number",
            "a sequence" => "a list",
            other => other,
        };
        format!("expected {expected}, found {found}")
    } else {
        message.replace('\n', "; ")
    };
    Some(Fault { path, of_key: false, what })
}

/// Takes out a key that is none; else puts a sound value in the place of the one that is wrong or missing.
fn mend(copy: &mut DocumentMut, fault: &Fault) -> Option<()> {
    let at = fault.path.iter().rposition(|step| matches!(step, Step::Key(_)))?;
    let (way, Step::Key(name)) = (&fault.path[..at], &fault.path[at]) else { return None };
    let mut item = copy.as_item_mut();
    for step in way {
        item = match step {
            Step::Key(name) => item.get_mut(name.as_str())?,
            Step::Index(index) => item.get_mut(*index)?,
        };
    }
    let keys: Vec<&str> = fault.path[..=at]
        .iter()
        .filter_map(|step| match step {
            Step::Key(name) => Some(name.as_str()),
            Step::Index(_) => None,
        })
        .collect();
    let table = item.as_table_like_mut()?;
    table.remove(name);
    let is_unknown = fault.of_key && fault.what != MISSING;
    if let Some(sound) = sample(&keys).filter(|_| !is_unknown) {
        table.insert(name, Item::Value(sound));
    }
    Some(())
}

/// The value of a key, by the names on the way to it, in one of the samples.
fn sample(keys: &[&str]) -> Option<Value> {
    fn find<'v>(value: &'v toml::Value, keys: &[&str]) -> Option<&'v toml::Value> {
        match (keys.split_first(), value) {
            (_, toml::Value::Array(list)) if !keys.is_empty() => list.iter().find_map(|entry| find(entry, keys)),
            (Some((first, rest)), _) => find(value.get(first)?, rest),
            (None, found) => Some(found),
        }
    }
    let found = |text: &&str| {
        let table: toml::Table = text.parse().ok()?;
        find(&toml::Value::Table(table), keys).map(edited)
    };
    SAMPLES.iter().find_map(found)
}

/// The same without the comments and line ends of its file.
fn edited(value: &toml::Value) -> Value {
    match value {
        toml::Value::String(text) => text.into(),
        toml::Value::Integer(number) => (*number).into(),
        toml::Value::Float(number) => (*number).into(),
        toml::Value::Boolean(is) => (*is).into(),
        toml::Value::Datetime(time) => time.to_string().into(),
        toml::Value::Array(list) => Value::Array(list.iter().map(edited).collect()),
        toml::Value::Table(table) => {
            Value::InlineTable(table.iter().map(|(key, value)| (key.as_str(), edited(value))).collect())
        }
    }
}
