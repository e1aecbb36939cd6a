//! Roles in a school: who leads a pair, who is left apart after a strike, and for how long all stay uneasy.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use crate::STEP_S;

/// Members up to which a group is a pair or a family led by one of them.
pub(super) const FEW: usize = 4;

/// Least and greatest time for which one of a pair or family leads. By eye. Unit: s.
const LEADS_S: [f32; 2] = [7.0, 18.0];

/// Fright from which it is a strike's, rather than that of a hunter which passes too near.
const STRIKE: f32 = 0.9;

/// Time in which unease after a strike fades. Unit: s.
const UNEASY_S: f32 = 60.0;

/// Members from which one can be left apart.
const STRAGGLERS_FROM: usize = 8;

/// Least and greatest time for which a fish is left apart, hurt or lost, before it makes for the others: hurt fish lag
/// behind (Krause et al. 2017). By eye. Unit: s.
const STRAGGLES_S: [f32; 2] = [8.0, 15.0];

/// Roles and mood of a school's members; at first they are at ease.
#[derive(Clone, Debug, Default)]
pub(super) struct Roles {
    /// Number, among its members, of the one that leads a pair or family.
    pub leader: usize,
    /// Time for which that one still leads. Unit: s.
    leads_s: f32,
    /// Number, among its members, of the one left apart after the last strike.
    straggler: usize,
    /// Time for which that one still is. Unit: s.
    straggles_s: f32,
    /// Unease after a strike: 1 at once to 0 a minute later.
    pub unease: f32,
}

impl Roles {
    /// Advances by a step; `fright` is the greatest that one of the `members` has just shown.
    pub fn go_on(&mut self, members: usize, fright: f32, rng: &mut Pcg64Mcg) {
        self.leads_s -= STEP_S;
        if self.leads_s <= 0.0 && (2..=FEW).contains(&members) {
            self.leader = (self.leader + rng.random_range(1..members)) % members;
            self.leads_s = between(LEADS_S, rng);
        }
        self.unease = (self.unease - STEP_S / UNEASY_S).max(0.0);
        self.straggles_s = (self.straggles_s - STEP_S).max(0.0);
        if fright < STRIKE {
            return;
        }
        self.unease = 1.0;
        if self.straggles_s <= 0.0 && members >= STRAGGLERS_FROM {
            self.straggler = rng.random_range(0..members);
            self.straggles_s = between(STRAGGLES_S, rng);
        }
    }

    /// Whether member `number` is left apart.
    pub fn is_apart(&self, number: usize) -> bool {
        self.straggles_s > 0.0 && self.straggler == number
    }
}

fn between([least, most]: [f32; 2], rng: &mut Pcg64Mcg) -> f32 {
    least + (most - least) * rng.random::<f32>()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn a_strike_leaves_one_apart_for_a_while_and_all_uneasy_for_a_minute() {
        let mut rng = Pcg64Mcg::seed_from_u64(3);
        let mut roles = Roles::default();
        let apart = |roles: &Roles| (0..40).filter(|number| roles.is_apart(*number)).count();
        roles.go_on(40, 0.6, &mut rng);
        assert_eq!((apart(&roles), roles.unease), (0, 0.0), "a start is no strike");
        roles.go_on(40, 1.0, &mut rng);
        assert_eq!(apart(&roles), 1);
        let mut steps = (0, 0);
        while roles.unease > 0.0 {
            steps.0 += usize::from(apart(&roles) == 1);
            steps.1 += 1;
            roles.go_on(40, 0.0, &mut rng);
        }
        let [apart_s, uneasy_s] = [steps.0, steps.1].map(|steps| steps as f32 * STEP_S);
        assert!((STRAGGLES_S[0]..STRAGGLES_S[1]).contains(&apart_s), "{apart_s} s");
        assert!((uneasy_s - UNEASY_S).abs() < 0.5, "{uneasy_s} s");
    }

    #[test]
    fn the_two_of_a_pair_take_turns() {
        let mut rng = Pcg64Mcg::seed_from_u64(4);
        let mut roles = Roles::default();
        let mut changes = 0;
        for _ in 0..(120.0 / STEP_S) as u32 {
            let before = roles.leader;
            roles.go_on(2, 0.0, &mut rng);
            assert!(roles.leader < 2);
            changes += u32::from(roles.leader != before);
        }
        assert!((6..=18).contains(&changes), "{changes} in two minutes");
    }
}
