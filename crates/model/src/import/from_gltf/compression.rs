//! Decompression of buffer views and primitives, after which a document is as if they had been plain: each decompressed
//! part is a buffer of its own, with views and accessors for it.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use super::accessor::MAX_NUMBERS;
use super::document::{Accessor, Buffer, BufferView, Document, DracoPrimitive, Primitive};
use super::draco::{self, Geometry};
use super::meshopt;

/// Most bytes that all compressed parts of a file may have together once they are decompressed: as many numbers as its
/// accessors may give.
const MAX_BYTES: usize = MAX_NUMBERS * size_of::<f32>();

/// OpenGL's numbers of the types of decompressed numbers.
const F32: u32 = 5126;
const U32: u32 = 5125;
/// OpenGL's number of a list of triangles.
const TRIANGLES: u32 = 4;

/// Buffers that are not read: plain copies of compressed views.
pub(super) fn fallbacks(document: &Document) -> BTreeSet<usize> {
    let is_marked = |buffer: &Buffer| buffer.extensions.khr_meshopt.fallback || buffer.extensions.ext_meshopt.fallback;
    let marked = document.buffers.iter().enumerate().filter(|(_, buffer)| is_marked(buffer)).map(|(index, _)| index);
    let views = || document.buffer_views.iter();
    let copied = views().filter(|view| view.meshopt().is_some()).map(|view| view.buffer);
    let read = views().map(|view| view.meshopt().map_or(view.buffer, |compressed| compressed.buffer));
    let read: BTreeSet<usize> = read.collect();
    marked.chain(copied).filter(|index| !read.contains(index)).collect()
}

/// Decompresses all views and primitives of a document.
pub(super) fn decompress(document: &mut Document, buffers: &mut Vec<Cow<'_, [u8]>>) -> Result<(), String> {
    let mut bytes_left = MAX_BYTES;
    for (index, view) in document.buffer_views.iter_mut().enumerate() {
        let told = |why: String| format!("bufferViews[{index}]: its meshopt data {why}");
        let Some(bytes) = decompressed(view, buffers, bytes_left).map_err(told)? else { continue };
        bytes_left -= bytes.len();
        (view.buffer, view.byte_offset, view.byte_length) = (buffers.len(), 0, bytes.len());
        buffers.push(Cow::Owned(bytes));
    }
    let mut meshes = std::mem::take(&mut document.meshes);
    let mut done: HashMap<Key, Parts> = HashMap::new();
    for (mesh, in_file) in meshes.iter_mut().enumerate() {
        for (index, primitive) in in_file.primitives.iter_mut().enumerate() {
            let Some(compressed) = primitive.extensions.draco.take() else { continue };
            let key = Key::of(&compressed, primitive, document);
            let parts = match done.get(&key) {
                Some(parts) => parts,
                None => {
                    let told = |why: String| format!("meshes[{mesh}].primitives[{index}]: its Draco data {why}");
                    let parts = add(&key, document, buffers, &mut bytes_left).map_err(told)?;
                    done.entry(key).or_insert(parts)
                }
            };
            primitive.attributes.extend(parts.attributes.iter().cloned());
            primitive.indices = Some(parts.indices);
            primitive.mode = TRIANGLES;
        }
    }
    document.meshes = meshes;
    Ok(())
}

/// The bytes of a compressed view, at most `most`; `None` if it is plain.
fn decompressed(view: &BufferView, buffers: &[Cow<'_, [u8]>], most: usize) -> Result<Option<Vec<u8>>, String> {
    let Some(compressed) = view.meshopt() else { return Ok(None) };
    let end = compressed.byte_offset.checked_add(compressed.byte_length);
    let range = end.map(|end| compressed.byte_offset..end);
    let bytes = buffers.get(compressed.buffer).zip(range).and_then(|(buffer, range)| buffer.get(range));
    let bytes = bytes.ok_or("reaches beyond its buffer")?;
    let (count, stride) = (compressed.count, compressed.byte_stride);
    if count.checked_mul(stride).is_none_or(|total| total > most) {
        return Err(format!("has {count} elements of {stride} bytes, too many"));
    }
    meshopt::decode(bytes, count, stride, compressed.mode, compressed.filter).map(Some)
}

/// Identity of a decompressed primitive: its data, and for each attribute its name, its number inside them, and whether
/// its whole numbers are normalised. Many primitives may share one.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    view: usize,
    attributes: Vec<(String, u32, bool)>,
}

