//! The depths at which caustics are drawn.

/// Slices of the map, one a channel.
pub const CAUSTIC_SLICES: usize = 4;
/// Depth of the shallowest slice where the ground is near, and greatest depth of the deepest one. Unit: m.
const SLICES_M: (f32, f32) = (0.5, 24.0);
/// Greatest ratio of a slice's depth to that of the one above: patterns farther apart have nothing in common.
const SLICE_RATIO: f32 = 2.5;

/// Depth of each slice over ground at a depth (m), which may be infinite: the deepest lies on it. Between them readers
/// blend; below the last one the pattern stays and fades.
pub fn slice_depths_m(seabed_depth_m: f32) -> [f32; CAUSTIC_SLICES] {
    let (least, greatest) = SLICES_M;
    let deepest = seabed_depth_m.clamp(2.0 * least, greatest);
    let ratio = (deepest / least).powf(1.0 / (CAUSTIC_SLICES - 1) as f32).min(SLICE_RATIO);
    std::array::from_fn(|i| deepest / ratio.powi((CAUSTIC_SLICES - 1 - i) as i32))
}
