//! The table of light under water that the Monte Carlo wrote, for whoever wants to know what is true.
//!
//! A row is a number under five lights: the sun at 85, 60, 30 and 10 degrees, with an irradiance of 1 on a plane that
//! faces it in air, and a sky of radiance 1 everywhere; then the relative standard errors of the five.

use std::fmt;

/// Lights of a row: elevations of the sun, and the sky.
pub const LIGHTS: [&str; 5] = ["sun85", "sun60", "sun30", "sun10", "sky"];

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Jerlov's type, as scene files call it.
    pub water: String,
    /// `red`, `green` or `blue`; a wavelength in nm for `diffuse_attenuation`.
    pub channel: String,
    /// Depth; for `diffuse_attenuation` that of the lower of its two planes. Unit: m.
    pub depth_m: f64,
    /// `radiance` (1/sr), `irradiance` (1), or `diffuse_attenuation`: the mean of Kd between 0.25 and 1 of Jerlov's 1 / Kd
    /// (1/m).
    pub quantity: String,
    /// Of radiance, where the eye looks: `down`, `level_toward`, `level_across`, `level_away` from the sun's azimuth, `up60`,
    /// which is 60 degrees from the zenith across it. Of irradiance, what light the plane takes: `downwelling`,
    /// `upwelling`, or what comes to one that is upright and faces `upright_toward`, `upright_across`, `upright_away`.
    pub direction: String,
    /// The number under each of [`LIGHTS`].
    pub values: [f64; 5],
    /// Standard error of each as a share of it.
    pub errors: [f64; 5],
}

/// The names of the columns.
pub fn header() -> String {
    let errors = LIGHTS.map(|light| format!("error_{light}"));
    format!("type,channel,depth_m,quantity,direction,{},{}", LIGHTS.join(","), errors.join(","))
}

/// The committed table.
pub fn committed() -> Vec<Row> {
    let mut lines = include_str!("table.csv").lines();
    assert_eq!(lines.next(), Some(header().as_str()), "columns of the table");
    lines.map(|line| parse(line).unwrap_or_else(|| panic!("a row of the table: {line}"))).collect()
}

fn parse(line: &str) -> Option<Row> {
    let mut fields = line.split(',');
    let mut name = || fields.next().map(str::to_owned);
    let (water, channel) = (name()?, name()?);
    let depth_m = name()?.parse().ok()?;
    let (quantity, direction) = (name()?, name()?);
    let numbers: Vec<f64> = fields.map(|field| field.parse().ok()).collect::<Option<_>>()?;
    let (values, errors) = numbers.split_at_checked(LIGHTS.len())?;
    let (values, errors) = (values.try_into().ok()?, errors.try_into().ok()?);
    Some(Row { water, channel, depth_m, quantity, direction, values, errors })
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { water, channel, depth_m, quantity, direction, .. } = self;
        write!(f, "{water},{channel},{depth_m:.4},{quantity},{direction}")?;
        self.values.iter().try_for_each(|value| write!(f, ",{value:.3e}"))?;
        self.errors.iter().try_for_each(|error| write!(f, ",{error:.3}"))
    }
}
