//! Server of the built page, whole or damaged, in a folder of a plain static server.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;

use serde_json::Value;
use tempfile::TempDir;
use tiny_http::{HTTPVersion, Header, Response, Server};

/// Folder of the page built by `make web`.
pub fn built() -> PathBuf {
    let site = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../out/web"));
    assert!(site.join("index.html").exists(), "there is no page in {}: make web builds it", site.display());
    site.to_owned()
}

/// The list of assets of the built page.
pub fn manifest() -> Value {
    let folder = fs::read_dir(built()).expect("a page").map(|entry| entry.expect("an entry").path());
    let hashed = folder.filter_map(|path| fs::read(path.join("manifest.json")).ok()).next().expect("a manifest");
    serde_json::from_slice(&hashed).expect("JSON")
}

/// A copy of the page with one damaged file.
pub fn damaged(file: &str, damage: impl FnOnce(Vec<u8>) -> Option<Vec<u8>>) -> TempDir {
    let copy = tempfile::tempdir().expect("a folder");
    copy_folder(&built(), copy.path());
    let path = copy.path().join(file);
    let damaged = damage(fs::read(&path).expect("a file of the page"));
    // Not written through a link into the page itself.
    fs::remove_file(&path).expect("removed");
    if let Some(bytes) = damaged {
        fs::write(path, bytes).expect("written");
    }
    copy
}

fn copy_folder(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir(&target).expect("a folder");
            copy_folder(&entry.path(), &target);
        } else if fs::hard_link(entry.path(), &target).is_err() {
            fs::copy(entry.path(), &target).expect("copied");
        }
    }
}

/// Serves a page until the tests end, in a folder of a server that knows three types, compresses nothing and closes
/// each connection (`tiny_http` may not serve one while others are kept open); returns its address.
pub fn served(site: &Path) -> String {
    let server = Server::http("127.0.0.1:0").expect("a port");
    let port = server.server_addr().to_ip().expect("an address").port();
    let site = site.to_owned();
    thread::spawn(move || {
        for request in server.incoming_requests() {
            let path = request.url().split('?').next().unwrap_or_default().strip_prefix("/some/where/");
            let path = path.map(|path| site.join(if path.is_empty() { "index.html" } else { path }));
            let bytes = path.as_ref().and_then(|path| fs::read(path).ok());
            let status = if bytes.is_some() { 200 } else { 404 };
            let kind = match path.as_ref().and_then(|path| path.extension()).and_then(|extension| extension.to_str()) {
                Some("html") => "text/html",
                Some("css") => "text/css",
                Some("js") => "text/javascript",
                _ => "application/octet-stream",
            };
            let header = Header::from_bytes("Content-Type", kind).expect("a header");
            let response = Response::from_data(bytes.unwrap_or_default()).with_header(header).with_status_code(status);
            // A browser that needs no more hangs up.
            let mut writer = request.into_writer();
            let _ = response.raw_print(&mut writer, HTTPVersion(1, 0), &[], false, None).and_then(|()| writer.flush());
        }
    });
    format!("http://127.0.0.1:{port}/some/where/")
}

/// Path for pictures to be inspected.
pub fn kept(name: &str) -> PathBuf {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/browser"));
    fs::create_dir_all(folder).expect("a folder");
    folder.join(name)
}
