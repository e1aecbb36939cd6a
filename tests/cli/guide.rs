//! The README and the guide: what is generated is up to date, what is linked exists, and every example is right.
//!
//! `make guide` writes the scene reference anew.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use pelagic::config::{card_json_schema, json_schema, load, preferences};
use pelagic::demo::input::HELP;
use pelagic::shell::messages::{Language, Messages};
use serde_json::Value;

/// Bytes that a README may take.
const README_BYTES: usize = 8192;
/// Lines that a README may have.
const README_LINES: usize = 150;
/// Bytes that the picture of a benchmark's report may take.
const BENCH_PICTURE_BYTES: u64 = 40 * 1024;

/// The page that this test generates.
const REFERENCE: &str = "scene-reference.md";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The README and the guide's folder of each language.
const PAGES: [(Language, &str, &str); 2] =
    [(Language::English, "README.md", "docs/guide/en"), (Language::Chinese, "README.zh-CN.md", "docs/guide/zh-CN")];

/// The chapters of a guide, without its table of contents, in alphabetical order.
fn chapters(guide: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(root().join(guide)).expect("a folder").map(|entry| entry.expect("an entry").path());
    let is_chapter = |path: &PathBuf| path.extension().is_some_and(|end| end == "md") && !path.ends_with("SUMMARY.md");
    let chapters: BTreeSet<PathBuf> = files.filter(is_chapter).collect();
    assert!(chapters.len() > 12, "{guide}: {chapters:?}");
    chapters.into_iter().collect()
}

/// All pages for readers: those of each language, and those that are English only.
fn pages() -> Vec<PathBuf> {
    let alone = ["CONTRIBUTING.md", "SECURITY.md", "THIRD_PARTY.md", "CHANGELOG.md"];
    let alone = alone.into_iter().chain(["docs/validation.md", "docs/performance.md"]).map(|name| root().join(name));
    let translated = PAGES.into_iter().flat_map(|(_, readme, guide)| {
        let contents = Path::new(guide).join("SUMMARY.md");
        [root().join(readme), root().join(contents)].into_iter().chain(chapters(guide))
    });
    alone.chain(translated).collect()
}

/// The blocks of code of a page in a language such as `toml`, each with the number of its first line.
fn blocks(page: &str, language: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, bool, String)> = None;
    for (line, number) in page.lines().zip(1..) {
        match (line.strip_prefix("```"), &mut open) {
            (Some(name), None) => open = Some((number + 1, name == language, String::new())),
            (Some(_), Some(_)) => {
                let (first, wanted, text) = open.take().expect("it is open");
                found.extend(wanted.then_some((first, text)));
            }
            (None, Some((_, _, text))) => *text += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    found
}

// ---- Sizes, contents, links ----

fn a_readme_is_short() {
    for (_, readme, _) in PAGES {
        let text = read(&root().join(readme));
        let (bytes, lines) = (text.len(), text.lines().count());
        assert!(bytes <= README_BYTES, "{readme} has {bytes} bytes: what is more belongs into the guide");
        assert!(lines <= README_LINES, "{readme} has {lines} lines: what is more belongs into the guide");
    }
    let picture = fs::metadata(root().join("docs/bench.webp")).expect("a picture").len();
    assert!(picture <= BENCH_PICTURE_BYTES, "docs/bench.webp has {picture} bytes");
}

fn the_table_of_contents_lists_every_chapter_once() {
    let mut names = Vec::new();
    for (_, _, guide) in PAGES {
        let contents = read(&root().join(guide).join("SUMMARY.md"));
        let listed: Vec<&str> = contents.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
        let files = chapters(guide);
        let mut sorted: Vec<&str> = listed.clone();
        sorted.sort_unstable();
        let files: Vec<&str> = files.iter().filter_map(|path| path.file_name()?.to_str()).collect();
        assert_eq!(sorted, files, "{guide}");
        names.push(listed.into_iter().map(str::to_owned).collect::<Vec<_>>());
    }
    assert_eq!(names[0], names[1], "the chapters come in the same order in every language");
}

/// The anchor that renderers give a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|&c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn every_link_leads_somewhere() {
    let mut links = 0;
    for page in pages() {
        let text = read(&page);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next()) {
            if link.contains("://") {
                continue;
            }
            links += 1;
            let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
            let folder = page.parent().expect("a page is in a folder");
            let target = if path.is_empty() { page.clone() } else { folder.join(path) };
            assert!(target.exists(), "{}: {link} leads nowhere", page.display());
            if !fragment.is_empty() {
                let target = read(&target);
                let headings = target.lines().filter(|line| line.starts_with('#'));
                let found = headings.map(|line| anchor(line.trim_start_matches('#'))).any(|known| known == fragment);
                assert!(found, "{}: {link} names no heading", page.display());
            }
        }
    }
    assert!(links > 60, "only {links} links");
}

