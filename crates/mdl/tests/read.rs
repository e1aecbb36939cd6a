//! Reading of a sample with something of everything, and messages for damaged ones.
#![allow(clippy::unwrap_used)] // A failure here is a failed test.

mod sample;

use mdl::{Companion, Document, Limits, Part, ReadError, Warning, read};
use proptest::prelude::*;
use sample::{FRAMES, Sample, sample};

fn read_with(sample: &Sample) -> Result<Document, ReadError> {
    read(&sample.model, &Limits::default(), &mut |companion| match companion {
        Companion::Textures => Ok(sample.textures.clone()),
        Companion::Group(1) => Ok(sample.group.clone()),
        Companion::Group(_) => Err("it is not there".into()),
    })
}

fn alone(model: &[u8]) -> Result<Document, ReadError> {
    read(model, &Limits::default(), &mut |_| Err("it is not there".into()))
}

#[test]
fn everything_is_read() {
    let document = read_with(&sample()).unwrap();
    assert_eq!(document.warnings, []);
    assert_eq!(document.name, "sample.mdl");
    let parents: Vec<_> = document.bones.iter().map(|bone| (bone.name.as_str(), bone.parent)).collect();
    assert_eq!(parents, [("root", None), ("tail", Some(0))]);
    assert_eq!(document.bones[1].controllers, [Some(0); 6]);
    assert_eq!((document.controllers[0].bone, document.controllers[0].end), (1, 45.0));
    assert_eq!((document.hit_boxes[0].group, document.attachments[0].origin), (3, [0.5, 0.0, 0.25]));
    let sequences: Vec<_> =
        document.sequences.iter().map(|s| (s.name.as_str(), s.fps, s.blends.len(), s.group)).collect();
    assert_eq!(sequences, [("idle", 10.0, 1, 0), ("look", 20.0, 2, 0), ("idle", 30.0, 1, 1)]);
    let event = &document.sequences[0].events[0];
    assert_eq!((event.frame, event.event, event.options.as_str()), (2, 5001, "sound/splash.wav"));
    assert_eq!(document.sequences[1].blend_axes[0].end, 1.0);
}

#[test]
fn a_large_model_is_one_file() {
    let document = alone(&sample::large()).unwrap();
    assert_eq!(document.warnings, []);
    assert_eq!(
        (document.bones.len(), document.sequences.len(), document.textures[0].pixels.len()),
        (32, 20, 512 * 256)
    );
    assert_eq!(document.body_parts[0].models[0].meshes[0].triangles.len(), 1498);
    let last = &document.sequences[19].blends[0][31];
    assert_eq!(last.channels[5].0, (0..40).map(|frame| frame * 95 % 300).collect::<Vec<i16>>());
}

#[test]
fn channels_are_runs_whose_last_value_stays() {
    let document = read_with(&sample()).unwrap();
    for sequence in &document.sequences {
        for (tracks, sign) in sequence.blends.iter().zip([1, -1]) {
            assert!(tracks[0].is_still());
            assert_eq!(tracks[1].channels[5].0, [0, 100 * sign, 200 * sign, 300 * sign]);
            assert_eq!(tracks[1].channels[5].0.len(), FRAMES);
            let pose = tracks[1].pose(&document.bones[1], 2);
            assert_eq!(pose[0], 1.0, "its own value");
            assert!((pose[5] - (0.25 + 0.2 * f32::from(sign))).abs() < 1e-6);
        }
    }
}

#[test]
fn strips_and_fans_become_triangles_of_one_winding() {
    let document = read_with(&sample()).unwrap();
    let trunk = document.body_parts[0].chosen(0).unwrap();
    let corners: Vec<_> = trunk.meshes[0].triangles.iter().map(|t| t.map(|corner| corner.vertex)).collect();
    assert_eq!(corners, [[0, 1, 2], [2, 1, 3], [0, 1, 2]]);
    assert_eq!(trunk.meshes[0].triangles[1][2].texel, [32, 16]);
    let heads = [0, 1, 2].map(|body| document.body_parts[1].chosen(body).unwrap().name.as_str());
    assert_eq!(heads, ["head0", "head1", "head0"]);
}

#[test]
fn skins_choose_textures() {
    let document = read_with(&sample()).unwrap();
    let slot =
        |family, slot| document.skins.texture(family, slot).map(|texture| document.textures[texture].name.as_str());
    assert_eq!(
        (slot(0, 0), slot(1, 0), slot(9, 0), slot(0, 2)),
        (Some("skin.bmp"), Some("mask.bmp"), Some("skin.bmp"), None)
    );
    let mask = &document.textures[1];
    assert_eq!((mask.width, mask.height, &mask.pixels[..2], mask.palette[7]), (8, 8, &[1, 255][..], [7, 10, 200]));
}

