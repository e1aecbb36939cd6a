//! Contents of a model: bones, sequences, textures and body parts.

use super::Warning;

/// Flags of a texture.
pub mod texture_flags {
    /// Flat shading, one normal a triangle; the compiler writes it, viewers ignore it.
    pub const FLAT: i32 = 1;
    /// Mirrors its surroundings: texture coordinates come from the normal.
    pub const CHROME: i32 = 2;
    /// Shines by itself, whatever the light.
    pub const FULLBRIGHT: i32 = 4;
    /// No mipmaps.
    pub const NO_MIPS: i32 = 8;
    /// Its colours are added to what lies behind.
    pub const ADDITIVE: i32 = 0x20;
    /// Colour 255 is clear.
    pub const MASKED: i32 = 0x40;
    /// All known flags.
    pub const KNOWN: i32 = FLAT | CHROME | FULLBRIGHT | NO_MIPS | 0x10 | ADDITIVE | MASKED;
}

/// Bits of [`Controller::kind`]: the channel that it turns or moves.
pub mod bone_controller {
    /// Translation along x, y, z, then rotation about x, y, z.
    pub const CHANNELS: [i32; 6] = [1, 2, 4, 8, 16, 32];
    /// The channel wraps round: its end is its beginning.
    pub const LOOPS: i32 = 0x8000;
}

/// Bits of [`Sequence::motion_kind`].
pub mod motion {
    /// The motion bone's position along x, y, z counts as 0: the program's movement of the model replaces it.
    pub const STAYS: [i32; 3] = [1, 2, 4];
}

/// A model with all its files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Name in the header: the path that it was compiled to.
    pub name: String,
    /// Position of the eyes.
    pub eye: [f32; 3],
    /// Corners of the box in which it moves.
    pub hull: [[f32; 3]; 2],
    /// Corners of the box in which it is seen; zeros: the bounds of the sequences apply.
    pub view_box: [[f32; 3]; 2],
    /// The engine's flags: trails of smoke, rotation and the like.
    pub flags: i32,
    /// Bones, every parent before its children.
    pub bones: Vec<Bone>,
    /// Controls by which the program turns bones: heads, turrets, mouths.
    pub controllers: Vec<Controller>,
    /// Hit boxes for shots.
    pub hit_boxes: Vec<HitBox>,
    /// Sequences that could be read.
    pub sequences: Vec<Sequence>,
    /// Files of sequences; the first is the model's own.
    pub groups: Vec<SequenceGroup>,
    /// Textures, from the model's file or from its texture file.
    pub textures: Vec<Texture>,
    /// Table of skins: the textures that the meshes use.
    pub skins: Skins,
    /// Parts, each of which shows one of its models.
    pub body_parts: Vec<BodyPart>,
    /// Places that carry something.
    pub attachments: Vec<Attachment>,
    /// Bytes of all files together.
    pub bytes: usize,
    /// Warnings about oddities and parts left out.
    pub warnings: Vec<Warning>,
}

/// A joint of the skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// Name; often empty, and not always unique.
    pub name: String,
    /// Parent's index, less than its own.
    pub parent: Option<usize>,
    /// Flags; bits 30 and 31 belong to an extension.
    pub flags: i32,
    /// The controller of each channel.
    pub controllers: [Option<usize>; 6],
    /// Pose at rest: x, y, z in file units; angles about x, y, z in radians.
    pub value: [f32; 6],
    /// Change of each channel per step of a frame's number.
    pub scale: [f32; 6],
}

/// A control by which the program turns or moves a bone.
#[derive(Clone, Debug, PartialEq)]
pub struct Controller {
    /// The bone.
    pub bone: usize,
    /// Its channel, as a bit of [`bone_controller`].
    pub kind: i32,
    /// Value at one end: degrees, or file units.
    pub start: f32,
    /// Value at the other.
    pub end: f32,
    /// Position at rest.
    pub rest: i32,
    /// Input of the program that drives it: 0 to 3, 4 the mouth.
    pub input: i32,
}

/// A box round a bone.
#[derive(Clone, Debug, PartialEq)]
pub struct HitBox {
    /// The bone.
    pub bone: usize,
    /// Part of the body: head, chest and so on.
    pub group: i32,
    /// Least and greatest corner, in the bone's space.
    pub corners: [[f32; 3]; 2],
}

/// A motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    /// Name; not always unique.
    pub name: String,
    /// Frames a second.
    pub fps: f32,
    /// Whether it loops. The last frame then repeats the first.
    pub loops: bool,
    /// Activity (the engine's number), and how often it is chosen.
    pub activity: [i32; 2],
    /// Events during the sequence.
    pub events: Vec<Event>,
    /// Number of frames, at least 1; frame f is shown at f / fps seconds.
    pub frames: usize,
    /// Movement taken out of the sequence: bits of [`motion`].
    pub motion_kind: i32,
    /// Bone that the movement was taken from.
    pub motion_bone: usize,
    /// Displacement of the model over the whole sequence.
    pub movement: [f32; 3],
    /// Corners of the box of all frames.
    pub bounds: [[f32; 3]; 2],
    /// Meaning of each of the two axes between blends.
    pub blend_axes: [BlendAxis; 2],
    /// For each blend the tracks of all bones; at least one blend. Two blends lie along the first axis; of four, the
    /// first pair lies along it at one end of the second axis, the other pair at its other end.
    pub blends: Vec<Vec<Track>>,
    /// The file that it is in, an index into [`Document::groups`].
    pub group: usize,
}