fn every_make_target_of_the_pages_is_in_the_makefile() {
    let makefile = read(&root().join("Makefile"));
    let mut targets = 0;
    for page in pages() {
        let text = read(&page);
        let in_blocks = blocks(&text, "sh").into_iter().flat_map(|(_, block)| {
            block.lines().filter_map(|line| line.strip_prefix("make ").map(str::to_owned)).collect::<Vec<_>>()
        });
        let in_spans = text.split("`make ").skip(1).map(str::to_owned);
        for said in in_blocks.chain(in_spans) {
            let target: String = said.chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect();
            assert!(makefile.contains(&format!("\n{target}:")), "{}: make {target}", page.display());
            targets += 1;
        }
    }
    assert!(targets > 20, "only {targets} targets");
}

// ---- Examples ----

/// A file of an example, as its first line names it: `# wrasse.toml: a card`.
enum Example {
    /// A scene.
    Scene,
    /// A species card.
    Card,
    /// The user's own settings.
    Settings,
}

/// The name and the kind of a block of TOML.
fn example(block: &str) -> (String, Example) {
    let first = block.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap_or_default();
    let (name, what) = first.split_once(':').unwrap_or((first, ""));
    match name.trim() {
        "config.toml" => ("config.toml".into(), Example::Settings),
        name if name.ends_with(".toml") && what.contains("card") => (name.into(), Example::Card),
        name if name.ends_with(".toml") => (name.into(), Example::Scene),
        _ => ("scene.toml".into(), Example::Scene),
    }
}

fn pelagic(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pelagic"));
    let output = command.args(arguments).current_dir(folder).output().expect("the program starts");
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    assert!(output.status.success(), "pelagic {}: {out}{err}", arguments.join(" "));
}

/// Every block of TOML of the English pages, which the Chinese ones share but for comments, is checked strictly.
fn every_example_in_toml_is_right() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    // Models that the examples name, made by the commands that the pages give, or in their place.
    pelagic(folder.path(), &["forge", "make", "green_turtle", "--out", "my"]);
    pelagic(folder.path(), &["model", "convert", "builtin:clownfish", "fish.glb"]);
    pelagic(folder.path(), &["forge", "make", "clownfish", "--out", "."]);
    fs::rename(at("models/clownfish.ms3d"), at("models/mine.ms3d")).expect("a model");
    let mut examples = 0;
    let (_, readme, guide) = PAGES[0];
    for page in [root().join(readme)].into_iter().chain(chapters(guide)) {
        let text = read(&page);
        for (line, block) in blocks(&text, "toml") {
            let (name, kind) = example(&block);
            let place = format!("{}:{line}", page.display());
            fs::write(at(&name), &block).expect("a file");
            match kind {
                Example::Scene => pelagic(folder.path(), &["scene", "check", "--strict", &name]),
                Example::Settings => {
                    let read = preferences(&at(&name)).unwrap_or_else(|error| panic!("{place}: {error}"));
                    assert!(read.is_some(), "{place}");
                }
                Example::Card => {
                    let scene = format!(
                        "extends = \"reef\"\n[[species]]\nname = \"some\"\nmodel = \"builtin:clownfish\"\ncard = \"{name}\"\n"
                    );
                    fs::write(at("of_card.toml"), scene).expect("a file");
                    let path = at("of_card.toml");
                    let path = path.to_str().expect("temporary paths are UTF-8");
                    load(path, &[]).unwrap_or_else(|error| panic!("{place}: {error}"));
                }
            }
            examples += 1;
        }
    }
    assert!(examples >= 6, "only {examples} examples");
}

// ---- The scene reference ----

