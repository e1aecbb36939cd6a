//! Frame times that another person can repeat, compare and believe.
//!
//! A [`Subject`] is warmed up, measured frame by frame and started anew for each run ([`run`]); frame times become
//! [`stats`], runs a [`report`] with what may spoil it ([`warning`]), a report [`files`] and a [`table`] for people.
//! This is the only room besides `app` that reads a clock.

pub mod compare;
mod error;
pub mod files;
mod hash;
pub mod host;
mod inference;
pub mod pacing;
pub mod report;
pub mod run;
mod scene_hash;
mod scene_subject;
pub mod schema;
pub mod stats;
pub mod table;
pub mod warning;

pub use error::BenchError;
pub use run::{End, Measured, Plan, Subject, measure};
pub use scene_subject::{Request, Scene, record};
