//! A file as JSON and buffers: `.gltf` text, or the chunks of a `.glb`.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use data_encoding::BASE64;
use serde_json::Value;

use super::compression;
use super::document::Document;
use super::extensions;
use super::tolerance;
use crate::files;
use crate::{Files, MAX_FILE_BYTES};

/// Most marks `{`, `[` and `,` in a file's JSON: each may stand for an object, which takes more memory than the mark.
pub const MAX_MARKS: usize = 1 << 20;

/// Advice for files of version 1.
const OLD_VERSION: &str = "only glTF 2.0 is read: convert it, for example with gltf-pipeline";

/// Bytes of a container's header, and of that of a chunk.
const HEADER_BYTES: usize = 12;
const CHUNK_HEADER_BYTES: usize = 8;

/// First bytes of a container.
pub(in crate::import) const MAGIC: &[u8; 4] = b"glTF";

/// A document and the bytes of its buffers.
pub(super) struct Container<'a> {
    pub document: Document,
    pub buffers: Vec<Cow<'a, [u8]>>,
}

/// Reads the document of the file `path`, whose bytes are `bytes`, and its buffers. Compressed parts are decompressed.
pub(super) fn open<'a>(bytes: &'a [u8], path: &Path, files: &dyn Files) -> Result<Container<'a>, String> {
    let (json, mut own) = if bytes.starts_with(MAGIC) { chunks(bytes)? } else { (bytes, None) };
    let json = tolerance::text(json);
    if json.iter().filter(|byte| matches!(byte, b'{' | b'[' | b',')).count() > MAX_MARKS {
        return Err(format!("its JSON has more than {MAX_MARKS} of the marks {{ [ and ,"));
    }
    let json = std::str::from_utf8(json).map_err(|error| format!("its JSON is no text: {error}"))?;
    let mut value: Value = serde_json::from_str(json).map_err(|error| format!("its JSON is wrong: {error}"))?;
    tolerance::clean(&mut value);
    // Version 1 has its lists as objects by name.
    if value.get("accessors").is_some_and(Value::is_object) {
        return Err(format!("it is glTF 1.0; {OLD_VERSION}"));
    }
    let mut document: Document = serde_path_to_error::deserialize(value).map_err(|error| {
        let (place, what) = (error.path().to_string(), error.into_inner());
        format!("its JSON is wrong at {place}: {what}")
    })?;
    if !document.asset.version.starts_with("2.") {
        return Err(format!("asset.version is '{}'; only glTF 2.0 is read", document.asset.version));
    }
    if let Some(refusal) = extensions::refusal(&document) {
        return Err(refusal);
    }
    let mut buffers = Vec::with_capacity(document.buffers.len().min(bytes.len()));
    let mut bytes_left = MAX_FILE_BYTES;
    let fallbacks = compression::fallbacks(&document);
    for (index, buffer) in document.buffers.iter().enumerate() {
        if fallbacks.contains(&index) {
            buffers.push(Cow::default());
            continue;
        }
        let mut read = match &buffer.uri {
            Some(uri) => {
                Cow::Owned(resource(uri, path, files, bytes_left).map_err(|why| format!("buffers[{index}] {why}"))?)
            }
            None => own
                .take()
                .map(Cow::Borrowed)
                .ok_or_else(|| format!("buffers[{index}] has no uri and no binary chunk"))?,
        };
        if read.len() < buffer.byte_length {
            let (there, wanted) = (read.len(), buffer.byte_length);
            return Err(format!("buffers[{index}] has {there} bytes, {wanted} are promised"));
        }
        // The chunk of a container may be padded.
        match &mut read {
            Cow::Owned(bytes) => bytes.truncate(buffer.byte_length),
            Cow::Borrowed(bytes) => *bytes = &bytes[..buffer.byte_length],
        }
        bytes_left = bytes_left.saturating_sub(read.len() as u64);
        buffers.push(read);
    }
    compression::decompress(&mut document, &mut buffers)?;
    Ok(Container { document, buffers })
}

/// The JSON and the binary chunk of a container.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), String> {
    let number = |at: usize| {
        let field = bytes.get(at..at + 4).and_then(|field| field.try_into().ok());
        field.map(u32::from_le_bytes).ok_or_else(|| format!("byte {at}: the file ends early"))
    };
    let (version, length) = (number(4)?, number(8)? as usize);
    if version != 2 {
        return Err(format!("byte 4: container version {version}; {OLD_VERSION}"));
    }
    if length > bytes.len() {
        return Err(format!("byte 8: {length} bytes are promised, the file has {}", bytes.len()));
    }
    let (mut json, mut binary) = (None, None);
    let mut at = HEADER_BYTES;
    while at + CHUNK_HEADER_BYTES <= length {
        let (chunk_bytes, kind) = (number(at)? as usize, number(at + 4)?.to_le_bytes());
        let start = at + CHUNK_HEADER_BYTES;
        let end = start.checked_add(chunk_bytes).filter(|&end| end <= length);
        let end = end.ok_or_else(|| format!("byte {at}: a chunk of {chunk_bytes} bytes does not fit into the file"))?;
        match &kind {
            b"JSON" if json.is_none() => json = Some(&bytes[start..end]),
            b"BIN\0" if json.is_some() && binary.is_none() => binary = Some(&bytes[start..end]),
            _ if json.is_none() => return Err(format!("byte {at}: the first chunk is not JSON")),
            _ => {}
        }
        at = end;
    }
    Ok((json.ok_or("byte 12: there is no JSON chunk")?, binary))
}

/// The bytes behind a URI: inside it, or a file beside the model.
pub(super) fn resource(uri: &str, path: &Path, files: &dyn Files, most_bytes: u64) -> Result<Vec<u8>, String> {
    if let Some(data) = uri.strip_prefix("data:") {
        let (_, text) = data.split_once(";base64,").ok_or("has a data URI that is not base64")?;
        return BASE64.decode(text.as_bytes()).map_err(|error| format!("has a damaged data URI: {error}"));
    }
    let file = located(uri, path, files).ok_or_else(|| format!("names '{uri}', which is no file beside the model"))?;
    files.read(&file, most_bytes).map_err(|error| format!("'{}' cannot be read: {error}", file.display()))
}

/// The file that a URI names: as it is written, with `%20` and the like undone or not, ignoring case, or by its last part
/// alone; else where it should be. `None` for one that is elsewhere and not beside the model either.
fn located(uri: &str, path: &Path, files: &dyn Files) -> Option<PathBuf> {
    let names = [unescaped(uri), uri.to_owned()].map(|name| name.replace('\\', "/"));
    let is_elsewhere =
        |name: &str| name.contains("://") || name.starts_with('/') || name.as_bytes().get(1) == Some(&b':');
    let folder = path.parent().unwrap_or(Path::new(""));
    let local = names.iter().filter(|name| !is_elsewhere(name)).map(String::as_str);
    let last = names.iter().filter_map(|name| name.rsplit('/').next());
    let found = local.clone().chain(last).find_map(|name| files::find(files, folder, name));
    found.or_else(|| local.clone().next().map(|name| folder.join(name)))
}

/// A URI with its `%20` and the like undone.
pub(super) fn unescaped(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.filter(|_| first == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
