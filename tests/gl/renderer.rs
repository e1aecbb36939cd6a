//! The renderer under changes, mistakes and odd sizes.

use std::fs;
use std::path::{Path, PathBuf};

use pelagic::gl::{
    Buffer, BufferKind, Filter, Format, Program, RenderTarget, ShaderText, TargetFormat, Texture2d, UniformBlock, Wrap,
    debug,
};
use pelagic::render::{Capture, Quality, RenderChange, RenderSettings, Renderer, ShaderSource, Stereo, View, mip_maps};
use pelagic::runtime::files;
use pelagic::runtime::files::load_model;
use pelagic::runtime::threads::join;
use pelagic::scene::{World, expected_features};
use pelagic::view::{Camera, SceneFeatures};

use crate::support;
use crate::support::{
    EMPTY, assert_clean, linear, looking_up, options, picture, picture_from, repository, say, scene_file, session,
};

const SMALL: (u32, u32) = (160, 90);

fn every_tier_and_view_is_drawn_without_a_complaint() {
    let mut session = session(&options("reef", (64, 36), &[]));
    let camera = looking_up(&session.camera(None).expect("a first view"));
    let post = session.config.post.clone();
    for quality in [Quality::Low, Quality::Medium, Quality::High, Quality::Ultra] {
        let render = RenderSettings { quality, ..session.config.render.clone() };
        session.renderer.set(&post, &render).expect("set");
        session
            .renderer
            .load(session.world.static_scene(), SceneFeatures::of(&session.frame))
            .expect("loaded again, now watched");
        for shown in [View::Final, View::Depth, View::Normal, View::Caustics, View::Shadow] {
            // The heavy tiers differ by the sizes of their maps, not by how a map is shown.
            if quality != Quality::Low && shown != View::Final {
                continue;
            }
            let values = linear(&mut session, camera, shown);
            assert!(values.iter().flatten().all(|v| v.is_finite()), "{quality:?}, {shown:?}: not a number");
            assert!(values.iter().any(|v| *v != values[0]), "{quality:?}, {shown:?} is blank");
            session.capture(camera, shown, false).expect("drawn");
        }
        assert_eq!(debug::complaints(&session.context.gl()), [""; 0], "{quality:?}");
    }
}

fn drawing_compiles_nothing() {
    let mut session = session(&options("night_reef", (64, 36), &["render.quality=medium"]));
    let home = session.camera(None).expect("a first view");
    let at = |y: f32| Camera { eye: home.eye.with_y(y), ..looking_up(&home) };
    // The shader that shows radiance is compiled by the first picture that takes it.
    linear(&mut session, home, View::Final);
    let linked = debug::programs_linked();
    assert!(linked > 0, "there are programs, and they are counted");
    // From below, at the surface, above it and inside of a rock: whatever a frame may come to need is there already.
    for camera in [home, at(-0.02), at(0.3), at(20.0), at(-7.9)] {
        session.world.step();
        picture_from(&mut session, camera);
    }
    session.photograph(home, 0.01, Some(3.0), true, &mut |_| {}).expect("drawn");
    assert_eq!(debug::programs_linked(), linked);
    session.renderer.resize((80, 45)).expect("resized");
    assert_eq!(debug::programs_linked(), linked, "nor does another size");
    let render = RenderSettings { quality: Quality::High, ..session.config.render.clone() };
    let post = session.config.post.clone();
    session.renderer.set(&post, &render).expect("set");
    assert!(debug::programs_linked() > linked, "another tier does");
}

fn pictures_in_a_hurry_lack_something_and_then_nothing() {
    let mut session = session(&options("reef", SMALL, &["render.quality=medium"]));
    let (linked, whole) = (debug::programs_linked(), picture(&mut session));
    let (gl, config, frame) = (session.context.gl(), &session.config, &session.frame);
    let features = expected_features(&config.scene);
    assert_eq!(features, SceneFeatures::of(frame), "known before there is a world");
    let wanted = (&config.post, &config.render, features);
    let mut renderer = Renderer::with_deferred_compilation(gl.clone(), true, SMALL, wanted).expect("a renderer");
    renderer.load(session.world.static_scene(), features).expect("loaded");
    let at_first = debug::programs_linked() - linked;
    assert!(at_first * 2 < linked, "{at_first} programs for the first picture, {linked} for all that may be");

    let format = TargetFormat { colors: &[(Format::Rgba8, Filter::Nearest, Wrap::Clamp)], depth: None };
    let target = RenderTarget::new(&gl, "output", SMALL, &format).expect("a target");
    let mut draw = || {
        let lacking = renderer.draw(frame, Some(&target)).lacking;
        let mut rgba = target.read_u8(0);
        rgba.chunks_exact_mut(4).for_each(|texel| texel[3] = 255);
        (lacking, rgba)
    };
    let (lacking, first) = draw();
    assert!(lacking > 0);
    let pictures = std::iter::repeat_with(&mut draw).take(200);
    let (_, last) = { pictures }.find(|(lacking, _)| *lacking == 0).expect("it ends");
    let off = |picture: &[u8]| {
        let sum: u32 = picture.iter().zip(&whole).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
        sum as f32 / whole.len() as f32
    };
    let (at_first, at_last) = (off(&first), off(&last));
    println!("off by {at_first} of 255 in the mean at first, by {at_last} in the end");
    assert!(at_first < 12.0, "one sees the same sea: {at_first}");
    assert_eq!(at_last, 0.0);
    assert_clean(&session);
}

