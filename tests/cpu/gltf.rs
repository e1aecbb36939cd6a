//! glTF files become ours: one written here, and those of others where they are at hand.
#![allow(clippy::unwrap_used)] // A failure here is a failed test.

use std::path::Path;
use std::process::Command;

use glam::Vec3;
use pelagic::model::animation::{pose, skin};
use pelagic::model::{LoadedModel, ModelRequest, Wrap};
use pelagic::runtime::files::load_model;
use serde_json::Value;

use crate::support;
use crate::support::models::{bounds, others};

fn load(path: &Path) -> Result<LoadedModel, String> {
    load_model(&ModelRequest::new(path.to_str().unwrap())).map_err(|error| error.to_string())
}

/// A box of the file's axes in ours.
fn of_file(value: &Value) -> [Vec3; 2] {
    let corner = |index: usize| {
        let number = |axis: usize| value[index][axis].as_f64().unwrap() as f32;
        Vec3::new(-number(0), number(1), -number(2))
    };
    [corner(0).min(corner(1)), corner(0).max(corner(1))]
}

/// Features that are said to be left out, and change the boxes.
fn is_followed(loaded: &LoadedModel) -> bool {
    loaded.warnings.iter().all(|warning| !warning.text.contains("follow more than"))
}

fn files_of_others_agree_with_another_reader() {
    let folder = others("models");
    let expected: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("expected.json")).unwrap()).unwrap();
    let (mut loaded_files, mut refused, mut compared, mut other) = (0, 0, 0, Vec::new());
    for (name, expected) in expected["gltf"].as_object().unwrap() {
        let loaded = match load(&folder.join(name)) {
            Ok(loaded) => loaded,
            Err(error) => {
                assert!(name.contains("malformed"), "{error}");
                refused += 1;
                continue;
            }
        };
        // The other reader cannot read compressed files.
        let refusal = expected["error"].as_str();
        if refusal.is_some_and(|why| why.contains("requires unsupported extension")) {
            continue;
        }
        assert!(expected["error"].is_null(), "{name} is refused by the other reader: {}", expected["error"]);
        loaded_files += 1;
        let triangles = loaded.model.lods[0].indices.len() as u64 / 3;
        if name.contains("malformed") || !is_followed(&loaded) {
            other.push(name);
            continue;
        }
        // A mesh that several nodes show counts as often here.
        assert!(triangles >= expected["triangles"].as_u64().unwrap(), "{name}: {triangles} triangles");
        let close = |found: [Vec3; 2], other: &Value, what: &str| {
            let other = of_file(other);
            let slack = 1e-3 * (other[1] - other[0]).length();
            let off = found[0].distance(other[0]).max(found[1].distance(other[1]));
            assert!(off <= slack, "{name}, {what}: {found:?}, expected {other:?}");
        };
        if !loaded.model.skeleton.moves() {
            close(bounds(&loaded, 0.0), &expected["static_bbox"], "at rest");
            compared += 1;
        }
        // Theirs is the pose of the first animation, even if that is no clip here.
        let is_dropped = loaded.warnings.iter().any(|warning| warning.text.contains("moves nothing"));
        let samples = expected["pose"]["samples"].as_array().filter(|_| !is_dropped);
        let first = samples.and_then(|samples| samples.first()).map_or(0.0, |sample| sample["time"].as_f64().unwrap());
        for sample in samples.into_iter().flatten() {
            let time_s = loaded.clips[0].start_s + (sample["time"].as_f64().unwrap() - first) as f32;
            close(bounds(&loaded, time_s), &sample["bbox"], &format!("at {time_s} s"));
            compared += 1;
        }
    }
    support::say(&format!("{loaded_files} loaded, {refused} refused, {compared} boxes; not compared: {other:?}"));
    assert!(loaded_files >= 30 && refused >= 10 && compared >= 40);
}

