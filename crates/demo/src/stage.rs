//! The screen with its renderer and its overlay.

use config::Config;
use egui::Pos2;
use gl::{Filter, Format, GlError, RenderTarget, TargetFormat, Wrap, present_part};
use glam::Vec3;
use platform::clock::Clock;
use render::governor::{Decision, Governor, QualityLevel};
use render::{
    Capture, FrameStats, PassClock, PendingChange, PostSettings, Prepared, RenderChange, RenderSettings, Renderer,
    ShaderSource, Stereo, View,
};
use runtime::{AppError, threads};
use scene::expected_features;
use shell::screen::Screen;
use view::{PicturePart, RenderScene, SceneFeatures};

use crate::overlay::{Overlay, Panels};
use crate::plaque::{self, Plaque};
use crate::session::SceneSession;
use outputs::Outputs;
use quality::QualityControl;

#[cfg(not(target_arch = "wasm32"))]
mod headset;
mod outputs;
mod quality;

/// A screen, and the overlay that draws panels over it.
pub struct OverlaidScreen {
    // Made with the screen's context, so it is dropped before the screen.
    overlay: Option<Overlay>,
    /// Sheet of a headset's panels, once one is worn; empty if the driver has refused it.
    plaque: Option<Option<Plaque>>,
    /// Whether the overlay could not be drawn the last time.
    text_is_missing: bool,
    outputs: Outputs,
}

impl OverlaidScreen {
    /// Screen that has an overlay if `ui` says that there are panels.
    pub fn new(screen: Box<dyn Screen>, ui: bool) -> Self {
        let overlay = match ui.then(|| Overlay::new(&screen.gl())) {
            Some(Ok(overlay)) => Some(overlay),
            Some(Err(error)) => {
                log::warn!("no text is shown over the picture: {error}");
                None
            }
            None => None,
        };
        Self { overlay, plaque: None, text_is_missing: false, outputs: Outputs::new(screen) }
    }

    /// The screen.
    pub fn screen(&self) -> &dyn Screen {
        self.outputs.screen()
    }

    /// Follows the screen's size.
    pub fn resize(&mut self, size: (u32, u32)) {
        self.outputs.resize_screen(size);
    }

    /// Draws panels alone and shows them.
    ///
    /// # Errors
    /// If the context is lost.
    pub fn draw_panels(&mut self, panels: &mut Panels, now_s: f64) -> Result<(), String> {
        self.draw(panels, self.screen().size(), now_s);
        self.outputs.show()
    }

    fn draw(&mut self, panels: &mut Panels, size: (u32, u32), now_s: f64) {
        let Some(overlay) = &mut self.overlay else { return };
        let scale = self.outputs.screen().scale();
        let drawn = overlay.draw(self.outputs.target(), panels, (size, scale), now_s);
        self.note(drawn);
    }

    /// Draws panels on a sheet in the world, and that into the pictures of a headset's eyes.
    fn draw_in_headset(
        &mut self,
        panels: &mut Panels,
        (frame, stereo): (&RenderScene, Stereo),
        size: (u32, u32),
        now_s: f64,
    ) {
        let Some(overlay) = &mut self.overlay else { return };
        let made = || Plaque::new(&self.outputs.screen().gl()).inspect_err(|error| log::warn!("no text: {error}")).ok();
        let Some(plaque) = self.plaque.get_or_insert_with(made) else { return };
        let drawn = overlay.draw(Some(plaque.begin()), panels, (plaque::EXTENT, plaque::SCALE), now_s);
        plaque.follow(&frame.camera);
        for (number, eye) in frame.headset.eyes.iter().enumerate() {
            let PicturePart { corner, extent } = stereo.shown_part(&frame.headset, number, size);
            present_part(&self.outputs.screen().gl(), self.outputs.target(), corner, extent);
            let aspect = extent.0 as f32 / extent.1 as f32;
            plaque.draw(eye, aspect);
            plaque.draw_pointers(eye, aspect, &frame.headset.pointers);
        }
        self.note(drawn);
    }

    fn note(&mut self, drawn: Result<(), GlError>) {
        // Logged once, not with every frame until there is memory again.
        if let Err(error) = &drawn
            && !self.text_is_missing
        {
            log::warn!("no text is shown over the picture for now: {error}");
        }
        self.text_is_missing = drawn.is_err();
        if let Some(wishes) = self.overlay.as_mut().and_then(Overlay::take_wishes) {
            self.outputs.screen().serve_panels(wishes);
        }
    }
}

