//! The vertex shader moves a creature as CPU skinning does.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::{DMat4, Mat4, Quat, Vec3};
use pelagic::model::animation::{Pose, bend_body, blend, morphed, palette, pose, skin};
use pelagic::model::{
    Attachment, Clip, ClipRequest, Joint, LoadedModel, Lod, Model, ModelRequest, MorphDelta, PaletteClip, Skeleton,
};
use pelagic::render::{Corner, skinned};
use pelagic::runtime::files::load_model;
use pelagic::view::Instance;

use crate::support;

/// Greatest distance between the two, as a share of the model's size: that of 16-bit positions is a tenth of it, the rest
/// is a 255th of what two joints would make of a vertex.
const POSITION_TOLERANCE: f32 = 2e-4;
/// Greatest angle between normals: a 255th of the turn from one joint to the next, which weights of 8 bits may be off by.
/// Unit: rad.
const NORMAL_TOLERANCE: f32 = 2e-3;
/// Greatest shift of an animal's pattern along its body, of `shaders/include/individual.glsl`, as a share of the
/// texture, and half of a step of coordinates of 16 bits.
const PATTERN_SHIFT: f32 = 1.6 * 0.006 + 0.5 / 65535.0;
/// Greatest distance between texture coordinates, which are uploaded with 16 bits each. Unit: texels.
const TEXEL_TOLERANCE: f32 = 1.0 / 16.0;

/// The pose that the shader makes at `row`: the two rows round it, blended as matrices. Coarse levels of one joint a vertex
/// are far away and take the row below as it is.
fn blended(model: &Model, lod: &Lod, clip: &Clip, rows: &PaletteClip, row: f32) -> Pose {
    let along = row - rows.first_row as f32;
    let at_row = |row: f32| {
        let t = row.rem_euclid(rows.rows as f32) / rows.rows as f32;
        pose(&model.skeleton, clip.start_s + (clip.end_s - clip.start_s) * t)
    };
    let between = along - along.floor();
    let blend_weight = if lod.max_joints > 1 || lod.pixels == f32::INFINITY { between } else { 0.0 };
    let (below, above) = (at_row(along.floor()), at_row(along.floor() + 1.0));
    let blend = |(a, b): (&Mat4, &Mat4)| *a * (1.0 - blend_weight) + *b * blend_weight;
    let lerp = |(a, b): (&f32, &f32)| a * (1.0 - between) + b * between;
    Pose {
        model_from_rest: below.model_from_rest.iter().zip(&above.model_from_rest).map(blend).collect(),
        model_from_joint: Vec::new(),
        morph_weights: below.morph_weights.iter().zip(&above.morph_weights).map(lerp).collect(),
    }
}

/// Fractional rows of a clip: at, between and just before rows, and in the gap from the last row to the one that closes it.
fn rows_of(clip: &PaletteClip) -> Vec<f32> {
    let (first, rows) = (clip.first_row as f32, clip.rows as f32);
    [0.0, 0.37, 1.0, 0.61 * rows, 0.5 * rows - 0.01, rows - 1.0, rows - 0.25, rows - 0.999, rows - 0.001]
        .into_iter()
        .map(|along| first + along)
        .collect()
}

fn loaded(name: &str, clips: &[(&str, f32, f32)]) -> LoadedModel {
    let mut request = ModelRequest::new(format!("builtin:{name}"));
    request.clips = clips.iter().map(|&(name, from, to)| (name.to_owned(), ClipRequest::range(from, to))).collect();
    load_model(&request).expect("a built-in model")
}

/// The model with still joints before its own, as many as a model may have.
fn with_many_joints(mut loaded: LoadedModel) -> LoadedModel {
    let Skeleton { joints, order, .. } = &mut loaded.model.skeleton;
    let added = (Skeleton::MAX_JOINTS - joints.len()) as u16;
    joints.iter_mut().for_each(|joint| joint.parent = joint.parent.map(|parent| parent + added));
    let still = Joint {
        name: "still".into(),
        parent: None,
        local_bind: Mat4::IDENTITY,
        inverse_bind: Mat4::IDENTITY,
        rotation_keys: Vec::new(),
        translation_keys: Vec::new(),
        scale_keys: Vec::new(),
    };
    joints.splice(0..0, vec![still; usize::from(added)]);
    *order = (0..added).chain(order.iter().map(|joint| joint + added)).collect();
    let vertices = loaded.model.lods.iter_mut().flat_map(|lod| &mut lod.vertices);
    vertices.for_each(|vertex| vertex.joints = vertex.joints.map(|joint| joint + added));
    loaded.model.palette = palette::bake(&loaded.model.skeleton, &loaded.clips, palette::ROWS_PER_SECOND);
    loaded
}