/// A square of two triangles, its right side on a joint that an animation turns by a quarter about +z; as JSON and its buffer.
fn sample() -> (Value, Vec<u8>) {
    let mut buffer = Vec::new();
    let mut views = Vec::new();
    let mut add = |bytes: Vec<u8>| {
        buffer.resize(buffer.len().next_multiple_of(4), 0);
        views.push(serde_json::json!({ "buffer": 0, "byteOffset": buffer.len(), "byteLength": bytes.len() }));
        buffer.extend(bytes);
        views.len() - 1
    };
    let floats = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let matrix = |x: f32| [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., -x, 0., 0., 1.];
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let accessors: Vec<Value> = [
        (add(floats(&[0., 0., 0., 1., 0., 0., 1., 1., 0., 0., 1., 0.])), 5126, 4, "VEC3"),
        (add(vec![0, 1, 2, 0, 2, 3]), 5121, 6, "SCALAR"),
        (add([[0, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]].concat()), 5121, 4, "VEC4"),
        // Weights need not sum to 1.
        (add(floats(&[0.5, 0., 0., 0.].repeat(4))), 5126, 4, "VEC4"),
        (add(floats(&[matrix(0.0), matrix(1.0)].concat())), 5126, 2, "MAT4"),
        (add(floats(&[0.5, 1.5])), 5126, 2, "SCALAR"),
        (add(floats(&[0., 0., 0., 1., 0., 0., half, half])), 5126, 2, "VEC4"),
    ]
    .map(|(view, component, count, kind)| {
        serde_json::json!({ "bufferView": view, "componentType": component, "count": count, "type": kind })
    })
    .into();
    let json = serde_json::json!({
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": [0, 2] }],
        "nodes": [
            { "name": "root", "children": [1] },
            { "name": "side", "translation": [1, 0, 0] },
            { "mesh": 0, "skin": 0 }
        ],
        "skins": [{ "joints": [0, 1], "inverseBindMatrices": 4 }],
        "meshes": [{ "primitives": [{
            "attributes": { "POSITION": 0, "JOINTS_0": 2, "WEIGHTS_0": 3 }, "indices": 1, "material": 0
        }] }],
        "materials": [{
            "name": "skin",
            "doubleSided": true,
            "pbrMetallicRoughness": { "baseColorFactor": [0.5, 0.25, 1, 1], "baseColorTexture": { "index": 0 } }
        }],
        "textures": [{ "source": 0 }],
        "images": [{ "uri": "my%20skin.png" }],
        "animations": [{
            "name": "wave",
            "channels": [{ "sampler": 0, "target": { "node": 1, "path": "rotation" } }],
            "samplers": [{ "input": 5, "output": 6 }]
        }],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{ "byteLength": buffer.len() }]
    });
    (json, buffer)
}

/// The two in a container.
fn container(json: &Value, buffer: &[u8]) -> Vec<u8> {
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let number = |number: usize| (number as u32).to_le_bytes();
    let length = 12 + 8 + text.len() + 8 + buffer.len();
    let head = [b"glTF".as_slice(), &number(2), &number(length), &number(text.len()), b"JSON", &text].concat();
    [head.as_slice(), &number(buffer.len()), b"BIN\0", buffer].concat()
}

/// The sample as loaded after `edit`.
fn edited(edit: impl FnOnce(&mut Value)) -> Result<LoadedModel, String> {
    let folder = tempfile::tempdir().unwrap();
    let (mut json, buffer) = sample();
    edit(&mut json);
    let file = folder.path().join("sample.glb");
    std::fs::write(&file, container(&json, &buffer)).unwrap();
    load(&file)
}

