//! The frame, top to bottom.

mod capture;

use std::path::Path;

use glam::Vec3;

use crate::gl::{Filter, Format, Gl, GlError, Procedural, RenderTarget, TargetFormat, Wrap, present, submit};
use crate::render::cull::{ViewVolume, Visible};
use crate::render::frame_uniforms::{FrameBlock, FrameUniforms};
use crate::render::models::GpuModels;
use crate::render::pass_clock::PassClock;
use crate::render::passes::{
    AntialiasPass, BackdropPass, BloomPass, CardsPass, CausticsPass, MeshInputs, MeshPass, Own, ParticlesPass, Place,
    SeabedPass, ShadowPass, ShaftsInputs, ShaftsPass, SurfacePass, TonemapInputs, TonemapPass, ViewPass, WaterPass,
    WaveMap, WavesPass,
};
use crate::render::shaders::ShaderSource;
use crate::render::{Effects, PostSettings, RenderSettings, Tier};
use crate::scene::{Instance, RenderScene, StaticBatch, StaticScene};

pub use capture::Capture;

/// The lowest ground over the mean depth: hills and slopes reach this far down before the water hides them.
const DEEPEST_RELIEF: f32 = 1.2;

/// Attenuation lengths that leave 0.4 % of a contrast: nothing is seen beyond.
const VISIBLE_LENGTHS: f32 = 5.5;

/// Radiance of the scene.
const SCENE_FORMAT: Format = Format::Rgba16F;

/// Draws frames. Everything it owns lives in the context that was current when it was made.
pub struct Renderer {
    gl: Gl,
    software: bool,
    post: PostSettings,
    render: RenderSettings,
    source: ShaderSource,
    rare: Rare,
    clock: PassClock,
    passes: Passes,
    kept: Vec<Kept>,
    targets: Targets,
    models: GpuModels,
    props: Vec<StaticBatch>,
    visible_creatures: Vec<Visible>,
    visible_props: Vec<Visible>,
}

/// What a frame shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// The finished picture.
    #[default]
    Final,
    /// Distance along the ray, metres.
    Depth,
    /// World-space normals, from the depth.
    Normal,
    /// The caustic map's slices side by side.
    Caustics,
    /// The sun shadow map.
    Shadow,
    /// Transmittance from what is seen to the eye.
    Transmittance,
    /// Radiance that the water scatters into the ray.
    Inscatter,
    /// Slopes of the sea surface overhead: the short patch, seen from above. Red is dy/dx, green dy/dz.
    Slope,
}

/// What was drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameStats {
    /// Draw calls.
    pub draws: u32,
    /// Triangles submitted.
    pub triangles: u64,
    /// Instances of creatures and props that passed the culling.
    pub visible: u32,
}

/// Why a renderer could not be made or changed.
pub type RenderError = GlError;

/// Every pass, compiled together so that a bad shader leaves the old ones in use.
struct Passes {
    frame: FrameBlock,
    quads: Procedural,
    waves: WavesPass,
    caustics: CausticsPass,
    shadow: ShadowPass,
    meshes: MeshPass,
    seabed: SeabedPass,
    surface: SurfacePass,
    water: WaterPass,
    cards: CardsPass,
    particles: ParticlesPass,
    tonemap: TonemapPass,
    view: ViewPass,
}

/// What few scenes have and all others' shaders do without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Rare {
    /// Artificial lights.
    lights: bool,
    /// A night sky clear enough for stars.
    stars: bool,
    /// White clouds.
    clouds: bool,
}

/// What other effects are drawn with.
struct Kept {
    features: Features,
    source: ShaderSource,
    passes: Passes,
}

