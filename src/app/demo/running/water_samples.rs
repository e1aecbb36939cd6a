//! What each water type would look like here and now, worked out beside the animation.

use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;

use crate::app::demo::panel::WaterSample;
use crate::render::{PostSettings, WaterColours};
use crate::scene::RenderScene;

/// The samples, and for what they are worked out.
#[derive(Debug, Default)]
pub struct WaterSamples {
    samples: Vec<WaterSample>,
    made_for: Option<WaterColours>,
    /// Gives them one after the other, with their places, while they are worked out.
    coming: Option<Receiver<(usize, WaterSample)>>,
}

impl WaterSamples {
    /// Follows what is worked out for the moment `frame` of a scene; gives them all if they are others now.
    pub fn update(&mut self, frame: &RenderScene, post: &PostSettings) -> Option<&[WaterSample]> {
        let mut is_new = false;
        while let Some(coming) = &self.coming {
            match coming.try_recv() {
                Ok((place, sample)) => {
                    match self.samples.get_mut(place) {
                        Some(old) => *old = sample,
                        None => self.samples.push(sample),
                    }
                    is_new = true;
                }
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => self.coming = None,
            }
        }
        let wanted = WaterColours::new(frame, post);
        if !self.made_for.as_ref().is_some_and(|made_for| made_for.look_like(&wanted)) {
            // Whoever works out the others hears of it with the next one: nobody takes it.
            self.coming = start(wanted.clone());
            self.made_for = Some(wanted);
        }
        is_new.then_some(&self.samples)
    }
}

/// Works them all out on a thread of its own, if the system has one.
fn start(colours: WaterColours) -> Option<Receiver<(usize, WaterSample)>> {
    let (sender, coming) = channel();
    let work = move || {
        for sample in colours.all().enumerate() {
            if sender.send(sample).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("water".into()).spawn(work).ok().map(|_| coming)
}
