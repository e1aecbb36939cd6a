//! Fingerprints of what was measured: equal scenes give equal hashes, on every machine.

/// FNV-1a, 64 bits: no dependency, the same everywhere, and nobody attacks a benchmark of their own.
#[derive(Clone, Copy, Debug)]
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Takes in bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// Takes in one item with its length, so that items cannot run into each other.
    pub fn item(&mut self, bytes: &[u8]) {
        self.bytes(&(bytes.len() as u64).to_le_bytes());
        self.bytes(bytes);
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
    fn items_do_not_run_into_each_other() {
        let of = |items: [&str; 2]| {
            let mut fnv = Fnv::default();
            items.iter().for_each(|item| fnv.item(item.as_bytes()));
            fnv.hex()
        };
        assert_ne!(of(["ab", "c"]), of(["a", "bc"]));
    }
}
