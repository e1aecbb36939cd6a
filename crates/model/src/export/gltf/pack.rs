//! The lists of a glTF file's JSON, and the bytes that they refer to.

use std::collections::{BTreeMap, HashMap};

use data_encoding::BASE64;
use serde_json::{Map, Value, json};

use crate::ms3d_extras::KEY;

/// Targets of buffer views, by OpenGL's numbers.
const VERTICES: u32 = 34_962;
const INDICES: u32 = 34_963;

/// Use of the numbers of an accessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Positions of vertices: their extent is written.
    Positions,
    /// Other attributes of vertices.
    Attribute,
    /// Vertices of the triangles' corners.
    Indices,
    /// Times of keys, in seconds: their extent is written.
    Times,
    /// Values of keys, and matrices.
    Values,
}

/// A number as a buffer holds it.
pub(super) trait Number: Copy + Into<f64> {
    /// Its type by OpenGL's number.
    const TYPE: u32;
    /// Appends its bytes.
    fn put(self, bytes: &mut Vec<u8>);
}

macro_rules! number {
    ($($type:ty = $code:literal),*) => {
        $(impl Number for $type {
            const TYPE: u32 = $code;
            fn put(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }
        })*
    };
}

number!(i8 = 5120, u8 = 5121, u16 = 5123, u32 = 5125, f32 = 5126);

/// A glTF file in the making.
#[derive(Default)]
pub(super) struct Pack {
    lists: BTreeMap<&'static str, Vec<Value>>,
    bytes: Vec<u8>,
    times: HashMap<Vec<u32>, usize>,
}

impl Pack {
    /// Appends to one of the file's lists, such as `nodes`; returns the index there.
    pub fn add(&mut self, list: &'static str, value: Value) -> usize {
        let values = self.lists.entry(list).or_default();
        values.push(value);
        values.len() - 1
    }

    /// Puts a node below another.
    pub fn add_child(&mut self, parent: usize, child: usize) {
        let Some(node) = self.lists.get_mut("nodes").and_then(|nodes| nodes.get_mut(parent)) else { return };
        match node.get_mut("children").and_then(Value::as_array_mut) {
            Some(children) => children.push(child.into()),
            None => node["children"] = json!([child]),
        }
    }

    /// Length of a list.
    pub fn count(&self, list: &str) -> usize {
        self.lists.get(list).map_or(0, Vec::len)
    }

    /// Appends bytes; returns the index of their buffer view.
    pub fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        // Every type of number may begin at a multiple of 4.
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let mut view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        if let Some(target) = target {
            view["target"] = target.into();
        }
        self.bytes.extend(bytes);
        self.add("bufferViews", view)
    }

    /// Appends elements of `N` numbers, at least one element; returns the index of their accessor. An element of a
    /// vertex attribute must take a multiple of four bytes.
    pub fn accessor<T: Number, const N: usize>(&mut self, elements: &[[T; N]], role: Role) -> usize {
        let mut bytes = Vec::with_capacity(size_of_val(elements));
        elements.iter().flatten().for_each(|number| number.put(&mut bytes));
        let target = match role {
            Role::Positions | Role::Attribute => Some(VERTICES),
            Role::Indices => Some(INDICES),
            Role::Times | Role::Values => None,
        };
        let kind = match N {
            1 => "SCALAR",
            2 => "VEC2",
            3 => "VEC3",
            4 => "VEC4",
            _ => "MAT4",
        };
        let view = self.view(&bytes, target);
        let mut accessor =
            json!({ "bufferView": view, "componentType": T::TYPE, "count": elements.len(), "type": kind });
        if matches!(role, Role::Positions | Role::Times) {
            let extreme = |pick: fn(f64, f64) -> f64| {
                let of_axis = |axis: usize| elements.iter().map(|element| element[axis].into()).reduce(pick);
                (0..N).map(of_axis).collect::<Vec<Option<f64>>>()
            };
            accessor["min"] = extreme(f64::min).into();
            accessor["max"] = extreme(f64::max).into();
        }
        self.add("accessors", accessor)
    }

    /// The accessor of times; tracks with the same times share it.
    pub fn times(&mut self, times_s: &[f32]) -> usize {
        let bits: Vec<u32> = times_s.iter().map(|time| time.to_bits()).collect();
        if let Some(&known) = self.times.get(&bits) {
            return known;
        }
        let elements: Vec<[f32; 1]> = times_s.iter().map(|&time| [time]).collect();
        let accessor = self.accessor(&elements, Role::Times);
        self.times.insert(bits, accessor);
        accessor
    }

    /// The accessor of the corners of triangles.
    pub fn indices(&mut self, indices: &[u32]) -> usize {
        // 65535 is no index of 16 bits: it restarts strips.
        if indices.iter().all(|&index| index < u32::from(u16::MAX)) {
            let short: Vec<[u16; 1]> = indices.iter().map(|&index| [index as u16]).collect();
            return self.accessor(&short, Role::Indices);
        }
        let long: Vec<[u32; 1]> = indices.iter().map(|&index| [index]).collect();
        self.accessor(&long, Role::Indices)
    }

    /// The file: a binary container, or text that holds its buffer. `extras` is the data that only MS3D files have.
    pub fn finish(mut self, is_binary: bool, extras: Option<Value>) -> Vec<u8> {
        if !self.bytes.is_empty() {
            let mut buffer = json!({ "byteLength": self.bytes.len() });
            if !is_binary {
                let data = BASE64.encode(&self.bytes);
                buffer["uri"] = format!("data:application/octet-stream;base64,{data}").into();
            }
            self.add("buffers", buffer);
        }
        let mut root = Map::new();
        let generator = concat!("Pelagic ", env!("CARGO_PKG_VERSION"));
        root.insert("asset".into(), json!({ "version": "2.0", "generator": generator }));
        root.insert("scene".into(), 0.into());
        root.extend(self.lists.into_iter().map(|(list, values)| (list.to_owned(), values.into())));
        if let Some(extras) = extras {
            root.insert("extras".into(), json!({ KEY: extras }));
        }
        let json = Value::Object(root).to_string();
        if is_binary { container(json.into_bytes(), self.bytes) } else { json.into_bytes() }
    }
}

/// A binary container of JSON and buffer.
fn container(mut json: Vec<u8>, mut binary: Vec<u8>) -> Vec<u8> {
    json.resize(json.len().next_multiple_of(4), b' ');
    binary.resize(binary.len().next_multiple_of(4), 0);
    let chunks = [(b"JSON", json), (b"BIN\0", binary)];
    let chunks = || chunks.iter().filter(|(_, bytes)| !bytes.is_empty());
    let total = 12 + chunks().map(|(_, bytes)| 8 + bytes.len()).sum::<usize>();
    let mut file = Vec::with_capacity(total);
    file.extend(b"glTF");
    file.extend(2u32.to_le_bytes());
    file.extend((total as u32).to_le_bytes());
    for (kind, bytes) in chunks() {
        file.extend((bytes.len() as u32).to_le_bytes());
        file.extend(*kind);
        file.extend(bytes);
    }
    file
}
