//! Numbers as reports write them.

/// A number with so many decimals; one that is rounded to zero has no sign.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|digit| matches!(digit, b'0' | b'.')) => digits.into(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_has_no_sign() {
        assert_eq!([-0.0, -0.004, 0.004, -0.005001].map(|value| fixed(value, 2)), ["0.00", "0.00", "0.00", "-0.01"]);
        assert_eq!([fixed(-0.4, 0), fixed(-1.5, 0), fixed(-12.34, 1)], ["0", "-2", "-12.3"]);
    }
}