/// A screen, and the renderer in its context.
pub struct Stage {
    // Dropped in this order: objects made with the context go before it.
    renderer: Renderer,
    screen: OverlaidScreen,
    clock: Clock,
    size: (u32, u32),
    quality: QualityControl,
    /// Progress of a still picture towards being finer, while there is one.
    still: Option<Still>,
    /// Number of changes of the picture other than the scene's moment.
    changes: u32,
    /// Number of pictures that were taken.
    captures: u32,
    /// Number of programs that the last frame lacked.
    lacking: u32,
    /// Time at which the last frame was drawn. Unit: s.
    drawn_s: Option<f64>,
}

/// States of a finer still picture, from the request to the driver to the shown picture.
enum Still {
    /// The driver is compiling the programs for it.
    Pending(PendingChange),
    /// It is drawn with the next frame.
    Ready,
    /// It is shown from this target, however long it took to draw.
    Drawn(RenderTarget),
    /// The driver has refused it.
    Refused,
}

/// Everything that the screen needs for a scene, ready for [`Stage::commit`].
pub struct PreparedStage {
    renderer: Prepared,
    quality: QualityControl,
}

/// A frame that has been shown, and the times at which its parts ended.
#[derive(Clone, Copy, Debug)]
pub struct PresentedFrame {
    /// Statistics of the drawing.
    pub stats: FrameStats,
    /// Time for culling. Unit: ms.
    pub cull_ms: f64,
    /// Time at which the picture was submitted. Unit: s.
    pub submitted_s: f64,
    /// Time at which the text over it was submitted. Unit: s.
    pub overlaid_s: f64,
    /// Time at which both were shown. Unit: s.
    pub presented_s: f64,
}

impl Stage {
    /// Makes the renderer for `screen`, with no scene yet.
    ///
    /// # Errors
    /// If a shader is wrong or the driver refuses an object.
    pub fn new(
        screen: OverlaidScreen,
        clock: Clock,
        shaders: &ShaderSource,
        config: &Config,
    ) -> Result<Self, AppError> {
        Self::with(screen, clock, (shaders, config), false)
    }

    /// A stage that shows something soon: see [`Renderer::with_deferred_compilation`].
    ///
    /// # Errors
    /// Errors of [`Self::new`].
    pub fn with_deferred_compilation(
        screen: OverlaidScreen,
        clock: Clock,
        shaders: &ShaderSource,
        config: &Config,
    ) -> Result<Self, AppError> {
        Self::with(screen, clock, (shaders, config), true)
    }

    fn with(
        mut screen: OverlaidScreen,
        clock: Clock,
        (shaders, config): (&ShaderSource, &Config),
        hurries: bool,
    ) -> Result<Self, AppError> {
        let size = screen.screen().size();
        let size = (size.0.max(1), size.1.max(1));
        screen.resize(size);
        let software = screen.screen().device().software;
        let quality = QualityControl::new(config.render.clone(), software);
        let wanted = (&config.post, &quality.drawn(), expected_features(&config.scene));
        let make = if hurries { Renderer::with_deferred_compilation } else { Renderer::new };
        let mut renderer = make(screen.screen().gl(), software, size, wanted)?;
        renderer.set_join(threads::join_drawing);
        if *shaders != ShaderSource::default() {
            renderer.apply(&RenderChange { shaders: Some(shaders.clone()), ..RenderChange::default() })?;
        }
        renderer.clock().start(!software, clock);
        if let Some(governor) = &quality.governor {
            log::info!(
                "quality is chosen for {:.1} ms a frame, beginning with {}",
                governor.target_ms(),
                governor.level()
            );
        }
        Ok(Self {
            renderer,
            screen,
            clock,
            size,
            quality,
            still: None,
            changes: 0,
            captures: 0,
            lacking: 0,
            drawn_s: None,
        })
    }

    /// Draws an empty sea behind the loading screen if that can be done without waiting, and returns whether it has.
    ///
    /// # Errors
    /// If a shader is wrong or the driver refuses an object.
    pub fn warm_up(&mut self, empty: impl FnOnce() -> RenderScene) -> Result<bool, AppError> {
        Ok(self.renderer.warm_up(empty, self.screen.outputs.target())?)
    }

    /// The screen.
    pub fn screen(&self) -> &dyn Screen {
        self.screen.screen()
    }

