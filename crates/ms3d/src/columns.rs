//! A file's bytes in an order that compresses better: gzip makes them about half as long as the gzipped file, or a
//! quarter if its numbers are rounded to a few binary places.
//!
//! Each field of all records is a column, each byte of a number a column of its own, and numbers are differences from
//! the ones before. Where all numbers of a field have few binary places, they are whole numbers of the last place. In the
//! file a triangle's corner has its normal and texture coordinates even if another corner of the same vertex has equal
//! ones; here it refers to those. After [`FIRST`] and a length comes the rest of the file in its own order, then the
//! columns, whose lengths follow from its counts.

use std::array;

use crate::MAGIC;
use crate::layout::{
    GROUP_BYTES, JOINT_BYTES, KEY_BYTES, KEYFRAMER_BYTES, MATERIAL_BYTES, TRIANGLE_BYTES, VERTEX_BYTES,
};

/// First bytes of packed data; no file begins with them.
pub const FIRST: [u8; 8] = *b"MS3Dcol2";

/// Bytes before the first section.
const HEADER: usize = MAGIC.len() + 4;
/// Bytes of a group before its triangle indices.
const GROUP_HEAD: usize = GROUP_BYTES - 1;
/// Number of binary places that stands for this many or more: such numbers are stored as their bits.
const BITS: u8 = 17;

/// Packs the bytes of a file; `None` if they could not be restored: the file is broken, or has vertex indices out of
/// range.
pub fn pack(file: &[u8]) -> Option<Vec<u8>> {
    let mut file_left = Taken(file);
    let mut plain = file_left.take(HEADER)?.to_vec();
    let mut columns = Vec::new();

    let vertices = file_left.records::<VERTEX_BYTES>(&mut plain)?;
    for at in [0, 13, 14] {
        columns.extend(vertices.iter().map(|vertex| vertex[at]));
    }
    put_words(&mut columns, &vertices.iter().map(|vertex| words_at::<3>(vertex, 1)).collect::<Vec<_>>());

    let triangles = file_left.records::<TRIANGLE_BYTES>(&mut plain)?;
    for at in [0, 1, 68, 69] {
        columns.extend(triangles.iter().map(|triangle| triangle[at]));
    }
    let corners = || triangles.iter().flat_map(|triangle| (0..3).map(move |corner| (triangle, corner)));
    let indices: Vec<u16> = corners().map(|(triangle, corner)| half_at(triangle, 2 + 2 * corner)).collect();
    if indices.iter().any(|&index| usize::from(index) >= vertices.len()) {
        return None;
    }
    put_indices(&mut columns, &indices);
    let normals = corners().map(|(triangle, corner)| words_at::<3>(triangle, 8 + 12 * corner));
    put_corners(&mut columns, vertices.len(), &indices, normals);
    let places = corners().map(|(triangle, corner)| [44, 56].map(|at| words_at::<1>(triangle, at + 4 * corner)[0]));
    put_corners(&mut columns, vertices.len(), &indices, places);

    let mut members = Vec::new();
    for _ in 0..file_left.count(&mut plain)? {
        let head = file_left.keep(GROUP_HEAD, &mut plain)?;
        let listed = file_left.take(2 * usize::from(half_at(head, 33)))?;
        members.extend(listed.as_chunks::<2>().0.iter().map(|&bytes| u16::from_le_bytes(bytes)));
        file_left.keep(1, &mut plain)?;
    }
    put_differences(&mut columns, &members);

    let materials = file_left.count(&mut plain)?;
    file_left.keep(materials * MATERIAL_BYTES + KEYFRAMER_BYTES, &mut plain)?;
    let mut keys = Vec::new();
    for _ in 0..file_left.count(&mut plain)? {
        let head = file_left.keep(JOINT_BYTES, &mut plain)?;
        let own = file_left.take(keys_of(head) * KEY_BYTES)?.chunks_exact(KEY_BYTES);
        keys.extend(own.map(|key| words_at::<4>(key, 0)));
    }
    put_words(&mut columns, &keys);
    plain.extend(file_left.0);

    let length = u32::try_from(plain.len()).ok()?.to_le_bytes();
    let packed = [&FIRST[..], &length, &plain, &columns].concat();
    (unpack(&packed)? == file).then_some(packed)
}

