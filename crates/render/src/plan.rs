//! Plan of a frame: its passes, their sizes, and the features that their shaders leave out.

use view::SceneFeatures;

use crate::settings::MAX_SCALE;
use crate::{Detail, Effects, PostSettings, RenderSettings, Tier};

/// Inputs of a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanInputs {
    /// The quality tier.
    pub tier: Tier,
    /// The effects that are switched on.
    pub effects: Effects,
    /// Strength of the bloom. Unit: 1.
    pub bloom: f32,
    /// Strength of the clarity. Unit: 1.
    pub clarity: f32,
    /// Strength of the lifting of dark areas. Unit: 1.
    pub shadows: f32,
    /// Share of the light that the corners lose. Unit: 1.
    pub vignette: f32,
    /// Features of the scene.
    pub features: SceneFeatures,
    /// Width and height of the output in pixels.
    pub output: (u32, u32),
    /// Internal resolution over the output's.
    pub scale: f32,
}

impl PlanInputs {
    /// Inputs from settings, `software` (OpenGL runs on the CPU), the scene's features and the output's size in pixels.
    pub fn new(
        post: &PostSettings,
        render: &RenderSettings,
        software: bool,
        features: SceneFeatures,
        output: (u32, u32),
    ) -> Self {
        let tier = render.quality.tier(software);
        let PostSettings { bloom, clarity, shadows, vignette, .. } = *post;
        Self { tier, effects: render.effects, bloom, clarity, shadows, vignette, features, output, scale: render.scale }
    }

    /// Inputs for pieces of a larger picture: without effects that spread over the screen, at their own size.
    pub fn of_pieces(self) -> Self {
        let tier = Tier { reflections: false, contact: false, bloom: false, supersampling: 1.0, ..self.tier };
        Self { tier, scale: 1.0, vignette: 0.0, ..self }
    }
}

/// Passes that run, their sizes and their shader features.
///
/// The plan alone decides whether something is drawn: for the frame, for the shaders' defines and for the benchmark of
/// the cost of effects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FramePlan {
    /// Sizes of maps, numbers of steps, levels of detail.
    pub detail: Detail,
    /// Width and height of the finished picture in pixels.
    pub output: (u32, u32),
    /// Width and height at which the scene's radiance is drawn, in texels.
    pub extent: (u32, u32),
    /// Features of the scene.
    pub features: SceneFeatures,
    /// Caustics are drawn and light things.
    pub caustics: bool,
    /// Shadows are drawn and fall on things: the sun's, or those of the scene's lamp that casts them.
    pub shadows: bool,
    /// The sea surface is drawn.
    pub surface: bool,
    /// The surface mirrors the scene below it, and lets it through bent.
    pub reflections: bool,
    /// Things that stand close together take light from each other.
    pub contact: bool,
    /// Marine snow and bubbles are drawn.
    pub particles: bool,
    /// Light shafts are marched.
    pub shafts: bool,
    /// Bright things bloom: they shine beyond their edges.
    pub bloom: bool,
    /// Tones are set by those of their surroundings: shapes stand out, dark areas are lifted.
    pub local_tones: bool,
    /// The picture's corners are darker.
    pub vignette: bool,
    /// Edges are smoothed in the finished picture.
    pub antialias: bool,
    /// Level of detail from which on light is worked out at vertices, if any; one coarser for swimming animals.
    pub per_vertex_lighting_from: Option<usize>,
    /// Light falls on distant animals as a whole.
    pub distant: bool,
}

impl FramePlan {
    /// The plan for `inputs`.
    pub fn new(inputs: &PlanInputs) -> Self {
        let PlanInputs { tier, effects, bloom, clarity, shadows, vignette, features, output, scale } = *inputs;
        let scale = (scale * tier.supersampling).min(MAX_SCALE);
        let scaled = |side: u32| ((side as f32 * scale).round() as u32).max(1);
        Self {
            detail: tier.detail,
            output,
            extent: (scaled(output.0), scaled(output.1)),
            features,
            caustics: effects.caustics,
            shadows: effects.shadows && tier.shadows,
            surface: effects.surface,
            reflections: effects.surface && tier.reflections,
            contact: tier.contact,
            particles: effects.particles,
            // Only caustics and artificial lights vary the water's brightness.
            shafts: effects.shafts && (effects.caustics || features.lights),
            bloom: effects.bloom && tier.bloom && bloom > 0.0,
            local_tones: effects.bloom && tier.bloom && (clarity > 0.0 || shadows > 0.0),
            vignette: vignette > 0.0,
            antialias: tier.antialias,
            // Lamps are near and narrow: their light is worked out at pixels.
            per_vertex_lighting_from: tier.per_vertex_lighting_from.filter(|_| !features.lights),
            distant: !features.lights,
        }
    }

