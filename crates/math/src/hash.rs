//! Hashes that are equal on every machine and in every version.

/// FNV-1a, 64 bits (Fowler, Noll & Vo). Not for input that an attacker may choose.
#[derive(Clone, Copy, Debug)]
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Resumes from a hash that [`finish`](Self::finish) returned.
    pub fn resume(hash: u64) -> Self {
        Self(hash)
    }

    /// Hashes bytes, without their length.
    pub fn bytes(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.word(byte.into()));
    }

    /// Hashes a whole word in one round, which is weaker than hashing its four bytes and four times as fast.
    pub fn word(&mut self, word: u32) {
        self.0 = (self.0 ^ u64::from(word)).wrapping_mul(0x0000_0100_0000_01b3);
    }

    /// Hashes one item with its length, so that adjacent items cannot be confused.
    pub fn item(&mut self, bytes: &[u8]) {
        self.bytes(&(bytes.len() as u64).to_le_bytes());
        self.bytes(bytes);
    }

    /// The hash.
    pub fn finish(self) -> u64 {
        self.0
    }

    /// The hash as 16 hexadecimal digits: a JSON number could not hold it.
    pub fn hex(self) -> String {
        hex(self.0)
    }
}

/// A hash as 16 hexadecimal digits.
pub fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}

/// A number that differs in every bit for different seeds or salts (the finaliser of SplitMix64).
pub fn splitmix64(seed: u64, salt: u64) -> u64 {
    let mut z = seed ^ salt.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values_are_met() {
        let of = |text: &str| {
            let mut fnv = Fnv::default();
            fnv.bytes(text.as_bytes());
            fnv.hex()
        };
        assert_eq!(of(""), "cbf29ce484222325");
        assert_eq!(of("a"), "af63dc4c8601ec8c");
        assert_eq!(of("foobar"), "85944171f73967e8");
    }

    #[test]
    fn splitmix64_gives_the_published_sequence() {
        // Steele, Lea & Flood's generator with seed 0.
        assert_eq!([0, 1].map(|salt| splitmix64(0, salt)), [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    }

    #[test]
    fn items_do_not_run_into_each_other() {
        let of = |items: [&str; 2]| {
            let mut fnv = Fnv::default();
            items.iter().for_each(|item| fnv.item(item.as_bytes()));
            fnv.hex()
        };
        assert_ne!(of(["ab", "c"]), of(["a", "bc"]));
    }
}
