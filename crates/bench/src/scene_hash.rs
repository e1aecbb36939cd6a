//! Hash of what was drawn: equal for equal settings, models, shaders and seed.

use config::{CARD_KEY, Config, MODEL_KEY};
use math::{Fnv, hex};
use serde::Serialize;
use serde_json::Value;
use view::StaticScene;

use crate::report::SceneHashes;

/// Hashes of the parts; `shaders` is a hash of their sources.
pub fn parts(config: &Config, static_scene: &StaticScene, shaders: u64) -> SceneHashes {
    SceneHashes { config: of_config(config), assets: of_assets(static_scene), shaders: hex(shaders) }
}

/// One hash of the parts and the seed.
pub fn whole(parts: &SceneHashes, seed: u64) -> String {
    let mut fnv = Fnv::default();
    for part in [&parts.config, &parts.assets, &parts.shaders] {
        fnv.item(part.as_bytes());
    }
    fnv.bytes(&seed.to_le_bytes());
    fnv.hex()
}

/// Every key that is hashed, with numbers as short as a file would have them.
pub fn settings(config: &Config) -> Value {
    drawn(&config::values(config))
}

fn of_config(config: &Config) -> String {
    let mut fnv = Fnv::default();
    fnv.item(drawn(config).to_string().as_bytes());
    fnv.hex()
}

/// Settings without those that do not affect the picture.
fn drawn(settings: &impl Serialize) -> Value {
    let mut settings = serde_json::to_value(settings).expect("settings are plain data with string keys");
    // The name does not affect the picture.
    settings.as_object_mut().and_then(|settings| settings.shift_remove("name"));
    forget_folders(&mut settings);
    settings
}

