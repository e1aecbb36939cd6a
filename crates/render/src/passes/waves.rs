//! Displacement and slope maps of the sea at this instant.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use gl::debug::check_memory;
use gl::{Filter, Format, Gl, GlError, Procedural, Program, RenderTarget, TargetFormat, Texture2d, Wrap, uniforms};
use glam::{Vec2, Vec3};
use ocean::{Cascade, WAVE_PERIOD_S, WaveField, spilling_jacobians};
use view::RenderScene;

use crate::pass_cache::PassMaker;
use crate::passes::MipsPass;

/// Mip levels of the short patch's slopes up to which their smoothing is known, if there are that many, and steps from
/// one to the next.
const SMOOTHEST_LEVEL: usize = 6;
const LEVEL_STEPS: usize = 4;
const SMOOTH_LEVELS: usize = SMOOTHEST_LEVEL * LEVEL_STEPS;

uniforms! {
    struct EvolveUniforms<'a> {
        spectrum: &'a Texture2d,
        side: i32,
        origin: i32,
        wavenumber_steps: Vec2,
        phase: f32,
    }
}

uniforms! {
    struct FftUniforms<'a> {
        from: &'a Texture2d,
        side: i32,
        origin: i32,
        log_span: i32,
        along_x: i32,
        last: i32,
    }
}

uniforms! {
    struct AssembleUniforms<'a> {
        fields: &'a Texture2d,
        side: i32,
        origin: i32,
        texel_m: f32,
        wave_choppiness: f32,
    }
}

uniforms! {
    /// The uniforms of `include/waves.glsl`.
    pub struct WaveUniforms<'a> {
        patches_m: Vec3,
        displacement_long: &'a Texture2d,
        displacement_middle: &'a Texture2d,
        displacement_short: &'a Texture2d,
        slope_long: &'a Texture2d,
        slope_middle: &'a Texture2d,
        slope_short: &'a Texture2d,
    }
}

/// Turns the spectrum of the sea into maps by inverse Fourier transforms.
pub struct WavesPass {
    evolve: Rc<Program<EvolveUniforms<'static>>>,
    first: Rc<Program<FftUniforms<'static>>>,
    radix8: Rc<Program<FftUniforms<'static>>>,
    radix4: Rc<Program<FftUniforms<'static>>>,
    assemble: Rc<Program<AssembleUniforms<'static>>>,
    /// Targets that the passes of the transform are drawn into in turn, for all groups.
    fields: [Rc<RenderTarget>; 2],
    textures: Rc<WaveTextures>,
    mips: MipsPass,
}

/// Spectra and maps of one size, kept while programs change.
struct WaveTextures {
    /// Groups of the long and the middle patch, and of the short patch.
    groups: [CascadeGroup; 2],
    /// Spectra that are uploaded.
    uploaded: RefCell<Option<Rc<UploadedSpectrum>>>,
}

/// A wave field whose spectra are on the GPU.
struct UploadedSpectrum {
    field: Arc<WaveField>,
    /// Whether a group has no waves at all.
    is_flat: [bool; 2],
    reach_m: f32,
    spilling: Vec2,
    unresolved_slope_variance: f32,
    smooth_slopes: [SmoothSlopes; SMOOTH_LEVELS],
}

/// The cascades of one map size, transformed together as tiles side by side.
struct CascadeGroup {
    gl: Gl,
    /// Texels along a side of a tile.
    side: u32,
    /// Range of its cascades.
    cascades: std::ops::Range<usize>,
    /// Column of the common targets at which its first tile begins.
    origin: u32,
    spectrum: Texture2d,
    maps: Vec<Rc<RenderTarget>>,
    fft: Vec<FftPass>,
}

/// One pass of the transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FftPass {
    along_x: bool,
    /// Logarithms to base 2 of the product of the radices before it and of its own.
    log_span: i32,
    log_radix: i32,
    /// Whether it is the last of all.
    last: bool,
}

