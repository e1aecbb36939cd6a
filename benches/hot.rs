//! Micro-benchmarks of what runs often or long: `cargo bench`, or one group by name, `cargo bench -- flock`.
//!
//! They need neither a display nor OpenGL. Of frames, see `pelagic bench`.

use std::ffi::OsString;
use std::hint::black_box;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use glam::Vec3;
use math::beside;
use ms3d::Limits;
use pelagic::bench::run::Submitted;
use pelagic::bench::{BenchError, Plan, Subject, measure};
use pelagic::config;
use pelagic::gl;
use pelagic::model::animation::{palette, pose};
use pelagic::model::export::{self, Target};
use pelagic::model::import::import;
use pelagic::model::{Files, ModelRequest};
use pelagic::ocean::{self, WavesSettings};
use pelagic::render::{FrameStats, Frustum, Renderer};
use pelagic::runtime::files::load_model;
use pelagic::runtime::threads;
use pelagic::scene::World;
use pelagic::view::{Camera, RenderScene, SceneFeatures};

#[path = "../crates/mdl/tests/sample/mod.rs"]
mod sample;

/// The built-in model with the most bytes.
fn largest_model() -> (&'static str, &'static [u8]) {
    let all = assets::models().filter_map(|name| Some((name, assets::read(&format!("{name}.ms3d")).ok()?)));
    all.max_by_key(|(_, bytes)| bytes.len()).expect("there are built-in models")
}

/// The built-in animated model with the most joints.
fn most_joints() -> pelagic::model::LoadedModel {
    let loaded = assets::models().filter_map(|name| load_model(&ModelRequest::new(format!("builtin:{name}"))).ok());
    loaded.max_by_key(|loaded| loaded.model.skeleton.joints.len()).expect("there are built-in models")
}

fn models(criterion: &mut Criterion) {
    let (name, bytes) = largest_model();
    let mut group = criterion.benchmark_group("ms3d");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function(format!("read {name}"), |b| {
        b.iter(|| ms3d::read(black_box(bytes), &Limits::default()).expect("it is fine"));
    });
    group.finish();
    other_formats(criterion);

    let loaded = most_joints();
    let (skeleton, clips) = (&loaded.model.skeleton, &loaded.clips);
    let mut group = criterion.benchmark_group("animation");
    group.throughput(Throughput::Elements(skeleton.joints.len() as u64));
    let mut time_s = 0.0;
    group.bench_function(format!("pose of {} joints", skeleton.joints.len()), |b| {
        b.iter(|| {
            time_s = (time_s + 0.013) % 1.0;
            pose(black_box(skeleton), time_s)
        });
    });
    group.bench_function(format!("palette of {}", loaded.model.name), |b| {
        b.iter(|| palette::bake(black_box(skeleton), black_box(clips), palette::ROWS_PER_SECOND));
    });
    group.finish();
}

/// The file that is measured, without textures beside it.
struct Alone<'a>(&'a [u8]);

impl Files for Alone<'_> {
    fn read(&self, _: &Path, _: u64) -> io::Result<Vec<u8>> {
        Ok(self.0.to_vec())
    }

    fn names(&self, _: &Path) -> Vec<OsString> {
        Vec::new()
    }
}

/// glTF files to meshes and keys, MDL files to data.
fn other_formats(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("gltf");
    for name in [largest_model().0, "green_turtle"] {
        let bytes = assets::read(&format!("{name}.ms3d")).expect("it is built in");
        let request = ModelRequest::new(name);
        let posed = |skeleton: &_, time_s| pose(skeleton, time_s).model_from_rest;
        let glb =
            export::export(&request, Path::new(name), Target::Glb, &Alone(bytes), &posed).expect("it is fine").bytes;
        group.throughput(Throughput::Bytes(glb.len() as u64));
        group.bench_function(format!("read {name}"), |b| {
            b.iter(|| import(&request, black_box(&glb), Path::new(name), &Alone(&[]), &[]).expect("it is fine"));
        });
    }
    group.finish();

    let mut group = criterion.benchmark_group("mdl");
    for (what, model) in [("a small model", &sample::sample().model), ("a large model", &sample::large())] {
        group.throughput(Throughput::Bytes(model.len() as u64));
        group.bench_function(format!("read {what}"), |b| {
            b.iter(|| {
                let mut none = |_| Err(String::new());
                mdl::read(black_box(model), &mdl::Limits::default(), &mut none).expect("it is fine")
            });
        });
    }
    group.finish();
}

fn flock(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("flock");
    for fish in [500_u32, 10_000, 100_000] {
        let mut config = config::load("reef", &[]).expect("the built-in scenes are fine").config;
        config.set_fish_count(fish).expect("the reef has fish");
        let mut world = World::new(&config.scene, 1, load_model, threads::join).expect("the reef can be made");
        // Schools have formed after a second.
        (0..60).for_each(|_| world.step());
        group.throughput(Throughput::Elements(u64::from(fish)));
        group.bench_function(format!("step of {fish}"), |b| b.iter(|| world.step()));
        let camera = Camera::look_at(Vec3::new(0.0, -3.0, 0.0), Vec3::NEG_Z, 1.0);
        let mut frame = RenderScene::default();
        group.bench_function(format!("extract {fish}"), |b| b.iter(|| world.extract(0.5, camera, &mut frame)));
    }
    group.finish();
}