/// Restores the file that [`pack`] packed; `None` if the bytes are something else.
pub fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    let mut columns = Taken(packed.strip_prefix(&FIRST)?);
    let length = u32::from_le_bytes(*columns.take(4)?.as_array()?);
    let mut plain = Taken(columns.take(usize::try_from(length).ok()?)?);
    let mut file = plain.take(HEADER)?.to_vec();

    let count = plain.count(&mut file)?;
    let [flags, joints, references] = columns.columns(count)?;
    let positions = columns.words::<3>(count)?;
    for (vertex, position) in positions.iter().enumerate() {
        file.push(flags[vertex]);
        position.iter().for_each(|word| file.extend(word.to_le_bytes()));
        file.extend([joints[vertex], references[vertex]]);
    }

    let triangles = plain.count(&mut file)?;
    let [low, high, smoothing, group] = columns.columns(triangles)?;
    let indices = columns.indices(3 * triangles)?;
    let normals = columns.corners::<3>(count, &indices)?;
    let places = columns.corners::<2>(count, &indices)?;
    let (heads, ends) = (low.iter().zip(high), smoothing.iter().zip(group));
    for (triangle, ((low, high), (smoothing, group))) in heads.zip(ends).enumerate() {
        let corners = 3 * triangle..3 * triangle + 3;
        file.extend([low, high]);
        indices[corners.clone()].iter().for_each(|index| file.extend(index.to_le_bytes()));
        normals[corners.clone()].as_flattened().iter().for_each(|word| file.extend(word.to_le_bytes()));
        for axis in [0, 1] {
            places[corners.clone()].iter().for_each(|place| file.extend(place[axis].to_le_bytes()));
        }
        file.extend([smoothing, group]);
    }

    // The triangle indices of all groups are one column, whose length follows from the groups' heads.
    let (mut ahead, mut all) = (plain, 0);
    let groups = ahead.count(&mut Vec::new())?;
    for _ in 0..groups {
        all += usize::from(half_at(ahead.take(GROUP_HEAD)?, 33));
        ahead.take(1)?;
    }
    let members = columns.differences(all)?;
    let mut left = &members[..];
    for _ in 0..plain.count(&mut file)? {
        let head = plain.keep(GROUP_HEAD, &mut file)?;
        let listed = left.split_off(..usize::from(half_at(head, 33)))?;
        listed.iter().for_each(|number| file.extend(number.to_le_bytes()));
        plain.keep(1, &mut file)?;
    }

    let materials = plain.count(&mut file)?;
    plain.keep(materials * MATERIAL_BYTES + KEYFRAMER_BYTES, &mut file)?;
    let (mut ahead, mut all) = (plain, 0);
    for _ in 0..ahead.count(&mut Vec::new())? {
        all += keys_of(ahead.take(JOINT_BYTES)?);
    }
    let keys = columns.words::<4>(all)?;
    let mut left = &keys[..];
    for _ in 0..plain.count(&mut file)? {
        let head = plain.keep(JOINT_BYTES, &mut file)?;
        let own = left.split_off(..keys_of(head))?;
        own.as_flattened().iter().for_each(|word| file.extend(word.to_le_bytes()));
    }
    file.extend(plain.0);
    columns.0.is_empty().then_some(file)
}

/// Number of keys of a joint, of both kinds.
fn keys_of(head: &[u8]) -> usize {
    usize::from(half_at(head, 89)) + usize::from(half_at(head, 91))
}

fn half_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn words_at<const N: usize>(bytes: &[u8], at: usize) -> [u32; N] {
    array::from_fn(|i| u32::from_le_bytes(array::from_fn(|byte| bytes[at + 4 * i + byte])))
}

/// A difference as an unsigned number: the nearer to 0 it is, whichever its sign, the smaller.
fn folded(difference: u32) -> u32 {
    (difference << 1) ^ ((difference as i32 >> 31) as u32)
}

fn unfolded(number: u32) -> u32 {
    (number >> 1) ^ (number & 1).wrapping_neg()
}

/// The stored form of the `f32` of these bits, which [`restored`] may not restore if it has more binary places.
fn stored(bits: u32, places: u8) -> u32 {
    if places == BITS { bits } else { (f32::from_bits(bits) * (1 << places) as f32) as i32 as u32 }
}

fn restored(stored: u32, places: u8) -> u32 {
    if places == BITS { stored } else { (stored as i32 as f32 / (1 << places) as f32).to_bits() }
}

fn put_words<const N: usize>(columns: &mut Vec<u8>, rows: &[[u32; N]]) {
    for column in 0..N {
        let bits = || rows.iter().map(|row| row[column]);
        let is_exact = |&places: &u8| bits().all(|bits| restored(stored(bits, places), places) == bits);
        let places = (0..BITS).find(is_exact).unwrap_or(BITS);
        columns.push(places);
        let numbers = || bits().map(|bits| stored(bits, places));
        let before = [0].into_iter().chain(numbers());
        let differences: Vec<u32> =
            numbers().zip(before).map(|(number, before)| folded(number.wrapping_sub(before))).collect();
        for byte in 0..4 {
            columns.extend(differences.iter().map(|number| number.to_le_bytes()[byte]));
        }
    }
}

