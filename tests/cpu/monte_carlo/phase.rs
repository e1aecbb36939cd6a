//! Phase functions of particles and molecules, as tables: how much goes where, where a photon goes, what an eye sees.

use std::f64::consts::{FRAC_PI_2, PI};

/// Petzold's average particle (Mobley 1994, Light and Water, table 3.10). Units: degrees and 1/sr.
const PETZOLD: [(f64, f64); 55] = [
    (0.1, 1766.61),
    (0.12589, 1295.64),
    (0.15849, 950.172),
    (0.19953, 699.092),
    (0.25119, 513.687),
    (0.31623, 376.373),
    (0.39811, 276.318),
    (0.50119, 201.839),
    (0.63096, 144.369),
    (0.79433, 102.241),
    (1.0, 71.6082),
    (1.2589, 49.5803),
    (1.5849, 33.9511),
    (1.9953, 22.8129),
    (2.5119, 15.1622),
    (3.1623, 10.0154),
    (3.9811, 6.57957),
    (5.0119, 4.29530),
    (6.3096, 2.80690),
    (7.9433, 1.81927),
    (10.0, 1.15257),
    (15.0, 0.489344),
    (20.0, 0.244424),
    (25.0, 0.147151),
    (30.0, 0.0860848),
    (35.0, 0.0593075),
    (40.0, 0.0420985),
    (45.0, 0.0306722),
    (50.0, 0.0227533),
    (55.0, 0.0169904),
    (60.0, 0.0131254),
    (65.0, 0.0104625),
    (70.0, 0.00848826),
    (75.0, 0.00697601),
    (80.0, 0.00584232),
    (85.0, 0.00495306),
    (90.0, 0.00429232),
    (95.0, 0.00378161),
    (100.0, 0.00340405),
    (105.0, 0.00311591),
    (110.0, 0.00291222),
    (115.0, 0.00279696),
    (120.0, 0.00268568),
    (125.0, 0.00257142),
    (130.0, 0.00247603),
    (135.0, 0.00237667),
    (140.0, 0.00232898),
    (145.0, 0.00231308),
    (150.0, 0.00236475),
    (155.0, 0.00250584),
    (160.0, 0.00266183),
    (165.0, 0.00283472),
    (170.0, 0.00303046),
    (175.0, 0.00309206),
    (180.0, 0.00315366),
];

/// Half the width of the cone over which an eye takes its mean. Radiance hardly changes within it, and no photon that
/// comes a thousandth of a degree from the eye's direction outshines a million others. Unit: rad.
const EYE_CONE: f64 = 2.0 * PI / 180.0;

/// Angles at which phase functions are integrated.
const ANGLES: i32 = 8192;
/// Intervals of the tables.
const SHARES: usize = 1 << 12;
const STEPS: usize = 1 << 11;

/// A phase function, normalised over the sphere.
pub struct Phase {
    /// Sine squared of half the angle within which equal shares more of the light go.
    shares: Vec<f64>,
    /// 1/sr at equal steps of the root of the sine of half the angle.
    values: Vec<f64>,
    /// The same of the mean over an eye's cone.
    seen: Vec<f64>,
    /// Share that goes backward. Unit: 1.
    pub backscatter_share: f64,
    /// Mean cosine. Unit: 1.
    pub asymmetry: f64,
}

impl Phase {
    /// Petzold's particles: power laws between the measured angles, the first of them below 0.1 degrees too.
    pub fn particles() -> Self {
        Self::new(|angle| {
            let degrees = angle.to_degrees();
            let above = PETZOLD.partition_point(|&(at, _)| at < degrees).clamp(1, PETZOLD.len() - 1);
            let ((low, first), (high, second)) = (PETZOLD[above - 1], PETZOLD[above]);
            first * (second / first).powf((degrees / low).ln() / (high / low).ln())
        })
    }

    /// The water's own molecules (Morel 1974, depolarisation 0.09).
    pub fn molecules() -> Self {
        Self::new(|angle| 0.06225 * (1.0 + 0.835 * angle.cos().powi(2)))
    }

    fn new(value: impl Fn(f64) -> f64) -> Self {
        let angles = angles();
        let mut within = vec![0.0];
        let (mut total, mut backward, mut cosine) = (0.0, 0.0, 0.0);
        for pair in angles.windows(2) {
            let middle = 0.5 * (pair[0] + pair[1]);
            let share = 4.0 * PI * (half_sine_squared(pair[1]) - half_sine_squared(pair[0])) * value(middle);
            total += share;
            cosine += share * middle.cos();
            if middle > FRAC_PI_2 {
                backward += share;
            }
            within.push(total);
        }
        let shares = (0..=SHARES).map(|i| {
            let wanted = total * i as f64 / SHARES as f64;
            let above = within.partition_point(|&share| share < wanted).clamp(1, within.len() - 1);
            let t = (wanted - within[above - 1]) / (within[above] - within[above - 1]);
            let (low, high) = (half_sine_squared(angles[above - 1]), half_sine_squared(angles[above]));
            low + t.clamp(0.0, 1.0) * (high - low)
        });
        let angle = |i: usize| 2.0 * (i as f64 / STEPS as f64).powi(2).asin();
        Self {
            shares: shares.collect(),
            // Forward, the power law has no end; an angle of nothing takes its neighbour's.
            values: (0..=STEPS).map(|i| value(angle(i.max(1))) / total).collect(),
            seen: (0..=STEPS).map(|i| mean_over_cone(&value, &angles, angle(i)) / total).collect(),
            backscatter_share: backward / total,
            asymmetry: cosine / total,
        }
    }

