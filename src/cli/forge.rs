//! `pelagic forge`: makes the project's own creatures and things.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use forge::rig::Clip;
use forge::swimmers::fish::{self, FishPlan};
use forge::{Category, Entry, Forged};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};

use crate::app::interrupt;
use crate::cli::CliError;
use crate::cli::print::print;

/// What to do.
#[derive(clap::Subcommand, Debug)]
pub enum ForgeCommand {
    /// List what can be made.
    List,
    /// Make models (OUT/models/NAME.ms3d) and their textures (OUT/textures/NAME.png).
    Make(MakeArgs),
    /// Draw animals from four sides and at four moments of their swim into one picture.
    Sheet(SheetArgs),
}

/// Arguments of `forge sheet`.
#[derive(clap::Args, Debug)]
pub struct SheetArgs {
    /// What to show; every animal when left out.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Species file of your own; may be repeated.
    #[arg(long, value_name = "FILE")]
    species: Vec<PathBuf>,
    /// Clip of the last four columns, such as feed; how the animal usually moves when left out.
    #[arg(long, value_name = "CLIP")]
    clip: Option<String>,
    /// PNG to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Seed of everything random in them.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Arguments of `forge make`.
#[derive(clap::Args, Debug)]
pub struct MakeArgs {
    /// What to make; see `pelagic forge list`.
    #[arg(required_unless_present_any = ["all", "species"], value_name = "NAME")]
    names: Vec<String>,
    /// Make everything.
    #[arg(long, conflicts_with = "names")]
    all: bool,
    /// Species file of your own (TOML, such as those in crates/forge/src/swimmers/species); may be repeated.
    #[arg(long, value_name = "FILE")]
    species: Vec<PathBuf>,
    /// Folder to write into; made if missing.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Seed of everything random in them; 1 is what the project ships.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs it.
///
/// # Errors
/// If there is nothing of a name, a species file is wrong, or something cannot be written.
pub fn run(command: ForgeCommand) -> Result<(), CliError> {
    match command {
        ForgeCommand::List => list(),
        ForgeCommand::Make(args) => make(&args),
        ForgeCommand::Sheet(args) => sheet(&args),
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
    let (models, textures) = (args.out.join("models"), args.out.join("textures"));
    for folder in [&models, &textures] {
        writable(folder)?;
    }
    let makers = entries.into_iter().map(Maker::Entry).chain(plans.iter().map(Maker::Plan)).collect::<Vec<_>>();
    let next = AtomicUsize::new(0);
    // Each thing is made by one thread from the seed alone, so their number changes nothing.
    let work = || -> Result<(), CliError> {
        while let Some(maker) = makers.get(next.fetch_add(1, Ordering::Relaxed)) {
            if interrupt::requested() {
                return Err(CliError::Interrupted);
            }
            let forged = match maker {
                Maker::Entry(entry) => (entry.make)(args.seed),
                Maker::Plan(plan) => fish::make(plan, args.seed),
            };
            write(&forged, &models, &textures)?;
        }
        Ok(())
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(makers.len().max(1));
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        running.into_iter().try_for_each(|thread| match thread.join() {
            Ok(outcome) => outcome,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })
}

/// Something to be made.
enum Maker<'a> {
    Entry(&'a Entry),
    Plan(&'a FishPlan),
}

fn write(forged: &Forged, models: &Path, textures: &Path) -> Result<(), CliError> {
    let bytes = ms3d::write(&forged.document)
        .map_err(|error| CliError::Failed(format!("{}: the model does not fit the format: {error}", forged.name)))?;
    for (file, picture) in &forged.textures {
        replace(&textures.join(file), &png(file, picture)?)?;
    }
    replace(&models.join(format!("{}.ms3d", forged.name)), &bytes)?;
    log::info!("{}: {} triangles", forged.name, forged.document.triangles.len());
    Ok(())
}

fn png(name: &str, picture: &image::RgbaImage) -> Result<Vec<u8>, CliError> {
    let mut png = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut png, CompressionType::Best, FilterType::Adaptive);
    picture.write_with_encoder(encoder).map_err(|error| CliError::Failed(format!("{name}: cannot encode: {error}")))?;
    Ok(png)
}

/// Reads species files.
fn plans(files: &[PathBuf]) -> Result<Vec<FishPlan>, CliError> {
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path)
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
    let made = entries.iter().map(|entry| (entry.make)(args.seed));
    let things: Vec<Forged> = made.chain(plans.iter().map(|plan| fish::make(plan, args.seed))).collect();
    let picture = forge::sheet::draw(&things, clip);
    replace(&args.out, &png("the sheet", &picture)?)
}

fn known(name: &str) -> Result<&'static Entry, CliError> {
    forge::find(name).ok_or_else(|| {
        let near = forge::catalogue()
            .iter()
            .map(|entry| (strsim::jaro_winkler(entry.name, name), entry.name))
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .filter(|(likeness, _)| *likeness > 0.7)
            .map_or(String::new(), |(_, best)| format!("did you mean '{best}'? "));
        CliError::Config(format!("nothing named '{name}' can be made; {near}`pelagic forge list` shows all"))
    })
}

/// Makes a folder and checks that files can be written there, before any work is done.
fn writable(folder: &Path) -> Result<(), CliError> {
    let refuse = |error: std::io::Error| {
        CliError::Failed(format!("cannot write into {}: {error}; choose another --out", folder.display()))
    };
    std::fs::create_dir_all(folder).map_err(refuse)?;
    let probe = folder.join(format!(".pelagic-{}.tmp", std::process::id()));
    std::fs::write(&probe, b"").and_then(|()| std::fs::remove_file(&probe)).map_err(refuse)
}

/// Writes a whole file beside its place and moves it there, so that nobody ever sees half of it.
fn replace(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    let beside = path.with_extension(format!("{}.tmp", std::process::id()));
    std::fs::write(&beside, bytes).and_then(|()| std::fs::rename(&beside, path)).map_err(|error| {
        // The half-written file is of no use; that removing it may fail too changes nothing.
        let _ = std::fs::remove_file(&beside);
        CliError::Failed(format!("cannot write {}: {error}", path.display()))
    })
}
