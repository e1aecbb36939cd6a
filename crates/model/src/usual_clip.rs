//! The clip by which an animal moves, among those that its file names.

/// Names of the clip of the usual motion; the first that is found counts.
pub const USUAL_CLIPS: [&str; 6] = ["swim", "cruise", "flap", "pulse", "crawl", "close"];

/// Names of the clips that have a use of their own: at rest, in a sprint, in curves, in feeding.
pub const GAIT_CLIPS: [&str; 5] = ["idle", "burst", "turn_left", "turn_right", "feed"];

/// Index of the clip of the usual motion among `names`: one called as [`USUAL_CLIPS`] say, else one with such a word in its
/// name in any case, else one with the word idle, else the first that is none of [`GAIT_CLIPS`], else the first.
pub fn usual_clip(names: &[&str]) -> Option<usize> {
    let others = GAIT_CLIPS;
    let find = |is_it: &dyn Fn(&str) -> bool| names.iter().position(|name| is_it(name));
    let with = |word: &str| find(&|name| !others.contains(&name) && name.to_ascii_lowercase().contains(word));
    let exact = USUAL_CLIPS.iter().find_map(|usual| find(&|name| name == *usual));
    let alike = || USUAL_CLIPS.iter().chain(&["idle"]).find_map(|usual| with(usual));
    exact.or_else(alike).or_else(|| find(&|name| !others.contains(&name))).or((!names.is_empty()).then_some(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swimming_is_found_by_any_name_before_idling_and_dying() {
        let usual = |names: &[&str]| usual_clip(names).map(|at| names[at].to_owned());
        assert_eq!(usual(&["Death", "Armature|Swim_Fast", "Idle"]).as_deref(), Some("Armature|Swim_Fast"));
        assert_eq!(usual(&["Death", "Fish_Idle"]).as_deref(), Some("Fish_Idle"));
        assert_eq!(usual(&["SWIM", "swim"]).as_deref(), Some("swim"), "the exact name first");
        assert_eq!(usual(&["idle", "Take 001"]).as_deref(), Some("Take 001"), "idle has a use of its own");
        assert_eq!((usual(&["idle"]).as_deref(), usual(&[])), (Some("idle"), None));
    }
}
