//! Finds or makes the models and textures, and lists them with the fonts for the crate.
//!
//! Both are kept under a hash of the forge's sources, beside the build and in the user's cache: see `cache.rs`. A page
//! fetches its files, so a build for the browser needs only their names, which it reads from [`LOCK`].
#![allow(clippy::disallowed_methods, clippy::print_stderr, reason = "a build script makes files")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use std::{env, fs, io};

use directories::ProjectDirs;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use forge::files::{self, Effort};
use forge::{Entry, Files};
use ms3d::columns;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use webp_rust::encoder::{LosslessEncodingOptions, encode_lossless_rgba_to_webp_with_options};

use cache::Origin;

mod cache;

/// Hash and path of everything that the forge makes, in this folder.
const LOCK: &str = "assets.lock";
/// Sources of the forge, beside this folder.
const SOURCES: [&str; 6] = ["forge/Cargo.toml", "forge/src", "located/src", "math/src", "ms3d/src", "suggest/src"];
/// Folder of made files, in the folder of builds and in the user's cache.
const FOLDER: &str = "forge";

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

fn main() {
    if let Err(error) = list() {
        // A panic would show itself, not the reason.
        eprintln!("error: the models and textures cannot be made or kept: {error}");
        eprintln!("make room there, or name another folder for builds: CARGO_TARGET_DIR=FOLDER");
        std::process::exit(1);
    }
}

/// Writes the tables of names and of files.
fn list() -> Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    let own = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo runs this")?);
    let fonts = own.join("../../assets/fonts");
    println!("cargo:rerun-if-changed={}", fonts.display());
    let mut paths = fs::read_dir(&fonts)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|kind| kind == "otf"));
    let is_fetched = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32");
    if is_fetched {
        println!("cargo:rerun-if-changed={LOCK}");
        paths.extend(
            fs::read_to_string(own.join(LOCK))?.lines().filter_map(|line| line.split("  ").nth(1)).map(Into::into),
        );
    } else {
        let (folder, files) = made(&own)?;
        println!("cargo:rerun-if-changed={}", folder.display());
        paths.extend(files.keys().map(|path| folder.join(path)));
    }
    let mut files = Vec::new();
    for path in paths {
        files.push((path.file_name().and_then(|name| name.to_str()).ok_or("a name in UTF-8")?.to_owned(), path));
    }
    files.sort();
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo runs this")?);
    let is_embedded = !is_fetched && env::var("PROFILE").is_ok_and(|profile| profile == "release");
    println!("cargo:rustc-check-cfg=cfg(embedded)");
    if is_embedded {
        println!("cargo:rustc-cfg=embedded");
    }
    let (mut names, mut places, mut bytes) = (String::new(), String::new(), String::new());
    let embed = |path: &PathBuf| match path.extension().and_then(|kind| kind.to_str()) {
        Some("ms3d") if is_embedded => packed_model(path, &out),
        Some("png") if is_embedded => packed_texture(path, &out),
        _ => Ok(path.clone()),
    };
    let paths: Vec<&PathBuf> = files.iter().map(|(_, path)| path).collect();
    let embedded = threads()?.install(|| paths.into_par_iter().map(embed).collect::<Result<Vec<_>>>())?;
    for ((name, path), embedded) in files.iter().zip(embedded) {
        writeln!(names, "    {name:?},")?;
        writeln!(places, "    ({name:?}, {path:?}),")?;
        writeln!(bytes, "    ({name:?}, include_bytes!({embedded:?})),")?;
    }
    fs::write(out.join("names.rs"), format!("const NAMES: &[&str] = &[\n{names}];\n"))?;
    fs::write(out.join("places.rs"), format!("const FILES: &[(&str, &str)] = &[\n{places}];\n"))?;
    Ok(fs::write(out.join("bytes.rs"), format!("static FILES: &[(&str, &[u8])] = &[\n{bytes}];\n"))?)
}

/// Packs a model for embedding; returns the packed file, in `out`.
fn packed_model(model: &Path, out: &Path) -> Result<PathBuf> {
    let columns = columns::pack(&fs::read(model)?).ok_or("the forge's models can be packed")?;
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&columns)?;
    let path = out.join(model.file_name().unwrap_or_default());
    fs::write(&path, packed.finish()?)?;
    Ok(path)
}