/// An axis between blends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BlendAxis {
    /// Channel that it follows, as in [`Controller::kind`]; 0 for none.
    pub kind: i32,
    /// Value at one end.
    pub start: f32,
    /// Value at the other end.
    pub end: f32,
}

/// Motion of a bone in a sequence: x, y, z, then angles about x, y, z.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// The six channels.
    pub channels: [Channel; 6],
}

impl Track {
    /// Whether no channel moves.
    pub fn is_still(&self) -> bool {
        self.channels.iter().all(|channel| channel.0.is_empty())
    }

    /// The bone's pose at a frame: positions in file units, angles in radians. Past the end it is that of the last
    /// frame.
    pub fn pose(&self, bone: &Bone, frame: usize) -> [f32; 6] {
        std::array::from_fn(|i| {
            let steps = self.channels[i].0.get(frame).or(self.channels[i].0.last());
            bone.value[i] + steps.map_or(0.0, |&steps| f32::from(steps) * bone.scale[i])
        })
    }
}

/// Numbers of a channel, one a frame, in the bone's scale; empty if the bone keeps its own value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Channel(pub Vec<i16>);

/// Something that happens in a sequence: a sound, a flash.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Frame at which it happens.
    pub frame: i32,
    /// The program's own number of the event.
    pub event: i32,
    /// Its options, such as the name of a sound.
    pub options: String,
}

/// A file of sequences.
#[derive(Clone, Debug, PartialEq)]
pub struct SequenceGroup {
    /// Label; not always unique.
    pub label: String,
    /// Name of the file when it was compiled.
    pub file: String,
}

/// A picture of up to 256 colours.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// Name, such as `skin.bmp`.
    pub name: String,
    /// Bits of [`texture_flags`].
    pub flags: i32,
    /// Width. Unit: pixels.
    pub width: usize,
    /// Height. Unit: pixels.
    pub height: usize,
    /// The colour of each pixel, top row first; empty if it could not be read.
    pub pixels: Vec<u8>,
    /// 256 colours, red, green, blue; empty if it could not be read.
    pub palette: Vec<[u8; 3]>,
}

/// Table of skins: the texture in each slot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skins {
    /// Slots of a family.
    pub slots: usize,
    /// Texture numbers, `slots` for each family; all of them exist.
    pub textures: Vec<usize>,
}

impl Skins {
    /// Number of families to choose from.
    pub fn families(&self) -> usize {
        self.textures.len().checked_div(self.slots).unwrap_or(0)
    }

    /// The texture of a slot; the first family replaces a missing one.
    pub fn texture(&self, family: usize, slot: usize) -> Option<usize> {
        let family = if family < self.families() { family } else { 0 };
        let index = (slot < self.slots).then_some(family * self.slots + slot)?;
        self.textures.get(index).copied()
    }
}

/// A part of the body, which shows one of several models.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyPart {
    /// Name, such as `heads`.
    pub name: String,
    /// Divisor of the body number that selects this part's model.
    pub base: usize,
    /// The models.
    pub models: Vec<Model>,
}

impl BodyPart {
    /// The model shown for `body`, a number that selects the models of all parts.
    pub fn chosen(&self, body: usize) -> Option<&Model> {
        self.models.get((body / self.base.max(1)).checked_rem(self.models.len())?)
    }
}

/// A model that a body part can show.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Name.
    pub name: String,
    /// Positions, each with the bone in whose space it lies.
    pub vertices: Vec<(usize, [f32; 3])>,
    /// Normals, likewise; of any length.
    pub normals: Vec<(usize, [f32; 3])>,
    /// Meshes.
    pub meshes: Vec<Mesh>,
}

/// Triangles with one skin slot.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Its slot in the table of skins.
    pub slot: usize,
    /// Corners, three a triangle, clockwise seen from outside.
    pub triangles: Vec<[Corner; 3]>,
}

/// A corner of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Corner {
    /// Index of its vertex.
    pub vertex: u16,
    /// Index of its normal.
    pub normal: u16,
    /// Texel from the top left corner; of no use on chrome.
    pub texel: [i16; 2],
}

/// A place that carries something: a muzzle, a lamp.
#[derive(Clone, Debug, PartialEq)]
pub struct Attachment {
    /// Name; the compiler leaves it empty.
    pub name: String,
    /// The bone that carries it.
    pub bone: usize,
    /// Position in the bone's space.
    pub origin: [f32; 3],
}