    /// Cosine of the angle by which a photon turns, by a random number in 0..1.
    pub fn turn(&self, random: f64) -> f64 {
        1.0 - 2.0 * between(&self.shares, random * SHARES as f64)
    }

    /// The phase function at an angle of this cosine. Unit: 1/sr.
    pub fn value(&self, cosine: f64) -> f64 {
        between(&self.values, step(cosine))
    }

    /// Its mean over the cone of an eye, whose axis lies at an angle of this cosine. Unit: 1/sr.
    pub fn seen(&self, cosine: f64) -> f64 {
        between(&self.seen, step(cosine))
    }
}

/// From nothing to the half turn; closer where phase functions are steep, and with 90 degrees among them.
fn angles() -> Vec<f64> {
    let share = |i: i32| f64::from(i) / f64::from(ANGLES);
    let forward = (0..ANGLES).map(|i| FRAC_PI_2 * share(i).powi(6));
    let backward = (0..=ANGLES).map(|i| FRAC_PI_2 * (1.0 + share(i)));
    forward.chain(backward).collect()
}

fn half_sine_squared(angle: f64) -> f64 {
    (0.5 * angle).sin().powi(2)
}

fn step(cosine: f64) -> f64 {
    (0.5 * (1.0 - cosine)).clamp(0.0, 1.0).sqrt().sqrt() * STEPS as f64
}

fn between(table: &[f64], at: f64) -> f64 {
    let i = (at as usize).min(table.len() - 2);
    table[i] + (at - i as f64) * (table[i + 1] - table[i])
}

/// The mean of a phase function over a cone whose axis lies `axis` off the forward direction: over rings about that, of
/// each the arc within the cone.
fn mean_over_cone(value: impl Fn(f64) -> f64, angles: &[f64], axis: f64) -> f64 {
    if axis > 20.0 * EYE_CONE && axis < PI - EYE_CONE {
        return value(axis);
    }
    let (mut sum, mut solid_angle) = (0.0, 0.0);
    for pair in angles.windows(2) {
        if pair[1] < axis - EYE_CONE || pair[0] > axis + EYE_CONE {
            continue;
        }
        let middle = 0.5 * (pair[0] + pair[1]);
        let off_axis = (axis.sin() * middle.sin()).max(f64::MIN_POSITIVE);
        let arc = ((EYE_CONE.cos() - axis.cos() * middle.cos()) / off_axis).clamp(-1.0, 1.0).acos();
        let ring = arc * (half_sine_squared(pair[1]) - half_sine_squared(pair[0]));
        sum += ring * value(middle);
        solid_angle += ring;
    }
    sum / solid_angle
}

pub fn particles_scatter_as_petzold_measured() {
    let particles = Phase::particles();
    assert!((particles.backscatter_share - 0.0183).abs() < 1e-4, "{}", particles.backscatter_share);
    assert!((particles.asymmetry - 0.924).abs() < 1e-3, "{}", particles.asymmetry);
    // As measured within a hundredth, which is what the table's integral is off.
    assert!((particles.value(0.0) / 0.004_292_32 - 1.0).abs() < 0.01, "{}", particles.value(0.0));
}

pub fn molecules_scatter_as_much_back_as_forward() {
    let molecules = Phase::molecules();
    assert!((molecules.backscatter_share - 0.5).abs() < 1e-6, "{}", molecules.backscatter_share);
    assert!(molecules.asymmetry.abs() < 1e-6, "{}", molecules.asymmetry);
    assert!((molecules.value(1.0) - 0.06225 * 1.835).abs() < 1e-4, "{}", molecules.value(1.0));
}

pub fn all_that_is_scattered_goes_somewhere_and_is_seen() {
    for phase in [Phase::particles(), Phase::molecules()] {
        let over_sphere = |value: &dyn Fn(f64) -> f64| -> f64 {
            let ring = |pair: &[f64]| {
                let share = half_sine_squared(pair[1]) - half_sine_squared(pair[0]);
                4.0 * PI * share * value((0.5 * (pair[0] + pair[1])).cos())
            };
            angles().windows(2).map(ring).sum()
        };
        let sum = over_sphere(&|cosine| phase.value(cosine));
        assert!((sum - 1.0).abs() < 1e-3, "scattered: {sum}");
        let sum = over_sphere(&|cosine| phase.seen(cosine));
        assert!((sum - 1.0).abs() < 5e-3, "seen: {sum}");
        let count = 100_000;
        let mean =
            (0..count).map(|i| phase.turn((f64::from(i) + 0.5) / f64::from(count))).sum::<f64>() / f64::from(count);
        assert!((mean - phase.asymmetry).abs() < 1e-3, "turned: {mean} of {}", phase.asymmetry);
    }
}
