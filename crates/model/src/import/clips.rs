//! Choice of clips among those that a file names.

use crate::{Clip, ClipRequest, ModelError, ModelRequest};

/// The most clips of one model: each takes at least two rows of its palette.
pub(super) const MAX_CLIPS: usize = 256;

/// A motion that the file names.
pub(super) struct Motion {
    /// Unique name.
    pub name: String,
    /// Start on the time line. Unit: s.
    pub start_s: f32,
    /// End on the time line. Unit: s.
    pub end_s: f32,
    /// Its frames a second.
    pub fps: f32,
}

impl From<&Motion> for Clip {
    fn from(motion: &Motion) -> Self {
        Self { name: motion.name.clone(), start_s: motion.start_s, end_s: motion.end_s }
    }
}

/// The clips that `request` asks for, out of `motions`, or out of the whole time line if that has frames of its own,
/// `fps` a second.
///
/// # Errors
/// If a clip's sequence is none of the file's, its frames are no range, or there are more than 256.
pub(super) fn asked_clips(
    request: &ModelRequest,
    motions: &[Motion],
    fps: Option<f32>,
) -> Result<Vec<Clip>, ModelError> {
    let source_name = || request.source.clone();
    if request.clips.len() > MAX_CLIPS {
        let count = request.clips.len();
        return Err(ModelError::TooManyClips { source_name: source_name(), count, most: MAX_CLIPS });
    }
    let clip = |(name, ClipRequest { sequence, frames }): (&String, &ClipRequest)| {
        let motion = motions.iter().find(|motion| motion.name == *sequence);
        let (start_s, end_s) = match (motion, frames, fps.filter(|_| sequence.is_empty())) {
            (Some(motion), None, _) => (motion.start_s, motion.end_s),
            (Some(motion), Some((from, to)), _) => {
                (motion.start_s + (from - 1.0) / motion.fps, motion.start_s + (to - 1.0) / motion.fps)
            }
            (None, Some((from, to)), Some(fps)) => (from / fps, to / fps),
            (None, ..) => {
                let known = motions.iter().map(|motion| motion.name.clone()).collect();
                let (clip, sequence) = (name.clone(), sequence.clone());
                return Err(ModelError::UnknownSequence { source_name: source_name(), clip, sequence, known });
            }
        };
        if let Some((from, to)) = *frames
            && !(from >= 0.0 && to > from && to.is_finite() && end_s > start_s)
        {
            return Err(ModelError::BadClip { source_name: source_name(), clip: name.clone(), from, to });
        }
        Ok(Clip { name: name.clone(), start_s, end_s })
    };
    request.clips.iter().map(clip).collect()
}