fn put_halves(columns: &mut Vec<u8>, numbers: &[u16]) {
    for byte in 0..2 {
        columns.extend(numbers.iter().map(|number| number.to_le_bytes()[byte]));
    }
}

fn put_differences(columns: &mut Vec<u8>, numbers: &[u16]) {
    let before = [0].iter().chain(numbers);
    let differences = numbers.iter().zip(before).map(|(number, before)| number.wrapping_sub(*before));
    put_halves(columns, &differences.collect::<Vec<_>>());
}

/// Writes indices as distances from the next new one: vertices are mostly in the order of first use.
fn put_indices(columns: &mut Vec<u8>, indices: &[u16]) {
    let mut next = 0_u16;
    let distance = |&index: &u16| {
        let distance = next.wrapping_sub(index);
        next = next.max(index.wrapping_add(1));
        distance
    };
    put_halves(columns, &indices.iter().map(distance).collect::<Vec<_>>());
}

/// Writes an attribute of corners: for each the number, from 1, of the equal value among those its vertex has had, or 0
/// for a new one; then the new values.
fn put_corners<const N: usize>(
    columns: &mut Vec<u8>,
    vertices: usize,
    indices: &[u16],
    rows: impl Iterator<Item = [u32; N]>,
) {
    let mut had: Vec<Vec<[u32; N]>> = vec![Vec::new(); vertices];
    let mut new = Vec::new();
    for (&index, row) in indices.iter().zip(rows) {
        let had = &mut had[usize::from(index)];
        let known = had.iter().take(usize::from(u8::MAX)).position(|known| *known == row);
        columns.push(known.map_or(0, |known| known as u8 + 1));
        if known.is_none() {
            had.push(row);
            new.push(row);
        }
    }
    put_words(columns, &new);
}

/// Bytes left to be taken.
#[derive(Clone, Copy)]
struct Taken<'a>(&'a [u8]);

