//! Frames of the time line become clips in seconds.

use crate::model::{Clip, ModelError, ModelRequest, Skeleton};

/// The most clips of one model: each takes at least two rows of its palette.
const MAX_CLIPS: usize = 256;

/// The clips asked for; frame f lies at f / fps seconds. If none are asked for, `swim` from the first key to the last,
/// or none if nothing has keys (the file's own length in frames is often wrong). Also returns what was odd.
///
/// # Errors
/// If a clip's frames are no range, or there are more than 256.
pub fn clips(request: &ModelRequest, skeleton: &Skeleton) -> Result<(Vec<Clip>, Vec<String>), ModelError> {
    let extent = key_extent(skeleton);
    if request.clips.is_empty() {
        let swim = extent.map(|(start_s, end_s)| Clip { name: "swim".into(), start_s, end_s });
        return Ok((swim.into_iter().collect(), Vec::new()));
    }
    if request.clips.len() > MAX_CLIPS {
        return Err(ModelError::TooManyClips {
            source_name: request.source.clone(),
            count: request.clips.len(),
            most: MAX_CLIPS,
        });
    }
    let mut warnings = Vec::new();
    let mut clips = Vec::new();
    for (name, &(from, to)) in &request.clips {
        let (start_s, end_s) = (from / skeleton.fps, to / skeleton.fps);
        if !(from >= 0.0 && to > from && to.is_finite() && end_s > start_s) {
            return Err(ModelError::BadClip { source_name: request.source.clone(), clip: name.clone(), from, to });
        }
        match extent {
            None => warnings.push(format!("clip '{name}' does not move: the model has no key frames")),
            Some((first_s, last_s)) if start_s >= last_s || end_s <= first_s => warnings.push(format!(
                "clip '{name}', frames {from} to {to}, does not move: the keys lie in frames {} to {}",
                first_s * skeleton.fps,
                last_s * skeleton.fps
            )),
            Some(_) => {}
        }
        clips.push(Clip { name: name.clone(), start_s, end_s });
    }
    Ok((clips, warnings))
}

/// Times of the first and last key of all joints.
fn key_extent(skeleton: &Skeleton) -> Option<(f32, f32)> {
    let times = skeleton.joints.iter().flat_map(|joint| {
        let rotation = joint.rotation_keys.iter().map(|key| key.0);
        rotation.chain(joint.translation_keys.iter().map(|key| key.0))
    });
    times.map(|time| (time, time)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}