fn the_vertex_shader_agrees_with_cpu_skinning() {
    let context = support::context();
    let mut tried = BTreeSet::new();
    // Two clips of the sardine: the second one begins in the middle of the palette.
    for (name, clips) in [
        ("reef_shark", [].as_slice()),
        ("sardine", &[("a", 1.0, 9.0), ("b", 4.0, 16.0)]),
        ("moon_jelly", &[]),
        ("green_turtle", &[]),
        ("green_turtle with many joints", &[]),
    ] {
        let LoadedModel { model, clips, .. } = match name.strip_suffix(" with many joints") {
            Some(name) => with_many_joints(loaded(name, clips)),
            None => loaded(name, clips),
        };
        let model = Arc::new(model);
        let size = 2.0 * model.bounds.radius();
        let texels = model.materials.iter().filter_map(|material| material.texture.as_ref()).map(|image| image.width);
        let texels = texels.max().expect("a texture");
        assert_eq!(clips.len(), model.palette.clips.len());
        for (clip, rows) in clips.iter().zip(&model.palette.clips) {
            assert!(rows.rows > 4, "{name} moves in '{}'", clip.name);
            let instances: Vec<Instance> =
                rows_of(rows).into_iter().map(|palette_row| Instance { palette_row, ..Instance::default() }).collect();
            for (level, lod) in model.lods.iter().enumerate() {
                let on_gpu = skinned(&context.gl(), &model, level, &instances).expect("drawn");
                assert_eq!(on_gpu.len(), lod.indices.len() * instances.len());
                tried.insert(lod.max_joints);
                for (corners, instance) in on_gpu.chunks_exact(lod.indices.len()).zip(&instances) {
                    let row = instance.palette_row;
                    let (positions, normals) = skin(&lod.vertices, &blended(&model, lod, clip, rows, row));
                    for (&index, &Corner { position, normal, uv }) in lod.indices.iter().zip(corners) {
                        let (expected, upright) = (positions[index as usize], normals[index as usize]);
                        let off = position.distance(expected) / size;
                        assert!(off <= POSITION_TOLERANCE, "{name} level {level} row {row}: {position} for {expected}");
                        let turned = normal.angle_between(upright);
                        assert!(turned <= NORMAL_TOLERANCE, "{name} level {level} row {row}: {normal} for {upright}");
                        // Along the body each animal has its pattern shifted a little.
                        let off = (uv - lod.vertices[index as usize].uv).abs();
                        assert!(off.x <= PATTERN_SHIFT, "{name} level {level}: {off} along the body");
                        let texels_off = off.y * texels as f32;
                        assert!(texels_off <= TEXEL_TOLERANCE, "{name} level {level}: {texels_off} texels");
                    }
                }
            }
        }
    }
    // No tolerance hides that a wrong number of joints or a still palette was drawn: all variants were.
    assert_eq!(tried, BTreeSet::from([1, 2, 4]), "joints a vertex of the levels that were drawn");
    assert_eq!(pelagic::gl::debug::complaints(&context.gl()), [""; 0]);
}

fn the_poses_that_are_compared_differ_by_far_more_than_the_tolerance() {
    let LoadedModel { model, clips, .. } = loaded("reef_shark", &[]);
    let (lod, rows) = (&model.lods[0], &model.palette.clips[0]);
    let at = |row: f32| skin(&lod.vertices, &blended(&model, lod, &clips[0], rows, row)).0;
    let farthest = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(p, q)| p.distance(*q)).fold(0.0f32, f32::max);
    let size = 2.0 * model.bounds.radius();
    let (at_row, between) = (at(3.0), at(3.5));
    assert!(farthest(&at_row, &between) > 10.0 * POSITION_TOLERANCE * size, "half a row is seen");
    assert!(farthest(&at(0.0), &at(rows.rows as f32)) < 1e-6 * size, "a clip goes once round");
}

fn an_instance_is_turned_scaled_and_moved() {
    let context = support::context();
    let LoadedModel { model, clips, .. } = loaded("sardine", &[]);
    let model = Arc::new(model);
    let rows = &model.palette.clips[0];
    let instance = Instance {
        position: Vec3::new(3.0, -7.5, 1.25),
        rotation: Quat::from_rotation_y(2.1) * Quat::from_rotation_x(-0.4),
        scale: 0.22,
        palette_row: 2.75,
        ..Instance::default()
    };
    let corners = skinned(&context.gl(), &model, 0, &[instance]).expect("drawn");
    let (positions, _) = skin(&model.lods[0].vertices, &blended(&model, &model.lods[0], &clips[0], rows, 2.75));
    let size = 2.0 * model.bounds.radius() * instance.scale;
    for (&index, Corner { position, .. }) in model.lods[0].indices.iter().zip(&corners) {
        let expected = instance.position + instance.rotation * (positions[index as usize] * instance.scale);
        assert!(position.distance(expected) <= POSITION_TOLERANCE * size, "{position} for {expected}");
    }
}

