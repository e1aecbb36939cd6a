//! `pelagic bench --against`: arguments of the second of two scenes that are measured in turn.

use bench::files::AGAINST_FOLDERS;
use bench::{BenchRequest, FrameEnd};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser};
use render::Stereo;
use runtime::SceneOptions;
use runtime::offscreen::Session;

use crate::cli::CliError;
use crate::cli::args::SceneArgs;

/// Arguments that may differ between the two.
#[derive(Parser, Debug)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Changes {
    #[command(flatten)]
    scene: SceneArgs,
    #[arg(long, value_enum)]
    stereo: Option<Stereo>,
    #[arg(long, value_enum)]
    frame_end: Option<FrameEnd>,
    #[arg(long)]
    in_turn: bool,
    #[arg(long)]
    label: Option<String>,
}

/// The second of two scenes.
#[derive(Clone, Debug, PartialEq)]
pub struct Against {
    /// Options of the scene, with the changes applied.
    pub options: SceneOptions,
    /// Stereo mode of the picture.
    pub stereo: Stereo,
    /// Benchmark request.
    pub request: BenchRequest,
}

impl Against {
    /// Applies the changes in `text`, a command line of arguments, to the first scene's arguments.
    ///
    /// # Errors
    /// If it is not a valid command line, or changes something that must not differ.
    pub fn new(text: &str, scene: &SceneArgs, stereo: Stereo, request: &BenchRequest) -> Result<Self, CliError> {
        let wrong = |why: String| CliError::Config(format!("--against \"{text}\": {why}"));
        let words = shlex::split(text).ok_or_else(|| wrong("a quote is not closed, or a backslash ends it".into()))?;
        let matches = Changes::command().try_get_matches_from(words).map_err(|error| wrong(refusal(&error)))?;
        let changes = Changes::from_arg_matches(&matches).map_err(|error| wrong(refusal(&error)))?;
        let frame_end = changes.frame_end.unwrap_or(request.frame_end);
        Ok(Self {
            options: merged(scene, changes.scene, &matches).options(),
            stereo: changes.stereo.unwrap_or(stereo),
            request: BenchRequest {
                frame_end,
                in_turn: changes.in_turn || request.in_turn,
                label: changes.label,
                ..request.clone()
            },
        })
    }

    /// Opens a session beside the first one, at a size that may be the window's.
    ///
    /// # Errors
    /// If its scene cannot be loaded, or the driver refuses an object.
    pub fn beside(&self, first: &Session, size: (u32, u32)) -> Result<Session, CliError> {
        let mut session = first.beside(&SceneOptions { size, ..self.options.clone() })?;
        session.set_stereo(self.stereo)?;
        Ok(session)
    }

    /// Names of the first scene, measured for `request`, and of the second.
    pub fn names<'a>(&'a self, request: &'a BenchRequest) -> [&'a str; 2] {
        let [base, against] = AGAINST_FOLDERS;
        match (request.label.as_deref(), self.request.label.as_deref()) {
            (first, second) if first == second => AGAINST_FOLDERS,
            (first, second) => [first.unwrap_or(base), second.unwrap_or(against)],
        }
    }
}

/// The first scene's arguments, overridden by those given on the command line.
fn merged(base: &SceneArgs, changes: SceneArgs, matches: &ArgMatches) -> SceneArgs {
    let is_given = |name| matches.value_source(name) == Some(ValueSource::CommandLine);
    let mut merged = base.clone();
    // The first's quality becomes a `--set` key like others, which the second may override.
    merged.set.extend(base.quality.iter().map(|tier| format!("render.quality={tier}")));
    merged.set.extend(changes.set);
    merged.quality = changes.quality;
    if is_given("scene") {
        merged.scene = changes.scene;
    }
    if is_given("seed") {
        merged.seed = changes.seed;
    }
    merged.size = changes.size.or(merged.size);
    merged.fish = changes.fish.or(merged.fish);
    merged.shaders = changes.shaders.or(merged.shaders);
    merged
}

/// One-line text of a clap error.
fn refusal(error: &clap::Error) -> String {
    if let (ErrorKind::UnknownArgument, Some(ContextValue::String(name))) =
        (error.kind(), error.get(ContextKind::InvalidArg))
    {
        let known: Vec<String> = Changes::command()
            .get_arguments()
            .filter_map(|argument| argument.get_long().map(|long| format!("--{long}")))
            .collect();
        return format!("{name} is not among what can differ, which is {}", known.join(", "));
    }
    let text = error.render().to_string();
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

#[cfg(test)]
mod tests {
    use bench::Plan;
    use render::Quality;

    use super::*;

    fn base() -> SceneArgs {
        SceneArgs {
            scene: "wreck".into(),
            set: vec!["water.type=3C".into()],
            quality: Some(Quality::High),
            seed: 7,
            fish: Some(20),
            ..SceneArgs::default()
        }
    }

    fn against(text: &str) -> Result<Against, String> {
        let request = BenchRequest::runs(Plan::frames(0, 1, 6), FrameEnd::Fence);
        Against::new(text, &base(), Stereo::Off, &request).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_given_changes_and_the_rest_stays() {
        let same = against("").expect("nothing differs");
        let of_base =
            SceneOptions { set: vec!["water.type=3C".into(), "render.quality=high".into()], ..base().options() };
        assert_eq!(same.options, of_base);
        let other =
            against("--set render.effects.shafts=false --seed 1 --size 64x48 --frame-end finish --label 'no shafts'")
                .expect("it can differ");
        let wanted = ["water.type=3C", "render.quality=high", "render.effects.shafts=false"];
        assert_eq!(other.options.set, wanted);
        assert_eq!((other.options.scene.as_str(), other.options.seed, other.options.size), ("wreck", 1, (64, 48)));
        assert_eq!((other.request.frame_end, other.request.label.as_deref()), (FrameEnd::Finish, Some("no shafts")));
        let low = against("--scene reef --quality low --fish 3").expect("it can differ").options;
        assert_eq!((low.scene.as_str(), low.fish), ("reef", Some(3)));
        assert_eq!(low.set.last().map(String::as_str), Some("render.quality=low"), "the last wins");
    }

    #[test]
    fn quotes_are_respected() {
        let quoted = against(r#"--set 'scene.name="a b"' --label "two words""#).expect("it can differ");
        assert_eq!(quoted.options.set.last().map(String::as_str), Some("scene.name=\"a b\""));
        assert_eq!(quoted.request.label.as_deref(), Some("two words"));
        assert!(against("--label 'open").expect_err("not closed").contains("a quote is not closed"));
    }

    #[test]
    fn what_cannot_differ_is_refused_by_its_name() {
        for name in ["--out", "--runs", "--frames", "--window", "--format", "--against", "compare"] {
            let why = against(&format!("--set a=b {name}")).expect_err("it cannot differ");
            assert!(why.contains(&format!("{name} is not among what can differ, which is --scene, --set")), "{why}");
        }
        let why = against("--size large").expect_err("no size");
        assert!(why.starts_with("--against \"--size large\": ") && why.contains("WIDTHxHEIGHT"), "{why}");
    }
}
