//! Clips in seconds out of frames of the time line.

use ms3d::raw;

use super::super::clips::{MAX_CLIPS, Motion, asked_clips};
use crate::{Clip, ModelError, ModelPart, ModelRequest, ModelWarning, Skeleton};

/// The clips that the file's own comment names (a line such as `pelagic: clips cruise=1..19 idle=20..92`, the usual one
/// first) and those requested, which replace the file's of the same name; frame f lies at f / fps seconds. If there are
/// none, `swim` from the first key to the last, or nothing if nothing has keys (the file's own length in frames is
/// often wrong). Also returns warnings.
///
/// # Errors
/// See [`asked_clips`].
pub(super) fn clips(
    request: &ModelRequest,
    document: &raw::Document,
    skeleton: &Skeleton,
) -> Result<(Vec<Clip>, Vec<ModelWarning>), ModelError> {
    let extent = key_extent(skeleton);
    let (mut clips, odd) = named_in_comment(document, skeleton.fps);
    let mut warnings: Vec<ModelWarning> =
        odd.into_iter().map(|text| ModelWarning::new(ModelPart::Clip(None), text)).collect();
    if request.clips.is_empty() && clips.is_empty() {
        clips.extend(extent.map(|(start_s, end_s)| Clip { name: "swim".into(), start_s, end_s }));
    }
    let asked = asked_clips(request, &motions(&clips, skeleton.fps), Some(skeleton.fps))?;
    clips.retain(|clip| !request.clips.contains_key(&clip.name));
    clips.truncate(MAX_CLIPS - asked.len());
    clips.extend(asked);
    for clip in &clips {
        let beyond = beyond_keys(clip, extent, skeleton.fps);
        warnings.extend(beyond.map(|text| ModelWarning::new(ModelPart::Clip(Some(clip.name.clone())), text)));
    }
    Ok((clips, warnings))
}

fn motions(clips: &[Clip], fps: f32) -> Vec<Motion> {
    let motion = |clip: &Clip| Motion { name: clip.name.clone(), start_s: clip.start_s, end_s: clip.end_s, fps };
    clips.iter().map(motion).collect()
}

/// Warning about a clip for which there are no keys, or not for all of it.
fn beyond_keys(clip: &Clip, extent: Option<(f32, f32)>, fps: f32) -> Option<String> {
    let Clip { name, start_s, end_s } = clip;
    let Some((first_s, last_s)) = extent else {
        return Some(format!("clip '{name}' does not move: the model has no key frames"));
    };
    let frame = |time_s: f32| (time_s * fps * 1e3).round() / 1e3;
    let (from, to, first, last) = (frame(*start_s), frame(*end_s), frame(first_s), frame(last_s));
    if from >= last || to <= first {
        return Some(format!(
            "clip '{name}', frames {from} to {to}, does not move: the keys lie in frames {first} to {last}"
        ));
    }
    // Frames count from 1, and some exporters set the first key at 0 or at 2.
    let still = (first - from - 1.0).max(to - last);
    (still >= 1.0).then(|| {
        format!("clip '{name}', frames {from} to {to}, stands still in part: the keys lie in frames {first} to {last}")
    })
}

/// The clips of the lines `pelagic: clips NAME=FIRST..LAST ...` of the model's comment. Also returns warnings.
pub(crate) fn named_in_comment(document: &raw::Document, fps: f32) -> (Vec<Clip>, Vec<String>) {
    let comment = document.tail.comments.as_ref().and_then(|comments| comments.model.as_deref());
    let text = String::from_utf8_lossy(comment.unwrap_or_default());
    let (mut clips, mut odd) = (Vec::<Clip>::new(), Vec::new());
    let lines = text.split(['\n', '\r']).filter_map(|line| line.trim().strip_prefix("pelagic: clips "));
    for word in lines.flat_map(str::split_whitespace) {
        let range = |frames: &str| {
            let (from, to) = frames.split_once("..")?;
            let (from, to) = (from.parse::<f32>().ok()? / fps, to.parse::<f32>().ok()? / fps);
            (from >= 0.0 && to > from && to.is_finite()).then_some((from, to))
        };
        match word.split_once('=').and_then(|(name, frames)| Some((name, range(frames)?))) {
            Some((name, _)) if clips.iter().any(|clip| clip.name == name) => {
                odd.push(format!("the comment names the clip '{name}' twice: the first is used"));
            }
            Some((name, (start_s, end_s))) if clips.len() < MAX_CLIPS => {
                clips.push(Clip { name: name.into(), start_s, end_s });
            }
            _ => odd.push(format!("'{word}' in the comment is no clip such as cruise=1..19: left out")),
        }
    }
    (clips, odd)
}

/// Times of the first and last key of all joints.
fn key_extent(skeleton: &Skeleton) -> Option<(f32, f32)> {
    let times = skeleton.joints.iter().flat_map(|joint| {
        let rotation = joint.rotation_keys.iter().map(|key| key.0);
        rotation.chain(joint.translation_keys.iter().map(|key| key.0))
    });
    times.map(|time| (time, time)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saying(comment: &str) -> raw::Document {
        let comments = raw::Comments {
            sub_version: 1,
            groups: Vec::new(),
            materials: Vec::new(),
            joints: Vec::new(),
            model: Some(comment.as_bytes().to_vec()),
        };
        raw::Document {
            version: 4,
            vertices: Vec::new(),
            triangles: Vec::new(),
            groups: Vec::new(),
            materials: Vec::new(),
            keyframer: raw::Keyframer::default(),
            joints: Vec::new(),
            tail: raw::Tail { comments: Some(comments), ..raw::Tail::default() },
        }
    }

    #[test]
    fn a_comment_names_clips_in_its_own_order() {
        let (clips, odd) = named_in_comment(&saying("a fish\r\npelagic: clips cruise=1..19 burst=20..26"), 10.0);
        let found: Vec<_> = clips.iter().map(|clip| (clip.name.as_str(), clip.start_s, clip.end_s)).collect();
        assert_eq!(found, [("cruise", 0.1, 1.9), ("burst", 2.0, 2.6)]);
        assert_eq!(odd, [""; 0]);
    }

    #[test]
    fn what_is_no_clip_is_left_out_and_told() {
        let text = "pelagic: clips a=1..9 a=2..3 b=5..4 c=1 d=x..y e=1..inf =";
        let (clips, odd) = named_in_comment(&saying(text), 30.0);
        assert_eq!(clips.len(), 1);
        assert_eq!(odd.len(), 6);
        assert_eq!(named_in_comment(&saying("clips a=1..9"), 30.0), (Vec::new(), Vec::new()));
    }
}
