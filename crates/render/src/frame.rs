//! The frame, top to bottom.

mod capture;
mod change;
mod radiance;

use std::cell::RefCell;
use std::rc::Rc;

use gl::{Filter, Format, Gl, Pending, Procedural, RenderTarget, TargetFormat, Wrap, present, present_part, submit};
use glam::{Mat4, Vec3};
use math::{Join, serial};
use ocean::Sample;
use view::{Camera, Instance, PicturePart, RenderScene, SceneFeatures};

use crate::constants::SURFACE_FADE;
use crate::cull::{Frustum, Levels, Visible, gather_cover};
use crate::debug_view::View;
use crate::deferred::DeferredPrograms;
use crate::exposure::{self, Exposure};
use crate::frame_stats::FrameStats;
use crate::frame_uniforms::{FrameBlock, FrameUniforms, clip_from_world};
use crate::pass_cache::{PassCache, PassMaker};
use crate::pass_clock::PassClock;
use crate::passes::{
    AnaglyphPass, AntialiasPass, BackdropPass, BatchParameters, BloomPass, CausticsPass, ContactPass, DepthPass,
    EyeSide, Gathered, InView, LightMaps, MeshPass, ParticlesPass, SceneImages, SeabedPass, ShadowPass, ShaftsPass,
    SurfacePass, TestPatchesPass, TonemapPass, WaterPass, WaveMap, WaveMaps, WavesPass, lamp_shadow_from_world,
    sun_shadow_from_world,
};
use crate::plan::{FramePlan, PlanInputs};
use crate::setup::{Setup, check};
use crate::static_scene::GpuStaticScene;
use crate::{PostSettings, RenderError, RenderSettings, ShaderSource, Stereo};

pub use capture::{Capture, FrameMean};
pub use change::{PendingChange, Prepared, RenderChange};

/// Attenuation lengths that leave 0.4 % of a contrast: nothing is seen beyond.
const VISIBLE_LENGTHS: f32 = 5.5;

/// Size at which a coarser level of a colony on rock is drawn, over that of other things: nobody looks at one alone,
/// but its outline must be round at 60 pixels. By eye.
const COVER_LOD: f32 = 1.4;

/// Draws frames. Everything it owns lives in the context that was current when it was made.
pub struct Renderer {
    gl: Gl,
    clock: RefCell<PassClock>,
    frame: FrameBlock,
    quads: Procedural,
    cache: PassCache,
    setup: Setup,
    passes: Passes,
    /// Objects that the driver was asked for and has not answered about.
    asked: RefCell<Vec<Rc<dyn Pending>>>,
    visible: RefCell<VisibleBatches>,
    /// Copies depth for others, once somebody has asked for that.
    shared_depth: Option<DepthPass>,
    /// Exposure that a viewer has adapted to, in place of one for each picture by itself.
    eased: Option<Exposure>,
    /// Threads that help to cull and to pack.
    join: Join,
}

/// All passes of a plan with their targets.
struct Passes {
    /// Radiance and depth of the scene.
    scene: Rc<RenderTarget>,
    waves: WavesPass,
    caustics: CausticsPass,
    shadow: ShadowPass,
    meshes: MeshPass,
    seabed: SeabedPass,
    contact: Option<ContactPass>,
    surface: Option<SurfacePass>,
    backdrop: Option<BackdropPass>,
    water: WaterPass,
    test_patches: TestPatchesPass,
    particles: Option<ParticlesPass>,
    shafts: Option<ShaftsPass>,
    bloom: Option<BloomPass>,
    tonemap: TonemapPass,
    antialias: Option<AntialiasPass>,
    anaglyph: Option<AnaglyphPass>,
}

/// Maps that were drawn for both eyes.
struct Shared<'a> {
    waves: WaveMaps<'a>,
    light: LightMaps<'a>,
}

/// Instances in view, batch by batch.
#[derive(Default)]
struct VisibleBatches {
    /// Frustum of the eye; the initial one holds nothing.
    view: Frustum,
    creatures: Vec<Visible>,
    props: Vec<Visible>,
    cover: Vec<VisibleCover>,
}

/// Colonies of one kind near the eye.
#[derive(Default)]
struct VisibleCover {
    near: Vec<Instance>,
    visible: Visible,
}