/// What shaders may leave out, and whether they have it.
type Features = [(&'static str, bool); 12];

/// What depends on the output's size.
struct Targets {
    output: (u32, u32),
    scene: RenderTarget,
    shafts: ShaftsPass,
    bloom: BloomPass,
    antialias: Option<AntialiasPass>,
    backdrop: Option<BackdropPass>,
}

impl Renderer {
    /// Compiles the shaders and makes the targets.
    ///
    /// `software` says that the renderer runs on the CPU; `extent` is the output's width and height in pixels.
    ///
    /// # Errors
    /// If a shader fails or the driver refuses a target.
    pub fn new(
        gl: Gl,
        software: bool,
        extent: (u32, u32),
        post: &PostSettings,
        render: &RenderSettings,
    ) -> Result<Self, RenderError> {
        let tier = render.quality.tier(software);
        let source = ShaderSource::default().with(features(&tier, render.effects, Rare::default()));
        let passes = Passes::new(&gl, &source, &tier, &GpuModels::default())?;
        let targets = Targets::new(&gl, &source, extent, render.scale, &tier)?;
        Ok(Self {
            clock: PassClock::new(&gl),
            gl,
            software,
            post: post.clone(),
            render: render.clone(),
            source,
            rare: Rare::default(),
            passes,
            kept: Vec::new(),
            targets,
            models: GpuModels::default(),
            props: Vec::new(),
            visible_creatures: Vec::new(),
            visible_props: Vec::new(),
        })
    }

    /// Uploads models, seabed and props, replacing what was there.
    ///
    /// # Errors
    /// If the driver refuses an object; what was there stays.
    pub fn load(&mut self, stage: &StaticScene) -> Result<(), RenderError> {
        let tier = self.render.quality.tier(self.software);
        let filter = tier.filter();
        let models = GpuModels::new(&self.gl, &stage.models, filter, tier.texture_side)?;
        let meshes = MeshPass::new(&self.gl, &self.source, &models, &tier)?;
        self.passes.seabed.load(&self.gl, stage.seabed.as_ref(), filter)?;
        self.passes.meshes = meshes;
        self.forget_switched();
        self.models = models;
        self.props = stage.props.clone();
        self.visible_props.resize(self.props.len(), Visible::default());
        Ok(())
    }

    /// Changes picture and quality.
    ///
    /// # Errors
    /// If the driver refuses a target; the old settings stay.
    pub fn set(&mut self, post: &PostSettings, render: &RenderSettings) -> Result<(), RenderError> {
        if *render != self.render {
            let tier = render.quality.tier(self.software);
            if render.quality == self.render.quality && render.effects == self.render.effects {
                self.targets = self.targets.resized(&self.gl, self.targets.output, render.scale, &tier)?;
            } else {
                let source = self.source.clone().with(features(&tier, render.effects, self.rare));
                let targets = Targets::new(&self.gl, &source, self.targets.output, render.scale, &tier)?;
                self.passes.replace(Passes::new(&self.gl, &source, &tier, &self.models)?);
                self.forget_switched();
                self.targets = targets;
                self.source = source;
            }
            self.render = render.clone();
        }
        self.post = post.clone();
        Ok(())
    }

    /// Follows the output's size; a size with a zero is ignored.
    ///
    /// # Errors
    /// If the driver refuses a target.
    pub fn resize(&mut self, extent: (u32, u32)) -> Result<(), RenderError> {
        if extent.0 > 0 && extent.1 > 0 && extent != self.targets.output {
            let tier = self.render.quality.tier(self.software);
            self.targets = self.targets.resized(&self.gl, extent, self.render.scale, &tier)?;
        }
        Ok(())
    }

    /// Compiles the shaders anew, from `folder` if given, else from those in the program.
    ///
    /// # Errors
    /// If one fails; the last good programs stay in use.
    pub fn reload_shaders(&mut self, folder: Option<&Path>) -> Result<(), RenderError> {
        let tier = self.render.quality.tier(self.software);
        let source = ShaderSource::new(folder).with(features(&tier, self.render.effects, self.rare));
        self.remake(source, &tier)
    }

    /// Compiles everything anew from `source`; on an error the old programs stay in use.
    fn remake(&mut self, source: ShaderSource, tier: &Tier) -> Result<(), RenderError> {
        let passes = Passes::new(&self.gl, &source, tier, &self.models)?;
        let targets = Targets::new(&self.gl, &source, self.targets.output, self.render.scale, tier)?;
        self.forget_switched();
        self.passes.replace(passes);
        self.targets = targets;
        self.source = source;
        Ok(())
    }

    /// Switches effects on and off from the next frame on. What the others were drawn with is kept, so that going to
    /// and fro compiles nothing twice, until [`Self::forget_switched`].
    ///
    /// # Errors
    /// If a shader fails or the driver refuses an object; the old effects stay.
    pub fn switch(&mut self, effects: Effects) -> Result<(), RenderError> {
        let tier = self.render.quality.tier(self.software);
        let [before, after] = [self.render.effects, effects].map(|effects| features(&tier, effects, self.rare));
        if before != after {
            let kept = self.kept.iter().position(|kept| kept.features == after).map(|i| self.kept.swap_remove(i));
            let mut other = match kept {
                Some(kept) => kept,
                None => {
                    let source = self.source.clone().with(after);
                    Kept { features: after, passes: Passes::new(&self.gl, &source, &tier, &self.models)?, source }
                }
            };
            other.passes.seabed.take_ground(&mut self.passes.seabed);
            std::mem::swap(&mut self.passes, &mut other.passes);
            std::mem::swap(&mut self.source, &mut other.source);
            self.kept.push(Kept { features: before, ..other });
        }
        self.render.effects = effects;
        Ok(())
    }

    /// Drops what [`Self::switch`] keeps.
    pub fn forget_switched(&mut self) {
        self.kept.clear();
    }

    /// Picture and quality in use.
    pub fn settings(&self) -> (&PostSettings, &RenderSettings) {
        (&self.post, &self.render)
    }

    /// Times the passes of a frame.
    pub fn clock(&mut self) -> &mut PassClock {
        &mut self.clock
    }

    /// Draws one frame into `output` (`None`: the window's own framebuffer).
    pub fn draw(&mut self, scene: &RenderScene, output: Option<glow::Framebuffer>) -> FrameStats {
        let mut stats = FrameStats::default();
        self.clock.begin_frame();
        let (shafts, bloom) = self.draw_scene(scene, View::Final, &mut stats);
        self.develop(shafts, bloom, output);
        self.clock.end_frame();
        stats
    }

    /// From the scene's radiance to display pixels.
    fn develop(&mut self, shafts: bool, bloom: bool, output: Option<glow::Framebuffer>) {
        self.clock.pass("tone map");
        let inputs = TonemapInputs {
            scene: self.targets.scene.color(0),
            depth: self.targets.scene.depth(),
            shafts: shafts.then(|| self.targets.shafts.output()),
            bloom: bloom.then(|| self.targets.bloom.output()),
        };
        let antialias = self.targets.antialias.as_ref();
        match antialias {
            Some(antialias) => antialias.begin(),
            None => present(&self.gl, output, self.targets.output),
        }
        self.passes.tonemap.draw(&inputs, &self.passes.quads);
        if let Some(antialias) = antialias {
            self.clock.pass("antialias");
            present(&self.gl, output, self.targets.output);
            antialias.draw(&self.passes.quads);
        }
    }

    /// Compiles the shaders anew when the first artificial light, star or cloud appears or the last one goes.
    fn follow(&mut self, rare: Rare) {
        if rare == self.rare {
            return;
        }
        // Tried once: shaders that compiled without them and fail with them are a bug that the log must show once.
        self.rare = rare;
        let tier = self.render.quality.tier(self.software);
        let source = self.source.clone().with(features(&tier, self.render.effects, rare));
        if let Err(error) = self.remake(source, &tier) {
            log::error!("artificial lights, stars and clouds stay as they are: {error}");
        }
    }

    /// The scene's radiance and depth; says whether shafts and bloom were drawn too.
    fn draw_scene(&mut self, scene: &RenderScene, view: View, stats: &mut FrameStats) -> (bool, bool) {
        let effects = self.render.effects;
        let tier = self.render.quality.tier(self.software);
        self.follow(Rare {
            lights: !scene.lights.is_empty(),
            stars: scene.light.stars > 0.0,
            clouds: scene.light.clouds > 0.0,
        });
        self.clock.work("cull");
        let extent = self.targets.scene.extent();
        let shadow_from_world = self.passes.shadow.shadow_from_world(&scene.camera, scene.light.to_sun_water);
        let uniforms = FrameUniforms::of(scene, &self.post, shadow_from_world, extent);
        self.cull(scene, &uniforms, tier.lod_pixels);

        let passes = &mut self.passes;
        self.clock.pass("waves");
        passes.frame.upload(&uniforms);
        let waves = passes.waves.draw(scene, &passes.quads);
        self.clock.pass("caustics");
        let caustics = if effects.caustics {
            let deepest_m = DEEPEST_RELIEF * scene.seabed_depth_m;
            passes.caustics.draw(&waves, deepest_m, scene.light.to_sun_air, &passes.quads)
        } else {
            passes.caustics.maps()
        };
        self.clock.pass("shadow");
        let shadow = if effects.shadows && (tier.shadows || view == View::Shadow) {
            let creatures = scene.batches.iter().map(|b| (b.model, b.instances.as_slice()));
            let props = self.props.iter().map(|b| (b.model, b.instances.as_slice()));
            let casters = creatures.chain(props);
            passes.shadow.draw(&self.models, casters, &shadow_from_world, stats)
        } else {
            passes.shadow.map()
        };

        self.clock.pass("creatures and props");
        self.targets.scene.begin();
        // The water covers whatever nothing else does.
        self.targets.scene.clear_depth();
        let inputs = MeshInputs { caustics, shadow, stone: passes.seabed.stone() };
        let creatures = scene
            .batches
            .iter()
            .zip(&self.visible_creatures)
            .map(|(b, v)| (b.model, Own { sway: 0.0, ground_line: 0.0, glow: b.emissive }, v));
        let props = self
            .props
            .iter()
            .zip(&self.visible_props)
            .map(|(b, v)| (b.model, Own { sway: b.sway, ground_line: b.ground_line, glow: Vec3::ZERO }, v));
        let visible = creatures.chain(props);
        passes.meshes.draw(&self.models, visible.clone(), &inputs, stats);
        self.clock.pass("seabed");
        passes.seabed.draw(&inputs, stats);
        submit(&self.gl);
        self.clock.pass("surface");
        let place =
            if scene.camera.eye.y < -waves.reach_m - 2.0 * scene.camera.near { Place::Below } else { Place::Above };
        let wind = scene.waves.wind;
        // It dissolves into the water as green does.
        let visibility_m = VISIBLE_LENGTHS / scene.medium.attenuation().y.max(1e-3);
        let draw_surface = |stats: &mut FrameStats| {
            let scene = &self.targets.scene;
            let backdrop = self.targets.backdrop.as_ref().map(|pass| pass.draw(scene, &passes.quads));
            scene.begin();
            passes.surface.draw((place, visibility_m), (&waves, wind), backdrop, stats);
        };
        // From above the surface lets through what lies behind it, the water too: then it comes last.
        if effects.surface && place == Place::Below {
            draw_surface(stats);
        }
        self.clock.pass("cards");
        passes.cards.draw(scene, self.targets.scene.extent(), &passes.quads);
        self.clock.pass("water");
        passes.water.draw(place, &waves, scene.camera.far, &passes.quads);
        if effects.surface && place == Place::Above {
            self.clock.pass("surface");
            draw_surface(stats);
        }
        self.clock.pass("transparent");
        passes.meshes.draw_transparent(&self.models, visible, &inputs, stats);
        self.clock.pass("particles");
        if effects.particles {
            passes.particles.draw(scene, &passes.quads, stats);
        }

        self.clock.pass("shafts");
        let shafts = effects.shafts && (effects.caustics || self.rare.lights) && tier.shaft_steps > 0;
        if shafts {
            let inputs = ShaftsInputs { depth: self.targets.scene.depth(), caustics: caustics.map, shadow };
            self.targets.shafts.draw(&inputs, &passes.quads);
        }
        self.clock.pass("bloom");
        let bloom = effects.bloom && tier.bloom && self.post.bloom > 0.0;
        if bloom {
            self.targets.bloom.draw(self.targets.scene.color(0), &passes.quads);
        }
        (shafts, bloom)
    }

    /// The wave maps of the frame last drawn, longest waves first.
    pub fn waves(&self) -> Vec<WaveMap> {
        self.passes.waves.read()
    }

    fn cull(&mut self, scene: &RenderScene, uniforms: &FrameUniforms, lod_pixels: f32) {
        let (_, height) = self.targets.scene.extent();
        let visibility_m = (VISIBLE_LENGTHS / scene.medium.attenuation().min_element().max(1e-3)).min(scene.camera.far);
        let view = ViewVolume::new(&scene.camera, uniforms.clip_from_world, height as f32, visibility_m);
        self.visible_creatures.resize(scene.batches.len(), Visible::default());
        let models = &self.models.models;
        let fill = |model: usize, instances: &[Instance], visible: &mut Visible| {
            visible.fill(&models[model], instances, &view, lod_pixels);
        };
        for (batch, visible) in scene.batches.iter().zip(&mut self.visible_creatures) {
            fill(batch.model, &batch.instances, visible);
        }
        for (batch, visible) in self.props.iter().zip(&mut self.visible_props) {
            fill(batch.model, &batch.instances, visible);
        }
    }
}

/// What the shaders leave out where a frame does without: a software renderer pays for a branch not taken.
fn features(tier: &Tier, effects: Effects, rare: Rare) -> Features {
    [
        ("CAUSTICS", effects.caustics),
        ("SHADOWS", effects.shadows && tier.shadows),
        ("LIGHTS", rare.lights),
        ("STARS", rare.stars),
        ("CLOUDS", rare.clouds),
        ("ANTIALIAS", tier.antialias),
        ("DISPERSION", tier.dispersion),
        ("REFLECTIONS", tier.reflection_steps > 0),
        ("RIPPLES", tier.dispersion),
        ("FINE_STONE", tier.fine_stone),
        ("FOURNIER_FORAND", tier.fournier_forand),
        ("SHAFT_EDGES", tier.shaft_edges),
    ]
}

impl Passes {
    fn new(gl: &Gl, source: &ShaderSource, tier: &Tier, models: &GpuModels) -> Result<Self, RenderError> {
        Ok(Self {
            frame: FrameBlock::new(gl)?,
            quads: Procedural::new(gl)?,
            waves: WavesPass::new(gl, source, tier.wave_map)?,
            caustics: CausticsPass::new(gl, source, tier)?,
            shadow: ShadowPass::new(gl, source, tier.shadow_map)?,
            meshes: MeshPass::new(gl, source, models, tier)?,
            seabed: SeabedPass::new(gl, source)?,
            surface: SurfacePass::new(gl, source, tier)?,
            water: WaterPass::new(gl, source)?,
            cards: CardsPass::new(gl, source)?,
            particles: ParticlesPass::new(gl, source)?,
            tonemap: TonemapPass::new(gl, source)?,
            view: ViewPass::new(gl, source)?,
        })
    }

    /// Takes over new passes but keeps the ground, which is not made from shaders.
    fn replace(&mut self, mut new: Self) {
        new.seabed.take_ground(&mut self.seabed);
        *self = new;
    }
}

impl Targets {
    fn new(gl: &Gl, source: &ShaderSource, output: (u32, u32), scale: f32, tier: &Tier) -> Result<Self, RenderError> {
        let extent = scaled(output, scale);
        Ok(Self {
            output,
            scene: scene_target(gl, extent, output, tier)?,
            shafts: ShaftsPass::new(gl, source, extent, tier)?,
            bloom: BloomPass::new(gl, source, extent)?,
            backdrop: (tier.reflection_steps > 0)
                .then(|| BackdropPass::new(gl, source, extent, tier.backdrop_divisor))
                .transpose()?,
            antialias: tier.antialias.then(|| AntialiasPass::new(gl, source, output)).transpose()?,
        })
    }

    /// The same programs with targets of another size.
    fn resized(&self, gl: &Gl, output: (u32, u32), scale: f32, tier: &Tier) -> Result<Self, RenderError> {
        let extent = scaled(output, scale);
        Ok(Self {
            output,
            scene: scene_target(gl, extent, output, tier)?,
            shafts: self.shafts.resized(gl, extent)?,
            bloom: self.bloom.resized(gl, extent)?,
            backdrop: self.backdrop.as_ref().map(|pass| pass.resized(gl, extent)).transpose()?,
            antialias: self.antialias.as_ref().map(|pass| pass.resized(gl, output)).transpose()?,
        })
    }
}

/// Internal resolution.
fn scaled((width, height): (u32, u32), scale: f32) -> (u32, u32) {
    let scaled = |side: u32| ((side as f32 * scale).round() as u32).max(1);
    (scaled(width), scaled(height))
}

fn scene_target(gl: &Gl, extent: (u32, u32), output: (u32, u32), tier: &Tier) -> Result<RenderTarget, RenderError> {
    // At the output's own resolution each texel is read once: filtering would only cost. The glow reads between.
    let filter = if extent == output && !tier.bloom { Filter::Nearest } else { Filter::Linear };
    let format = TargetFormat { colors: &[(SCENE_FORMAT, filter, Wrap::Clamp)], depth: Some(Filter::Nearest) };
    RenderTarget::new(gl, "scene", extent, &format)
}