fn what_is_read_back_lacks_nothing_even_in_a_hurry() {
    let mut session = session(&options("lagoon", SMALL, &[]));
    let (whole, config) = (picture(&mut session), &session.config);
    let features = expected_features(&config.scene);
    let wanted = (&config.post, &config.render, features);
    let mut renderer =
        Renderer::with_deferred_compilation(session.context.gl(), true, SMALL, wanted).expect("a renderer");
    renderer.load(session.world.static_scene(), features).expect("loaded");
    let Ok(Capture::Display { rgba, .. }) = renderer.capture(&session.frame, View::Final, false) else {
        panic!("no picture")
    };
    assert_eq!(rgba, whole);
}

fn a_change_shows_once_it_is_committed_and_never_if_it_fails() {
    let mut session = session(&options("reef", SMALL, &[]));
    let before = picture(&mut session);
    let (_folder, path) = scene_file(EMPTY);
    let other = pelagic::runtime::load(&options(&path, SMALL, &[])).expect("a scene").config;
    let world = World::new(&other.scene, 1, load_model, join).expect("nothing has to be loaded");
    let render = RenderSettings { quality: Quality::High, ..session.config.render.clone() };
    let shaders = tempfile::tempdir().expect("a folder");
    copied_shaders(shaders.path());
    let change = RenderChange {
        static_scene: Some(world.static_scene()),
        features: Some(SceneFeatures { lights: true, lamp_shadows: false, stars: true, clouds: true, foam: true }),
        post: Some(&other.post),
        render: Some(&render),
        output: Some((96, 54)),
        stereo: Some(Stereo::Anaglyph),
        pieces: Some(false),
        shaders: Some(read(shaders.path())),
    };
    let prepared = session.renderer.prepare(&change).expect("all of it can be made");
    assert_eq!(picture(&mut session), before, "nothing of it shows yet");
    drop(prepared);
    assert_eq!(picture(&mut session), before, "nor what was dropped");
    assert_clean(&session);
    // The last program that is made: everything else is there when it fails.
    let broken = shaders.path().join("tonemap.frag.glsl");
    fs::write(&broken, "float broken = ;").expect("written");
    let change = RenderChange { shaders: Some(read(shaders.path())), ..change };
    let error = session.renderer.apply(&change).expect_err("a shader is broken").to_string();
    assert!(error.contains("tonemap.frag.glsl:1"), "{error}");
    assert_eq!(picture(&mut session), before, "nor what failed");
    assert_eq!(*session.renderer.settings().1, session.config.render);
    let change = RenderChange { static_scene: None, features: None, shaders: None, ..change };
    session.renderer.apply(&change).expect("all of it can be made");
    assert_eq!(picture(&mut session).len(), 4 * 96 * 54);
    let (post, render) = (session.config.post.clone(), session.config.render.clone());
    let back = RenderChange {
        post: Some(&post),
        render: Some(&render),
        output: Some(SMALL),
        stereo: Some(Stereo::Off),
        ..Default::default()
    };
    session.renderer.apply(&back).expect("as before");
    assert_eq!(picture(&mut session), before, "and back");
}

fn mip_maps_made_in_one_pass_are_those_of_a_box_filter() {
    let context = support::context();
    for (width, height) in [(256, 128), (64, 64), (32, 128)] {
        let value = |i: u32| ((i.wrapping_mul(2_654_435_761) >> 16) & 0xff) as f32 / 255.0;
        let base: Vec<[f32; 4]> = (0..width * height).map(|i| [0, 1, 2, 3].map(|c| value(4 * i + c))).collect();
        let levels = mip_maps(&context.gl(), (width, height), &base).expect("drawn");
        assert!(levels.len() >= 3, "{} levels of {width} x {height}", levels.len());
        let mut side = 1;
        for ((columns, rows), texels) in levels {
            side *= 2;
            assert_eq!((columns, rows), (width / side, height / side));
            assert_eq!(texels.len(), (columns * rows) as usize);
            for (i, texel) in (0..).zip(&texels) {
                let (x, y) = (i % columns * side, i / columns * side);
                let spanned = (0..side * side).map(|n| base[((y + n / side) * width + x + n % side) as usize]);
                let sum = spanned.fold([0.0; 4], |sum, p| [0, 1, 2, 3].map(|c| sum[c] + p[c]));
                for (is, sum) in texel.iter().zip(sum) {
                    let mean = sum / (side * side) as f32;
                    // The loss of 16 bits, of the values and of their means.
                    assert!((is - mean).abs() < 2e-3, "{width} x {height}, 1/{side}, texel {i}: {is} for {mean}");
                }
            }
        }
    }
    assert_eq!(debug::complaints(&context.gl()), [""; 0]);
}

