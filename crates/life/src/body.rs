//! The moving body: phase and width of its strokes, and its bend along the length.

use crate::STEP_S;
use crate::swimming::{Laws, Stroke};

/// Strokes after which the fins' count wraps: divisible by every number of strokes that a clip may hold, up to 6.
const FIN_STROKES: f32 = 60.0;

/// Time in which the strokes of a body of 0.2 m begin and end. Unit: s.
const ONSET_S: f32 = 0.15;

/// Time in which the fore part takes up a curve. Unit: s.
const BEND_S: f32 = 0.06;

/// Distance that the water moves along the body while a bend goes from fore to hind part. Unit: body lengths.
const BEND_WAY_BL: f32 = 0.5;

/// Speed at which a bend goes down a body at rest. Unit: body lengths/s.
const BEND_STILL_BL_S: f32 = 1.2;

/// Speed below which a body with a curl begins to curl up. Unit: body lengths/s.
const CURL_BL_S: f32 = 0.8;

/// Speed from which the bends of a curled body go down it, and their amplitude then, over that at rest. By eye. Units:
/// body lengths/s, 1.
const WINDS_BL_S: f32 = 0.15;
const WINDS: f32 = 0.6;

/// Sway of the bends of a body at rest, over the bends. By eye.
const SWAYS: f32 = 0.14;

/// Longest glide of wings between strokes, and the number of strokes then. By eye: 2 to 3 s look calm, more look dead.
/// Units: s, strokes.
const LONGEST_GLIDE_S: f32 = 2.6;
const STROKES_BETWEEN: f32 = 1.2;

/// Speed of a sleeper's fins over those of an awake animal: small. By eye.
const ASLEEP: f32 = 0.12;

/// Bends for each stroke of the fins.
const WINDS_A_STROKE: f32 = 2.0;

/// Inputs of a body's movement at one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyInputs {
    /// Speed. Unit: body lengths/s.
    pub speed_bl: f32,
    /// Speed that matches its effort: more than `speed_bl` while it accelerates. Unit: body lengths/s.
    pub effort_bl: f32,
    /// Cruising speed of its species. Unit: body lengths/s.
    pub cruise_bl: f32,
    /// Turning rate, positive to the left. Unit: rad/s.
    pub yaw_rate: f32,
    /// Bend of a fast start under way, which overrides any other. Unit: rad over the whole length.
    pub start: Option<f32>,
    /// Whether it may pause between strokes.
    pub may_glide: bool,
    /// Whether it is moving down.
    pub sinks: bool,
    /// Whether it is asleep.
    pub sleeps: bool,
    /// Factor on the species' curl at rest in the open.
    pub curl: f32,
    /// Distance in a stroke, if the scene gives it. Unit: body lengths.
    pub stride_bl: Option<f32>,
}

/// State of a body's strokes and bend at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Phase of the drive's stroke, 0..1.
    pub phase: f32,
    /// Count of fin strokes; a clip may hold several.
    pub fin_strokes: f32,
    /// Lateral travel of the tail's end, or the wings', from side to side. Unit: body lengths.
    pub sweep: f32,
    /// Travel of the fins that row, wave or hold it in its place. Unit: body lengths.
    pub fin_sweep: f32,
    /// Bend of the fore and of the hind part, positive to the left. Unit: rad over the whole length.
    pub bend: [f32; 2],
}

/// The strokes and the bend of one animal.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Body {
    /// See [`Stroke::size_factor`].
    size_factor: f32,
    /// One over the length. Unit: 1/m.
    per_metre: f32,
    /// Factor of the individual on all frequencies.
    tempo: f32,
    /// Phase of the drive's stroke, 0..1.
    pub phase: f32,
    /// Rate of change of `phase`. Unit: 1/s.
    pub phase_rate: f32,
    /// Strokes of the fins, 0..[`FIN_STROKES`].
    pub fins: f32,
    /// Rate of change of `fins`. Unit: 1/s.
    fin_rate: f32,
    /// Phase of the cycle of strokes and pause, 0..1.
    cycle: f32,
    /// Time since its last regular strokes, spent in pauses and glides. Unit: s.
    glides_s: f32,
    /// Strength of the strokes: 0 in a pause, 1 otherwise.
    pub vigour: f32,
    /// Lateral travel of the tail's end, or the wings', from side to side. Unit: body lengths.
    pub sweep: f32,
    sweep_step: f32,
    fin_sweep: f32,
    /// Bend of the fore and of the hind part, positive to the left. Unit: rad over the whole length.
    pub bend: [f32; 2],
    bend_step: [f32; 2],
}

impl Body {
    /// Creates a body of a length (m) at some phase of its stroke (0..1).
    pub fn new(length_m: f32, phase: f32, tempo: f32) -> Self {
        let size_factor = Stroke::size_factor(length_m);
        // Periods other than the stroke's, so that no two bodies are alike.
        let (fins, cycle) = (phase * FIN_STROKES, (7.3 * phase).fract());
        Self { size_factor, per_metre: 1.0 / length_m, tempo, phase, fins, cycle, vigour: 1.0, ..Self::default() }
    }

    /// Converts a speed (m/s) to body lengths a second.
    pub fn lengths(&self, speed: f32) -> f32 {
        speed * self.per_metre
    }

