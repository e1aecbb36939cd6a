use image::{Rgb, RgbImage};
use pelagic::render::{Capture, View};
mod support;
#[test]
fn sheet() {
    let list = std::env::var("SHEET").unwrap();
    for scene in list.split(',') {
        let (w, h) = (640u32, 360u32);
        let mut session = support::session(&support::options(scene, (w, h), &[])).unwrap();
        let every: f64 = std::env::var("EVERY").map_or(5.0, |e| e.parse().unwrap());
        let from: f64 = std::env::var("FROM").map_or(3.0, |e| e.parse().unwrap());
        let mut taken = 0;
        let mut sheet = RgbImage::new(3 * w, 4 * h);
        for i in 0..12u32 {
            taken = session.step_to(from + every * f64::from(i), taken).unwrap();
            let camera = session.camera(std::env::var("VIEW").ok().as_deref()).unwrap();
            let Capture::Display { rgba, .. } = session.capture(camera, View::Final, false).unwrap() else { panic!() };
            for (k, p) in rgba.chunks_exact(4).enumerate() {
                let (x, y) = (k as u32 % w, k as u32 / w);
                sheet.put_pixel((i % 3) * w + x, (i / 3) * h + y, Rgb([p[0], p[1], p[2]]));
            }
            sheet.save(format!("/tmp/minds/sheets/{scene}.part.png")).unwrap();
        }
        std::fs::rename(format!("/tmp/minds/sheets/{scene}.part.png"), format!("/tmp/minds/sheets/{scene}.png"))
            .unwrap();
    }
}
