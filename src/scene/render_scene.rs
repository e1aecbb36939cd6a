//! What the renderer sees: plain data, rebuilt in place each frame.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};

use crate::animation::{Moments, attached};
use crate::model::{Attachment, Image, Model};
use crate::ocean::{self, Daylight, WHITECAP_WIND_M_S};
pub use crate::ocean::{Cascade, LatticeWave, Light, Medium, WAVE_PERIOD_S, WaveField};
use crate::scene::{SceneSettings, StereoSettings};

/// What does not change from frame to frame: uploaded once.
#[derive(Clone, Debug, Default)]
pub struct StaticScene {
    /// Models; [`Batch::model`] and [`StaticBatch::model`] are indices into it.
    pub models: Vec<Arc<Model>>,
    /// The ground, if there is one.
    pub seabed: Option<SeabedMesh>,
    /// Props whose models do not move; plants sway in the vertex shader.
    pub props: Vec<StaticBatch>,
}

/// The ground as a mesh.
#[derive(Clone, Debug, Default)]
pub struct SeabedMesh {
    /// Positions in world space.
    pub positions: Vec<Vec3>,
    /// Unit normals.
    pub normals: Vec<Vec3>,
    /// Share of rubble among the sand at each vertex. Range 0..=1.
    pub rubble: Vec<f32>,
    /// Ambient occlusion at each vertex by the props that stand there beyond the map: 1 is open to the sky.
    pub ambient_occlusion: Vec<f32>,
    /// Indices of the corners of triangles, counter-clockwise from above.
    pub indices: Vec<u32>,
    /// Height of the ripples, trough to crest. Unit: m.
    pub ripple_height_m: f32,
    /// Tiling detail, linear: rg slopes of ripples and grains (0.5 flat, steepest 0 or 1), b lightness, a rubble pattern.
    pub detail: Arc<Image>,
    /// The ground about the origin from above, linear: r lightness, g a rubble pattern, b ambient occlusion (1 open to the
    /// sky), a how high the ripples are.
    pub map: Arc<Image>,
    /// Half the side of the square that `map` covers. Unit: m.
    pub map_half_m: f32,
    /// Tiling grain of rocks, linear: rg slopes (0.5 flat), b height, a where crusts grow.
    pub stone: Arc<Image>,
}

/// All instances of one model that stay in place.
#[derive(Clone, Debug, Default)]
pub struct StaticBatch {
    /// Index into [`StaticScene::models`].
    pub model: usize,
    /// Where they are.
    pub instances: Vec<Instance>,
    /// How far their tops sway, 0 rigid.
    pub sway: f32,
    /// How far up the model the ground comes. Unit: model units.
    pub ground_line: f32,
}

/// Depth of the eye in [`RenderScene::empty_sea`]: below all troughs. Unit: m.
const EMPTY_SEA_EYE_M: f32 = 50.0;

/// One moment of the world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RenderScene {
    /// Time since the scene began. Unit: s.
    pub time_s: f64,
    /// From where it is seen.
    pub camera: Camera,
    /// How two eyes see it, if two do.
    pub eyes: Eyes,
    /// Light above and just below the surface.
    pub light: Light,
    /// The water.
    pub medium: Medium,
    /// How the light falls and lies under water.
    pub daylight: Arc<Daylight>,
    /// Whether the sun goes round.
    pub day_passes: bool,
    /// How far night has fallen, where the day goes by. Range 0..=1.
    pub fallen_night: f32,
    /// The waves, as spectral components; shared and unchanged while the scene is.
    pub waves: Arc<WaveField>,
    /// Displacement of the water near the ground by the surge at this moment. Unit: m.
    pub surge: Vec3,
    /// Mean depth of the ground, infinite where there is none. Unit: m.
    pub seabed_depth_m: f32,
    /// Reflectance of the ground, linear RGB.
    pub seabed_colour: Vec3,
    /// What moves: creatures, one batch a species, then props that play a clip.
    pub batches: Vec<Batch>,
    /// Bubbles, in no order.
    pub bubbles: Vec<Bubble>,
    /// Rings on the surface where bubbles have broken.
    pub rings: Vec<SurfaceRing>,
    /// Sand in the water.
    pub sand: Vec<SandPuff>,
    /// Plankton that flashes.
    pub sparks: Vec<Spark>,
    /// Marine snow.
    pub snow: MarineSnow,
    /// Lamps and lights that animals carry: those nearest the camera, [`LIGHTS`] at most.
    pub lights: Vec<PointLight>,
    /// Flat emitters for measuring.
    pub test_patches: Vec<TestPatch>,
}