/// The words of a reference page in one language.
struct Terms {
    title: &'static str,
    intro: &'static str,
    columns: &'static str,
    top: &'static str,
    boolean: &'static str,
    text: &'static str,
    choice: &'static str,
    number: &'static str,
    whole: &'static str,
    texts: &'static str,
    choices: &'static str,
    /// Several numbers; `#` stands for how many.
    numbers: &'static str,
    /// A list of several numbers each; `#` stands for how many.
    rows: &'static str,
    to: &'static str,
    required: &'static str,
}

const ENGLISH: Terms = Terms {
    title: "Scene reference",
    intro: "Every table and key of a scene file. This page is generated from the schema that `pelagic scene schema` \
            prints:\n`make guide` writes it. `pelagic scene dump-default` prints the same \
            as a file to edit.\n\nA key that a file leaves out keeps the value of the scene that it `extends`, or the \
            default. A dash means that there is\nno default. Keys marked *card* may also stand in a [species \
            card](habits.md).",
    columns: "| key | type | range | unit | default | meaning |",
    top: "Top of the file",
    boolean: "boolean",
    text: "string",
    choice: "choice",
    number: "number",
    whole: "integer",
    texts: "list of strings",
    choices: "list of choices",
    numbers: "# numbers",
    rows: "list of # numbers each",
    to: " to ",
    required: "required",
};

const CHINESE: Terms = Terms {
    title: "场景文件参考",
    intro: "场景文件的全部表和键。本页由 `pelagic scene schema` 输出的模式生成：`make guide` \
            重写本页。\n`pelagic scene dump-default` 以可编辑的文件形式输出同样的内容。\n\n文件中省略的键沿用 `extends` 所指场景的值，\
            否则取默认值。横线表示没有默认值。标有*习性卡*的键也可以写在[习性卡](habits.md)里。",
    columns: "| 键 | 类型 | 范围 | 单位 | 默认值 | 含义 |",
    top: "文件顶层",
    boolean: "布尔值",
    text: "字符串",
    choice: "选项",
    number: "数",
    whole: "整数",
    texts: "字符串列表",
    choices: "选项列表",
    numbers: "# 个数",
    rows: "列表，每项 # 个数",
    to: " 至 ",
    required: "必填",
};

/// Makes a reference page from the schema.
struct Reference {
    language: Language,
    messages: Messages,
    terms: Terms,
    /// Keys of a species that a card may hold.
    of_card: BTreeSet<String>,
    page: String,
}

impl Reference {
    fn new(language: Language) -> Self {
        let terms = match language {
            Language::English => ENGLISH,
            Language::Chinese => CHINESE,
        };
        let card = card_json_schema().to_value();
        let of_card = card["properties"].as_object().expect("keys").keys().cloned().collect();
        Self { language, messages: Messages::new(language), terms, of_card, page: String::new() }
    }

    fn write(mut self) -> String {
        let schema = json_schema().to_value();
        self.page = format!("# {}\n\n{}\n", self.terms.title, self.terms.intro);
        let top = self.terms.top.to_owned();
        self.table(&format!("## {top}"), "", &schema, "", "");
        self.page
    }

    /// A table's keys, then the tables in it. `path` is as the program knows it (`species[].clips.*`), `name` as a file
    /// writes it (`species.clips.NAME`).
    fn table(&mut self, heading: &str, help: &str, schema: &Value, path: &str, name: &str) {
        let properties = schema["properties"].as_object().expect("a table has keys");
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let (inner, keys): (Vec<_>, Vec<_>) = properties.iter().partition(|(_, property)| is_table(property));
        let _ = write!(self.page, "\n{heading}\n");
        if !help.is_empty() {
            let _ = write!(self.page, "\n{help}\n");
        }
        if !keys.is_empty() {
            let _ = write!(self.page, "\n{}\n|---|---|---|---|---|---|\n", self.terms.columns);
        }
        let mut choices = String::new();
        for (key, property) in keys {
            let path = join(path, key);
            let row = self.row(key, property, &path, required.contains(&key.as_str()), name == "species");
            self.page += &row;
            choices += &self.choices(key, property);
        }
        if !choices.is_empty() {
            let _ = write!(self.page, "\n{choices}");
        }
        for (key, property) in inner {
            let path = join(path, key);
            let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
            let help = cell(&self.messages.setting_help(&path));
            let (written, inside, path, name) = if let Some(items) = property.get("items") {
                (format!("`[[{name}]]`"), items, format!("{path}[]"), name)
            } else if property["additionalProperties"].is_object() {
                (format!("`[{name}.NAME]`"), &property["additionalProperties"], format!("{path}.*"), name)
            } else {
                (format!("`[{name}]`"), property, path, name)
            };
            let level = if name.contains('.') { "###" } else { "##" };
            self.table(&format!("{level} {written}"), &help, inside, &path, &name);
        }
    }

