//! What was drawn, as a hash: equal for equal settings, models, shaders and seed.

use math::{Fnv, hex};
use serde::Serialize;

use crate::bench::report::SceneHashes;
use crate::config::Config;
use crate::scene::{SceneSettings, StaticScene};

/// Hashes of the parts; `shaders` is a hash of their sources.
pub fn parts(config: &Config, stage: &StaticScene, shaders: u64) -> SceneHashes {
    SceneHashes { config: of_config(config), assets: of_assets(stage), shaders: hex(shaders) }
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

fn of_config(config: &Config) -> String {
    let mut fnv = Fnv::default();
    // All fields by name: whoever adds one is made to think of it here.
    let SceneSettings {
        name: _,
        water,
        waves,
        sun,
        moon,
        sky,
        lights,
        current,
        seabed,
        flora,
        species,
        props,
        particles,
        cards,
        camera,
    } = &config.scene;
    take(&mut fnv, water);
    take(&mut fnv, waves);
    take(&mut fnv, sun);
    take(&mut fnv, moon);
    take(&mut fnv, sky);
    take(&mut fnv, lights);
    take(&mut fnv, current);
    take(&mut fnv, seabed);
    take(&mut fnv, flora);
    for of_species in species {
        let mut of_species = of_species.clone();
        of_species.model = file_name(&of_species.model);
        take(&mut fnv, &of_species);
    }
    for prop in props {
        let mut prop = prop.clone();
        prop.model = file_name(&prop.model);
        take(&mut fnv, &prop);
    }
    take(&mut fnv, particles);
    take(&mut fnv, cards);
    take(&mut fnv, camera);
    take(&mut fnv, &config.post);
    take(&mut fnv, &config.render);
    fnv.hex()
}

/// Where a file lies is no part of what is drawn: the same scene in another folder has the same hash.
fn file_name(path: &str) -> String {
    path.rsplit(['/', '\\']).next().unwrap_or(path).to_string()
}

fn take(fnv: &mut Fnv, settings: &impl Serialize) {
    let text = serde_json::to_string(settings).expect("settings are plain data with string keys");
    fnv.item(text.as_bytes());
}

fn of_assets(stage: &StaticScene) -> String {
    let mut fnv = Fnv::default();
    let of_joint = |fnv: &mut Fnv, time_s: f32, key: &[f32]| {
        take_floats(fnv, &[time_s]);
        take_floats(fnv, key);
    };
    for model in &stage.models {
        for lod in &model.lods {
            for vertex in &lod.vertices {
                take_floats(&mut fnv, &vertex.position.to_array());
                take_floats(&mut fnv, &vertex.uv.to_array());
                take_floats(&mut fnv, &vertex.weights);
                fnv.bytes(&vertex.joints);
            }
            lod.indices.iter().for_each(|index| fnv.bytes(&index.to_le_bytes()));
        }
        for material in &model.materials {
            take_floats(&mut fnv, &material.base_color);
            if let Some(image) = &material.texture {
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
    if let Some(seabed) = &stage.seabed {
        seabed.positions.iter().for_each(|p| take_floats(&mut fnv, &p.to_array()));
        seabed.indices.iter().for_each(|i| fnv.bytes(&i.to_le_bytes()));
    }
    for batch in &stage.props {
        fnv.bytes(&(batch.model as u64).to_le_bytes());
        for instance in &batch.instances {
            take_floats(&mut fnv, &instance.position.to_array());
            take_floats(&mut fnv, &[instance.scale]);
        }
    }
    fnv.hex()
}

/// Ten-thousandths: what the last bit of a sine is differs between machines, what is drawn does not.
fn take_floats(fnv: &mut Fnv, values: &[f32]) {
    for value in values {
        fnv.bytes(&((f64::from(*value) * 1e4).round() as i64).to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Instance, SeabedMesh, StaticBatch};

    const SHADERS: u64 = 0xabc;

    fn config() -> Config {
        let mut config = Config::default();
        config.scene.species = vec![Default::default()];
        config.scene.species[0].model = "my/turtle.ms3d".into();
        config
    }

    fn stage() -> StaticScene {
        StaticScene {
            models: Vec::new(),
            seabed: Some(SeabedMesh { positions: vec![glam::Vec3::ONE], ..SeabedMesh::default() }),
            props: vec![StaticBatch { instances: vec![Instance::default()], ..StaticBatch::default() }],
        }
    }

    #[test]
    fn equal_scenes_have_equal_hashes_wherever_their_files_lie() {
        let mut elsewhere = config();
        elsewhere.scene.species[0].model = "C:\\fish\\turtle.ms3d".into();
        let here = parts(&config(), &stage(), SHADERS);
        assert_eq!(here, parts(&elsewhere, &stage(), SHADERS));
        assert_eq!(whole(&here, 1), whole(&here, 1));
        assert_ne!(whole(&here, 1), whole(&here, 2));
    }

    #[test]
    fn each_part_shows_its_own_changes_only() {
        let usual = parts(&config(), &stage(), SHADERS);
        let mut murky = config();
        murky.scene.camera.fov_deg += 1.0;
        let changed = parts(&murky, &stage(), SHADERS);
        assert_ne!(changed.config, usual.config);
        assert_eq!((&changed.assets, &changed.shaders), (&usual.assets, &usual.shaders));

        let mut moved = stage();
        moved.props[0].instances[0].position.x += 0.001;
        assert_ne!(parts(&config(), &moved, SHADERS).assets, usual.assets);

        assert_ne!(parts(&config(), &stage(), SHADERS + 1).shaders, usual.shaders);
    }

    #[test]
    fn every_table_counts() {
        let usual = of_config(&config());
        let mut changes: Vec<fn(&mut Config)> = vec![
            |c| c.scene.sun.elevation_deg = 12.5,
            |c| c.scene.species[0].count += 1,
            |c| c.scene.particles.snow_count += 1,
            |c| c.scene.seabed.depth_m += 1.0,
            |c| c.post.exposure_ev += 1.0,
            |c| c.render.effects.caustics = false,
        ];
        for (i, change) in changes.drain(..).enumerate() {
            let mut config = config();
            change(&mut config);
            assert_ne!(of_config(&config), usual, "change {i}");
        }
    }
}
