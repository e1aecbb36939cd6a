//! "Did you mean": the name nearest to a mistyped word, for messages about files and arguments.
//!
//! ```
//! assert_eq!(suggest::nearest("turbidty", ["turbidity", "particles"]), Some("turbidity"));
//! assert_eq!(suggest::nearest("xyz", ["turbidity", "particles"]), None);
//! ```

/// Endings that name a unit; people leave them out.
const UNIT_ENDINGS: [&str; 10] = ["_bl_s", "_m_s", "_deg", "_bl", "_km", "_mm", "_hz", "_ev", "_m", "_s"];

/// Length of the longest word that is compared: time and memory grow with the product of the lengths. Unit: bytes.
const LONGEST: usize = 100;

/// The candidate most like `word`, if any is like it at all.
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    if word.len() > LONGEST {
        return None;
    }
    let mut best = None;
    for candidate in candidates.into_iter().filter(|candidate| candidate.len() <= LONGEST) {
        let score = likeness(word, candidate);
        if score > best.map_or(LIKE, |(least, _)| least) {
            best = Some((score, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

const LIKE: f64 = 0.6;

/// Similarity: 1 for equal words, [`LIKE`] or less for words that nobody confuses.
fn likeness(word: &str, candidate: &str) -> f64 {
    let (word, candidate) = (word.to_lowercase(), candidate.to_lowercase());
    let stem = |text: &str| {
        let ending = UNIT_ENDINGS.iter().find(|ending| text.ends_with(**ending) && text.len() > ending.len());
        text[..text.len() - ending.map_or(0, |ending| ending.len())].to_owned()
    };
    let whole = strsim::normalized_damerau_levenshtein(&word, &candidate);
    let stems = strsim::normalized_damerau_levenshtein(&stem(&word), &stem(&candidate)) * 0.95;
    let long_enough = word.chars().count() >= 4;
    let part = if long_enough && candidate.split(['_', '.']).any(|part| part == word) { 0.8 } else { 0.0 };
    whole.max(stems).max(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_mended_and_other_words_left_alone() {
        let known = ["elevation_deg", "type", "wind_m_s", "clownfish"];
        let near = |word: &str| nearest(word, known);
        assert_eq!(near("typ"), Some("type"));
        assert_eq!(near("elevation"), Some("elevation_deg"), "units are left out");
        assert_eq!(near("clownfsh"), Some("clownfish"));
        assert_eq!((near("banana"), near(&"type".repeat(30))), (None, None));
    }
}