    /// Defines for the shaders: a software renderer pays for a branch that is not taken, so that features a frame does
    /// without are left out.
    pub fn defines(&self) -> Vec<(&'static str, i32)> {
        let detail = &self.detail;
        vec![
            ("CAUSTICS", self.caustics.into()),
            ("SHADOWS", (self.shadows && !self.features.lamp_shadows).into()),
            ("LAMP_SHADOWS", (self.shadows && self.features.lamp_shadows).into()),
            ("SHADOW_TAPS", detail.shadow_taps as i32),
            ("LIGHTS", self.features.lights.into()),
            ("STARS", self.features.stars.into()),
            ("CLOUDS", self.features.clouds.into()),
            ("FOAM", self.features.foam.into()),
            ("BLOOM", self.bloom.into()),
            ("LOCAL_TONES", self.local_tones.into()),
            ("VIGNETTE", self.vignette.into()),
            ("ANTIALIAS", self.antialias.into()),
            ("SUPERSAMPLED", (self.extent.1 > self.output.1).into()),
            ("REFLECTIONS", self.reflections.into()),
            ("REFLECTION_STEPS", detail.reflection_steps as i32),
            ("MIRRORED_NET", (self.caustics && detail.mirrored_net).into()),
            ("BACKDROP_DIVISOR", detail.backdrop_divisor as i32),
            ("DISPERSION", detail.dispersion.into()),
            ("RIPPLES", detail.ripples.into()),
            ("FINE_RELIEF", detail.fine_relief.into()),
            ("SOFT_EDGES", detail.soft_edges.into()),
            ("SHAFT_BILATERAL", detail.shaft_bilateral.into()),
        ]
    }

    /// The scene's extent, a `divisor`th of it each way.
    pub fn divided(&self, divisor: u32) -> (u32, u32) {
        ((self.extent.0 / divisor).max(1), (self.extent.1 / divisor).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Quality;

    fn inputs(quality: Quality) -> PlanInputs {
        PlanInputs {
            tier: quality.tier(false),
            effects: Effects::default(),
            bloom: 0.15,
            clarity: 0.35,
            shadows: 0.4,
            vignette: 0.25,
            features: SceneFeatures::default(),
            output: (1280, 720),
            scale: 1.0,
        }
    }

    #[test]
    fn the_tier_and_the_switches_both_have_their_say() {
        let (low, high) = (FramePlan::new(&inputs(Quality::Low)), FramePlan::new(&inputs(Quality::High)));
        assert!(low.caustics && low.shafts && low.surface && !low.shadows && !low.bloom && !low.reflections);
        assert!(high.shadows && high.bloom && high.reflections && high.antialias);
        let effects = Effects { shadows: false, bloom: false, surface: false, ..Effects::default() };
        let without = FramePlan::new(&PlanInputs { effects, ..inputs(Quality::High) });
        assert!(!without.shadows && !without.bloom && !without.surface && !without.reflections);
        assert!(!FramePlan::new(&PlanInputs { bloom: 0.0, ..inputs(Quality::High) }).bloom);
        assert!(FramePlan::new(&PlanInputs { clarity: 0.0, ..inputs(Quality::High) }).local_tones);
        assert!(!FramePlan::new(&PlanInputs { clarity: 0.0, shadows: 0.0, ..inputs(Quality::High) }).local_tones);
    }

    #[test]
    fn nothing_spreads_over_pieces() {
        let plan = FramePlan::new(&PlanInputs { scale: 0.5, ..inputs(Quality::Ultra) }.of_pieces());
        assert!(!plan.bloom && !plan.local_tones && !plan.vignette && !plan.reflections && !plan.contact);
        assert!(plan.shadows && plan.surface);
        assert_eq!(plan.extent, plan.output);
    }

    #[test]
    fn shafts_need_caustics_or_lamps() {
        let dark = PlanInputs { effects: Effects { caustics: false, ..Effects::default() }, ..inputs(Quality::Low) };
        assert!(!FramePlan::new(&dark).shafts);
        let features = SceneFeatures { lights: true, ..SceneFeatures::default() };
        assert!(FramePlan::new(&PlanInputs { features, ..dark }).shafts);
    }

    #[test]
    fn lamps_light_pixels() {
        let low = inputs(Quality::Low);
        assert_eq!(FramePlan::new(&low).per_vertex_lighting_from, Some(1));
        let features = SceneFeatures { lights: true, ..SceneFeatures::default() };
        assert_eq!(FramePlan::new(&PlanInputs { features, ..low }).per_vertex_lighting_from, None);
    }

    #[test]
    fn no_side_is_ever_zero() {
        let plan = FramePlan::new(&PlanInputs { output: (1, 3), scale: 0.25, ..inputs(Quality::Low) });
        assert_eq!((plan.extent, plan.divided(6)), ((1, 1), (1, 1)));
    }
}
