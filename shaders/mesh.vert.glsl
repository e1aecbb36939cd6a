// Instances of a model: creatures skinned from the palette, things that stay, plants that sway in the surge.
// JOINTS: 0 rigid, else joints a vertex follows. BLEND, SMOOTH, MORPHED: see skinning.glsl. SWAY: bends by height.
// SILTED: tells how far it is over the ground. PER_VERTEX_LIGHTING: light falls on vertices, for what is small or far; on
// skin (SPECULAR) its caustics too.
#include "frame.glsl"
#include "water_optics.glsl"
#include "lighting_vertex.glsl"
#include "rotate.glsl"
#include "thin.glsl"
#if SPECULAR
#include "wet_skin.glsl"
#if METAL
#include "metal.glsl"
#endif
#endif
#if PER_VERTEX_LIGHTING && SPECULAR
#include "vertex_beam.glsl"
#endif
#include "marks.glsl"
#include "vertex.glsl"
#if JOINTS > 0
#include "individual.glsl"
#include "skinning.glsl"
#endif

in vec4 instance_place;         // position, metres a model unit
in vec4 instance_rotation;      // quaternion
in vec4 instance_clip;          // palette row, blend row, weight of each
in vec4 instance_shape;         // bend of the fore and of the hind part, variation, weight of the first morph
in vec4 instance_tint;          // a: how much is shown, see fade.glsl

uniform vec3 emissive;           // radiance of the material
uniform vec3 batch_emissive;     // radiance of the animal, at its rim
uniform float sway;             // how far the top goes with the surge, 0 rigid
uniform float height;           // of the model, model units
uniform float ground_line;      // how far up the model the ground comes, model units

out vec3 p_ws;
out vec3 normal_ws;
out vec2 texture_uv;
out vec3 tint;
#if SILTED
uniform sampler2D ground_heights;    // over its mean depth, m
uniform float map_half_m;       // half the side of the square that they cover

out float over_ground_m;
#endif
flat out float shown;            // see fade.glsl
#if MARKED
out vec2 on_flank;              // place in the model's box: z and y
flat out vec4 marks;
#endif
#if PER_VERTEX_LIGHTING
uniform vec4 base_color;
uniform vec3 specular;
uniform float shininess;
uniform float translucency;

#if SPECULAR
out vec3 reflected;             // radiance of white skin
out vec3 mirrored_radiance;     // by a flank
#if REFLECTANCE_MAP
out vec3 shine;                 // radiance that a surface reflects of reflectance 1
#endif

// As many pixels apart lie vertices of what is lit at them, about; the caustics on it are as fine.
const float VERTICES_PX = 8.0;
#else
out vec3 beam_reflected;        // radiance of a white thing by the beam without its caustics
out vec3 sky_reflected;         // by all other light
#endif

// The lighting of mesh.frag.glsl at a vertex, without the texture.
void reflect_light(vec3 n, vec3 to_eye, vec3 tint) {
    n = dot(n, to_eye) < 0.0 ? -n : n;
    float facing = dot(n, to_key_light_water);
    vec3 white = INVERSE_PI * base_color.rgb * tint;
    vec3 beam = white * beam_light * (lit_side_share(translucency) * max(facing, 0.0) + translucency * max(-facing, 0.0));
    vec3 ambient = light_on(n, light_from_above, light_from_below, light_from_beside);
    vec3 sky = white * ambient * all_round_share(translucency);
#if SPECULAR
    reflected = beam + sky;
    vec3 mirrored = skin_specular(n, to_eye, beam_light * max(facing, 0.0), ambient, specular, shininess);
#if REFLECTANCE_MAP
    shine = mirrored;
#elif METAL
    added_radiance += tinted_reflectance(specular, tint) * mirrored;
#else
    added_radiance += specular * mirrored;
#endif
#else
    beam_reflected = beam;
    sky_reflected = sky;
#endif
}
#endif
#if SILVER
#include "silver.glsl"
#endif
#if TRANSPARENT
out vec3 emitted_light;
#endif
#if EMISSION_MAP
flat out vec3 emission_at_eye;  // of the material where its map is white, as it arrives
#endif

