// A lit surface in the water: texture, key light through caustics and shadow, diffuse light, a wet specular highlight,
// light that comes through thin parts. Writes linear radiance at the eye.
// ALPHA_TEST: texels below alpha_cutoff are holes (see cutout.glsl), and an instance that fades is left out of some pixels.
// STONE: reef rock, with grain, crusts and sediment finer than its texture; FINE_RELIEF: with relief. SILTED: sediment
// lies on its foot. SPECULAR: wet skin, SCALED with scales in relief, SILVER that mirrors, EYESHINE with pupils that shine
// back (eyeshine.glsl), METAL (always with REFLECTANCE_MAP). For maps see material_maps.glsl.
// TRANSPARENT: the background shows through, where it is thin the more; has SPECULAR too. PER_VERTEX_LIGHTING: light
// falls on vertices, for what is small or far; on skin its caustics too.
#include "colour.glsl"
#include "constants.glsl"
#include "frame.glsl"
#include "lighting.glsl"
#if ALPHA_TEST || TRANSPARENT
#include "fade.glsl"
#endif
#if ALPHA_TEST
#include "cutout.glsl"
#endif
#if PER_VERTEX_LIGHTING && SPECULAR
#include "vertex_lit_skin.glsl"
#elif SILVER
#include "silvered.glsl"
#endif
#if SPECULAR
#include "wet_skin.glsl"
#endif
#if EYESHINE && LIGHTS && !PER_VERTEX_LIGHTING
#include "eyeshine.glsl"
#endif
#if SCALED
#include "fish_skin.glsl"
#endif
#include "marks.glsl"
#include "material_maps.glsl"
#include "thin.glsl"

in vec3 p_ws;
in vec3 normal_ws;
in vec2 texture_uv;
in vec3 tint;
#if SILTED
in float over_ground_m;
#endif
#if ALPHA_TEST || TRANSPARENT
flat in float shown;             // see fade.glsl
#endif
#if MARKED
in vec2 on_flank;               // place in the model's box: z and y
flat in vec4 marks;
#endif
#if PER_VERTEX_LIGHTING && SPECULAR
in vec3 reflected;              // radiance of white skin
in vec3 mirrored_radiance;      // by a flank
#if REFLECTANCE_MAP
in vec3 shine;                  // radiance that a surface reflects of reflectance 1
#endif
#elif PER_VERTEX_LIGHTING
in vec3 beam_reflected;         // radiance of a white thing by the beam without its caustics
in vec3 sky_reflected;          // by all other light
#elif SILVER
in vec3 mirrored_water;         // radiance that the flank mirrors toward the eye
in vec3 mirrored_key_light;     // share of the beam that it mirrors toward the eye, 1/sr
#endif
#if TRANSPARENT
in vec3 emitted_light;
#endif
#if EMISSION_MAP
flat in vec3 emission_at_eye;   // of the material where its map is white, as it arrives
#endif

uniform sampler2D albedo_map;
uniform vec4 base_color;
uniform vec3 specular;
uniform float shininess;
uniform float alpha_cutoff;
uniform float translucency;
#if EYESHINE && LIGHTS && !PER_VERTEX_LIGHTING
uniform float tapetum;          // share of light that pupils send back
#endif

out vec4 radiance;

#if STONE
#include "stone.glsl"
#endif
#if SILTED
#include "silt.glsl"
#endif

#if LIGHTS && SPECULAR
// Share of a lamp's highlight that is left: it is a reflector as wide as a hand, not a point. By eye.
const float LAMP_GLOSS = 0.25;
#if SILVER
// Share of its light that a silver flank sends to the eye. By eye.
const float LAMP_MIRRORED = 0.12;
#endif
#endif

#if SCALED
// Darkening of a scale's rim, and variation in lightness from scale to scale; by eye.
const vec2 SCALE_TONE = vec2(0.45, 0.32);
#endif

#if SPECULAR && SHADOW_TAPS > 0
// Squared turn of the normal over a pixel from which it is an edge, and the share of light that it loses; by eye.
const float EDGE_TURNED = 0.15;
const float EDGE_DIMMED = 6.0;
#endif

