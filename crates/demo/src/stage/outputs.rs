//! The screen, and the headset that pictures go to in its place while one is worn.

use gl::RenderTarget;
#[cfg(not(target_arch = "wasm32"))]
use headset::Headset;
use shell::screen::Screen;

/// A screen with the headset beside it.
pub struct Outputs {
    // Made with the screen's context, so it is dropped before it.
    #[cfg(not(target_arch = "wasm32"))]
    headset: Option<Headset>,
    screen: Box<dyn Screen>,
}

impl Outputs {
    /// A screen alone.
    pub fn new(screen: Box<dyn Screen>) -> Self {
        Self {
            #[cfg(not(target_arch = "wasm32"))]
            headset: None,
            screen,
        }
    }

    /// The screen.
    pub fn screen(&self) -> &dyn Screen {
        &*self.screen
    }

    /// Follows the screen's size.
    pub fn resize_screen(&mut self, size: (u32, u32)) {
        self.screen.resize(size);
    }

    /// Shows what was drawn.
    ///
    /// # Errors
    /// If the context is lost.
    pub fn show(&self) -> Result<(), String> {
        #[cfg(not(target_arch = "wasm32"))]
        self.mirror();
        self.screen.swap()?;
        self.screen.reset().map_or(Ok(()), |reset| Err(format!("reset, {reset:?}")))
    }

    /// Target of the picture; `None` for the screen's own framebuffer.
    #[cfg(target_arch = "wasm32")]
    pub fn target(&self) -> Option<&RenderTarget> {
        self.screen.output()
    }

    /// Target of the depth of the picture: a page's headset takes none.
    #[cfg(target_arch = "wasm32")]
    pub fn depth_target(&self) -> Option<&RenderTarget> {
        None
    }

    /// Whether frames are drawn at a headset's pace: a page's headset has a session of the page's.
    #[cfg(target_arch = "wasm32")]
    pub fn runs_headset(&self) -> bool {
        false
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Outputs {
    /// Target of the picture: the headset's, while a frame is drawn for it; `None` for the screen's own framebuffer.
    pub fn target(&self) -> Option<&RenderTarget> {
        self.headset.as_ref().and_then(Headset::target).or_else(|| self.screen.output())
    }

    /// Target of the depth of the picture, if a headset takes it.
    pub fn depth_target(&self) -> Option<&RenderTarget> {
        self.headset.as_ref().and_then(Headset::depth_target)
    }

    /// Has pictures go to a headset while its session runs; `None` ends the session with the one before.
    pub fn connect(&mut self, headset: Option<Headset>) {
        self.headset = headset;
    }

    /// The headset, if there is one.
    pub fn headset(&mut self) -> Option<&mut Headset> {
        self.headset.as_mut()
    }

    /// Whether a headset is connected.
    pub fn has_headset(&self) -> bool {
        self.headset.is_some()
    }

    /// Whether frames are drawn at a headset's pace.
    pub fn runs_headset(&self) -> bool {
        self.headset.as_ref().is_some_and(Headset::is_running)
    }

    /// Shows the middle of the left eye's picture on the screen, if a frame was drawn for a headset.
    fn mirror(&self) {
        let Some(target) = self.headset.as_ref().and_then(Headset::target) else { return };
        let (screen, (width, height)) = (self.screen.size(), target.extent());
        if screen.0 > 0 && screen.1 > 0 {
            target.stretch_part_to(middle((width / 2, height), screen), self.screen.output(), screen);
        }
    }
}

/// Corner and extent of the largest part in the middle of a picture that has a screen's proportions.
#[cfg(not(target_arch = "wasm32"))]
fn middle((width, height): (u32, u32), screen: (u32, u32)) -> ((u32, u32), (u32, u32)) {
    let aspect = f64::from(screen.0) / f64::from(screen.1);
    let within = |side: f64, most: u32| (side.round() as u32).clamp(1, most);
    let part = (within(f64::from(height) * aspect, width), within(f64::from(width) / aspect, height));
    (((width - part.0) / 2, (height - part.1) / 2), part)
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    #[test]
    fn a_screen_shows_the_middle_of_an_eyes_picture_in_its_own_proportions() {
        assert_eq!(middle((1000, 1000), (1600, 800)), ((0, 250), (1000, 500)));
        assert_eq!(middle((1000, 1000), (50, 100)), ((250, 0), (500, 1000)));
        assert_eq!(middle((1, 1), (9000, 1)), ((0, 0), (1, 1)));
    }
}