    /// Follows the screen's size; one with a zero is ignored.
    ///
    /// # Errors
    /// If the driver refuses a target of that size; the picture stays as large as it was.
    pub fn resize(&mut self, size: (u32, u32)) -> Result<(), AppError> {
        let is_in_headset = self.screen.outputs.runs_headset();
        if size.0 == 0 || size.1 == 0 || (size == self.size && !is_in_headset) {
            return Ok(());
        }
        // The picture of a headset has a size of its own.
        if !is_in_headset {
            self.resize_picture(size)?;
        }
        self.screen.resize(size);
        Ok(())
    }

    fn resize_picture(&mut self, size: (u32, u32)) -> Result<(), AppError> {
        self.change()?;
        self.renderer.resize(size)?;
        self.size = size;
        self.quality.disturbed();
        Ok(())
    }

    /// Has frames that take no longer than those of a display of `rate_hz` (1/s); `None` is the settings' own budget.
    pub fn pace_by(&mut self, rate_hz: Option<f64>) {
        self.quality.pace_by(rate_hz, self.screen.screen().device().software);
    }

    /// Number of changes of the picture other than the scene's moment: post-processing, sizes, scenes, shaders.
    pub fn picture_changes(&self) -> u32 {
        self.changes
    }

    /// Number of pictures that were taken of the frame, each of which takes time.
    pub fn captures(&self) -> u32 {
        self.captures
    }

    /// Makes the still picture as fine as one without a frame budget, where the quality is left to the governor: it is
    /// drawn once when the driver has what it needs, and shown from then on.
    ///
    /// # Errors
    /// If the driver refuses it; the picture stays as it is.
    pub fn rest(&mut self) -> Result<(), AppError> {
        let Some(render) = self.at_rest() else { return Ok(()) };
        let change = RenderChange { render: Some(&render), ..RenderChange::default() };
        let next = match &self.still {
            None => self.renderer.ask_ahead(&change).map(Still::Pending),
            Some(Still::Pending(ahead)) if ahead.is_answered() => self.renderer.apply(&change).map(|()| Still::Ready),
            Some(_) => return Ok(()),
        };
        self.still = Some(next.inspect_err(|_| self.still = Some(Still::Refused))?);
        Ok(())
    }

    /// Counts a change of the picture and ends a still one, whether or not the change succeeds.
    fn change(&mut self) -> Result<(), AppError> {
        self.changes = self.changes.wrapping_add(1);
        self.move_on()
    }

    /// Ends a still picture: draws as before, with the quality for moving pictures.
    ///
    /// # Errors
    /// If the driver refuses that level now; the fine one stays.
    pub fn move_on(&mut self) -> Result<(), AppError> {
        match self.still.take() {
            Some(Still::Ready | Still::Drawn(_)) => {
                let render = self.quality.drawn();
                Ok(self.renderer.apply(&RenderChange { render: Some(&render), ..RenderChange::default() })?)
            }
            _ => Ok(()),
        }
    }

    /// Settings for drawing a still picture, if the governor has changed those that were asked for.
    fn at_rest(&self) -> Option<RenderSettings> {
        let (level, wanted) = (self.quality.level?, &self.quality.wanted);
        Some(level.at_rest(wanted, self.screen().device().software).applied_to(wanted))
    }

    /// Draws the frame, or shows the still picture of it.
    fn draw_picture(&mut self, frame: &RenderScene) -> FrameStats {
        let output = self.screen.outputs.target();
        match self.still.as_ref().filter(|_| frame.headset.parts.is_empty()) {
            Some(Still::Drawn(picture)) => picture.copy_to(output),
            Some(Still::Ready) => {
                let format = TargetFormat { colors: &[(Format::Rgba8, Filter::Nearest, Wrap::Clamp)], depth: None };
                let Ok(picture) = RenderTarget::new(&self.screen().gl(), "still picture", self.size, &format) else {
                    return self.renderer.draw(frame, output);
                };
                let stats = self.renderer.draw(frame, Some(&picture));
                picture.copy_to(output);
                if stats.lacking == 0 {
                    self.still = Some(Still::Drawn(picture));
                }
                return stats;
            }
            _ => return self.renderer.draw_with_depth(frame, output, self.screen.outputs.depth_target()),
        }
        FrameStats::default()
    }

    /// Sets the post-processing, which turns radiance into pictures.
    ///
    /// # Errors
    /// If the driver refuses a target; what is shown stays.
    pub fn set_post(&mut self, post: &PostSettings) -> Result<(), AppError> {
        if self.renderer.settings().0 == post {
            return Ok(());
        }
        self.change()?;
        Ok(self.renderer.apply(&RenderChange { post: Some(post), ..RenderChange::default() })?)
    }

