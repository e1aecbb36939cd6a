//! Tests of the built page in headless Chromium: clicks, drops, typing, resizing, and comparison with the desktop's
//! pictures.
//!
//! `make test-web` builds the page and runs these.

mod chromium;
mod failures;
mod headset;
mod pictures;
mod site;
mod use_of_it;
