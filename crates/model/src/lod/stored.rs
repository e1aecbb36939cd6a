//! Levels of detail as bytes, so that they can be made beforehand: making them was most of the loading time in a
//! browser.
//!
//! A hash of the full mesh, to which they belong, comes before the levels after the first. Vertices of a simplified
//! surface are indices of vertices of the full mesh; those of a far shape are stored whole. Numbers are small
//! differences in seven bits a byte, which general compressors handle well.

use std::collections::HashMap;

use glam::{Vec2, Vec3};
use math::Fnv;

use super::{finish, fold_weights};
use crate::{Lod, Mesh, Vertex};

/// The first byte: version of the form.
const VERSION: u8 = 1;

/// Packs the levels after the first of a chain that [`chain`](super::chain) made of `full` and `rest`; `None` if they
/// could not be restored.
pub fn pack(full: &Lod, rest: u16, levels: &[Lod]) -> Option<Vec<u8>> {
    u8::try_from(rest).ok()?;
    let coarse = levels.get(1..)?;
    let mut bytes = vec![VERSION];
    bytes.extend(key(full, rest).to_le_bytes());
    bytes.push(u8::try_from(coarse.len()).ok()?);
    let mut numbers: HashMap<[u32; 9], Vec<usize>> = HashMap::new();
    for (number, vertex) in full.vertices.iter().enumerate() {
        numbers.entry(place(vertex)).or_default().push(number);
    }
    for level in coarse {
        let number = |vertex: &Vertex| {
            let alike = numbers.get(&place(vertex))?;
            alike.iter().copied().find(|&number| folded(full.vertices[number], level.max_joints, rest) == *vertex)
        };
        let numbers: Option<Vec<usize>> = level.vertices.iter().map(number).collect();
        bytes.extend(level.pixels.to_le_bytes());
        bytes.extend([level.max_joints, u8::from(level.two_sided), u8::from(numbers.is_some())]);
        put(&mut bytes, level.meshes.len() as i64);
        for mesh in &level.meshes {
            put(&mut bytes, i64::from(mesh.count));
            put(&mut bytes, mesh.material as i64);
        }
        put(&mut bytes, level.vertices.len() as i64);
        match numbers {
            Some(numbers) => {
                let mut next = 0;
                for number in numbers {
                    put(&mut bytes, number as i64 - next);
                    next = number as i64 + 1;
                }
            }
            None => level.vertices.iter().for_each(|vertex| put_vertex(&mut bytes, vertex)),
        }
        // Vertices are in the order of first use: most are the next one.
        let mut next = 0;
        for &index in &level.indices {
            put(&mut bytes, next - i64::from(index));
            next = next.max(i64::from(index) + 1);
        }
    }
    let unpacked = unpack(full, rest, &bytes)?;
    let is_same = |a: &Lod, b: &Lod| {
        (&a.vertices, &a.indices, &a.meshes) == (&b.vertices, &b.indices, &b.meshes)
            && (a.max_joints, a.pixels, a.two_sided) == (b.max_joints, b.pixels, b.two_sided)
    };
    let is_all = unpacked.len() == levels.len() && unpacked.iter().zip(levels).all(|(a, b)| is_same(a, b));
    is_all.then_some(bytes)
}

/// Restores the chain of `full` and `rest` from bytes of [`pack`]; `None` if these are of another mesh, or damaged.
pub fn unpack(full: &Lod, rest: u16, bytes: &[u8]) -> Option<Vec<Lod>> {
    let mut bytes = Bytes(bytes);
    if bytes.take::<1>()? != [VERSION] || bytes.take()? != key(full, rest).to_le_bytes() {
        return None;
    }
    let [count] = bytes.take()?;
    let mut levels = vec![super::whole(full)];
    for _ in 0..count {
        let pixels = f32::from_le_bytes(bytes.take()?);
        let [max_joints, two_sided, is_of_full] = bytes.take()?;
        let mut level = Lod { max_joints, pixels, two_sided: two_sided != 0, ..Lod::default() };
        if !matches!(max_joints, 1 | 2 | 4) {
            return None;
        }
        let mut first = 0_u32;
        for _ in 0..bytes.count()? {
            let (count, material) = (u32::try_from(bytes.number()?).ok()?, usize::try_from(bytes.number()?).ok()?);
            if full.meshes.iter().all(|mesh| mesh.material != material) {
                return None;
            }
            level.meshes.push(Mesh { first, count, material });
            first = first.checked_add(count).filter(|&end| end as usize <= full.indices.len())?;
        }
        let count = bytes.count()?;
        let mut next = 0_i64;
        for _ in 0..count {
            level.vertices.push(if is_of_full == 0 {
                vertex(&mut bytes, rest)?
            } else {
                let number = next.checked_add(bytes.number()?)?;
                next = number + 1;
                *full.vertices.get(usize::try_from(number).ok()?)?
            });
        }
        let mut next = 0_i64;
        for _ in 0..first {
            let index = next.checked_sub(bytes.number()?)?;
            next = next.max(index.checked_add(1)?);
            level.indices.push(u32::try_from(index).ok().filter(|&index| (index as usize) < level.vertices.len())?);
        }
        levels.push(level);
    }
    finish(&mut levels, rest);
    bytes.0.is_empty().then_some(levels)
}

