//! Laws of swimming of each kind of body: frequency and width of strokes, gliding, and tightness of turns.
//!
//! Speeds U and lengths are in body lengths L. A stroke's frequency is f = (f0 + m U), its sweep from side to side A =
//! a (U + b) / (U + c), so that the Strouhal number f A / U stays in the range of swimmers: 0.2 to 0.4, up to 0.5 at
//! low speed (Taylor et al. 2003, Eloy 2012). f0 falls with the square root of the length: 2 Hz in a trout of 0.2 m and
//! 0.59 Hz in a dolphin of 2.5 m are one law. The rise with speed depends on U / L alone, at any length (Bainbridge
//! 1958).

use crate::Swimming;
use crate::attitude::{CALM_PITCH_SINE, HUNTS_SINE, MAX_PITCH_SINE};

/// Length at which `f0` is stated. Unit: m.
const REFERENCE_M: f32 = 0.2;

/// Strouhal number of the slowest trout (Drucker & Lauder 2005).
const MAX_STROUHAL: f32 = 0.46;

/// Law of a body part's strokes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stroke {
    /// Frequency at rest of a body of [`REFERENCE_M`]. Unit: Hz.
    still_hz: f32,
    /// Increase of the frequency for each body length a second. Unit: Hz s.
    per_speed: f32,
    /// Greatest sweep, peak to peak, and the two speeds b and c. Units: body lengths, body lengths/s.
    sweep: [f32; 3],
    /// Phase (0..1) at which the stroke lingers, and the share by which it is slower there at rest.
    lingers: [f32; 2],
}

impl Stroke {
    const fn new(still_hz: f32, per_speed: f32, sweep: [f32; 3]) -> Self {
        Self { still_hz, per_speed, sweep, lingers: [0.0; 2] }
    }

    /// Returns the same stroke, slower by a share about a phase (0..1) and faster on the other side.
    const fn lingering(self, at: f32, slower: f32) -> Self {
        Self { lingers: [at, slower], ..self }
    }

    /// Shown phase (0..1, or strokes in all) for a phase of an even stroke; `ease` is 1 at rest, 0 in haste.
    pub fn shown(&self, phase: f32, ease: f32) -> f32 {
        let [at, most] = self.lingers;
        let off = (phase - at) - (phase - at).round();
        // Two parabolas for a sine.
        phase - most * ease * off * (1.0 - 2.0 * off.abs())
    }

    /// Factor on `still_hz` for a body of a length (m).
    pub fn size_factor(length_m: f32) -> f32 {
        (REFERENCE_M / length_m).sqrt()
    }

    /// Frequency at a speed (body lengths/s) of a body with a [`Self::size_factor`]. Unit: Hz.
    pub fn frequency(&self, speed_bl: f32, size_factor: f32) -> f32 {
        self.still_hz * size_factor + self.per_speed * speed_bl
    }

    /// Sweep from side to side at a speed (body lengths/s) and its frequency (Hz): limited to the Strouhal number of
    /// slow swimmers, down to a quarter. Unit: body lengths.
    pub fn shown_sweep(&self, speed_bl: f32, frequency: f32) -> f32 {
        let sweep = self.sweep(speed_bl);
        match speed_bl > 0.0 {
            true => sweep.min((MAX_STROUHAL * speed_bl / frequency).max(0.25 * sweep)),
            false => sweep,
        }
    }

    /// Sweep by the law alone, without that limit. Unit: body lengths.
    pub fn sweep(&self, speed_bl: f32) -> f32 {
        let [most, b, c] = self.sweep;
        most * (speed_bl + b) / (speed_bl + c)
    }
}

/// Alternating strokes and pauses: the time of both is fixed, the share of strokes rises with speed (Li et al. 2021).
#[derive(Clone, Copy, Debug)]
pub(super) struct Glide {
    /// Time of strokes and pause of a body of [`REFERENCE_M`], longer by the square root of the length. Unit: s.
    pub cycle_s: f32,
    /// Share of strokes at the least speed.
    pub least_share: f32,
    /// Speed above which it strokes all the time. Unit: body lengths/s.
    pub until_bl: f32,
}

