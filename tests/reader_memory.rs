//! Memory of a hostile file while it is read: at most so many times its length, plus a stated cap.
#![expect(unsafe_code, reason = "an allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ffi::OsString;
use std::io::Cursor;
use std::path::Path;

use forge::swimmers::fish;
use image::{DynamicImage, ImageFormat};
use ms3d::raw::{Document, Group, Joint, Key, Keyframer, Tail, Triangle, Vertex};
use ms3d::{Limits, MAX_GROUPS, MAX_JOINTS, MAX_TRIANGLES, MAX_TRIANGLES_PER_GROUP, MAX_VERTICES};
use pelagic::bench::files;
use pelagic::bench::report::Report;
use pelagic::config::{self, EXTENDS_LIMIT, LIST_LIMIT, MARKS_LIMIT, PROBLEMS_LISTED, SIZE_LIMIT};
use pelagic::model::import::from_gltf::{
    MAX_MARKS, MAX_NUMBERS, MAX_TRIANGLES as GLTF_TRIANGLES, MAX_VERTICES as GLTF_VERTICES,
};
use pelagic::model::import::import;
use pelagic::model::{Files, ModelRequest, texture};
use serde_json::{Value, json};

#[path = "../crates/mdl/tests/sample/mod.rs"]
mod sample;

/// Counts what the measuring thread holds.
struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    HELD.set(HELD.get() + bytes);
    PEAK.set(PEAK.get().max(HELD.get()));
}

// SAFETY: everything is handed to the system's allocator as it comes.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Old and new may be there together while one is copied.
        count(size as isize);
        count(-(layout.size() as isize));
        // SAFETY: the caller keeps the contract.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most bytes held at once during `work`, over those before it.
fn peak<T>(work: impl FnOnce() -> T) -> usize {
    let before = HELD.get();
    PEAK.set(before);
    let result = work();
    let peak = PEAK.get() - before;
    drop(result);
    usize::try_from(peak).unwrap_or(0)
}

/// `piece` after `piece`, up to about so many bytes.
fn filled(bytes: usize, piece: impl Fn(usize) -> String) -> String {
    let mut text = String::with_capacity(bytes);
    for i in 0.. {
        let piece = piece(i);
        if text.len() + piece.len() > bytes {
            break;
        }
        text += &piece;
    }
    text
}

/// Asserts that reading `bytes` takes no more than `times` their length and `cap` on top.
fn held<T>(what: &str, bytes: usize, times: usize, cap: usize, work: impl FnOnce() -> T) {
    let peak = peak(work);
    assert!(peak <= times * bytes + cap, "{what}: {} MiB for {bytes} bytes", peak >> 20);
}

const TEXT_TIMES: usize = 64;
const BINARY_TIMES: usize = 20;
/// [`MARKS_LIMIT`] of the dearest things that TOML can say.
const SCENE_CAP: usize = 96 << 20;
/// As many as go into [`fish::SIZE_LIMIT`], in a few trees at once.
const SPECIES_CAP: usize = 96 << 20;
/// The list of a model's problems.
const MODEL_CAP: usize = 16 << 20;
/// As many vertices, keys and objects as a glTF file may make of little.
const GLTF_CAP: usize = 768 << 20;
/// As many records and frames as an MDL file may make of little.
const MDL_CAP: usize = 256 << 20;
/// The pixels twice, or a progressive JPEG's coefficients and its pixels.
const TEXTURE_CAP: usize = 640 << 20;

