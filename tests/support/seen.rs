//! The program's window as seen on a virtual screen, and the window manager that is not there.

use std::time::{Duration, Instant};

use image::{Rgb, RgbImage};
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{ChangeWindowAttributesAux, ConnectionExt as _, EventMask, ImageFormat, Window};
use x11rb::rust_connection::RustConnection;

use super::desktop::PATIENCE;

/// Between two looks at the screen.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The window as it is on the screen, with what is written on it.
pub fn look(connection: &RustConnection, window: Window) -> RgbImage {
    let size = connection.get_geometry(window).expect("sent").reply().expect("answered");
    let image = connection.get_image(ImageFormat::Z_PIXMAP, window, 0, 0, size.width, size.height, u32::MAX);
    let pixels = image.expect("sent").reply().expect("all of it is on the screen").data;
    let rgb = pixels.chunks_exact(4).flat_map(|pixel| [pixel[2], pixel[1], pixel[0]]).collect();
    RgbImage::from_raw(size.width.into(), size.height.into(), rgb).expect("four bytes a pixel, as Xvfb was started")
}

/// Looks at the window until `found` finds something in it.
pub fn look_for<T>(
    connection: &RustConnection,
    window: Window,
    what: &str,
    found: impl Fn(&RgbImage) -> Option<T>,
) -> T {
    let until = Instant::now() + PATIENCE;
    loop {
        let seen = look(connection, window);
        if let Some(found) = found(&seen) {
            return found;
        }
        if Instant::now() > until {
            let file = std::env::temp_dir().join(format!("{}.png", what.replace(' ', "_")));
            let _ = seen.save(&file);
            panic!("never seen: {what}; the last look is {}", file.display());
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// The middles of `count` fields of one colour each that lie side by side, as wide as each other.
pub fn fields(seen: &RgbImage, count: usize) -> Option<Vec<(i16, i16)>> {
    const WIDTHS: std::ops::RangeInclusive<u32> = 12..=60;
    // A field is many rows high.
    seen.enumerate_rows().step_by(4).find_map(|(y, row)| {
        let row: Vec<Rgb<u8>> = row.map(|(_, _, colour)| *colour).collect();
        let mut x = 0;
        let mut runs = Vec::new();
        for run in row.chunk_by(|a, b| a == b) {
            let width = run.len() as u32;
            if WIDTHS.contains(&width) {
                runs.push((x, width));
            }
            x += width;
        }
        let is_row_of_fields = |fields: &&[(u32, u32)]| {
            let (pitch, width) = (fields[1].0 - fields[0].0, fields[0].1);
            let alike = |pair: &[(u32, u32)]| {
                (pair[1].0 - pair[0].0).abs_diff(pitch) <= 1 && pair[1].1.abs_diff(width) <= 2 && pitch > width
            };
            pitch < 2 * width && fields.windows(2).all(alike)
        };
        let fields = runs.windows(count).find(is_row_of_fields)?;
        // The row may be the uppermost one.
        Some(fields.iter().map(|(x, width)| ((x + width / 2) as i16, y as i16 + 3)).collect())
    })
}

/// Number of pixels of a colour, or almost.
pub fn count_of(seen: &RgbImage, colour: [u8; 3]) -> usize {
    let is_it = |pixel: &&Rgb<u8>| pixel.0.iter().zip(colour).all(|(a, b)| a.abs_diff(b) <= 12);
    seen.pixels().filter(is_it).count()
}

/// The mean colour of a part of the picture: left, top, width, height.
pub fn mean(seen: &RgbImage, (left, top, width, height): (u32, u32, u32, u32)) -> [f64; 3] {
    let part = image::imageops::crop_imm(seen, left, top, width, height).to_image();
    let sums = part.pixels().fold([0.0; 3], |sums, pixel| [0, 1, 2].map(|c| sums[c] + f64::from(pixel.0[c])));
    sums.map(|sum| sum / f64::from(width * height))
}

/// Takes the place of a window manager as far as full screen goes.
pub struct WindowManager<'a> {
    connection: &'a RustConnection,
}

impl<'a> WindowManager<'a> {
    pub fn new(connection: &'a RustConnection, root: Window) -> Self {
        let asked = ChangeWindowAttributesAux::new().event_mask(EventMask::SUBSTRUCTURE_NOTIFY);
        connection.change_window_attributes(root, &asked).expect("sent").check().expect("done");
        Self { connection }
    }

    /// Waits until a window asks to be in full screen, or not any more.
    pub fn wait_for_full_screen(&self, wanted: bool) {
        let atom = |name: &str| {
            let atom = self.connection.intern_atom(false, name.as_bytes()).expect("sent");
            atom.reply().expect("answered").atom
        };
        let (state, full_screen) = (atom("_NET_WM_STATE"), atom("_NET_WM_STATE_FULLSCREEN"));
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            if let Some(Event::ClientMessage(message)) = self.connection.poll_for_event().expect("it answers")
                && message.type_ == state
            {
                // The action and the state: Extended Window Manager Hints.
                let [done, of, ..] = message.data.as_data32();
                if of == full_screen && done == u32::from(wanted) {
                    return;
                }
                continue;
            }
            std::thread::sleep(LOOK_EVERY);
        }
        panic!("full screen was never asked to be {wanted}");
    }
}
