//! Indices: corners of triangles that share edges and vertices with those just before, and sequences of any kind.

use super::{Reader, unzigzag};

/// First byte of a stream of triangles, and of one of other indices.
const TRIANGLES: u8 = 0xe1;
const SEQUENCE: u8 = 0xd1;
/// Bytes at the end: a table for triangles, padding for other indices.
const TABLE_BYTES: usize = 16;
const PADDING_BYTES: usize = 4;

/// The latest entries that were added, which are read by their age.
struct Recent<T> {
    entries: [Option<T>; 16],
    added: usize,
}

impl<T: Copy> Recent<T> {
    fn new() -> Self {
        Self { entries: [None; 16], added: 0 }
    }

    fn add(&mut self, entry: T) {
        self.entries[self.added % 16] = Some(entry);
        self.added += 1;
    }

    /// The entry that was added `age` entries before the last one.
    fn get(&self, age: u8) -> Option<T> {
        let place = self.added.checked_sub(1 + usize::from(age))?;
        self.entries[place % 16]
    }
}

/// Indices that a stream goes on from.
struct State<'a> {
    reader: Reader<'a>,
    /// First index not used yet.
    next: u32,
    /// Last index that was given by its difference.
    last: u32,
    vertices: Recent<u32>,
}

impl State<'_> {
    fn fresh(&mut self) -> u32 {
        let fresh = self.next;
        self.next = self.next.wrapping_add(1);
        fresh
    }

    fn given(&mut self) -> Option<u32> {
        self.last = self.last.wrapping_add(unzigzag(self.reader.varint()?));
        Some(self.last)
    }

    /// A corner by four bits: a fresh vertex, a recent one, or one that is given. All but recent ones are not recent yet.
    fn corner(&mut self, code: u8) -> Option<(u32, bool)> {
        Some(match code {
            0 => (self.fresh(), true),
            15 => (self.given()?, true),
            recent => (self.vertices.get(recent - 1)?, false),
        })
    }
}

/// Decodes the corners of `count` triangles; `None` if the stream is damaged.
pub(super) fn triangles(bytes: &[u8], count: usize) -> Option<Vec<[u32; 3]>> {
    let mut whole = Reader(bytes);
    if whole.byte()? != TRIANGLES {
        return None;
    }
    let codes = whole.take(count)?;
    let (data, table) = whole.0.split_at_checked(whole.0.len().checked_sub(TABLE_BYTES)?)?;
    let mut state = State { reader: Reader(data), next: 0, last: 0, vertices: Recent::new() };
    let mut edges: Recent<(u32, u32)> = Recent::new();
    let mut triangles = Vec::with_capacity(count);
    for &code in codes {
        let (high, low) = (code >> 4, code & 15);
        if high < 15 {
            let (a, b) = edges.get(high)?;
            let (c, is_new) = match low {
                13 | 14 => {
                    state.last = if low == 13 { state.last.wrapping_sub(1) } else { state.last.wrapping_add(1) };
                    (state.last, true)
                }
                // Of recent vertices the last one is on the edge itself, and left out.
                1..13 => (state.vertices.get(low)?, false),
                _ => state.corner(low)?,
            };
            edges.add((c, b));
            edges.add((a, c));
            if is_new {
                state.vertices.add(c);
            }
            triangles.push([a, b, c]);
            continue;
        }
        let pair = if low < 14 { *table.get(usize::from(low))? } else { state.reader.byte()? };
        if low >= 14 && pair == 0 {
            state.next = 0;
        }
        let a = if low == 15 { state.given()? } else { state.fresh() };
        let (b, b_is_new) = state.corner(pair >> 4)?;
        let (c, c_is_new) = state.corner(pair & 15)?;
        for edge in [(b, a), (c, b), (a, c)] {
            edges.add(edge);
        }
        for (vertex, is_new) in [(a, true), (b, b_is_new), (c, c_is_new)] {
            if is_new {
                state.vertices.add(vertex);
            }
        }
        triangles.push([a, b, c]);
    }
    state.reader.end()?;
    Some(triangles)
}

/// Decodes `count` indices, each a difference from one of two others; `None` if the stream is damaged.
pub(super) fn sequence(bytes: &[u8], count: usize) -> Option<Vec<u32>> {
    let (&first, rest) = bytes.split_first()?;
    let (data, _) = rest.split_at_checked(rest.len().checked_sub(PADDING_BYTES)?)?;
    if first != SEQUENCE || data.len() < count {
        return None;
    }
    let mut reader = Reader(data);
    let mut last = [0_u32; 2];
    let mut indices = Vec::with_capacity(count);
    for _ in 0..count {
        let number = reader.varint()?;
        let last = &mut last[(number & 1) as usize];
        *last = last.wrapping_add(unzigzag(number >> 1));
        indices.push(*last);
    }
    reader.end()?;
    Some(indices)
}

#[cfg(test)]
pub(super) mod tests {
    /// Six triangles: by the table, by an edge with a fresh, a recent, a given and a neighbouring vertex, and given.
    pub const TRIANGLES: [u8; 28] = [
        0xe1, 0xf0, 0x00, 0x13, 0x0f, 0x0e, 0xff, // Codes.
        20, 0xff, 2, 2, 2, // Given numbers.
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // Table.
    ];
    /// 0, 1, -1 (of the other base), 100 and 101.
    pub const SEQUENCE: [u8; 11] = [0xd1, 0, 4, 3, 0x8c, 3, 4, 0, 0, 0, 0];

    #[test]
    fn triangles_go_on_from_recent_edges_and_vertices() {
        let triangles = super::triangles(&TRIANGLES, 6);
        assert_eq!(triangles, Some(vec![[0, 1, 2], [0, 2, 3], [3, 2, 0], [3, 0, 10], [3, 10, 11], [12, 13, 14]]));
    }

    #[test]
    fn sequences_go_on_from_two_bases() {
        assert_eq!(super::sequence(&SEQUENCE, 5), Some(vec![0, 1, u32::MAX, 100, 101]));
    }

    #[test]
    fn an_edge_before_the_first_triangle_is_refused() {
        let mut bytes = TRIANGLES;
        bytes[1] = 0x00;
        assert_eq!(super::triangles(&bytes, 6), None);
    }
}