fn a_skin_follows_its_animation() {
    let loaded = edited(|_| ()).unwrap();
    assert_eq!((loaded.clips.len(), loaded.clips[0].name.as_str()), (1, "wave"));
    assert!((loaded.clips[0].end_s - loaded.clips[0].start_s - 1.0).abs() < 1e-6, "from the first key to the last");
    let names: Vec<&str> = loaded.model.skeleton.joints.iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["root", "side"]);
    let near = |found: [Vec3; 2], least: [f32; 3], greatest: [f32; 3]| {
        assert!(found[0].distance(least.into()) < 1e-5 && found[1].distance(greatest.into()) < 1e-5, "{found:?}");
    };
    // The file's front, +z, is -z here, and so its +x is -x.
    near(bounds(&loaded, loaded.clips[0].start_s), [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    // The corner above the joint comes to lie beside it, on the corner that does not move.
    let vertices = &loaded.model.lods[0].vertices;
    let corner = vertices.iter().position(|vertex| vertex.position == Vec3::new(-1.0, 1.0, 0.0)).unwrap();
    let (moved, _) = skin(vertices, &pose(&loaded.model.skeleton, loaded.clips[0].end_s));
    assert!(moved[corner].distance(Vec3::ZERO) < 1e-5, "{}", moved[corner]);
    let material = &loaded.model.materials[0];
    assert_eq!((material.base_color, material.two_sided), ([0.5, 0.25, 1.0, 1.0], true));
    let missing: Vec<_> =
        loaded.warnings.iter().map(ToString::to_string).filter(|text| text.contains("texture")).collect();
    assert_eq!(missing, ["texture 'my skin.png' is not found beside the model; a checker stands in"]);
    let normal = loaded.model.lods[0].vertices[0].normal;
    assert!(normal.distance(Vec3::NEG_Z) < 1e-6, "made from the triangle, counter-clockwise seen from the front");
}

fn colours_of_vertices_multiply_the_materials() {
    // Half of red, linear, without opacity; then what is normalised, of three numbers or four.
    let colored = |edit: fn(&mut Value)| {
        let loaded = edited(|json| {
            json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = 3.into();
            edit(json);
        })
        .unwrap();
        let colors: Vec<[u8; 3]> = loaded.model.lods[0].vertices.iter().map(|vertex| vertex.color).collect();
        let told = loaded.warnings.iter().any(|warning| warning.text.contains("are seen through in part"));
        (colors, told, loaded.model.has_vertex_colors())
    };
    let (colors, told, has_colors) = colored(|_| ());
    assert!(colors.iter().all(|color| *color == [188, 0, 0]), "{colors:?}");
    assert!(has_colors && !told, "alpha of an opaque material counts for nothing");
    assert!(colored(|json| json["materials"][0]["alphaMode"] = "BLEND".into()).1);
    let bytes = |json: &mut Value| {
        json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = 2.into();
        json["accessors"][2]["normalized"] = true.into();
    };
    // 1 / 255, for there are joints 0 and 1.
    assert!(colored(bytes).0.contains(&[13, 0, 0]));
    let (colors, _, has_colors) =
        colored(|json| json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = 0.into());
    assert!(colors.contains(&[255, 255, 0]) && has_colors, "{colors:?}");
    let too_few = edited(|json| {
        json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = 6.into();
    });
    assert!(too_few.unwrap_err().contains("has 2 of COLOR_0 for 4 vertices"));
}

/// The sample with two morph targets: one takes its corners one up, the other to the right and their normals too; the
/// second has a third of its weight at rest. `weights` is animated over two seconds, as `interpolation` has it.
fn morphing(weights: &[f32], interpolation: &str) -> Result<LoadedModel, String> {
    let folder = tempfile::tempdir().unwrap();
    let (mut json, mut buffer) = sample();
    let floats = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let sets =
        [([0.0, 1.0, 0.0].repeat(4), "VEC3", 4), ([3.0, 0.0, 0.0].repeat(4), "VEC3", 4), (vec![0.0, 2.0], "SCALAR", 2)];
    let weights = (weights.to_vec(), "SCALAR", weights.len());
    let list = |json: &mut Value, key: &str, value: Value| json[key].as_array_mut().unwrap().push(value);
    for (values, kind, count) in sets.into_iter().chain([weights]) {
        let bytes = floats(&values);
        let view = serde_json::json!({ "buffer": 0, "byteOffset": buffer.len(), "byteLength": bytes.len() });
        let number = json["bufferViews"].as_array().unwrap().len();
        list(&mut json, "bufferViews", view);
        let accessor = serde_json::json!({ "bufferView": number, "componentType": 5126, "count": count, "type": kind });
        list(&mut json, "accessors", accessor);
        buffer.extend(bytes);
    }
    json["buffers"][0]["byteLength"] = buffer.len().into();
    let mesh = &mut json["meshes"][0];
    mesh["primitives"][0]["targets"] = serde_json::json!([{ "POSITION": 7 }, { "POSITION": 8, "NORMAL": 8 }]);
    mesh["weights"] = serde_json::json!([0.0, 0.0]);
    mesh["extras"] = serde_json::json!({ "targetNames": ["up", "up"] });
    json["nodes"][2]["weights"] = serde_json::json!([0.0, 1.0 / 3.0]);
    json["animations"] = serde_json::json!([{
        "name": "grow",
        "channels": [{ "sampler": 0, "target": { "node": 2, "path": "weights" } }],
        "samplers": [{ "input": 9, "output": 10, "interpolation": interpolation }]
    }]);
    let file = folder.path().join("morphing.glb");
    std::fs::write(&file, container(&json, &buffer)).unwrap();
    load(&file)
}

fn morph_targets_go_from_their_own_weights_at_rest() {
    let linear = morphing(&[0.0, 0.0, 1.0, 1.0], "LINEAR").unwrap();
    let model = &linear.model;
    assert_eq!(model.morphs.names, ["up", "up_2"]);
    assert_eq!((model.palette.morphs, model.palette.width()), (2, 3 * model.palette.joints + 2));
    // A third of three to the right, which is -x here.
    assert_eq!([model.bounds.min, model.bounds.max], [Vec3::new(-2.0, 0.0, 0.0), Vec3::new(-1.0, 1.0, 0.0)]);
    // For each of two keys the slopes before it, the weights, and the slopes after it.
    let spline = vec![0., 0., 0., 0., 0., 0., 0., 0., 1., 1., 0., 0.];
    for (weights, interpolation, half_way) in [
        (vec![0.0, 0.0, 1.0, 1.0], "LINEAR", 0.25),
        (vec![0.0, 0.0, 1.0, 1.0], "STEP", 0.0),
        // Slopes of 0: 3 t^2 - 2 t^3.
        (spline, "CUBICSPLINE", 0.15625),
    ] {
        let loaded = morphing(&weights, interpolation).unwrap();
        let clip = &loaded.clips[0];
        assert!((clip.end_s - clip.start_s - 2.0).abs() < 1e-6, "{interpolation}");
        for (at_s, weight) in [(0.0, 0.0), (0.5, half_way), (2.0, 1.0)] {
            let [least, greatest] = bounds(&loaded, clip.start_s + at_s);
            let moved = Vec3::new(-3.0, 1.0, 0.0) * weight;
            assert!(least.distance(moved - Vec3::X) < 1e-4, "{interpolation} at {at_s} s: {least}");
            assert!(greatest.distance(moved + Vec3::Y) < 1e-4, "{interpolation} at {at_s} s: {greatest}");
        }
    }
    let error = morphing(&[0.0, 0.0, 1.0], "LINEAR").unwrap_err();
    assert!(error.contains("animations[0].channels[0] has 3 weights of 2 morph targets for 2 times"), "{error}");
}

fn text_with_its_buffer_inside_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (mut json, buffer) = sample();
    json["buffers"][0]["uri"] =
        format!("data:application/octet-stream;base64,{}", data_encoding::BASE64.encode(&buffer)).into();
    let inside = folder.path().join("inside.gltf");
    std::fs::write(&inside, json.to_string()).unwrap();
    json["buffers"][0]["uri"] = "the%20buffer.bin".into();
    let beside = folder.path().join("beside.gltf");
    std::fs::write(&beside, json.to_string()).unwrap();
    assert!(load(&beside).unwrap_err().contains("buffers[0] '"), "it is not there");
    std::fs::write(folder.path().join("the buffer.bin"), &buffer).unwrap();
    let whole = edited(|_| ()).unwrap();
    for file in [inside, beside] {
        let loaded = load(&file).unwrap();
        assert_eq!(loaded.model.lods[0].vertices, whole.model.lods[0].vertices);
        assert_eq!(loaded.clips, whole.clips);
    }
}

