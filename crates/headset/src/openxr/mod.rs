//! OpenXR as a headset's runtime.
#![allow(unsafe_code, reason = "the loader and sessions are the system's, sound as the notes say")]

use std::num::NonZeroU32;

use glam::{Quat, Vec3};
use openxr as xr;
use platform::context::NativeContext;

use crate::{Acquired, Drawn, Due, EYE_HEIGHT_M, Hand, HeadsetEye, Runtime, RuntimeError, SessionEvent};
use actions::Actions;

mod actions;
mod binding;

/// Formats of textures by OpenGL's numbers, the best first: pictures are stored as sRGB.
const SRGB8_ALPHA8: u32 = 0x8c43;
const RGBA8: u32 = 0x8058;
const DEPTH_32F: u32 = 0x8cac;
const DEPTH_24: u32 = 0x81a6;
const DEPTH_16: u32 = 0x81a5;

/// Misfit of a runtime without `XR_KHR_opengl_enable`.
const NO_OPENGL: &str = "it does not know OpenGL";

const VIEWS: xr::ViewConfigurationType = xr::ViewConfigurationType::PRIMARY_STEREO;

/// A session by OpenXR.
struct OpenXr {
    name: String,
    eye_extent: (u32, u32),
    // Dropped in this order: what belongs to the session goes before it.
    color: Textures,
    /// Textures of depth, if the runtime takes it.
    depth: Option<Textures>,
    actions: Actions,
    room: xr::Space,
    stream: xr::FrameStream<xr::OpenGL>,
    waiter: xr::FrameWaiter,
    session: xr::Session<xr::OpenGL>,
    instance: xr::Instance,
    blend: xr::EnvironmentBlendMode,
    events: Box<xr::EventDataBuffer>,
}

/// Loads OpenXR: its entry points, and the extensions of the runtime that answers.
fn load() -> Result<(xr::Entry, xr::ExtensionSet), RuntimeError> {
    // SAFETY: loads the system's own OpenXR loader, whose entry points are as the specification says.
    let entry = unsafe { xr::Entry::load(&()) }.map_err(|error| RuntimeError::NoLoader { why: error.to_string() })?;
    let offered = entry.enumerate_extensions().map_err(no_runtime)?;
    Ok((entry, offered))
}

fn no_runtime(why: xr::sys::Result) -> RuntimeError {
    RuntimeError::NoRuntime { why: reason(why) }
}

/// Says whether there is a runtime for [`connect`]. It is not started: that might open windows of its own.
///
/// # Errors
/// If there is no loader, no runtime, or none that takes OpenGL.
pub fn found() -> Result<&'static str, RuntimeError> {
    let (_, offered) = load()?;
    match (offered.khr_opengl_enable, offered.mndx_egl_enable) {
        (true, true) => Ok("a runtime answers, and takes OpenGL, also by EGL"),
        (true, false) => Ok("a runtime answers, and takes OpenGL"),
        (false, _) => Err(RuntimeError::Unfit { runtime: "the runtime that answers".into(), why: NO_OPENGL.into() }),
    }
}

