//! Leniency towards JSON that exporters write against the specification or beyond its letter, and other readers take.

use serde_json::{Number, Value};

/// Greatest whole number that a float holds exactly, with all below it.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// The text of a file's JSON: without a byte-order mark, and without the zeros that some containers are padded with.
pub(super) fn text(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    &bytes[..bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1)]
}

/// Removes what is `null`, which counts as absent, and writes whole numbers such as `24.0` as `24`.
pub(super) fn clean(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(clean);
        }
        Value::Array(entries) => entries.iter_mut().for_each(clean),
        Value::Number(number) => {
            let whole =
                number.as_f64().filter(|float| number.is_f64() && float.fract() == 0.0 && float.abs() < MAX_EXACT);
            if let Some(whole) = whole {
                *number = Number::from(whole as i64);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nulls_are_absent_and_whole_numbers_whole() {
        let mut value = json!({ "a": null, "b": [24.0, 0.5, -3.0, 1e300], "c": { "d": null, "e": 2 } });
        clean(&mut value);
        assert_eq!(value, json!({ "b": [24, 0.5, -3, 1e300], "c": { "e": 2 } }));
    }

    #[test]
    fn marks_and_padding_are_no_text() {
        assert_eq!(text(b"\xef\xbb\xbf{}\0\0"), b"{}");
        assert_eq!(text(b"\0"), b"");
    }
}