/// Laws that the animals of a kind of swimming share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Laws {
    /// Stroke of the tail, wings, flippers or bell, which drive it at any speed or in a sprint.
    pub drive: Stroke,
    /// Stroke of the fins that drive it while the body is still. Unit of the speed: body lengths/s.
    pub fins: Stroke,
    /// Speed up to which the fins alone drive it; with 0 they only hold it in its place. Unit: body lengths/s.
    pub fins_until_bl: f32,
    /// Half the height of the body. Unit: body lengths.
    half_height_bl: f32,
    /// Half of the width that others leave free for it. Unit: body lengths.
    pub half_width_bl: f32,
    /// Whether it pauses between strokes.
    pub glide: Option<Glide>,
    /// Whether it beats only on its way up.
    pub glides_down: bool,
    /// Turning rate above which it glides through a curve. Unit: rad/s.
    pub glides_in_turns: f32,
    /// Radius of the tightest curve at its usual speed, and in a sprint. Unit: body lengths.
    pub radius_bl: [f32; 2],
    /// Greatest turning rate except in a start, up to [`Self::MOST_YAW_OF_A_METRE`]. Unit: rad/s.
    pub most_yaw: f32,
    /// Turning rate at rest. Unit: rad/s.
    pub turn_in_place: f32,
    /// Rate at which it approaches the wanted heading at its usual speed, and in a sprint. Unit: 1/s.
    pub eagerness: [f32; 2],
    /// Roll for a turning rate. Unit: rad per rad/s.
    pub bank_gain: f32,
    /// Greatest roll. Unit: rad.
    pub max_bank: f32,
    /// Greatest bend of the body in a curve. Unit: rad over the whole length.
    pub most_bend: f32,
    /// Bend of the fore part at rest, the hind part bent the other way. Unit: rad over the whole length.
    pub curl: f32,
    /// Whether it turns by its wings: then turning clips show its curves.
    pub turns_by_wings: bool,
    /// Sine of the steepest climb or dive.
    pub steepest_sine: f32,
    /// Whether it keeps to the ground and winds its way along it.
    pub crawls: bool,
}

/// Phase of the stroke at which the project's pectoral fins lie folded (`forge::swimmers`).
const FOLDED_AT: f32 = 0.88;

/// Idle stroke of the fins while the tail drives: a sway that holds a body in its place.
const SCULL: Stroke = Stroke::new(0.5, 0.0, [0.05, 1.0, 1.0]);

/// Laws of a fish that swims with its tail.
const FISH: Laws = Laws {
    // Trout of 0.2 m at 0.5, 1 and 2 L/s: 2.48, 3.18, 4.23 Hz, 0.092, 0.130, 0.145 L (Drucker & Lauder 2005); 0.2 L in
    // haste, and over 5 Hz f = 1.33 (U + 1) (Bainbridge 1958), which is within a tenth of this.
    drive: Stroke::new(2.0, 1.15, [0.2, 0.1, 0.75]),
    fins: SCULL,
    fins_until_bl: 0.0,
    half_height_bl: 0.22,
    half_width_bl: 0.35,
    // Kicks each half second (Calovi et al. 2018).
    glide: Some(Glide { cycle_s: 0.9, least_share: 0.55, until_bl: 2.2 }),
    glides_down: false,
    glides_in_turns: f32::INFINITY,
    // Trout 0.18, bass 0.11 (Webb 1983).
    radius_bl: [0.45, 0.15],
    most_yaw: 8.0,
    turn_in_place: 0.3,
    eagerness: [5.0, 15.0],
    bank_gain: 0.14,
    max_bank: 0.45,
    most_bend: 1.3,
    curl: 0.0,
    turns_by_wings: false,
    steepest_sine: MAX_PITCH_SINE,
    crawls: false,
};

/// Laws of flapping swimmers.
const WINGED: Laws = Laws {
    most_bend: 0.0,
    turns_by_wings: true,
    turn_in_place: 0.05,
    eagerness: [0.7, 2.5],
    glides_down: true,
    steepest_sine: CALM_PITCH_SINE,
    ..FISH
};

