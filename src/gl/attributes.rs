//! Vertex attribute locations, the same in every shader.

/// Position, vec3; of a model in steps.
pub const POSITION: u32 = 0;
/// Normal: vec3, of a model octahedral, vec2.
pub const NORMAL: u32 = 1;
/// Texture coordinates, vec2; of a model in steps.
pub const UV: u32 = 2;
/// Joint indices: uvec4, or uint where a vertex follows one.
pub const JOINTS: u32 = 3;
/// Joint weights, vec4.
pub const WEIGHTS: u32 = 4;
/// Seabed: share of rubble and ambient occlusion, vec2.
pub const RUBBLE_OCCLUSION: u32 = 5;
/// Instance: position and scale, vec4.
pub const INSTANCE_PLACE: u32 = 6;
/// Instance: rotation quaternion, vec4.
pub const INSTANCE_ROTATION: u32 = 7;
/// Instance: palette row, blend row, blend weight, variation, vec4.
pub const INSTANCE_CLIP: u32 = 8;
/// Instance: tint, vec4.
pub const INSTANCE_TINT: u32 = 9;
/// Bubble: centre and radius, vec4.
pub const BUBBLE_SPHERE: u32 = 10;
/// Bubble: flatness and phase of the wobble, vec2.
pub const BUBBLE_SHAPE: u32 = 11;
/// Text: colour with its alpha, premultiplied, vec4.
pub const COLOUR: u32 = 12;

/// Every attribute by the name that shaders declare it with.
pub const ALL: [(&str, u32); 13] = [
    ("position", POSITION),
    ("normal", NORMAL),
    ("uv", UV),
    ("joints", JOINTS),
    ("weights", WEIGHTS),
    ("rubble_occlusion", RUBBLE_OCCLUSION),
    ("instance_place", INSTANCE_PLACE),
    ("instance_rotation", INSTANCE_ROTATION),
    ("instance_clip", INSTANCE_CLIP),
    ("instance_tint", INSTANCE_TINT),
    ("bubble_sphere", BUBBLE_SPHERE),
    ("bubble_shape", BUBBLE_SHAPE),
    ("colour", COLOUR),
];