fn a_pose_of_two_clips_is_both_by_their_weights_and_bends() {
    let context = support::context();
    let LoadedModel { model, clips, .. } = loaded("sardine", &[]);
    let model = Arc::new(model);
    let [cruise, burst] = [0, 2].map(|i| (&clips[i], &model.palette.clips[i]));
    assert_eq!((cruise.0.name.as_str(), burst.0.name.as_str()), ("cruise", "burst"));
    let (row, over) = (cruise.1.row(0.31), burst.1.row(0.77));
    // The vertex shader bends between the ends of what is packed: of all levels.
    let z = || model.lods.iter().flat_map(|lod| &lod.vertices).map(|vertex| vertex.position.z);
    let ends = (z().fold(f32::INFINITY, f32::min), z().fold(f32::NEG_INFINITY, f32::max));
    for (row_weight, blend_weight, bend) in [
        (1.0, 0.0, [0.0; 2]),
        (0.4, 0.0, [0.0; 2]),
        (0.7, 0.3, [0.0; 2]),
        (1.5, 0.2, [0.9, 0.3]),
        (0.0, 1.0, [-1.2, -0.4]),
    ] {
        // The second shows two clips, so that the shader for these draws both.
        let instances =
            [(row_weight, blend_weight, bend), (0.5, 0.5, [0.0; 2])].map(|(row_weight, blend_weight, bend)| Instance {
                palette_row: row,
                row_weight,
                blend_row: over,
                blend_weight,
                bend,
                ..Instance::default()
            });
        for (level, lod) in model.lods.iter().enumerate() {
            let corners = skinned(&context.gl(), &model, level, &instances).expect("drawn");
            let poses = [blended(&model, lod, cruise.0, cruise.1, row), blended(&model, lod, burst.0, burst.1, over)];
            let pairs = poses[0].model_from_rest.iter().zip(&poses[1].model_from_rest);
            let at_rest = Mat4::IDENTITY * (1.0 - row_weight - blend_weight);
            let both = pairs.map(|(a, b)| at_rest + *a * row_weight + *b * blend_weight).collect();
            let both = Pose { model_from_rest: both, model_from_joint: Vec::new(), morph_weights: Vec::new() };
            let (positions, normals) = skin(&lod.vertices, &both);
            let mut points: Vec<(Vec3, Vec3)> = positions.into_iter().zip(normals).collect();
            bend_body(&mut points, ends, bend);
            for (&index, corner) in lod.indices.iter().zip(&corners) {
                let (position, normal) = points[index as usize];
                let off = corner.position.distance(position) / (2.0 * model.bounds.radius());
                assert!(off <= POSITION_TOLERANCE, "level {level}, {row_weight}, {blend_weight}, {bend:?}: {off}");
                let turned = corner.normal.angle_between(normal);
                assert!(turned <= NORMAL_TOLERANCE, "level {level}, {row_weight}, {blend_weight}, {bend:?}: {turned}");
            }
        }
    }
}

fn each_animal_has_a_skin_of_its_own_in_every_pose() {
    let context = support::context();
    let LoadedModel { model, .. } = loaded("sardine", &[]);
    let model = Arc::new(model);
    let [row, over] = [0, 2].map(|i| model.palette.clips[i].row(0.4));
    let one = Instance { palette_row: row, variation: 0.2, ..Instance::default() };
    let other = Instance { variation: 0.7, ..one };
    let turning = Instance { row_weight: 0.4, blend_row: over, blend_weight: 0.6, bend: [0.5, 0.2], ..one };
    let corners = skinned(&context.gl(), &model, 0, &[one, other, turning]).expect("drawn");
    let [one, other, turning] = [0, 1, 2].map(|n| &corners[n * corners.len() / 3..(n + 1) * corners.len() / 3]);
    let farthest = |a: &[Corner], b: &[Corner]| {
        a.iter().zip(b).map(|(a, b)| (a.uv - b.uv).abs().max_element()).fold(0.0f32, f32::max)
    };
    assert!(farthest(one, other) > 0.3 * PATTERN_SHIFT, "{}", farthest(one, other));
    assert_eq!(farthest(one, turning), 0.0, "the pattern slides along the body");
}