/// The processor's part of a frame, from the step to the calls of a driver that does nothing with them: in turn, and with
/// the next step beside the drawing.
fn frame(criterion: &mut Criterion) {
    gl::null::leave_uploads();
    let mut group = criterion.benchmark_group("frame");
    for fish in [10_000, 100_000] {
        let set = ["render.quality=low".to_owned()];
        let mut config = config::load("reef", &set).expect("the built-in scenes are fine").config;
        config.set_fish_count(fish).expect("the reef has fish");
        let mut world = World::new(&config.scene, 1, load_model, threads::join).expect("the reef can be made");
        (0..60).for_each(|_| world.step());
        let camera = world.first_view();
        let mut moment = RenderScene::default();
        world.extract(1.0, camera, &mut moment);
        let wanted = (&config.post, &config.render, SceneFeatures::of(&moment));
        let driver = gl::faults::counted(gl::null::load);
        let mut renderer = Renderer::new(driver, false, (1280, 720), wanted).expect("the driver refuses nothing");
        renderer.set_join(threads::join_drawing);
        renderer.load(world.static_scene(), SceneFeatures::of(&moment)).expect("the driver refuses nothing");
        group.throughput(Throughput::Elements(fish.into()));
        group.bench_function(format!("of {fish} in turn"), |b| {
            b.iter(|| {
                world.step();
                world.extract(1.0, camera, &mut moment);
                renderer.draw(&moment, None)
            });
        });
        group.bench_function(format!("of {fish}"), |b| {
            b.iter(|| {
                world.extract(1.0, camera, &mut moment);
                beside(threads::beside, || world.step(), || renderer.draw(&moment, None))
            });
        });
    }
    group.finish();
}

fn sea(criterion: &mut Criterion) {
    let settings = WavesSettings::default();
    criterion.bench_function("ocean/spectrum", |b| b.iter(|| ocean::wave_field(black_box(&settings), 8.0, 1)));
    let waves = ocean::wave_field(&settings, 8.0, 1);
    let mut time_s = 0.0;
    criterion.bench_function("ocean/surge", |b| {
        b.iter(|| {
            time_s += 1.0 / 60.0;
            ocean::surge(black_box(&waves), 8.0, time_s)
        });
    });
}

fn culling(criterion: &mut Criterion) {
    let camera = Camera::look_at(Vec3::new(0.0, -3.0, 0.0), Vec3::new(0.0, -3.0, -1.0), 1.0);
    let clip_from_world = camera.clip_from_view(16.0 / 9.0) * camera.view_from_world();
    let view = Frustum::new(&camera, clip_from_world, 720.0, 40.0);
    // A grid all round the camera, most of it out of view, as in a scene.
    let side = |i: i32| 2.0 * i as f32;
    let spheres: Vec<Vec3> =
        (0..10_000).map(|i| Vec3::new(side(i % 50 - 25), side(i / 50 % 4 - 4), side(i / 200 - 25))).collect();
    let mut group = criterion.benchmark_group("culling");
    group.throughput(Throughput::Elements(spheres.len() as u64));
    group.bench_function("10000 spheres", |b| {
        b.iter(|| spheres.iter().filter(|center| view.intersects_sphere(black_box(**center), 0.3)).count());
    });
    group.finish();
}

/// A scene that takes no time at all: what is left is the recording.
struct Nothing;

impl Subject for Nothing {
    fn restart(&mut self) -> Result<(), BenchError> {
        Ok(())
    }
    fn simulate(&mut self) {}
    fn extract(&mut self, _frame: u32) {}
    fn draw(&mut self) -> Submitted {
        black_box(Submitted { stats: FrameStats::default(), cull_ms: 0.0 })
    }
    fn end_frame(&mut self) -> Result<(), BenchError> {
        Ok(())
    }
    fn drain(&mut self) {}
    fn time_s(&self) -> f64 {
        0.0
    }
    fn state_hash(&self) -> u64 {
        0
    }
}

fn recording(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("recording");
    let plan = Plan::frames(0, 1000, 1);
    group.throughput(Throughput::Elements(1000));
    group.measurement_time(Duration::from_secs(3));
    let origin = Instant::now();
    group.bench_function("1000 frames of nothing", |b| {
        b.iter_batched(
            || Nothing,
            |mut subject| measure(&mut subject, &plan, &|| origin.elapsed(), &|| false, &mut |_| {}),
            BatchSize::SmallInput,
        );
    });
    group.finish();
}

criterion_group!(benches, models, flock, frame, sea, culling, recording);
criterion_main!(benches);