/// Hash of the input of a chain, except colours of vertices, which no model with stored levels has, and the high bits
/// of joints: [`pack`] refuses a model with so many.
pub fn key(full: &Lod, rest: u16) -> u64 {
    let mut hash = Fnv::default();
    hash.bytes(&[rest as u8]);
    hash.word(full.vertices.len() as u32);
    for vertex in &full.vertices {
        place(vertex).into_iter().for_each(|word| hash.word(word));
        hash.word(u32::from_le_bytes(vertex.joints.map(|joint| joint as u8)));
        vertex.weights.iter().for_each(|weight| hash.word(weight.to_bits()));
    }
    full.indices.iter().for_each(|&index| hash.word(index));
    for mesh in &full.meshes {
        [mesh.first, mesh.count, mesh.material as u32].into_iter().for_each(|word| hash.word(word));
    }
    hash.finish()
}

/// A vertex without its joints, weights and colour, bit by bit.
fn place(vertex: &Vertex) -> [u32; 9] {
    let ([x, y, z], [a, b, c], [u, v]) = (vertex.position.to_array(), vertex.normal.to_array(), vertex.uv.to_array());
    let [x, y, z, a, b, c, u, v] = [x, y, z, a, b, c, u, v].map(f32::to_bits);
    [x, y, z, a, b, c, u, v, vertex.morph_row]
}

fn folded(mut vertex: Vertex, most: u8, rest: u16) -> Vertex {
    fold_weights(&mut vertex, most, rest);
    vertex
}

/// Writes a vertex that follows one joint.
fn put_vertex(bytes: &mut Vec<u8>, vertex: &Vertex) {
    place(vertex)[..8].iter().for_each(|word| bytes.extend(word.to_le_bytes()));
    bytes.push(vertex.joints[0] as u8);
    bytes.extend(vertex.weights[0].to_le_bytes());
    put(bytes, i64::from(vertex.morph_row));
}

fn vertex(bytes: &mut Bytes<'_>, rest: u16) -> Option<Vertex> {
    let mut numbers = [0.0; 8];
    for number in &mut numbers {
        *number = f32::from_le_bytes(bytes.take()?);
    }
    let [x, y, z, a, b, c, u, v] = numbers;
    // The rest joint is the last.
    let joint = bytes.take().map(|[joint]: [u8; 1]| u16::from(joint)).filter(|joint| *joint <= rest)?;
    let weight = f32::from_le_bytes(bytes.take()?);
    let morph_row = u32::try_from(bytes.number()?).ok()?;
    let (position, normal, uv) = (Vec3::new(x, y, z), Vec3::new(a, b, c), Vec2::new(u, v));
    Some(Vertex {
        position,
        normal,
        uv,
        joints: [joint, rest, rest, rest],
        weights: [weight, 0.0, 0.0, 0.0],
        morph_row,
        // The project's own models, whose levels are made beforehand, have no colours at their vertices.
        color: Vertex::WHITE,
    })
}

/// Writes a number, the shorter the nearer it is to 0: seven bits a byte, its sign in the lowest.
fn put(bytes: &mut Vec<u8>, number: i64) {
    let mut left = ((number << 1) ^ (number >> 63)) as u64;
    while left >= 0x80 {
        bytes.push(left as u8 | 0x80);
        left >>= 7;
    }
    bytes.push(left as u8);
}

/// Bytes left to be read.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, left) = self.0.split_first_chunk()?;
        self.0 = left;
        Some(*taken)
    }

    fn number(&mut self) -> Option<i64> {
        let mut number = 0_u64;
        for shift in (0..63).step_by(7) {
            let [byte] = self.take()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some((number >> 1) as i64 ^ -((number & 1) as i64));
            }
        }
        None
    }

    /// Reads a number of items that follow, each of a byte at least.
    fn count(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok().filter(|&count| count <= self.0.len())
    }
}