fn what_is_wrong_is_said_with_its_place() {
    let error = |edit: fn(&mut Value)| edited(edit).unwrap_err();
    for (edit, text) in [
        (
            (|json| json["extensionsRequired"] = vec!["EXT_mesh_gpu_instancing"].into()) as fn(&mut Value),
            "it requires EXT_mesh_gpu_instancing, which is not known here; export it without",
        ),
        (|json| json["asset"]["version"] = "1.0".into(), "asset.version is '1.0'; only glTF 2.0 is read"),
        (|json| json["nodes"][1]["children"] = vec![0].into(), "nodes[0] is met twice: nodes go round in a circle"),
        (|json| json["nodes"][2]["children"] = vec![1].into(), "nodes[1] is the child of two nodes"),
        (|json| json["nodes"][2]["skin"] = 4.into(), "nodes[2] names skin 4, which is not there"),
        (|json| json["accessors"][0]["count"] = 2.into(), "meshes[0].primitives[0] names vertex 2 of 2"),
        (|json| json["accessors"][4]["count"] = 1.into(), "skins[0] has 1 inverse bind matrices for 2 joints"),
        (|json| json["accessors"][6]["count"] = 1.into(), "animations[0].channels[0] has 1 values for 2 times"),
        (
            |json| {
                json["accessors"][5]["bufferView"] = 0.into();
                json["accessors"][5]["byteOffset"] = 12.into();
            },
            "animations[0].channels[0] has times that fall",
        ),
        (
            |json| json["accessors"][0]["count"] = 99.into(),
            "accessors[0] has 99 elements, which reach beyond the 48 bytes of its view",
        ),
        (|json| json["accessors"][0]["type"] = "VEC2".into(), "accessors[0] is VEC2 where 3 numbers are expected"),
        (|json| json["buffers"][0]["byteLength"] = 100_000.into(), "buffers[0] has 304 bytes, 100000 are promised"),
        (|json| json["skins"][0]["joints"] = vec![0].into(), "meshes[0].primitives[0] names joint 1 of 1"),
        (|json| json["accessors"] = 7.into(), "its JSON is wrong at accessors: invalid type: integer `7`"),
    ] {
        let found = error(edit);
        assert!(found.contains(text), "{found}\nexpected: {text}");
    }
}

fn every_truncation_and_changed_byte_ends_well() {
    let folder = tempfile::tempdir().unwrap();
    let (json, buffer) = sample();
    let whole = container(&json, &buffer);
    let file = folder.path().join("sample.glb");
    let ends_well = |bytes: &[u8]| {
        std::fs::write(&file, bytes).unwrap();
        let loaded =
            pelagic::model::load(&ModelRequest::new(file.to_str().unwrap()), &pelagic::runtime::files::ProgramFiles);
        assert!(loaded.is_ok() || !loaded.unwrap_err().to_string().is_empty());
    };
    (0..whole.len()).for_each(|length| ends_well(&whole[..length]));
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        for change in [1, 0x80] {
            changed[at] = whole[at] ^ change;
            ends_well(&changed);
        }
    }
}

