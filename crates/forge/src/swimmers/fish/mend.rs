//! Finds all faults of a species file, not only the first.
//!
//! Serde stops at the first error. The fault is mended in a copy, with a value of one of the project's species if one
//! is needed, and the copy is parsed again, until it is a plan.

use std::ops::Range;

use located::{Step, parse};
use suggest::nearest;
use toml_edit::{DocumentMut, Item, Value};

use super::FishPlan;

/// Greatest number of problems to look for; each needs a parse of the whole file.
pub(super) const MAX: usize = 20;

/// Sources of the mended values: together they have every key that a species must have.
const SAMPLES: [&str; 3] = [
    include_str!("../species/clownfish.toml"),
    include_str!("../species/anglerfish.toml"),
    include_str!("../species/barracuda.toml"),
];

/// Message for a required key that is missing.
const MISSING: &str = "is missing";

/// Something that serde refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub path: Vec<Step>,
    /// Whether the key itself is wrong, not its value.
    pub of_key: bool,
    /// Description of the fault.
    pub what: String,
}

/// A plan, and the faults that were mended for it; no plan if mending failed.
pub(super) struct Mended {
    pub plan: Option<FishPlan>,
    pub faults: Vec<Fault>,
    /// Whether there may be more faults than were reported.
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

/// Translates an error of serde to a fault, with its path.
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
        // Serde gives the span of the whole table, and none for the file's root table.
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

/// Removes an unknown key; otherwise replaces the wrong or missing value by a valid one.
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

/// Value of a key in one of the samples, by the names on its path.
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

/// The value without the comments and line ends of its file.
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
