// A vertex of a model, as render/vertices.rs packs it.
// JOINTS: 0 rigid, else joints a vertex follows. MORPHED: morphs move it. COLOURED: it has a colour of its own.
#if COLOURED
#include "colour.glsl"
#endif

in vec3 position;               // steps from position_origin
in vec2 normal;                 // on the octahedron |x| + |y| + |z| = 32767, its lower half folded outward
in vec2 uv;                     // steps
#if JOINTS > 1
in uvec4 joints;
in vec4 weights;
#elif JOINTS == 1
in uint joints;
#endif
#if MORPHED
in uint morph_row;              // of morph_deltas; 0 for what none moves
#endif
#if COLOURED
in vec4 vertex_colour;          // sRGB
#endif

uniform vec3 position_origin;   // model units
uniform vec3 position_step;     // model units a step
uniform vec4 uv_origin_step;

vec3 model_position() {
    return position_origin + position_step * position;
}

// The same as a share of the model's box, 0..1.
vec3 model_share() {
    return position / 65535.0;
}

// Cigolle et al., JCGT 3(2), 2014, listing 2.
vec3 model_normal() {
    vec3 n = vec3(normal, 32767.0 - abs(normal.x) - abs(normal.y));
    float below = max(-n.z, 0.0);
    n.xy += vec2(n.x < 0.0 ? below : -below, n.y < 0.0 ? below : -below);
    return normalize(n);
}

// Factor on the material's colour.
vec3 model_colour() {
#if COLOURED
    return linear_from_srgb(vertex_colour.rgb);
#else
    return vec3(1.0);
#endif
}

vec2 model_uv() {
    return uv_origin_step.xy + uv_origin_step.zw * uv;
}