impl Laws {
    /// The laws of a kind of swimming.
    #[rustfmt::skip]
    pub const fn of(swimming: Swimming) -> Self {
        match swimming {
            Swimming::Carangiform => FISH,
            // Strides of 0.55 L at 0.45 L/s, tails that sweep hardly less when slow (Webb & Keyes 1982, reef sharks,
            // which hardly roll in curves).
            Swimming::Subcarangiform => Self {
                drive: Stroke::new(1.0, 1.1, [0.2, 0.4, 0.55]), glide: None, radius_bl: [0.5, 0.2], bank_gain: 0.3,
                max_bank: 0.3, most_bend: 0.9, steepest_sine: HUNTS_SINE, ..FISH
            },
            // Bluefin: 1 Hz at 0.6 L/s, beating up and gliding down (Gleiss et al. 2019), curves of 0.4 to 1.7 L, 302
            // degrees/s (Downs 2023).
            Swimming::Thunniform => Self {
                drive: Stroke::new(1.3, 1.05, [0.2, 0.5, 0.8]),
                glide: Some(Glide { cycle_s: 1.6, least_share: 0.6, until_bl: 1.6 }), radius_bl: [1.0, 0.4], most_yaw: 5.3, glides_down: true,
                turn_in_place: 0.1, eagerness: [3.0, 15.0], bank_gain: 0.35, max_bank: 0.6, most_bend: 0.6, ..FISH
            },
            // St 0.45 in eels at any speed, and waves of 0.6 L that go back hardly faster than it goes ahead.
            Swimming::Anguilliform => Self {
                drive: Stroke::new(0.3, 1.7, [0.26, 0.15, 0.3]), fins: Stroke::new(0.4, 0.0, [0.05, 1.0, 1.0]), glide: None,
                radius_bl: [0.3, 0.1], most_yaw: 6.0, turn_in_place: 0.5, eagerness: [2.0, 15.0], bank_gain: 0.0, max_bank: 0.0,
                most_bend: 3.0, curl: 4.0, half_height_bl: 0.05, crawls: true, ..FISH
            },
            // Pectorals to 3.2 L/s (Korsmeyer 2002): a stroke, then a pause with the fins folded; stroke rates rise,
            // the tips' way levels off at 0.35 to 0.4 L (Drucker & Jensen 1996).
            Swimming::Labriform => Self {
                fins: Stroke::new(1.3, 0.75, [0.38, 0.1, 1.0]).lingering(FOLDED_AT, 0.9), fins_until_bl: 3.2, radius_bl: [0.35, 0.1],
                turn_in_place: 0.9, eagerness: [4.0, 15.0], bank_gain: 0.08, max_bank: 0.3, most_bend: 1.1, ..FISH
            },
            // Dorsal and anal fin to 1.5 L/s: their rate varies, their sweep does not (Korsmeyer 2002).
            Swimming::Balistiform => Self {
                fins: Stroke::new(1.5, 2.0, [0.12, 1.0, 1.0]), fins_until_bl: 1.5, radius_bl: [0.3, 0.1],
                turn_in_place: 0.9, eagerness: [4.0, 15.0], bank_gain: 0.05, max_bank: 0.2, most_bend: 0.6, ..FISH
            },
            // Fins to 5 L/s; it turns on the spot.
            Swimming::Ostraciiform => Self {
                fins: Stroke::new(2.0, 1.0, [0.15, 1.0, 1.0]), fins_until_bl: 5.0, glide: None, radius_bl: [0.1, 0.05],
                turn_in_place: 2.0, eagerness: [4.0, 15.0], bank_gain: 0.0, max_bank: 0.0, most_bend: 0.0, ..FISH
            },
            // A ripple of 35 to 50 Hz, which no eye follows: the clip shows what else moves.
            Swimming::Amiiform => Self {
                fins: Stroke::new(0.1, 0.0, [0.2, 1.0, 1.0]), fins_until_bl: 5.0, glide: None, radius_bl: [0.3, 0.2],
                turn_in_place: 0.4, eagerness: [1.0, 15.0], bank_gain: 0.0, max_bank: 0.0, most_bend: 0.0, ..FISH
            },
            // St 0.34 and 0.27 at 1.5 and 2.5 discs/s, faster by beating faster (Rosenberger 2001).
            Swimming::Rajiform => Self {
                drive: Stroke::new(2.28, 1.63, [0.115, 0.35, 0.4]),
                glide: Some(Glide { cycle_s: 1.6, least_share: 0.6, until_bl: 0.8 }), radius_bl: [0.6, 0.15], most_yaw: 3.0,
                turn_in_place: 0.8, eagerness: [2.5, 6.0], bank_gain: 0.15, max_bank: 0.12, half_height_bl: 0.08,
                steepest_sine: 0.2, ..WINGED
            },
            // 0.31 Hz and tips that go 0.35 L to either side at its usual speed; turns by gliding, banked by 20 to 25
            // degrees in all, a good half of which its turning clip has, at most 43 + 17 degrees/s, of 2.05 m (Fish et
            // al. 2016, 2018).
            Swimming::Mobuliform => Self {
                drive: Stroke::new(0.45, 0.35, [0.85, 0.2, 0.45]), fins: Stroke::new(0.9, 0.0, [0.13, 1.0, 1.0]),
                glide: Some(Glide { cycle_s: 2.6, least_share: 0.55, until_bl: 0.7 }), radius_bl: [0.9, 0.5], most_yaw: 1.05,
                bank_gain: 0.5, max_bank: 0.13, glides_in_turns: 0.2, half_width_bl: 0.55,
                ..WINGED
            },
            // 25 to 40 beats a minute, 60 to 80 in haste, between glides (Hays et al. 2007); up takes twice as long as
            // down.
            Swimming::Chelonian => Self {
                drive: Stroke::new(0.8, 0.3, [0.6, 0.0, 0.35]).lingering(0.0, 0.75), fins: Stroke::new(0.55, 0.0, [0.15, 1.0, 1.0]),
                glide: Some(Glide { cycle_s: 2.4, least_share: 0.6, until_bl: 0.7 }), radius_bl: [1.0, 0.5], most_yaw: 1.5,
                bank_gain: 0.4, max_bank: 0.14, ..WINGED
            },
            // f = 0.59 + 0.89 U in dolphins of 2.5 m (Rohr & Fish 2004), 0.2 L from top to bottom (Fish 1993).
            Swimming::Cetacean => Self {
                drive: Stroke::new(2.09, 0.89, [0.2, 0.3, 0.4]),
                glide: Some(Glide { cycle_s: 1.6, least_share: 0.65, until_bl: 1.5 }), radius_bl: [1.5, 0.2], most_yaw: 4.0,
                turn_in_place: 0.0, eagerness: [0.9, 6.0], bank_gain: 0.8, max_bank: 0.7, most_bend: 0.5, ..FISH
            },
            // A leisurely diver, by eye: a kick in 3 s and 0.15 m wide where it hardly moves on, in less than 2 s and a
            // third of a metre wide at 0.25 L/s; stiff and level.
            Swimming::Flutter => Self {
                drive: Stroke::new(1.0, 1.2, [0.17, 0.0, 0.1]),
                glide: Some(Glide { cycle_s: 1.6, least_share: 0.7, until_bl: 0.8 }), radius_bl: [0.5, 0.3], most_yaw: 1.0,
                bank_gain: 0.3, max_bank: 0.12, half_height_bl: 0.14, glides_down: false, ..WINGED
            },
            // Moon jellies of 0.2 to 0.3 m: 0.45 to 0.37 Hz (Gemmell et al. 2013: slower as they grow); the pause is in
            // the clip.
            Swimming::Medusan => Self {
                drive: Stroke::new(0.45, 0.0, [0.25, 1.0, 1.0]), glide: None, turn_in_place: 0.12, eagerness: [0.5, 2.5],
                bank_gain: 0.0, max_bank: 0.35, ..WINGED
            },
        }
    }
}

