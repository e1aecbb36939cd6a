//! Frames of a film, their times, and the choice of those to be made.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// Most frames of a film: a day at 120 a second.
const MAX_FRAMES: u64 = 86_400 * 120;
/// Most frames a second.
const MAX_FPS: u32 = 1000;

/// Frames a second, as a fraction: films are made at 30000/1001 too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRate {
    /// Number of frames ...
    pub frames: u32,
    /// ... in this many seconds.
    pub seconds: u32,
}

impl FrameRate {
    /// Beginning of a frame, from the beginning of the film. Unit: s.
    pub fn time_s(self, frame: u64) -> f64 {
        frame as f64 * f64::from(self.seconds) / f64::from(self.frames)
    }

    /// Number of frames that begin in a time (s), to the nearest.
    ///
    /// # Errors
    /// If there would be none, or more than a film can have.
    pub fn count(self, seconds: f64) -> Result<u64, String> {
        let count = (seconds * f64::from(self.frames) / f64::from(self.seconds)).round();
        match count {
            0.0 => Err(format!("{seconds} s at {self} frames a second are no frame; make --seconds or --fps larger")),
            1.0.. if count <= MAX_FRAMES as f64 => Ok(count as u64),
            _ => Err(format!("a film has 1 to {MAX_FRAMES} frames, and {seconds} s at {self} a second are not that")),
        }
    }
}

impl fmt::Display for FrameRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.seconds {
            1 => write!(f, "{}", self.frames),
            seconds => write!(f, "{}/{seconds}", self.frames),
        }
    }
}

impl FromStr for FrameRate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (frames, seconds) = text.split_once('/').unwrap_or((text, "1"));
        let rate = || Some(Self { frames: frames.parse().ok()?, seconds: seconds.parse().ok()? });
        let is_usual = |rate: &Self| {
            rate.frames > 0
                && rate.seconds > 0
                && u64::from(rate.frames) <= u64::from(MAX_FPS) * u64::from(rate.seconds)
        };
        rate().filter(is_usual).ok_or_else(|| {
            format!("'{text}' is no number of frames a second up to {MAX_FPS}, such as 30 or 30000/1001 (for 29.97)")
        })
    }
}

/// Wanted frames of a film.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// All.
    #[default]
    All,
    /// From the first up to, and without, the second.
    Frames(u64, u64),
    /// Part `.0` of `.1`, counted from 0; parts are as long as each other, to a frame.
    Part(u64, u64),
}

impl Wanted {
    /// Wanted frames of a film of `count` frames. Those past its end are left out.
    ///
    /// # Errors
    /// If nothing is left.
    pub fn of(self, count: u64) -> Result<Range<u64>, String> {
        match self {
            Self::All => Ok(0..count),
            Self::Frames(from, to) if from < count => Ok(from..to.min(count)),
            Self::Frames(from, _) => {
                Err(format!("the film has {count} frames, 0 to {}; frame {from} is past its end", count - 1))
            }
            Self::Part(part, of) => {
                let bound = |part: u64| (u128::from(count) * u128::from(part) / u128::from(of)) as u64;
                let range = bound(part)..bound(part + 1);
                match range.is_empty() {
                    true => Err(format!("part {part} of {of} of {count} frames is empty; take at most {count} parts")),
                    false => Ok(range),
                }
            }
        }
    }

    /// Message about wanted frames past the end of a film of `count` frames, if there are any.
    pub fn beyond(self, count: u64) -> Option<String> {
        match self {
            Self::Frames(from, to) if from < count && to > count => {
                Some(format!("the film has {count} frames: {from}..{count} in place of {from}..{to}"))
            }
            _ => None,
        }
    }
}

/// Parses frames given as `A..B`.
///
/// # Errors
/// If they are not given so, or there are none.
pub fn parse_frames(text: &str) -> Result<Wanted, String> {
    let both = text.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    match both {
        Some((from, to)) if from < to => Ok(Wanted::Frames(from, to)),
        Some((from, to)) => Err(format!("{from}..{to} is no frame: the second is the first that is left out")),
        None => Err(format!("'{text}' is not A..B, such as 0..100 for the first hundred frames")),
    }
}

/// Parses a part given as `I/N`.
///
/// # Errors
/// If it is not given so.
pub fn parse_part(text: &str) -> Result<Wanted, String> {
    let both = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    match both {
        Some((part, of)) if part < of => Ok(Wanted::Part(part, of)),
        Some((part, of)) if of > 0 => Err(format!("there is no part {part} of {of}: they count from 0 to {}", of - 1)),
        _ => Err(format!("'{text}' is not I/N, such as 0/4 for the first of four parts")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_whole_once() {
        for count in [1, 7, 600, 10_001] {
            for of in [1, 2, 3, 7] {
                let parts: Vec<u64> =
                    (0..of).filter_map(|part| Wanted::Part(part, of).of(count).ok()).flatten().collect();
                assert_eq!(parts, (0..count).collect::<Vec<_>>(), "{count} in {of}");
            }
        }
        assert!(Wanted::Part(0, 3).of(2).is_err_and(|why| why.contains("at most 2 parts")));
    }

    #[test]
    fn ranges_past_the_end_are_clamped_and_said() {
        let wanted = parse_frames("5..20").expect("a range");
        assert_eq!(wanted.of(10), Ok(5..10));
        assert_eq!(wanted.beyond(10).as_deref(), Some("the film has 10 frames: 5..10 in place of 5..20"));
        assert_eq!((wanted.of(20), wanted.beyond(20)), (Ok(5..20), None));
        assert!(wanted.of(5).is_err_and(|why| why.contains("0 to 4")));
        for wrong in ["5", "5..5", "9..3", "a..b", "-1..3", "1..=3"] {
            assert!(parse_frames(wrong).is_err(), "{wrong}");
        }
        for wrong in ["1", "2/2", "0/0", "-1/3", "a/b"] {
            assert!(parse_part(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn rates_are_fractions_and_count_to_the_nearest() {
        let ntsc: FrameRate = "30000/1001".parse().expect("a rate");
        assert_eq!((ntsc.to_string().as_str(), ntsc.count(10.01)), ("30000/1001", Ok(300)));
        let film: FrameRate = "24".parse().expect("a rate");
        assert_eq!((film.count(20.0), film.time_s(36)), (Ok(480), 1.5));
        assert!(film.count(0.02).is_err_and(|why| why.contains("are no frame")));
        assert!(film.count(1e12).is_err() && film.count(f64::NAN).is_err() && film.count(-1.0).is_err());
        for wrong in ["0", "24/0", "1001", "29.97", "-3", ""] {
            assert!(wrong.parse::<FrameRate>().is_err(), "{wrong}");
        }
    }
}