/// Texts that make a lot of little, each of about so many bytes with so many marks.
fn toml(bytes: usize, marks: usize) -> Vec<(&'static str, String)> {
    // As many of the piece as there may be marks, then lines without any.
    let dense = |piece: &dyn Fn(usize) -> String| {
        let of_piece = piece(0).bytes().filter(|byte| b"=,.[{".contains(byte)).count().max(1);
        let mut text = String::with_capacity(bytes);
        for i in 0..(marks - 10) / of_piece {
            let piece = piece(i);
            if text.len() + piece.len() + 10 > bytes {
                break;
            }
            text += &piece;
        }
        text
    };
    let padded = |text: String| {
        let rest = bytes - text.len();
        text + &"\n".repeat(rest)
    };
    let list = |piece: &dyn Fn(usize) -> String| padded(format!("a=[{}]", dense(piece)));
    vec![
        ("keys", padded(dense(&|i| format!("{i}=1\n")))),
        ("tables", padded(dense(&|i| format!("[{i}]\n")))),
        ("lists of tables", padded(dense(&|i| format!("[[{i}]]\n")))),
        ("one list of tables", padded(dense(&|_| "[[x]]\n".into()))),
        ("numbers", list(&|_| "1,".into())),
        ("empty tables in a list", list(&|_| "{},".into())),
        ("tables in a list", list(&|_| "{a=1},".into())),
        ("lists in lists", list(&|_| format!("{}{},", "[".repeat(70), "]".repeat(70)))),
        ("paths", padded(dense(&|i| format!("{i}.{}a=1\n", "a.".repeat(70))))),
        ("paths of tables", padded(dense(&|i| format!("[{i}.{}a]\n", "a.".repeat(70))))),
        ("short paths", padded(dense(&|i| format!("{i}.a=1\n")))),
        ("paths in a list", list(&|i| format!("{{{i}.{}a=1}},", "a.".repeat(70)))),
        ("short paths in a list", list(&|_| "{a.a=1},".into())),
        ("keys without values", padded("a\n".repeat(bytes / 2))),
        ("words", padded("a ".repeat(bytes / 2))),
        ("values without keys", padded(dense(&|_| "=\n".into()))),
        ("lines", padded(String::new())),
        ("carriage returns", "\r".repeat(bytes)),
        ("quotes", padded("\"\n".repeat(bytes / 2))),
        ("closing brackets", "]".repeat(bytes)),
        ("comments", padded("#\n".repeat(bytes / 2))),
        ("one string", format!("name=\"{}\"", "x".repeat(bytes - 10))),
    ]
}

#[test]
fn a_scene_takes_no_more_memory_than_stated() {
    for (what, text) in toml(SIZE_LIMIT, MARKS_LIMIT).into_iter().chain(toml(SIZE_LIMIT / 16, MARKS_LIMIT)) {
        held(what, text.len(), TEXT_TIMES, SCENE_CAP, || config::load_text("hostile", &text, &[]));
    }
}

#[test]
fn a_species_takes_no_more_memory_than_stated() {
    for (what, text) in toml(fish::SIZE_LIMIT, usize::MAX) {
        held(what, text.len(), TEXT_TIMES, SPECIES_CAP, || fish::read("hostile", &text));
    }
}

#[test]
fn a_result_takes_no_more_memory_than_stated() {
    let good = include_str!("../fuzz/corpus/result/passes-and-ladder.json").replace("\"set\":[]", "\"set\":[\"\"]");
    let bytes = files::MAX_BYTES as usize / 2;
    // The result with a lot more in front of what a list or table of it holds.
    let with = |opening: &str, piece: &dyn Fn(usize) -> String| {
        let at = good.find(opening).expect("a result has it") + opening.len();
        format!("{}{}{}", &good[..at], filled(bytes, piece), &good[at..])
    };
    let texts = [
        ("words", with("\"set\":[\"", &|_| "\",\"".into())),
        ("figures", with("\"median_of_runs\":{", &|i| format!("\"{i}\":0,"))),
        ("warnings", with("\"warnings\":[", &|_| "{\"code\":\"\",\"text\":\"\"},".into())),
        ("rungs", with("\"ladder\":[", &|_| "{},".into())),
        ("unknown keys", with("\"settings\":{", &|i| format!("\"k{i}\":[{{}}],"))),
        ("a word without end", with("\"scene\":\"", &|_| "\\n".into())),
        ("lists in lists", format!("{{\"schema\":{}", "[".repeat(bytes))),
    ];
    for (what, text) in texts {
        held(what, text.len(), TEXT_TIMES, 0, || Report::from_json(text.as_bytes()));
    }
}

/// A document without anything in it.
fn empty() -> Document {
    Document {
        version: 4,
        vertices: Vec::new(),
        triangles: Vec::new(),
        groups: Vec::new(),
        materials: Vec::new(),
        keyframer: Keyframer { fps: 0.0, current_time: 0.0, total_frames: 0 },
        joints: Vec::new(),
        tail: Tail::default(),
    }
}

