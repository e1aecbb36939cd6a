//! The figure of a school at ease: now long, now broad, now high, and now and then in two parts.
//!
//! Sardine schools take another shape every 2.1 minutes and split or merge about every five (Misund et al. 2003).

use glam::Vec3;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use crate::STEP_S;

/// Members from which a school has a varying figure, and from which it may split.
const FROM: usize = 12;
const PARTS_FROM: usize = 80;

/// Least and greatest time of a figure. About the 2.1 minutes of real schools, and shorter, to be seen. Unit: s.
const LASTS_S: [f32; 2] = [25.0, 110.0];

/// Time in which a school changes to the next figure. By eye. Unit: s.
const GOES_OVER_S: f32 = 9.0;

/// Least and greatest factors on width and length; height makes up for both, within limits. By eye.
const WIDTH: [f32; 2] = [0.65, 1.35];
const LENGTH: [f32; 2] = [0.6, 1.7];
const HEIGHT: [f32; 2] = [0.6, 1.6];

/// Share of figures in which a school is split: it splits or merges every five minutes.
const PARTED: f32 = 0.15;

/// Least and greatest duration of a split. By eye. Unit: s.
const PARTED_S: [f32; 2] = [12.0, 24.0];

/// Distance of the parts from the middle of a school, over its radius: less would be a waist. By eye.
const APART: f32 = 1.6;

/// A figure, on its way to the next.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    /// Factors on the half axes of a school at ease: across, up and along its course.
    pub stretch: Vec3,
    /// Distance of its two parts from the middle, over its radius; 0 while it is one.
    pub parted: f32,
    goal: (Vec3, f32),
    left_s: f32,
}

impl Figure {
    /// Creates the first figure of a school of a number of members.
    pub fn new(members: usize, rng: &mut Pcg64Mcg) -> Self {
        let mut figure = Self { stretch: Vec3::ONE, parted: 0.0, goal: (Vec3::ONE, 0.0), left_s: f32::INFINITY };
        if members >= FROM {
            figure.choose(0, rng);
            figure.stretch = figure.goal.0;
            figure.left_s *= rng.random::<f32>();
        }
        figure
    }

    fn choose(&mut self, members: usize, rng: &mut Pcg64Mcg) {
        let mut between = |[least, most]: [f32; 2]| least + (most - least) * rng.random::<f32>();
        let (width, length) = (between(WIDTH), between(LENGTH));
        let height = (1.0 / (width * length)).clamp(HEIGHT[0], HEIGHT[1]);
        let parts = between([0.0, 1.0]) < PARTED && members >= PARTS_FROM && self.parted < 0.1;
        self.left_s = between(if parts { PARTED_S } else { LASTS_S });
        self.goal = (Vec3::new(width, height, length), if parts { APART } else { 0.0 });
    }

    /// Advances the figure of a school of a number of members by a step.
    pub fn go_on(&mut self, members: usize, rng: &mut Pcg64Mcg) {
        if members < FROM {
            return;
        }
        self.left_s -= STEP_S;
        if self.left_s <= 0.0 {
            self.choose(members, rng);
        }
        let share = STEP_S / GOES_OVER_S;
        self.stretch += (self.goal.0 - self.stretch) * share;
        self.parted += (self.goal.1 - self.parted) * share;
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn figures_differ_keep_their_room_and_part_now_and_then() {
        let mut rng = Pcg64Mcg::seed_from_u64(3);
        let mut figure = Figure::new(200, &mut rng);
        let (mut lengths, mut parted) = (Vec::new(), 0);
        for step in 0..3600 * 60 {
            let before = figure.stretch;
            figure.go_on(200, &mut rng);
            assert!(before.distance(figure.stretch) < 0.004, "it goes over smoothly");
            let room = figure.stretch.element_product();
            assert!((0.4..2.0).contains(&room), "{room} of its room");
            if step % 600 == 0 {
                lengths.push(figure.stretch.z / figure.stretch.x);
                parted += u32::from(figure.parted > 0.6);
            }
        }
        lengths.sort_by(f32::total_cmp);
        assert!(lengths[324] > 2.0 * lengths[36], "{lengths:?}");
        assert!((5..=50).contains(&parted), "{parted} of 360 times in two");
    }

    #[test]
    fn a_few_have_no_figure() {
        let mut rng = Pcg64Mcg::seed_from_u64(3);
        let mut figure = Figure::new(5, &mut rng);
        (0..60_000).for_each(|_| figure.go_on(5, &mut rng));
        assert_eq!((figure.stretch, figure.parted), (Vec3::ONE, 0.0));
    }
}
