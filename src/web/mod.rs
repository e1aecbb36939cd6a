//! The scene in a page: what stands between the browser and [`demo`].
//!
//! The page's own script fetches the program and its assets and has controls of its own; what it can ask for is in
//! [`exports`], and what it is told are messages of [`message`]. Everything else is here as in the window: keys and fingers
//! come as [`Input`](demo::input::Input), and a canvas is the [`Screen`](shell::screen::Screen).

#[cfg(target_arch = "wasm32")]
mod canvas;
#[cfg(target_arch = "wasm32")]
mod context;
mod drops;
#[cfg(target_arch = "wasm32")]
mod events;
#[cfg(target_arch = "wasm32")]
mod exports;
mod fingers;
mod link;
#[cfg(target_arch = "wasm32")]
mod message;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(target_arch = "wasm32")]
mod still;
