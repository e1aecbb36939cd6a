//! Elements of any kind: differences of each byte, in blocks of up to 256 elements and groups of 16.

use super::{Reader, unzigzag};

/// First byte of a stream, without its version.
const MAGIC: u8 = 0xa0;
/// Elements of a group.
const GROUP: usize = 16;
/// Most bytes, and most elements, of a block.
const BLOCK_BYTES: usize = 8192;
const BLOCK: usize = 256;

/// Bits of a difference by a group's two header bits: of version 0, then of the two ways of version 1.
const BITS: [[u32; 4]; 3] = [[0, 2, 4, 8], [0, 1, 2, 4], [1, 2, 4, 8]];

/// Decodes `count` elements of `stride` bytes, a multiple of 4 of at most 256; `None` if the stream is damaged.
pub(super) fn decode(bytes: &[u8], count: usize, stride: usize) -> Option<Vec<u8>> {
    let (&first, rest) = bytes.split_first()?;
    let version = first ^ MAGIC;
    // The tail: the element before the first one, and how the differences of four bytes each are taken.
    let (channel_bytes, min_tail) = match version {
        0 => (0, 32),
        1 => (stride / 4, 24),
        _ => return None,
    };
    let tail_bytes = stride + channel_bytes;
    let (body, padded) = rest.split_at_checked(rest.len().checked_sub(tail_bytes.max(min_tail))?)?;
    let (baseline, channels) = padded[padded.len() - tail_bytes..].split_at(stride);
    let mut reader = Reader(body);
    let mut last = baseline.to_vec();
    let mut elements = vec![0; count * stride];
    let block = (BLOCK_BYTES / stride / GROUP * GROUP).min(BLOCK);
    for block in elements.chunks_mut(block * stride) {
        let controls = reader.take(channel_bytes)?;
        for (channel, last) in last.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            let control = controls.get(channel).copied();
            let mut deltas = [[0; BLOCK]; 4];
            for (byte, deltas) in deltas.iter_mut().enumerate() {
                let bits = match control.map(|control| control >> (2 * byte) & 3) {
                    None => &BITS[0],
                    Some(0) => &BITS[1],
                    Some(1) => &BITS[2],
                    Some(2) => continue,
                    Some(_) => {
                        let literal = reader.take(block.len() / stride)?;
                        deltas[..literal.len()].copy_from_slice(literal);
                        continue;
                    }
                };
                groups(&mut reader, bits, deltas, block.len() / stride)?;
            }
            let part = Part { block, stride, channel, deltas: &deltas };
            match channels.get(channel).copied().unwrap_or(0) {
                0 => part.restore(last, |last, deltas| {
                    [0, 1, 2, 3].map(|byte: usize| last[byte].wrapping_add(unzigzag(deltas[byte].into()) as u8))
                }),
                1 => part.restore(last, |last, deltas| {
                    let [[a, b], [c, d]] = [0, 2].map(|byte: usize| {
                        let of = |bytes: [u8; 4]| u16::from_le_bytes([bytes[byte], bytes[byte + 1]]);
                        of(last).wrapping_add(unzigzag(of(deltas).into()) as u16).to_le_bytes()
                    });
                    [a, b, c, d]
                }),
                mode if mode & 0xf == 2 => part.restore(last, |last, deltas| {
                    let turned = u32::from_le_bytes(deltas).rotate_right(u32::from(mode >> 4));
                    (turned ^ u32::from_le_bytes(last)).to_le_bytes()
                }),
                _ => return None,
            }
        }
    }
    reader.end()?;
    Some(elements)
}

/// Four bytes of each element of a block, and their differences.
struct Part<'a> {
    block: &'a mut [u8],
    stride: usize,
    channel: usize,
    deltas: &'a [[u8; BLOCK]; 4],
}

impl Part<'_> {
    /// Writes the bytes, each four made by `next` out of those of the element before and their differences.
    fn restore(self, last: &mut [u8; 4], next: impl Fn([u8; 4], [u8; 4]) -> [u8; 4]) {
        for (element, values) in self.block.chunks_exact_mut(self.stride).enumerate() {
            *last = next(*last, self.deltas.each_ref().map(|deltas| deltas[element]));
            values[4 * self.channel..][..4].copy_from_slice(last);
        }
    }
}