#[test]
fn a_model_takes_no_more_memory_than_stated() {
    let bytes = |document: Document| ms3d::write(&document).expect("the format holds it");
    let nan = [f32::NAN; 3];
    let vertex = Vertex { position: nan, bone_id: 99, ..Vertex::default() };
    let triangle =
        Triangle { vertex_indices: [u16::MAX; 3], smoothing_group: 99, s: nan, t: nan, ..Triangle::default() };
    let group = Group { triangle_indices: vec![u16::MAX; MAX_TRIANGLES_PER_GROUP], ..Group::default() };
    let key = Key { time: -1.0, value: nan };
    let keys = vec![key; 16_000];
    let joint = Joint { rotation_keys: keys.clone(), translation_keys: keys, ..Joint::default() };
    let mut counts = bytes(empty());
    counts[14..16].fill(0xff);
    let files = [
        ("vertices", bytes(Document { vertices: vec![vertex; MAX_VERTICES], ..empty() })),
        ("triangles", bytes(Document { triangles: vec![triangle; MAX_TRIANGLES], ..empty() })),
        ("groups", bytes(Document { groups: vec![group; MAX_GROUPS], ..empty() })),
        ("small groups", bytes(Document { groups: vec![Group::default(); MAX_GROUPS], ..empty() })),
        ("joints", bytes(Document { joints: vec![joint; MAX_JOINTS], ..empty() })),
        ("a count without records", counts),
    ];
    for (what, bytes) in files {
        held(what, bytes.len(), BINARY_TIMES, MODEL_CAP, || {
            ms3d::read(&bytes, &Limits::default()).map(|outcome| ms3d::validate(&outcome.document).len())
        });
    }
}

/// There is nothing beside the file.
struct Alone;

impl Files for Alone {
    fn read(&self, _: &Path, _: u64) -> std::io::Result<Vec<u8>> {
        Err(std::io::ErrorKind::NotFound.into())
    }

    fn names(&self, _: &Path) -> Vec<OsString> {
        Vec::new()
    }
}

/// A glTF file whose buffer has so many zeros.
fn gltf(zeros: usize, rest: &Value) -> Vec<u8> {
    let data = format!("data:application/octet-stream;base64,{}", "AAAA".repeat(zeros.div_ceil(3)));
    let mut file = json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": zeros, "uri": data }],
        "bufferViews": [{ "buffer": 0, "byteLength": zeros }],
    });
    for (key, value) in rest.as_object().expect("an object") {
        file[key] = value.clone();
    }
    file.to_string().into_bytes()
}

