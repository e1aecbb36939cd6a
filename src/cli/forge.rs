//! `pelagic forge`: makes the project's own creatures and things.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use film::manifest::Hash;
use forge::files::{self, Effort, Files, model_path};
use forge::rig::Clip;
use forge::swimmers::fish::{self, FishPlan};
use forge::swimmers::species;
use forge::{Category, Entry, Forged};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use model::{LoadedModel, ModelRequest, animation, sheet};
use platform::interrupt;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use storage::{OutFile, OutFolder};
use suggest::nearest;

use crate::cli::CliError;
use crate::cli::existing::ForceArgs;
use crate::cli::print::print;
use crate::cli::progress::Progress;

/// Examples under `--help`.
const EXAMPLES: &str = "Examples:
  pelagic forge dump clownfish --out mine.toml
  pelagic forge sheet --species mine.toml --out mine.png
  pelagic forge make --species mine.toml --out .
  pelagic forge make green_turtle --out my";

/// Subcommands of `pelagic forge`.
#[derive(clap::Subcommand, Debug)]
#[command(after_help = EXAMPLES)]
pub enum ForgeCommand {
    /// List what can be made.
    List,
    /// Make models (OUT/models/NAME.ms3d) and their textures (OUT/textures/NAME.png).
    Make(MakeArgs),
    /// Draw animals from four sides and at four moments of their swim into one picture.
    Sheet(SheetArgs),
    /// Print a species' file with its comments, to make your own from.
    Dump(DumpArgs),
}

/// Arguments of `forge dump`.
#[derive(clap::Args, Debug)]
pub struct DumpArgs {
    /// The species; those without a file are named when it is none of them.
    #[arg(value_name = "NAME")]
    name: String,
    /// File to write it to, in place of standard output; one that is there is kept without --force.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    existing: ForceArgs,
}

