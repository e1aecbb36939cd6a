//! Benchmarks: frame times that another person can repeat, compare and believe. Times are in milliseconds unless a name
//! says otherwise (`_s`, `_fps`, `_pct`).
//!
//! A [`Subject`] is warmed up, measured frame by frame and started anew for each run ([`run`]); frame times become
//! [`stats`], runs a [`report`] with what may spoil it ([`warning`]), a report [`files`] and a [`table`] for people.
//! [`passes`] finds what each effect costs by leaving it out, [`ladder`] what fish cost. [`live`] records what a person
//! sees.
//!
//! ```
//! let metrics = bench::stats::Metrics::of(&[10.0, 10.0, 30.0, 10.0], &mut Vec::new());
//! assert_eq!(metrics.median_ms, Some(10.0));
//! assert_eq!(metrics.max_ms, Some(30.0));
//! ```
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests write files"))]

mod card;
mod command;
pub mod compare;
mod csv;
mod error;
mod figure;
pub mod files;
pub mod foreign;
pub mod header;
pub mod host;
pub mod html;
mod inference;
pub mod ladder;
pub mod live;
pub mod live_ladder;
pub mod pacing;
pub mod passes;
pub mod picture;
pub mod report;
pub mod run;
pub mod scene_hash;
mod scene_subject;
pub mod schema;
pub mod sensors;
pub mod stats;
pub mod table;
pub mod warning;
mod words;

pub use error::BenchError;
pub use pacing::FrameEnd;
pub use run::{End, Measured, Plan, Subject, Unmeasured, measure};
pub use scene_subject::{
    BenchRequest, BenchScene, BenchWindow, Recorded, empty_report, record, record_ladder, record_pair, record_passes,
};