impl Renderer {
    /// Asks for shaders and targets of a scene that has `features`, so that the driver begins on them. Failures are
    /// reported by the first change that is prepared, that of the scene: nothing can be drawn before.
    ///
    /// `software` says that the renderer runs on the CPU; `extent` is the output's width and height in pixels. A scene
    /// that turns out to have other features is drawn as well, with shaders that are compiled for it.
    ///
    /// # Errors
    /// If the driver refuses an object at once.
    pub fn new(
        gl: Gl,
        software: bool,
        extent: (u32, u32),
        wanted: (&PostSettings, &RenderSettings, SceneFeatures),
    ) -> Result<Self, RenderError> {
        Self::of(gl, (software, extent), wanted, DeferredPrograms::default())
    }

    /// A renderer that draws its first pictures soon: programs that these can do without are compiled after them, some
    /// a frame, in the order in which they are missed. Until then a few more general programs stand in for those of
    /// models, and some effects are left out.
    ///
    /// Pictures that are read back ([`Self::capture`] and the like) lack nothing. A failure of a program after the
    /// first picture is logged, and its effect stays as it was.
    ///
    /// # Errors
    /// As for [`Self::new`].
    pub fn with_deferred_compilation(
        gl: Gl,
        software: bool,
        extent: (u32, u32),
        wanted: (&PostSettings, &RenderSettings, SceneFeatures),
    ) -> Result<Self, RenderError> {
        Self::of(gl, (software, extent), wanted, DeferredPrograms::new(true))
    }

    fn of(
        gl: Gl,
        (software, extent): (bool, (u32, u32)),
        (post, render, features): (&PostSettings, &RenderSettings, SceneFeatures),
        missed: DeferredPrograms,
    ) -> Result<Self, RenderError> {
        let mut setup = Setup::new(software, extent, post, render);
        (setup.features, setup.missed) = (features, Rc::new(missed));
        setup.plan = FramePlan::new(&setup.plan_inputs());
        let cache = PassCache::default();
        let (passes, asked) = setup.ask(&gl, &cache, |make| Passes::new(make, setup.stereo, &setup.static_scene))?;
        Ok(Self {
            clock: RefCell::new(PassClock::new(&gl)),
            frame: FrameBlock::new(&gl)?,
            quads: Procedural::new(&gl)?,
            passes,
            asked: RefCell::new(asked),
            cache,
            setup,
            visible: RefCell::default(),
            shared_depth: None,
            eased: None,
            join: serial,
            gl,
        })
    }

    /// Lends threads by `join` to what a frame does on the CPU; pictures are the same by any.
    pub fn set_join(&mut self, join: Join) {
        self.join = join;
    }

    /// Picture and quality in use.
    pub fn settings(&self) -> (&PostSettings, &RenderSettings) {
        (&self.setup.post, &self.setup.render)
    }

    /// Layout of two eyes' pictures in the output.
    pub fn stereo(&self) -> Stereo {
        self.setup.stereo
    }

    /// The shaders in use.
    pub fn shaders(&self) -> &ShaderSource {
        &self.setup.source
    }

    /// Exposes what is drawn from now on for a viewer who has looked on for `elapsed_s` since the last frame; with
    /// `None` each picture is exposed for itself again.
    pub fn ease_exposure(&mut self, scene: &RenderScene, elapsed_s: Option<f64>) {
        let aim = exposure::adapt(scene, &self.setup.post);
        self.eased = elapsed_s.map(|elapsed_s| self.eased.map_or(aim, |shown| shown.toward(aim, elapsed_s)));
    }

    /// Inputs of the plan of a frame.
    pub fn plan_inputs(&self) -> PlanInputs {
        self.setup.plan_inputs()
    }

    /// Clock that times the passes of a frame.
    pub fn clock(&mut self) -> &mut PassClock {
        self.clock.get_mut()
    }

    /// Prepares for targets of depth in [`Self::draw_with_depth`], with the shaders that are in use now.
    ///
    /// # Errors
    /// If the shader fails.
    pub fn share_depth(&mut self) -> Result<(), RenderError> {
        self.shared_depth = Some(self.setup.make(&self.gl, &self.cache, DepthPass::new)?);
        Ok(())
    }

