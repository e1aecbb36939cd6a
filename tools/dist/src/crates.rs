//! Crates that are linked into the program.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::{System, root, text};

/// A crate from elsewhere.
#[derive(Clone, Debug)]
pub struct Crate {
    /// Name.
    pub name: String,
    /// Version.
    pub version: String,
    /// Licence as an SPDX expression; empty if the crate names none.
    pub license: String,
    /// SHA-256 of the crate's archive, in hexadecimal, from Cargo.lock.
    pub checksum: Option<String>,
    /// Folder of its sources.
    pub folder: PathBuf,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    manifest_path: PathBuf,
    /// `None` for the project's own.
    source: Option<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

#[derive(Deserialize)]
struct Kind {
    /// `None` for what is linked; else `build` or `dev`.
    kind: Option<String>,
}

/// The crates from elsewhere that the program is linked with on a system, by name.
///
/// # Errors
/// If Cargo cannot tell.
pub fn of_program(system: System) -> Result<Vec<Crate>> {
    let Metadata { packages, resolve } = metadata(system)?;
    let sums = checksums()?;
    let linked_with: BTreeMap<&str, &Node> = resolve.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
    let program =
        packages.iter().find(|package| package.name == build_info::NAME).context("no package of the program")?;
    let (mut linked, mut left) = (BTreeSet::new(), vec![program.id.as_str()]);
    while let Some(id) = left.pop() {
        if !linked.insert(id) {
            continue;
        }
        let node = linked_with.get(id).context("a dependency that Cargo has not resolved")?;
        let links = |dependency: &&Dependency| dependency.dep_kinds.iter().any(|kind| kind.kind.is_none());
        left.extend(node.deps.iter().filter(links).map(|dependency| dependency.pkg.as_str()));
    }
    let foreign = packages.iter().filter(|package| package.source.is_some() && linked.contains(package.id.as_str()));
    let mut crates: Vec<Crate> = foreign
        .map(|package| Crate {
            name: package.name.clone(),
            version: package.version.clone(),
            // Older crates divide alternatives by a slash.
            license: package.license.clone().unwrap_or_default().replace('/', " OR "),
            checksum: sums.get(&(package.name.clone(), package.version.clone())).cloned(),
            folder: package.manifest_path.parent().map(PathBuf::from).unwrap_or_default(),
        })
        .collect();
    crates.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(crates)
}

fn metadata(system: System) -> Result<Metadata> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let told = Command::new(cargo)
        .args(["metadata", "--format-version=1", "--locked", "--filter-platform", &system.triple()])
        .current_dir(root())
        .output()
        .context("cargo metadata")?;
    ensure!(told.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&told.stderr).trim());
    serde_json::from_slice(&told.stdout).context("what cargo metadata tells")
}

/// Checksums of Cargo.lock by name and version.
fn checksums() -> Result<BTreeMap<(String, String), String>> {
    #[derive(Deserialize)]
    struct Lock {
        package: Vec<Locked>,
    }
    #[derive(Deserialize)]
    struct Locked {
        name: String,
        version: String,
        checksum: Option<String>,
    }
    let lock: Lock = toml::from_str(&text("Cargo.lock")?).context("Cargo.lock")?;
    let of_each = |locked: Locked| Some(((locked.name, locked.version), locked.checksum?));
    Ok(lock.package.into_iter().filter_map(of_each).collect())
}
