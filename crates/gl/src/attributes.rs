//! Vertex attribute locations: an attribute has the same location in every shader. Attributes of things that no shader
//! reads together share locations, since there are only 16.

/// Position, vec3; quantised for models.
pub const POSITION: u32 = 0;
/// Normal, vec3; octahedral for models, vec2.
pub const NORMAL: u32 = 1;
/// Texture coordinates, vec2; quantised for models.
pub const UV: u32 = 2;
/// Joint indices: uvec4, or uint if a vertex follows one joint.
pub const JOINTS: u32 = 3;
/// Joint weights, vec4.
pub const WEIGHTS: u32 = 4;
/// Seabed: share of rubble and ambient occlusion, vec2.
pub const RUBBLE_OCCLUSION: u32 = 5;
/// Row of the deltas of a model's morphs, uint.
pub const MORPH_ROW: u32 = 5;
/// Colour of a model's vertex, sRGB, vec4.
pub const VERTEX_COLOUR: u32 = 10;
/// Instance: position and scale, vec4.
pub const INSTANCE_PLACE: u32 = 6;
/// Instance: rotation quaternion, vec4.
pub const INSTANCE_ROTATION: u32 = 7;
/// Instance: palette row, blend row and the weight of each, vec4.
pub const INSTANCE_CLIP: u32 = 8;
/// Instance: tint, vec4.
pub const INSTANCE_TINT: u32 = 9;
/// Instance: bend of the fore and of the hind part, variation, weight of the first morph, vec4.
pub const INSTANCE_SHAPE: u32 = 13;
/// Bubble, puff, spark, ring: position and size, vec4.
pub const PARTICLE_PLACE: u32 = 10;
/// Bubble, puff, spark, ring: other data of its shader, vec4.
pub const PARTICLE_SHAPE: u32 = 11;
/// Text: colour with its alpha, premultiplied, vec4.
pub const COLOUR: u32 = 12;

/// Distant animal, as `distant_light.vert.glsl` records it: position and scale, vec4.
pub const DISTANT_PLACE: u32 = 5;
/// Its rotation quaternion, vec4.
pub const DISTANT_ROTATION: u32 = 6;
/// Bend of its body along each axis, vec4.
pub const DISTANT_BEND_X: u32 = 7;
/// See [`DISTANT_BEND_X`].
pub const DISTANT_BEND_Y: u32 = 8;
/// See [`DISTANT_BEND_X`].
pub const DISTANT_BEND_Z: u32 = 9;
/// Light of the beam on it, vec4.
pub const DISTANT_BEAM: u32 = 10;
/// Diffuse light from above, vec4.
pub const DISTANT_ABOVE: u32 = 11;
/// Diffuse light from below, vec4.
pub const DISTANT_BELOW: u32 = 12;
/// Diffuse light from beside, vec4.
pub const DISTANT_BESIDE: u32 = 13;
/// Light that its flank mirrors, vec4.
pub const DISTANT_MIRRORED: u32 = 14;
/// Radiance of the water before it, vec4.
pub const DISTANT_ADDED: u32 = 15;

/// Every attribute by the name that shaders declare it with.
pub const ALL: [(&str, u32); 27] = [
    ("position", POSITION),
    ("normal", NORMAL),
    ("uv", UV),
    ("joints", JOINTS),
    ("weights", WEIGHTS),
    ("rubble_occlusion", RUBBLE_OCCLUSION),
    ("morph_row", MORPH_ROW),
    ("vertex_colour", VERTEX_COLOUR),
    ("instance_place", INSTANCE_PLACE),
    ("instance_rotation", INSTANCE_ROTATION),
    ("instance_clip", INSTANCE_CLIP),
    ("instance_tint", INSTANCE_TINT),
    ("instance_shape", INSTANCE_SHAPE),
    ("particle_place", PARTICLE_PLACE),
    ("particle_shape", PARTICLE_SHAPE),
    ("colour", COLOUR),
    ("distant_place", DISTANT_PLACE),
    ("distant_rotation", DISTANT_ROTATION),
    ("distant_bend_x", DISTANT_BEND_X),
    ("distant_bend_y", DISTANT_BEND_Y),
    ("distant_bend_z", DISTANT_BEND_Z),
    ("distant_beam", DISTANT_BEAM),
    ("distant_above", DISTANT_ABOVE),
    ("distant_below", DISTANT_BELOW),
    ("distant_beside", DISTANT_BESIDE),
    ("distant_mirrored", DISTANT_MIRRORED),
    ("distant_added", DISTANT_ADDED),
];
