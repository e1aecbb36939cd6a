//! The published schema of `result.json`, and the test that holds it to what is written.

/// JSON Schema (draft 2020-12) of a report.
pub const TEXT: &str = include_str!("../../../assets/bench.schema.json");

#[cfg(test)]
mod tests {
    use render::{Effects, PlanInputs, Quality};
    use serde_json::{Value, json};
    use view::SceneFeatures;

    use super::*;
    use crate::ladder::Rung;
    use crate::passes::{self, PassCosts};
    use crate::report::tests::report_of;
    use crate::report::{Report, RequestedLadder, RequestedRun, Spread};
    use crate::run::MeasuredRun;

    fn problems(value: &Value) -> Vec<String> {
        let schema: Value = serde_json::from_str(TEXT).expect("the schema is JSON");
        testing::json_schema::problems(&schema, value)
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
            &["asked", "governor", "measure_s", "warmup_s", "refresh_hz", "live", "stereo", "config", "interleaved"],
        );
        drop("/runs/0", &["gpu_passes", "sensors"]);
        drop("/runs/0/phases", &["cull_ms"]);
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