/// The passes of a transform of `1 << log_side` by as many, along y and then along x: eights, and fours at the end.
fn fft_passes(log_side: i32) -> Vec<FftPass> {
    let mut passes = Vec::new();
    for along_x in [false, true] {
        let mut log_span = 0;
        while log_span < log_side {
            let left = log_side - log_span;
            let log_radix = if log_span == 0 || left == 3 || left >= 5 { 3 } else { 2 };
            passes.push(FftPass { along_x, log_span, log_radix, last: along_x && left == log_radix });
            log_span += log_radix;
        }
    }
    passes
}

/// The maps of one instant, for every consumer of the wave field.
#[derive(Clone, Copy)]
pub struct WaveMaps<'a> {
    /// Displacement of the long, the middle and the short patch.
    pub displacement: [&'a Texture2d; 3],
    /// Slopes of these patches.
    pub slope: [&'a Texture2d; 3],
    /// Sides of the patches in metres.
    pub patches_m: Vec3,
    /// Greatest height of the sea above or below its level. Unit: m.
    pub reach_m: f32,
    /// Jacobians at which a crest breaks altogether and at which it begins to.
    pub spilling: Vec2,
    /// Variance of the slope, along both axes together, of the waves that are too short for the maps.
    pub unresolved_slope_variance: f32,
    /// Variance of the short patch's slopes as they are read smoothly: see [`SmoothSlopes`].
    pub smooth_slopes: [SmoothSlopes; SMOOTH_LEVELS],
}

/// Slopes of the short patch that are left as their map is read by a cubic B-spline at a mip level, blended with the
/// next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SmoothSlopes {
    /// The level.
    pub level: f32,
    /// Length of a texel of that level. Unit: m.
    pub texel_m: f32,
    /// Variances along x and along z, and their covariance (x: xx, y: zz, z: xz).
    pub variance: Vec3,
    /// Variance, along both axes together, of all waves of the sea that are lost, whether the maps hold them or not.
    pub lost: f32,
}

/// One patch's maps, read back.
#[derive(Clone, Debug, PartialEq)]
pub struct WaveMap {
    /// Side of the patch in metres.
    pub patch_m: f32,
    /// Texels along a side.
    pub side: usize,
    /// Displacement (m) and Jacobian; texel (column, row) is at (column + 1/2, row + 1/2) texels along +x and +z.
    pub displacement: Vec<[f32; 4]>,
    /// Slopes along x and z.
    pub slope: Vec<[f32; 2]>,
}

impl WaveMaps<'_> {
    /// Uniforms of `include/waves.glsl`.
    pub fn uniforms(&self) -> WaveUniforms<'_> {
        let [displacement_long, displacement_middle, displacement_short] = self.displacement;
        let [slope_long, slope_middle, slope_short] = self.slope;
        WaveUniforms {
            patches_m: self.patches_m,
            displacement_long,
            displacement_middle,
            displacement_short,
            slope_long,
            slope_middle,
            slope_short,
        }
    }
}

impl WavesPass {
    /// Maps of the tier's size, a power of two from 64 to 1024 texels; the long and the middle waves make do with half
    /// as many.
    ///
    /// # Errors
    /// If a shader fails or a target is refused.
    pub fn new(make: &PassMaker<'_>) -> Result<Self, GlError> {
        let side = make.plan.detail.wave_map;
        let fft = |first, log_radix| {
            let defines = [("FIRST", first), ("LOG_RADIX", log_radix)];
            make.program(("fullscreen.vert.glsl", "waves_fft.frag.glsl"), &defines)
        };
        let format = TargetFormat { colors: &[(Format::Rgba32F, Filter::Nearest, Wrap::Clamp)], depth: None };
        let field = |name| make.target(name, (2 * side, side), &format);
        let textures = make.shared(&format!("{side} texels"), || WaveTextures::new(make, side).map(Rc::new))?;
        Ok(Self {
            evolve: make.program(("fullscreen.vert.glsl", "waves_evolve.frag.glsl"), &[])?,
            first: fft(1, 3)?,
            radix8: fft(0, 3)?,
            radix4: fft(0, 2)?,
            assemble: make.program(("fullscreen.vert.glsl", "waves.frag.glsl"), &[])?,
            fields: [field("wave fields")?, field("other wave fields")?],
            mips: MipsPass::new(make, "waves", textures.slopes())?,
            textures,
        })
    }

