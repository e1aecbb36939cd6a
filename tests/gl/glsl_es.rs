//! OpenGL ES 3.0, which is also what browsers have: whatever a built-in scene asks for at any tier compiles and links, and
//! is drawn as on the desktop.
//!
//! Without OpenGL ES these tests are skipped; with `REQUIRE_GL=1` that is a failure.

use std::rc::Rc;

use pelagic::config::BUILTIN_SCENES;
use pelagic::gl::{Dialect, Program, ShaderText, UniformBlock};
use pelagic::model::ModelRequest;
use pelagic::render::{Quality, RenderChange, RenderSettings, ShaderSource, Studio};
use pelagic::runtime::files::load_model;
use pelagic::runtime::offscreen::Session;

use crate::support::{assert_clean, context_in, options, picture, session_in};

/// A session of a scene at the low tier.
fn es_session(scene: &str) -> Session {
    session_in(Dialect::Es300, &options(scene, (64, 36), &[]))
}

fn every_variant_of_every_scene_and_tier_compiles_and_links() {
    let context = Rc::new(context_in(Dialect::Es300));
    for scene in BUILTIN_SCENES {
        let mut session = Session::in_context(context.clone(), &options(scene.name, (64, 36), &[])).expect("a scene");
        for quality in [Quality::Low, Quality::Medium, Quality::High, Quality::Ultra] {
            let render = RenderSettings { quality, ..session.config.render.clone() };
            let change = RenderChange { render: Some(&render), ..RenderChange::default() };
            let changed = session.renderer.apply(&change);
            changed.unwrap_or_else(|error| panic!("{} at {quality:?}: {error}", scene.name));
            assert_clean(&session);
        }
    }
}

fn the_studio_of_models_compiles_and_links() {
    let session = es_session("calibration");
    let source = ShaderSource::default();
    // Joints of one, of several and of none.
    for name in ["builtin:sardine", "builtin:seahorse", "builtin:amphora"] {
        let model = load_model(&ModelRequest::new(name)).expect("a built-in model").model;
        let made = Studio::new(&session.context.gl(), &source, (64, 36), &model);
        made.map(drop).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

fn it_draws_the_same_picture() {
    let set = ["render.quality=high"];
    let [core, es] = [Dialect::Core330, Dialect::Es300].map(|dialect| {
        let mut session = session_in(dialect, &options("reef", (192, 108), &set));
        let picture = picture(&mut session);
        assert_clean(&session);
        picture
    });
    assert!(core == es, "{} of {} bytes differ", core.iter().zip(&es).filter(|(a, b)| a != b).count(), core.len());
}

fn what_only_the_desktop_takes_is_refused() {
    // An integer where a float is asked for.
    let compiles = |dialect: Dialect| {
        let context = context_in(dialect);
        let text = |main: &str| ShaderText { source: main.into(), files: Vec::new() };
        let vertex = text("void main() { float one = 1; gl_Position = vec4(one); }\n");
        let block = UniformBlock { name: "Frame", binding: 0, layout: &[] };
        Program::<()>::new(&context.gl(), "one", [vertex, text("void main() {}\n")], block).is_ok()
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