/// Strips the folders of models and cards, which do not affect the picture: the same scene in another folder has the
/// same hash.
fn forget_folders(settings: &mut Value) {
    match settings {
        Value::Object(table) => {
            for (key, value) in table {
                match value {
                    Value::String(path) if key == MODEL_KEY || key == CARD_KEY => {
                        *path = path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
                    }
                    value => forget_folders(value),
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(forget_folders),
        _ => {}
    }
}

fn of_assets(static_scene: &StaticScene) -> String {
    let mut fnv = Fnv::default();
    let of_joint = |fnv: &mut Fnv, time_s: f32, key: &[f32]| {
        take_floats(fnv, &[time_s]);
        take_floats(fnv, key);
    };
    for model in &static_scene.models {
        for lod in &model.lods {
            for vertex in &lod.vertices {
                take_floats(&mut fnv, &vertex.position.to_array());
                take_floats(&mut fnv, &vertex.uv.to_array());
                take_floats(&mut fnv, &vertex.weights);
                vertex.joints.iter().for_each(|joint| fnv.bytes(&joint.to_le_bytes()));
            }
            lod.indices.iter().for_each(|index| fnv.bytes(&index.to_le_bytes()));
        }
        for material in &model.materials {
            take_floats(&mut fnv, &material.base_color);
            let images = std::iter::once(&material.texture).chain(material.maps.all());
            for image in images.flatten() {
                fnv.bytes(&image.width.to_le_bytes());
                fnv.item(&image.rgba);
            }
        }
        for joint in &model.skeleton.joints {
            joint.rotation_keys.iter().for_each(|(time_s, key)| of_joint(&mut fnv, *time_s, &key.to_array()));
            joint.translation_keys.iter().for_each(|(time_s, key)| of_joint(&mut fnv, *time_s, &key.to_array()));
        }
        fnv.bytes(&model.palette.rows.to_le_bytes());
    }
    if let Some(seabed) = &static_scene.seabed {
        seabed.positions.iter().for_each(|p| take_floats(&mut fnv, &p.to_array()));
        seabed.indices.iter().for_each(|i| fnv.bytes(&i.to_le_bytes()));
    }
    let cover = static_scene.cover.iter();
    let cover = cover.flat_map(|batch| batch.patches.iter().map(|patch| (batch.model, &patch.instances)));
    let props = static_scene.props.iter().map(|batch| (batch.model, &batch.instances));
    for (model, instances) in props.chain(cover) {
        fnv.bytes(&(model as u64).to_le_bytes());
        for instance in instances {
            take_floats(&mut fnv, &instance.position.to_array());
            take_floats(&mut fnv, &[instance.scale]);
        }
    }
    fnv.hex()
}

/// Hashes floats in ten-thousandths: the last bit of a sine differs between machines, the picture does not.
fn take_floats(fnv: &mut Fnv, values: &[f32]) {
    for value in values {
        fnv.bytes(&((f64::from(*value) * 1e4).round() as i64).to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use view::{Instance, SeabedMesh, StaticBatch};

    use super::*;

    const SHADERS: u64 = 0xabc;

    fn config() -> Config {
        let mut config = Config::default();
        config.scene.species = vec![Default::default()];
        config.scene.species[0].model = "my/turtle.ms3d".into();
        config
    }

    fn static_scene() -> StaticScene {
        StaticScene {
            models: Vec::new(),
            seabed: Some(SeabedMesh { positions: vec![glam::Vec3::ONE], ..SeabedMesh::default() }),
            props: vec![StaticBatch { instances: vec![Instance::default()], ..StaticBatch::default() }],
            cover: Vec::new(),
        }
    }

    #[test]
    fn equal_scenes_have_equal_hashes_wherever_their_files_lie() {
        let mut elsewhere = config();
        elsewhere.scene.species[0].model = "C:\\fish\\turtle.ms3d".into();
        let here = parts(&config(), &static_scene(), SHADERS);
        assert_eq!(here, parts(&elsewhere, &static_scene(), SHADERS));
        assert_eq!(whole(&here, 1), whole(&here, 1));
        assert_ne!(whole(&here, 1), whole(&here, 2));
    }

    #[test]
    fn each_part_shows_its_own_changes_only() {
        let usual = parts(&config(), &static_scene(), SHADERS);
        let mut murky = config();
        murky.scene.camera.fov_deg += 1.0;
        let changed = parts(&murky, &static_scene(), SHADERS);
        assert_ne!(changed.config, usual.config);
        assert_eq!((&changed.assets, &changed.shaders), (&usual.assets, &usual.shaders));

        let mut moved = static_scene();
        moved.props[0].instances[0].position.x += 0.001;
        assert_ne!(parts(&config(), &moved, SHADERS).assets, usual.assets);

        assert_ne!(parts(&config(), &static_scene(), SHADERS + 1).shaders, usual.shaders);
    }

    /// Copies of `value`, one for each leaf, which is changed in it to something else that `schema` allows.
    fn changed_leaves(value: &Value, schema: &Value) -> Vec<Value> {
        match value {
            Value::Object(table) => {
                let of_key = |(key, inner): (&String, &Value)| -> Vec<Value> {
                    let schema = schema["properties"].get(key).unwrap_or(&schema["additionalProperties"]);
                    let with = |inner| Value::Object(table.clone().into_iter().chain([(key.clone(), inner)]).collect());
                    changed_leaves(inner, schema).into_iter().map(with).collect()
                };
                table.iter().flat_map(of_key).collect()
            }
            Value::Array(list) => {
                let of_item = |(at, inner): (usize, &Value)| -> Vec<Value> {
                    let with = |inner| {
                        let mut list = list.clone();
                        list[at] = inner;
                        Value::Array(list)
                    };
                    changed_leaves(inner, &schema["items"]).into_iter().map(with).collect()
                };
                list.iter().enumerate().flat_map(of_item).collect()
            }
            Value::Bool(yes) => vec![(!yes).into()],
            Value::Number(number) => vec![number.as_u64().map_or_else(
                || (number.as_f64().expect("it is no whole number") + 0.5).into(),
                |whole| (whole + 1).into(),
            )],
            Value::String(text) => {
                // A single choice has no other.
                schema["oneOf"].as_array().map_or_else(
                    || vec![format!("{text}x").into()],
                    |choices| {
                        let mut choices = choices.iter().map(|choice| choice["const"].clone());
                        choices.find(|choice| choice != value).into_iter().collect()
                    },
                )
            }
            Value::Null => panic!("settings hold no null"),
        }
    }

    #[test]
    fn every_table_counts() {
        let sample = serde_json::to_value(config::sample()).expect("plain data");
        let of_json = |json: &Value| of_config(&Config::deserialize(json).expect("a scene"));
        let (usual, changed) = (of_json(&sample), changed_leaves(&sample, config::json_schema().as_value()));
        assert!(changed.len() > 250, "only {} leaves", changed.len());
        for changed in changed {
            let counts = changed["name"] == sample["name"];
            assert_eq!(of_json(&changed) != usual, counts, "{changed}");
        }
    }
}