    /// Advances by one step.
    pub fn advance(&mut self, laws: &Laws, inputs: &BodyInputs) {
        let speed = inputs.speed_bl;
        let rate = match inputs.stride_bl {
            Some(stride) => speed.max(0.35 * inputs.cruise_bl) / stride,
            // An accelerating body beats faster and wider than its speed alone would imply (Akanyeti et al. 2017).
            None => laws.drive.frequency(inputs.effort_bl, self.size_factor),
        };
        self.pause(laws, inputs, rate);
        let fin_rate = laws.fins.frequency(speed, self.size_factor) * if inputs.sleeps { ASLEEP } else { 1.0 };
        self.stroke(rate * (0.25 + 0.75 * self.vigour), fin_rate);
        let sweep = laws.drive.shown_sweep(inputs.effort_bl, rate) * self.vigour;
        self.sweep_step = sweep - self.sweep;
        self.sweep = sweep;
        self.fin_sweep = laws.fins.sweep(speed);
        self.curve(laws, inputs);
    }

    /// Advances only the strokes, at given rates (1/s) of the drive and the fins.
    pub fn stroke(&mut self, rate: f32, fin_rate: f32) {
        self.phase_rate = rate * self.tempo;
        self.phase += self.phase_rate * STEP_S;
        self.phase -= self.phase as u32 as f32;
        self.fin_rate = fin_rate * self.tempo;
        self.fins += self.fin_rate * STEP_S;
        if self.fins >= FIN_STROKES {
            self.fins -= FIN_STROKES;
        }
    }

    /// Alternates strokes and pauses; `rate` is the rate of the strokes. Unit: 1/s.
    fn pause(&mut self, laws: &Laws, inputs: &BodyInputs, rate: f32) {
        let strokes = match laws.glide.filter(|_| inputs.may_glide) {
            None => true,
            Some(glide) => {
                self.cycle += STEP_S * self.size_factor * self.tempo / glide.cycle_s;
                self.cycle -= self.cycle as u32 as f32;
                let share = glide.least_share + (1.0 - glide.least_share) * inputs.effort_bl / glide.until_bl;
                let turns = inputs.yaw_rate.abs() > laws.glides_in_turns && inputs.effort_bl < glide.until_bl;
                self.cycle < share && !(laws.glides_down && inputs.sinks) && !turns
            }
        };
        self.glides_s = if strokes { 0.0 } else { self.glides_s + STEP_S };
        let is_over = laws.turns_by_wings && self.glides_s > LONGEST_GLIDE_S;
        if is_over && self.glides_s > LONGEST_GLIDE_S + STROKES_BETWEEN / rate.max(0.2) {
            self.glides_s = 0.0;
        }
        let strokes = strokes || is_over;
        let most = STEP_S / ONSET_S * self.size_factor;
        let target = if strokes { 1.0 } else { 0.0 };
        self.vigour += (target - self.vigour).clamp(-most, most);
    }

    /// Takes up the curve, the fore part first.
    fn curve(&mut self, laws: &Laws, inputs: &BodyInputs) {
        if laws.most_bend <= 0.0 {
            return;
        }
        let before = self.bend;
        let speed = inputs.speed_bl;
        let down = (STEP_S * (speed + BEND_STILL_BL_S) / BEND_WAY_BL).min(1.0);
        let [fore, aft] = &mut self.bend;
        if let Some(bend) = inputs.start {
            let bend = bend.clamp(-2.0 * laws.most_bend, 2.0 * laws.most_bend);
            *fore += (bend - *fore) * 0.7;
            *aft += (*fore - *aft) * (3.0 * down).min(0.5);
        } else {
            // A turn that the fins can make needs no bend.
            let yaw = inputs.yaw_rate - inputs.yaw_rate.clamp(-laws.turn_in_place, laws.turn_in_place);
            let path = (yaw / (speed + 0.5 * inputs.cruise_bl + 0.1)).clamp(-laws.most_bend, laws.most_bend);
            // A curled body lies in an S.
            let curl = match laws.curl > 0.0 {
                true => {
                    let curl = inputs.curl * laws.curl * (1.0 - speed / CURL_BL_S).max(0.0);
                    let curl = if self.tempo > 1.0 { curl } else { -curl };
                    // While it swims, the bends go down its body, to one side and the other.
                    let way = (speed / WINDS_BL_S).min(1.0);
                    let phase = WINDS_A_STROKE * self.fins;
                    let off = phase - phase as u32 as f32 - 0.5;
                    // Parabolas approximate a sine.
                    let swings = WINDS * 16.0 * off * (0.5 - off.abs());
                    curl * ((1.0 - way) * (1.0 + SWAYS * swings / WINDS) + way * swings)
                }
                false => 0.0,
            };
            *fore += (path + curl - *fore) * (STEP_S / BEND_S).min(1.0);
            *aft += (*fore - 2.0 * curl - *aft) * down;
        }
        self.bend_step = [self.bend[0] - before[0], self.bend[1] - before[1]];
    }

    /// State shown `alpha` (0..=1) of the way from the last step but one to the last, at a speed (m/s).
    pub fn at(&self, alpha: f32, laws: &Laws, speed: f32) -> Motion {
        let ago = 1.0 - alpha;
        let phase = laws.drive.shown(self.phase - self.phase_rate * STEP_S * ago, 1.0);
        let ease = (1.0 - self.lengths(speed) / laws.fins_until_bl.max(0.1)).clamp(0.0, 1.0);
        Motion {
            phase: phase - phase.floor(),
            fin_strokes: laws.fins.shown(self.fins - self.fin_rate * STEP_S * ago, ease),
            sweep: self.sweep - self.sweep_step * ago,
            fin_sweep: self.fin_sweep,
            bend: [0, 1].map(|part| self.bend[part] - self.bend_step[part] * ago),
        }
    }
}
