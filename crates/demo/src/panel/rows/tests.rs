use std::collections::BTreeSet;

use config::sample;
use config::{Config, NumberRange, ProblemKind, dump, load_text, values};

use super::*;

/// The rows of a scene with every group open.
fn all_rows(config: &Config) -> Vec<Row> {
    let values = values(config);
    let mut open = BTreeSet::new();
    loop {
        let edits = Edits::default();
        let present = Present {
            values: &values,
            in_file: &values,
            edits: &edits,
            open: &open,
            search: "",
            messages: &Messages::default(),
        };
        let rows = rows(present);
        let closed = rows.iter().filter(|row| matches!(row.content, RowContent::Group { is_open: false, .. }));
        let closed: Vec<String> = closed.map(|row| joined(&row.path)).collect();
        if closed.is_empty() {
            return rows;
        }
        open.extend(closed);
    }
}

fn settings(rows: &[Row]) -> impl Iterator<Item = (&Row, &Setting)> {
    rows.iter().filter_map(|row| match &row.content {
        RowContent::Setting(setting) => Some((row, setting)),
        RowContent::Group { .. } => None,
    })
}

/// The paths of all values of the schema, such as `species[].count`.
fn declared(schema: &'static TableSchema, all: &mut BTreeSet<&'static str>) {
    for entry in &schema.0 {
        match &entry.content {
            Content::Value(_) => drop(all.insert(&entry.path)),
            Content::Table(inner) | Content::List(inner) | Content::Map(inner) => declared(inner, all),
        }
    }
}

/// The path in the schema of the value that a path of a scene leads to.
fn in_schema(path: &[String]) -> &'static str {
    let (mut schema, mut steps) = (settings_schema(), path.iter());
    loop {
        let name = steps.next().expect("it leads to a value");
        let entry = schema.entry(name).expect("it is in the schema");
        schema = match &entry.content {
            Content::Value(_) => return &entry.path,
            Content::Table(inner) => inner,
            Content::List(inner) | Content::Map(inner) => {
                steps.next();
                inner
            }
        };
    }
}

#[test]
fn every_value_of_a_scene_file_has_a_row() {
    let mut all = BTreeSet::new();
    declared(settings_schema(), &mut all);
    assert!(all.len() > 100);
    all.retain(|path| *path != "extends" && !path.ends_with("[].name"));
    let rows = all_rows(&sample());
    let shown: BTreeSet<&str> = settings(&rows).map(|(row, _)| in_schema(&row.path)).collect();
    assert_eq!(shown, all);
    assert!(rows.iter().all(|row| !row.title.is_empty() && !row.is_edited));
}

fn numbers(ranges: &[NumberRange], of: impl Fn(&NumberRange) -> f64) -> Value {
    Value::Array(ranges.iter().map(|range| Value::Float(of(range))).collect())
}

#[test]
fn every_row_can_be_set_to_its_least_its_greatest_and_its_default() {
    let config = sample();
    let (text, present, rows) = (dump(&config), values(&config), all_rows(&config));
    load_text("sample", &text, &[]).expect("it is a scene");
    let least = |setting: &Setting| match &setting.schema.kind {
        ValueKind::Bool => Some(false.into()),
        ValueKind::Float(range) => Some(range.min.into()),
        #[expect(clippy::cast_possible_truncation, reason = "whole numbers")]
        ValueKind::Int(range) => Some((range.min as i64).into()),
        ValueKind::Vector(ranges) => Some(numbers(ranges, |range| range.min)),
        ValueKind::Choice(choices) => choices.first().map(|choice| choice.clone().into()),
        ValueKind::Choices(_) | ValueKind::Texts => Some(Value::Array(Vec::new())),
        ValueKind::Text | ValueKind::Vectors(_) => None,
    };
    let greatest = |setting: &Setting| match &setting.schema.kind {
        ValueKind::Bool => Some(true.into()),
        ValueKind::Float(range) => Some(range.max.into()),
        #[expect(clippy::cast_possible_truncation, reason = "whole numbers")]
        ValueKind::Int(range) => Some((range.max as i64).into()),
        ValueKind::Vector(ranges) => Some(numbers(ranges, |range| range.max)),
        ValueKind::Choice(choices) => choices.last().map(|choice| choice.clone().into()),
        ValueKind::Choices(choices) => Some(Value::Array(choices.iter().cloned().map(Value::String).collect())),
        ValueKind::Text | ValueKind::Texts | ValueKind::Vectors(_) => None,
    };
    let by_default = |setting: &Setting| setting.default.clone().filter(|value| value.as_str() != Some(""));
    type Way<'a> = &'a dyn Fn(&Setting) -> Option<Value>;
    for way in [&least as Way<'_>, &greatest, &by_default] {
        let mut set = 0;
        for (row, setting) in settings(&rows) {
            let Some(value) = way(setting) else { continue };
            let (mut edits, path) = (Edits::default(), &row.path);
            edits.set(path, value, &present);
            let [argument] = &edits.arguments()[..] else { panic!("{path:?} is not set") };
            set += 1;
            // A conflict with the rest of the scene is another matter.
            let problems = load_text("sample", &text, std::slice::from_ref(argument)).err().map(|error| error.problems);
            for problem in problems.into_iter().flatten() {
                use ProblemKind as P;
                let fits = !matches!(
                    problem.kind,
                    P::BadAssignment(_)
                        | P::NotToml(_)
                        | P::Unknown { .. }
                        | P::WrongType { .. }
                        | P::OutOfRange { .. }
                        | P::NotAChoice { .. }
                        | P::WrongLength { .. }
                        | P::Empty
                        | P::Missing { .. }
                );
                assert!(fits, "{argument}: {problem}");
            }
        }
        assert!(set > 60, "{set}");
    }
}

#[test]
fn what_is_looked_for_is_found_by_name_and_by_meaning_with_its_groups() {
    let config = sample();
    let values = values(&config);
    let found = |search: &str| {
        let (edits, open) = (Edits::default(), BTreeSet::new());
        let present = Present {
            values: &values,
            in_file: &values,
            edits: &edits,
            open: &open,
            search,
            messages: &Messages::default(),
        };
        rows(present).iter().map(|row| joined(&row.path)).collect::<Vec<_>>()
    };
    assert_eq!(found("wind_m"), ["waves", "waves.wind_m_s"]);
    assert!(found("jerlov").contains(&"water.type".to_owned()), "by what it means");
    assert!(found("sun elevation").contains(&"sun.elevation_deg".to_owned()), "words of its path");
    assert_eq!(found("no such thing"), [""; 0]);
    assert!(found("species sample").len() > 20, "all of an entry");
}

#[test]
fn what_is_changed_is_marked_with_the_groups_that_it_is_in() {
    let config = load_text("mine", "extends = \"reef\"\n", &[]).expect("fine").config;
    let (in_file, mut now) = (values(&config), values(&config));
    let path = ["water", "turbidity"].map(str::to_owned);
    now["water"]["turbidity"] = 3.0.into();
    let mut edits = Edits::default();
    edits.set(&path, 3.0.into(), &in_file);
    let open = ["water".to_owned()].into();
    let rows = rows(Present {
        values: &now,
        in_file: &in_file,
        edits: &edits,
        open: &open,
        search: "",
        messages: &Messages::default(),
    });
    let marked: Vec<String> = rows.iter().filter(|row| row.is_edited).map(|row| joined(&row.path)).collect();
    assert_eq!(marked, ["water", "water.turbidity"]);
}