    /// Draws one frame into `output` (`None`: the window's own framebuffer).
    ///
    /// Features of the scene that the renderer was not told of (see [`SceneFeatures`]) are left out.
    ///
    /// # Panics
    /// If the scene is not of the static scene that was loaded: a caller's bug.
    pub fn draw(&mut self, scene: &RenderScene, output: Option<&RenderTarget>) -> FrameStats {
        self.draw_with_depth(scene, output, None)
    }

    /// Draws one frame like [`Self::draw`], and the depth of what is not transparent into the same parts of `depth`, if
    /// [`Self::share_depth`] has prepared for that.
    ///
    /// # Panics
    /// Panics of [`Self::draw`].
    pub fn draw_with_depth(
        &mut self,
        scene: &RenderScene,
        output: Option<&RenderTarget>,
        depth: Option<&RenderTarget>,
    ) -> FrameStats {
        let mut stats = FrameStats::default();
        self.setup.missed.begin_frame();
        self.clock.get_mut().begin_frame();
        let Setup { stereo, output: extent, .. } = self.setup;
        self.draw_eyes(scene, View::Final, &mut stats, |images, number| {
            let part = stereo.shown_part(&scene.headset, number, extent);
            let target = self.passes.anaglyph.as_ref().map(|pass| pass.eye(number));
            self.tone_map(images, part, target.or(output));
            if let Some((depth, pass)) = depth.zip(self.shared_depth.as_ref()) {
                self.pass("depth");
                depth.begin_part(part.corner, part.extent);
                if number == 0 {
                    depth.clear_depth();
                }
                pass.draw(images.depth, &self.quads);
            }
        });
        if let Some(anaglyph) = &self.passes.anaglyph {
            present(&self.gl, output, self.setup.output);
            anaglyph.draw(&self.quads);
        }
        self.clock.get_mut().end_frame();
        stats.lacking = self.setup.missed.end_frame();
        stats
    }

    /// Draws an empty scene once all that [`Self::new`] has asked for is compiled, and returns whether it has: a
    /// software renderer compiles shaders once more as they are first drawn with, and does so while the scene is made.
    ///
    /// # Errors
    /// If a shader has failed or the driver has refused an object.
    pub fn warm_up(
        &mut self,
        empty: impl FnOnce() -> RenderScene,
        output: Option<&RenderTarget>,
    ) -> Result<bool, RenderError> {
        let is_answered = self.asked.borrow().iter().all(|asked| asked.is_answered());
        if is_answered {
            check(&self.gl, &self.asked.take())?;
            self.draw(&empty(), output);
        }
        Ok(is_answered)
    }