impl Laws {
    /// Turning rate that no body of a metre exceeds but in a start: 390 degrees/s, between a bluefin's 302 (Downs 2023)
    /// and the 434 of the slowest starts of dogfish. It falls inversely with the length: muscles shorten by a share of
    /// their length in a given time, and so does the tip of a tail go round. Unit: rad/s.
    pub const MOST_YAW_OF_A_METRE: f32 = 6.8;

    /// Factor on it in a start: dogfish reach 1,023 degrees/s, a tenth less.
    pub const STARTS: f32 = 2.9;

    /// Greatest turning rate of a body of a length (m) except in a start. Unit: rad/s.
    pub fn yaw_limit(length_m: f32) -> f32 {
        Self::MOST_YAW_OF_A_METRE / length_m.max(0.01)
    }

    /// Half the height of a body of a length (m), with a small margin. Unit: m.
    pub fn half_height(&self, length_m: f32) -> f32 {
        self.half_height_bl * length_m + 0.02
    }

    /// Returns these laws for a cruiser in long curves: with a tail the radius is 2.2 L unless it hunts or flees.
    pub const fn cruising(mut self) -> Self {
        if !self.turns_by_wings {
            self.radius_bl[0] = 2.2;
        }
        (self.eagerness[0], self.turn_in_place) = (0.8, 0.0);
        self
    }
}

impl Swimming {
    /// Whether wings, flippers or a bell drive it instead of the tail.
    pub fn is_winged(self) -> bool {
        Laws::of(self).turns_by_wings
    }

    /// Whether fins drive it at a speed (body lengths/s), with its body still.
    pub fn rows_at(self, speed_bl_s: f32) -> bool {
        speed_bl_s < Laws::of(self).fins_until_bl
    }

    /// Strouhal number f A / U of the drive of a body of a length (m) at a speed (body lengths/s).
    pub fn strouhal(self, length_m: f32, speed_bl_s: f32) -> f32 {
        let laws = Laws::of(self);
        let rows = self.rows_at(speed_bl_s);
        let stroke = if rows { &laws.fins } else { &laws.drive };
        let frequency = stroke.frequency(speed_bl_s, Stroke::size_factor(length_m));
        let sweep = if rows { stroke.sweep(speed_bl_s) } else { stroke.shown_sweep(speed_bl_s, frequency) };
        frequency * sweep / speed_bl_s
    }
}