fn a_place_on_a_model_goes_where_a_vertex_there_goes() {
    let context = support::context();
    let LoadedModel { model, .. } = loaded("green_turtle", &[]);
    let model = Arc::new(model);
    let (row, over) = (model.palette.clips[0].row(0.31), model.palette.clips[1].row(0.6));
    let still = Instance { palette_row: row, ..Instance::default() };
    let turning = Instance {
        position: Vec3::new(1.0, -6.0, 2.0),
        rotation: Quat::from_rotation_y(0.7),
        scale: 1.3,
        row_weight: 0.6,
        blend_row: over,
        blend_weight: 0.3,
        bend: [0.4, -0.2],
        ..still
    };
    let lod = &model.lods[0];
    let corners = skinned(&context.gl(), &model, 0, &[still, turning]).expect("drawn");
    let (mut compared, mut moved) = (0, 0.0f32);
    for (instance, corners) in [still, turning].iter().zip(corners.chunks_exact(lod.indices.len())) {
        for (&index, corner) in lod.indices.iter().zip(corners) {
            let vertex = &lod.vertices[index as usize];
            if vertex.weights[0] < 1.0 {
                continue;
            }
            let (joint, position) = (vertex.joints[0], vertex.position);
            let place = instance.place(&model, &Attachment { name: String::new(), joint, position });
            let off = place.distance(corner.position) / (2.0 * model.bounds.radius() * instance.scale);
            // The far levels reach a little beyond the body whose ends the shader bends between.
            assert!(off <= 26.0 * POSITION_TOLERANCE, "{instance:?}: {off}");
            compared += 1;
            moved = moved.max(place.distance(instance.position + instance.rotation * position * instance.scale));
        }
    }
    assert!(compared > 1000 && moved > 0.1, "{compared} places, by up to {moved}");
    let breath = model.attachment("breath").expect("its nostrils have a name");
    assert!(breath.position.z < model.bounds.min.z + 0.12, "{breath:?}, which is at the end of the head");
    assert_eq!(model.attachment("head").map(|head| head.joint < breath.joint), Some(true));
}

/// The sardine with two morphs, of which the clips change the weights: one swells it, one lifts its hind part.
fn morphing_sardine() -> LoadedModel {
    let mut loaded = loaded("sardine", &[]);
    let model = &mut loaded.model;
    let size = 2.0 * model.bounds.radius();
    model.morphs.names = vec!["swollen".into(), "lifted".into()];
    for vertex in model.lods.iter_mut().flat_map(|lod| &mut lod.vertices) {
        let swollen = MorphDelta { position: 0.2 * size * vertex.normal, normal: 0.5 * Vec3::Y };
        let lifted = MorphDelta { position: Vec3::Y * (0.3 * size), normal: Vec3::ZERO };
        // Vertices that no morph moves have the row that does nothing.
        let row = match vertex.uv.x < 0.2 {
            true => [MorphDelta::default(); 2],
            false => [swollen, if vertex.position.z > 0.0 { lifted } else { MorphDelta::default() }],
        };
        vertex.morph_row = model.morphs.add_row(&row);
    }
    let end_s = model.skeleton.duration_s;
    model.skeleton.morph_keys = vec![vec![(0.0, 0.0), (0.3 * end_s, 1.0), (end_s, -0.5)], vec![(0.0, 0.7)]];
    model.palette = palette::bake(&model.skeleton, &loaded.clips, palette::ROWS_PER_SECOND);
    loaded
}