/// Finds a runtime with a headset and opens a session that takes pictures of `context`.
///
/// # Safety
/// The context must be current on this thread, and alive as long as the result.
///
/// # Errors
/// If there is no runtime or no headset, or it does not take pictures of such a context.
pub unsafe fn connect(context: &NativeContext) -> Result<Box<dyn Runtime>, RuntimeError> {
    let (entry, offered) = load()?;
    let mut wanted = xr::ExtensionSet::default();
    (wanted.khr_opengl_enable, wanted.mndx_egl_enable) = (offered.khr_opengl_enable, offered.mndx_egl_enable);
    wanted.khr_composition_layer_depth = offered.khr_composition_layer_depth;
    let program = xr::ApplicationInfo {
        application_name: "Pelagic",
        engine_name: "Pelagic",
        api_version: xr::Version::new(1, 0, 0),
        ..xr::ApplicationInfo::default()
    };
    let instance = entry.create_instance(&program, &wanted, &[], &()).map_err(no_runtime)?;
    let properties = instance.properties().map_err(no_runtime)?;
    let runtime = format!("{} {}", properties.runtime_name, properties.runtime_version);
    let no_headset = |why: xr::sys::Result| RuntimeError::NoHeadset { runtime: runtime.clone(), why: reason(why) };
    let system = instance.system(xr::FormFactor::HEAD_MOUNTED_DISPLAY).map_err(no_headset)?;
    let headset = instance.system_properties(system).map_err(no_headset)?;
    let unfit = |why: String| RuntimeError::Unfit { runtime: runtime.clone(), why };
    if !offered.khr_opengl_enable {
        return Err(unfit(NO_OPENGL.into()));
    }
    let refused = |what: &str| {
        let what = what.to_owned();
        let unfit = &unfit;
        move |why: xr::sys::Result| unfit(format!("{what}: {}", reason(why)))
    };
    // Runtimes refuse a session whose requirements nobody has asked for.
    let needs = instance.graphics_requirements::<xr::OpenGL>(system).map_err(refused("its requirements"))?;
    log::debug!("headset: OpenGL {} to {}", needs.min_api_version_supported, needs.max_api_version_supported);
    // SAFETY: the caller's promise.
    let (session, waiter, stream) = unsafe { binding::open(&instance, system, context) }.map_err(&unfit)?;
    let eye_extent = eye_extent(&instance, system, &headset).map_err(refused("its views"))?;
    let formats = session.enumerate_swapchain_formats().map_err(refused("its formats"))?;
    let format = [SRGB8_ALPHA8, RGBA8].into_iter().find(|format| formats.contains(format));
    let format = format.ok_or_else(|| unfit("it takes no textures of 8 bits a channel".into()))?;
    if format != SRGB8_ALPHA8 {
        log::warn!("{runtime} has no textures of sRGB: colours may be too pale");
    }
    let color = Textures::new(&session, format, eye_extent).map_err(refused("its textures"))?;
    let depth_format = [DEPTH_32F, DEPTH_24, DEPTH_16].into_iter().find(|format| formats.contains(format));
    let depth = depth_format.filter(|_| offered.khr_composition_layer_depth).and_then(|format| {
        let made = Textures::new(&session, format, eye_extent);
        made.inspect_err(|why| log::warn!("{runtime} gets no depth: {}", reason(*why))).ok()
    });
    let spaces = session.enumerate_reference_spaces().map_err(refused("its spaces"))?;
    let room = if spaces.contains(&xr::ReferenceSpaceType::STAGE) {
        session.create_reference_space(xr::ReferenceSpaceType::STAGE, xr::Posef::IDENTITY)
    } else {
        // Its origin is where the head began, and the floor is assumed below that.
        let floor = xr::Vector3f { x: 0.0, y: -EYE_HEIGHT_M, z: 0.0 };
        let floor = xr::Posef { position: floor, ..xr::Posef::IDENTITY };
        session.create_reference_space(xr::ReferenceSpaceType::LOCAL, floor)
    };
    let room = room.map_err(refused("its room"))?;
    let blends = instance.enumerate_environment_blend_modes(system, VIEWS).map_err(refused("its views"))?;
    let opaque = blends.iter().find(|blend| **blend == xr::EnvironmentBlendMode::OPAQUE);
    let blend = *opaque.or(blends.first()).unwrap_or(&xr::EnvironmentBlendMode::OPAQUE);
    let actions = Actions::new(&instance, &session).map_err(refused("its hands"))?;
    let name = format!("{}, {runtime}", headset.system_name);
    let with_depth = if depth.is_some() { ", with depth" } else { "" };
    log::info!("headset: {name}, {} x {} pixels for each eye{with_depth}", eye_extent.0, eye_extent.1);
    Ok(Box::new(OpenXr {
        name,
        eye_extent,
        color,
        depth,
        actions,
        room,
        stream,
        waiter,
        session,
        instance,
        blend,
        events: Box::default(),
    }))
}

/// A swapchain: textures of the runtime that are drawn into in turn.
struct Textures {
    names: Vec<NonZeroU32>,
    swapchain: xr::Swapchain<xr::OpenGL>,
}

impl Textures {
    /// Textures of an OpenGL format in which the pictures of two eyes stand side by side.
    fn new(session: &xr::Session<xr::OpenGL>, format: u32, (width, height): (u32, u32)) -> xr::Result<Self> {
        let drawn_to = match format {
            DEPTH_32F | DEPTH_24 | DEPTH_16 => xr::SwapchainUsageFlags::DEPTH_STENCIL_ATTACHMENT,
            // Read for the mirror in the window.
            _ => xr::SwapchainUsageFlags::COLOR_ATTACHMENT | xr::SwapchainUsageFlags::TRANSFER_SRC,
        };
        let swapchain = session.create_swapchain(&xr::SwapchainCreateInfo {
            create_flags: xr::SwapchainCreateFlags::EMPTY,
            usage_flags: drawn_to,
            format,
            sample_count: 1,
            width: 2 * width,
            height,
            face_count: 1,
            array_size: 1,
            mip_count: 1,
        })?;
        let names = swapchain.enumerate_images()?.into_iter().map(NonZeroU32::new).collect::<Option<_>>();
        Ok(Self { names: names.ok_or(xr::sys::Result::ERROR_RUNTIME_FAILURE)?, swapchain })
    }

