//! Playback position in a clip.

use model::LoadedModel;

/// Playback of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playback {
    /// Index of the model's clip.
    pub clip: usize,
    /// Position in the clip, 0..1.
    pub phase: f32,
    /// Speed; 1 is the clip's own.
    pub speed: f32,
    /// Whether it is playing.
    pub plays: bool,
}

impl Default for Playback {
    fn default() -> Self {
        Self { clip: 0, phase: 0.0, speed: 1.0, plays: true }
    }
}

impl Playback {
    /// Advances the position by a frame's time.
    pub fn advance(&mut self, model: &LoadedModel, elapsed_s: f32) {
        if self.moves(model) {
            let duration_s = model.model.palette.clips[self.clip].duration_s;
            self.phase = (self.phase + self.speed * elapsed_s / duration_s).rem_euclid(1.0);
        }
    }

    /// Whether the next frame differs from this one.
    pub fn moves(&self, model: &LoadedModel) -> bool {
        self.plays && model.model.palette.clips.get(self.clip).is_some_and(|clip| clip.rows > 1)
    }

    /// Pauses and moves by some frames of the time line, forward or backward.
    pub fn step(&mut self, model: &LoadedModel, frames: f32) {
        self.plays = false;
        if let Some(clip) = model.model.palette.clips.get(self.clip) {
            let frame = (model.model.skeleton.fps.max(1.0) * clip.duration_s).recip();
            self.phase = (self.phase + frames * frame).rem_euclid(1.0);
        }
    }

    /// Keeps the clip by its name after the model was replaced, else takes the first clip.
    pub fn follow(&mut self, old: &LoadedModel, new: &LoadedModel) {
        let name = old.clips.get(self.clip).map(|clip| &clip.name);
        self.clip = new.clips.iter().position(|clip| Some(&clip.name) == name).unwrap_or(0);
    }

    /// Current row of the palette.
    pub fn row(&self, model: &LoadedModel) -> f32 {
        model.model.palette.clips.get(self.clip).map_or(0.0, |clip| clip.row(self.phase))
    }

    /// Current moment of the time line. Unit: s.
    pub fn time_s(&self, model: &LoadedModel) -> f32 {
        model.clips.get(self.clip).map_or(0.0, |clip| clip.start_s + (clip.end_s - clip.start_s) * self.phase)
    }
}

#[cfg(test)]
mod tests {
    use model::ModelRequest;
    use runtime::files::load_model;

    use super::*;

    #[test]
    fn a_clip_goes_round_at_its_speed_and_steps_by_frames() {
        let model = load_model(&ModelRequest::new("builtin:sardine")).expect("a built-in model");
        let duration_s = model.model.palette.clips[0].duration_s;
        let mut playback = Playback { speed: 0.5, ..Playback::default() };
        playback.advance(&model, duration_s);
        assert!((playback.phase - 0.5).abs() < 1e-4);
        playback.advance(&model, 1.5 * duration_s);
        assert!((playback.phase - 0.25).abs() < 1e-4);
        let clip = &model.clips[0];
        assert!((playback.time_s(&model) - (clip.start_s + 0.25 * (clip.end_s - clip.start_s))).abs() < 1e-4);
        playback.step(&model, -1.0);
        assert!(!playback.plays && playback.phase < 0.25);
        let still = playback;
        playback.advance(&model, 1.0);
        assert_eq!(playback, still);
    }

    #[test]
    fn a_clip_is_found_again_by_its_name() {
        let sardine = load_model(&ModelRequest::new("builtin:sardine")).expect("a built-in model");
        let manta = load_model(&ModelRequest::new("builtin:manta")).expect("a built-in model");
        let idle = sardine.clips.iter().position(|clip| clip.name == "idle").expect("it idles");
        let mut playback = Playback { clip: idle, ..Playback::default() };
        let mut turned = sardine.clone();
        turned.clips.reverse();
        playback.follow(&sardine, &turned);
        assert_eq!(turned.clips[playback.clip].name, "idle");
        let mut none = manta;
        (none.clips, none.model.palette.clips) = (Vec::new(), Vec::new());
        playback.follow(&turned, &none);
        assert_eq!((playback.row(&none), playback.time_s(&none), playback.moves(&none)), (0.0, 0.0, false));
        playback.advance(&none, 1.0);
    }
}
