//! Changes of what is drawn and how: prepared beside the objects in use, then swapped in.

use std::rc::Rc;

use gl::{Pending, debug};
use view::{SceneFeatures, StaticScene};

use super::{Passes, Renderer};
use crate::plan::FramePlan;
use crate::setup::{Setup, check};
use crate::shaders::ShaderSource;
use crate::static_scene::GpuStaticScene;
use crate::{PostSettings, RenderError, RenderSettings, Stereo};

/// A change of what is drawn and how; fields that are `None` stay as they are.
#[derive(Clone, Default)]
pub struct RenderChange<'a> {
    /// Models, seabed and props. To be given too where a change of [`RenderSettings::quality`] shall reach the
    /// textures: without it they stay as they were uploaded.
    pub static_scene: Option<&'a StaticScene>,
    /// Features of the scene: [`SceneFeatures::of`] any of its moments.
    pub features: Option<SceneFeatures>,
    /// Picture.
    pub post: Option<&'a PostSettings>,
    /// Quality.
    pub render: Option<&'a RenderSettings>,
    /// Width and height of the output in pixels; a size with a zero is ignored.
    pub output: Option<(u32, u32)>,
    /// Layout of two eyes' pictures in the output.
    pub stereo: Option<Stereo>,
    /// Whether pictures are pieces of a larger one: nothing that spreads over the screen, such as bloom and
    /// screen-space reflections, is drawn, for it would end at seams, and radiance has the output's size.
    pub pieces: Option<bool>,
    /// Shaders.
    pub shaders: Option<ShaderSource>,
}

/// All objects of a change, made and ready to be used by [`Renderer::commit`].
pub struct Prepared {
    setup: Setup,
    /// New passes; `None` if those in use will do.
    passes: Option<Passes>,
}

/// Programs of a coming change that the driver was asked for.
pub struct PendingChange(Vec<Rc<dyn Pending>>);

impl PendingChange {
    /// Whether the driver has answered for them all, so that nothing waits for it any more.
    pub fn is_answered(&self) -> bool {
        self.0.iter().all(|asked| asked.is_answered())
    }
}

impl Renderer {
    /// Asks the driver for the programs of a later change, without waiting.
    ///
    /// # Errors
    /// If it refuses an object at once.
    pub fn ask_ahead(&self, change: &RenderChange<'_>) -> Result<PendingChange, RenderError> {
        let setup = self.changed_setup(change)?;
        let asked =
            setup.ask(&self.gl, &self.cache, |make| Passes::new(make, setup.stereo, &setup.static_scene).map(drop));
        // Targets are made once they are drawn into.
        self.cache.forget_unused_memory();
        Ok(PendingChange(asked?.1))
    }

    /// Makes the objects of `change`: uploads, compiles, allocates. Those in use are not touched, even on failure, and
    /// are used again where they are the same: a resize compiles nothing, a changed setting uploads nothing.
    ///
    /// To change a scene as one transaction, make all else that can fail (the world, its first moment), prepare, and
    /// when all is there commit and draw the new scene from then on. Where nothing else can fail, [`Self::apply`] does
    /// both.
    ///
    /// # Errors
    /// If a shader fails or the driver refuses an object.
    pub fn prepare(&self, change: &RenderChange<'_>) -> Result<Prepared, RenderError> {
        let prepared = self.prepare_whole(change);
        if prepared.is_err() {
            self.cache.forget_unused();
        }
        prepared
    }

    /// The setup after a change.
    fn changed_setup(&self, change: &RenderChange<'_>) -> Result<Setup, RenderError> {
        let mut setup = self.setup.clone();
        if let Some(post) = change.post {
            setup.post = post.clone();
        }
        if let Some(render) = change.render {
            setup.render = render.clone();
        }
        if let Some(features) = change.features {
            setup.features = features;
        }
        if let Some(source) = &change.shaders {
            (setup.source, setup.known_programs) = (source.clone(), Rc::default());
        }
        if let Some(output) = change.output.filter(|(width, height)| *width > 0 && *height > 0) {
            setup.output = output;
        }
        setup.stereo = change.stereo.unwrap_or(setup.stereo);
        setup.pieces = change.pieces.unwrap_or(setup.pieces);
        setup.plan = FramePlan::new(&setup.plan_inputs());
        if let Some(scene) = change.static_scene {
            setup.static_scene = Rc::new(GpuStaticScene::new(&self.gl, scene, &setup.plan.detail)?);
        }
        Ok(setup)
    }

