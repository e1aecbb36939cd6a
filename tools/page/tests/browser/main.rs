//! The built page in headless Chromium: pressed, dropped on, typed into, resized, and held against the desktop's pictures.
//!
//! `make test-web` builds the page and runs these.

mod chromium;
mod failures;
mod pictures;
mod site;
mod use_of_it;