/// Arguments of `forge sheet`.
#[derive(clap::Args, Debug)]
pub struct SheetArgs {
    /// Animals to show; all of them when left out.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Species file of your own; may be repeated.
    #[arg(long, value_name = "FILE")]
    species: Vec<PathBuf>,
    /// Clip of the last four columns, such as feed; how the animal usually moves when left out.
    #[arg(long, value_name = "CLIP")]
    clip: Option<String>,
    /// PNG to write, in place of a PNG that is there.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    existing: ForceArgs,
    /// Seed of everything random in them.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Arguments of `forge make`.
#[derive(clap::Args, Debug)]
pub struct MakeArgs {
    /// Names of models to make; see `pelagic forge list`.
    #[arg(required_unless_present_any = ["all", "species"], value_name = "NAME")]
    names: Vec<String>,
    /// Make everything.
    #[arg(long, conflicts_with = "names")]
    all: bool,
    /// Species file of your own (TOML, such as `pelagic forge dump` prints); may be repeated.
    #[arg(long, value_name = "FILE")]
    species: Vec<PathBuf>,
    /// Folder to write into; made if missing. What the forge wrote there and nobody has changed since is replaced, which
    /// its list .pelagic-forge.json tells; anything else only with --force.
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    existing: ForceArgs,
    /// Seed of everything random in them; 1 is what the project ships.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs the command.
///
/// # Errors
/// If a name is unknown, a species file is wrong, or something cannot be written.
pub fn run(command: ForgeCommand) -> Result<(), CliError> {
    match command {
        ForgeCommand::List => list(),
        ForgeCommand::Make(args) => make(&args),
        ForgeCommand::Sheet(args) => sheet(&args),
        ForgeCommand::Dump(args) => dump(&args),
    }
}

fn list() -> Result<(), CliError> {
    let line = |entry: &Entry| format!("{:<16} {:<8} {}\n", entry.name, entry.kind.word(), entry.description);
    print(&forge::catalogue().iter().map(line).collect::<String>())
}

fn make(args: &MakeArgs) -> Result<(), CliError> {
    let entries: Vec<&Entry> = if args.all {
        forge::catalogue().iter().collect()
    } else {
        args.names.iter().map(|name| known(name)).collect::<Result<_, _>>()?
    };
    // Every file is read before anything is written.
    let plans = plans(&args.species)?;
    let makers = entries.into_iter().map(Maker::Entry).chain(plans.iter().map(Maker::Plan)).collect::<Vec<_>>();
    let models = makers.iter().map(|maker| model_path(maker.name())).collect::<Vec<_>>();
    let progress = Progress::new("making", makers.len() as u64);
    // Each model depends only on the seed and is made by one thread, so the number of threads changes nothing.
    let work = |maker: &Maker| {
        if interrupt::requested() {
            return Err(CliError::Interrupted);
        }
        let forged = match maker {
            Maker::Entry(entry) => (entry.make)(args.seed),
            Maker::Plan(plan) => fish::make(plan, args.seed),
        };
        let made = files(&forged, Effort::Full)?;
        progress.step();
        Ok(made)
    };
    put(&args.out, args.existing, &models, || {
        let made: Result<Vec<Files>, CliError> = makers.par_iter().map(work).collect();
        Ok(made?.into_iter().flatten().collect())
    })
}

/// A model to make.
enum Maker<'a> {
    Entry(&'a Entry),
    Plan(&'a FishPlan),
}

impl Maker<'_> {
    fn name(&self) -> &str {
        match self {
            Self::Entry(entry) => entry.name,
            Self::Plan(plan) => &plan.name,
        }
    }
}

fn files(forged: &Forged, effort: Effort) -> Result<Files, CliError> {
    log::info!("{}: {} triangles", forged.name, forged.document.triangles.len());
    files::of(forged, effort).map_err(|error| CliError::Failed(error.to_string()))
}

/// Writes all files into a folder or none. First checks that the folder is writable and that none of `models` would
/// replace a file that the forge has not made.
fn put(
    out: &Path,
    existing: ForceArgs,
    models: &[String],
    make: impl FnOnce() -> Result<Files, CliError>,
) -> Result<(), CliError> {
    let mut folder = OutFolder::claim(out, |_| false)?;
    let fill = |folder: &mut OutFolder| {
        let mut list = MadeHere::read(out)?;
        models.iter().try_for_each(|name| existing.check(&out.join(name), |path| list.has(name, path)))?;
        let mut set = folder.stage()?;
        set.subfolder("models")?;
        set.subfolder("textures")?;
        for (name, bytes) in &make()? {
            let is_same = |path: &Path| Hash::of_file(path).is_ok_and(|hash| hash == Hash::of(bytes));
            existing.check(&out.join(name), |path| list.has(name, path) || is_same(path))?;
            set.add(name, bytes)?;
            list.0.insert(name.clone(), Hash::of(bytes));
        }
        set.add(MadeHere::FILE, list.text().as_bytes())?;
        Ok(set.commit()?)
    };
    let done = fill(&mut folder);
    if done.is_err() {
        folder.abandon();
    }
    done
}

/// Record of the files that the forge has written into a folder: name and hash.
#[derive(Default, Deserialize, Serialize)]
struct MadeHere(BTreeMap<String, Hash>);

impl MadeHere {
    /// Name of the record in the folder.
    const FILE: &str = ".pelagic-forge.json";
    /// Greatest size of the record. Unit: bytes.
    const MAX_BYTES: u64 = 1 << 20;

    /// Reads a folder's record; empty if there is none.
    fn read(folder: &Path) -> Result<Self, CliError> {
        let path = folder.join(Self::FILE);
        let wrong = |why: String| CliError::Config(format!("{}: {why}; remove it", path.display()));
        match storage::read(&path, Self::MAX_BYTES) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            bytes => serde_json::from_slice(&bytes.map_err(|error| wrong(error.to_string()))?)
                .map_err(|error| wrong(format!("it is no list of what the forge made: {error}"))),
        }
    }