fn the_commands_know_the_format() {
    let folder = tempfile::tempdir().unwrap();
    let (mut json, buffer) = sample();
    let file = folder.path().join("sample.glb");
    std::fs::write(&file, container(&json, &buffer)).unwrap();
    let command = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_pelagic")).arg("model").args(args).arg(&file).output().unwrap();
        (
            output.status.success(),
            String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap(),
        )
    };
    let info: Value = serde_json::from_str(&command(&["info", "--json"]).1).unwrap();
    assert_eq!((&info["format"], &info["in_file"]["skins"]), (&"gltf".into(), &vec![2].into()));
    assert_eq!(info["in_file"]["animations"][0]["end_s"], 1.5);
    let (went_well, text) = command(&["check"]);
    assert!(went_well && text.contains("a checker stands in"), "{text}");
    assert!(command(&["pose", "--time", "0"]).1.contains("6 vertices at 0 s"));
    json["accessors"][0]["count"] = 2.into();
    std::fs::write(&file, container(&json, &buffer)).unwrap();
    let (went_well, text) = command(&["check"]);
    assert!(!went_well && text.contains("names vertex 2 of 2"), "{text}");
}

/// A file `name` of the sample as text, with its buffer in `buffer_file`, after `edit`.
fn as_text(
    folder: &Path,
    buffer_file: &str,
    edit: impl FnOnce(&mut Value),
    wrap: impl FnOnce(String) -> Vec<u8>,
) -> Result<LoadedModel, String> {
    let (mut json, buffer) = sample();
    edit(&mut json);
    let place = folder.join(buffer_file);
    std::fs::create_dir_all(place.parent().unwrap()).unwrap();
    std::fs::write(place, buffer).unwrap();
    let file = folder.join("sample.gltf");
    std::fs::write(&file, wrap(json.to_string())).unwrap();
    load(&file)
}

fn what_exporters_write_against_the_letter_is_read() {
    let plain = edited(|_| ()).unwrap();
    let edits: [fn(&mut Value); 8] = [
        |json| json["nodes"][1]["children"] = Value::Null,
        |json| json["nodes"][0]["name"] = serde_json::json!("root"),
        |json| json["accessors"][0]["count"] = 4.0.into(),
        |json| json["meshes"][0]["primitives"][0]["material"] = 0.0.into(),
        |json| json["bufferViews"][0]["byteStride"] = 0.into(),
        |json| json["materials"][0]["extras"] = "made by me".into(),
        |json| json["materials"][0]["extras"] = 3.into(),
        |json| json["materials"][0]["extensions"] = Value::Null,
    ];
    for (edit, number) in edits.into_iter().zip(0..) {
        let loaded = edited(edit).unwrap_or_else(|error| panic!("edit {number}: {error}"));
        assert_eq!(bounds(&loaded, 0.0), bounds(&plain, 0.0), "edit {number}");
        assert_eq!(loaded.model.skeleton.joints.len(), 2, "edit {number}");
    }
    let folder = tempfile::tempdir().unwrap();
    let marked = |text: String| [b"\xef\xbb\xbf".as_slice(), text.as_bytes(), b"\0\0"].concat();
    let named = |json: &mut Value| json["buffers"][0]["uri"] = "sample.bin".into();
    as_text(folder.path(), "sample.bin", named, marked).expect("a byte-order mark and padding");
    let wrong = edited(|json| json["nodes"][1]["children"] = "two".into()).unwrap_err();
    assert!(wrong.contains("nodes[1].children"), "{wrong}");
}

