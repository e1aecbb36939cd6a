//! What each water type would look like here and now, worked out beside the animation.

use std::task::Poll;

use ocean::EnvironmentSettings;
use render::{PostSettings, WaterColours};
use runtime::threads::Making;
use view::RenderScene;

use crate::panel::WaterSample;

/// The samples, and for what they are worked out.
#[derive(Debug, Default)]
pub(super) struct WaterSamples {
    samples: Vec<WaterSample>,
    made_for: Option<WaterColours>,
    /// Gives them one after the other, with their places, while they are worked out.
    coming: Option<Making<(usize, WaterSample)>>,
}

impl WaterSamples {
    /// Follows what is worked out for the moment `frame` of a scene, resolved from `settings`; gives them all if they are
    /// others now.
    pub(super) fn update(
        &mut self,
        frame: &RenderScene,
        settings: EnvironmentSettings,
        post: &PostSettings,
    ) -> Option<&[WaterSample]> {
        let mut is_new = false;
        while let Some(coming) = &mut self.coming {
            match coming.poll() {
                Poll::Ready(Some((place, sample))) => {
                    match self.samples.get_mut(place) {
                        Some(old) => *old = sample,
                        None => self.samples.push(sample),
                    }
                    is_new = true;
                }
                Poll::Ready(None) => self.coming = None,
                Poll::Pending => break,
            }
        }
        let wanted = WaterColours::new(frame, settings, post);
        if !self.made_for.as_ref().is_some_and(|made_for| made_for.look_like(&wanted)) {
            // Whoever works out the others hears of it with the next one: nobody takes it.
            self.coming = Making::start("water", wanted.clone().all().enumerate());
            self.made_for = Some(wanted);
        }
        is_new.then_some(&self.samples)
    }
}
