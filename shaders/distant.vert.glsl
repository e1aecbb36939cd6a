// Animals far away: mesh.vert.glsl for what is too small in the picture to be worth light at each vertex and pixel. Their
// light is that of distant_light.vert.glsl. SPECKS: so small that they have their colour at the vertices too. SILVER: flanks
// that mirror.
#include "constants.glsl"
#include "frame.glsl"
#include "individual.glsl"
#include "planes.glsl"
#include "rotate.glsl"
#include "thin.glsl"
#include "vertex.glsl"
#include "wet_skin.glsl"

// See distant_light.vert.glsl.
in vec4 distant_place;
in vec4 distant_rotation;
in vec4 distant_bend_x;
in vec4 distant_bend_y;
in vec4 distant_bend_z;
in vec4 distant_beam;
in vec4 distant_above;
in vec4 distant_below;
in vec4 distant_beside;
in vec4 distant_mirrored;
in vec4 distant_added;

uniform vec3 sheet_axis;        // across a level whose one flank stands for both; else 0
uniform vec2 bend_axis;         // z of the middle of the body, model units; 1 over half its length
uniform vec4 base_color;
uniform vec3 specular;
uniform float shininess;
uniform float translucency;

#if ALPHA_TEST
flat out float shown;           // see fade.glsl
#endif
#if SPECKS
#include "vertex_lit_skin.glsl"
uniform sampler2D albedo_map;

out vec3 vertex_radiance;

// Texels along a texture of the mip map that vertices take their colour from: about as many as a speck has corners.
const float SPECK_TEXELS = 8.0;
#else
out vec2 texture_uv;
out vec3 reflected;             // radiance of a white thing
out vec3 added_radiance;        // mirrored by wet skin whatever its colour, and the water's on the way to the eye
out vec3 mirrored_radiance;     // by the flank
#endif

void main() {
    vec3 p = model_position();
    vec3 n_model = model_normal();
    float a = (p.z - bend_axis.x) * bend_axis.y;
    vec4 powers = vec4(1.0, a, a * a, a * a * a);
    vec3 bend = vec3(dot(distant_bend_x, powers), dot(distant_bend_y, powers), dot(distant_bend_z, powers));
    vec3 slopes = bend_axis.y * vec3(1.0, 2.0 * a, 3.0 * powers.z);
    vec3 n = n_model;
    n.z -= dot(distant_bend_x.yzw, slopes) * n.x + dot(distant_bend_y.yzw, slopes) * n.y;
    n = normalize(rotate(distant_rotation, n));
    vec3 p_ws = distant_place.xyz + rotate(distant_rotation, (p + bend) * distant_place.w);
    gl_Position = clip_from_world * vec4(p_ws, 1.0);
#if ALPHA_TEST
    shown = distant_beside.w;
#endif

    vec3 to_eye = normalize(eye_ws - p_ws);
    float is_sheet = dot(sheet_axis, sheet_axis);
    vec3 across = rotate(distant_rotation, sheet_axis);
    across = dot(across, to_eye) < 0.0 ? -across : across;
    // A sheet has the normals of its outline: it looks to the side, with something of them.
    n = is_sheet > 0.0 ? normalize(across + 0.6 * (n - dot(n, across) * across)) : (dot(n, to_eye) < 0.0 ? -n : n);
    float facing = dot(n, to_key_light_water);
    vec2 own_skin = individual_skin(model_share(), distant_mirrored.w);
    vec3 tint = own_skin.y * vec3(distant_beam.w, distant_above.w, distant_below.w);
    vec3 ambient = light_on(n, distant_above.rgb, distant_below.rgb, distant_beside.rgb);
    vec3 lit_side = distant_beam.rgb * max(facing, 0.0);
    vec3 received = lit_side_share(translucency) * lit_side + distant_beam.rgb * (translucency * max(-facing, 0.0))
        + ambient * all_round_share(translucency);
    vec3 white = INVERSE_PI * base_color.rgb * tint * received;
    vec3 added = distant_added.rgb + specular * skin_specular(n, to_eye, lit_side, ambient, specular, shininess);
    // The belly's skin is not on edge: see silver.glsl.
    vec3 flank = tint * distant_mirrored.rgb * smoothstep(0.05, 0.45, mix(abs(n_model.x), sheet_axis.x, is_sheet));
#if SPECKS
    ivec2 size = textureSize(albedo_map, 0);
    float level = log2(float(max(size.x, size.y)) / SPECK_TEXELS);
    vertex_radiance = skin_radiance(textureLod(albedo_map, model_uv(), level).rgb, white, flank) + added;
#else
    texture_uv = model_uv() + vec2(own_skin.x, 0.0);
    reflected = white;
    added_radiance = added;
    mirrored_radiance = flank;
#endif
}
