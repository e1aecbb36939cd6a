//! Mud that animals have dug over: mounds with craters, pits, mouths of burrows, trails.
//!
//! After photographs of ooze and of harbour mud: mounds of shrimps and worms a hand or two wide, pits that are older
//! mounds' craters, holes as wide as a finger, furrows of snails and urchins that wind about. Sizes are by eye.

use math::{smoothstep, splitmix64};
use view::GROUND_TILE_M;

use crate::seabed::tiles::{Strewn, Torus, unit};

/// Form and tone that animals give to a place.
pub struct Dug {
    /// Height. Unit: m.
    pub height_m: f64,
    /// Change of lightness.
    pub tone: f64,
}

/// Places at which animals dig, over the unit square.
pub struct Burrows {
    mounds: Strewn,
    pits: Strewn,
    mouths: Strewn,
}

/// Cells along a side of the tile, with at most one in each.
const MOUNDS: i64 = 6;
const PITS: i64 = 11;
const MOUTHS: i64 = 17;

impl Burrows {
    /// Burrows of a seed.
    pub fn new(seed: u64) -> Self {
        let strewn = |salt, count| Strewn::new(splitmix64(seed, salt), count);
        Self { mounds: strewn(0x6d75, MOUNDS), pits: strewn(0x7069, PITS), mouths: strewn(0x6d6f, MOUTHS) }
    }

    /// Form and tone of a texel; `noise` makes them ragged and leads the trails.
    pub fn at(&self, noise: &Torus, at: (usize, usize)) -> Dug {
        let tiled = |frequency, offset| noise.at(at, frequency, offset);
        let (u, v) = unit(at);
        let ragged = 0.6 * tiled(8.0, 130.0) + 0.4 * tiled(17.0, 140.0);
        let mut dug = Dug {
            height_m: 0.006 * tiled(4.0, 150.0) + 0.005 * tiled(9.0, 160.0) + 0.0022 * tiled(21.0, 170.0),
            tone: 0.03 * tiled(6.0, 180.0),
        };
        let metres = |squared: f64, count: i64| squared.sqrt() * f64::from(GROUND_TILE_M) / count as f64;
        for (squared, share) in self.mounds.about(u, v).filter(|(_, share)| *share > 0.3) {
            let radius_m = 0.05 + 0.13 * (share - 0.3);
            let out = metres(squared, MOUNDS) / radius_m * (1.0 + 0.25 * ragged);
            let heap = bump(0.62 * out);
            let crater = if share > 0.6 { bump(3.0 * out) } else { 0.0 };
            dug.height_m += radius_m * (0.36 * heap - 0.26 * crater);
            // Fresh mud is paler than the film that lies on old.
            dug.tone += 0.10 * heap * (0.6 + 0.4 * ragged) - 0.26 * crater;
        }
        for (squared, share) in self.pits.about(u, v).filter(|(_, share)| *share > 0.55) {
            let radius_m = 0.02 + 0.06 * (share - 0.55);
            let hollow = bump(0.7 * metres(squared, PITS) / radius_m * (1.0 + 0.3 * ragged));
            dug.height_m -= 0.28 * radius_m * hollow;
            dug.tone -= 0.06 * hollow;
        }
        for (squared, share) in self.mouths.about(u, v).filter(|(_, share)| *share > 0.62) {
            let radius_m = 0.012 + 0.012 * (share - 0.62) / 0.38;
            let hole = bump(0.8 * metres(squared, MOUTHS) / radius_m);
            dug.height_m -= 0.010 * hole;
            dug.tone -= 0.40 * hole;
        }
        for (offset, width) in [(190.0, 0.030), (210.0, 0.018)] {
            // A line along which the noise is zero winds about; here and there its maker swam, or lay down.
            let off = tiled(1.4, offset).abs() / width;
            let walked = f64::from(smoothstep(0.0, 0.25, tiled(1.2, offset + 10.0) as f32));
            let (furrow, levees) = (bump(0.7 * off), bump(0.8 * (off - 2.1)));
            dug.height_m += walked * (0.0045 * levees - 0.006 * furrow);
            dug.tone += walked * (0.03 * levees - 0.06 * furrow);
        }
        dug
    }
}

/// A smooth heap: 1 in its middle, 0 from a distance of 1 on.
fn bump(distance: f64) -> f64 {
    let inside = (1.0 - distance * distance).max(0.0);
    inside * inside
}
