//! Food in the water: a cloud of flakes for each portion, drawn like small puffs of sand.

use glam::Vec3;
use life::{Food, Habitat};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use view::SandPuff;

/// Number of flakes of a whole portion. This and the numbers below are by eye.
const FLAKES: usize = 40;
/// Radius of the cloud. Unit: m.
const CLOUD_M: f32 = 0.22;
/// Radii of the smallest and the largest flake. Unit: m.
const FLAKE_M: [f32; 2] = [0.005, 0.014];
/// Optical depth through the middle of a flake.
const OPTICAL_DEPTH: f32 = 4.0;

/// Adds the flakes of all portions to `out`; as one is eaten, its flakes become fewer.
pub fn extract(food: &[Food], habitat: &Habitat, out: &mut Vec<SandPuff>) {
    for portion in food {
        let floor_m = habitat.floor_m(portion.place.x, portion.place.z);
        // The fixed seed gives the same flakes in every frame, so that each keeps its place in the cloud.
        let mut rng = Pcg64Mcg::seed_from_u64(0x466f_6f64);
        let left = (FLAKES as f32 * portion.left).ceil() as usize;
        out.extend((0..left).map(|_| {
            let aside = 2.0 * Vec3::new(rng.random(), rng.random(), rng.random()) - 1.0;
            let [smallest, largest] = FLAKE_M;
            SandPuff {
                // Denser in the middle.
                position: portion.place + CLOUD_M * aside * aside.length().min(1.0),
                radius: smallest + (largest - smallest) * rng.random::<f32>(),
                optical_depth: OPTICAL_DEPTH,
                floor_m,
                variation: rng.random(),
            }
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flakes_become_fewer_as_they_are_eaten_and_the_others_stay() {
        let place = Vec3::new(1.0, -4.0, 2.0);
        let flakes = |left| {
            let mut out = Vec::new();
            extract(&[Food { place, left }], &Habitat::default(), &mut out);
            out
        };
        let (whole, half) = (flakes(1.0), flakes(0.5));
        assert_eq!((whole.len(), half.len(), flakes(0.01).len()), (FLAKES, FLAKES / 2, 1));
        assert_eq!(whole[..FLAKES / 2], half);
        assert!(whole.iter().all(|flake| flake.position.distance(place) < 2.0 * CLOUD_M));
    }
}
