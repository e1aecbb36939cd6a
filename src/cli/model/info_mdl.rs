//! `pelagic model info` of a GoldSrc model.

use std::fmt::Write;

use mdl::{Document, texture_flags};
use serde::Serialize;

use super::report::{self, Finding, Tally, printable};

/// Contents of a GoldSrc model's files. Field names are the JSON's, under `in_file`.
#[derive(Serialize)]
pub(super) struct MdlSummary {
    #[serde(skip)]
    file: String,
    /// Size of all its files together.
    #[serde(skip)]
    bytes: usize,
    /// Name in the header.
    name: String,
    joints: Vec<Joint>,
    body_parts: Vec<BodyPart>,
    /// Families of skins to choose from.
    skins: usize,
    textures: Vec<Texture>,
    sequences: Vec<Sequence>,
    controllers: Vec<Controller>,
    attachments: Vec<Attachment>,
    hit_boxes: usize,
    #[serde(skip)]
    problems: Vec<Finding>,
}

#[derive(Serialize)]
struct Joint {
    name: String,
    parent: Option<usize>,
}

#[derive(Serialize)]
struct BodyPart {
    name: String,
    models: Vec<Model>,
}

#[derive(Serialize)]
struct Model {
    name: String,
    vertices: usize,
    triangles: usize,
}

#[derive(Serialize)]
struct Texture {
    name: String,
    width: usize,
    height: usize,
    /// Surface properties from its flags.
    surface: Vec<&'static str>,
}

#[derive(Serialize)]
struct Sequence {
    name: String,
    fps: f32,
    frames: usize,
    loops: bool,
    blends: usize,
    /// Index of the sequence's file: 0 is the model's own.
    group: usize,
    events: Vec<Event>,
}

#[derive(Serialize)]
struct Event {
    frame: i32,
    event: i32,
    options: String,
}

#[derive(Serialize)]
struct Controller {
    joint: usize,
    start: f32,
    end: f32,
}

#[derive(Serialize)]
struct Attachment {
    name: String,
    joint: usize,
    at: [f32; 3],
}

/// Names of texture flags, one word each.
const SURFACES: [(i32, &str); 4] = [
    (texture_flags::CHROME, "chrome"),
    (texture_flags::FULLBRIGHT, "fullbright"),
    (texture_flags::ADDITIVE, "additive"),
    (texture_flags::MASKED, "masked"),
];

impl MdlSummary {
    pub fn new(file: String, document: &Document, problems: Vec<Finding>) -> Self {
        let model = |model: &mdl::Model| Model {
            name: model.name.clone(),
            vertices: model.vertices.len(),
            triangles: model.meshes.iter().map(|mesh| mesh.triangles.len()).sum(),
        };
        let part = |part: &mdl::BodyPart| BodyPart {
            name: part.name.clone(),
            models: part.models.iter().map(model).collect(),
        };
        let texture = |texture: &mdl::Texture| Texture {
            name: texture.name.clone(),
            width: texture.width,
            height: texture.height,
            surface: SURFACES.iter().filter(|(flag, _)| texture.flags & flag != 0).map(|(_, word)| *word).collect(),
        };
        let event =
            |event: &mdl::Event| Event { frame: event.frame, event: event.event, options: event.options.clone() };
        let sequence = |sequence: &mdl::Sequence| Sequence {
            name: sequence.name.clone(),
            fps: sequence.fps,
            frames: sequence.frames,
            loops: sequence.loops,
            blends: sequence.blends.len(),
            group: sequence.group,
            events: sequence.events.iter().map(event).collect(),
        };
        let controller = |controller: &mdl::Controller| Controller {
            joint: controller.bone,
            start: controller.start,
            end: controller.end,
        };
        let attachment = |attachment: &mdl::Attachment| Attachment {
            name: attachment.name.clone(),
            joint: attachment.bone,
            at: attachment.origin,
        };
        Self {
            file,
            bytes: document.bytes,
            name: document.name.clone(),
            joints: document.bones.iter().map(|bone| Joint { name: bone.name.clone(), parent: bone.parent }).collect(),
            body_parts: document.body_parts.iter().map(part).collect(),
            skins: document.skins.families(),
            textures: document.textures.iter().map(texture).collect(),
            sequences: document.sequences.iter().map(sequence).collect(),
            controllers: document.controllers.iter().map(controller).collect(),
            attachments: document.attachments.iter().map(attachment).collect(),
            hit_boxes: document.hit_boxes.len(),
            problems,
        }
    }

    pub fn to_text(&self) -> String {
        report::text(&self.problems, |text| self.write_text(text))
    }

    fn write_text(&self, text: &mut String) -> std::fmt::Result {
        writeln!(text, "{}: MDL version {}, {} bytes", self.file, mdl::VERSION, self.bytes)?;
        writeln!(text, "body parts {}", self.body_parts.len())?;
        for (index, part) in self.body_parts.iter().enumerate() {
            writeln!(text, "  {index} \"{}\"", printable(&part.name))?;
            for Model { name, vertices, triangles } in &part.models {
                writeln!(text, "    \"{}\": {vertices} vertices, {triangles} triangles", printable(name))?;
            }
        }
        writeln!(text, "textures   {}, in {} skins", self.textures.len(), self.skins)?;
        for (index, Texture { name, width, height, surface }) in self.textures.iter().enumerate() {
            let surface = surface.iter().map(|word| format!(", {word}")).collect::<String>();
            writeln!(text, "  {index} \"{}\": {width} x {height}{surface}", printable(name))?;
        }
        writeln!(text, "joints     {}", self.joints.len())?;
        for (index, Joint { name, parent }) in self.joints.iter().enumerate() {
            let on = parent.map_or(String::new(), |parent| format!(" on {parent}"));
            writeln!(text, "  {index} \"{}\"{on}", printable(name))?;
        }
        writeln!(text, "sequences  {}", self.sequences.len())?;
        for (index, sequence) in self.sequences.iter().enumerate() {
            let Sequence { name, fps, frames, loops, blends, group, events } = sequence;
            write!(text, "  {index} \"{}\": {frames} frames at {fps} a second", printable(name))?;
            write!(text, "{}", if *loops { ", goes round" } else { "" })?;
            if *blends > 1 {
                write!(text, ", {blends} blends")?;
            }
            if *group > 0 {
                write!(text, ", in file {group:02}")?;
            }
            writeln!(text)?;
            for Event { frame, event, options } in events {
                writeln!(text, "    frame {frame}: event {event} \"{}\"", printable(options))?;
            }
        }
        for Controller { joint, start, end } in &self.controllers {
            writeln!(text, "controller on joint {joint}: {start} to {end}")?;
        }
        for Attachment { name, joint, at } in &self.attachments {
            writeln!(text, "attachment \"{}\" on joint {joint} at {at:?}", printable(name))?;
        }
        writeln!(text, "hit boxes  {}", self.hit_boxes)?;
        writeln!(text, "problems   {}", Tally::of(&self.problems))
    }
}
