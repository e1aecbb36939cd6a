//! Seeded noise for shapes and paint.

use glam::{IVec3, Vec2, Vec3};
use noise::permutationtable::{NoiseHasher, PermutationTable};

/// Gradient noise from a seed; values lie near -1..1, features near 1 unit apart.
#[derive(Clone, Copy, Debug)]
pub struct Noise {
    /// The crate's permutation of the bytes; its own [`noise::Perlin`] is slower over the same values.
    shuffled: [u8; 256],
    seed: u32,
}

/// Perlin's gradients by the last four bits of a hash, as the crate has them.
const GRADIENTS: [[f64; 3]; 16] = [
    [1.0, 1.0, 0.0],
    [-1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [-1.0, -1.0, 0.0],
    [1.0, 0.0, 1.0],
    [-1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [-1.0, 0.0, -1.0],
    [0.0, 1.0, 1.0],
    [0.0, -1.0, 1.0],
    [0.0, 1.0, -1.0],
    [0.0, -1.0, -1.0],
    [1.0, 1.0, 0.0],
    [-1.0, 1.0, 0.0],
    [0.0, -1.0, 1.0],
    [0.0, -1.0, -1.0],
];
/// Brings Perlin's noise to -1..1: 2 / sqrt(3).
const SCALE: f64 = 1.154_700_538_379_251_5;

impl Noise {
    /// Noise of a seed.
    pub fn new(seed: u64) -> Self {
        let seed = (seed ^ (seed >> 32)) as u32;
        let table = PermutationTable::new(seed);
        Self { shuffled: std::array::from_fn(|n| table.hash(&[n as isize]) as u8), seed }
    }

    /// One octave.
    pub fn at(&self, p: Vec3) -> f32 {
        let corner = floor(p);
        let [x, y, z] = [0, 1, 2].map(|k| f64::from(p[k]) - f64::from(corner[k]));
        let [i, j, k] = corner.to_array().map(|c| c as u8);
        let shuffled = |n: u8| self.shuffled[usize::from(n)];
        // The quintic whose first and second derivatives vanish at both ends.
        let [u, v, w] = [x, y, z].map(|t| t * t * t * (t * (t * 6.0 - 15.0) + 10.0));
        let edge = |a: u8, b: u8| {
            let (x, y, column) =
                (x - f64::from(a), y - f64::from(b), shuffled(shuffled(i.wrapping_add(a)) ^ j.wrapping_add(b)));
            let at = |c: u8| {
                let [gx, gy, gz] = GRADIENTS[usize::from(shuffled(column ^ k.wrapping_add(c)) & 15)];
                gx * x + gy * y + gz * (z - f64::from(c))
            };
            mix(at(0), at(1), w)
        };
        let sum = mix(mix(edge(0, 0), edge(0, 1), v), mix(edge(1, 0), edge(1, 1), v), u);
        (sum * SCALE).clamp(-1.0, 1.0) as f32
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
        let (near, next, _) = self.cell(p);
        (near, next)
    }

    /// Distances as in [`Self::cells`], and the nearest point, which is the same all over its cell.
    pub fn cell(&self, p: Vec3) -> (f32, f32, Vec3) {
        let corner = floor(p);
        // Squared distances to the previous, own and next cell on each axis; a hair less, because points are rounded.
        let (within, hair) = (p - corner.as_vec3(), 1e-4);
        let [before, after] = [within, 1.0 - within].map(|gap| (gap - hair).max(Vec3::ZERO));
        let away = [before * before, Vec3::ZERO, after * after];
        let (mut near, mut next, mut nearest) = (f32::MAX, f32::MAX, p);
        // Nearest cells first: cells farther than the two nearest points so far are skipped.
        let nearest_first = |within: f32| if within < 0.5 { [1, 0, 2] } else { [1, 2, 0] };
        let [xs, ys, zs] = within.to_array().map(nearest_first);
        for dz in zs {
            for dy in ys {
                for dx in xs {
                    if away[dx].x + away[dy].y + away[dz].z < next {
                        let cell = corner + IVec3::new(dx as i32, dy as i32, dz as i32) - 1;
                        let point = cell.as_vec3() + self.jitter(cell);
                        let d = point.distance_squared(p);
                        (near, next, nearest) = if d < near { (d, near, point) } else { (near, next.min(d), nearest) };
                    }
                }
            }
        }
        (near.sqrt(), next.sqrt(), nearest)
    }

    /// Pseudorandom value in 0..1 of an integer.
    pub fn hash(&self, n: i32) -> f32 {
        to_unit(scrambled(n as u32 ^ self.seed.wrapping_mul(0x9e37_79b9)))
    }

    fn jitter(&self, cell: IVec3) -> Vec3 {
        let h = scrambled(cell.x as u32 ^ scrambled(cell.y as u32 ^ scrambled(cell.z as u32 ^ self.seed)));
        Vec3::new(to_unit(h), to_unit(scrambled(h ^ 0x68bc_21eb)), to_unit(scrambled(h ^ 0x02e5_be93)))
    }
}

/// Component-wise floor, without the library call that older processors need for it.
fn floor(p: Vec3) -> IVec3 {
    let toward_zero = p.as_ivec3();
    toward_zero - IVec3::from_array([0, 1, 2].map(|k| i32::from(toward_zero[k] as f32 > p[k])))
}

/// Linear interpolation, rounded as in the crate.
fn mix(a: f64, b: f64, t: f64) -> f64 {
    b * t + a * (1.0 - t)
}

/// A good integer hash (Ettinger's "lowbias32").
fn scrambled(mut x: u32) -> u32 {
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
    fn values_are_those_of_the_crate() {
        use noise::{NoiseFn, Perlin};
        let (ours, theirs) = (Noise::new(77), Perlin::new(77));
        for n in -500..500 {
            let p = Vec3::new(0.37, -1.91, 5.13) * n as f32;
            let [x, y, z] = p.to_array().map(f64::from);
            assert_eq!(ours.at(p), theirs.get([x, y, z]) as f32, "{p}");
        }
    }

    #[test]
    fn no_nearer_point_is_left_out() {
        let noise = Noise::new(5);
        for n in 0..2000 {
            let p = Vec3::new(0.137, -0.291, 0.513) * n as f32;
            let mut all: Vec<f32> = Vec::new();
            for (x, y, z) in (0..27).map(|n| (n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1)) {
                let cell = p.floor().as_ivec3() + IVec3::new(x, y, z);
                all.push((cell.as_vec3() + noise.jitter(cell)).distance(p));
            }
            all.sort_by(f32::total_cmp);
            assert_eq!(noise.cells(p), (all[0], all[1]), "{p}");
        }
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