/// Reads the differences of one byte of `count` elements.
fn groups(reader: &mut Reader<'_>, bits: &[u32; 4], deltas: &mut [u8; BLOCK], count: usize) -> Option<()> {
    let groups = count.div_ceil(GROUP);
    let headers = reader.take(groups.div_ceil(4))?;
    for (group, deltas) in deltas.as_chunks_mut::<GROUP>().0.iter_mut().take(groups).enumerate() {
        match bits[usize::from(headers[group / 4] >> (2 * (group % 4)) & 3)] {
            0 => {}
            8 => deltas.copy_from_slice(reader.take(GROUP)?),
            bits => {
                let packed = reader.take(GROUP * bits as usize / 8)?;
                // All bits set stand for a whole byte, which follows.
                let mask = (1_u8 << bits) - 1;
                let in_byte = 8 / bits as usize;
                for (slot, delta) in deltas.iter_mut().enumerate() {
                    let place = slot as u32 % in_byte as u32 * bits;
                    let shift = if bits == 1 { place } else { 8 - bits - place };
                    let small = packed[slot / in_byte] >> shift & mask;
                    *delta = if small == mask { reader.byte()? } else { small };
                }
            }
        }
    }
    Some(())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Differences of the specification's example: of four bits each, two of which do not fit.
    const EXAMPLE: [u8; 10] = [0x17, 0x5f, 0xf0, 0xbc, 0x77, 0xa9, 0x21, 0x00, 0x34, 0xb5];
    const EXAMPLE_DELTAS: [i8; 16] = [-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0];

    /// 16 elements of four bytes: the example, zeros, bytes, two bits.
    pub fn version_0() -> Vec<u8> {
        let mut bytes = vec![MAGIC, 2];
        bytes.extend(EXAMPLE);
        bytes.extend([0, 3]);
        bytes.extend([2; 16]);
        // 0, 1, 2 and a whole byte in turn.
        bytes.extend([1, 0b00_01_10_11, 0, 0, 0, 254]);
        bytes.extend([0; 28]);
        bytes.extend([10, 20, 30, 40]);
        bytes
    }

    /// 16 elements of four bytes, as differences of two: single bits, literal bytes, nothing, two bits.
    pub fn version_1() -> Vec<u8> {
        let mut bytes = vec![MAGIC | 1, 0b01_10_11_00];
        // The first bit and the ninth stand for whole bytes.
        bytes.extend([1, 0b0000_0001, 0b0000_0001, 4, 2]);
        bytes.extend([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend([1, 0b01_00_00_00, 0, 0, 0]);
        bytes.extend([0; 19]);
        bytes.extend([0xff, 0, 1, 0, 1]);
        bytes
    }

    #[test]
    fn version_0_adds_differences_of_bytes() {
        let elements = decode(&version_0(), 16, 4).expect("decoded");
        let mut first = 10_u8;
        let mut last = 40_u8;
        for (index, element) in elements.chunks(4).enumerate() {
            first = first.wrapping_add(EXAMPLE_DELTAS[index] as u8);
            last = last.wrapping_add([0, 0xff, 1, 127].get(index).copied().unwrap_or(0));
            assert_eq!(element, [first, 20, 31 + index as u8, last], "{index}");
        }
    }

    #[test]
    fn version_1_adds_differences_of_two_bytes() {
        let elements = decode(&version_1(), 16, 4).expect("decoded");
        let numbers = elements.as_chunks::<2>().0.iter().map(|number| u16::from_le_bytes(*number));
        let numbers: Vec<u16> = numbers.collect();
        // 4 is 2; the literal 2 in the high byte is 512, which is 256.
        let first = [257, 257, 513, 513, 513, 513, 513, 513, 514];
        for (index, pair) in numbers.chunks(2).enumerate() {
            let second = if index == 0 { 1 } else { 129 };
            assert_eq!(pair[0], first.get(index).copied().unwrap_or(514), "{index}");
            assert!(pair[1] == second || index == 0, "{index}: {}", pair[1]);
        }
    }

    #[test]
    fn version_1_turns_and_mixes_four_bytes() {
        // One element; literal bytes, turned by 4 bits.
        let mut bytes = vec![MAGIC | 1, 0xff, 0x10, 0, 0, 0];
        bytes.extend([0; 19]);
        bytes.extend([1, 0, 0, 0x80, 0x42]);
        assert_eq!(decode(&bytes, 1, 4), Some(vec![0, 0, 0, 0x80]));
        bytes.pop();
        bytes.push(0x43);
        assert_eq!(decode(&bytes, 1, 4), None, "no such channel");
    }

    #[test]
    fn blocks_end_after_256_elements_or_8192_bytes() {
        for (count, stride, blocks) in [(256, 4, 1), (257, 4, 2), (33, 256, 2), (32, 256, 1)] {
            // All differences are 0.
            let mut bytes = vec![MAGIC | 1];
            bytes.extend(vec![0xaa; blocks * stride / 4]);
            bytes.extend(vec![0; 24_usize.saturating_sub(stride + stride / 4)]);
            bytes.extend(vec![7; stride]);
            bytes.extend(vec![0; stride / 4]);
            assert_eq!(decode(&bytes, count, stride), Some(vec![7; count * stride]), "{count} of {stride}");
        }
    }
}