void main() {
    vec3 rest = model_position();
    vec3 p = rest;
    vec3 n = model_normal();
#if MORPHED
    morph(p, n, instance_clip, instance_shape.w);
#endif
#if JOINTS > 0
    skin(p, n, instance_clip);
    bend_body(p, n, instance_shape.xy);
#endif
    p_ws = instance_place.xyz + rotate(instance_rotation, p * instance_place.w);
    normal_ws = rotate(instance_rotation, n);
#if SWAY
    float up = clamp(rest.y / height, 0.0, 1.0);
    float bend = up * sqrt(up) * sway * height * instance_place.w;
    float phase_rad = instance_shape.z * TAU;
    vec2 flutter = vec2(sin(time_s * 1.7 + phase_rad + 3.0 * up), cos(time_s * 1.3 + phase_rad * 1.7 + 2.0 * up));
    p_ws.xz += bend * (surge.xz * 0.9 + 0.07 * flutter);
    p_ws.y -= bend * 0.25 * dot(surge.xz, surge.xz);
#endif
    texture_uv = model_uv();
    tint = instance_tint.rgb * model_colour();
    shown = instance_tint.a;
#if JOINTS > 0
    vec3 in_box = model_share();
    vec2 own_skin = individual_skin(in_box, instance_shape.z);
    texture_uv.x += own_skin.x;
    tint *= own_skin.y;
#if MARKED
    on_flank = in_box.zy;
    marks = individual_marks(instance_shape.z);
#endif
#endif
#if SILVER
    reflect_from_silver(p_ws, normal_ws, rotate(instance_rotation, vec3(1.0, 0.0, 0.0)), instance_shape.z);
#endif
    light_vertex(p_ws, normal_ws);
#if JOINTS == 0
    // Where a thing meets the ground they take the sky from each other: as far up as it is wide, half a metre at most.
    float over_m = (rest.y - ground_line) * instance_place.w;
#if SILTED
    // Real heights: no ground is level over the length of a whale. Toward the edge of the map silt ends.
    float ground_m = textureLod(ground_heights, p_ws.xz / (2.0 * map_half_m) + 0.5, 0.0).r - seabed_depth_m;
    float far = smoothstep(map_half_m - 2.0, map_half_m, max(abs(p_ws.x), abs(p_ws.z)));
    over_ground_m = mix(p_ws.y - ground_m, max(over_m, 1.0), far);
    over_m = min(over_m, over_ground_m);
#endif
    float reach_m = min(0.5, 0.45 * height * instance_place.w);
    float ambient_occlusion = clamp(over_m / reach_m, 0.0, 1.0);
    ambient_occlusion = 0.28 + 0.72 * ambient_occlusion * (2.0 - ambient_occlusion);
    light_from_above *= ambient_occlusion;
    light_from_below *= ambient_occlusion;
    light_from_beside *= ambient_occlusion;
    beam_light *= 0.45 + 0.55 * ambient_occlusion;
#endif
    vec3 to_eye = eye_ws - p_ws;
    float distance_m = length(to_eye);
#if PER_VERTEX_LIGHTING
#if SPECULAR
    beam_light *= beam_gain(VERTICES_PX * pixel_angle * distance_m);
#endif
    reflect_light(normal_ws, to_eye / max(distance_m, 1e-3), tint);
#if SILVER
    mirrored_radiance = tint * (mirrored_water + beam_light * mirrored_key_light);
#elif SPECULAR
    mirrored_radiance = vec3(0.0);
#endif
#else
    light_pixels(normal_ws);
#endif
    // A glowing thing is thin: along the rim the eye looks through more of it.
    float rim = 1.0 - abs(dot(normal_ws, to_eye)) / max(distance_m, 1e-3);
    // Light made down there is blue and green, and far from white.
    vec3 dimmed = exp(-attenuation_slow * distance_m);
#if TRANSPARENT
    // Jelly is clearer than skin, its middle darker; no two animals glow alike: by eye.
    vec2 own = sin(TAU * fract(instance_shape.z * vec2(7.3, 3.1)));
    vec3 hue = (1.0 + own.x * vec3(0.6, 0.12, -0.22)) * (1.0 + 0.35 * own.y);
    vec3 emission = batch_emissive * hue * (0.10 + 1.1 * rim * rim * rim) * dimmed;
#else
    vec3 emission = batch_emissive * (0.2 + 0.8 * rim * rim) * dimmed;
#endif
#if EMISSION_MAP
    // A map's 1 is a white sheet in daylight, by eye: exporters put the colour again there for a creature that is to be
    // bright. A glow without a map is radiance, as for lures.
    emission_at_eye = INVERSE_PI * emissive * dimmed;
#else
    emission += emissive * dimmed;
#endif
#if TRANSPARENT
    emitted_light = emission;
#else
    added_radiance += emission;
#endif
    gl_Position = clip_from_world * vec4(p_ws, 1.0);
}
