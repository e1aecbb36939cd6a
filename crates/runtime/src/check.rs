//! Checks of a scene beyond its file: the models it names, loaded as a world loads them, and the world made of it.

use config::{ConfigError, LoadedScene, Problem};
use life::PlacementProblem;
use model::{LoadedModel, ModelError, ModelPart, ModelRequest};
use ocean::LUMINANCE;
use scene::{SceneEntry, SceneError, SceneModelRequest, World, crowd_warning, model_requests, unknown_places};
use view::RenderScene;

use crate::files::load_model;
use crate::{AppError, threads};

/// Share of the visibility beyond which hardly anything of an object is seen: a tenth of its contrast is left.
const LOST_SHARE: f32 = 0.5;
/// Irradiance (about 1 at a clear noon) in which a picture is black at any exposure of the meter.
const DARK: f32 = 1e-7;

/// Findings from loading the models of a scene, each with its place in the file.
#[derive(Debug, Default)]
pub struct ModelFindings {
    /// Problems that prevent a world from being made.
    pub problems: Vec<Problem>,
    /// Warnings about things that will look other than intended.
    pub warnings: Vec<Problem>,
}

/// Loads every model of a scene, each once.
pub fn check_models(scene: &LoadedScene) -> ModelFindings {
    let mut findings = ModelFindings::default();
    let mut seen: Vec<ModelRequest> = Vec::new();
    for SceneModelRequest { entry, request, .. } in model_requests(&scene.config.scene) {
        if seen.contains(&request) {
            continue;
        }
        match load_model(&request) {
            Ok(loaded) => {
                findings.warnings.extend(loaded.warnings.iter().map(|warning| {
                    let clip = match &warning.part {
                        ModelPart::Clip(name) => name.as_deref(),
                        _ => None,
                    };
                    place(scene, &entry, &request, clip, warning.to_string())
                }));
                let crowd = crowd_warning(&scene.config.scene, &request, &loaded.model);
                findings.warnings.extend(crowd.map(|text| place(scene, &entry, &request, None, text)));
                let wearers = model_requests(&scene.config.scene).filter(|asked| asked.request == request);
                for wearer in wearers {
                    let SceneEntry::Species(_, name) = wearer.entry else { continue };
                    let unknown = unknown_places(&scene.config.scene, name, &loaded.model);
                    let told = unknown.map(|(light, text)| scene.of_made(&["lights", light, "place"], text));
                    findings.warnings.extend(told);
                }
            }
            Err(error) => {
                let clip = match &error {
                    ModelError::BadClip { clip, .. } => Some(clip.as_str()),
                    _ => None,
                };
                findings.problems.push(place(scene, &entry, &request, clip, error.to_string()));
            }
        }
        seen.push(request);
    }
    findings
}

/// Error for the scene called `name` that was not made: if a model cannot be loaded, lists each such model with its
/// place in the file.
pub fn located(scene: &LoadedScene, name: &str, error: AppError) -> AppError {
    let problems = if matches!(error, AppError::Scene(_)) { check_models(scene).problems } else { Vec::new() };
    if problems.is_empty() {
        return error;
    }
    AppError::Config(ConfigError { scene: name.to_owned(), problems, files: scene.files.clone() })
}

/// Species of a scene, whose models are fine, that have no room where it places them.
///
/// # Errors
/// If a model of a prop cannot be loaded.
pub fn check_homes(scene: &LoadedScene) -> Result<Vec<Problem>, SceneError> {
    let placement_problems = scene::check_homes(&scene.config.scene, 0, (load_model, threads::join))?.into_iter();
    let place = |PlacementProblem { species, key, problem }: PlacementProblem| {
        scene.of_made(&["species", &species, key], problem.to_string())
    };
    Ok(placement_problems.map(place).collect())
}

/// Reason why the first view of a scene, whose models are fine, shows nothing: murk or the dark.
///
/// # Errors
/// If a model cannot be loaded.
pub fn check_view(scene: &LoadedScene) -> Result<Option<Problem>, SceneError> {
    let config = &scene.config;
    let world = World::new(&config.scene, 0, load_silently, threads::join)?;
    let mut frame = RenderScene::default();
    world.extract(1.0, world.first_view(), &mut frame);
    let (away_m, visibility_m) = (world.first_target_m(), config.scene.water.black_disc_m());
    let depth_m = -frame.camera.eye.y;
    let daylight = frame.daylight.irradiance(depth_m).dot(LUMINANCE);
    let text = if away_m > LOST_SHARE * visibility_m {
        format!(
            "the first view looks at a place {away_m:.1} m off, and in this water one sees {visibility_m:.1} m: write a \
             water.visibility_m of {:.0} or more, or go nearer with camera.eye_m",
            (away_m / LOST_SHARE).ceil()
        )
    } else if daylight < DARK && config.scene.lights.is_empty() && config.post.auto_exposure {
        format!(
            "at the first view's depth of {depth_m:.0} m there is {daylight:.0e} of the light of a clear noon, and no lamp: go \
             shallower with camera.eye_m, raise sun.elevation_deg, or write [[lights]]"
        )
    } else {
        return Ok(None);
    };
    Ok(Some(scene.of_made(&["camera", "eye_m"], text)))
}

/// Loads a model whose warnings have been reported already.
fn load_silently(request: &ModelRequest) -> Result<LoadedModel, ModelError> {
    load_model(request).map(|loaded| LoadedModel { warnings: Vec::new(), ..loaded })
}

/// A problem of a clip if the scene names it, else of the model.
fn place(
    scene: &LoadedScene,
    entry: &SceneEntry<'_>,
    request: &ModelRequest,
    clip: Option<&str>,
    text: String,
) -> Problem {
    let (list, name) = match *entry {
        SceneEntry::Prop(name) => ("props", name),
        SceneEntry::Cover(name) => ("cover", name),
        SceneEntry::Species(_, name) => ("species", name),
    };
    match clip.filter(|clip| request.clips.contains_key(*clip)) {
        Some(clip) => scene.of_made(&[list, name, "clips", clip], text),
        None => scene.of_made(&[list, name, "model"], text),
    }
}
