//! The JSON Schema of `result.json`, which follows from the types of a report.

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, RestrictFormats};
use serde_json::{Value, json};

use crate::report::{Report, SCHEMA};

/// A hash, as a report has it.
pub(crate) const HASH: &str = "^[0-9a-f]{16}$";

/// A moment, UTC, as a report has it.
pub(crate) const WHEN: &str = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$";

/// JSON Schema (draft 2020-12) of a report. Properties that may be missing are so in results of older versions only.
pub fn json_schema() -> Schema {
    let settings = SchemaSettings::draft2020_12().with_transform(RestrictFormats::default());
    let mut schema =
        settings.with_transform(RecursiveTransform(closed)).into_generator().into_root_schema_for::<Report>();
    schema.insert("title".into(), format!("{SCHEMA}: the result.json of `pelagic bench`").into());
    schema.insert("description".into(), "What was not measured is null, never 0.".into());
    schema
}

/// Lets an object hold nothing but its properties.
fn closed(schema: &mut Schema) {
    if schema.get("properties").is_some() {
        schema.insert("additionalProperties".into(), false.into());
    }
}

/// Lets no number of an object be below 0.
pub(crate) fn non_negative(schema: &mut Schema) {
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for property in properties.values_mut() {
        let of_type = |name: &str| match &property["type"] {
            Value::String(only) => only == name,
            Value::Array(names) => names.iter().any(|other| other == name),
            _ => false,
        };
        if of_type("number") || of_type("integer") {
            property["minimum"] = json!(0);
        }
    }
}

/// Adds the name that a count has in older results.
pub(crate) fn old_names(schema: &mut Schema) {
    const OLD: (&str, &str) = ("long_stutter_count", "hitch_count");
    let mut of_old = schema.get("properties").and_then(|all| all.get(OLD.0)).cloned().unwrap_or_default();
    of_old["description"] = format!("The name of {} in older results.", OLD.0).into();
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.insert(OLD.1.into(), of_old);
    }
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|name| name != OLD.0);
    }
}

#[cfg(test)]
mod tests {
    use render::{Effects, PlanInputs, Quality};
    use view::SceneFeatures;

    use super::*;
    use crate::ladder::Rung;
    use crate::passes::{self, PassCosts};
    use crate::report::tests::report_of;
    use crate::report::{Report, RequestedLadder, RequestedRun, Spread};
    use crate::run::MeasuredRun;

    fn problems(value: &Value) -> Vec<String> {
        testing::json_schema::problems(json_schema().as_value(), value)
    }

    fn measured() -> Vec<MeasuredRun> {
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
        drop(
            "/settings",
            &[
                "asked",
                "governor",
                "pipelined",
                "measure_s",
                "warmup_s",
                "refresh_hz",
                "live",
                "stereo",
                "config",
                "interleaved",
            ],
        );
        drop("/runs/0", &["gpu_passes", "sensors"]);
        drop("/runs/0/phases", &["cull_ms", "beside_ms"]);
        let run = value["runs"][0].as_object_mut().expect("an object");
        let count = run.shift_remove("long_stutter_count").expect("it is there");
        run.insert("hitch_count".into(), count);
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
            clarity: 0.35,
            shadows: 0.4,
            vignette: 0.25,
            features: SceneFeatures::default(),
            output: (64, 36),
            scale: 1.0,
        });
        report.passes = PassCosts::of(&vec![vec![10.0; variants.len()]; 6], &variants);
        report.ladder = Some(vec![Rung::of(1, 1, &[]), Rung::of(100, 103, &measured())]);
        let asked = RequestedLadder { fish: vec![1, 100], frames: 8, warmup: 2, measure_s: None, warmup_s: Some(0.5) };
        let (fish, shaders) = (Some(100), Some("mine".into()));
        report.settings.asked =
            RequestedRun { scene: "reef".into(), fish, shaders, runs: true, passes: Some(6), ladder: Some(asked) };
        let value = serde_json::to_value(&report).expect("it is JSON");
        assert_eq!(problems(&value), [""; 0], "GPU times, passes and a ladder");
        assert!(!value.to_string().contains("-0.0"), "nothing has no sign: {value}");
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