    /// Slopes of the shortest waves, as last drawn.
    pub fn slope(&self) -> &Texture2d {
        self.textures.groups[1].maps[0].color(1)
    }

    /// The maps at the scene's time.
    pub fn draw(&self, scene: &RenderScene, triangle: &Procedural) -> WaveMaps<'_> {
        let (uploaded, is_new) = self.textures.upload(&scene.waves);
        let phase = (scene.time_s / WAVE_PERIOD_S).rem_euclid(1.0) as f32;
        let moving =
            self.textures.groups.iter().zip(uploaded.is_flat).filter(|(_, is_flat)| !is_flat).map(|(group, _)| group);
        let longest = moving.clone().map(|group| group.fft.len()).max();
        // Groups lie side by side in one target: a software renderer waits before it reads what it has drawn, and so
        // once a pass. The shorter group begins later, an even number of passes, and so both read and draw into the
        // same.
        for step in 0..=longest.unwrap_or(0) {
            for group in moving.clone() {
                match step.checked_sub(longest.unwrap_or(0) - group.fft.len()) {
                    Some(0) => self.evolve(group, &scene.waves, phase, triangle),
                    Some(own) => self.fft(group, own - 1, triangle),
                    None => {}
                }
            }
        }
        for group in moving {
            self.assemble(group, scene, triangle);
        }
        if longest.is_some() || is_new {
            self.mips.draw(self.textures.slopes(), triangle);
        }
        self.textures.maps(&uploaded)
    }

    /// Draws the spectrum at this instant, at a `phase` of its period, 0..1.
    fn evolve(&self, group: &CascadeGroup, field: &WaveField, phase: f32, triangle: &Procedural) {
        let patches = &field.cascades[group.cascades.clone()];
        let steps = Vec2::from_array([0, 1].map(|i| patches.get(i).map_or(0.0, |c| std::f32::consts::TAU / c.patch_m)));
        let half = group.side / 2;
        self.fields[0].begin_part((group.origin, 0), (group.maps.len() as u32 * half, half));
        self.evolve.bind(&EvolveUniforms {
            spectrum: &group.spectrum,
            side: group.side as i32,
            origin: group.origin as i32,
            wavenumber_steps: steps,
            phase,
        });
        triangle.fullscreen();
    }

    /// Draws one radix of the transform along one axis.
    fn fft(&self, group: &CascadeGroup, index: usize, triangle: &Procedural) {
        let FftPass { along_x, log_span, log_radix, last } = group.fft[index];
        let program = match (log_span, log_radix) {
            (0, _) => &self.first,
            (_, 3) => &self.radix8,
            _ => &self.radix4,
        };
        let tiles = group.maps.len() as u32;
        let across = if along_x { tiles * group.side } else { tiles * group.side / 2 };
        self.fields[(index + 1) % 2].begin_part((group.origin, 0), (across, group.side));
        program.bind(&FftUniforms {
            from: self.fields[index % 2].color(0),
            side: group.side as i32,
            origin: group.origin as i32,
            log_span,
            along_x: along_x.into(),
            last: last.into(),
        });
        triangle.fullscreen();
    }

    /// Draws the maps from the result of the transform.
    fn assemble(&self, group: &CascadeGroup, scene: &RenderScene, triangle: &Procedural) {
        for (tile, (maps, patch)) in group.maps.iter().zip(&scene.waves.cascades[group.cascades.clone()]).enumerate() {
            maps.begin();
            self.assemble.bind(&AssembleUniforms {
                fields: self.fields[group.fft.len() % 2].color(0),
                side: group.side as i32,
                origin: (group.origin + tile as u32 * group.side) as i32,
                texel_m: patch.patch_m / group.side as f32,
                wave_choppiness: scene.waves.choppiness,
            });
            triangle.fullscreen();
        }
    }

    /// The maps as last drawn, read back, longest waves first; none before any was drawn.
    pub fn read(&self) -> Vec<WaveMap> {
        let Some(uploaded) = self.textures.uploaded.borrow().clone() else { return Vec::new() };
        let patches_m = self.textures.maps(&uploaded).patches_m.to_array();
        let targets =
            self.textures.groups.iter().flat_map(|group| group.maps.iter().map(|maps| (group.side as usize, maps)));
        targets
            .zip(patches_m)
            .map(|((side, maps), patch_m)| {
                // Read back with the last row of texels first.
                let texels = |attachment| {
                    let values = maps.read_f32(attachment);
                    values.chunks_exact(4 * side).rev().flatten().copied().collect::<Vec<_>>()
                };
                let displacement = texels(0).chunks_exact(4).map(|t| [t[0], t[1], t[2], t[3]]).collect();
                let slope = texels(1).chunks_exact(4).map(|t| [t[0], t[1]]).collect();
                WaveMap { patch_m, side, displacement, slope }
            })
            .collect()
    }
}

