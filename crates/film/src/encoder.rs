//! The user's `ffmpeg`, in a process of its own: its arguments, its input, and its messages when it fails.

use std::fmt::Write as _;
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

use render::Stereo;
use runtime::threads::Work;

use crate::panorama::Projection;
use crate::plan::FrameRate;
use crate::y4m::{Chroma, FRAME, planes};
use crate::{FilmError, boxes};

/// The most of its messages that is kept. Unit: bytes.
const MAX_WORDS: usize = 4096;

/// Purpose of a film's file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Preset {
    /// Every player and page: H.264, in .webm VP9.
    #[default]
    Web,
    /// Every pixel as it was drawn: FFV1 of RGB, in .mkv.
    Lossless,
}

/// Contents of a film's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents {
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Frames a second.
    pub rate: FrameRate,
    /// Resolution of colour, where it is not RGB.
    pub chroma: Chroma,
    /// Stereo layout of a picture, which files state.
    pub stereo: Stereo,
    /// Projection of the world onto a picture, which files state too.
    pub projection: Projection,
}

/// Command that runs `ffmpeg`.
#[derive(Clone, Debug)]
pub struct EncoderCommand {
    program: PathBuf,
    preset: Preset,
    contents: Contents,
    /// Boxes that players look for in the file ([`boxes`]); empty if there are none.
    boxes: Vec<u8>,
    /// All arguments but the file.
    arguments: Vec<String>,
}

/// BT.709 colours, stated to the decoder and to the encoder.
const BT709: &str = "-color_primaries bt709 -color_trc bt709 -colorspace bt709 -color_range tv";

impl EncoderCommand {
    /// Command for a file with the ending `mp4`, `mkv` or `webm`.
    ///
    /// # Errors
    /// If no such file is made that way.
    pub fn new(program: &Path, preset: Preset, ending: &str, contents: Contents) -> Result<Self, FilmError> {
        let FrameRate { frames, seconds } = contents.rate;
        let (width, height) = contents.size;
        let (pixels, profile) = match contents.chroma {
            Chroma::Half => ("yuv420p", "high"),
            Chroma::Full => ("yuv444p", "high444"),
        };
        let line = match (preset, ending) {
            (Preset::Lossless, "mkv") => format!(
                "-f rawvideo -pixel_format rgb24 -video_size {width}x{height} -framerate {frames}/{seconds} -i pipe:0 \
                 -c:v ffv1 -level 3 -g 1 -slicecrc 1 -pix_fmt bgr0 -color_primaries bt709 -color_trc bt709 \
                 -color_range pc -f matroska"
            ),
            (Preset::Lossless, _) => {
                return Err(FilmError::Refused(format!(
                    "--preset lossless is FFV1 in a .mkv file, and this one is to be .{ending}; end its name in .mkv"
                )));
            }
            (Preset::Web, "webm") => format!(
                "-f yuv4mpegpipe {BT709} -i pipe:0 -c:v libvpx-vp9 -crf 24 -b:v 0 -deadline good -cpu-used 3 -row-mt 1 \
                 -pix_fmt {pixels} {BT709} -f webm"
            ),
            (Preset::Web, _) => {
                let packing = match contents.stereo {
                    Stereo::SideBySide => " -x264-params frame-packing=3",
                    Stereo::TopBottom => " -x264-params frame-packing=4",
                    Stereo::Off | Stereo::Anaglyph => "",
                };
                let container = if ending == "mp4" { "-movflags +faststart -f mp4" } else { "-f matroska" };
                format!(
                    "-f yuv4mpegpipe {BT709} -i pipe:0 -c:v libx264 -preset medium -crf 17 -profile:v {profile} \
                     -pix_fmt {pixels}{packing} {BT709} {container}"
                )
            }
        };
        let mode = match contents.stereo {
            Stereo::SideBySide => "-metadata:s:v:0 stereo_mode=left_right",
            Stereo::TopBottom => "-metadata:s:v:0 stereo_mode=top_bottom",
            Stereo::Anaglyph => "-metadata:s:v:0 stereo_mode=anaglyph_cyan_red",
            Stereo::Off => "",
        };
        let boxes = if ending == "mp4" { boxes::of(contents.projection, contents.stereo) } else { Vec::new() };
        let mode = match (ending, boxes.is_empty()) {
            ("mp4", true) => String::new(),
            ("mp4", false) => format!("-metadata:s:v:0 handler_name={}", boxes::handler_name(&boxes)),
            _ => mode.into(),
        };
        // Nothing of the day and the machine goes into the file: the same frames are the same bytes.
        let line =
            format!("-hide_banner -loglevel error -nostats -y {line} {mode} -fflags +bitexact -flags:v +bitexact");
        let arguments = line.split_whitespace().map(Into::into).collect();
        Ok(Self { program: program.into(), preset, contents, boxes, arguments })
    }