impl Key {
    fn of(compressed: &DracoPrimitive, primitive: &Primitive, document: &Document) -> Self {
        let is_normalized = |name: &str| {
            let accessor = primitive.attributes.get(name).and_then(|&accessor| document.accessors.get(accessor));
            accessor.is_some_and(|accessor| accessor.normalized)
        };
        let attribute = |(name, id): (&String, &u32)| (name.clone(), *id, is_normalized(name));
        Self { view: compressed.buffer_view, attributes: compressed.attributes.iter().map(attribute).collect() }
    }
}

/// Accessors of a decompressed primitive.
struct Parts {
    attributes: Vec<(String, usize)>,
    indices: usize,
}

/// Decompresses a primitive and adds accessors for it to the document.
fn add(
    key: &Key,
    document: &mut Document,
    buffers: &mut Vec<Cow<'_, [u8]>>,
    bytes_left: &mut usize,
) -> Result<Parts, String> {
    let view = document.buffer_views.get(key.view);
    let view = view.ok_or_else(|| format!("is bufferViews[{}], which is not there", key.view))?;
    let range = view.byte_offset.checked_add(view.byte_length).map(|end| view.byte_offset..end);
    let bytes = buffers.get(view.buffer).zip(range).and_then(|(buffer, range)| buffer.get(range));
    let Geometry { attributes, indices } = {
        let wanted = key.attributes.iter().map(|(name, id, is_normalized)| (name.as_str(), *id, *is_normalized));
        draco::decode(bytes.ok_or("reaches beyond its buffer")?, wanted, bytes_left)?
    };
    let mut accessor = |component_type, width: usize, bytes: Vec<u8>| {
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][width - 1];
        let (buffer, byte_length) = (buffers.len(), bytes.len());
        buffers.push(Cow::Owned(bytes));
        let view =
            BufferView { buffer, byte_offset: 0, byte_length, byte_stride: None, extensions: Default::default() };
        document.buffer_views.push(view);
        document.accessors.push(Accessor {
            buffer_view: Some(document.buffer_views.len() - 1),
            byte_offset: 0,
            component_type,
            normalized: false,
            count: byte_length / (width * size_of::<f32>()),
            kind: kind.to_owned(),
            sparse: None,
        });
        document.accessors.len() - 1
    };
    let bytes_of = |numbers: &[f32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let attributes = key
        .attributes
        .iter()
        .zip(attributes)
        .map(|((name, ..), attribute)| {
            (name.clone(), accessor(F32, attribute.width.into(), bytes_of(&attribute.numbers)))
        })
        .collect();
    let indices = accessor(U32, 1, indices.iter().flatten().flat_map(|index| index.to_le_bytes()).collect());
    Ok(Parts { attributes, indices })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use data_encoding::BASE64;
    use draco_core::EncoderOptions;
    use serde_json::{Value, json};

    use super::*;
    use crate::files::in_memory::InMemory;
    use crate::import::from_gltf::container::{self, Container};

    /// Damage to a document.
    type Change = fn(&mut Value);

    fn opened(json: &Value, check: impl FnOnce(&Container<'_>)) -> Result<(), String> {
        let bytes = json.to_string().into_bytes();
        container::open(&bytes, Path::new("a.gltf"), &InMemory::default()).map(|container| check(&container))
    }

    fn buffer(bytes: &[u8]) -> Value {
        let uri = format!("data:;base64,{}", BASE64.encode(bytes));
        json!({ "byteLength": bytes.len(), "uri": uri })
    }

    /// Five indices, compressed in the first buffer; the second is only promised.
    fn meshopt(extension: &str) -> Value {
        let view = json!({ "buffer": 0, "byteLength": 11, "byteStride": 2, "count": 5, "mode": "INDICES" });
        json!({
            "asset": { "version": "2.0" },
            "extensionsRequired": [extension],
            "buffers": [
                buffer(&[0xd1, 0, 4, 4, 0x8c, 3, 4, 0, 0, 0, 0]),
                { "byteLength": 4000, "extensions": { extension: { "fallback": true } } }
            ],
            "bufferViews": [{ "buffer": 1, "byteOffset": 70, "byteLength": 10, "extensions": { extension: view } }],
            "accessors": [{ "bufferView": 0, "componentType": 5123, "count": 5, "type": "SCALAR" }]
        })
    }

    /// A primitive with compressed positions, used twice.
    fn draco() -> Value {
        let extension = json!({ "bufferView": 0, "attributes": { "POSITION": draco::tests::POSITION } });
        let primitive = json!({
            "attributes": { "POSITION": 0 },
            "indices": 1,
            "mode": 5,
            "extensions": { "KHR_draco_mesh_compression": extension }
        });
        let bytes = draco::tests::sample(&EncoderOptions::new());
        json!({
            "asset": { "version": "2.0" },
            "extensionsRequired": ["KHR_draco_mesh_compression"],
            "buffers": [buffer(&bytes)],
            "bufferViews": [{ "buffer": 0, "byteLength": bytes.len() }],
            "accessors": [
                { "componentType": 5126, "count": 64, "type": "VEC3" },
                { "componentType": 5123, "count": 294, "type": "SCALAR" }
            ],
            "meshes": [{ "primitives": [primitive, primitive] }]
        })
    }

    #[test]
    fn a_compressed_view_is_a_plain_one_afterwards() {
        for extension in ["EXT_meshopt_compression", "KHR_meshopt_compression"] {
            let check = |container: &Container<'_>| {
                let indices = super::super::accessor::Accessors::new(container).indices(0);
                assert_eq!(indices, Ok(vec![0, 1, 2, 101, 102]));
            };
            opened(&meshopt(extension), check).expect("opened");
        }
    }

    #[test]
    fn a_compressed_primitive_is_a_plain_one_afterwards() {
        let check = |container: &Container<'_>| {
            let mut accessors = super::super::accessor::Accessors::new(container);
            let primitives = &container.document.meshes[0].primitives;
            let [position, other] = [0, 1].map(|index: usize| primitives[index].attributes["POSITION"]);
            assert_eq!(position, other, "decompressed once");
            assert_eq!(primitives[0].mode, TRIANGLES);
            assert_eq!(accessors.elements::<3>(position).map(|all| all.len()), Ok(64));
            let indices = accessors.indices(primitives[0].indices.expect("triangles")).expect("read");
            assert!(indices.len() == 294 && indices.iter().all(|&index| index < 64));
        };
        opened(&draco(), check).expect("opened");
    }

    #[test]
    fn errors_name_the_view_or_the_primitive() {
        let refused = |mut json: Value, change: Change| {
            change(&mut json);
            opened(&json, |_| {}).err().unwrap_or_default()
        };
        let khr = "KHR_meshopt_compression";
        let all: [(Value, Change, &str); 6] = [
            (
                meshopt(khr),
                |json| json["bufferViews"][0]["extensions"]["KHR_meshopt_compression"]["count"] = (1_u64 << 40).into(),
                "bufferViews[0]: its meshopt data has 1099511627776 elements of 2 bytes, too many",
            ),
            (
                meshopt(khr),
                |json| json["bufferViews"][0]["extensions"]["KHR_meshopt_compression"]["byteLength"] = 12.into(),
                "bufferViews[0]: its meshopt data reaches beyond its buffer",
            ),
            (
                meshopt(khr),
                |json| json["bufferViews"][0]["extensions"]["KHR_meshopt_compression"]["count"] = 6.into(),
                "bufferViews[0]: its meshopt data is damaged",
            ),
            (
                draco(),
                |json| json["bufferViews"][0]["byteLength"] = 20.into(),
                "meshes[0].primitives[0]: its Draco data cannot be decoded: ",
            ),
            (
                draco(),
                |json| json["bufferViews"] = Value::Array(Vec::new()),
                "meshes[0].primitives[0]: its Draco data is bufferViews[0], which is not there",
            ),
            (
                draco(),
                |json| {
                    let extension = "KHR_draco_mesh_compression";
                    json["meshes"][0]["primitives"][1]["extensions"][extension]["attributes"]["POSITION"] = 9.into();
                },
                "meshes[0].primitives[1]: its Draco data has no attribute 9 for POSITION",
            ),
        ];
        for (json, change, wanted) in all {
            let error = refused(json, change);
            assert!(error.starts_with(wanted), "{error}");
        }
    }
}
