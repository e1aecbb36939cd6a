//! The whole page as a folder.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::pack::{self, Manifest, Packed};
use crate::{program, root};

/// Default output folder of the page.
pub const FOLDER: &str = "out/web";

/// Folder of hashed files in the sources.
const HASHED: &str = "page/";

/// Builds the page into `out`, which is replaced.
///
/// # Errors
/// If a step fails; `out` is then unchanged.
pub fn build(out: &Path) -> Result<()> {
    ensure!(
        !out.exists() || out.join("index.html").exists() || fs::read_dir(out)?.next().is_none(),
        "{} holds something else than a page: name an empty folder",
        out.display()
    );
    let program = program::build()?;
    eprintln!("pelagic-page: packing");
    let site = out.with_extension("new");
    let _ = fs::remove_dir_all(&site);
    fs::create_dir_all(site.join("assets")).with_context(|| format!("{} cannot be made", site.display()))?;

    let mut manifest = Manifest::default();
    pack::assets(&site, &mut manifest)?;
    let wasm = pack::gzip(&pack::read(&program.wasm)?)?;
    let bytes = wasm.len() as u64;
    let mut files = vec![("pelagic.js".to_owned(), pack::read(&program.script)?), ("pelagic.bin".to_owned(), wasm)];
    let mut index = None;
    for path in sources()? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = pack::read(&path)?;
        if name == "index.html" { index = Some(bytes) } else { files.push((name, bytes)) }
    }
    let index = String::from_utf8(index.context("web/index.html is missing")?)?;
    ensure!(index.contains(HASHED), "web/index.html names nothing in {HASHED}");

    // The list names the program by its folder, so the folder is hashed from the list without the program.
    let mut parts = vec![serde_json::to_vec(&manifest)?];
    parts.extend(files.iter().map(|(_, bytes)| bytes.clone()));
    let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
    let folder = format!("page-{}", pack::hash(&parts));
    manifest.program = Packed { file: format!("{folder}/pelagic.bin"), bytes };
    files.push(("manifest.json".to_owned(), serde_json::to_vec(&manifest)?));
    fs::create_dir(site.join(&folder))?;
    for (name, bytes) in &files {
        fs::write(site.join(&folder).join(name), bytes)?;
    }
    fs::write(site.join("index.html"), index.replace(HASHED, &format!("{folder}/")))?;

    if out.exists() {
        fs::remove_dir_all(out)?;
    }
    fs::rename(&site, out).with_context(|| format!("{} cannot be renamed", site.display()))?;
    println!("{}: {:.1} MB, the program {:.2} MB of it", out.display(), size(out)? as f64 / 1e6, bytes as f64 / 1e6);
    Ok(())
}

/// Source files of the page, sorted.
fn sources() -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(root().join("web")).context("web/ cannot be read")?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn size(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        bytes += if metadata.is_dir() { size(&entry.path())? } else { metadata.len() };
    }
    Ok(bytes)
}