    fn prepare_whole(&self, change: &RenderChange<'_>) -> Result<Prepared, RenderError> {
        if self.asked.borrow().is_empty() {
            // A frame may have run out of memory in an upload that is not checked.
            debug::set_aside(&self.gl);
        }
        let setup = self.changed_setup(change)?;
        let is_other = (setup.plan, setup.stereo) != (self.setup.plan, self.setup.stereo)
            || change.static_scene.is_some()
            || change.shaders.is_some();
        let ask = || setup.ask(&self.gl, &self.cache, |make| Passes::new(make, setup.stereo, &setup.static_scene));
        let (passes, asked) = is_other.then(ask).transpose()?.unzip();
        // Together with the objects that `new` has asked for.
        let mut all = asked.unwrap_or_default();
        all.extend_from_slice(&self.asked.borrow());
        check(&self.gl, &all)?;
        self.asked.borrow_mut().clear();
        Ok(Prepared { setup, passes })
    }

    /// Draws with a prepared change from now on. Of several the last one counts: each was made from the setup in use
    /// then.
    pub fn commit(&mut self, prepared: Prepared) {
        let Prepared { setup, passes } = prepared;
        let keeps_content =
            Rc::ptr_eq(&setup.static_scene, &self.setup.static_scene) && setup.source == self.setup.source;
        self.setup = setup;
        // A change is seen at once.
        self.eased = None;
        if let Some(passes) = passes {
            self.passes = passes;
        }
        self.setup.missed.forget();
        self.cache.forget_unused_memory();
        // Settings are often switched back and need their programs again; another scene or other shaders seldom are.
        if !keeps_content {
            self.cache.forget_unused();
        }
    }

    /// Prepares and commits.
    ///
    /// # Errors
    /// As for [`Self::prepare`]; all stays as it was.
    pub fn apply(&mut self, change: &RenderChange<'_>) -> Result<(), RenderError> {
        let prepared = self.prepare(change)?;
        self.commit(prepared);
        Ok(())
    }

    /// Uploads models, seabed and props of a scene that has `features`, replacing what was there.
    ///
    /// # Errors
    /// As for [`Self::apply`].
    pub fn load(&mut self, scene: &StaticScene, features: SceneFeatures) -> Result<(), RenderError> {
        self.apply(&RenderChange { static_scene: Some(scene), features: Some(features), ..Default::default() })
    }

    /// Changes picture and quality.
    ///
    /// # Errors
    /// As for [`Self::apply`].
    pub fn set(&mut self, post: &PostSettings, render: &RenderSettings) -> Result<(), RenderError> {
        self.apply(&RenderChange { post: Some(post), render: Some(render), ..Default::default() })
    }

    /// Follows the output's size; a size with a zero is ignored.
    ///
    /// # Errors
    /// As for [`Self::apply`].
    pub fn resize(&mut self, output: (u32, u32)) -> Result<(), RenderError> {
        self.apply(&RenderChange { output: Some(output), ..Default::default() })
    }

    /// Sets the layout of the pictures of two eyes, or shows one eye's.
    ///
    /// # Errors
    /// As for [`Self::apply`].
    pub fn set_stereo(&mut self, stereo: Stereo) -> Result<(), RenderError> {
        self.apply(&RenderChange { stereo: Some(stereo), ..Default::default() })
    }

    /// Compiles these shaders and draws with them.
    ///
    /// # Errors
    /// As for [`Self::apply`].
    pub fn use_shaders(&mut self, shaders: ShaderSource) -> Result<(), RenderError> {
        self.apply(&RenderChange { shaders: Some(shaders), ..Default::default() })
    }
}