impl RenderScene {
    /// The sea of these settings without anything in it, seen from below: what there is to draw before the world is made.
    pub fn empty_sea(settings: &SceneSettings) -> Self {
        let environment = settings.environment();
        Self {
            camera: Camera { eye: Vec3::NEG_Y * EMPTY_SEA_EYE_M, ..Camera::default() },
            eyes: settings.camera.stereo.into(),
            light: environment.light(),
            medium: ocean::medium(&environment.water),
            waves: Arc::new(ocean::wave_field(&environment.waves, environment.seabed_depth_m, 0)),
            day_passes: environment.day_passes(),
            seabed_depth_m: environment.seabed_depth_m,
            seabed_colour: settings.seabed.colour.into(),
            ..Self::default()
        }
    }
}

/// Distances by which the pictures of two eyes differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eyes {
    /// Distance between them. Unit: m.
    pub interocular_m: f32,
    /// Distance of what both show in the same place. Unit: m.
    pub convergence_m: f32,
}

impl Default for Eyes {
    /// Both in one place.
    fn default() -> Self {
        Self { interocular_m: 0.0, convergence_m: f32::INFINITY }
    }
}

impl From<StereoSettings> for Eyes {
    fn from(StereoSettings { interocular_m, convergence_m }: StereoSettings) -> Self {
        Self { interocular_m, convergence_m }
    }
}

/// What not every scene has, and what shaders do without where it is missing.
///
/// It follows from a scene's settings and is the same at every moment until they change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SceneFeatures {
    /// Artificial lights.
    pub lights: bool,
    /// A night sky clear enough for stars.
    pub stars: bool,
    /// White clouds.
    pub clouds: bool,
    /// Waves that break.
    pub foam: bool,
}

impl SceneFeatures {
    /// Those of a scene, by any of its moments.
    pub fn of(scene: &RenderScene) -> Self {
        Self {
            lights: !scene.lights.is_empty(),
            // Where the day goes by, night comes.
            stars: scene.light.stars > 0.0 || scene.day_passes,
            clouds: scene.light.clouds > 0.0,
            foam: scene.waves.wind.length() >= WHITECAP_WIND_M_S,
        }
    }

    /// Those of a scene at its beginning, but for lights that animals carry: known before it is made.
    pub fn expected(settings: &SceneSettings) -> Self {
        let environment = settings.environment();
        let light = environment.light();
        Self {
            lights: !settings.lights.is_empty(),
            stars: light.stars > 0.0 || environment.day_passes(),
            clouds: light.clouds > 0.0,
            foam: settings.waves.wind_m_s >= WHITECAP_WIND_M_S,
        }
    }

    /// Whether `other` has nothing that is not here.
    pub fn include(self, other: Self) -> bool {
        self.lights >= other.lights
            && self.stars >= other.stars
            && self.clouds >= other.clouds
            && self.foam >= other.foam
    }
}

/// Artificial lights in one frame at most.
pub const LIGHTS: usize = 4;

/// An artificial light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointLight {
    /// Where it is, in world space.
    pub position: Vec3,
    /// Unit vector along the middle of its cone.
    pub direction: Vec3,
    /// Cosine of half the cone's angle; -1 shines all round.
    pub cos_cone: f32,
    /// Irradiance at one metre in clear air, linear RGB.
    pub intensity: Vec3,
}

/// A flat square emitter that faces the eye it was placed from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestPatch {
    /// The camera it was placed from.
    pub placed_from: Camera,
    /// Its middle in that camera's picture as shares of width and height, from the top left.
    pub at: Vec2,
    /// Distance of its middle from that camera. Unit: m.
    pub distance_m: f32,
    /// Its width as a share of the picture's.
    pub width: f32,
    /// Radiance that it emits, linear RGB.
    pub radiance: Vec3,
}

/// A view of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Eye in world space.
    pub eye: Vec3,
    /// World from view; the view looks along its -z.
    pub orientation: Quat,
    /// Vertical field of view. Unit: rad.
    pub fov_y: f32,
    /// Distance of the near plane. Unit: m.
    pub near: f32,
    /// Distance of the far plane. Unit: m.
    pub far: f32,
    /// Off-axis projection: how far the point straight ahead lies right of and above the middle of the picture, as metres
    /// per metre of distance. 0 except for photographs through a lens and for the eyes of a stereo picture.
    pub off_axis: Vec2,
}

impl Default for Camera {
    fn default() -> Self {
        Self {
            eye: Vec3::new(0.0, -5.0, 10.0),
            orientation: Quat::IDENTITY,
            fov_y: 1.05,
            near: 0.05,
            far: 300.0,
            off_axis: Vec2::ZERO,
        }
    }
}

impl Camera {
    /// A camera at `eye` that looks at `target` with the horizon level.
    pub fn look_at(eye: Vec3, target: Vec3, fov_y: f32) -> Self {
        let forward = (target - eye).normalize_or(Vec3::NEG_Z);
        let up = if forward.y.abs() > 0.999 { Vec3::NEG_Z } else { Vec3::Y };
        let view_from_world = glam::camera::rh::view::look_to_mat4(eye, forward, up);
        let orientation = Quat::from_mat4(&view_from_world).inverse().normalize();
        Self { eye, orientation, fov_y, ..Self::default() }
    }