    /// Sets the layout of two eyes' pictures, or one eye.
    ///
    /// # Errors
    /// If the driver refuses a target; what is shown stays.
    pub fn set_stereo(&mut self, stereo: Stereo) -> Result<(), AppError> {
        self.change()?;
        self.renderer.set_stereo(stereo)?;
        self.quality.disturbed();
        Ok(())
    }

    /// Layout of two eyes' pictures on the screen.
    pub fn stereo(&self) -> Stereo {
        self.renderer.stereo()
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Clock that times the passes.
    pub fn clock(&mut self) -> &mut PassClock {
        self.renderer.clock()
    }

    /// Tier and resolution that the governor has chosen in place of those that were asked for, if it has.
    pub fn governed(&self) -> Option<QualityLevel> {
        self.quality.level
    }

    /// Tier and resolution that are drawn.
    pub fn level(&self) -> QualityLevel {
        let RenderSettings { quality, scale, .. } = self.quality.drawn();
        QualityLevel { quality: quality.drawn(self.screen().device().software), scale }
    }

    /// The budget of a frame, if the governor holds one. Unit: ms.
    pub fn target_ms(&self) -> Option<f64> {
        self.quality.governor.as_ref().map(Governor::target_ms)
    }

    /// Tells the governor a frame's load and the time since the previous frame, and does what it decides.
    ///
    /// # Errors
    /// If the driver refuses a target of the new level; the present one then stays for good.
    pub fn govern(&mut self, load_ms: f64, frame_s: f64) -> Result<Option<Decision>, AppError> {
        let Some(governor) = &mut self.quality.governor else { return Ok(None) };
        let Some(decision) = governor.frame(load_ms, frame_s) else { return Ok(None) };
        let render = decision.level.applied_to(&self.quality.wanted);
        match self.renderer.apply(&RenderChange { render: Some(&render), ..RenderChange::default() }) {
            Ok(()) => {
                self.quality.level = Some(decision.level);
                Ok(Some(decision))
            }
            Err(error) => {
                self.quality.governor = None;
                Err(error.into())
            }
        }
    }

    /// Makes everything that `session` needs here, of which `frame` is a moment; the present scene is not touched.
    /// `keeps_static_scene` says that models, seabed and props are those that are shown.
    ///
    /// # Errors
    /// If the driver refuses an object or a shader fails.
    pub fn prepare(
        &self,
        session: &SceneSession,
        frame: &RenderScene,
        keeps_static_scene: bool,
    ) -> Result<PreparedStage, AppError> {
        let SceneSession { config, .. } = session;
        let quality = self.quality.for_settings(&config.render, self.screen().device().software);
        // Textures are as fine as the tier drawn when they are uploaded; the governor's later levels leave them so.
        let keeps_static_scene = keeps_static_scene && quality.wanted.quality == self.quality.wanted.quality;
        let renderer = self.renderer.prepare(&RenderChange {
            static_scene: (!keeps_static_scene).then(|| session.world().static_scene()),
            features: Some(SceneFeatures::of(frame)),
            post: Some(&config.post),
            render: Some(&quality.drawn()),
            ..RenderChange::default()
        })?;
        Ok(PreparedStage { renderer, quality })
    }

    /// Draws a prepared scene from now on.
    pub fn commit(&mut self, prepared: PreparedStage) {
        // The prepared scene is drawn at the governor's level.
        (self.still, self.changes) = (None, self.changes.wrapping_add(1));
        self.renderer.commit(prepared.renderer);
        self.quality = prepared.quality;
    }

    /// Number of times the last frame did without a program that is being compiled.
    #[cfg(target_arch = "wasm32")]
    pub fn lacking(&self) -> u32 {
        self.lacking
    }

    /// The shaders in use.
    pub fn shaders(&self) -> &ShaderSource {
        self.renderer.shaders()
    }

    /// Draws with other shaders from now on.
    ///
    /// # Errors
    /// If one is wrong; those in use stay.
    pub fn use_shaders(&mut self, shaders: ShaderSource) -> Result<(), AppError> {
        self.change()?;
        Ok(self.renderer.apply(&RenderChange { shaders: Some(shaders), ..RenderChange::default() })?)
    }

    /// Draws a frame and the panels over it, if any, and shows both.
    ///
    /// # Errors
    /// If the context is lost.
    pub fn draw(
        &mut self,
        frame: &RenderScene,
        panels: Option<&mut Panels>,
        now_s: f64,
    ) -> Result<PresentedFrame, String> {
        // A still picture is a photograph, and exposed as one.
        let elapsed_s = self.drawn_s.replace(now_s).map_or(0.0, |before_s| now_s - before_s);
        self.renderer.ease_exposure(frame, self.still.is_none().then_some(elapsed_s));
        let stats = self.draw_picture(frame);
        self.lacking = stats.lacking;
        if self.lacking > 0 {
            self.quality.disturbed();
        }
        let cull_ms = self.renderer.clock().cull_ms();
        let submitted_s = (self.clock)();
        if let Some(panels) = panels {
            if frame.headset.eyes.is_empty() {
                self.screen.draw(panels, self.size, now_s);
            } else {
                self.screen.draw_in_headset(panels, (frame, self.renderer.stereo()), self.size, now_s);
            }
        }
        let overlaid_s = (self.clock)();
        self.screen.outputs.show()?;
        Ok(PresentedFrame { stats, cull_ms, submitted_s, overlaid_s, presented_s: (self.clock)() })
    }

    /// Draws panels over whatever is there, and shows them.
    ///
    /// # Errors
    /// If the context is lost.
    pub fn draw_panels(&mut self, panels: &mut Panels, now_s: f64) -> Result<(), String> {
        self.screen.draw_panels(panels, now_s)
    }

    /// Place where a line in the sea meets the sheet of a headset's panels, in the sheet's points, and in the sea; `None`
    /// if it goes past.
    pub fn meets_panels(&self, from: Vec3, direction: Vec3) -> Option<(Pos2, Vec3)> {
        self.screen.plaque.as_ref()?.as_ref()?.meets(from, direction)
    }

    /// Whether panels are shown at all.
    pub fn has_overlay(&self) -> bool {
        self.screen.overlay.is_some()
    }

    /// Whether keys are for a panel.
    pub fn panel_has_keyboard(&self) -> bool {
        self.screen.overlay.as_ref().is_some_and(Overlay::has_keyboard)
    }

    /// Whether a press of the pointer at `at` is for a panel, in points of the screen's scale.
    pub fn panel_has_pointer(&self, at: Option<Pos2>) -> bool {
        self.screen.overlay.as_ref().is_some_and(|overlay| overlay.has_pointer(at, self.screen().scale()))
    }

    /// The context that lays the panels out.
    #[cfg(test)]
    pub fn egui(&self) -> Option<&egui::Context> {
        self.screen.overlay.as_ref().map(Overlay::egui)
    }

    /// Settings that the renderer draws with now.
    #[cfg(test)]
    pub fn drawn_with(&self) -> &RenderSettings {
        self.renderer.settings().1
    }

    /// Makes the next text upload everything that it needs again.
    #[cfg(test)]
    pub fn forget_text(&mut self) {
        self.screen.overlay = Overlay::new(&self.screen().gl()).ok();
    }

    /// Restarts the governor, also after the driver has refused a level.
    #[cfg(test)]
    pub fn govern_anew(&mut self) {
        self.quality = QualityControl::new(self.quality.wanted.clone(), self.screen().device().software);
    }

    /// The frame's picture without text.
    ///
    /// # Errors
    /// If the driver refuses a target.
    pub fn capture(&mut self, frame: &RenderScene) -> Result<Capture, AppError> {
        self.captures = self.captures.wrapping_add(1);
        Ok(self.renderer.capture(frame, View::Final, false)?)
    }

    /// The frame's picture without text, `times` as wide and high and as fine as a still one, through a lens of the
    /// diameter `aperture_m` (m), focused at `focus_m` (m) or on the middle of the picture; a diameter of 0 is no lens.
    ///
    /// # Errors
    /// If the driver refuses a target. If it refuses to go back to the old ones, the picture stays large until the next
    /// change.
    pub fn photograph(
        &mut self,
        frame: &RenderScene,
        (aperture_m, focus_m): (f32, Option<f32>),
        times: u32,
    ) -> Result<Capture, AppError> {
        self.captures = self.captures.wrapping_add(1);
        let (size, before) = (self.size, self.renderer.settings().1.clone());
        let render = self.at_rest().unwrap_or_else(|| before.clone());
        let large = Some((size.0 * times, size.1 * times));
        self.renderer.apply(&RenderChange { output: large, render: Some(&render), ..RenderChange::default() })?;
        let taken = match aperture_m > 0.0 {
            true => self.renderer.photograph(frame, (aperture_m, focus_m), false, &mut |_| {}),
            false => self.renderer.capture(frame, View::Final, false),
        };
        self.renderer.apply(&RenderChange { output: Some(size), render: Some(&before), ..RenderChange::default() })?;
        Ok(taken?)
    }
}