    /// Draws the view of each eye, the left one's first, and has `finish` make a picture of it, with its number.
    fn draw_eyes(
        &self,
        scene: &RenderScene,
        view: View,
        stats: &mut FrameStats,
        mut finish: impl FnMut(&SceneImages<'_>, usize),
    ) {
        let stereo = self.setup.stereo;
        let shadow_from_world = self.shadow_from_world(scene, &scene.camera);
        let mut shared = None;
        self.clock.borrow_mut().cull();
        if let Some(view) = stereo.cameras(scene).map(|eye| self.frustum(scene, &eye)).reduce(Frustum::with) {
            self.cull(scene, view);
        }
        let visible = self.visible.borrow();
        let mut gathered = None;
        for (number, eye) in stereo.cameras(scene).enumerate() {
            self.bind_eye((scene, &eye), &shadow_from_world, stats);
            // Waves and their light are the same for both, made once the first one's block is bound.
            let shared = shared.get_or_insert_with(|| self.draw_shared(scene, view, &shadow_from_world, stats));
            // Gathered while the driver is busy with those.
            let gathered = gathered.get_or_insert_with(|| self.gather(scene, &visible, stats));
            let images = self.draw_eye((scene, &eye), (shared, gathered), stats);
            finish(&images, number);
        }
    }

    /// Draws the radiance of the scene at an eye of its own: finds what that sees, and draws what it shares with those
    /// after it, unless that is there.
    fn draw_alone<'s>(
        &'s self,
        (scene, eye): (&RenderScene, &Camera),
        shadow_from_world: &Mat4,
        shared: &mut Option<Shared<'s>>,
        stats: &mut FrameStats,
    ) -> SceneImages<'s> {
        self.clock.borrow_mut().cull();
        self.cull(scene, self.frustum(scene, eye));
        self.bind_eye((scene, eye), shadow_from_world, stats);
        let shared = shared.get_or_insert_with(|| self.draw_shared(scene, View::Final, shadow_from_world, stats));
        let visible = self.visible.borrow();
        let gathered = self.gather(scene, &visible, stats);
        self.draw_eye((scene, eye), (shared, &gathered), stats)
    }

    /// Gathers the instances in view and sends them to the driver.
    fn gather<'v>(
        &'v self,
        scene: &'v RenderScene,
        visible: &'v VisibleBatches,
        stats: &mut FrameStats,
    ) -> Gathered<'v> {
        self.pass("creatures and props");
        let models = &self.setup.static_scene.models;
        self.passes.meshes.gather(models, (self.batches(scene, visible), self.join), stats)
    }

    /// The wave maps of the frame last drawn, longest waves first.
    pub fn waves(&self) -> Vec<WaveMap> {
        self.passes.waves.read()
    }

    fn pass(&self, name: &'static str) {
        self.clock.borrow_mut().pass(name);
    }

    /// Draws the maps that do not depend on the eye: waves, caustics, shadows.
    fn draw_shared(
        &self,
        scene: &RenderScene,
        view: View,
        shadow_from_world: &Mat4,
        stats: &mut FrameStats,
    ) -> Shared<'_> {
        let Self { setup, passes, quads, .. } = self;
        let plan = &setup.plan;
        self.pass("waves");
        let waves = passes.waves.draw(scene, quads);
        self.pass("caustics");
        let caustics = match plan.caustics || view == View::Caustics {
            true => passes.caustics.draw(&waves, scene.seabed_depth_m, scene.light.to_key_light_air, quads),
            false => passes.caustics.maps(),
        };
        self.pass("shadow");
        let shadow_map = match plan.shadows || view == View::Shadow {
            true => {
                let visible = self.visible.borrow();
                let casters = self.casters(scene, &visible);
                passes.shadow.draw(&setup.static_scene.models, casters, (shadow_from_world, visibility_m(scene)), stats)
            }
            false => passes.shadow.map(),
        };
        Shared { waves, light: LightMaps { caustics, shadow_map } }
    }

    /// Draws the radiance of the scene at an eye.
    fn draw_eye(
        &self,
        (scene, eye): (&RenderScene, &Camera),
        (shared, gathered): (&Shared<'_>, &Gathered<'_>),
        stats: &mut FrameStats,
    ) -> SceneImages<'_> {
        let Shared { waves, light } = shared;
        let Self { setup, passes, quads, .. } = self;
        let (plan, GpuStaticScene { models, ground, .. }) = (&setup.plan, &*setup.static_scene);
        let view = self.visible.borrow().view;
        self.pass("creatures and props");
        let target = &*passes.scene;
        target.begin();
        // The water covers all pixels that nothing else does.
        target.clear_depth();
        passes.meshes.draw(models, gathered, (light, ground.as_ref()), stats);
        self.pass("seabed");
        if let Some(ground) = ground {
            passes.seabed.draw(ground, &view, light, stats);
        }
        submit(&self.gl);
        if let Some(contact) = &passes.contact {
            self.pass("contact");
            contact.draw(target, light.shadow_map, quads);
        }

        // From above the surface lets through all that lies behind it, the water too: then it comes last.
        let side = EyeSide::of(eye, waves.reach_m);
        self.pass("surface");
        if side == EyeSide::Below {
            self.draw_surface(side, scene, shared, stats);
        }
        self.pass("test patches");
        passes.test_patches.draw(scene, plan.extent, quads);
        self.pass("water");
        passes.water.draw(side, waves, eye.far, quads);
        if side == EyeSide::Above {
            self.pass("surface");
            self.draw_surface(side, scene, shared, stats);
        }
        self.pass("transparent");
        passes.meshes.draw_transparent(models, gathered, (light, ground.as_ref()), stats);
        self.pass("particles");
        if let Some(particles) = &passes.particles {
            let surface = passes.surface.as_ref().map(|_| (waves, light.caustics.caustic_map));
            particles.draw(scene, surface, quads, stats);
        }

        let (color, depth) = (target.color(0), target.depth());
        self.pass("shafts");
        let shafts = passes.shafts.as_ref().filter(|_| passes.tonemap.takes_shafts());
        let shafts = shafts.and_then(|pass| pass.draw(depth, light, quads));
        self.pass("bloom");
        let soft = passes.bloom.as_ref().map(|pass| pass.draw(color, quads));
        SceneImages { color, depth, shafts, soft }
    }

    /// Matrix from world space to the shadow map: of the lamp that casts shadows, or of the sun about `camera`.
    fn shadow_from_world(&self, scene: &RenderScene, camera: &Camera) -> Mat4 {
        let of_sun =
            || sun_shadow_from_world(camera, scene.light.to_key_light_water, self.setup.plan.detail.shadow_map);
        scene.shadow_lamp().map_or_else(of_sun, lamp_shadow_from_world)
    }

    /// Binds the uniforms of an eye, which all shaders read.
    fn bind_eye(&self, (scene, eye): (&RenderScene, &Camera), shadow_from_world: &Mat4, stats: &mut FrameStats) {
        let plan = &self.setup.plan;
        debug_assert!(plan.features.include(SceneFeatures::of(scene)), "the renderer was not told what the scene has");
        // The exposure is that of the scene's own camera, between the eyes.
        let adapted = self.eased.unwrap_or_else(|| exposure::adapt(scene, &self.setup.post));
        let post = (&self.setup.post, adapted);
        let uniforms = FrameUniforms::of((scene, eye), post, *shadow_from_world, plan.extent);
        stats.refused += u32::from(self.frame.upload(&uniforms).is_err());
    }

    /// Draws the sea surface, if the plan has one, and before it the copy of the scene that it mirrors.
    fn draw_surface(&self, side: EyeSide, scene: &RenderScene, shared: &Shared<'_>, stats: &mut FrameStats) {
        let Some(surface) = &self.passes.surface else { return };
        let target = &self.passes.scene;
        let backdrop = self.passes.backdrop.as_ref().map(|pass| pass.draw(target, &self.quads));
        target.begin();
        // No light of any colour reaches farther.
        let [slow, fast] = scene.daylight.parts.map(|part| part.attenuation.min_element());
        let reach_m = -SURFACE_FADE.x.ln() / slow.min(fast).max(1e-3);
        let view = &self.visible.borrow().view;
        let Shared { waves, light } = shared;
        let mirrored = (backdrop, light.caustics.caustic_map);
        surface.draw((side, view, reach_m), (waves, scene.waves.wind), mirrored, stats);
    }

    /// Makes display pixels of the scene's radiance in a part of `output`.
    fn tone_map(&self, images: &SceneImages<'_>, part: PicturePart, output: Option<&RenderTarget>) {
        let begin = || present_part(&self.gl, output, part.corner, part.extent);
        self.pass("tone map");
        let antialias = self.passes.antialias.as_ref();
        match antialias {
            Some(antialias) => antialias.begin(),
            None => begin(),
        }
        self.passes.tonemap.draw(images, &self.quads);
        if let Some(antialias) = antialias {
            self.pass("antialias");
            begin();
            antialias.draw(&self.quads);
        }
    }

    /// Batches that may cast shadows, as model and instances.
    fn casters<'s>(
        &'s self,
        scene: &'s RenderScene,
        visible: &'s VisibleBatches,
    ) -> impl Iterator<Item = (usize, &'s [Instance])> {
        let GpuStaticScene { props, cover, .. } = &*self.setup.static_scene;
        let creatures = scene.batches.iter().map(|b| (b.model, b.instances.as_slice()));
        let props = props.iter().map(|b| (b.model, b.instances.as_slice()));
        let cover = cover.iter().zip(&visible.cover).map(|(b, near)| (b.model, near.near.as_slice()));
        creatures.chain(props).chain(cover)
    }

    /// Instances in view, batch by batch.
    fn batches<'s>(&'s self, scene: &'s RenderScene, visible: &'s VisibleBatches) -> impl Iterator<Item = InView<'s>> {
        let creatures = scene.batches.iter().zip(&visible.creatures).map(|(b, visible)| InView {
            model: b.model,
            batch: BatchParameters { sway: 0.0, ground_line: 0.0, batch_emissive: b.emissive },
            instances: &b.instances,
            visible,
        });
        let staying = |sway, ground_line| BatchParameters { sway, ground_line, batch_emissive: Vec3::ZERO };
        let props = self.setup.static_scene.props.iter().zip(&visible.props).map(move |(b, visible)| InView {
            model: b.model,
            batch: staying(b.sway, b.ground_line),
            instances: &b.instances,
            visible,
        });
        let cover = self.setup.static_scene.cover.iter().zip(&visible.cover).map(move |(b, v)| InView {
            model: b.model,
            batch: staying(b.sway, b.ground_line),
            instances: &v.near,
            visible: &v.visible,
        });
        creatures.chain(props).chain(cover)
    }

    /// Volume that an eye sees of a scene.
    fn frustum(&self, scene: &RenderScene, eye: &Camera) -> Frustum {
        let extent = self.setup.plan.extent;
        Frustum::new(eye, clip_from_world(eye, extent), extent.1 as f32, visibility_m(scene).min(eye.far))
    }

    /// Fills the lists of what is in view.
    fn cull(&self, scene: &RenderScene, view: Frustum) {
        let (plan, fixed) = (&self.setup.plan, &self.setup.static_scene);
        let fill_at = |lod_scale: f32, model: usize, instances: &[Instance], visible: &mut Visible| {
            let levels = Levels { scale: lod_scale, distant: plan.distant };
            visible.fill(&fixed.models.models[model].outline, instances, &view, (levels, self.join));
        };
        let fill = |model: usize, instances: &[Instance], visible: &mut Visible| {
            fill_at(plan.detail.lod_scale, model, instances, visible);
        };
        let VisibleBatches { view: of_eye, creatures, props, cover } = &mut *self.visible.borrow_mut();
        *of_eye = view;
        creatures.resize(scene.batches.len(), Visible::default());
        props.resize(fixed.props.len(), Visible::default());
        for (batch, visible) in scene.batches.iter().zip(creatures) {
            fill(batch.model, &batch.instances, visible);
        }
        for (batch, visible) in fixed.props.iter().zip(props) {
            fill(batch.model, &batch.instances, visible);
        }
        cover.resize_with(fixed.cover.len(), VisibleCover::default);
        for (batch, VisibleCover { near, visible }) in fixed.cover.iter().zip(cover.iter_mut()) {
            gather_cover(
                &fixed.models.models[batch.model].outline,
                batch,
                (view.eye(), plan.detail.cover_reach_m),
                near,
            );
            fill_at(COVER_LOD * plan.detail.lod_scale, batch.model, near, visible);
        }
    }
}