/// Packs a texture for embedding, as lossless WebP of four fifths of its size; returns the packed file, in `out`.
fn packed_texture(texture: &Path, out: &Path) -> Result<PathBuf> {
    /// Of 9: twice that takes thrice the time and saves a twentieth more.
    const EFFORT: u8 = 3;
    let options = LosslessEncodingOptions { optimization_level: EFFORT };
    let image = image::open(texture)?.into_rgba8();
    let (width, height) = (image.width() as usize, image.height() as usize);
    let coded = encode_lossless_rgba_to_webp_with_options(width, height, image.as_raw(), &options)
        .map_err(|error| format!("{}: {error}", texture.display()))?;
    if image::load_from_memory(&coded)?.into_rgba8() != image {
        return Err(format!("{} is another picture as WebP", texture.display()).into());
    }
    let path = out.join(texture.with_extension("webp").file_name().unwrap_or_default());
    fs::write(&path, coded)?;
    Ok(path)
}

/// As many threads as Cargo allows.
fn threads() -> Result<ThreadPool> {
    let threads = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(1);
    Ok(ThreadPoolBuilder::new().num_threads(threads).build()?)
}

/// The folder of everything that the forge makes, and its files; makes them if they are not cached.
fn made(own: &Path) -> Result<(PathBuf, Files)> {
    let key = &key(own)?[..16];
    let begun = Instant::now();
    let warn = |error: io::Error| {
        println!("cargo:warning=builds in other folders make the models and textures again: {error}");
    };
    let place = beside_build()?;
    let (files, origin) = cache::provide(&place, users_cache().as_deref(), key, make, warn)?;
    let folder = place.join(key);
    if origin == Origin::Made {
        println!(
            "cargo:warning=made all models and textures in {:.0} s; builds find them now in {}",
            begun.elapsed().as_secs_f64(),
            folder.display()
        );
    }
    Ok((folder, files))
}

/// Makes everything on as many threads as Cargo allows; progress goes to standard error, shown by `cargo build -vv`.
fn make() -> Result<Files> {
    let (things, done) = (forge::catalogue(), AtomicUsize::new(0));
    let make = |thing: &Entry| {
        let made = files::of(&(thing.make)(1), Effort::Full)?;
        eprintln!("made {} of {}: {}", done.fetch_add(1, Ordering::Relaxed) + 1, things.len(), thing.name);
        Ok(made)
    };
    // Each entry is made by one thread, independently of the others: the number of threads changes no byte.
    let made: Result<Vec<Files>> = threads()?.install(|| things.par_iter().map(make).collect());
    Ok(made?.into_iter().flatten().collect())
}

/// A hash of the forge's sources.
fn key(own: &Path) -> Result<String> {
    let mut texts = Files::new();
    let mut paths: Vec<PathBuf> = SOURCES.iter().map(|source| own.join("..").join(source)).collect();
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            paths.extend(fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?);
        } else {
            let text = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let name = path.strip_prefix(own)?.to_string_lossy().replace('\\', "/");
            texts.insert(name, text);
        }
    }
    Ok(cache::hash(cache::sums(&texts).as_bytes()))
}

/// Folder beside Cargo's output, shared by all profiles: OUT_DIR is TARGET_DIR/[TRIPLE/]PROFILE/build/PACKAGE/out. If
/// OUT_DIR has another form, the folder is inside it.
fn beside_build() -> Result<PathBuf> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo runs this")?);
    let mut above = out.ancestors().skip(2);
    let is_as_known = above.next().is_some_and(|folder| folder.ends_with("build"));
    let triple = env::var_os("TARGET").unwrap_or_default();
    let target = above.skip(1).find(|folder| folder.file_name() != Some(&triple));
    Ok(target.filter(|_| is_as_known).unwrap_or(&out).join(FOLDER))
}

/// Folder in the user's cache, such as `~/.cache/pelagic/forge`; `None` without a home directory.
fn users_cache() -> Option<PathBuf> {
    Some(ProjectDirs::from("", "", "pelagic")?.cache_dir().join(FOLDER))
}