fn files_are_found_by_names_as_other_systems_write_them() {
    for (uri, place) in [
        ("data\\mesh.bin", "data/mesh.bin"),
        ("./Data/Mesh.BIN", "data/mesh.bin"),
        ("C:\\export\\mesh.bin", "mesh.bin"),
        ("mesh%20one.bin", "mesh one.bin"),
        ("mesh%20one.bin", "mesh%20one.bin"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let named = |json: &mut Value| json["buffers"][0]["uri"] = uri.into();
        as_text(folder.path(), place, named, String::into_bytes).unwrap_or_else(|error| panic!("{uri}: {error}"));
    }
    let pixel = pelagic::model::Image { name: String::new(), width: 1, height: 1, rgba: vec![9, 8, 7, 255] };
    let png = |path: &Path| {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        image::save_buffer(path, &pixel.rgba, 1, 1, image::ExtendedColorType::Rgba8).unwrap();
    };
    let found = |uri: &str, file: &str, images: usize| {
        let folder = tempfile::tempdir().unwrap();
        png(&folder.path().join(file));
        let named = |json: &mut Value| {
            json["buffers"][0]["uri"] = "sample.bin".into();
            json["images"] = vec![serde_json::json!({ "uri": uri }); images].into();
        };
        let loaded = as_text(folder.path(), "sample.bin", named, String::into_bytes).unwrap();
        !loaded.warnings.iter().any(|warning| warning.text.contains("checker"))
    };
    assert!(found("textures/skin_A.png", "Textures/Skin_a.PNG", 1), "case of folder and name");
    assert!(found("fish%20skin.png", "fish%20skin.png", 1), "a percent sign that is one");
    assert!(found("%E9%B1%BC%20%E7%9A%AE.png", "鱼 皮.png", 1));
    assert!(found("lost.png", "sample.png", 1), "the model's own name stands for its one texture");
    assert!(!found("lost.png", "sample.png", 2), "of two it may be another's");
}

fn extensions_that_only_touch_materials_refuse_no_file() {
    for name in ["KHR_materials_unlit", "KHR_materials_clearcoat", "KHR_lights_punctual", "EXT_texture_avif"] {
        let loaded = edited(|json| json["extensionsRequired"] = vec![name].into()).expect(name);
        assert!(loaded.warnings.iter().any(|warning| warning.text.contains(name)), "{name}: {:?}", loaded.warnings);
    }
    let loaded = edited(|json| {
        json["extensionsRequired"] = vec!["KHR_materials_pbrSpecularGlossiness"].into();
        json["materials"][0]["extensions"]["KHR_materials_pbrSpecularGlossiness"] = serde_json::json!({
            "diffuseFactor": [0.25, 0.5, 0.75, 1.0], "specularFactor": [0.1, 0.2, 0.3], "glossinessFactor": 0.0
        });
    })
    .unwrap();
    let material = &loaded.model.materials[0];
    assert_eq!((material.base_color, material.specular), ([0.25, 0.5, 0.75, 1.0], [0.1, 0.2, 0.3]));
    assert_eq!(material.shininess, 0.0, "as rough as can be");
    assert!(!loaded.warnings.iter().any(|warning| warning.text.contains("KHR_")), "{:?}", loaded.warnings);
}

/// A picture of one texel, inside the file.
fn one_texel(rgba: [u8; 4]) -> String {
    let mut bytes = Vec::new();
    let encoder = image::codecs::png::PngEncoder::new(&mut bytes);
    image::ImageEncoder::write_image(encoder, &rgba, 1, 1, image::ExtendedColorType::Rgba8).unwrap();
    format!("data:image/png;base64,{}", data_encoding::BASE64.encode(&bytes))
}

fn materials_are_as_their_author_made_them() {
    let with = |texel: [u8; 4], edit: fn(&mut Value)| {
        let loaded = edited(|json| {
            json["images"][0]["uri"] = one_texel(texel).into();
            edit(json);
        });
        let loaded = loaded.unwrap();
        (loaded.model.materials[0].clone(), loaded.warnings)
    };
    // Metal where nothing says otherwise: nothing diffuse, and the reflectance of its colour.
    let (metal, _) = with([255, 255, 255, 255], |_| ());
    assert_eq!(metal.texture.as_ref().unwrap().rgba, [0, 0, 0, 255]);
    assert_eq!(metal.maps.reflectance.as_ref().unwrap().rgba[..3], [188, 137, 255], "0.5, 0.25 and 1 as sRGB");
    // Edges, and what multiplies a glow.
    let (material, _) = with([255, 255, 255, 255], |json| {
        json["samplers"] = serde_json::json!([{ "wrapS": 33071, "wrapT": 33648 }]);
        json["textures"][0]["sampler"] = 0.into();
        json["materials"][0]["emissiveFactor"] = vec![0.5, 0.0, 1.0].into();
        json["materials"][0]["emissiveTexture"] = serde_json::json!({ "index": 0 });
        json["materials"][0]["extensions"] =
            serde_json::json!({ "KHR_materials_emissive_strength": { "emissiveStrength": 4.0 } });
    });
    assert_eq!(material.wrap, [Wrap::Clamp, Wrap::Mirror]);
    assert_eq!(material.emissive, [2.0, 0.0, 4.0]);
    assert!(material.maps.emission.is_some());
    // A glow whose map is missing would be a lamp.
    let missing = edited(|json| {
        json["materials"][0]["emissiveFactor"] = vec![1.0; 3].into();
        json["materials"][0]["emissiveTexture"] = serde_json::json!({ "index": 0 });
    });
    assert_eq!(missing.unwrap().model.materials[0].emissive, [0.0; 3]);
    // Half see-through everywhere, or blended for nothing.
    let blended = |json: &mut Value| json["materials"][0]["alphaMode"] = "BLEND".into();
    assert!(with([9, 9, 9, 100], blended).0.see_through);
    let (solid, _) = with([9, 9, 9, 255], blended);
    assert!(!solid.is_transparent() && solid.alpha_cutoff == 0.0);
    let (glass, _) = with([255, 255, 255, 255], |json| {
        json["materials"][0]["pbrMetallicRoughness"]["metallicFactor"] = 0.into();
        json["materials"][0]["extensions"] =
            serde_json::json!({ "KHR_materials_transmission": { "transmissionFactor": 0.5 } });
    });
    assert!(glass.is_transparent() && glass.translucency == 0.5, "{:?}", glass.base_color);
    let (unlit, warnings) = with([255, 255, 255, 255], |json| {
        json["materials"][0]["extensions"] = serde_json::json!({ "KHR_materials_unlit": {} });
        json["extensionsUsed"] = vec!["KHR_materials_unlit"].into();
    });
    assert_eq!((unlit.base_color[0], unlit.specular), (0.5, [0.0; 3]));
    assert!(
        warnings.iter().any(|warning| warning.text.contains("KHR_materials_unlit is not followed")),
        "{warnings:?}"
    );
    // A map that lies otherwise than the colour is left out, and told.
    let (material, warnings) = with([255, 255, 255, 255], |json| {
        json["materials"][0]["normalTexture"] = serde_json::json!({ "index": 0, "texCoord": 1 });
    });
    assert!(material.maps.normals.is_none());
    assert!(warnings.iter().any(|warning| warning.text.contains("map of its normals does not lie")), "{warnings:?}");
}

fn what_a_file_hides_is_not_drawn() {
    let hide = |json: &mut Value| {
        json["nodes"][2]["extensions"] = serde_json::json!({ "KHR_node_visibility": { "visible": false } });
    };
    assert!(edited(hide).unwrap().model.lods[0].indices.is_empty());
}

fn a_mask_cuts_the_product_of_factor_and_texel() {
    let cutoff = |alpha: f32, cutoff: f32| {
        let loaded = edited(|json| {
            json["materials"][0]["alphaMode"] = "MASK".into();
            json["materials"][0]["alphaCutoff"] = cutoff.into();
            json["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"][3] = alpha.into();
        });
        loaded.unwrap().model.materials[0].alpha_cutoff
    };
    assert!((cutoff(0.8, 0.4) - 0.5).abs() < 1e-6);
    assert!(cutoff(0.3, 0.5) > 1.0, "nothing is left");
}

fn a_scale_that_never_changes_takes_no_joint() {
    let joints = |scale: f32| {
        let folder = tempfile::tempdir().unwrap();
        let (mut json, mut buffer) = sample();
        let keys: Vec<u8> = [1.0_f32, 1.0, 1.0, 1.0, scale, 1.0].iter().flat_map(|key| key.to_le_bytes()).collect();
        let view = serde_json::json!({ "buffer": 0, "byteOffset": buffer.len(), "byteLength": keys.len() });
        buffer.extend(keys);
        json["buffers"][0]["byteLength"] = buffer.len().into();
        let accessor = serde_json::json!({ "bufferView": 7, "componentType": 5126, "count": 2, "type": "VEC3" });
        let sampler = serde_json::json!({ "input": 5, "output": 7 });
        let channel = serde_json::json!({ "sampler": 1, "target": { "node": 1, "path": "scale" } });
        json["bufferViews"].as_array_mut().unwrap().push(view);
        json["accessors"].as_array_mut().unwrap().push(accessor);
        json["animations"][0]["samplers"].as_array_mut().unwrap().push(sampler);
        json["animations"][0]["channels"].as_array_mut().unwrap().push(channel);
        let file = folder.path().join("sample.glb");
        std::fs::write(&file, container(&json, &buffer)).unwrap();
        load(&file).unwrap().model.skeleton.joints.len()
    };
    assert_eq!((joints(1.0), joints(1.000_05), joints(1.01)), (2, 2, 3));
}

fn a_rig_of_hundreds_of_joints_is_followed() {
    let rig = |count: usize| {
        edited(|json| {
            // Twigs of the joint that is turned turn with it, each with a square of its own.
            let nodes: Vec<usize> = (3..3 + count).collect();
            json["nodes"][1]["children"] = nodes.clone().into();
            let squares = nodes.iter().map(|x| serde_json::json!({ "mesh": 1, "translation": [x, 0, 0] }));
            json["nodes"].as_array_mut().unwrap().extend(squares);
            let mut square = json["meshes"][0].clone();
            square["primitives"][0]["attributes"] = serde_json::json!({ "POSITION": 0 });
            json["meshes"].as_array_mut().unwrap().push(square);
        })
    };
    let loaded = rig(400).expect("402 joints");
    assert_eq!(loaded.model.skeleton.joints.len(), 402);
    let farthest = |time_s| bounds(&loaded, time_s).map(|corner| corner.abs().max_element());
    let [least, greatest] = farthest(loaded.clips[0].end_s);
    // A quarter turn takes what lies along x to y.
    assert!(least < 4.0 && greatest > 400.0, "{least} {greatest}");
    let refused = rig(600).unwrap_err();
    assert!(refused.contains("more than 511 joints move something"), "{refused}");
}

fn a_pose_beside_a_motion_is_no_clip_and_one_alone_at_rest_is_none() {
    let pose = |at: [f32; 4]| {
        move |json: &mut Value, buffer: &mut Vec<u8>, is_alone: bool| {
            let (begin, keys) = (buffer.len(), [at, at].concat());
            buffer.extend(keys.iter().flat_map(|key| key.to_le_bytes()));
            json["buffers"][0]["byteLength"] = buffer.len().into();
            let view = serde_json::json!({ "buffer": 0, "byteOffset": begin, "byteLength": 32 });
            let accessor = serde_json::json!({ "bufferView": 7, "componentType": 5126, "count": 2, "type": "VEC4" });
            json["bufferViews"].as_array_mut().unwrap().push(view);
            json["accessors"].as_array_mut().unwrap().push(accessor);
            let still = serde_json::json!({
                "name": "T-Pose",
                "channels": [{ "sampler": 0, "target": { "node": 1, "path": "rotation" } }],
                "samplers": [{ "input": 5, "output": 7 }]
            });
            let animations = json["animations"].as_array_mut().unwrap();
            animations.insert(0, still);
            animations.truncate(if is_alone { 1 } else { 2 });
        }
    };
    let clips = |at: [f32; 4], is_alone: bool| {
        let folder = tempfile::tempdir().unwrap();
        let (mut json, mut buffer) = sample();
        pose(at)(&mut json, &mut buffer, is_alone);
        let file = folder.path().join("sample.glb");
        std::fs::write(&file, container(&json, &buffer)).unwrap();
        let loaded = load(&file).unwrap();
        let told = loaded.warnings.iter().any(|warning| warning.text.contains("'T-Pose' moves nothing"));
        (loaded.clips.iter().map(|clip| clip.name.clone()).collect::<Vec<_>>(), told)
    };
    let (rest, turned) = ([0., 0., 0., 1.], [0., 0.6, 0., 0.8]);
    assert_eq!(clips(rest, false), (vec!["wave".into()], true));
    assert_eq!(clips(turned, false), (vec!["wave".into()], true));
    assert_eq!(clips(rest, true), (vec![], true));
    assert_eq!(clips(turned, true), (vec!["T-Pose".into()], false), "how the file is meant to stand");
}

fn files_that_are_no_models_are_named_for_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    for (bytes, what) in [
        (b"version https://git-lfs.github.com/spec/v1\n".as_slice(), "git lfs pull"),
        (b"<!DOCTYPE html><html>", "a web page"),
        (b"Kaydara FBX Binary  \0", "an FBX file"),
        (b"PK\x03\x04", "a zip archive"),
        (b"", "an empty file"),
    ] {
        let file = folder.path().join("fish.glb");
        std::fs::write(&file, bytes).unwrap();
        let error = load(&file).unwrap_err();
        assert!(error.contains(what), "{error}");
        let check = Command::new(env!("CARGO_BIN_EXE_pelagic")).args(["model", "check"]).arg(&file).output().unwrap();
        let said = String::from_utf8_lossy(&check.stderr).into_owned();
        assert!(check.status.code() == Some(1) && said.contains(what), "{said}");
    }
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    files_of_others_agree_with_another_reader;
    a_skin_follows_its_animation;
    colours_of_vertices_multiply_the_materials;
    morph_targets_go_from_their_own_weights_at_rest;
    text_with_its_buffer_inside_is_the_same;
    what_is_wrong_is_said_with_its_place;
    every_truncation_and_changed_byte_ends_well;
    the_commands_know_the_format;
    what_exporters_write_against_the_letter_is_read;
    files_are_found_by_names_as_other_systems_write_them;
    extensions_that_only_touch_materials_refuse_no_file;
    materials_are_as_their_author_made_them;
    what_a_file_hides_is_not_drawn;
    a_mask_cuts_the_product_of_factor_and_texel;
    a_scale_that_never_changes_takes_no_joint;
    a_rig_of_hundreds_of_joints_is_followed;
    files_that_are_no_models_are_named_for_what_they_are;
    a_pose_beside_a_motion_is_no_clip_and_one_alone_at_rest_is_none;
};