fn the_driver_is_heard_when_it_complains() {
    let context = support::context();
    let gl = context.gl();
    assert_eq!(debug::complaints(&gl), [""; 0]);
    let text = |source: &str| ShaderText { source: source.into(), files: Vec::new() };
    let vertex = text("layout(std140) uniform Frame { vec4 place; }; void main() { gl_Position = place; }");
    let block = UniformBlock { name: "Frame", binding: u32::MAX, layout: &[] };
    Program::<()>::new(&gl, "a mistake", [vertex, text("void main() {}")], block).expect("it compiles");
    let complaints = debug::complaints(&gl);
    assert!(complaints.iter().any(|c| c == "error INVALID_VALUE"), "{complaints:?}");
    assert!(complaints.iter().any(|c| c.contains("glUniformBlockBinding")), "the log has words for it: {complaints:?}");
    assert_eq!(debug::complaints(&gl), [""; 0], "each is told once");
}

fn a_uniform_that_nobody_sets_is_an_error_while_developing() {
    let context = support::context();
    let text = |source: &str| ShaderText { source: source.into(), files: Vec::new() };
    let vertex = text("void main() { gl_Position = vec4(0.0); }");
    let block = UniformBlock { name: "Frame", binding: 0, layout: &[] };
    let program =
        |fragment: &str| Program::<()>::new(&context.gl(), "a mistake", [vertex.clone(), text(fragment)], block);
    program("uniform float f; out vec4 color; void main() { color = vec4(1.0); }").expect("it is optimised out");
    let used = program("uniform float f; out vec4 color; void main() { color = vec4(f); }");
    match used.err() {
        Some(error) => assert!(error.to_string().contains("'f' is used, but nobody sets it"), "{error}"),
        None if cfg!(debug_assertions) => panic!("nobody noticed"),
        None => {}
    }
}

/// A copy of the shaders, and their names from the folder on.
fn read(folder: &Path) -> ShaderSource {
    files::shaders(Some(folder)).expect("readable")
}

fn copied_shaders(to: &Path) -> Vec<PathBuf> {
    let mut names = Vec::new();
    for folder in ["", "include"] {
        fs::create_dir_all(to.join(folder)).expect("made");
        for entry in fs::read_dir(repository().join("shaders").join(folder)).expect("the shaders") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|ending| ending == "glsl") {
                let name = Path::new(folder).join(path.file_name().expect("a file"));
                fs::copy(&path, to.join(&name)).expect("copied");
                names.push(name);
            }
        }
    }
    names.sort();
    names
}

fn a_mistake_in_any_shader_is_named_by_file_and_line_and_the_last_picture_stays() {
    // A lamp, eyes that shine back, stars, clouds and a tier that leaves nothing out: every file is read.
    let (_folder, path) = scene_file(&format!(
        "{EMPTY}
        [[lights]]
        name = \"lamp\"
        intensity = 1.0
        [[species]]
        name = \"shark\"
        model = \"builtin:reef_shark\"
        count = 1"
    ));
    let night = ["sun.elevation_deg=-30", "sky.cloud_cover=0", "sky.clouds=0.3"];
    let mut session = session(&options(&path, (48, 27), &night));
    let (post, render) = (session.config.post.clone(), session.config.render.clone());
    session.renderer.set(&post, &RenderSettings { quality: Quality::High, ..render }).expect("set");
    session.renderer.set_stereo(Stereo::Anaglyph).expect("two eyes");
    let before = picture(&mut session);
    let shaders = tempfile::tempdir().expect("a folder");
    let mut names = copied_shaders(shaders.path());
    // The studio of models draws with those that are built in.
    names.retain(|name| !["studio", "lines"].iter().any(|room| name.display().to_string().starts_with(room)));
    assert!(names.len() > 20, "{names:?}");
    for name in &names {
        let file = shaders.path().join(name);
        let good = fs::read_to_string(&file).expect("text");
        fs::write(&file, format!("{good}float broken = ;\n")).expect("written");
        let place = format!("shaders/{}:{}", name.display(), good.lines().count() + 1);
        let compiled = session.renderer.use_shaders(read(shaders.path()));
        // The program that shows a map is compiled when one is asked for, and so is that which shares depth.
        let shown = compiled.and_then(|()| session.renderer.capture(&session.frame, View::Depth, true));
        match shown.and_then(|_| session.renderer.share_depth()) {
            Ok(()) => panic!("{place}: nothing that is compiled reads this file"),
            Err(error) => assert!(error.to_string().contains(&place), "{place} is not named by:\n{error}"),
        }
        fs::write(&file, good).expect("written");
    }
    let noise = shaders.path().join("include/noise.glsl");
    let good = fs::read_to_string(&noise).expect("text");
    fs::remove_file(&noise).expect("removed");
    let error = session.renderer.use_shaders(read(shaders.path())).expect_err("a file is missing");
    assert!(error.to_string().contains("shaders/include/noise.glsl"), "{error}");
    let complaints = debug::complaints(&session.context.gl());
    assert!(complaints.iter().all(|c| c.contains("error: ")), "of the compiler alone: {complaints:?}");
    assert_eq!(picture(&mut session), before, "after all these the last good shaders draw the same picture");

    fs::write(&noise, good).expect("written");
    session.renderer.set_stereo(Stereo::Off).expect("one eye");
    let tonemap = shaders.path().join("tonemap.frag.glsl");
    let text = fs::read_to_string(&tonemap).expect("text");
    let end = text.rfind('}').expect("the end of main");
    fs::write(&tonemap, format!("{}color = vec4(1.0, 0.0, 0.0, 1.0);\n}}\n", &text[..end])).expect("written");
    session.renderer.use_shaders(read(shaders.path())).expect("it compiles");
    assert!(picture(&mut session).chunks_exact(4).all(|p| p == [255, 0, 0, 255]), "what was edited is drawn");
    assert_clean(&session);
}