impl WaveTextures {
    fn new(make: &PassMaker<'_>, side: u32) -> Result<Self, GlError> {
        let groups = [CascadeGroup::new(make, side / 2, 0, 0..2)?, CascadeGroup::new(make, side, side, 2..3)?];
        Ok(Self { groups, uploaded: RefCell::default() })
    }

    /// The maps of slopes, longest waves first.
    fn slopes(&self) -> impl Iterator<Item = &Texture2d> + Clone {
        self.groups.iter().flat_map(|group| &group.maps).map(|maps| maps.color(1))
    }

    /// Uploads the spectra of `field` unless they are uploaded already; returns whether it did.
    fn upload(&self, field: &Arc<WaveField>) -> (Rc<UploadedSpectrum>, bool) {
        let known = self.uploaded.borrow().clone().filter(|uploaded| Arc::ptr_eq(&uploaded.field, field));
        if let Some(known) = known {
            return (known, false);
        }
        let waves = field.cascades.iter().flat_map(|cascade| &cascade.waves);
        let variance: f32 = waves.map(|wave| 2.0 * wave.half.length_squared()).sum();
        let sent = self.groups.each_ref().map(|group| group.upload(&field.cascades));
        let is_whole = sent.iter().all(Result::is_ok);
        let uploaded = Rc::new(UploadedSpectrum {
            field: Arc::clone(field),
            is_flat: sent.map(|is_flat| is_flat.unwrap_or(false)),
            // Of all heights one in a million is beyond five standard deviations.
            reach_m: 5.0 * variance.sqrt(),
            spilling: spilling_jacobians(field, field.choppiness, self.groups[0].side as usize),
            unresolved_slope_variance: field.unresolved_slope_variance(self.groups[1].side),
            smooth_slopes: smooth_slopes(field, self.groups[1].side),
        });
        // A failed upload is sent again with the next frame.
        *self.uploaded.borrow_mut() = is_whole.then(|| Rc::clone(&uploaded));
        (uploaded, true)
    }

    fn maps(&self, uploaded: &UploadedSpectrum) -> WaveMaps<'_> {
        let [far, near] = &self.groups;
        let maps = [&far.maps[0], &far.maps[1], &near.maps[0]];
        let patch = |i: usize| uploaded.field.cascades.get(i).map_or(10.0, |cascade| cascade.patch_m);
        WaveMaps {
            displacement: maps.map(|m| m.color(0)),
            slope: maps.map(|m| m.color(1)),
            patches_m: Vec3::new(patch(0), patch(1), patch(2)),
            reach_m: uploaded.reach_m,
            spilling: uploaded.spilling,
            unresolved_slope_variance: uploaded.unresolved_slope_variance,
            smooth_slopes: uploaded.smooth_slopes,
        }
    }
}

