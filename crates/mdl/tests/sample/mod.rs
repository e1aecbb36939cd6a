//! A small model with something of everything, laid out as the compiler does: header, tables, then what they point to.
#![allow(dead_code, reason = "each test uses some of it")]

/// The three files of one model.
#[derive(Clone)]
pub struct Sample {
    /// `sample.mdl`: two bones, a body of one strip and one fan, heads to choose from, three sequences.
    pub model: Vec<u8>,
    /// `samplet.mdl`: two textures and two skin families.
    pub textures: Vec<u8>,
    /// `sample01.mdl`: the numbers of the third sequence.
    pub group: Vec<u8>,
}

/// A file being written, field by field.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn i32(&mut self, values: &[i32]) -> &mut Self {
        values.iter().for_each(|value| self.0.extend(value.to_le_bytes()));
        self
    }

    fn f32(&mut self, values: &[f32]) -> &mut Self {
        values.iter().for_each(|value| self.0.extend(value.to_le_bytes()));
        self
    }

    fn i16(&mut self, values: &[i16]) -> &mut Self {
        values.iter().for_each(|value| self.0.extend(value.to_le_bytes()));
        self
    }

    fn text(&mut self, text: &str, width: usize) -> &mut Self {
        let mut field = text.as_bytes().to_vec();
        field.resize(width, 0);
        self.0.extend(field);
        self
    }

    fn here(&self) -> i32 {
        self.0.len() as i32
    }

    fn set(&mut self, at: usize, value: i32) {
        self.0[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
}

/// A header of zeros but for the magic, the version and the name.
fn header(name: &str) -> Bytes {
    let mut file = Bytes::default();
    file.text("IDST", 4).i32(&[10]).text(name, 64);
    file.0.resize(244, 0);
    file
}

fn finished(mut file: Bytes) -> Vec<u8> {
    let length = file.here();
    file.set(72, length);
    file.0
}

/// Frames of the sequences.
pub const FRAMES: usize = 4;

/// The animation of two bones: the tail turns about z by 100 steps a frame, in a second blend the other way.
fn animation(file: &mut Bytes, blends: usize) -> i32 {
    // Two runs: three values for three frames, then one that stays for nine.
    const CHANNEL_BYTES: usize = 2 + 6 + 2 + 2;
    let start = file.here();
    for blend in 0..blends {
        let tail_record = 12 * (2 * blend + 1);
        let numbers = 12 * 2 * blends + CHANNEL_BYTES * blend;
        file.i16(&[0; 6]).i16(&[0, 0, 0, 0, 0, (numbers - tail_record) as i16]);
    }
    for sign in [1, -1].into_iter().take(blends) {
        file.0.extend([3, 3]);
        file.i16(&[0, 100 * sign, 200 * sign]);
        file.0.extend([1, 9]);
        file.i16(&[300 * sign]);
    }
    start
}

fn sequence(file: &mut Bytes, name: &str, fps: f32, events: i32, numbers: i32, blends: i32, group: i32) {
    let start = file.here() as usize;
    file.text(name, 32).f32(&[fps]).i32(&[1, 7, 2, i32::from(events != 0), events, FRAMES as i32]);
    file.0.resize(start + 68, 0);
    // The root stays where it is along x.
    file.i32(&[1, 0]).f32(&[8.0, 0.0, 0.0]);
    file.0.resize(start + 96, 0);
    file.f32(&[-1.0, -1.0, 0.0, 1.0, 1.0, 2.0]).i32(&[blends, numbers, 32, 0]).f32(&[-1.0, 0.0, 1.0, 0.0]);
    file.0.resize(start + 156, 0);
    file.i32(&[group]);
    file.0.resize(start + 176, 0);
}

/// A model's vertices: a square with its corners on both bones.
const SQUARE: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]];

