//! The shaders as GLSL ES 3.00, the dialect of OpenGL ES 3.0 and of browsers: whatever a built-in scene asks for at any
//! tier compiles and links, and draws the same.
//!
//! Desktop OpenGL takes such shaders where it has `ARB_ES3_compatibility`, as Mesa does. Without that or without a usable
//! OpenGL these tests are skipped; with `REQUIRE_GL=1` that is a failure.

use glow::HasContext;
use pelagic::config::BUILTIN_SCENES;
use pelagic::gl::{Dialect, Program, ShaderText, UniformBlock};
use pelagic::model::ModelRequest;
use pelagic::render::{Quality, RenderChange, RenderSettings, ShaderSource, Studio};
use pelagic::runtime::files::load_model;
use pelagic::runtime::offscreen::Session;

use crate::support::{assert_clean, options, picture, session, skip};

/// A session of a scene at the low tier, if ES shaders can be tried in its context.
fn es_session(scene: &str) -> Session {
    let session = session(&options(scene, (64, 36), &[]));
    let gl = session.context.gl();
    let takes_es = gl.version().is_embedded || gl.supported_extensions().contains("GL_ARB_ES3_compatibility");
    if !takes_es {
        skip(&format!("{} takes no ES shaders", session.context.device()));
    }
    session
}

/// The shaders of `quality` as ES.
fn use_es(session: &mut Session, scene: &str, quality: Quality) {
    let render = RenderSettings { quality, ..session.config.render.clone() };
    let shaders = Some(ShaderSource::default().in_dialect(Dialect::Es300));
    let change = RenderChange { render: Some(&render), shaders, ..RenderChange::default() };
    let changed = session.renderer.apply(&change);
    changed.unwrap_or_else(|error| panic!("{scene} at {quality:?}: {error}"));
    assert_clean(session);
}

fn every_variant_of_every_scene_and_tier_compiles_and_links() {
    for scene in BUILTIN_SCENES {
        let mut session = es_session(scene.name);
        for quality in [Quality::Low, Quality::Medium, Quality::High, Quality::Ultra] {
            use_es(&mut session, scene.name, quality);
        }
    }
}

fn the_studio_of_models_compiles_and_links() {
    let session = es_session("calibration");
    let source = ShaderSource::default().in_dialect(Dialect::Es300);
    // Joints of one, of several and of none.
    for name in ["builtin:sardine", "builtin:seahorse", "builtin:amphora"] {
        let model = load_model(&ModelRequest::new(name)).expect("a built-in model").model;
        let made = Studio::new(&session.context.gl(), &source, (64, 36), &model);
        made.map(drop).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

fn it_draws_the_same_picture() {
    let mut session = es_session("reef");
    let core = picture(&mut session);
    use_es(&mut session, "reef", Quality::Low);
    assert!(core == picture(&mut session), "the dialects differ");
}

fn what_only_the_desktop_takes_is_refused() {
    let session = es_session("calibration");
    // An integer where a float is asked for.
    let compiles = |dialect: Dialect| {
        let text = |main: &str| ShaderText { source: format!("{}{main}", dialect.header()), files: Vec::new() };
        let vertex = text("void main() { float one = 1; gl_Position = vec4(one); }\n");
        let block = UniformBlock { name: "Frame", binding: 0, layout: &[] };
        Program::<()>::new(&session.context.gl(), "one", [vertex, text("void main() {}\n")], block).is_ok()
    };
    assert!(compiles(Dialect::Core330) && !compiles(Dialect::Es300));
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    every_variant_of_every_scene_and_tier_compiles_and_links;
    the_studio_of_models_compiles_and_links;
    it_draws_the_same_picture;
    what_only_the_desktop_takes_is_refused;
};
