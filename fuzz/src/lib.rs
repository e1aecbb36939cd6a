//! Fuzz targets, run on a fuzzer's or a kept corpus's bytes: no reader of files may panic, hang, or take more memory
//! than stated, and every file that it accepts must keep the guarantees of good files.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use forge::swimmers::fish;
use ms3d::{Limits, Severity};
use pelagic::bench::compare::{self, Question, Verdict};
use pelagic::bench::html;
use pelagic::bench::report::Report;
use pelagic::config;
use pelagic::model::animation::{load_model, pose, skin};
use pelagic::model::export::{self, Target};
use pelagic::model::import::Format;
use pelagic::model::{Files, LoadedModel, ModelRequest, texture};

/// Function that runs one input.
pub type FuzzTarget = fn(&[u8]);

/// All targets by name, which is also the folder of the corpus.
pub const TARGETS: [(&str, FuzzTarget); 7] = [
    ("model", model),
    ("gltf", gltf),
    ("mdl", goldsrc),
    ("scene", scene),
    ("texture", texture),
    ("species", species),
    ("result", result),
];

/// The input as the only file there is: a model without textures beside it.
struct Alone<'a>(&'a [u8]);

impl Files for Alone<'_> {
    fn read(&self, _: &Path, _: u64) -> io::Result<Vec<u8>> {
        Ok(self.0.to_vec())
    }

    fn names(&self, _: &Path) -> Vec<OsString> {
        Vec::new()
    }
}

/// Tests an MS3D file: reads, validates, writes and rereads it, then makes it a model with levels of detail and poses
/// it.
pub fn model(data: &[u8]) {
    let Ok(outcome) = ms3d::read(data, &Limits::default()) else { return };
    let problems = ms3d::validate(&outcome.document);
    assert!(problems.iter().all(|problem| !problem.to_string().is_empty()));
    if let Ok(written) = ms3d::write(&outcome.document) {
        let again = ms3d::read(&written, &Limits::default()).expect("what was written can be read");
        assert_eq!(ms3d::write(&again.document).as_deref(), Ok(written.as_slice()), "bytes, since NaN is not itself");
    }
    let sound = problems.iter().all(|problem| problem.severity() != Severity::Error);
    let loaded = load_model(&ModelRequest::new("fuzzed.ms3d"), &Alone(data));
    assert!(sound || loaded.is_err(), "a model with errors is refused");
    let Ok(loaded) = loaded else { return };
    drawn(&loaded);
    converted(data, Target::Glb);
}

/// Tests a glTF file: makes it a model and poses it, then converts it to an MS3D file, which must load as a model too.
pub fn gltf(data: &[u8]) {
    if Format::of(data) == Format::Gltf
        && let Ok(loaded) = load_model(&ModelRequest::new("fuzzed.glb"), &Alone(data))
    {
        drawn(&loaded);
        converted(data, Target::Ms3d);
    }
}

/// Tests a GoldSrc model without its other files likewise.
pub fn goldsrc(data: &[u8]) {
    let request = ModelRequest { skin: 1, body: 3, ..ModelRequest::new("fuzzed.mdl") };
    if Format::of(data) == Format::Mdl
        && let Ok(loaded) = load_model(&request, &Alone(data))
    {
        drawn(&loaded);
        converted(data, Target::Glb);
        converted(data, Target::Ms3d);
    }
}

/// Asserts that a converted model loads again, unless the format cannot hold it.
fn converted(data: &[u8], target: Target) {
    let posed = |skeleton: &_, time_s| pose(skeleton, time_s).model_from_rest;
    let request = ModelRequest::new("fuzzed");
    if let Ok(exported) = export::export(&request, Path::new("out"), target, &Alone(data), &posed) {
        let again = load_model(&request, &Alone(&exported.bytes));
        assert!(again.is_ok(), "{}", again.err().map_or_else(String::new, |error| error.to_string()));
    }
}

/// Asserts that indices are in range, and that every clip can be posed.
fn drawn(loaded: &LoadedModel) {
    for lod in &loaded.model.lods {
        assert!(lod.indices.iter().all(|&index| (index as usize) < lod.vertices.len()));
        let ends = lod.meshes.iter().map(|mesh| (mesh.first + mesh.count) as usize);
        assert!(ends.into_iter().all(|end| end <= lod.indices.len()));
        for time_s in loaded.clips.iter().flat_map(|clip| [clip.start_s, clip.end_s]) {
            skin(&lod.vertices, &pose(&loaded.model.skeleton, time_s));
        }
    }
}

/// Tests a scene file and `--set` arguments, each after a NUL: parses, checks and merges it with its base, then dumps
/// it and loads it again.
pub fn scene(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let mut parts = text.split('\0');
    let scene = parts.next().unwrap_or_default();
    let sets: Vec<String> = parts.map(str::to_owned).collect();
    match config::load_text("fuzzed", scene, &sets) {
        Ok(loaded) => {
            assert!(loaded.warnings.iter().all(|warning| !warning.to_string().is_empty()));
            let dump = config::dump(&loaded.config);
            let again = config::load_text("dump", &dump, &[]).unwrap_or_else(|error| panic!("{error}\n{dump}"));
            assert_eq!(again.config, loaded.config);
        }
        Err(error) => {
            let listed = error.problems.len();
            assert!((1..=config::PROBLEMS_LISTED + 1).contains(&listed));
            assert!(error.to_string().len() < 2000 * (listed + 1), "{error}");
        }
    }
}

/// Tests an image file, whose signature tells its format; without a signature it is TGA.
pub fn texture(data: &[u8]) {
    let Ok(image) = texture::decode("fuzzed.tga", data) else { return };
    assert!((1..=texture::MAX_SIDE).contains(&image.width) && (1..=texture::MAX_SIDE).contains(&image.height));
    assert_eq!(image.rgba.len(), 4 * image.width as usize * image.height as usize);
    texture::has_holes(&image);
}

/// Tests a species file: reads it and makes the model coarsely.
pub fn species(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let mut plan = match fish::read("fuzzed.toml", text) {
        Ok(plan) => plan,
        Err(error) => {
            assert!(!error.problems.is_empty());
            assert!(error.to_string().contains("fuzzed.toml"));
            return;
        }
    };
    (plan.detail.rings, plan.detail.round, plan.detail.eye, plan.detail.texture) = (8, 4, [1, 4], 128);
    plan.fin.iter_mut().for_each(|fin| fin.cells = [1, 1]);
    let forged = fish::make(&plan, 1);
    assert_eq!(forged.name, plan.name);
    let errors = ms3d::validate(&forged.document).into_iter().filter(|problem| problem.severity() == Severity::Error);
    assert_eq!(errors.collect::<Vec<_>>(), []);
    ms3d::write(&forged.document).expect("what is made can be written");
}

/// Tests the result of a benchmark: reads it, compares it with itself, renders it as a page, writes it and reads it
/// again.
pub fn result(data: &[u8]) {
    let Ok(report) = Report::from_json(data) else { return };
    assert_eq!(compare::differences(&report, &report), []);
    let question = Question { metric: "median_ms", threshold: None, across: false };
    if let Some(comparison) = compare::compare(["a", "b"], &report, &report, &question) {
        assert!(matches!(comparison.verdict, Verdict::NoSignificantChange | Verdict::IndicativeOnly));
        assert!(!compare::render(&comparison).is_empty());
    }
    assert!(html::page(&report, &[], None).ends_with("</html>\n"));
    let written = pelagic::bench::files::json(&report);
    let again = Report::from_json(written.as_bytes()).expect("what was written can be read");
    assert_eq!(pelagic::bench::files::json(&again), written);
}