fn any_size_is_drawn() {
    let mut session = session(&options("open_blue", (64, 36), &[]));
    let home = picture(&mut session);
    for size in [(1, 1), (1, 40), (3, 7), (161, 91), (17, 200), (319, 179)] {
        session.renderer.resize(size).expect("resized");
        let drawn = picture(&mut session);
        assert_eq!(drawn.len(), 4 * (size.0 * size.1) as usize);
        let lit = drawn.chunks_exact(4).filter(|p| p[0].max(p[1]).max(p[2]) > 8).count();
        assert!(lit * 2 > drawn.len() / 4, "{size:?} is mostly black");
        assert_clean(&session);
    }
    for none in [(0, 0), (0, 50), (50, 0)] {
        session.renderer.resize(none).expect("ignored");
        assert_eq!(picture(&mut session).len(), 4 * 319 * 179, "{none:?} is a minimised window");
    }
    session.renderer.resize((64, 36)).expect("resized");
    assert_eq!(picture(&mut session), home, "back at the first size it is the first picture");
    assert_clean(&session);
}

/// Most that textures and buffers of the reef, the richest scene, may take at 1280 x 720, by tier.
const MAX_MEMORY_MIB: [(Quality, u64); 2] = [(Quality::High, 512), (Quality::Ultra, 1024)];

fn graphics_memory_keeps_within_its_budget_and_is_given_back() {
    for (quality, most) in MAX_MEMORY_MIB {
        let mut session = session(&options("reef", (1280, 720), &[&format!("render.quality={quality}")]));
        picture(&mut session);
        let gl = session.context.gl();
        let held = gl.memory();
        say(&format!("reef at {quality}, 1280 x 720: {} MiB of textures and buffers", held >> 20));
        assert!(held >> 20 <= most, "{} MiB at {quality}", held >> 20);

        let texture = Texture2d::new(&gl, "a texture", (256, 64), Format::Rgba8, Filter::Linear, Wrap::Clamp, None);
        let buffer = Buffer::fixed(&gl, "a buffer", BufferKind::Vertices, &[0; 999]);
        assert_eq!(gl.memory(), held + 4 * 256 * 64 + 999);
        drop((texture, buffer));
        assert_eq!(gl.memory(), held);
        session.renderer.resize((64, 36)).expect("resized");
        assert!(gl.memory() < held / 2 + held / 4, "its targets are smaller: {} MiB", gl.memory() >> 20);
        assert_clean(&session);
    }
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    every_tier_and_view_is_drawn_without_a_complaint;
    drawing_compiles_nothing;
    pictures_in_a_hurry_lack_something_and_then_nothing;
    what_is_read_back_lacks_nothing_even_in_a_hurry;
    a_change_shows_once_it_is_committed_and_never_if_it_fails;
    mip_maps_made_in_one_pass_are_those_of_a_box_filter;
    the_driver_is_heard_when_it_complains;
    a_uniform_that_nobody_sets_is_an_error_while_developing;
    a_mistake_in_any_shader_is_named_by_file_and_line_and_the_last_picture_stays;
    any_size_is_drawn;
    graphics_memory_keeps_within_its_budget_and_is_given_back;
};
