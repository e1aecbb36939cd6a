//! `pelagic model info` of an MS3D file.

use std::fmt::Write;

use ms3d::raw::{self, Document, FLAG_HIDDEN, Key};
use ms3d::{skeleton, weights};
use serde::Serialize;

use super::report::{self, Finding, Tally, printable};

/// Contents of an MS3D file. Field names are the JSON's, under `in_file`.
#[derive(Serialize)]
pub(super) struct Ms3dSummary {
    #[serde(skip)]
    file: String,
    #[serde(skip)]
    bytes: usize,
    #[serde(skip)]
    version: i32,
    vertices: usize,
    triangles: usize,
    bounds: Option<Bounds>,
    groups: Vec<Group>,
    materials: Vec<Material>,
    fps: f32,
    total_frames: i32,
    /// Length of the time line: total frames over the frame rate, which counts as 1 below 1.
    duration_s: f64,
    /// Time of the last key, 0 without keys.
    last_key_s: f32,
    joints: Vec<Joint>,
    roots: usize,
    /// Most joints that move one vertex.
    max_influences: usize,
    /// Sub-version of each section of the tail that is present.
    comments: Option<i32>,
    vertex_ex: Option<i32>,
    joint_ex: Option<i32>,
    model_ex: Option<i32>,
    trailing_bytes: usize,
    model_comment: Option<String>,
    #[serde(skip)]
    problems: Vec<Finding>,
}

/// Bounding box of all vertices with finite positions, in the file's axes and units.
#[derive(Serialize)]
struct Bounds {
    min: [f32; 3],
    max: [f32; 3],
}

#[derive(Serialize)]
struct Group {
    name: String,
    triangles: usize,
    material: i8,
    hidden: bool,
}

#[derive(Serialize)]
struct Material {
    name: String,
    texture: String,
    alphamap: String,
    transparency: f32,
}

#[derive(Serialize)]
struct Joint {
    name: String,
    /// Parent's name in the file, even if there is no such joint; empty for a root.
    parent: String,
    rotation_keys: usize,
    translation_keys: usize,
}

impl Ms3dSummary {
    pub fn new(file: String, bytes: usize, document: &Document, problems: Vec<Finding>) -> Self {
        let tail = &document.tail;
        let keyframer = document.keyframer;
        Self {
            file,
            bytes,
            version: document.version,
            vertices: document.vertices.len(),
            triangles: document.triangles.len(),
            bounds: bounds(document),
            groups: groups(document),
            materials: materials(document),
            fps: keyframer.fps,
            total_frames: keyframer.total_frames,
            duration_s: f64::from(keyframer.total_frames.max(0)) / f64::from(keyframer.fps.max(1.0)),
            last_key_s: keys(document).map(|key| key.time).filter(|time| time.is_finite()).fold(0.0, f32::max),
            joints: joints(document),
            roots: skeleton::parents(document).iter().filter(|parent| parent.index().is_none()).count(),
            max_influences: weights::all_influences(document)
                .iter()
                .map(|influences| influences.joints.iter().flatten().count())
                .max()
                .unwrap_or(0),
            comments: tail.comments.as_ref().map(|section| section.sub_version),
            vertex_ex: tail.vertex_ex.as_ref().map(|section| section.sub_version),
            joint_ex: tail.joint_ex.as_ref().map(|section| section.sub_version),
            model_ex: tail.model_ex.as_ref().map(|section| section.sub_version),
            trailing_bytes: tail.trailing.len(),
            model_comment: tail
                .comments
                .as_ref()
                .and_then(|comments| comments.model.as_ref())
                .map(|text| String::from_utf8_lossy(text).into_owned()),
            problems,
        }
    }

    pub fn to_text(&self) -> String {
        report::text(&self.problems, |text| self.write_text(text))
    }

