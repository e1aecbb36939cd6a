//! Baking clips into the rows of the palette texture.

use glam::Mat4;

use crate::animation::{Pose, pose};
use crate::{Clip, Palette, PaletteClip, Skeleton, Sweep};

/// Rows a second unless a model asks for another rate. Unit: 1/s. The shader blends between rows, so a swimming body
/// needs about ten rows a beat; fish beat their tails up to three times a second.
pub const ROWS_PER_SECOND: f32 = 30.0;

/// The most rows of a palette: every implementation of OpenGL 3.3 of practical use has textures of 4096 rows.
pub const MAX_ROWS: u32 = 4096;

/// Samples every clip at `rate_hz` rows a second.
///
/// A clip goes once round: of its n rows, row i lies i / n of the way from its start to its end. One row more, equal to
/// the first, closes it, so that the shader always blends a row with the next. Clips that do not close jump there; see
/// [`loop_gap`](crate::animation::loop_gap). A clip without motion or length takes one row, a moving one at least two.
/// Clips too long for [`MAX_ROWS`] together are sampled more coarsely. Without a clip there is one row, at rest.
///
/// # Panics
/// If `rate_hz` is not a positive number, or there are more clips than rows.
pub fn bake(skeleton: &Skeleton, clips: &[Clip], rate_hz: f32) -> Palette {
    assert!(rate_hz.is_finite() && rate_hz > 0.0, "{rate_hz} rows a second");
    assert!(clips.len() * 3 <= MAX_ROWS as usize, "{} clips in a palette of {MAX_ROWS} rows", clips.len());
    let joints = skeleton.joints.len() as u32 + 1;
    let morphs = skeleton.morph_keys.len() as u32;
    let mut palette = Palette { joints, morphs, ..Palette::default() };

    let moves = skeleton.moves();
    let length = |clip: &Clip| if moves { (clip.end_s - clip.start_s).max(0.0) } else { 0.0 };
    let total_s: f32 = clips.iter().map(length).sum();
    // Three rows are kept for each clip: up to two for rounding up, and one that closes it.
    let rate_hz = rate_hz.min((MAX_ROWS as usize - 3 * clips.len()) as f32 / total_s.max(f32::MIN_POSITIVE));

    for clip in clips {
        let duration_s = length(clip);
        let rows = if duration_s > 0.0 { ((duration_s * rate_hz).round() as u32).max(2) } else { 1 };
        palette.clips.push(PaletteClip {
            name: clip.name.clone(),
            first_row: palette.rows,
            rows,
            duration_s: if duration_s > 0.0 { duration_s } else { 1.0 },
            sweep: Sweep::default(),
        });
        for row in 0..rows {
            let time_s = clip.start_s + duration_s * row as f32 / rows as f32;
            push_row(&mut palette, &pose(skeleton, time_s));
        }
        push_row(&mut palette, &pose(skeleton, clip.start_s));
    }
    if clips.is_empty() {
        // The one row at rest, and the one that closes it.
        let model_from_rest = vec![Mat4::IDENTITY; skeleton.joints.len() + 1];
        let morph_weights = vec![0.0; skeleton.morph_keys.len()];
        let at_rest = Pose { model_from_rest, model_from_joint: Vec::new(), morph_weights };
        for _ in 0..2 {
            push_row(&mut palette, &at_rest);
        }
    }
    palette
}

fn push_row(palette: &mut Palette, pose: &Pose) {
    for matrix in &pose.model_from_rest {
        palette.texels.extend([matrix.row(0), matrix.row(1), matrix.row(2)].map(|row| row.to_array()));
    }
    palette.texels.extend(pose.morph_weights.iter().map(|&weight| [weight, 0.0, 0.0, 0.0]));
    palette.rows += 1;
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::Joint;

    fn wagging() -> Skeleton {
        let joint = |parent, z: f32, angle: f32| Joint {
            name: String::new(),
            parent,
            local_bind: Mat4::from_translation(Vec3::Z * z),
            inverse_bind: Mat4::from_translation(Vec3::Z * if parent.is_some() { -1.0 - z } else { -z }),
            rotation_keys: vec![
                (0.0, Quat::from_rotation_y(angle)),
                (0.5, Quat::from_rotation_y(-angle)),
                (1.0, Quat::from_rotation_y(angle)),
            ],
            translation_keys: vec![(0.0, Vec3::ZERO), (1.0, Vec3::X * angle)],
            scale_keys: Vec::new(),
        };
        Skeleton {
            joints: vec![joint(None, 1.0, 0.3), joint(Some(0), 2.0, 0.6)],
            order: vec![0, 1],
            duration_s: 1.0,
            ..Skeleton::default()
        }
    }

    fn clip(name: &str, start_s: f32, end_s: f32) -> Clip {
        Clip { name: name.into(), start_s, end_s }
    }

    fn row_matrix(palette: &Palette, row: u32, joint: u32) -> Mat4 {
        let first = ((row * palette.joints + joint) * 3) as usize;
        let [a, b, c] = [0, 1, 2].map(|i| glam::Vec4::from(palette.texels[first + i]));
        Mat4::from_cols(a, b, c, glam::Vec4::W).transpose()
    }

    #[test]
    fn rows_are_the_poses_of_their_moments() {
        let skeleton = wagging();
        let clips = [clip("swim", 0.0, 1.0), clip("turn", 0.25, 0.5), clip("still", 0.5, 0.5)];
        let palette = bake(&skeleton, &clips, 8.0);
        assert_eq!(palette.joints, 3);
        assert_eq!(palette.rows, 9 + 3 + 2);
        assert_eq!(palette.texels.len(), (palette.rows * palette.joints * 3) as usize);
        for (clip, range) in palette.clips.iter().zip(&clips) {
            assert_eq!(clip.name, range.name);
            assert!(clip.duration_s > 0.0);
            for row in 0..clip.rows {
                let time_s = range.start_s + (range.end_s - range.start_s) * row as f32 / clip.rows as f32;
                let expected = pose(&skeleton, time_s).model_from_rest;
                for joint in 0..palette.joints {
                    assert_eq!(row_matrix(&palette, clip.first_row + row, joint), expected[joint as usize]);
                }
                assert_eq!(row_matrix(&palette, clip.first_row + row, 2), Mat4::IDENTITY);
            }
            for joint in 0..palette.joints {
                let closing = row_matrix(&palette, clip.first_row + clip.rows, joint);
                assert_eq!(closing, row_matrix(&palette, clip.first_row, joint));
            }
        }
    }

    #[test]
    fn clips_that_would_not_fit_are_sampled_more_coarsely() {
        let clips = [clip("swim", 0.0, 5000.0), clip("blink", 0.0, 0.01)];
        let palette = bake(&wagging(), &clips, ROWS_PER_SECOND);
        assert!(palette.rows <= MAX_ROWS && palette.rows > MAX_ROWS - 10, "{}", palette.rows);
        assert_eq!(palette.clips[1].rows, 2);
    }

    #[test]
    fn a_rigid_thing_has_one_row_at_rest_and_its_closing() {
        let palette = bake(&Skeleton::default(), &[], ROWS_PER_SECOND);
        assert_eq!((palette.rows, palette.joints), (2, 1));
        assert_eq!(row_matrix(&palette, 0, 0), Mat4::IDENTITY);
    }
}
