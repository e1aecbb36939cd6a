//! MilkShape 3D files: bytes to data ([`read`]) and back ([`write`]), and what is wrong with them ([`validate`]).
//!
//! [`raw`] mirrors the file record for record, in the file's own words (group, smoothing group, joint). Nothing here
//! knows GL, a maths crate, the clock or a path.

pub mod raw;