/// The short patch's slopes in a map of `side` texels, from the finest to the smoothest.
fn smooth_slopes(field: &WaveField, side: u32) -> [SmoothSlopes; SMOOTH_LEVELS] {
    let Some(short) = field.cascades.last() else { return Default::default() };
    let held = |turns: Vec2| f32::from(turns.length() < side as f32 / 4.0);
    // Share of a wave that a box and a cubic B-spline of 2^level texels leave.
    let left = |turns: Vec2, level: usize| {
        let phase = turns * std::f32::consts::PI * (1 << level) as f32 / side as f32;
        let sinc = |x: f32| if x.abs() < 1e-3 { 1.0 } else { x.sin() / x };
        (sinc(phase.x) * sinc(phase.y)).powi(if level == 0 { 4 } else { 5 })
    };
    let whole = short.slope_variance(held);
    let lost = field.unresolved_slope_variance(side) + whole.x + whole.y;
    // The last mip map is of four texels.
    let last = LEVEL_STEPS * (side.ilog2() as usize - 2) - 1;
    std::array::from_fn(|i| {
        let i = i.min(last);
        let (level, part) = (i / LEVEL_STEPS, (i % LEVEL_STEPS) as f32 / LEVEL_STEPS as f32);
        let kept = |turns| held(turns) * (left(turns, level) * (1.0 - part) + left(turns, level + 1) * part);
        let variance = short.slope_variance(kept);
        let level = level as f32 + part;
        let texel_m = short.patch_m * level.exp2() / side as f32;
        SmoothSlopes { level, texel_m, variance, lost: lost - variance.x - variance.y }
    })
}

impl CascadeGroup {
    fn new(make: &PassMaker<'_>, side: u32, origin: u32, cascades: std::ops::Range<usize>) -> Result<Self, GlError> {
        let gl = make.gl;
        let tiles = cascades.len() as u32;
        // Waves are at least four texels long, so that half of the columns and rows of a spectrum would be empty.
        let half = side / 2;
        let (filter, wrap) = (Filter::Nearest, Wrap::Clamp);
        let spectrum = Texture2d::new(gl, "wave spectrum", (tiles * half, half), Format::Rgba32F, filter, wrap, None)?;
        let maps = (0..tiles).map(|_| {
            // Displacement is read at vertices, at full detail; slopes in pixels, at any distance.
            let displacement = (Format::Rgba16F, Filter::Linear, Wrap::Repeat);
            let slope = (Format::Rgba16F, Filter::NearestMipmap, Wrap::Repeat);
            let format = TargetFormat { colors: &[displacement, slope], depth: None };
            RenderTarget::ask(gl, "wave maps", (side, side), &format).map(|maps| make.asked(maps))
        });
        Ok(Self {
            gl: gl.clone(),
            side,
            origin,
            spectrum,
            maps: maps.collect::<Result<_, _>>()?,
            fft: fft_passes(side.trailing_zeros() as i32),
            cascades,
        })
    }

    /// Uploads the spectra; where there are no waves at all the maps are made flat for good. Returns whether they were.
    ///
    /// # Errors
    /// If the driver has no memory for the transfer.
    fn upload(&self, all: &[Cascade]) -> Result<bool, GlError> {
        let half = (self.side / 2) as usize;
        let tiles = self.cascades.len();
        let mut texels = vec![[0.0f32; 4]; tiles * half * half];
        let mut is_flat = true;
        for (tile, cascade) in all.iter().skip(self.cascades.start).take(tiles).enumerate() {
            is_flat &= cascade.waves.is_empty();
            for (i, wave) in cascade.waves.iter().enumerate() {
                // Lattice and map have their middles in common.
                let shifted = |at: usize| (at + half / 2).checked_sub(cascade.side / 2).filter(|at| *at < half);
                let Some((column, row)) = shifted(i % cascade.side).zip(shifted(i / cascade.side)) else { continue };
                let middle = (half / 2) as f32;
                let point = Vec2::new(column as f32 - middle, row as f32 - middle);
                if point.length() < middle {
                    // A texel's middle is half a texel on from where the transform begins.
                    let shift = Vec2::from_angle(std::f32::consts::PI * point.element_sum() / self.side as f32);
                    let at_texel = shift.rotate(wave.half);
                    texels[row * tiles * half + tile * half + column] = [at_texel.x, at_texel.y, wave.turns, 0.0];
                }
            }
        }
        self.spectrum.write(bytemuck::cast_slice(&texels));
        check_memory(&self.gl, "the waves' spectrum")?;
        if is_flat {
            for maps in &self.maps {
                maps.begin();
                maps.clear_color(0, [0.0, 0.0, 0.0, 1.0]);
                maps.clear_color(1, [0.0; 4]);
            }
        }
        Ok(is_flat)
    }
}