fn the_vertex_shader_morphs_before_joints_move_as_double_numbers_do() {
    let context = support::context();
    let LoadedModel { model, clips, .. } = morphing_sardine();
    let model = Arc::new(model);
    let [(first, first_rows), (second, second_rows)] = [0, 2].map(|i| (&clips[i], &model.palette.clips[i]));
    let (row, over) = (first_rows.row(0.31), second_rows.row(0.77));
    for (row_weight, blend_weight, morph_weight) in [(1.0, 0.0, 0.0), (0.6, 0.0, 0.8), (0.5, 0.4, -0.3)] {
        let instance = Instance {
            palette_row: row,
            row_weight,
            blend_row: over,
            blend_weight,
            morph_weight,
            ..Instance::default()
        };
        for (level, lod) in model.lods.iter().enumerate() {
            let corners = skinned(&context.gl(), &model, level, &[instance]).expect("drawn");
            let poses = [(first, first_rows, row, row_weight), (second, second_rows, over, blend_weight)]
                .map(|(clip, rows, row, weight)| (blended(&model, lod, clip, rows, row), f64::from(weight)));
            let mut weights: Vec<f64> = (0..2)
                .map(|i| poses.iter().map(|(pose, share)| share * f64::from(pose.morph_weights[i])).sum())
                .collect();
            weights[0] += f64::from(morph_weight);
            for (&index, corner) in lod.indices.iter().zip(&corners) {
                let vertex = &lod.vertices[index as usize];
                let (mut position, mut normal) = (vertex.position.as_dvec3(), vertex.normal.as_dvec3());
                for (delta, weight) in model.morphs.of(vertex).iter().zip(&weights) {
                    position += *weight * delta.position.as_dvec3();
                    normal += *weight * delta.normal.as_dvec3();
                }
                let matrix = |pose: &Pose| blend(pose, vertex.joints, vertex.weights).as_dmat4();
                let rest = 1.0 - poses.iter().map(|(_, share)| share).sum::<f64>();
                let moved = poses.iter().fold(DMat4::IDENTITY * rest, |sum, (pose, w)| sum + matrix(pose) * *w);
                let off = corner.position.as_dvec3().distance(moved.transform_point3(position));
                let size = f64::from(2.0 * model.bounds.radius());
                assert!(off <= f64::from(POSITION_TOLERANCE) * size, "level {level}, {instance:?}: {off}");
                let turned = corner.normal.as_dvec3().angle_between(moved.transform_vector3(normal));
                assert!(turned <= f64::from(NORMAL_TOLERANCE), "level {level}, {instance:?}: {turned}");
            }
        }
    }
}

fn a_file_of_the_same_topology_is_a_morph_and_another_is_refused() {
    let puffer = |morph: &str, source: &str| {
        let mut request = ModelRequest::new("builtin:puffer");
        request.morphs.insert(morph.into(), source.into());
        load_model(&request).map_err(|error| error.to_string())
    };
    let loaded = puffer("puffed", "builtin:puffer_puffed").expect("it has the same triangles");
    let shape = load_model(&ModelRequest::new("builtin:puffer_puffed")).expect("a built-in model").model;
    let (model, size) = (&loaded.model, 2.0 * shape.bounds.radius());
    assert!(model.lods.len() > 3 && model.bounds.max.x < 0.7 * shape.bounds.max.x, "at rest it is slim");
    for lod in &model.lods {
        let puffed = morphed(&lod.vertices, &model.morphs, &[1.0]);
        let widest = puffed.iter().map(|vertex| vertex.position.x).fold(0.0, f32::max);
        assert!(widest > 0.6 * shape.bounds.max.x, "{} triangles: {widest}", lod.indices.len() / 3);
    }
    let full = &model.lods[0].vertices;
    for vertex in morphed(full, &model.morphs, &[1.0]).iter() {
        let there = shape.lods[0].vertices.iter().any(|other| other.position.distance(vertex.position) < 1e-5 * size);
        assert!(there, "{}", vertex.position);
    }
    let error = puffer("puffed", "builtin:sardine").expect_err("another fish");
    assert!(
        error.contains("morph 'puffed': 'builtin:sardine' has ") && error.contains(" vertices where the model"),
        "{error}"
    );
    let error = puffer("flat", "").expect_err("no such morph");
    assert!(error.contains("the file has no morph of this name; there are: none"), "{error}");
}

fn every_builtin_animal_simplifies_to_a_few_dozen_triangles() {
    let mut coarse = Vec::new();
    for name in assets::models() {
        let loaded = load_model(&ModelRequest::new(format!("builtin:{name}"))).expect("a built-in model");
        let counts: Vec<usize> = loaded.model.lods.iter().map(|lod| lod.indices.len() / 3).collect();
        assert_eq!(loaded.warnings, [], "{name}");
        let animal = !loaded.clips.is_empty();
        if animal && (counts.len() < 4 || counts.last().is_none_or(|last| *last > 80)) {
            coarse.push(format!("{name}: {counts:?}"));
        }
    }
    assert_eq!(coarse, Vec::<String>::new());
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    the_vertex_shader_agrees_with_cpu_skinning;
    the_poses_that_are_compared_differ_by_far_more_than_the_tolerance;
    an_instance_is_turned_scaled_and_moved;
    a_pose_of_two_clips_is_both_by_their_weights_and_bends;
    each_animal_has_a_skin_of_its_own_in_every_pose;
    a_place_on_a_model_goes_where_a_vertex_there_goes;
    the_vertex_shader_morphs_before_joints_move_as_double_numbers_do;
    a_file_of_the_same_topology_is_a_morph_and_another_is_refused;
    every_builtin_animal_simplifies_to_a_few_dozen_triangles;
};