#[test]
fn missing_files_are_told_and_what_they_hold_is_left_out() {
    let document = alone(&sample().model).unwrap();
    let told: Vec<_> = document.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "sequence file (NAME01.mdl): it is not there; what it holds is left out",
            "texture file (NAMEt.mdl): it is not there; what it holds is left out"
        ]
    );
    assert_eq!((document.sequences.len(), document.textures.len()), (2, 0));
}

#[test]
fn other_files_say_what_they_are() {
    let sample = sample();
    let text = |bytes: &[u8]| alone(bytes).unwrap_err().to_string();
    assert!(text(&sample.group).contains("holds only a group of sequences"));
    assert_eq!(alone(&sample.textures).unwrap().warnings, [Warning::NothingDrawn]);
    assert!(text(b"IDPO\x06\0\0\0").contains("Quake"));
    let mut source = sample.model.clone();
    source[4] = 48;
    assert_eq!(
        text(&source),
        "header (byte 4): version 48 is not supported, only 10 (GoldSrc) is; this is a model of the Source engine"
    );
    assert!(text(b"IDST").contains("lie outside the file, which has 4"));
    assert!(text(b"MS3D000000").contains("not a GoldSrc model"));
}

#[test]
fn damage_is_placed() {
    let with = |at: usize, value: i32| {
        let mut sample = sample();
        sample.model[at..at + 4].copy_from_slice(&value.to_le_bytes());
        read_with(&sample)
    };
    let place =
        |result: Result<Document, ReadError>| result.unwrap_err().place().map(|place| (place.part, place.record));
    // Counts, offsets, and the first bone's parent.
    assert_eq!(place(with(140, 1_000_000_000)), Some((Part::Bones, None)));
    assert_eq!(place(with(140, -1)), Some((Part::Bones, None)));
    assert_eq!(place(with(144, -8)), Some((Part::Bones, None)));
    assert_eq!(place(with(244 + 32, 0)), Some((Part::Bones, Some(0))));
    assert_eq!(place(with(208, 1 << 30)), Some((Part::BodyParts, None)));
    // A table that is not drawn is left out.
    let document = with(216, i32::MAX).unwrap();
    assert!(matches!(document.warnings[..], [Warning::Table { why: ReadError::Outside { .. } }]));
    // An empty run would never end.
    let mut sample = sample();
    let run = sample.group.len() - 12;
    sample.group[run + 1] = 0;
    let document = read_with(&sample).unwrap();
    assert!(matches!(document.warnings[..], [Warning::Sequence { index: 2, why: ReadError::EmptyRun { .. }, .. }]));
}

#[test]
fn limits_bound_what_a_small_file_can_ask_for() {
    let sample = sample();
    let with = |limits: Limits| read(&sample.model, &limits, &mut |_| Ok(sample.textures.clone()));
    assert!(matches!(with(Limits { records: 40, ..Limits::default() }), Err(ReadError::Count { .. })));
    assert!(matches!(with(Limits { bones: 1, ..Limits::default() }), Err(ReadError::Count { limit: 1, .. })));
    assert!(matches!(with(Limits { file_bytes: 99, ..Limits::default() }), Err(ReadError::FileTooLarge { .. })));
    let few = with(Limits { frames: FRAMES, ..Limits::default() }).unwrap();
    assert_eq!(few.sequences.len(), 1, "the numbers of one channel");
    assert!(with(Limits { pixels: 550, ..Limits::default() }).unwrap().textures[1].pixels.is_empty());
}

#[test]
fn every_truncation_ends_well() {
    let sample = sample();
    for length in 0..sample.model.len() {
        _ = alone(&sample.model[..length]);
    }
    for length in 0..sample.textures.len() {
        let cut = Sample { textures: sample.textures[..length].to_vec(), ..sample.clone() };
        read_with(&cut).unwrap();
    }
    for length in 0..sample.group.len() {
        read_with(&Sample { group: sample.group[..length].to_vec(), ..sample.clone() }).unwrap();
    }
}

#[test]
fn every_changed_byte_ends_well() {
    let sample = sample();
    for at in 0..sample.model.len() {
        for change in [1, 0x80, 0xff] {
            let mut changed = sample.clone();
            changed.model[at] ^= change;
            _ = read_with(&changed);
        }
    }
}

proptest! {
    #[test]
    fn noise_ends_well(noise in proptest::collection::vec(any::<u8>(), 0..600), at in 4usize..1200) {
        let mut changed = sample();
        let end = changed.model.len().min(at + noise.len());
        changed.model[at.min(end)..end].copy_from_slice(&noise[..end - at.min(end)]);
        _ = read_with(&changed);
    }
}