    fn row(&self, key: &str, property: &Value, path: &str, is_required: bool, of_species: bool) -> String {
        let (kind, range) = self.kind(property);
        let unit = property["x-unit"].as_str().map(|unit| self.messages.unit(unit)).unwrap_or_default();
        let default = match &property["default"] {
            Value::Null if is_required => self.terms.required.to_owned(),
            Value::Null => "–".to_owned(),
            value => format!("`{}`", value.to_string().replace(',', ", ")),
        };
        let mut help = cell(&self.messages.setting_help(path));
        if self.language != Language::English {
            help = format!("{}：{help}", self.messages.setting_name(path));
        }
        if of_species && self.of_card.contains(key) {
            help += match self.language {
                Language::English => " *card*",
                Language::Chinese => " *习性卡*",
            };
        }
        format!("| `{key}` | {kind} | {range} | {unit} | {default} | {help} |\n")
    }

    /// Kind and range of a value.
    fn kind(&self, property: &Value) -> (String, String) {
        let terms = &self.terms;
        let counted = |words: &str, numbers: usize| words.replace('#', &numbers.to_string());
        if property["anyOf"].is_array() {
            return (terms.text.to_owned(), format!("{}, …", names(property)));
        }
        if !alternatives(property).is_empty() {
            return (terms.choice.to_owned(), names(property));
        }
        match property["type"].as_str().expect("a key has a type") {
            "boolean" => (terms.boolean.to_owned(), String::new()),
            "string" => (terms.text.to_owned(), String::new()),
            "number" => (terms.number.to_owned(), self.range(property)),
            "integer" => (terms.whole.to_owned(), self.range(property)),
            "array" => {
                let of_vector = |list: &Value| match list["prefixItems"].as_array() {
                    Some(each) => each.iter().map(|one| self.range(one)).collect::<Vec<_>>().join(", "),
                    None => self.range(&list["items"]),
                };
                let items = &property["items"];
                let length = |list: &Value| {
                    let fixed = list["prefixItems"].as_array().map(Vec::len);
                    fixed.or(list["minItems"].as_u64().map(|count| count as usize)).expect("a length")
                };
                if !alternatives(items).is_empty() {
                    (terms.choices.to_owned(), names(items))
                } else if items["type"] == "string" {
                    (terms.texts.to_owned(), String::new())
                } else if items["type"] == "array" {
                    (counted(terms.rows, length(items)), of_vector(items))
                } else {
                    (counted(terms.numbers, length(property)), of_vector(property))
                }
            }
            other => panic!("{other}: a kind of value that the reference does not know"),
        }
    }

    fn range(&self, property: &Value) -> String {
        let number = |value: &Value| value.as_f64().expect("a limit").to_string();
        format!("{}{}{}", number(&property["minimum"]), self.terms.to, number(&property["maximum"]))
    }

    /// Meaning of each choice of a key, a line each.
    fn choices(&self, key: &str, property: &Value) -> String {
        let of_list = alternatives(&property["items"]);
        let all = if of_list.is_empty() { alternatives(property) } else { of_list };
        let line = |one: &&Value| {
            let name = one["const"].as_str().expect("a choice is a string");
            let meaning = match self.language {
                Language::English => cell(one["description"].as_str().unwrap_or_default()),
                Language::Chinese => self.messages.choice(name),
            };
            format!("- `{key} = \"{name}\"`: {meaning}\n")
        };
        all.iter().filter(|one| one["description"].is_string()).map(line).collect()
    }
}

/// The choices of a key, if it has any.
fn alternatives(property: &Value) -> Vec<&Value> {
    let choices = property["oneOf"].as_array().or(property["anyOf"].as_array()).into_iter().flatten();
    choices.filter(|choice| choice["const"].is_string()).collect()
}