#[test]
fn a_gltf_file_takes_no_more_memory_than_stated() {
    let accessor = |count: usize, kind: &str| json!({ "componentType": 5126, "count": count, "type": kind });
    let drawn = |count: usize, nodes: usize, mode: u32| {
        json!({
            "accessors": [accessor(count, "VEC3")],
            "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "mode": mode }] }],
            "nodes": vec![json!({ "mesh": 0 }); nodes],
        })
    };
    // A spline of many seconds, used by many channels.
    let moved = |count: usize, channels: usize, interpolation: &str| {
        let times: Vec<u8> = (0..count).flat_map(|key| (key as f32).to_le_bytes()).collect();
        let data = data_encoding::BASE64.encode(&times);
        let samplers = json!([{ "input": 0, "output": 1, "interpolation": interpolation }]);
        let values = count * if interpolation == "CUBICSPLINE" { 3 } else { 1 };
        let channel = |node: usize| json!({ "sampler": 0, "target": { "node": node, "path": "rotation" } });
        let mut input = accessor(count, "SCALAR");
        input["bufferView"] = 0.into();
        let mut file = drawn(3, channels, 4);
        file["accessors"] = json!([input, accessor(values, "VEC4"), accessor(3, "VEC3")]);
        file["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = 2.into();
        file["buffers"] = json!([{ "byteLength": times.len(), "uri": format!("data:;base64,{data}") }]);
        file["bufferViews"] = json!([{ "buffer": 0, "byteLength": times.len() }]);
        let channels = (0..channels).map(channel).collect::<Vec<_>>();
        file["animations"] = json!([{ "channels": channels, "samplers": samplers }]);
        gltf(0, &file)
    };
    let mut small = accessor(3 << 20, "VEC3");
    (small["componentType"], small["bufferView"]) = (5120.into(), 0.into());
    let quantised = json!({
        "accessors": [small], "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
    });
    let files = [
        ("vertices that are not there", gltf(3, &drawn(GLTF_VERTICES, 1, 4))),
        ("strips that are not there", gltf(3, &drawn(GLTF_TRIANGLES, 1, 5))),
        ("too many that are not there", gltf(3, &drawn(MAX_NUMBERS, 1, 4))),
        ("a mesh that is used often", gltf(3, &drawn(3000, 1000, 4))),
        ("a mesh that is used too often", gltf(3, &drawn(30_000, 1000, 4))),
        ("keys", moved(3_000, 900, "LINEAR")),
        ("a long spline", moved(60_000, 1, "CUBICSPLINE")),
        ("small numbers", gltf(9 << 20, &quantised)),
        ("nodes", gltf(3, &json!({ "nodes": vec![json!({}); MAX_MARKS / 2 - 100] }))),
        ("too many nodes", gltf(3, &json!({ "nodes": vec![json!({}); MAX_MARKS] }))),
        ("lists in lists", format!("{{\"a\":{}", "[".repeat(100_000)).into_bytes()),
    ];
    for (what, bytes) in files {
        held(what, bytes.len(), BINARY_TIMES, GLTF_CAP, || {
            import(&ModelRequest::new("hostile"), &bytes, Path::new("hostile.gltf"), &Alone, &[]).is_ok()
        });
    }
}

#[test]
fn an_mdl_file_takes_no_more_memory_than_stated() {
    let read = |what: &str, bytes: &[u8]| {
        held(what, bytes.len(), BINARY_TIMES, MDL_CAP, || {
            mdl::read(bytes, &mdl::Limits::default(), &mut |_| Err(String::new())).is_ok()
        });
    };
    read("a model", &sample::large());
    let mut padded = sample::large();
    let end = padded.len();
    padded.resize(8 << 20, 0);
    // Each table as long as the room, and as it says it is without any.
    let tables = [(140, 112), (148, 24), (156, 32), (164, 176), (172, 104), (180, 80), (204, 76), (212, 88)];
    for (at, record_bytes) in tables {
        for count in [(padded.len() - end) / record_bytes, i32::MAX as usize] {
            let mut hostile = padded.clone();
            hostile[at..at + 4].copy_from_slice(&(count as i32).to_le_bytes());
            hostile[at + 4..at + 8].copy_from_slice(&(end as i32).to_le_bytes());
            read(&format!("{count} records of the table at {at}"), &hostile);
        }
    }
}

/// A baseline or progressive JPEG of nothing but its headers.
fn jpeg(progressive: bool, side: u16) -> Vec<u8> {
    let [high, low] = side.to_be_bytes();
    let mut bytes = vec![0xff, 0xd8, 0xff, if progressive { 0xc2 } else { 0xc0 }, 0, 17, 8, high, low, high, low, 3];
    bytes.extend([1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]);
    bytes.extend([0xff, 0xdb, 0, 67, 0]);
    bytes.extend([1; 64]);
    // One code of one bit in each table.
    for class in [0, 0x10] {
        bytes.extend([0xff, 0xc4, 0, 20, class, 1]);
        bytes.extend([0; 16]);
    }
    bytes.extend([0xff, 0xda, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, if progressive { 0 } else { 63 }, 0]);
    bytes.extend([0; 4000]);
    bytes.extend([0xff, 0xd9]);
    bytes
}

#[test]
fn an_image_takes_no_more_memory_than_stated() {
    let tga = |kind: u8, side: u16, bits: u8| {
        let [low, high] = side.to_le_bytes();
        let mut bytes = vec![0, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, low, high, low, high, bits, 0];
        bytes.extend([0xff; 4000]);
        bytes
    };
    let bomb = |image: DynamicImage, format| {
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, format).expect("written");
        bytes.into_inner()
    };
    let files = [
        ("TGA of colours", tga(2, 8192, 32)),
        ("TGA of runs", tga(10, 8192, 24)),
        ("TGA of runs of grey", tga(11, 8192, 8)),
        ("TGA far too large", tga(10, 65_535, 32)),
        ("JPEG", jpeg(false, 8192)),
        ("progressive JPEG", jpeg(true, 8192)),
        ("JPEG far too large", jpeg(true, 65_535)),
        ("PNG bomb", bomb(DynamicImage::new_rgb8(8192, 8192), ImageFormat::Png)),
        ("PNG bomb of grey", bomb(DynamicImage::new_luma8(8192, 8192), ImageFormat::Png)),
        ("PNG far too wide", bomb(DynamicImage::new_luma8(70_000, 1000), ImageFormat::Png)),
        ("EXR", bomb(DynamicImage::new_rgba32f(2000, 2000), ImageFormat::OpenExr)),
    ];
    for (what, bytes) in files {
        held(what, bytes.len(), BINARY_TIMES, TEXTURE_CAP, || texture::decode("hostile.tga", &bytes));
    }
}

