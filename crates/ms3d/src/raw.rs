//! The file's own records, as MilkShape 3D 1.8.2 writes them (little-endian, packed).
//!
//! Field names are the specification's, in Rust spelling. Offsets, and what real files do beyond the specification, are
//! in [`mod@crate::format`].

/// A whole MS3D file.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Format version: 4; 3 is read with the same records and no tail (no sample confirms it).
    pub version: i32,
    /// Vertices, at most 65534.
    pub vertices: Vec<Vertex>,
    /// Triangles, at most 65534.
    pub triangles: Vec<Triangle>,
    /// Groups (meshes), at most 255.
    pub groups: Vec<Group>,
    /// Materials, at most 128.
    pub materials: Vec<Material>,
    /// Time line settings.
    pub keyframer: Keyframer,
    /// Joints, at most 128.
    pub joints: Vec<Joint>,
    /// Everything after the joints; a file may stop at any of its sections.
    pub tail: Tail,
}

/// The optional sections, in file order; a `None` is followed only by `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tail {
    /// Comments of groups, materials, joints and the model.
    pub comments: Option<Comments>,
    /// Extra joints, weights and colours per vertex.
    pub vertex_ex: Option<VertexExSection>,
    /// Joint colours.
    pub joint_ex: Option<JointExSection>,
    /// Model-wide display settings.
    pub model_ex: Option<ModelEx>,
    /// Bytes after the last known section, kept as they are.
    pub trailing: Vec<u8>,
}

/// A fixed-width string field: the bytes before its first NUL, in whatever code page the author used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Text(pub Vec<u8>);

impl Text {
    /// The bytes before the terminator.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The text for people; bytes that are not UTF-8 are shown as U+FFFD.
    pub fn to_lossy(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }

    /// Whether the field is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.bytes().take_while(|&b| b != 0).collect())
    }
}

/// Flag bit: selected in the editor.
pub const FLAG_SELECTED: u8 = 1;
/// Flag bit: hidden; not drawn by default.
pub const FLAG_HIDDEN: u8 = 2;

/// `ms3d_vertex_t`, 15 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vertex {
    /// Editor flags.
    pub flags: u8,
    /// Position in model space, file axes and units.
    pub position: [f32; 3],
    /// First joint, -1 for none. Files store a signed byte; joints 0..127.
    pub bone_id: i8,
    /// Number of triangle corners that use it; often wrong in real files.
    pub reference_count: u8,
}

/// `ms3d_triangle_t`, 70 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Triangle {
    /// Editor flags.
    pub flags: u16,
    /// Vertex of each corner, counter-clockwise seen from outside.
    pub vertex_indices: [u16; 3],
    /// Normal of each corner; may be zero.
    pub vertex_normals: [[f32; 3]; 3],
    /// Horizontal texture coordinate of each corner; may leave 0..1 (repeat).
    pub s: [f32; 3],
    /// Vertical texture coordinate of each corner; 0 is the top row.
    pub t: [f32; 3],
    /// Smoothing group, 1 to 32 by the specification; 0 and more than 32 occur.
    pub smoothing_group: u8,
    /// Group index; disagrees with the groups' own lists in some files: trust the lists.
    pub group_index: u8,
}

/// A group: a named list of triangles with one material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Editor flags; [`FLAG_HIDDEN`] groups are not drawn by default.
    pub flags: u8,
    /// Name, 32 bytes in the file.
    pub name: Text,
    /// Its triangles; may be empty.
    pub triangle_indices: Vec<u16>,
    /// Material, -1 for none; out of range in some files.
    pub material_index: i8,
}

/// `ms3d_material_t`, 361 bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// Name, 32 bytes in the file.
    pub name: Text,
    /// Ambient RGBA.
    pub ambient: [f32; 4],
    /// Diffuse RGBA.
    pub diffuse: [f32; 4],
    /// Specular RGBA.
    pub specular: [f32; 4],
    /// Emissive RGBA.
    pub emissive: [f32; 4],
    /// Phong exponent, 0 to 128.
    pub shininess: f32,
    /// Opacity, despite its name: 1 is opaque. Some exporters write it inverted.
    pub transparency: f32,
    /// Bit field: 0x20 combine alpha, 0x40 has alpha, 0x80 sphere map; read unsigned.
    pub mode: u8,
    /// Texture path, 128 bytes in the file.
    pub texture: Text,
    /// Alpha map path, 128 bytes in the file.
    pub alphamap: Text,
}

/// Time line settings.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Keyframer {
    /// Frames a second; below 1 counts as 1.
    pub fps: f32,
    /// Editor cursor; frames in some writers, seconds in others: ignored.
    pub current_time: f32,
    /// Length in frames; 0 and 1 occur.
    pub total_frames: i32,
}

/// A joint with its key frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Joint {
    /// Editor flags.
    pub flags: u8,
    /// Name, 32 bytes in the file.
    pub name: Text,
    /// Parent's name, empty for a root.
    pub parent_name: Text,
    /// Reference rotation, Euler x, y, z in radians: R = Rz·Ry·Rx.
    pub rotation: [f32; 3],
    /// Reference position relative to the parent.
    pub position: [f32; 3],
    /// Rotation keys, relative to the reference.
    pub rotation_keys: Vec<Key>,
    /// Translation keys, relative to the reference; their count may differ from the rotation keys'.
    pub translation_keys: Vec<Key>,
}

/// A key frame, 16 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Key {
    /// Time in seconds.
    pub time: f32,
    /// Euler angles in radians, or a position.
    pub value: [f32; 3],
}

/// The comments section.
#[derive(Clone, Debug, PartialEq)]
pub struct Comments {
    /// Sub-version, 1.
    pub sub_version: i32,
    /// Comments of groups.
    pub groups: Vec<Comment>,
    /// Comments of materials.
    pub materials: Vec<Comment>,
    /// Comments of joints.
    pub joints: Vec<Comment>,
    /// Comment of the model, if any (without an index in the file).
    pub model: Option<Vec<u8>>,
}

/// A comment on a group, material or joint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comment {
    /// Index of the thing commented on.
    pub index: i32,
    /// Text, without terminator.
    pub text: Vec<u8>,
}

/// The vertex_ex section: one record a vertex.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexExSection {
    /// Sub-version: 1 (6-byte records), 2 (10) or 3 (14).
    pub sub_version: i32,
    /// Records, as many as vertices.
    pub records: Vec<VertexEx>,
}

/// `ms3d_vertex_ex_t`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VertexEx {
    /// Second to fourth joint, -1 for none.
    pub bone_ids: [i8; 3],
    /// Weights of the vertex's own joint and of the first two above, in percent (0..255 in some sub-version 1 files);
    /// the fourth weight is what is left. (0,0,0) and (100,0,0) both mean "all on the vertex's own joint".
    pub weights: [u8; 3],
    /// Extra words: one since sub-version 2, two since sub-version 3; 0 where the file has none.
    pub extra: [u32; 2],
}

/// The joint_ex section: one record a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointExSection {
    /// Sub-version, 1.
    pub sub_version: i32,
    /// Joint colours, as many as joints.
    pub colors: Vec<[f32; 3]>,
}

/// The model_ex section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelEx {
    /// Sub-version, 1.
    pub sub_version: i32,
    /// Joint size in the editor.
    pub joint_size: f32,
    /// Transparency mode: 0 simple, 1 and 2 depth buffered with alpha reference and depth sorted triangles; the
    /// specification and its author's viewer disagree on which of these two is 1.
    pub transparency_mode: i32,
    /// Alpha reference value.
    pub alpha_ref: f32,
}
