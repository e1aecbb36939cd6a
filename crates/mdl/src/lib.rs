//! GoldSrc studio models: `.mdl` files of version 10, from bytes to data.
//!
//! A model is one file or several: its textures may lie in `NAMEt.mdl`, and each further group of sequences in
//! `NAME01.mdl` to `NAME15.mdl`, all beside it, whatever the case of their letters. [`read()`] asks for those by
//! [`Companion`]; this crate opens no file, and uses no graphics API, no maths crate and no clock.
//!
//! [`Document`] keeps the file's numbers, axes (x forward, y left, z up) and units. Damage to the model as such is an
//! error with its place; a sequence or a texture that cannot be used is left out with a [`Warning`].
//!
//! # The format
//!
//! Little-endian; offsets count from the beginning of the file. The facts are those of Valve's `engine/studio.h` and
//! `utils/studiomdl` (ValveSoftware/halflife), which wrote and read these files.
//!
//! | bytes | what |
//! |---|---|
//! | 0 | `IDST`, or `IDSQ` in the file of a sequence group |
//! | 4 | version, 10 |
//! | 8 | name, 64 bytes |
//! | 72 | length of the file; a few files are some bytes longer |
//! | 76 to 136 | eye, hull box, view box: five vectors, then flags |
//! | 140 | number and offset of bones, controllers, hit boxes, sequences and sequence groups, each a pair of integers |
//! | 180 | textures: number, offset of the records, offset of the pixels |
//! | 192 | skins: slots a family, families, offset of the table of 16-bit texture numbers |
//! | 204 | number and offset of body parts and of attachments |
//!
//! A vertex and a normal lie in the space of one bone each, so that a pose alone places them. A bone's pose is three
//! positions and three angles: the bone's own values, to which each frame of a sequence adds a 16-bit number times the
//! bone's scale. Angles are radians, applied about x first, then y, then z. Triangles come as strips and fans, front
//! faces clockwise; texture coordinates count texels from the top left corner.
//!
//! ```
//! use mdl::{Limits, read};
//!
//! let error = read(b"not a model", &Limits::default(), &mut |_| Err("there is none".into())).expect_err("no header");
//! assert!(!error.to_string().is_empty());
//! ```

mod bytes;
mod companion;
mod document;
mod error;
mod header;
mod limits;
mod read;
mod read_bodies;
mod read_sequences;
mod read_textures;

pub use companion::Companion;
pub use document::{
    Attachment, BlendAxis, BodyPart, Bone, Channel, Controller, Corner, Document, Event, HitBox, Mesh, Model, Sequence,
    SequenceGroup, Skins, Texture, Track, bone_controller, motion, texture_flags,
};
pub use error::{Part, Place, ReadError, Warning};
pub use header::VERSION;
pub use limits::Limits;
pub use read::read;