fn names(property: &Value) -> String {
    let names = alternatives(property).into_iter().filter_map(|choice| choice["const"].as_str());
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn is_table(property: &Value) -> bool {
    property["properties"].is_object()
        || property["items"]["properties"].is_object()
        || property["additionalProperties"].is_object()
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// A text as it may stand in a cell of a table.
fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

fn the_scene_reference_is_what_the_schema_says() {
    for (language, _, guide) in PAGES {
        let path = root().join(guide).join(REFERENCE);
        let made = Reference::new(language).write();
        assert!(made.lines().filter(|line| line.starts_with("| `")).count() > 150);
        if env::var_os("UPDATE_GUIDE").is_some() {
            fs::write(&path, &made).expect("the guide can be written");
        }
        let hint = "make guide writes it anew";
        assert!(fs::read_to_string(&path).is_ok_and(|page| page == made), "{}: {hint}", path.display());
    }
}

/// Rows of the first table below `heading`, cells trimmed.
fn table(page: &str, heading: &str) -> Vec<Vec<String>> {
    let (_, below) = page.split_once(heading).unwrap_or_else(|| panic!("{heading} is in the page"));
    let rows = below.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    rows.skip(2).map(|row| row.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect()).collect()
}

/// Keys of a table's first column, but for the mouse's.
fn keys_of(rows: &[Vec<String>]) -> BTreeSet<String> {
    let names = rows.iter().flat_map(|row| row[0].split([',', '、', ' ']).map(|key| key.trim_matches('`').to_owned()));
    names.filter(|key| key.is_ascii() && !key.is_empty() && key != "Space").collect()
}

fn tables_of_keys_list_those_that_the_help_lists() {
    /// Other keys for the same, and words of the names of keys and of the mouse.
    const OTHERS: [&str; 9] = ["Alt+Enter", "Print", "Screen", "mouse", "wheel", "right", "click", "left", "button"];
    let of_help = HELP.iter().flat_map(|group| group.keys).flat_map(|(keys, _)| keys.split_whitespace());
    let help: BTreeSet<String> = of_help.filter(|key| !key.starts_with("key-")).map(str::to_owned).collect();
    for (page, heading, is_whole) in [
        ("docs/guide/en/window.md", "## Keys", true),
        ("docs/guide/zh-CN/window.md", "## 按键", true),
        ("README.md", "| key |", false),
        ("README.zh-CN.md", "| 按键 |", false),
    ] {
        let text = read(&root().join(page));
        let text = if is_whole { text } else { text.replacen(heading, &format!("{heading}\n{heading}"), 1) };
        let mut keys = keys_of(&table(&text, heading));
        keys.retain(|key| !OTHERS.contains(&key.as_str()));
        let unknown: Vec<_> = keys.difference(&help).collect();
        assert!(unknown.is_empty() && !keys.is_empty(), "{page}: {unknown:?}, of {keys:?}");
        if is_whole {
            assert_eq!(keys, help, "{page}");
        }
    }
}

fn the_tables_of_routines_are_what_the_schema_says() {
    let schema = card_json_schema().to_value();
    let routines = schema["properties"]["routines"]["items"]["oneOf"].as_array().expect("choices");
    let names: Vec<String> =
        routines.iter().map(|one| format!("`{}`", one["const"].as_str().expect("a name"))).collect();
    for (page, heading) in [("en", "## Routines"), ("zh-CN", "## 日常活动")] {
        let rows = table(&read(&root().join(format!("docs/guide/{page}/habits.md"))), heading);
        assert_eq!(rows.iter().map(|row| row[0].clone()).collect::<Vec<_>>(), names, "{page}");
    }
}

/// The tests of this file.
pub const TESTS: &[crate::support::harness::Test] = tests! {
    a_readme_is_short;
    the_table_of_contents_lists_every_chapter_once;
    every_link_leads_somewhere;
    every_make_target_of_the_pages_is_in_the_makefile;
    every_example_in_toml_is_right;
    the_scene_reference_is_what_the_schema_says;
    tables_of_keys_list_those_that_the_help_lists;
    the_tables_of_routines_are_what_the_schema_says;
};