#if TRANSPARENT
// Light of dense flesh over that of clear jelly, and share of it from the far wall of a bell; by eye.
const float ORGAN_GLOW = 2.2;
const float FAR_WALL_GLOW = 0.35;
#endif

#if !PER_VERTEX_LIGHTING
// Most that shines through a thin part, over the beam without its caustics.
const float MAX_THROUGH = 1.4;

// Irradiance that the surface scatters, but for that of lamps: the beam on its lit side and through it, and from all round.
vec3 scattered_irradiance(vec3 beam, float facing, float lit_side, vec3 ambient) {
#if TRANSPARENT
    // Light goes through it from all sides, most of it straight on: it is bright against the key light.
    vec3 to_eye = normalize(eye_ws - p_ws);
    float ahead = max(-dot(to_eye, to_key_light_water), 0.0);
    float through = translucency * (0.5 + 2.0 * ahead * ahead * ahead);
    vec3 all_round = 0.75 * (diffuse_above + diffuse_below);
    return beam * (lit_side * lit_side_share(translucency) + through) + mix(ambient, all_round, translucency);
#else
    // Lines of light through a blade would burn out: by eye.
    vec3 from_behind = min(beam, MAX_THROUGH * beam_light) * (translucency * max(-facing, 0.0));
    return beam * (lit_side * lit_side_share(translucency)) + from_behind + ambient * all_round_share(translucency);
#endif
}
#endif