    fn write_text(&self, text: &mut String) -> std::fmt::Result {
        writeln!(text, "{}: MS3D version {}, {} bytes", self.file, self.version, self.bytes)?;
        write!(text, "vertices   {}", self.vertices)?;
        match &self.bounds {
            Some(Bounds { min, max }) => writeln!(text, ", from {min:?} to {max:?}")?,
            None => writeln!(text)?,
        }
        writeln!(text, "triangles  {}", self.triangles)?;
        writeln!(text, "groups     {}", self.groups.len())?;
        for (index, group) in self.groups.iter().enumerate() {
            let hidden = if group.hidden { ", hidden" } else { "" };
            let name = printable(&group.name);
            writeln!(text, "  {index} \"{name}\": {} triangles, material {}{hidden}", group.triangles, group.material)?;
        }
        writeln!(text, "materials  {}", self.materials.len())?;
        for (index, material) in self.materials.iter().enumerate() {
            write!(text, "  {index} \"{}\": transparency {}", printable(&material.name), material.transparency)?;
            for (what, path) in [("texture", &material.texture), ("alpha map", &material.alphamap)] {
                if !path.is_empty() {
                    write!(text, ", {what} \"{}\"", printable(path))?;
                }
            }
            writeln!(text)?;
        }
        write!(text, "joints     {}", self.joints.len())?;
        if !self.joints.is_empty() {
            write!(text, ", {} of them roots, at most {} a vertex", self.roots, self.max_influences)?;
        }
        writeln!(text)?;
        for (index, joint) in self.joints.iter().enumerate() {
            write!(text, "  {index} \"{}\"", printable(&joint.name))?;
            if !joint.parent.is_empty() {
                write!(text, " on \"{}\"", printable(&joint.parent))?;
            }
            writeln!(text, ": {} rotation keys, {} translation keys", joint.rotation_keys, joint.translation_keys)?;
        }
        writeln!(
            text,
            "time line  {} frames at {} a second: {:.3} s; last key at {:.3} s",
            self.total_frames, self.fps, self.duration_s, self.last_key_s
        )?;
        self.write_tail(text)?;
        if let Some(comment) = &self.model_comment {
            writeln!(text, "comment    {}", printable(comment))?;
        }
        writeln!(text, "problems   {}", Tally::of(&self.problems))
    }

    fn write_tail(&self, text: &mut String) -> std::fmt::Result {
        let sections = [
            ("comments", self.comments),
            ("vertex_ex", self.vertex_ex),
            ("joint_ex", self.joint_ex),
            ("model_ex", self.model_ex),
        ];
        let mut present: Vec<String> = sections
            .iter()
            .filter_map(|(name, sub_version)| sub_version.map(|sub_version| format!("{name} {sub_version}")))
            .collect();
        if self.trailing_bytes > 0 {
            present.push(format!("{} unread bytes", self.trailing_bytes));
        }
        let present = if present.is_empty() { "none".to_owned() } else { present.join(", ") };
        writeln!(text, "tail       {present}")
    }
}

fn bounds(document: &Document) -> Option<Bounds> {
    let positions = document.vertices.iter().map(|vertex| vertex.position);
    positions.filter(|position| position.iter().all(|x| x.is_finite())).fold(None, |bounds, position| {
        let Bounds { mut min, mut max } = bounds.unwrap_or(Bounds { min: position, max: position });
        for axis in 0..3 {
            min[axis] = min[axis].min(position[axis]);
            max[axis] = max[axis].max(position[axis]);
        }
        Some(Bounds { min, max })
    })
}

fn groups(document: &Document) -> Vec<Group> {
    let group = |group: &raw::Group| Group {
        name: group.name.to_lossy(),
        triangles: group.triangle_indices.len(),
        material: group.material_index,
        hidden: group.flags & FLAG_HIDDEN != 0,
    };
    document.groups.iter().map(group).collect()
}

fn materials(document: &Document) -> Vec<Material> {
    let material = |material: &raw::Material| Material {
        name: material.name.to_lossy(),
        texture: material.texture.to_lossy(),
        alphamap: material.alphamap.to_lossy(),
        transparency: material.transparency,
    };
    document.materials.iter().map(material).collect()
}

fn joints(document: &Document) -> Vec<Joint> {
    let joint = |joint: &raw::Joint| Joint {
        name: joint.name.to_lossy(),
        parent: joint.parent_name.to_lossy(),
        rotation_keys: joint.rotation_keys.len(),
        translation_keys: joint.translation_keys.len(),
    };
    document.joints.iter().map(joint).collect()
}

fn keys(document: &Document) -> impl Iterator<Item = &Key> {
    document.joints.iter().flat_map(|joint| joint.rotation_keys.iter().chain(&joint.translation_keys))
}
