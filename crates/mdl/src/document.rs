//! What a file holds.

use super::Warning;

/// Flags of a texture.
pub mod texture_flags {
    /// One normal a triangle; the compiler writes it, viewers pass it over.
    pub const FLAT: i32 = 1;
    /// Mirrors its surroundings: texture coordinates come from the normal.
    pub const CHROME: i32 = 2;
    /// Shines by itself, whatever the light.
    pub const FULLBRIGHT: i32 = 4;
    /// Without smaller copies for the distance.
    pub const NO_MIPS: i32 = 8;
    /// Its colours are added to what lies behind.
    pub const ADDITIVE: i32 = 0x20;
    /// Colour 255 is clear.
    pub const MASKED: i32 = 0x40;
    /// All of them.
    pub const KNOWN: i32 = FLAT | CHROME | FULLBRIGHT | NO_MIPS | 0x10 | ADDITIVE | MASKED;
}

/// Bits of [`Controller::kind`]: the channel that it turns or moves.
pub mod bone_controller {
    /// Along x, y, z; then about x, y, z.
    pub const CHANNELS: [i32; 6] = [1, 2, 4, 8, 16, 32];
    /// Goes round: the end is the beginning.
    pub const LOOPS: i32 = 0x8000;
}

/// Bits of [`Sequence::motion_kind`].
pub mod motion {
    /// The motion bone's position along x, y, z counts as 0: whatever moves the model moves it instead.
    pub const STAYS: [i32; 3] = [1, 2, 4];
}

/// A model with all its files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Name in the header: the path that it was compiled to.
    pub name: String,
    /// Where its eyes are.
    pub eye: [f32; 3],
    /// Corners of the box in which it moves.
    pub hull: [[f32; 3]; 2],
    /// Corners of the box in which it is seen; zeros: as the sequences say.
    pub view_box: [[f32; 3]; 2],
    /// The engine's flags: trails of smoke, rotation and the like.
    pub flags: i32,
    /// Bones, every parent before its children.
    pub bones: Vec<Bone>,
    /// What turns bones by hand: heads, turrets, mouths.
    pub controllers: Vec<Controller>,
    /// Boxes for shots.
    pub hit_boxes: Vec<HitBox>,
    /// Sequences that could be read.
    pub sequences: Vec<Sequence>,
    /// Files of sequences; the first is the model's own.
    pub groups: Vec<SequenceGroup>,
    /// Textures, from the model's file or from its texture file.
    pub textures: Vec<Texture>,
    /// Which textures the meshes use.
    pub skins: Skins,
    /// Parts, each of which shows one of its models.
    pub body_parts: Vec<BodyPart>,
    /// Places that carry things.
    pub attachments: Vec<Attachment>,
    /// Bytes of all files together.
    pub bytes: usize,
    /// What was odd or left out.
    pub warnings: Vec<Warning>,
}

/// A joint of the skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// Name; often empty, and not always a name of its own.
    pub name: String,
    /// Parent's index, less than its own.
    pub parent: Option<usize>,
    /// Flags; bits 30 and 31 belong to an extension.
    pub flags: i32,
    /// The controller of each channel.
    pub controllers: [Option<usize>; 6],
    /// Pose at rest: x, y, z in file units; angles about x, y, z in radians.
    pub value: [f32; 6],
    /// What one step of a frame's number adds to each channel.
    pub scale: [f32; 6],
}

/// What turns a bone by hand.
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
    /// Which of the program's inputs drives it: 0 to 3, 4 the mouth.
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
    /// Name; not always one of its own.
    pub name: String,
    /// Frames a second.
    pub fps: f32,
    /// Whether it goes round. The last frame then shows the first again.
    pub loops: bool,
    /// What it is for (the engine's number), and how often it is chosen.
    pub activity: [i32; 2],
    /// What happens during it.
    pub events: Vec<Event>,
    /// Number of frames, at least 1; frame f is shown at f / fps seconds.
    pub frames: usize,
    /// What movement was taken out of it: bits of [`motion`].
    pub motion_kind: i32,
    /// The bone that it was taken from.
    pub motion_bone: usize,
    /// How far the model goes in the whole sequence.
    pub movement: [f32; 3],
    /// Corners of the box of all frames.
    pub bounds: [[f32; 3]; 2],
    /// What each of the two ways between blends stands for.
    pub blend_axes: [BlendAxis; 2],
    /// For each blend the tracks of all bones; at least one blend. Two blends lie along the first axis; of four, the
    /// first pair lies along it at one end of the second axis, the other pair at its other end.
    pub blends: Vec<Vec<Track>>,
    /// The file that it is in, an index into [`Document::groups`].
    pub group: usize,
}

/// A way between blends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BlendAxis {
    /// What it follows: a channel as in [`Controller::kind`]; 0 nothing.
    pub kind: i32,
    /// Value at the one blend.
    pub start: f32,
    /// Value at the other.
    pub end: f32,
}

/// How a bone moves in a sequence: x, y, z, then angles about x, y, z.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// The six channels.
    pub channels: [Channel; 6],
}

impl Track {
    /// Whether it moves nothing.
    pub fn is_still(&self) -> bool {
        self.channels.iter().all(|channel| channel.0.is_empty())
    }

    /// The bone's pose at a frame: positions in file units, angles in radians. Past the last frame it is the last.
    pub fn pose(&self, bone: &Bone, frame: usize) -> [f32; 6] {
        std::array::from_fn(|i| {
            let steps = self.channels[i].0.get(frame).or(self.channels[i].0.last());
            bone.value[i] + steps.map_or(0.0, |&steps| f32::from(steps) * bone.scale[i])
        })
    }
}

/// The numbers of a channel, one a frame, in the bone's scale; empty where the bone keeps its own value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Channel(pub Vec<i16>);

/// Something that happens in a sequence: a sound, a flash.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// At which frame.
    pub frame: i32,
    /// What, by the program's own number.
    pub event: i32,
    /// Its options, such as the name of a sound.
    pub options: String,
}

/// A file of sequences.
#[derive(Clone, Debug, PartialEq)]
pub struct SequenceGroup {
    /// Label; not always one of its own.
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

/// The table of skins: which texture stands in which slot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skins {
    /// Slots of a family.
    pub slots: usize,
    /// Texture numbers, `slots` for each family, each one that there is.
    pub textures: Vec<usize>,
}

impl Skins {
    /// How many families there are to choose from.
    pub fn families(&self) -> usize {
        self.textures.len().checked_div(self.slots).unwrap_or(0)
    }

    /// The texture of a slot; the first family stands in for one that is not there.
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
    /// What the number of a choice of body is divided by to choose this part's model.
    pub base: usize,
    /// The models.
    pub models: Vec<Model>,
}

impl BodyPart {
    /// The model that is shown for `body`, the number of a choice of all parts.
    pub fn chosen(&self, body: usize) -> Option<&Model> {
        self.models.get((body / self.base.max(1)).checked_rem(self.models.len())?)
    }
}

/// What a body part can show.
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
    /// Where it is in the bone's space.
    pub origin: [f32; 3],
}