/// Writes the data of a model; returns the fields of its record after the name.
fn model_data(file: &mut Bytes, slot: i32, commands: &[i16]) -> [i32; 12] {
    let bones = file.here();
    file.0.extend([0, 1, 0, 1]);
    let vertices = file.here();
    SQUARE.iter().for_each(|corner| _ = file.f32(corner));
    let normals = file.here();
    (0..4).for_each(|_| _ = file.f32(&[0.0, 1.0, 0.0]));
    let triangles = file.here();
    file.i16(commands);
    let meshes = file.here();
    file.i32(&[2, triangles, slot, 4, 0]);
    [0, 0, 1, meshes, 4, bones, vertices, 4, bones, normals, 0, 0]
}

/// Makes the sample.
pub fn sample() -> Sample {
    let mut file = header("sample.mdl");
    let bones = file.here();
    for (name, parent, x) in [("root", -1, 0.5_f32), ("tail", 0, 1.0)] {
        file.text(name, 32).i32(&[parent, 0]).i32(&[if parent < 0 { -1 } else { 0 }; 6]);
        file.f32(&[x, 0.0, 0.0, 0.0, 0.0, 0.25]).f32(&[0.01, 0.01, 0.01, 0.001, 0.001, 0.001]);
    }
    let controllers = file.here();
    file.i32(&[1, 32]).f32(&[-45.0, 45.0]).i32(&[0, 0]);
    let hit_boxes = file.here();
    file.i32(&[1, 3]).f32(&[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    let attachments = file.here();
    file.text("", 32).i32(&[0, 1]).f32(&[0.5, 0.0, 0.25]);
    file.0.resize(attachments as usize + 88, 0);
    let events = file.here();
    file.i32(&[2, 5001, 0]).text("sound/splash.wav", 64);
    let groups = file.here();
    for (label, name) in [("default", ""), ("more", "models\\sample01.mdl")] {
        file.text(label, 32).text(name, 64).i32(&[0, 0]);
    }
    let idle = animation(&mut file, 1);
    let look = animation(&mut file, 2);
    let sequences = file.here();
    sequence(&mut file, "idle", 10.0, events, idle, 1, 0);
    sequence(&mut file, "look", 20.0, 0, look, 2, 0);
    sequence(&mut file, "idle", 30.0, 0, 76, 1, 1);
    // A strip of two triangles; then a fan of one.
    let strip = [4, 0, 0, 0, 0, 1, 1, 32, 0, 2, 2, 0, 16, 3, 3, 32, 16, 0];
    let fan = [-3, 0, 0, 0, 0, 1, 1, 8, 0, 2, 2, 0, 8, 0];
    let body = model_data(&mut file, 0, &[&strip[..17], &fan].concat());
    let heads = [model_data(&mut file, 1, &fan), model_data(&mut file, 1, &strip)];
    let models = file.here();
    for (name, fields) in [("trunk", body), ("head0", heads[0]), ("head1", heads[1])] {
        file.text(name, 64).i32(&fields);
    }
    let parts = file.here();
    file.text("trunk", 64).i32(&[1, 1, models]).text("heads", 64).i32(&[2, 1, models + 112]);
    let pairs = [(140, 2, bones), (148, 1, controllers), (156, 1, hit_boxes), (164, 3, sequences), (172, 2, groups)];
    for (at, count, offset) in pairs.into_iter().chain([(204, 2, parts), (212, 1, attachments)]) {
        file.set(at, count);
        file.set(at + 4, offset);
    }
    let mut group = Bytes::default();
    group.text("IDSQ", 4).i32(&[10]).text("sample01.mdl", 64).i32(&[0]);
    animation(&mut group, 1);
    Sample { model: finished(file), textures: textures(), group: group.0 }
}

/// A texture of stripes and one with holes; the second family swaps them.
fn textures() -> Vec<u8> {
    let mut file = header("samplet.mdl");
    let skins = file.here();
    file.i16(&[0, 1, 1, 0]);
    let records = file.here();
    let first = records + 2 * 80;
    file.text("skin.bmp", 64).i32(&[0, 32, 16, first]);
    file.text("mask.bmp", 64).i32(&[0x40, 8, 8, first + 32 * 16 + 768]);
    for (pixels, clear) in [(32 * 16, 0), (8 * 8, 255)] {
        file.0.extend((0..pixels).map(|pixel: usize| if pixel.is_multiple_of(2) { 1 } else { clear }));
        file.0.extend((0..256).flat_map(|colour: usize| [colour as u8, 10, 200]));
    }
    for (at, value) in [(180, 2), (184, records), (188, first), (192, 2), (196, 2), (200, skins)] {
        file.set(at, value);
    }
    finished(file)
}

/// One file in the proportions of a large animal: 32 bones, 20 sequences of 40 frames, 1500 vertices in one strip, and
/// a texture of 512 x 256 pixels.
pub fn large() -> Vec<u8> {
    const BONES: usize = 32;
    const LONG: usize = 40;
    let mut file = header("large.mdl");
    let bones = file.here();
    for bone in 0..BONES as i32 {
        file.text(&format!("bone {bone}"), 32).i32(&[bone - 1, 0]).i32(&[-1; 6]);
        file.f32(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.1]).f32(&[0.001; 6]);
    }
    let animations: Vec<i32> = (0..20)
        .map(|_| {
            let (start, run) = (file.here(), 2 + 2 * LONG);
            for bone in 0..BONES {
                let first = 12 * (BONES - bone) + 3 * run * bone;
                file.i16(&[0, 0, 0, first as i16, (first + run) as i16, (first + 2 * run) as i16]);
            }
            for channel in 0..3 * BONES {
                file.0.extend([LONG as u8; 2]);
                (0..LONG).for_each(|frame| _ = file.i16(&[(frame * channel % 300) as i16]));
            }
            start
        })
        .collect();
    let sequences = file.here();
    for (index, numbers) in animations.iter().enumerate() {
        let start = file.0.len();
        sequence(&mut file, &format!("sequence {index}"), 20.0, 0, *numbers, 1, 0);
        file.set(start + 56, LONG as i32);
    }
    let groups = file.here();
    file.text("default", 32).text("", 64).i32(&[0, 0]);
    let count = 1500_i16;
    let vertex_bones = file.here();
    file.0.extend((0..count).map(|vertex| (vertex % BONES as i16) as u8));
    let vertices = file.here();
    (0..count)
        .for_each(|vertex| _ = file.f32(&[f32::from(vertex % 7), f32::from(vertex % 11), f32::from(vertex % 13)]));
    let normals = file.here();
    (0..count).for_each(|_| _ = file.f32(&[0.0, 1.0, 0.0]));
    let commands = file.here();
    file.i16(&[count]);
    (0..count).for_each(|vertex| _ = file.i16(&[vertex, vertex, vertex % 512, vertex % 256]));
    file.i16(&[0]);
    let meshes = file.here();
    file.i32(&[i32::from(count) - 2, commands, 0, count.into(), 0]);
    let models = file.here();
    let count = i32::from(count);
    file.text("body", 64).i32(&[0, 0, 1, meshes, count, vertex_bones, vertices, count, vertex_bones, normals, 0, 0]);
    let parts = file.here();
    file.text("body", 64).i32(&[1, 1, models]);
    let skins = file.here();
    file.i16(&[0, 0]);
    let records = file.here();
    file.text("skin.bmp", 64).i32(&[0, 512, 256, records + 80]);
    file.0.extend((0..512 * 256).map(|pixel| (pixel % 251) as u8));
    file.0.extend((0..768).map(|byte| byte as u8));
    let tables =
        [(140, BONES as i32, bones), (164, 20, sequences), (172, 1, groups), (180, 1, records), (204, 1, parts)];
    for (at, count, offset) in tables.into_iter().chain([(192, 1, 1)]) {
        file.set(at, count);
        file.set(at + 4, offset);
    }
    file.set(188, records + 80);
    file.set(200, skins);
    finished(file)
}