impl<'a> Taken<'a> {
    fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        self.0.split_off(..bytes)
    }

    /// Takes bytes that are the same in the file and in the packed data.
    fn keep(&mut self, bytes: usize, kept: &mut Vec<u8>) -> Option<&'a [u8]> {
        let taken = self.take(bytes)?;
        kept.extend(taken);
        Some(taken)
    }

    /// Takes a count of records, which is in the file and in the packed data.
    fn count(&mut self, kept: &mut Vec<u8>) -> Option<usize> {
        Some(usize::from(half_at(self.keep(2, kept)?, 0)))
    }

    /// Takes records of which only the count is kept.
    fn records<const N: usize>(&mut self, kept: &mut Vec<u8>) -> Option<&'a [[u8; N]]> {
        let count = self.count(kept)?;
        Some(self.take(count * N)?.as_chunks().0)
    }

    fn columns<const N: usize>(&mut self, rows: usize) -> Option<[&'a [u8]; N]> {
        let bytes = self.take(N * rows)?;
        Some(array::from_fn(|column| &bytes[column * rows..][..rows]))
    }

    fn words<const N: usize>(&mut self, rows: usize) -> Option<Vec<[u32; N]>> {
        let mut words = vec![[0; N]; rows];
        for column in 0..N {
            let places = self.take(1)?[0];
            if places > BITS {
                return None;
            }
            let [a, b, c, d] = self.columns(rows)?;
            let mut before = 0_u32;
            for (row, word) in words.iter_mut().enumerate() {
                before = before.wrapping_add(unfolded(u32::from_le_bytes([a[row], b[row], c[row], d[row]])));
                word[column] = restored(before, places);
            }
        }
        Some(words)
    }

    fn halves(&mut self, rows: usize) -> Option<impl Iterator<Item = u16>> {
        let [low, high] = self.columns(rows)?;
        Some(low.iter().zip(high).map(|(&low, &high)| u16::from_le_bytes([low, high])))
    }

    fn differences(&mut self, rows: usize) -> Option<Vec<u16>> {
        let mut before = 0_u16;
        let number = |difference| {
            before = before.wrapping_add(difference);
            before
        };
        Some(self.halves(rows)?.map(number).collect())
    }

    fn indices(&mut self, rows: usize) -> Option<Vec<u16>> {
        let mut next = 0_u16;
        let index = |distance| {
            let index = next.wrapping_sub(distance);
            next = next.max(index.wrapping_add(1));
            index
        };
        Some(self.halves(rows)?.map(index).collect())
    }

    fn corners<const N: usize>(&mut self, vertices: usize, indices: &[u16]) -> Option<Vec<[u32; N]>> {
        let [codes] = self.columns(indices.len())?;
        let new = self.words::<N>(codes.iter().filter(|&&code| code == 0).count())?;
        let mut had: Vec<Vec<usize>> = vec![Vec::new(); vertices];
        let mut seen = 0;
        let row = |(&index, &code): (&u16, &u8)| {
            let had = had.get_mut(usize::from(index))?;
            if code == 0 {
                had.push(seen);
                seen += 1;
                return Some(new[seen - 1]);
            }
            Some(new[*had.get(usize::from(code) - 1)?])
        };
        indices.iter().zip(codes).map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raw::{Document, Group, Joint, Key, Keyframer, Tail, Triangle, Vertex};

    /// Two triangles that share two vertices, and a joint with keys.
    fn file() -> Vec<u8> {
        let vertex = |x: f32| Vertex { position: [x, -0.5, 1e-9], bone_id: -1, reference_count: 2, flags: 1 };
        let triangle = |indices, last: f32| Triangle {
            vertex_indices: indices,
            vertex_normals: [[0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, last, 0.0]],
            s: [0.25, 0.5, last],
            t: [1.0, f32::NAN, 0.0],
            smoothing_group: 1,
            ..Triangle::default()
        };
        let key = |time, x| Key { time, value: [x, 0.0, -x] };
        let document = Document {
            version: 4,
            vertices: (0..4).map(|i| vertex(i as f32)).collect(),
            triangles: vec![triangle([0, 1, 2], 1.0), triangle([2, 1, 3], -1.0)],
            groups: vec![
                Group { triangle_indices: vec![1, 0], material_index: -1, ..Group::default() },
                Group::default(),
            ],
            materials: Vec::new(),
            keyframer: Keyframer { fps: 24.0, current_time: 0.0, total_frames: 9 },
            joints: vec![Joint { rotation_keys: vec![key(0.0, 0.1), key(1.0, 0.2)], ..Joint::default() }],
            tail: Tail { trailing: Vec::new(), ..Tail::default() },
        };
        crate::write(&document).expect("it fits")
    }

    #[test]
    fn a_file_comes_back_byte_for_byte() {
        let file = file();
        let packed = pack(&file).expect("a good file");
        assert_eq!(unpack(&packed).as_ref(), Some(&file));
        let with_more = [&file[..], b"more"].concat();
        assert_eq!(unpack(&pack(&with_more).expect("the same")), Some(with_more));
    }

    #[test]
    fn numbers_of_few_binary_places_are_whole() {
        for (number, places, whole) in [(-0.75_f32, 2, -3), (40.0, 0, 40), (-0.0, 0, 0), (1e9, 0, 1_000_000_000)] {
            assert_eq!(stored(number.to_bits(), places) as i32, whole);
            assert_eq!(restored(whole as u32, places) == number.to_bits(), number != 0.0, "0 has no sign");
        }
        let rows = [0.1_f32, f32::NAN, -0.0, f32::MAX].map(|number| [number.to_bits(), 1.5_f32.to_bits()]);
        let mut columns = Vec::new();
        put_words(&mut columns, &rows);
        assert_eq!((columns[0], columns[17]), (BITS, 1));
        assert_eq!(Taken(&columns).words::<2>(4).as_deref(), Some(&rows[..]));
    }

    #[test]
    fn what_is_no_file_is_not_packed() {
        let file = file();
        assert_eq!(pack(&file[..40]), None);
        let mut wrong = file.clone();
        // The first corner of the first triangle.
        let at = HEADER + 2 + 4 * VERTEX_BYTES + 2 + 2;
        wrong[at..at + 2].copy_from_slice(&[9, 0]);
        assert_eq!(pack(&wrong), None);
        assert_eq!(unpack(&file), None);
    }

    #[test]
    fn damaged_bytes_are_refused_or_another_file() {
        let packed = pack(&file()).expect("a good file");
        assert!((0..packed.len()).all(|end| unpack(&packed[..end]).is_none()), "cut off");
        for at in 0..packed.len() {
            let mut damaged = packed.clone();
            damaged[at] ^= 0xff;
            assert_ne!(unpack(&damaged), Some(file()), "byte {at}");
        }
    }
}