    /// Number of the texture to draw into next.
    fn acquire(&mut self) -> xr::Result<usize> {
        let number = self.swapchain.acquire_image()?;
        self.swapchain.wait_image(xr::Duration::INFINITE)?;
        Ok(number as usize)
    }

    /// The half of them that is an eye's, of that number and extent.
    fn half(&self, number: i32, (width, height): (i32, i32)) -> xr::SwapchainSubImage<'_, xr::OpenGL> {
        let (offset, extent) = (xr::Offset2Di { x: number * width, y: 0 }, xr::Extent2Di { width, height });
        xr::SwapchainSubImage::new().swapchain(&self.swapchain).image_rect(xr::Rect2Di { offset, extent })
    }
}

/// Size of an eye's picture that the runtime recommends, as far as two of them fit side by side into a texture.
fn eye_extent(instance: &xr::Instance, system: xr::SystemId, headset: &xr::SystemProperties) -> xr::Result<(u32, u32)> {
    let views = instance.enumerate_view_configuration_views(system, VIEWS)?;
    let largest = |side: fn(&xr::ViewConfigurationView) -> u32| views.iter().map(side).max().unwrap_or(1).max(1);
    let (width, height) =
        (largest(|view| view.recommended_image_rect_width), largest(|view| view.recommended_image_rect_height));
    let limits = &headset.graphics_properties;
    let limit = |most: u32| if most == 0 { u32::MAX } else { most };
    let most = (limit(limits.max_swapchain_image_width) / 2, limit(limits.max_swapchain_image_height));
    Ok((width.min(most.0.max(1)), height.min(most.1.max(1))))
}

/// First sentence of what a result means.
fn reason(result: xr::sys::Result) -> String {
    let text = result.to_string();
    text.split_once(". ").map_or(text.clone(), |(first, _)| first.to_owned())
}

/// Error of a call that was to do `action`.
fn failed(action: &'static str) -> impl Fn(xr::sys::Result) -> RuntimeError {
    move |why| RuntimeError::Failed { action, why: reason(why) }
}

fn place(position: xr::Vector3f) -> Vec3 {
    Vec3::new(position.x, position.y, position.z)
}

fn rotation(orientation: xr::Quaternionf) -> Quat {
    Quat::from_xyzw(orientation.x, orientation.y, orientation.z, orientation.w).normalize()
}

fn pose(eye: &HeadsetEye) -> xr::Posef {
    let ([x, y, z], orientation) = (eye.place.to_array(), eye.orientation);
    xr::Posef {
        position: xr::Vector3f { x, y, z },
        orientation: xr::Quaternionf { x: orientation.x, y: orientation.y, z: orientation.z, w: orientation.w },
    }
}

impl Runtime for OpenXr {
    fn name(&self) -> &str {
        &self.name
    }

    fn eye_extent(&self) -> (u32, u32) {
        self.eye_extent
    }

    fn textures(&self) -> &[NonZeroU32] {
        &self.color.names
    }

    fn depth_textures(&self) -> &[NonZeroU32] {
        self.depth.as_ref().map_or(&[], |depth| &depth.names)
    }

    fn poll(&mut self) -> Result<Option<SessionEvent>, RuntimeError> {
        while let Some(event) = self.instance.poll_event(&mut self.events).map_err(failed("tell its state"))? {
            match event {
                xr::Event::SessionStateChanged(change) => match change.state() {
                    xr::SessionState::READY => return Ok(Some(SessionEvent::Ready)),
                    xr::SessionState::STOPPING => return Ok(Some(SessionEvent::Stopping)),
                    xr::SessionState::EXITING => return Ok(Some(SessionEvent::Over)),
                    xr::SessionState::LOSS_PENDING => {
                        return Err(failed("keep the session")(xr::sys::Result::ERROR_SESSION_LOST));
                    }
                    _ => {}
                },
                xr::Event::InstanceLossPending(_) => {
                    return Err(failed("stay")(xr::sys::Result::ERROR_INSTANCE_LOST));
                }
                _ => {}
            }
        }
        Ok(None)
    }

    fn begin_session(&mut self) -> Result<(), RuntimeError> {
        self.session.begin(VIEWS).map(|_| ()).map_err(failed("begin the session"))
    }

