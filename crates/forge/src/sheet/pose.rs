//! A forged model at a moment of its time line.

use glam::{EulerRot, Mat4, Quat, Vec2, Vec3};
use image::RgbaImage;
use ms3d::raw::{Document, Key};
use ms3d::{skeleton, weights};

use crate::Forged;

/// Material of a group of triangles.
pub struct SheetMaterial<'a> {
    pub texture: Option<&'a RgbaImage>,
    pub diffuse: Vec3,
    pub specular: f32,
    pub shininess: f32,
    pub emissive: Vec3,
    pub two_sided: bool,
    pub alpha_cut: f32,
    pub translucency: f32,
    pub opacity: f32,
}

/// A model with what posing it needs.
pub struct PosedModel<'a> {
    document: &'a Document,
    influences: Vec<weights::Influences>,
    parents: Vec<Option<usize>>,
    materials: Vec<SheetMaterial<'a>>,
}

impl<'a> PosedModel<'a> {
    pub fn new(thing: &'a Forged) -> Self {
        let document = &thing.document;
        let materials = (0..document.materials.len()).map(|index| sheet_material(thing, index)).collect();
        Self {
            document,
            influences: weights::all_influences(document),
            parents: skeleton::parents(document).into_iter().map(skeleton::Parent::index).collect(),
            materials,
        }
    }

    /// The material, and the texture coordinates, of each triangle.
    pub fn triangles(&self) -> impl Iterator<Item = (&SheetMaterial<'a>, [Vec2; 3])> {
        self.document.triangles.iter().filter_map(|triangle| {
            let group = self.document.groups.get(usize::from(triangle.group_index))?;
            let material = self.materials.get(usize::try_from(group.material_index).ok()?)?;
            Some((material, [0, 1, 2].map(|k| Vec2::new(triangle.s[k], triangle.t[k]))))
        })
    }

    /// Places and normals of each triangle's corners at `time_s`: three places, then three normals.
    pub fn corners(&self, time_s: f32) -> Vec<[Vec3; 6]> {
        let (mut now, mut rest) = (Vec::<Mat4>::new(), Vec::<Mat4>::new());
        // The forge writes parents before their children.
        for (joint, parent) in self.document.joints.iter().zip(&self.parents) {
            let bind = Mat4::from_translation(Vec3::from(joint.position));
            let turn = around(&joint.rotation_keys, time_s);
            let turn = turn.map_or(Quat::IDENTITY, |(a, b, t)| quat(a).slerp(quat(b), t));
            let shift = around(&joint.translation_keys, time_s).map_or(Vec3::ZERO, |(a, b, t)| a.lerp(b, t));
            let local = bind * Mat4::from_rotation_translation(turn, shift);
            let above = |list: &[Mat4]| parent.and_then(|p| list.get(p).copied()).unwrap_or(Mat4::IDENTITY);
            let (a, b) = (above(&now) * local, above(&rest) * bind);
            now.push(a);
            rest.push(b);
        }
        let moved: Vec<Mat4> = now.iter().zip(&rest).map(|(now, rest)| *now * rest.inverse()).collect();
        let blended: Vec<Mat4> = self
            .influences
            .iter()
            .map(|influence| {
                let pairs = influence.joints.iter().zip(influence.weights);
                let parts = pairs.filter_map(|(joint, w)| joint.map(|joint| moved[usize::from(joint)] * w));
                parts.reduce(|a, b| a + b).unwrap_or(Mat4::IDENTITY)
            })
            .collect();
        let corner = |vertex: u16, normal: [f32; 3]| {
            let (vertex, matrix) = (&self.document.vertices[usize::from(vertex)], blended[usize::from(vertex)]);
            (matrix.transform_point3(vertex.position.into()), matrix.transform_vector3(normal.into()))
        };
        self.document
            .triangles
            .iter()
            .map(|triangle| {
                let [a, b, c] = [0, 1, 2].map(|k| corner(triangle.vertex_indices[k], triangle.vertex_normals[k]));
                [a.0, b.0, c.0, a.1, b.1, c.1]
            })
            .collect()
    }
}

fn quat(angles: Vec3) -> Quat {
    Quat::from_euler(EulerRot::ZYX, angles.z, angles.y, angles.x)
}

/// The values of the keys before and after `time_s`, and how far it lies between them.
fn around(keys: &[Key], time_s: f32) -> Option<(Vec3, Vec3, f32)> {
    let next = keys.partition_point(|key| key.time <= time_s);
    match (next.checked_sub(1).and_then(|i| keys.get(i)), keys.get(next)) {
        (Some(a), Some(b)) => Some((a.value.into(), b.value.into(), (time_s - a.time) / (b.time - a.time).max(1e-6))),
        (Some(only), None) | (None, Some(only)) => Some((only.value.into(), only.value.into(), 0.0)),
        (None, None) => None,
    }
}

fn sheet_material(thing: &Forged, index: usize) -> SheetMaterial<'_> {
    let material = &thing.document.materials[index];
    let name = material.texture.to_lossy();
    let comments = thing.document.tail.comments.as_ref();
    let text = String::from_utf8_lossy(comments.and_then(|c| c.model.as_deref()).unwrap_or_default()).into_owned();
    let start = format!("pelagic: material {} ", material.name.to_lossy());
    let words = text.lines().find_map(|line| line.strip_prefix(start.as_str())).unwrap_or_default();
    let value = |key: &str| {
        words.split(' ').find_map(|word| word.strip_prefix(key)).and_then(|v| v.parse::<f32>().ok()).unwrap_or(0.0)
    };
    let rgb = |c: [f32; 4]| Vec3::new(c[0], c[1], c[2]);
    SheetMaterial {
        texture: thing.textures.iter().find(|(file, _)| *file == name).map(|(_, picture)| picture),
        diffuse: rgb(material.diffuse),
        specular: rgb(material.specular).element_sum() / 3.0,
        shininess: material.shininess,
        emissive: rgb(material.emissive),
        two_sided: words.split(' ').any(|word| word == "two_sided"),
        alpha_cut: value("alpha_cut="),
        translucency: value("translucency="),
        opacity: material.transparency,
    }
}
