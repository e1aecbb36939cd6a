//! The look of each water type here and now, computed in the background.

use std::task::Poll;

use ocean::EnvironmentSettings;
use render::{PostSettings, WaterColours};
use runtime::threads::Making;
use view::RenderScene;

use crate::panel::WaterSample;

/// The samples, and the conditions for which they are computed.
#[derive(Debug, Default)]
pub(super) struct WaterSamples {
    samples: Vec<WaterSample>,
    made_for: Option<WaterColours>,
    /// Computation in progress, which gives samples one after the other with their places.
    coming: Option<Making<(usize, WaterSample)>>,
}

impl WaterSamples {
    /// Updates the samples for the moment `frame` of a scene, resolved from `settings`; returns all of them if they
    /// have changed.
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
            // The computation of the old ones ends at its next sample, which nobody takes.
            self.coming = Making::start("water", wanted.clone().all().enumerate());
            self.made_for = Some(wanted);
        }
        is_new.then_some(&self.samples)
    }
}
