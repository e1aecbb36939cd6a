//! The demo in a web page: interface between the browser and [`demo`].
//!
//! The page's own script fetches the program and its assets and has its own controls; it calls the functions in
//! [`exports`] and receives the messages of [`message`]. Everything else works as in the window: keys and fingers come
//! as [`Input`](demo::input::Input), and a canvas is the [`Screen`](shell::screen::Screen).

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