    /// Whether the file `name`, at `path`, is still as the forge wrote it.
    fn has(&self, name: &str, path: &Path) -> bool {
        self.0.get(name).is_some_and(|made| Hash::of_file(path).is_ok_and(|hash| hash == *made))
    }

    fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("texts and hashes are JSON") + "\n"
    }
}

/// Reads species files.
fn plans(files: &[PathBuf]) -> Result<Vec<FishPlan>, CliError> {
    let read = |path: &PathBuf| {
        let text = storage::read(path, fish::SIZE_LIMIT as u64)
            .and_then(|bytes| String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8 text")))
            .map_err(|error| CliError::Config(format!("cannot read the species file {}: {error}", path.display())))?;
        fish::read(&path.display().to_string(), &text).map_err(|error| CliError::Config(error.to_string()))
    };
    files.iter().map(read).collect()
}

fn sheet(args: &SheetArgs) -> Result<(), CliError> {
    let clip = args.clip.as_ref().map(|word| {
        Clip::find(word).ok_or_else(|| {
            let words: Vec<&str> = Clip::ALL.iter().map(|clip| clip.word()).collect();
            CliError::Config(format!("no clip is called '{word}'; there are {}", words.join(", ")))
        })
    });
    let clip = clip.transpose()?;
    let plans = plans(&args.species)?;
    let all = args.names.is_empty() && plans.is_empty();
    let entries: Vec<&Entry> = if all {
        forge::catalogue().iter().filter(|entry| entry.kind == Category::Swimmer).collect()
    } else {
        args.names.iter().map(|name| known(name)).collect::<Result<_, _>>()?
    };
    args.existing.check_png(&args.out)?;
    let out = OutFile::check(&args.out)?;
    let made = entries.iter().map(|entry| (entry.make)(args.seed));
    let made = made.chain(plans.iter().map(|plan| fish::make(plan, args.seed)));
    let progress = Progress::new("making", (entries.len() + plans.len()) as u64);
    let models = made.map(|forged| load(&forged)).inspect(|_| progress.step()).collect::<Result<Vec<_>, _>>()?;
    progress.begin("drawing", 0);
    write_sheet(&models, clip.map(Clip::word), &out)
}

/// Draws a sheet of models into a file.
pub(super) fn write_sheet(models: &[LoadedModel], clip: Option<&str>, out: &OutFile) -> Result<(), CliError> {
    let mut png = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut png, CompressionType::Best, FilterType::Adaptive);
    let drawn = sheet::draw(models, clip).write_with_encoder(encoder);
    drawn.map_err(|error| CliError::Failed(format!("the sheet: cannot encode: {error}")))?;
    Ok(out.write(&png)?)
}

/// Loads a forged model from its files in memory.
fn load(forged: &Forged) -> Result<LoadedModel, CliError> {
    let made = MadeFiles(files(forged, Effort::Quick)?);
    let request = ModelRequest::new(model_path(&forged.name));
    animation::load_model(&request, &made).map_err(|error| CliError::Failed(error.to_string()))
}

/// A forged model's files in memory.
struct MadeFiles(Files);

impl model::Files for MadeFiles {
    fn read(&self, path: &Path, _: u64) -> io::Result<Vec<u8>> {
        // File names are unique, so folders are ignored.
        let wanted = self.0.iter().find(|(name, _)| Path::new(name).file_name() == path.file_name());
        Ok(wanted.ok_or(io::ErrorKind::NotFound)?.1.clone())
    }

    fn names(&self, _: &Path) -> Vec<OsString> {
        self.0.keys().filter_map(|name| Path::new(name).file_name()).map(Into::into).collect()
    }
}

