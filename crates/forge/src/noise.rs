//! Seeded noise for shapes and paint.

use glam::{Vec2, Vec3};
use noise::{NoiseFn, Perlin};

/// Gradient noise from a seed; values lie near -1..1, features near 1 unit apart.
#[derive(Clone, Copy, Debug)]
pub struct Noise {
    perlin: Perlin,
    seed: u32,
}

impl Noise {
    /// Noise of its own for each seed.
    pub fn new(seed: u64) -> Self {
        let seed = (seed ^ (seed >> 32)) as u32;
        Self { perlin: Perlin::new(seed), seed }
    }

    /// One octave.
    pub fn at(&self, p: Vec3) -> f32 {
        self.perlin.get([f64::from(p.x), f64::from(p.y), f64::from(p.z)]) as f32
    }

    /// One octave in the plane.
    pub fn at2(&self, p: Vec2) -> f32 {
        self.at(p.extend(0.37))
    }

    /// `octaves` octaves, each twice as fine and half as strong; near -1..1.
    pub fn fbm(&self, p: Vec3, octaves: u32) -> f32 {
        let (mut sum, mut norm, mut amplitude, mut q) = (0.0, 0.0, 1.0, p);
        for _ in 0..octaves {
            sum += amplitude * self.at(q);
            norm += amplitude;
            amplitude *= 0.5;
            q = q * 2.03 + Vec3::splat(17.17);
        }
        if norm > 0.0 { 1.4 * sum / norm } else { 0.0 }
    }

    /// Ridges: 1 on thin lines, falling to 0 between.
    pub fn ridged(&self, p: Vec3, octaves: u32) -> f32 {
        let (mut sum, mut norm, mut amplitude, mut q) = (0.0, 0.0, 1.0, p);
        for _ in 0..octaves {
            let ridge = 1.0 - self.at(q).abs().min(1.0);
            sum += amplitude * ridge * ridge;
            norm += amplitude;
            amplitude *= 0.5;
            q = q * 2.03 + Vec3::splat(31.7);
        }
        if norm > 0.0 { sum / norm } else { 0.0 }
    }

    /// Distances to the nearest and second nearest of points scattered one per unit cell: cobbles, polyps, scutes.
    pub fn cells(&self, p: Vec3) -> (f32, f32) {
        let base = p.floor().as_ivec3();
        let (mut near, mut next) = (f32::MAX, f32::MAX);
        for dx in -1..=1 {
            for dy in -1..=1 {
                for dz in -1..=1 {
                    let cell = base + glam::IVec3::new(dx, dy, dz);
                    let point = cell.as_vec3() + self.jitter(cell);
                    let d = point.distance(p);
                    if d < near {
                        next = near;
                        near = d;
                    } else if d < next {
                        next = d;
                    }
                }
            }
        }
        (near, next)
    }

    /// A value in 0..1 that belongs to an integer, without pattern.
    pub fn hash(&self, n: i32) -> f32 {
        to_unit(mix(n as u32 ^ self.seed.wrapping_mul(0x9e37_79b9)))
    }

    fn jitter(&self, cell: glam::IVec3) -> Vec3 {
        let h = mix(cell.x as u32 ^ mix(cell.y as u32 ^ mix(cell.z as u32 ^ self.seed)));
        Vec3::new(to_unit(h), to_unit(mix(h ^ 0x68bc_21eb)), to_unit(mix(h ^ 0x02e5_be93)))
    }
}

/// A good integer hash (Ettinger's "lowbias32").
fn mix(mut x: u32) -> u32 {
    x ^= x >> 16;
    x = x.wrapping_mul(0x7feb_352d);
    x ^= x >> 15;
    x = x.wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}

fn to_unit(x: u32) -> f32 {
    (x >> 8) as f32 / (1u32 << 24) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_differ_and_repeat() {
        let p = Vec3::new(1.3, 0.2, 5.7);
        assert_eq!(Noise::new(4).fbm(p, 3), Noise::new(4).fbm(p, 3));
        assert_ne!(Noise::new(4).fbm(p, 3), Noise::new(5).fbm(p, 3));
    }

    #[test]
    fn nearest_cell_is_not_farther_than_the_next() {
        let noise = Noise::new(9);
        for i in 0..50 {
            let (near, next) = noise.cells(Vec3::new(i as f32 * 0.31, i as f32 * -0.17, 0.4));
            assert!(near <= next && near < 1.8);
        }
    }
}
