//! The shape of the ground: hills, dunes and rubble patches from noise, baked into a grid that thousands of fish sample
//! in each step.

use glam::Vec3;
use math::{mix, smoothstep, splitmix64};
use noise::{NoiseFn, OpenSimplex};

use crate::SeabedSettings;

/// Half the side of the baked square. Unit: m. Beyond it the noise itself is evaluated, slowly.
const BAKED_HALF_M: f32 = 80.0;
/// Distance between baked points. Unit: m.
pub const CELL_M: f32 = 0.5;
/// Baked points along a side.
const SIDE: usize = (2.0 * BAKED_HALF_M / CELL_M) as usize + 1;
/// Least depth of the ground below the surface. Unit: m.
const MIN_DEPTH_M: f32 = 0.4;

/// Height returned without a ground. Unit: m.
pub const ABYSS_M: f32 = -1.0e5;

/// The shape of the ground.
#[derive(Clone, Debug)]
pub struct Seabed {
    settings: SeabedSettings,
    noise: GroundNoise,
    /// Rows of points along x, [`SIDE`] by [`SIDE`]; empty without a ground.
    baked: Vec<GroundPoint>,
    seed: u64,
}

/// The ground at one point.
#[derive(Clone, Copy, Debug)]
struct GroundPoint {
    /// Height in world space. Unit: m.
    height: f32,
    /// Share of rubble among the sand. Range 0..=1.
    rubble: f32,
}

impl GroundPoint {
    fn lerp(self, to: Self, t: f32) -> Self {
        Self { height: mix(self.height, to.height, t), rubble: mix(self.rubble, to.rubble, t) }
    }
}

impl Seabed {
    /// The ground that the settings describe. Takes some tens of milliseconds: it bakes a grid.
    pub fn new(settings: &SeabedSettings, seed: u64) -> Self {
        let mut bed =
            Self { settings: settings.clone(), noise: GroundNoise::new(settings, seed), baked: Vec::new(), seed };
        if !settings.present {
            return bed;
        }
        bed.noise.settle_rubble(settings);
        bed.baked = (0..SIDE * SIDE)
            .map(|i| {
                let at = |n: usize| n as f32 * CELL_M - BAKED_HALF_M;
                let (x, z) = (at(i % SIDE), at(i / SIDE));
                let rubble = bed.noise.rubble(x, z);
                GroundPoint { height: bed.noise.height(settings, x, z, rubble), rubble }
            })
            .collect();
        bed
    }

    /// The settings that it was made from.
    pub fn settings(&self) -> &SeabedSettings {
        &self.settings
    }

    /// The seed that it was made from.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Whether there is any ground.
    pub fn present(&self) -> bool {
        self.settings.present
    }

    /// Height of the ground in world space: negative; [`ABYSS_M`] without a ground. Unit: m.
    pub fn height(&self, x: f32, z: f32) -> f32 {
        self.sample(x, z).height
    }

    /// Share of rubble among the sand. Range 0..=1.
    pub fn rubble(&self, x: f32, z: f32) -> f32 {
        self.sample(x, z).rubble
    }

    /// Unit normal of the ground.
    pub fn normal(&self, x: f32, z: f32) -> Vec3 {
        let across = |dx: f32, dz: f32| self.height(x - dx, z - dz) - self.height(x + dx, z + dz);
        Vec3::new(across(CELL_M, 0.0), 2.0 * CELL_M, across(0.0, CELL_M)).normalize_or(Vec3::Y)
    }

    fn sample(&self, x: f32, z: f32) -> GroundPoint {
        if self.baked.is_empty() || !(x.is_finite() && z.is_finite()) {
            return GroundPoint { height: ABYSS_M, rubble: 0.0 };
        }
        let (u, v) = ((x + BAKED_HALF_M) / CELL_M, (z + BAKED_HALF_M) / CELL_M);
        let last = (SIDE - 1) as f32;
        if u < 0.0 || v < 0.0 || u >= last || v >= last {
            let rubble = self.noise.rubble(x, z);
            return GroundPoint { height: self.noise.height(&self.settings, x, z, rubble), rubble };
        }
        let (i, j) = (u as usize, v as usize);
        let (fu, fv) = (u - i as f32, v - j as f32);
        let row = |j: usize| self.baked[j * SIDE + i].lerp(self.baked[j * SIDE + i + 1], fu);
        row(j).lerp(row(j + 1), fv)
    }
}