    /// Checks that the program is there, and returns its version.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn version(&self) -> Result<String, FilmError> {
        let output = Command::new(&self.program).arg("-version").stdin(Stdio::null()).output();
        let output = output.map_err(|error| self.not_started(&error))?;
        let text = String::from_utf8_lossy(&output.stdout);
        Ok(text.lines().next().unwrap_or_default().trim().to_owned())
    }

    /// Whether the program is there and has the encoder that this needs.
    pub fn is_usable(&self) -> bool {
        let wanted = self.arguments.iter().skip_while(|argument| *argument != "-c:v").nth(1);
        let output = Command::new(&self.program).args(["-hide_banner", "-encoders"]).stdin(Stdio::null()).output();
        output.is_ok_and(|output| {
            let known = String::from_utf8_lossy(&output.stdout);
            known.split_whitespace().any(|word| Some(word) == wanted.map(String::as_str))
        })
    }

    /// Boxes to put into the file when it is written ([`boxes::put`]); empty if there are none.
    pub(super) fn boxes(&self) -> &[u8] {
        &self.boxes
    }

    /// The command line, as a shell would take it.
    pub fn line(&self, out: &Path) -> String {
        let mut line = self.program.display().to_string();
        for argument in self.arguments.iter().map(String::as_str).chain([&*out.display().to_string()]) {
            let plain = argument.chars().all(|c| c.is_ascii_alphanumeric() || "-_=+:./".contains(c));
            let quoted = if plain { argument.to_owned() } else { format!("'{}'", argument.replace('\'', r"'\''")) };
            // Writing to a string cannot fail.
            let _ = write!(line, " {quoted}");
        }
        line
    }

    /// Starts it, to write into `out`.
    ///
    /// # Errors
    /// If the system cannot.
    pub fn start(&self, out: &Path) -> Result<Encoder, FilmError> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).arg(out).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        // Ctrl-C is for the process that feeds it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| self.not_started(&error))?;
        let input = child.stdin.take();
        let mut said = child.stderr.take().expect("it was asked for");
        let words = Work::start(move || {
            let (mut words, mut piece) = (Vec::new(), [0; 1024]);
            // Read to its end, or it would wait; its last messages are kept.
            while let Ok(read @ 1..) = said.read(&mut piece) {
                words.extend_from_slice(&piece[..read]);
                words.drain(..words.len().saturating_sub(MAX_WORDS));
            }
            String::from_utf8_lossy(&words).trim().to_owned()
        })
        .map_err(FilmError::NoThread)?;
        let mut encoder = Encoder {
            program: self.program.clone(),
            preset: self.preset,
            contents: self.contents,
            child,
            input,
            words: Some(words),
        };
        if self.preset == Preset::Web {
            encoder.write(self.contents.chroma.header(self.contents.size, self.contents.rate).as_bytes())?;
        }
        Ok(encoder)
    }

    fn not_started(&self, error: &std::io::Error) -> FilmError {
        let program = self.program.display();
        FilmError::Encoder(match error.kind() {
            ErrorKind::NotFound => format!(
                "{program} was not found. Install ffmpeg or name it with --ffmpeg FILE; .y4m files and folders of pictures \
                 need none"
            ),
            _ => format!("{program} cannot be started: {error}"),
        })
    }
}

/// `ffmpeg` at work. Dropped, it is ended.
pub struct Encoder {
    program: PathBuf,
    preset: Preset,
    contents: Contents,
    child: Child,
    input: Option<ChildStdin>,
    words: Option<Work<String>>,
}

impl Encoder {
    /// Gives it a picture in display RGB; waits until it has taken it.
    ///
    /// # Errors
    /// If it has failed, with its messages.
    pub fn frame(&mut self, rgb: &[u8]) -> Result<(), FilmError> {
        match self.preset {
            Preset::Lossless => self.write(rgb),
            Preset::Web => {
                let planes = planes(rgb, self.contents.size, self.contents.chroma);
                self.write(FRAME)?;
                self.write(&planes)
            }
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), FilmError> {
        let written = self.input.as_mut().map_or(Ok(()), |input| input.write_all(bytes));
        written.map_err(|error| match self.end() {
            Ok(()) => self.failed(&format!("it ended before the film did ({error})")),
            Err(error) => error,
        })
    }

    /// Lets it finish the file.
    ///
    /// # Errors
    /// If it fails, with its messages.
    pub fn finish(mut self) -> Result<(), FilmError> {
        self.end()
    }

    fn end(&mut self) -> Result<(), FilmError> {
        drop(self.input.take());
        let status = self.child.wait();
        let words = self.words.take().and_then(|words| words.finish().ok()).unwrap_or_default();
        match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) if words.is_empty() => Err(self.failed(&format!("{status}, without a word"))),
            Ok(_) => Err(self.failed(&words)),
            Err(error) => Err(self.failed(&error.to_string())),
        }
    }

    fn failed(&self, why: &str) -> FilmError {
        FilmError::Encoder(format!("{} failed: {why}", self.program.display()))
    }
}

impl Drop for Encoder {
    fn drop(&mut self) {
        // A process that has ended already is not killed.
        if self.words.is_some() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
