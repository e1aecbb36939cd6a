//! F9: a film of the screen at a fixed step, until it is ended.

use std::fs;

use scene::World;

use super::room::{Driver, Room, SMALL, pass};
use crate::input::Action;

#[test]
fn a_film_goes_on_at_a_fixed_step_says_so_and_is_whole_when_it_is_ended() {
    let mut room = Room::new(Driver::NullCard, SMALL);
    room.frame();
    room.press(Action::Film);
    assert!(room.outside.title.borrow().contains("filming"), "{}", room.outside.title.borrow());
    assert!(room.demo.panels.texts().join("\n").contains("F9 ends it"));
    let before_s = room.demo.session.world().time_s();
    for _ in 0..31 {
        // Frames that take far longer than they show.
        pass(0.7);
        room.frame();
    }
    let steps = (room.demo.session.world().time_s() - before_s) / World::STEP_S;
    assert_eq!(steps.round() as u32, 62, "two steps a frame");
    assert!(room.demo.panels.texts().join("\n").contains("1 s so far"));
    assert_eq!(
        fs::read_dir(room.path("pictures")).map_or(0, |files| {
            files
                .filter(|file| file.as_ref().is_ok_and(|file| !file.file_name().to_string_lossy().starts_with('.')))
                .count()
        }),
        0,
        "it appears when it is whole"
    );
    room.press(Action::Film);
    room.demo.finish_saving();
    assert!(!room.outside.title.borrow().contains("filming"));
    let file = fs::read_dir(room.path("pictures")).expect("there").next().expect("a file").expect("an entry").path();
    assert_eq!(file.extension().expect("y4m"), "y4m");
    let bytes = fs::read(&file).expect("there");
    let head = bytes.split(|b| *b == b'\n').next().expect("a head").to_vec();
    let (width, height) = room.demo.stage.as_ref().expect("a screen").size();
    let (width, height) = (width & !1, height & !1);
    let head = String::from_utf8(head).expect("ASCII");
    assert!(head.starts_with(&format!("YUV4MPEG2 W{width} H{height} F30:1 ")), "{head}");
    assert_eq!(bytes.len(), head.len() + 1 + 31 * (6 + (width * height * 3 / 2) as usize));
}

#[test]
fn a_film_that_no_folder_takes_is_an_error_and_one_at_the_end_is_kept() {
    let mut room = Room::new(Driver::NullCard, SMALL);
    room.frame();
    fs::write(room.path("pictures"), "in the way").expect("written");
    room.press(Action::Film);
    assert!(room.demo.film.is_none() && room.demo.panels.error("film").is_some());
    fs::remove_file(room.path("pictures")).expect("there");
    room.press(Action::Film);
    room.frame();
    room.demo.finish_saving();
    assert_eq!(fs::read_dir(room.path("pictures")).expect("there").count(), 1, "the end of the program ends it");
}

#[test]
#[cfg(unix)]
fn a_film_goes_through_the_encoder_that_is_there_and_says_which_of_both_it_is() {
    use std::os::unix::fs::PermissionsExt as _;

    let mut room = Room::new(Driver::NullCard, SMALL);
    room.frame();
    room.press(Action::Film);
    assert!(room.demo.panels.texts().join("\n").contains("uncompressed"), "{:?}", room.demo.panels.texts());
    room.frame();
    room.press(Action::Film);
    room.demo.finish_saving();
    // A program without the encoder for the film counts as none.
    for (encoders, ending) in [("V....D mpeg4", "y4m"), ("V....D libx264", "mp4")] {
        let script = format!(
            "#!/bin/sh\ncase \"$*\" in -version) echo ffmpeg 0; exit;; *-encoders) echo '{encoders}'; exit;; esac\n\
             for out; do :; done; exec cat > \"$out\"\n"
        );
        fs::write(room.path("ffmpeg"), script).expect("written");
        fs::set_permissions(room.path("ffmpeg"), fs::Permissions::from_mode(0o755)).expect("ours");
        fs::remove_dir_all(room.path("pictures")).expect("there");
        room.press(Action::Film);
        let said = room.demo.panels.texts().join("\n");
        assert_eq!((said.contains("uncompressed"), said.contains(&format!("0001.{ending}"))), (ending == "y4m", true));
        (0..3).for_each(|_| room.frame());
        // Somebody else takes its name.
        let taken = room.path(format!("pictures/pelagic-mine-0001.{ending}"));
        fs::write(&taken, "mine").expect("written");
        room.press(Action::Film);
        room.demo.finish_saving();
        assert_eq!(room.demo.panels.error("film"), None);
        assert_eq!(fs::read(&taken).expect("kept"), b"mine");
        let film = fs::read(room.path(format!("pictures/pelagic-mine-0002.{ending}"))).expect("written");
        assert_eq!(film.windows(6).filter(|bytes| *bytes == b"FRAME\n").count(), 3);
    }
}