#[test]
fn the_security_page_states_these_limits() {
    let mib = |bytes: u64| format!("{} MiB", bytes >> 20);
    let over = |times: usize, cap: usize| match cap {
        0 => format!("{times} times its size"),
        cap => format!("{times} times its size and {}", mib(cap as u64)),
    };
    let Limits { file_bytes, vertices, triangles, groups, materials, joints, keys, comments } = Limits::default();
    let rows = [
        format!(
            "| scene (TOML) | {} | {MARKS_LIMIT} of the marks `= , . [ {{`; {LIST_LIMIT} entries a list; \
             {EXTENDS_LIMIT} bases (`extends`) | {} |",
            mib(SIZE_LIMIT as u64),
            over(TEXT_TIMES, SCENE_CAP)
        ),
        format!(
            "| species (TOML) | {} KiB | each key's range | {} |",
            fish::SIZE_LIMIT >> 10,
            over(TEXT_TIMES, SPECIES_CAP)
        ),
        format!("| result (JSON) | {} | | {} |", mib(files::MAX_BYTES), over(TEXT_TIMES, 0)),
        format!(
            "| model (MS3D) | {} | {vertices} vertices, {triangles} triangles, {groups} groups, {materials} materials, \
             {joints} joints, {keys} keys, {comments} comments | {} |",
            mib(file_bytes as u64),
            over(BINARY_TIMES, MODEL_CAP)
        ),
        format!(
            "| model (glTF) | {} | {GLTF_VERTICES} vertices and {GLTF_TRIANGLES} triangles drawn, {MAX_NUMBERS} numbers of all \
             accessors as often as they are used, {MAX_MARKS} of the marks `{{ [ ,` in its JSON | {} |",
            mib(file_bytes as u64),
            over(BINARY_TIMES, GLTF_CAP)
        ),
        format!(
            "| model (MDL) | {} | {} bones, {} records, {} frames of all channels, {} pixels | {} |",
            mib(mdl::Limits::default().file_bytes as u64),
            mdl::Limits::default().bones,
            mdl::Limits::default().records,
            mdl::Limits::default().frames,
            mdl::Limits::default().pixels,
            over(BINARY_TIMES, MDL_CAP)
        ),
        format!(
            "| texture (PNG, JPEG, TGA, BMP) | {} | {} pixels a side; {} decoded, also of a model's textures together \
             | {} |",
            mib(texture::MAX_FILE_BYTES),
            texture::MAX_SIDE,
            mib(texture::MAX_DECODED_BYTES),
            over(BINARY_TIMES, TEXTURE_CAP)
        ),
    ];
    let page = include_str!("../SECURITY.md");
    for row in rows {
        assert!(page.contains(&row), "SECURITY.md has no row {row}");
    }
    assert_eq!(file_bytes as u64, pelagic::model::MAX_FILE_BYTES, "what is opened may be read");
    let listed = format!("{PROBLEMS_LISTED} problems are listed");
    assert!(page.contains(&listed), "SECURITY.md does not say that {listed}");
}