    fn end_session(&mut self) -> Result<(), RuntimeError> {
        self.session.end().map(|_| ()).map_err(failed("end the session"))
    }

    fn wait_frame(&mut self) -> Result<Due, RuntimeError> {
        let state = self.waiter.wait().map_err(failed("wait for a frame"))?;
        Ok(Due {
            at_ns: state.predicted_display_time.as_nanos(),
            period_s: state.predicted_display_period.as_nanos() as f64 * 1e-9,
            is_seen: state.should_render,
        })
    }

    fn begin_frame(&mut self) -> Result<(), RuntimeError> {
        self.stream.begin().map_err(failed("begin a frame"))
    }

    fn eyes(&mut self, due: &Due) -> Result<Option<[HeadsetEye; 2]>, RuntimeError> {
        let at = xr::Time::from_nanos(due.at_ns);
        let located = self.session.locate_views(VIEWS, at, &self.room);
        let (flags, views) = located.map_err(failed("find the head"))?;
        let known = xr::ViewStateFlags::ORIENTATION_VALID | xr::ViewStateFlags::POSITION_VALID;
        let eye = |view: &xr::View| HeadsetEye {
            place: place(view.pose.position),
            orientation: rotation(view.pose.orientation),
            across: [view.fov.angle_left.tan(), view.fov.angle_right.tan()],
            upright: [view.fov.angle_down.tan(), view.fov.angle_up.tan()],
            part: None,
        };
        Ok(match &views[..] {
            [left, right] if flags.contains(known) => {
                Some([eye(left), eye(right)]).filter(|eyes| eyes.iter().all(HeadsetEye::is_whole))
            }
            _ => None,
        })
    }

    fn hands(&mut self, due: &Due) -> Result<[Option<Hand>; 2], RuntimeError> {
        let at = xr::Time::from_nanos(due.at_ns);
        self.actions.hands(&self.session, &self.room, at).map_err(failed("find the hands"))
    }

    fn acquire(&mut self) -> Result<Acquired, RuntimeError> {
        let color = self.color.acquire().map_err(failed("give a texture"))?;
        let depth =
            self.depth.as_mut().map(Textures::acquire).transpose().map_err(failed("give a texture of depth"))?;
        Ok(Acquired { color, depth })
    }

    fn release(&mut self) -> Result<(), RuntimeError> {
        let all = std::iter::once(&mut self.color).chain(&mut self.depth);
        let mut released = all.map(|textures| textures.swapchain.release_image());
        released.try_for_each(|released| released).map_err(failed("take a texture"))
    }

    fn end_frame(&mut self, due: &Due, drawn: Option<&Drawn>) -> Result<(), RuntimeError> {
        let (at, blend) = (xr::Time::from_nanos(due.at_ns), self.blend);
        let Some(Drawn { eyes, depth_m }) = drawn else {
            return self.stream.end(at, blend, &[]).map_err(failed("end a frame"));
        };
        let extent = (self.eye_extent.0 as i32, self.eye_extent.1 as i32);
        let depth_of = |number: i32| {
            let (depth, [near_m, far_m]) = self.depth.as_ref().zip(*depth_m)?;
            Some(xr::sys::CompositionLayerDepthInfoKHR {
                ty: xr::sys::CompositionLayerDepthInfoKHR::TYPE,
                next: std::ptr::null(),
                sub_image: depth.half(number, extent).into_raw(),
                min_depth: 0.0,
                max_depth: 1.0,
                near_z: near_m,
                far_z: far_m,
            })
        };
        let depths = [depth_of(0), depth_of(1)];
        let view = |number: usize| {
            let eye = &eyes[number];
            let ([left, right], [down, up]) = (eye.across, eye.upright);
            let fov = xr::Fovf {
                angle_left: left.atan(),
                angle_right: right.atan(),
                angle_down: down.atan(),
                angle_up: up.atan(),
            };
            let part = self.color.half(number as i32, extent);
            let mut raw = xr::CompositionLayerProjectionView::new().pose(pose(eye)).fov(fov).sub_image(part).into_raw();
            if let Some(depth) = &depths[number] {
                raw.next = std::ptr::from_ref(depth).cast();
            }
            // SAFETY: made above, and what it points to lives until the frame has ended.
            unsafe { xr::CompositionLayerProjectionView::<xr::OpenGL>::from_raw(raw) }
        };
        let views = [view(0), view(1)];
        let layer = xr::CompositionLayerProjection::new().space(&self.room).views(&views);
        self.stream.end(at, blend, &[&layer]).map_err(failed("show a frame"))
    }
}