fn dump(args: &DumpArgs) -> Result<(), CliError> {
    let name = args.name.as_str();
    let Some((_, text)) = species::FILES.iter().find(|(known, _)| *known == name) else {
        let names: Vec<&str> = species::FILES.iter().map(|(name, _)| *name).collect();
        let what = match forge::find(name) {
            Some(_) => format!("'{name}' is made by a program of its own and has no file"),
            None => {
                let near = nearest(name, names.iter().copied());
                let near = near.map_or(String::new(), |near| format!("; did you mean '{near}'?"));
                format!("there is no species '{name}'{near}")
            }
        };
        return Err(CliError::Config(format!("{what}; these have one: {}", names.join(", "))));
    };
    let Some(path) = &args.out else { return print(text) };
    args.existing.check(path, |_| false)?;
    let out = OutFile::check(path)?;
    Ok(out.write(text.as_bytes())?)
}

fn known(name: &str) -> Result<&'static Entry, CliError> {
    forge::find(name).ok_or_else(|| {
        let near = nearest(name, forge::catalogue().iter().map(|entry| entry.name))
            .map_or(String::new(), |best| format!("did you mean '{best}'? "));
        CliError::Config(format!("nothing named '{name}' can be made; {near}`pelagic forge list` shows all"))
    })
}

#[cfg(test)]
mod tests {
    use storage::faults::at_every_call;
    use testing::{room_of, texts};

    use super::*;

    #[test]
    fn what_is_made_is_the_old_or_the_new_set_whatever_fails() {
        let old = [("models/a.ms3d", "old a"), ("textures/a.png", "old skin"), ("models/mine.ms3d", "mine")];
        let new = [("models/a.ms3d", "new a"), ("textures/a.png", "new skin"), ("models/b.ms3d", "new b")];
        let files = || new.map(|(name, text)| (name.to_owned(), text.into())).into();
        for before in [&[] as &[_], &old] {
            let owned = |(name, text): &(&str, &str)| (name.to_string(), text.to_string());
            let before_texts: BTreeMap<_, _> = before.iter().map(owned).collect();
            let mut after_texts = before_texts.clone();
            after_texts.extend(new.iter().map(owned));
            let list = new.map(|(name, text)| (name.to_owned(), Hash::of(text.as_bytes())));
            after_texts.insert(MadeHere::FILE.into(), MadeHere(list.into()).text());
            at_every_call(
                || room_of(before.iter().copied()),
                |room| put(room.path(), ForceArgs { force: true }, &[], || Ok(files())),
                |room, done, fault| {
                    if room.path().exists() {
                        OutFolder::claim(room.path(), |_| false).expect("all is well again");
                    }
                    let found = if room.path().exists() { texts(room.path()) } else { BTreeMap::new() };
                    assert!(found == after_texts || (done.is_err() && found == before_texts), "{fault:?}: {found:?}");
                },
            );
        }
    }

    #[test]
    fn what_the_forge_made_is_replaced_and_what_somebody_changed_since_is_kept() {
        let room = room_of([("textures/a.png", "mine")]);
        let (models, free) = (["models/a.ms3d".to_owned()], ForceArgs::default());
        let make = |force: ForceArgs, model: &str, skin: &str| {
            let files = [("models/a.ms3d", model), ("textures/a.png", skin)];
            let files = files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
            put(room.path(), force, &models, || Ok(files.into()))
        };
        let is_kept = |done: Result<(), CliError>, name: &str| {
            let error = done.expect_err("kept").to_string();
            assert!(error.contains(&format!("{name} is there already")) && error.contains("--force"), "{error}");
        };
        is_kept(make(free, "one", "one"), "textures/a.png");
        assert_eq!(texts(room.path()).len(), 1, "none of the set is there");
        make(free, "one", "mine").expect("the same bytes are no loss");
        make(free, "two", "two").expect("both are the forge's");
        std::fs::write(room.path().join("models/a.ms3d"), "edited").expect("written");
        is_kept(put(room.path(), free, &models, || panic!("nothing is made before that is known")), "models/a.ms3d");
        make(ForceArgs { force: true }, "three", "three").expect("as was asked for");
        assert_eq!(texts(room.path())["models/a.ms3d"], "three");
    }
}
