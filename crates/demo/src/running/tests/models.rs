//! Models and textures that are edited while they are shown.

use std::fs;

use super::room::{Driver, Room, pass};
use crate::input::Action;

/// Seven fish from files of their own.
const OWN: &str = "[render]\nquality = \"low\"\n[seabed]\npresent = false\n[[species]]\nname = \"mine\"\n\
    model = \"fish.ms3d\"\nlength_m = 0.2\ncount = 7\n";

fn room() -> Room {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).expect("written");
    write("fish.ms3d", assets::read("sardine.ms3d").expect("a built-in model"));
    write("sardine.png", assets::read("sardine.png").expect("its texture"));
    write("mine.toml", OWN.as_bytes());
    let scene = folder.path().join("mine.toml").display().to_string();
    Room::open(Driver::NullCard, folder, &scene, (64, 36), &[]).expect("it opens")
}

impl Room {
    fn write(&self, name: &str, bytes: &[u8]) {
        // As editors do it: the new file takes the old one's place.
        fs::write(self.path("new"), bytes).expect("written");
        fs::rename(self.path("new"), self.path(name)).expect("moved");
    }

    /// Lets the demo look at its files often enough for an edit to be believed.
    fn look_outside(&mut self) {
        for _ in 0..3 {
            pass(0.3);
            self.demo.idle();
        }
    }

    fn triangles(&self) -> usize {
        self.demo.session.world().static_scene().models[0].lods[0].indices.len() / 3
    }

    fn state(&self) -> u64 {
        self.demo.session.world().state_hash()
    }
}

#[test]
fn an_edited_model_takes_the_place_of_the_old_one_and_animals_go_on() {
    let mut room = room();
    (0..30).for_each(|_| room.frame());
    let (sardine, before) = (room.triangles(), room.state());
    room.look_outside();
    assert_eq!(room.triangles(), sardine, "nothing has happened yet");
    room.write("fish.ms3d", assets::read("clownfish.ms3d").expect("a built-in model"));
    room.look_outside();
    let clownfish = room.triangles();
    assert!(clownfish > sardine);
    assert_eq!(room.state(), before, "in their places");
    room.frame();
    assert!(room.demo.panels.error("scene").is_none());
}

#[test]
fn a_broken_model_leaves_the_last_good_one_until_it_is_mended() {
    let mut room = room();
    let sardine = room.triangles();
    room.write("fish.ms3d", b"MS3D0000");
    room.look_outside();
    let said = room.demo.panels.error("scene").expect("it is said").to_owned();
    assert!(said.contains("fish.ms3d' is not a usable MS3D file"), "{said}");
    assert_eq!(room.triangles(), sardine);
    // Other changes are shown with the last good model.
    room.press(Action::MoreFish);
    room.frame();
    assert_eq!(room.triangles(), sardine);
    fs::remove_file(room.path("fish.ms3d")).expect("it is there");
    room.look_outside();
    assert_eq!(room.triangles(), sardine, "gone for a moment");
    room.write("fish.ms3d", assets::read("clownfish.ms3d").expect("a built-in model"));
    room.look_outside();
    assert!(room.triangles() > sardine && room.demo.panels.error("scene").is_none());
}

#[test]
fn a_model_that_the_scene_names_anew_may_be_mended_too() {
    let mut room = room();
    let sardine = room.triangles();
    room.write("other.ms3d", b"MS3D0000");
    room.write("mine.toml", OWN.replace("fish.ms3d", "other.ms3d").as_bytes());
    room.look_outside();
    assert!(room.demo.panels.error("scene").is_some());
    room.write("other.ms3d", assets::read("clownfish.ms3d").expect("a built-in model"));
    room.look_outside();
    assert!(room.triangles() > sardine && room.demo.panels.error("scene").is_none());
}

#[test]
fn a_texture_is_followed_also_while_it_is_missing() {
    let mut room = room();
    let texels = |room: &Room| {
        let materials = room.demo.session.world().static_scene().models[0].materials.clone();
        materials.iter().find_map(|material| material.texture.clone()).expect("one").rgba.len()
    };
    let whole = texels(&room);
    let picture = |side: u32| {
        let mut bytes = std::io::Cursor::new(Vec::new());
        image::RgbaImage::new(side, side).write_to(&mut bytes, image::ImageFormat::Png).expect("written");
        bytes.into_inner()
    };
    room.write("sardine.png", &picture(8));
    room.look_outside();
    assert_eq!(texels(&room), 4 * 8 * 8);
    fs::remove_file(room.path("sardine.png")).expect("it is there");
    room.write("fish.ms3d", assets::read("chromis.ms3d").expect("a built-in model"));
    room.look_outside();
    let substitute = texels(&room);
    assert_ne!(substitute, whole);
    room.write("chromis.png", &picture(16));
    room.look_outside();
    assert_eq!(texels(&room), 4 * 16 * 16);
}

#[test]
fn built_in_models_have_no_files() {
    let room = Room::new(Driver::NullCard, super::room::SMALL);
    assert_eq!(room.demo.session.world().model_files().count(), 0);
}