/// Noises that make up the ground.
#[derive(Clone, Debug)]
struct GroundNoise {
    hills: OpenSimplex,
    dunes: OpenSimplex,
    patches: OpenSimplex,
    /// Patch noise above which there is rubble; `None` for no rubble.
    rubble_from: Option<f32>,
    /// Unit vector downhill, x and z, and the slope that way (rise over run).
    toward: [f32; 2],
    fall: f32,
}

impl GroundNoise {
    fn new(settings: &SeabedSettings, seed: u64) -> Self {
        let noise = |n: u64| OpenSimplex::new(splitmix64(seed, n) as u32);
        let toward = settings.slope_direction_deg.to_radians();
        Self {
            hills: noise(1),
            dunes: noise(2),
            patches: noise(3),
            rubble_from: None,
            toward: [toward.cos(), toward.sin()],
            fall: settings.slope_deg.to_radians().tan(),
        }
    }

    /// Chooses the threshold so that the wanted share of the ground is rubble.
    fn settle_rubble(&mut self, settings: &SeabedSettings) {
        const POINTS: i32 = 48;
        let mut values: Vec<f32> = (0..POINTS * POINTS)
            .map(|i| self.patchiness(((i % POINTS) as f32 - 24.0) * 1.7, ((i / POINTS) as f32 - 24.0) * 1.7))
            .collect();
        values.sort_by(f32::total_cmp);
        let share = settings.rubble.clamp(0.0, 1.0);
        let rank = ((1.0 - share) * (values.len() - 1) as f32) as usize;
        self.rubble_from = match share {
            0.0 => None,
            1.0 => Some(-10.0),
            _ => Some(values[rank]),
        };
    }

    fn height(&self, s: &SeabedSettings, x: f32, z: f32, rubble: f32) -> f32 {
        let slope = (x * self.toward[0] + z * self.toward[1]) * self.fall;

        let (u, v) = (x / s.relief_size_m, z / s.relief_size_m);
        let warp = |n: f32| 0.35 * fractal(&self.hills, u + n, v - n, 2, 0.5);
        let hills = fractal(&self.hills, u + warp(31.7), v + warp(74.3), 4, 0.42);

        // Low banks of sand, a few metres apart and drawn out along x, that fade where rubble holds the sand.
        let drift = 1.6 * sample(&self.dunes, x / 13.0, z / 13.0);
        let bank = 1.0 - sample(&self.dunes, x / 11.0 + drift * 0.3, z / 4.6 + drift).abs() * 1.7;
        let dunes = (bank - 0.4) * 0.16 * (1.0 - 0.8 * rubble);
        // Rubble lies a little proud of the sand, and unevenly.
        let lumps = || rubble * (0.07 + 0.09 * sample(&self.dunes, x / 1.9 + 9.0, z / 1.9));
        let lumps = if rubble > 0.0 { lumps() } else { 0.0 };

        let roughness = s.relief_m.min(1.0);
        let height = -s.depth_m - slope + 0.5 * s.relief_m * hills + roughness * (dunes + lumps);
        let limit = -MIN_DEPTH_M;
        // A smooth minimum turns a slope that would break the surface into a shoal below it.
        let blend = (0.5 + 0.5 * (limit - height) / 0.8).clamp(0.0, 1.0);
        limit + (height - limit) * blend - 0.8 * blend * (1.0 - blend)
    }

    fn rubble(&self, x: f32, z: f32) -> f32 {
        self.rubble_from.map_or(0.0, |from| smoothstep(from - 0.12, from + 0.12, self.patchiness(x, z)))
    }

    fn patchiness(&self, x: f32, z: f32) -> f32 {
        fractal(&self.patches, x / 9.0, z / 9.0, 3, 0.55)
    }
}

