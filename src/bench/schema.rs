//! The published schema of `result.json`, and the test that holds it to what is written.

/// JSON Schema (draft 2020-12) of a report.
pub const TEXT: &str = include_str!("../../assets/bench.schema.json");

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::bench::ladder::Rung;
    use crate::bench::passes::{self, PassCosts};
    use crate::bench::report::tests::report_of;
    use crate::bench::report::{Report, Spread};
    use crate::bench::run::Run;
    use crate::render::{Effects, PlanInputs, Quality, SceneFeatures};

    /// Keywords of the schema that say nothing about validity or are seen to elsewhere.
    const SILENT: [&str; 4] = ["$schema", "$defs", "title", "description"];

    /// Checks `value` against the keywords that our schema uses; a keyword unknown here fails, so none is ignored.
    fn check(root: &Value, schema: &Value, value: &Value, place: &str, problems: &mut Vec<String>) {
        for (keyword, wanted) in schema.as_object().expect("a schema is an object") {
            let fine = match keyword.as_str() {
                silent if SILENT.contains(&silent) => true,
                "$ref" => {
                    let pointer = wanted.as_str().and_then(|text| text.strip_prefix('#')).expect("a local reference");
                    let target = root.pointer(pointer).unwrap_or_else(|| panic!("{pointer} is not in the schema"));
                    check(root, target, value, place, problems);
                    true
                }
                "anyOf" => wanted.as_array().expect("a list").iter().any(|option| {
                    let mut of_option = Vec::new();
                    check(root, option, value, place, &mut of_option);
                    of_option.is_empty()
                }),
                "const" => value == wanted,
                "enum" => wanted.as_array().expect("a list").contains(value),
                "type" => match wanted {
                    Value::String(name) => is_a(value, name),
                    names => names.as_array().expect("names").iter().any(|n| is_a(value, n.as_str().expect("a name"))),
                },
                "minimum" => value.as_f64().is_none_or(|number| number >= wanted.as_f64().expect("a number")),
                "pattern" => value.as_str().is_none_or(|text| matches(text, wanted.as_str().expect("a pattern"))),
                "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= wanted.as_u64().expect("n")),
                "maxItems" => value.as_array().is_none_or(|items| items.len() as u64 <= wanted.as_u64().expect("n")),
                "items" => {
                    for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                        check(root, wanted, item, &format!("{place}[{i}]"), problems);
                    }
                    true
                }
                "required" => wanted
                    .as_array()
                    .expect("names")
                    .iter()
                    .all(|name| value.get(name.as_str().expect("a name")).is_some()),
                "properties" => {
                    for (name, property) in wanted.as_object().expect("properties") {
                        if let Some(inner) = value.get(name) {
                            check(root, property, inner, &format!("{place}.{name}"), problems);
                        }
                    }
                    true
                }
                "additionalProperties" => {
                    let named = |name: &str| schema.get("properties").is_some_and(|p| p.get(name).is_some());
                    let others: Vec<_> =
                        value.as_object().into_iter().flatten().filter(|(name, _)| !named(name)).collect();
                    match wanted {
                        Value::Bool(allowed) => *allowed || others.is_empty(),
                        inner => {
                            for (name, other) in others {
                                check(root, inner, other, &format!("{place}.{name}"), problems);
                            }
                            true
                        }
                    }
                }
                unknown => panic!("the schema uses {unknown}, which this check does not know"),
            };
            if !fine {
                problems.push(format!("{place}: {keyword} {wanted} is not met"));
            }
        }
    }

    fn is_a(value: &Value, name: &str) -> bool {
        match name {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            "number" => value.is_number(),
            "integer" => value.is_u64() || value.is_i64(),
            other => panic!("no type is called {other}"),
        }
    }

    /// The two shapes of pattern in the schema.
    fn matches(text: &str, pattern: &str) -> bool {
        let lower_hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
        match pattern {
            "^[0-9a-f]{16}$" => text.len() == 16 && text.chars().all(lower_hex),
            "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$" => {
                let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
                shape == "0000-00-00T00:00:00Z"
            }
            other => panic!("the schema uses the pattern {other}, which this check does not know"),
        }
    }

    fn problems(value: &Value) -> Vec<String> {
        let schema: Value = serde_json::from_str(TEXT).expect("the schema is JSON");
        let mut problems = Vec::new();
        check(&schema, &schema, value, "$", &mut problems);
        problems
    }

    fn measured() -> Vec<Run> {
        report_of(&[&[10.0; 8]]).1
    }

    #[test]
    fn results_of_before_passes_and_ladders_are_read_still() {
        let mut value = written(&[&[10.0; 8]]);
        let mut drop = |place: &str, names: &[&str]| {
            let table = value.pointer_mut(place).and_then(Value::as_object_mut).expect("an object");
            names.iter().for_each(|name| assert!(table.remove(*name).is_some(), "{name} was there"));
        };
        drop("", &["passes", "ladder"]);
        drop("/settings", &["governor", "measure_s", "warmup_s", "refresh_hz", "live"]);
        drop("/runs/0", &["gpu_passes"]);
        drop("/runs/0/phases", &["cull_ms"]);
        assert_eq!(problems(&value), [""; 0]);
        let read: Report = serde_json::from_value(value).expect("it is a report");
        assert_eq!(read.runs[0].phases.cull_ms, Spread::default());
    }

    fn written(runs: &[&[f64]]) -> Value {
        serde_json::to_value(report_of(runs).0).expect("it is JSON")
    }

    #[test]
    fn what_is_written_meets_the_schema() {
        assert_eq!(problems(&written(&[&[10.0; 1000], &[11.0; 1000]])), [""; 0]);
        assert_eq!(problems(&written(&[&[10.0; 4], &[10.0; 2]])), [""; 0], "aborted");
        assert_eq!(problems(&written(&[&[10.0; 1]])), [""; 0], "one frame");
        let (mut report, _) = report_of(&[&[10.0; 8]]);
        let gpu = report.runs[0].metrics.clone();
        (report.runs[0].gpu, report.runs[0].gpu_reason) = (Some(gpu), None);
        report.runs[0].gpu_passes.insert("seabed".into(), Spread::default());
        let variants = passes::variants(&PlanInputs {
            tier: Quality::Low.tier(true),
            effects: Effects::default(),
            bloom: 0.1,
            features: SceneFeatures::default(),
            output: (64, 36),
            scale: 1.0,
        });
        report.passes = PassCosts::of(&vec![vec![10.0; variants.len()]; 6], &variants);
        report.ladder = Some(vec![Rung::of(1, 1, &[]), Rung::of(100, 103, &measured())]);
        let value = serde_json::to_value(&report).expect("it is JSON");
        assert_eq!(problems(&value), [""; 0], "GPU times, passes and a ladder");
        assert!(value["passes"]["costs"][0]["ms"].is_number() && value["ladder"][1]["median_ms"].is_number());
    }

    #[test]
    fn the_schema_is_not_met_by_anything_else() {
        let changed = |pointer: &str, to: Value| {
            let mut value = written(&[&[10.0; 4]]);
            *value.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer} is in the report")) = to;
            problems(&value).len()
        };
        assert_eq!(changed("/schema", json!("pelagic.bench/2")), 1);
        assert_eq!(changed("/runs/0/median_ms", json!("fast")), 1);
        assert_eq!(changed("/runs/0/n", json!(4.5)), 1);
        assert_eq!(changed("/runs/0/state_hash", json!("xyz")), 1);
        assert_eq!(changed("/runs/0/phases/cpu_ms/median", json!(-1.0)), 1);
        assert_eq!(changed("/settings/size", json!([640])), 1);
        assert_eq!(changed("/settings/frame_end", json!("hope")), 1);
        assert_eq!(changed("/summary/lowest", json!({"median_ms": null})), 1);
        let mut value = written(&[&[10.0; 4]]);
        value["score"] = json!(9000);
        value["gl"].as_object_mut().expect("an object").remove("software");
        assert_eq!(problems(&value).len(), 2, "{:?}", problems(&value));
    }
}
