//! Physics of bubbles in the sea: rise speed, flatness, zigzag and growth.
//!
//! Rise speeds are those of contaminated bubbles, as in any natural sea: Grace's correlation for ellipsoids, the drag
//! law of small spheres below a millimetre, Davies and Taylor's caps above 18 mm (Clift, Grace & Weber 1978, for air
//! in sea water of 20 °C, whose viscosity is 1.08 mPa s).

use ocean::{GRAVITY_M_S2, SEA_WATER_DENSITY_KG_M3, SURFACE_TENSION_N_M};

/// Terminal velocity by diameter: mm, cm/s.
const TERMINAL: [(f32, f32); 17] = [
    (0.0, 0.0),
    (0.1, 0.5),
    (0.2, 1.6),
    (0.3, 2.8),
    (0.5, 5.4),
    (0.7, 8.0),
    (0.9, 10.4),
    (1.0, 11.6),
    (1.3, 14.5),
    (2.0, 19.6),
    (3.0, 25.1),
    (4.0, 24.6),
    (5.0, 24.1),
    (8.0, 23.1),
    (10.0, 22.5),
    (15.0, 21.6),
    (CAP_MM, 29.9),
];

/// Diameter above which bubbles are spherical caps. Unit: mm.
const CAP_MM: f32 = 18.0;

/// Depth over which the water adds one atmosphere. Unit: m.
const ATMOSPHERE_M: f32 = 10.0;

/// Period of the zigzag of ellipsoidal bubbles. Unit: s.
pub const ZIGZAG_S: f32 = 0.18;

/// Terminal velocity of a bubble of the given diameter (m) in sea water. Unit: m/s.
pub fn terminal_velocity(diameter_m: f32) -> f32 {
    let mm = diameter_m * 1000.0;
    if mm >= CAP_MM {
        return 0.711 * (GRAVITY_M_S2 * diameter_m).sqrt();
    }
    let above = TERMINAL.partition_point(|&(d, _)| d <= mm).clamp(1, TERMINAL.len() - 1);
    let ((d0, v0), (d1, v1)) = (TERMINAL[above - 1], TERMINAL[above]);
    0.01 * (v0 + (v1 - v0) * ((mm - d0) / (d1 - d0)).max(0.0))
}

/// Height over width of a bubble of the given diameter (m): Wellek's fit for contaminated drops, by Eötvös number.
pub fn flatness(diameter_m: f32) -> f32 {
    let eotvos = GRAVITY_M_S2 * SEA_WATER_DENSITY_KG_M3 * diameter_m * diameter_m / SURFACE_TENSION_N_M;
    (1.0 / (1.0 + 0.163 * eotvos.powf(0.757))).max(0.35)
}

/// Diameter at `depth` of a bubble that has `diameter` at `from_depth`, all in metres: its volume follows pressure.
pub fn grown(diameter: f32, from_depth: f32, depth: f32) -> f32 {
    diameter * ((1.0 + from_depth / ATMOSPHERE_M) / (1.0 + depth.max(0.0) / ATMOSPHERE_M)).cbrt()
}

/// Half the width of the zigzag of a bubble of the given diameter, both in metres: none below 0.7 mm, where bubbles
/// rise straight, and fading above 8 mm.
pub fn zigzag(diameter: f32) -> f32 {
    let mm = 1000.0 * diameter;
    0.9 * diameter * ((mm - 0.7) / 0.6).clamp(0.0, 1.0) * ((14.0 - mm) / 6.0).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_velocities_are_those_of_the_table_and_rise_between() {
        for (mm, cm_s) in [(0.5, 5.4), (1.0, 11.6), (3.0, 25.1), (10.0, 22.5), (15.0, 21.6), (50.0, 49.8)] {
            let found = 100.0 * terminal_velocity(0.001 * mm);
            assert!((found - cm_s).abs() < 0.6, "{mm} mm: {found} cm/s");
        }
        assert_eq!(terminal_velocity(0.0), 0.0);
        assert!(terminal_velocity(0.0025) > terminal_velocity(0.002));
    }

    #[test]
    fn a_bubble_of_3_mm_from_20_m_arrives_with_4_3() {
        assert!((grown(0.003, 20.0, 0.0) - 0.0043).abs() < 5e-5);
        assert_eq!(grown(0.003, 20.0, 20.0), 0.003);
    }

    #[test]
    fn small_bubbles_are_round_and_large_ones_flat() {
        assert!(flatness(0.0005) > 0.98);
        assert!((0.55..0.75).contains(&flatness(0.006)));
        assert_eq!(flatness(0.05), 0.35);
        assert_eq!(zigzag(0.0005), 0.0);
        assert!(zigzag(0.004) > 0.003);
    }
}
