//! Data of an MS3D file that glTF cannot express: written as the `extras` of a converted file, and read when it is
//! converted back.
//!
//! Application-specific attributes keep the rest of each vertex:
//!
//! | attribute | numbers |
//! |---|---|
//! | `_MS3D_VERTEX` | index of the vertex; its flags, and 256 times its reference count |
//! | `_MS3D_BONES` | its own joint and the three of its `vertex_ex` record, as stored |
//! | `_MS3D_WEIGHTS` | the three weights of that record, as stored |
//! | `_MS3D_WORDS` | its two extra words, 16 bits each, low ones first |
//! | `_MS3D_NORMAL` | normals as stored, where one of them is not of unit length |
//!
//! Data that does not come back as it was:
//!
//! - Euler angles: the same rotation comes back, with the angle about y within a quarter turn. Positions of keys, and
//!   times of keys in files that name clips, come back to the last digits of a float.
//! - Keys that are not finite, and keys before the beginning of the time line. Of keys at one moment the earlier ones
//!   come just before it.
//! - Numbers of vertices and texture coordinates that are not finite or beyond 1e12 come back as 0.
//! - Parent names become the name of the joint that they refer to; the name of a missing parent is kept.
//! - Bytes after the last section that is known.

use ms3d::raw::{self, Text};
use serde::{Deserialize, Serialize};

/// Name of this data in a file's `extras`.
pub(super) const KEY: &str = "ms3d";

/// Names of vertex attributes.
pub(super) const VERTEX: &str = "_MS3D_VERTEX";
pub(super) const BONES: &str = "_MS3D_BONES";
pub(super) const WEIGHTS: &str = "_MS3D_WEIGHTS";
pub(super) const WORDS: &str = "_MS3D_WORDS";
pub(super) const NORMAL: &str = "_MS3D_NORMAL";

/// Extras of the whole file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Ms3dExtras {
    pub version: i32,
    pub vertices: usize,
    /// Runs of triangles that are alike: count, then flags, smoothing group and group index.
    pub triangles: Vec<[usize; 4]>,
    pub groups: Vec<GroupExtras>,
    /// Triangles that no group lists, as ranges.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ungrouped: Vec<[u16; 2]>,
    pub materials: Vec<MaterialExtras>,
    pub joints: Vec<JointExtras>,
    pub fps: f32,
    pub current_time: f32,
    pub total_frames: i32,
    /// Whether the animations are parts of the time line and hold all of it; else the last one is the whole.
    pub in_clips: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comments: Option<CommentsExtras>,
    /// Sub-version of the section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vertex_ex: Option<i32>,
    /// Colours of joints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint_ex: Option<Vec<[f32; 3]>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_ex: Option<ModelExExtras>,
}

/// Extras of a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct GroupExtras {
    pub name: Bytes,
    pub flags: u8,
    pub material: i8,
    /// Its triangles as ranges, first and count. Its primitive has them in this order.
    pub triangles: Vec<[u16; 2]>,
}

/// Extras of a material: the fields that its look was made from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct MaterialExtras {
    pub name: Bytes,
    pub ambient: [f32; 4],
    pub diffuse: [f32; 4],
    pub specular: [f32; 4],
    pub emissive: [f32; 4],
    pub shininess: f32,
    pub transparency: f32,
    pub mode: u8,
    pub texture: Bytes,
    pub alphamap: Bytes,
}

/// Extras of a joint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct JointExtras {
    pub name: Bytes,
    /// Name of a parent that does not exist.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost_parent: Option<Bytes>,
    pub flags: u8,
    /// Its node.
    pub node: usize,
}

/// Extras of the comments, as the file lists them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct CommentsExtras {
    pub groups: Vec<(i32, Bytes)>,
    pub materials: Vec<(i32, Bytes)>,
    pub joints: Vec<(i32, Bytes)>,
    pub model: Option<Bytes>,
}

/// The model's display settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ModelExExtras {
    pub joint_size: f32,
    pub transparency_mode: i32,
    pub alpha_ref: f32,
}

/// Bytes of a name, a path or a comment, as text if they are UTF-8.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Bytes {
    Text(String),
    Raw(Vec<u8>),
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        std::str::from_utf8(bytes).map_or_else(|_| Self::Raw(bytes.to_vec()), |text| Self::Text(text.into()))
    }
}

impl From<&Text> for Bytes {
    fn from(text: &Text) -> Self {
        text.as_bytes().into()
    }
}

impl Bytes {
    pub fn into_vec(self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.into_bytes(),
            Self::Raw(bytes) => bytes,
        }
    }
}

impl From<Bytes> for Text {
    fn from(bytes: Bytes) -> Self {
        Self(bytes.into_vec())
    }
}

impl From<&raw::Material> for MaterialExtras {
    fn from(material: &raw::Material) -> Self {
        Self {
            name: (&material.name).into(),
            ambient: material.ambient.map(finite),
            diffuse: material.diffuse.map(finite),
            specular: material.specular.map(finite),
            emissive: material.emissive.map(finite),
            shininess: finite(material.shininess),
            transparency: finite(material.transparency),
            mode: material.mode,
            texture: (&material.texture).into(),
            alphamap: (&material.alphamap).into(),
        }
    }
}

impl From<MaterialExtras> for raw::Material {
    fn from(extras: MaterialExtras) -> Self {
        Self {
            name: extras.name.into(),
            ambient: extras.ambient,
            diffuse: extras.diffuse,
            specular: extras.specular,
            emissive: extras.emissive,
            shininess: extras.shininess,
            transparency: extras.transparency,
            mode: extras.mode,
            texture: extras.texture.into(),
            alphamap: extras.alphamap.into(),
        }
    }
}

impl From<&raw::Comments> for CommentsExtras {
    fn from(comments: &raw::Comments) -> Self {
        let list =
            |list: &[raw::Comment]| list.iter().map(|c| (c.index, Bytes::from(c.text.as_slice()))).collect::<Vec<_>>();
        Self {
            groups: list(&comments.groups),
            materials: list(&comments.materials),
            joints: list(&comments.joints),
            model: comments.model.as_deref().map(Bytes::from),
        }
    }
}

impl From<CommentsExtras> for raw::Comments {
    fn from(extras: CommentsExtras) -> Self {
        let list = |list: Vec<(i32, Bytes)>| {
            list.into_iter().map(|(index, text)| raw::Comment { index, text: text.into_vec() }).collect()
        };
        Self {
            sub_version: 1,
            groups: list(extras.groups),
            materials: list(extras.materials),
            joints: list(extras.joints),
            model: extras.model.map(Bytes::into_vec),
        }
    }
}

/// The value, or 0 if it is not finite: JSON has no such numbers.
pub(super) fn finite(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}