    /// View from world.
    pub fn view_from_world(&self) -> Mat4 {
        Mat4::from_rotation_translation(self.orientation, self.eye).inverse()
    }

    /// Clip from view, OpenGL depth range.
    pub fn clip_from_view(&self, aspect: f32) -> Mat4 {
        let shear = Mat4::from_cols(Vec4::X, Vec4::Y, Vec4::new(-self.off_axis.x, -self.off_axis.y, 1.0, 0.0), Vec4::W);
        glam::camera::rh::proj::opengl::perspective(self.fov_y, aspect, self.near, self.far) * shear
    }
}

/// Instances of one model this frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// Index into [`StaticScene::models`].
    pub model: usize,
    /// Radiance that they give off by themselves, linear RGB.
    pub emissive: Vec3,
    /// All individuals, seen or not; the renderer culls and picks levels of detail.
    pub instances: Vec<Instance>,
}

/// One individual or thing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instance {
    /// Where its model origin is, in world space.
    pub position: Vec3,
    /// World from model.
    pub rotation: Quat,
    /// Metres a model unit.
    pub scale: f32,
    /// Row of the palette, fractional; the vertex shader blends the rows before and after it.
    pub palette_row: f32,
    /// Weight of `palette_row` in the pose: how far the body goes from its rest pose toward it, 1 all the way.
    pub row_weight: f32,
    /// A row of another clip: on the way from one clip to the next, or in a curve.
    pub blend_row: f32,
    /// Weight of `blend_row` in the pose, on top of `row_weight`.
    pub blend_weight: f32,
    /// Bend of the fore and of the hind part to the left, on top of the pose. Unit: rad over the whole length.
    pub bend: [f32; 2],
    /// Factor on the base colour, linear RGB.
    pub tint: Vec3,
    /// A number of its own in 0..1 for whatever should differ between individuals.
    pub variation: f32,
    /// Weight of the model's first morph, on top of the pose.
    pub morph_weight: f32,
}

impl Instance {
    /// Where a named place of its model is, in world space.
    pub fn place(&self, model: &Model, attachment: &Attachment) -> Vec3 {
        let rows = [(self.palette_row, self.row_weight), (self.blend_row, self.blend_weight)];
        let place = attached(model, attachment, &Moments { rows, bend: self.bend });
        self.position + self.rotation * (place * self.scale)
    }
}

impl Default for Instance {
    fn default() -> Self {
        Self {
            position: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            scale: 1.0,
            palette_row: 0.0,
            row_weight: 1.0,
            blend_row: 0.0,
            blend_weight: 0.0,
            bend: [0.0; 2],
            tint: Vec3::ONE,
            variation: 0.0,
            morph_weight: 0.0,
        }
    }
}

/// An air bubble.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bubble {
    /// Centre in world space.
    pub position: Vec3,
    /// Radius of the sphere of equal volume. Unit: m.
    pub radius: f32,
    /// Height over width: 1 a sphere, less for a flattened large bubble.
    pub flatness: f32,
    /// Phase of its wobble. Unit: rad.
    pub wobble: f32,
}

/// A ring that spreads on the surface of the sea.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceRing {
    /// Its middle, x and z.
    pub place: Vec2,
    /// Radius. Unit: m.
    pub radius: f32,
    /// Length of its waves. Unit: m.
    pub wave_length: f32,
    /// Their steepest slope.
    pub slope: f32,
}

/// A soft ball of sand in the water.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SandPuff {
    /// Middle in world space.
    pub position: Vec3,
    /// Radius. Unit: m.
    pub radius: f32,
    /// Optical depth through its middle.
    pub optical_depth: f32,
    /// Height of the ground below it. Unit: m.
    pub floor_m: f32,
    /// A number of its own in 0..1.
    pub variation: f32,
}

/// A flash of plankton.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spark {
    /// Where, in world space.
    pub position: Vec3,
    /// 1 is a bright one at its brightest.
    pub brightness: f32,
}

/// Marine snow: flakes fill a cube that goes with the camera, wrapping round; the vertex shader places them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MarineSnow {
    /// Number of flakes.
    pub count: u32,
    /// Side of the cube. Unit: m.
    pub extent_m: f32,
    /// Mean radius of a flake. Unit: m.
    pub radius_m: f32,
    /// How far the flakes have drifted since the scene began. Unit: m.
    pub drift: Vec3,
    /// How fast the water carries them. Unit: m/s.
    pub velocity: Vec3,
    /// Seed of their places.
    pub seed: u32,
    /// Share of them that are plankton and flash where the camera stirs the water.
    pub emissive_share: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_include_what_they_have_and_less() {
        let (none, all) =
            (SceneFeatures::default(), SceneFeatures { lights: true, stars: true, clouds: true, foam: true });
        assert!(all.include(none) && all.include(all) && none.include(none) && !none.include(all));
    }
}
