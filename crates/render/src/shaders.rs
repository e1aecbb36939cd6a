//! Shader texts: built in or from a folder, with includes and defines put in.

use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

use gl::{GlError, ShaderText};
use math::Fnv;

use crate::constants;
use crate::frame_uniforms::FrameUniforms;
use crate::studio::joint_colours_glsl;

// Every shader file by name: `BUILT_IN`, written by build.rs.
include!(concat!(env!("OUT_DIR"), "/shaders.rs"));

/// Name of an include, and the function that writes it.
type Generated = (&'static str, fn() -> String);

/// Includes that are written from declarations in Rust instead of read, whatever the folder.
const GENERATED: [Generated; 3] = [
    ("constants.glsl", constants::glsl),
    ("frame.glsl", FrameUniforms::glsl),
    ("joint_colours.glsl", joint_colours_glsl),
];

/// The shader files, as they were when it was made: later edits are not seen before all is read again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShaderSource {
    /// Texts by name, those of includes such as `include/sky.glsl`; else the texts built into the program.
    edited: Option<Rc<HashMap<String, String>>>,
}

impl ShaderSource {
    /// These texts, by name, instead of those built into the program; includes are named such as `include/sky.glsl`.
    pub fn of_files(files: HashMap<String, String>) -> Self {
        Self { edited: Some(Rc::new(files)) }
    }

    /// A hash of all texts, for telling whether two benchmarks drew the same thing.
    pub fn hash(&self) -> u64 {
        let mut texts: Vec<(&str, &str)> = match &self.edited {
            Some(files) => files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect(),
            None => BUILT_IN.to_vec(),
        };
        texts.sort_unstable();
        let mut fnv = Fnv::default();
        for (name, text) in texts {
            fnv.item(name.as_bytes());
            fnv.item(text.as_bytes());
        }
        GENERATED.iter().for_each(|(_, text)| fnv.item(text().as_bytes()));
        fnv.finish()
    }

    /// The text of `file` with includes resolved and those of `defines` (name, value) put in front that it mentions.
    ///
    /// # Errors
    /// If the file or one that it includes is missing, or includes itself.
    pub fn text(&self, file: &str, defines: &[(&str, i32)]) -> Result<ShaderText, GlError> {
        Ok(self.with_defines(&self.included(file)?, defines))
    }

    /// The text of `file` with includes resolved and nothing in front: the part that its variants have in common.
    ///
    /// # Errors
    /// As for [`Self::text`].
    pub fn included(&self, file: &str) -> Result<ShaderText, GlError> {
        let mut to = Assembly::default();
        self.append(file, (file, 0), &mut to)?;
        Ok(to.text)
    }

    /// A text of [`Self::included`] with those of `defines` put in front that it mentions.
    pub fn with_defines(&self, text: &ShaderText, defines: &[(&str, i32)]) -> ShaderText {
        let mut source = String::new();
        for (name, value) in defines.iter().filter(|(name, _)| text.source.contains(name)) {
            source.push_str(&format!("#define {name} {value}\n"));
        }
        source.push_str(&text.source);
        ShaderText { source, files: text.files.clone() }
    }

    /// Appends `file`, which line `line` of `from` asks for.
    fn append(&self, file: &str, (from, line): (&str, usize), to: &mut Assembly) -> Result<(), GlError> {
        let failed = |why| GlError::Include { file: named(from), line, include: named(file), why };
        if to.open.iter().any(|f| f == file) {
            return Err(failed("it includes itself"));
        }
        if to.always_included.iter().any(|f| f == file) {
            return Ok(());
        }
        if to.branches == 0 {
            to.always_included.push(file.to_owned());
        }
        let text = self.file(file).ok_or_else(|| failed("there is no such file"))?;
        to.open.push(file.to_owned());
        let number = to.number(file);
        // It may have been included before in a branch that is not taken.
        to.push(&format!("#ifndef INCLUDED_{number}\n#define INCLUDED_{number}\n#line 1 {number}"));
        for (i, line) in text.lines().enumerate() {
            let directive = line.trim_start().strip_prefix('#').map_or("", str::trim_start);
            if let Some(include) = directive.strip_prefix("include") {
                let include = include.trim().trim_matches('"');
                let is_generated = GENERATED.iter().any(|(name, _)| *name == include);
                let folder = if is_generated { "generated" } else { "include" };
                self.append(&format!("{folder}/{include}"), (file, i + 1), to)?;
                to.push(&format!("#line {} {number}", i + 2));
                continue;
            }
            to.push(line);
            to.branches += usize::from(directive.starts_with("if"));
            to.branches = to.branches.saturating_sub(usize::from(directive.starts_with("endif")));
            // A branch that is not taken takes its #line with it.
            if ["else", "elif", "endif"].iter().any(|end| directive.starts_with(end)) {
                to.push(&format!("#line {} {number}", i + 2));
            }
        }
        to.push("#endif");
        to.open.pop();
        Ok(())
    }