/// Octaves of noise, scaled so that hollows and hills reach about -1 and 1.
fn fractal(noise: &OpenSimplex, x: f32, y: f32, octaves: u32, gain: f32) -> f32 {
    let (mut sum, mut amplitude, mut total, mut scale) = (0.0, 1.0, 0.0, 1.0);
    for n in 0..octaves {
        let shift = n as f32 * 17.3;
        sum += amplitude * sample(noise, x * scale + shift, y * scale - shift);
        total += amplitude;
        amplitude *= gain;
        scale *= 2.03;
    }
    // OpenSimplex stays within about 0.86, and octaves seldom peak together.
    (1.5 * sum / total).clamp(-1.0, 1.0)
}

fn sample(noise: &OpenSimplex, x: f32, y: f32) -> f32 {
    noise.get([f64::from(x), f64::from(y)]) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bed() -> Seabed {
        Seabed::new(&SeabedSettings::default(), 7)
    }

    #[test]
    fn heights_keep_to_depth_and_relief() {
        let settings = SeabedSettings { depth_m: 8.0, relief_m: 2.0, ..SeabedSettings::default() };
        let bed = Seabed::new(&settings, 3);
        let heights: Vec<f32> =
            (0..3600).map(|i| bed.height((i % 60) as f32 * 2.0 - 60.0, (i / 60) as f32 * 2.0 - 60.0)).collect();
        let mean = heights.iter().sum::<f32>() / heights.len() as f32;
        let (least, most) = heights.iter().fold((f32::MAX, f32::MIN), |(a, b), &h| (a.min(h), b.max(h)));
        assert!((mean + 8.0).abs() < 0.5, "mean {mean}");
        assert!(least > -9.5 && most < -6.5, "{least} to {most}");
        assert!(most - least > 1.2, "hills of only {} m", most - least);
    }

    #[test]
    fn the_ground_has_no_step_where_the_grid_ends() {
        let bed = bed();
        for z in [-70.0, -3.0, 41.0] {
            let (inside, outside) = (bed.height(79.99, z), bed.height(80.01, z));
            assert!((inside - outside).abs() < 0.03, "{inside} against {outside}");
        }
    }

    #[test]
    fn it_slopes_down_to_where_the_settings_say() {
        let flat = SeabedSettings { relief_m: 0.0, slope_deg: 5.0, depth_m: 12.0, ..SeabedSettings::default() };
        let bed = Seabed::new(&SeabedSettings { slope_direction_deg: 90.0, ..flat }, 1);
        let fall = 10.0 * 5f32.to_radians().tan();
        assert!((bed.height(0.0, 0.0) - bed.height(0.0, 10.0) - fall).abs() < 1e-3);
        assert!((bed.height(0.0, 0.0) - bed.height(10.0, 0.0)).abs() < 1e-3);
        assert!(bed.normal(3.0, 4.0).z > 0.05, "the normal leans downhill");
    }

    #[test]
    fn a_slope_never_breaks_the_surface() {
        let steep = SeabedSettings { depth_m: 3.0, slope_deg: 30.0, ..SeabedSettings::default() };
        let bed = Seabed::new(&steep, 1);
        assert!((-100..=100).all(|x| bed.height(x as f32, 0.5) <= -MIN_DEPTH_M));
    }

    #[test]
    fn rubble_covers_the_wanted_share() {
        for share in [0.0, 0.2, 0.6, 1.0] {
            let bed = Seabed::new(&SeabedSettings { rubble: share, ..SeabedSettings::default() }, 5);
            let points = (0..2500).map(|i| bed.rubble((i % 50) as f32 * 1.6 - 40.0, (i / 50) as f32 * 1.6 - 40.0));
            let mean = points.sum::<f32>() / 2500.0;
            assert!((mean - share).abs() < 0.08, "{mean} for {share}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_ground() {
        let other = Seabed::new(&SeabedSettings::default(), 8);
        assert_eq!(bed().height(3.3, -7.1), bed().height(3.3, -7.1));
        assert_ne!(bed().height(3.3, -7.1), other.height(3.3, -7.1));
    }

    #[test]
    fn without_a_ground_there_is_depth() {
        let bed = Seabed::new(&SeabedSettings { present: false, ..SeabedSettings::default() }, 1);
        assert_eq!((bed.height(1.0, 2.0), bed.normal(1.0, 2.0)), (ABYSS_M, Vec3::Y));
    }
}