/// Distance beyond which nothing is seen in the water. Unit: m.
fn visibility_m(scene: &RenderScene) -> f32 {
    VISIBLE_LENGTHS / scene.medium.mean(Sample::attenuation).min_element().max(1e-3)
}

impl Passes {
    fn new(make: &PassMaker<'_>, stereo: Stereo, scene: &GpuStaticScene) -> Result<Self, RenderError> {
        let plan = make.plan;
        // Filtering is a mere cost if each texel is read once and in its middle.
        let is_read_between = plan.extent != plan.output || plan.bloom || plan.local_tones || plan.reflections;
        let filter = if is_read_between { Filter::Linear } else { Filter::Nearest };
        let radiance = (Format::Rgba16F, filter, Wrap::Clamp);
        let format = TargetFormat { colors: &[radiance], depth: Some(Filter::Nearest) };
        Ok(Self {
            scene: make.target("scene", plan.extent, &format)?,
            waves: WavesPass::new(make)?,
            caustics: CausticsPass::new(make)?,
            shadow: ShadowPass::new(make, scene)?,
            meshes: MeshPass::new(make, scene)?,
            seabed: SeabedPass::new(make)?,
            contact: plan.contact.then(|| ContactPass::new(make)).transpose()?,
            surface: plan.surface.then(|| SurfacePass::new(make)).transpose()?,
            backdrop: plan.reflections.then(|| BackdropPass::new(make)).transpose()?,
            water: WaterPass::new(make)?,
            test_patches: TestPatchesPass::new(make)?,
            particles: plan.particles.then(|| ParticlesPass::new(make)).transpose()?,
            shafts: plan.shafts.then(|| ShaftsPass::new(make)).transpose()?,
            bloom: (plan.bloom || plan.local_tones).then(|| BloomPass::new(make)).transpose()?,
            tonemap: TonemapPass::new(make)?,
            antialias: plan.antialias.then(|| AntialiasPass::new(make)).transpose()?,
            anaglyph: (stereo == Stereo::Anaglyph).then(|| AnaglyphPass::new(make, false)).transpose()?,
        })
    }
}