    fn file(&self, name: &str) -> Option<Cow<'_, str>> {
        if let Some(name) = name.strip_prefix("generated/") {
            return GENERATED.iter().find(|(known, _)| *known == name).map(|(_, text)| text().into());
        }
        match &self.edited {
            Some(files) => files.get(name).map(|text| text.into()),
            None => BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).into()),
        }
    }
}

/// A text that is being put together.
#[derive(Default)]
struct Assembly {
    text: ShaderText,
    /// Files that are being read, each included by the one before.
    open: Vec<String>,
    /// Branches of the preprocessor (`#if`) that are open.
    branches: usize,
    /// Files included outside all branches: they need no second time.
    always_included: Vec<String>,
}

impl Assembly {
    /// Number of the file in `#line`.
    fn number(&mut self, file: &str) -> usize {
        let files = &mut self.text.files;
        let name = named(file);
        files.iter().position(|known| *known == name).unwrap_or_else(|| {
            files.push(name);
            files.len() - 1
        })
    }

    fn push(&mut self, line: &str) {
        self.text.source.push_str(line);
        self.text.source.push('\n');
    }
}

/// Name of a file in messages.
fn named(file: &str) -> String {
    if file.starts_with("generated/") { file.to_owned() } else { format!("shaders/{file}") }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use gl::attributes;

    use super::*;

    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shaders")
    }

    fn source_of(files: &[(&str, &str)]) -> ShaderSource {
        ShaderSource::of_files(files.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect())
    }

    #[test]
    fn includes_resolve_once_and_lines_are_kept() {
        let text = ShaderSource::default().text("mesh.frag.glsl", &[("ALPHA_TEST", 1)]).expect("it resolves");
        assert_eq!(text.files[0], "shaders/mesh.frag.glsl");
        assert_eq!(text.source.matches("layout(std140) uniform Frame").count(), 1);
        assert!(text.source.starts_with("#define ALPHA_TEST 1\n#ifndef INCLUDED_0\n"));
    }

    #[test]
    fn generated_includes_are_the_same_whatever_the_folder_and_go_by_a_name_of_their_own() {
        let text =
            source_of(&[("a.frag.glsl", "#include \"frame.glsl\"\n")]).text("a.frag.glsl", &[]).expect("it resolves");
        assert_eq!(text.files, ["shaders/a.frag.glsl", "generated/frame.glsl"]);
        assert!(
            text.source.contains(&format!("#line 1 1\n{}#endif\n#line 2 0\n", FrameUniforms::glsl())),
            "{}",
            text.source
        );
        for (name, _) in GENERATED {
            assert!(!folder().join("include").join(name).exists(), "shaders/include/{name} would never be read");
        }
    }

    #[test]
    fn an_include_in_a_branch_that_is_not_taken_is_there_in_the_next() {
        let source = source_of(&[
            ("a.frag.glsl", "#if A\n#include \"x.glsl\"\n#endif\n#include \"y.glsl\"\n#include \"x.glsl\"\n"),
            ("include/x.glsl", "x\n"),
            ("include/y.glsl", "#include \"x.glsl\"\ny\n"),
        ]);
        let ShaderText { source, files } = source.text("a.frag.glsl", &[]).expect("it resolves");
        assert_eq!(files, ["shaders/a.frag.glsl", "shaders/include/x.glsl", "shaders/include/y.glsl"]);
        let guarded = "#ifndef INCLUDED_1\n#define INCLUDED_1\n#line 1 1\nx\n#endif\n";
        assert_eq!(source.matches(guarded).count(), 2, "once in the branch and once for all:\n{source}");
    }

    #[test]
    fn a_missing_include_names_its_place() {
        let source = source_of(&[("a.frag.glsl", "// x\n#include \"none.glsl\"\n")]);
        let error = source.text("a.frag.glsl", &[]).expect_err("it is missing");
        assert_eq!(
            error.to_string(),
            "shaders/a.frag.glsl:2: cannot include 'shaders/include/none.glsl': there is no such file"
        );
    }

    #[test]
    fn attributes_have_the_listed_names() {
        let holds_some = |name: &str| name.ends_with(".vert.glsl") || name == "include/vertex.glsl";
        for (file, text) in BUILT_IN.iter().filter(|(name, _)| holds_some(name)) {
            for line in text.lines().filter_map(|l| l.strip_prefix("in ")) {
                let name = line.split(';').next().and_then(|d| d.split_whitespace().last()).unwrap_or("");
                assert!(attributes::ALL.iter().any(|(known, _)| *known == name), "{file}: attribute {name}");
            }
        }
    }
}
