//! Files that import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};

use crate::paths::{NamedPath, paths};
use crate::words::Word;

/// A module's path from the crate's root, such as `["scene", "world"]`.
type Module = Vec<String>;

/// Every circle of imports in a crate, each a list of its files. `files` are paths under `src` with their words.
///
/// A module and those under it may know each other: what counts is who knows whom across the tree. A name that a module
/// only passes on, by `pub use`, counts for the file that it comes from.
pub fn circles(files: &[(String, Vec<Word<'_>>)]) -> Vec<Vec<String>> {
    let files: BTreeMap<Module, File<'_>> =
        files.iter().map(|(path, words)| (module_of(path), File { path, words, paths: paths(words) })).collect();
    let edges: BTreeMap<&Module, BTreeSet<&Module>> =
        files.iter().map(|(module, file)| (module, known_to(&files, module, file))).collect();
    let reached: BTreeMap<&Module, BTreeSet<&Module>> =
        edges.keys().map(|from| (*from, reached_from(&edges, from))).collect();
    let mut circles: BTreeSet<Vec<String>> = BTreeSet::new();
    for (from, all) in &reached {
        let circle = all.iter().filter(|to| reached[**to].contains(*from));
        circles.insert(circle.map(|module| files[*module].path.to_owned()).collect());
    }
    circles.into_iter().filter(|circle| !circle.is_empty()).collect()
}

struct File<'a> {
    path: &'a str,
    words: &'a [Word<'a>],
    paths: Vec<NamedPath<'a>>,
}

impl File<'_> {
    fn defines(&self, name: &str) -> bool {
        const KINDS: [&str; 8] = ["struct", "enum", "union", "trait", "fn", "const", "static", "type"];
        self.words.windows(2).any(|pair| KINDS.contains(&pair[0].text) && pair[1].text == name)
    }
}

fn module_of(path: &str) -> Module {
    let mut parts: Module = path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if parts.last().is_some_and(|last| matches!(last.as_str(), "mod" | "lib" | "main")) {
        parts.pop();
    }
    parts
}

/// The modules that a file's paths lead to, but those above and below itself.
fn known_to<'f>(files: &'f BTreeMap<Module, File<'_>>, module: &Module, file: &File<'_>) -> BTreeSet<&'f Module> {
    let targets = file.paths.iter().filter(|path| !path.is_exported);
    let targets = targets.filter_map(|path| resolve(files, &from_root(files, module, &path.parts)?, 0));
    targets.filter(|target| !target.starts_with(module) && !module.starts_with(target)).collect()
}

/// A path from the crate's root; `None` if it leads out of the crate.
fn from_root(files: &BTreeMap<Module, File<'_>>, module: &Module, parts: &[&str]) -> Option<Module> {
    let ups = parts.iter().take_while(|part| **part == "super").count();
    let (mut path, rest) = match parts[0] {
        "crate" => (Vec::new(), &parts[1..]),
        "self" => (module.clone(), &parts[1..]),
        "super" => (module[..module.len().checked_sub(ups)?].to_vec(), &parts[ups..]),
        child => {
            let mut below = module.clone();
            below.push(child.to_owned());
            (files.contains_key(&below).then(|| module.clone())?, parts)
        }
    };
    path.extend(rest.iter().map(|part| (*part).to_owned()));
    Some(path)
}

/// The module whose file defines what a path names, `pub use` followed.
fn resolve<'f>(files: &'f BTreeMap<Module, File<'_>>, path: &[String], depth: usize) -> Option<&'f Module> {
    let length = (0..=path.len()).rev().find(|&length| files.contains_key(&path[..length]))?;
    let (module, file) = files.get_key_value(&path[..length])?;
    let Some(name) = path.get(length).filter(|name| depth < 8 && !file.defines(name)) else { return Some(module) };
    let exported = |path: &&NamedPath<'_>| path.is_exported;
    if let Some(named) = file.paths.iter().filter(exported).find(|path| path.name == name) {
        let mut target = from_root(files, module, &named.parts)?;
        target.extend_from_slice(&path[length + 1..]);
        return resolve(files, &target, depth + 1);
    }
    let globs = file.paths.iter().filter(exported).filter(|path| path.name == "*");
    let mut globs = globs.filter_map(|glob| from_root(files, module, &glob.parts[..glob.parts.len() - 1]));
    let holder = globs.find(|holder| files.get(holder).is_some_and(|file| file.defines(name)));
    Some(holder.and_then(|holder| files.get_key_value(&holder)).map_or(module, |(holder, _)| holder))
}

/// Every module that can be reached by one step or more.
fn reached_from<'f>(edges: &BTreeMap<&'f Module, BTreeSet<&'f Module>>, from: &Module) -> BTreeSet<&'f Module> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        for next in &edges[module] {
            if reached.insert(*next) {
                open.push(next);
            }
        }
    }
    reached
}