void main() {
#if STONE
    Stone stone = stone_here(p_ws, normalize(normal_ws));
    vec4 texel = stone_texel(albedo_map, texture_uv, stone);
#else
    vec4 texel = texture(albedo_map, texture_uv);
#endif
#if ALPHA_TEST
    float covered = coverage(texel.a, alpha_cutoff, texture_uv, vec2(textureSize(albedo_map, 0)));
    if (is_cut_out(covered) || is_left_out(shown)) {
        discard;
    }
#if MARKED
    if (is_nick(on_flank, marks)) {
        discard;
    }
#endif
#endif
    vec3 added = added_radiance;
#if EMISSION_MAP
    vec3 glow = emission_at_eye * linear_from_srgb(texture(emission_map, texture_uv).rgb);
#if TRANSPARENT
    glow += emitted_light;
#else
    added += glow;
#endif
#elif TRANSPARENT
    vec3 glow = emitted_light;
#endif
#if TRANSPARENT
    // Clear jelly glows alike, organs in their own colours; the wall on the far side is seen through the animal.
    vec3 flesh = linear_from_srgb(texel.rgb);
    float organ = ORGAN_GLOW * smoothstep(0.45, 0.9, texel.a);
    glow = glow * (0.2 + flesh) + organ * max(glow.r, max(glow.g, glow.b)) * flesh;
    glow *= gl_FrontFacing ? 1.0 : FAR_WALL_GLOW;
#endif
#if PER_VERTEX_LIGHTING && SPECULAR
#if REFLECTANCE_MAP
    added += tinted_reflectance(reflectance_at(texture_uv).rgb, tint) * shine;
#endif
    radiance = vec4(skin_radiance(texel.rgb, reflected, mirrored_radiance) + added, 1.0);
#elif PER_VERTEX_LIGHTING
    vec3 lit = beam_reflected * caustic_gain() * key_light_visibility(true) + sky_reflected;
#if STONE
    lit *= light_and_dark(stone.coarse.x, texel.a);
    vec3 albedo = bare_stone(linear_from_srgb(texel.rgb));
#else
    vec3 albedo = linear_from_srgb(texel.rgb);
#endif
    radiance = vec4(albedo * lit + added, 1.0);
#else
    vec3 albedo = linear_from_srgb(texel.rgb) * base_color.rgb * tint;
#if MARKED
    // Scar tissue is pale.
    albedo = mix(albedo, 0.4 * albedo + 0.22, 0.8 * scar_at(on_flank, marks));
#endif
    vec3 n = normalize(gl_FrontFacing ? normal_ws : -normal_ws);
    float ambient_occlusion = 1.0;
    vec2 scale = vec2(1.0, 0.0);        // what is left of the specular light, how the scale is set
#if STONE
    weather(stone, texel.a, albedo, n, ambient_occlusion);
#if SILTED
    silt(over_ground_m, stone, normalize(normal_ws), albedo, n);
#endif
#elif SILTED
    silt(over_ground_m, albedo);
#elif SCALED
    scale = lay_scales(texture_uv, p_ws, n);
    albedo *= SCALE_TONE.x * scale.x + SCALE_TONE.y * scale.y + 1.0 - SCALE_TONE.x;
#endif
#if NORMAL_MAP
    n = bent_normal(n, p_ws, texture_uv);
#endif
#if SPECULAR
#if REFLECTANCE_MAP
    vec4 own = reflectance_at(texture_uv);
    vec3 reflectance = tinted_reflectance(own.rgb, tint);
    float exponent = own.a;
#else
#if METAL
    vec3 reflectance = tinted_reflectance(specular, tint);
#else
    vec3 reflectance = specular;
#endif
    float exponent = shininess;
#endif
#if SHADOW_TAPS > 0
    // The normal's turn over a pixel widens the lobe, or glints would be single pixels (Kaplanyan et al. 2016).
    vec3 turns_x = dFdx(n), turns_y = dFdy(n);
    float turned = dot(turns_x, turns_x) + dot(turns_y, turns_y);
    float gloss = exponent / (1.0 + exponent * min(0.5 * turned, 0.2));
#else
    float gloss = exponent;
#endif
#endif
    vec3 ambient = diffuse_light(n) * ambient_occlusion;
    vec3 beam = focused_beam();
    float facing = dot(n, to_key_light_water);
#if SILVER
    float visible = key_light_visibility(true);
#else
    float visible = key_light_visibility(facing > 0.0);
#endif
    float lit_side = max(facing, 0.0) * visible;
#if SPECULAR && SHADOW_TAPS > 0
    // Of an edge narrower than a pixel only a part is lit, or rims of fins and backs would be strings of bright dots.
    lit_side /= 1.0 + EDGE_DIMMED * max(turned - EDGE_TURNED, 0.0);
#endif
    vec3 received = scattered_irradiance(beam, facing, lit_side, ambient);
#if LIGHTS
    vec3 lamp_specular;
#if SPECULAR
    vec3 lamps = lamp_light(p_ws, n, translucency, max(gloss, 1.0), lamp_specular);
#else
    vec3 lamps = lamp_light(p_ws, n, translucency, 0.0, lamp_specular);
#endif
#if SILTED
    lamps *= foot_lit(over_ground_m);
#endif
    received += lamps;
#endif
    vec3 lit = albedo * INVERSE_PI * received;
#if SILVER
    vec2 glitter = vec2(1.0) + vec2(0.9, 2.0) * scale.y;
    vec3 mirrored = scale.x * (glitter.x * mirrored_water + glitter.y * beam * visible * mirrored_key_light);
#if LIGHTS
    // A lamp is near: each platelet sends its light another way, most of it past the eye.
    mirrored += LAMP_MIRRORED * INVERSE_PI * lamps;
#endif
    lit = with_silver(lit, albedo, mirrored);
#endif
#if SPECULAR
    vec3 to_eye = normalize(eye_ws - p_ws);
    vec3 highlight = scale.x * reflectance * skin_specular(n, to_eye, beam * lit_side, ambient, reflectance, gloss);
#if LIGHTS
    highlight += LAMP_GLOSS * reflectance * lamp_specular;
#if EYESHINE
    if (is_pupil(albedo_map, texture_uv)) {
        highlight += eyeshine(p_ws, tapetum);
    }
#endif
#endif
#endif
#if TRANSPARENT
    // Seen on edge it is thicker.
    float thickness = 1.0 / max(abs(dot(n, to_eye)), 0.22);
    float opacity = 1.0 - pow(1.0 - min(texel.a * base_color.a, 0.98), thickness);
    radiance = vec4((lit + added) * opacity + step(0.01, texel.a) * highlight + glow * opacity, opacity)
        * opacity_of(shown);
#elif SPECULAR
    radiance = vec4(lit + highlight + added, 1.0);
#else
    radiance = vec4(lit + added, 1.0);
#endif
#endif
#if FRINGE
    radiance *= covered;
#endif
}
