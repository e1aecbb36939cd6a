//! The light of a whole day: solved for some heights of the sun, and blended from one to the next as it goes round.

use crate::daylight::Daylight;
use crate::sun::{MOON_TAKES_OVER_DEG, MOON_TOOK_OVER_DEG, elevation_deg, light};
use crate::{Medium, MoonSettings, SkySettings, SunSettings};

/// Heights of the sun for which the light by day is solved, closest where it changes fastest. Unit: degrees.
const BY_DAY_DEG: [f32; 19] =
    [-5.99, -5.0, -4.0, -3.0, -2.0, -1.0, -0.5, 0.2, 1.0, 2.5, 5.0, 8.0, 12.0, 17.0, 24.0, 34.0, 50.0, 70.0, 90.0];

/// Heights of the sun for which the light by night is solved, from full moonlight to its first. Unit: degrees.
const BY_NIGHT_DEG: [f32; 4] = [MOON_TOOK_OVER_DEG, -9.0, -7.5, MOON_TAKES_OVER_DEG];

/// Height of the sun at which the rates of the exponentials for all hours are fitted. Unit: degrees.
const REFERENCE_DEG: f32 = 14.0;

/// Light in the water at any hour.
#[derive(Clone, Debug)]
pub struct DayCycle {
    by_night: Vec<(f32, Daylight)>,
    by_day: Vec<(f32, Daylight)>,
}

impl DayCycle {
    /// Solves the light for every height, which takes as long as some twenty calls of [`Daylight::new`].
    pub fn new(medium: &Medium, sun: &SunSettings, moon: &MoonSettings, sky: &SkySettings) -> Self {
        let light_at =
            |elevation_deg: f32| light(&SunSettings { elevation_deg, by_clock: false, ..sun.clone() }, moon, sky);
        let reference = Daylight::new(medium, &light_at(REFERENCE_DEG));
        let solved = |height: f32| (height, reference.at_another_hour(medium, &light_at(height)));
        Self { by_night: BY_NIGHT_DEG.map(solved).into(), by_day: BY_DAY_DEG.map(solved).into() }
    }

    /// Writes the light under the sun of `sun` into `out`.
    pub fn light_into(&self, sun: &SunSettings, out: &mut Daylight) {
        let elevation_deg = elevation_deg(sun);
        let solved = if elevation_deg > MOON_TAKES_OVER_DEG { &self.by_day } else { &self.by_night };
        let last = solved.len() - 1;
        let next = solved.partition_point(|(height, _)| *height <= elevation_deg).clamp(1, last);
        let ((low, a), (high, b)) = (&solved[next - 1], &solved[next]);
        out.blend(a, b, ((elevation_deg - low) / (high - low)).clamp(0.0, 1.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{WaterSettings, medium};

    #[test]
    fn blended_light_is_near_what_is_solved_for_its_hour_and_never_jumps() {
        let medium = medium(&WaterSettings::default());
        let (sun, moon, sky) = (SunSettings::default(), MoonSettings::default(), SkySettings::default());
        let cycle = DayCycle::new(&medium, &sun, &moon, &sky);
        let at = |elevation_deg: f32| SunSettings { elevation_deg, ..sun.clone() };
        let mut blended = Daylight::default();
        for elevation_deg in [-40.0, -5.0, -1.0, 1.6, 6.5, 20.0, 41.0, 70.0] {
            cycle.light_into(&at(elevation_deg), &mut blended);
            let solved = Daylight::new(&medium, &light(&at(elevation_deg), &moon, &sky));
            for depth_m in [0.5, 6.0, 25.0] {
                let ratio = blended.irradiance(depth_m) / solved.irradiance(depth_m);
                assert!((ratio - 1.0).abs().max_element() < 0.12, "{elevation_deg} degrees, {depth_m} m: {ratio}");
                let (a, b) = (blended.source(depth_m), solved.source(depth_m));
                assert!(
                    (a.attenuation / b.attenuation - 1.0).abs().max_element() < 0.12,
                    "{elevation_deg}: {depth_m} m"
                );
            }
        }
        let night = Daylight::new(&medium, &light(&at(-30.0), &moon, &sky)).irradiance(5.0);
        let mut last = None;
        for step in 0..=1200 {
            cycle.light_into(&at(-30.0 + 0.1 * step as f32), &mut blended);
            let now = blended.irradiance(5.0);
            if let Some(before) = last.replace(now) {
                let change = (now - before).abs() / (now + before + night);
                assert!(change.max_element() < 0.06, "{change} at step {step}");
            }
        }
    }
}
