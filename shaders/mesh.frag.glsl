// A lit surface in the water: texture, key light through caustics and shadow, diffuse light, a wet highlight, light that
// comes through thin parts. Writes linear radiance at the eye.
// CUT: texels below alpha_cut are holes. STONE: reef rock, with grain, crusts and sediment finer than its texture; FINE_STONE:
// with relief. SHINY: wet skin, SCALED with scales in relief, SILVER that mirrors. TRANSPARENT: what is behind shows through, where
// it is thin the more. PER_VERTEX_LIGHTING: light falls on vertices, for what is small or far.
#include "frame.glsl"
#include "lighting.glsl"
#if SHINY
#include "wet_skin.glsl"
#endif
#if SCALED
#include "fish_skin.glsl"
#endif

in vec3 p_ws;
in vec3 normal_ws;
in vec2 texture_uv;
flat in vec4 tint;
#if PER_VERTEX_LIGHTING
in vec3 beam_reflected;         // radiance of a white thing by the beam without its caustics
in vec3 sky_reflected;          // by all other light
#if SHINY
in vec3 shine;                  // what wet skin mirrors, of whatever colour it is
#endif
#endif
#if SILVER
in vec3 mirrored_water;         // radiance that the flank mirrors toward the eye
in vec3 mirrored_key_light;     // share of the beam that it mirrors toward the eye, 1/sr; lit per vertex: of that, radiance
#endif
#if TRANSPARENT
in vec3 emitted_light;
#endif

uniform sampler2D albedo_map;
uniform vec4 base_color;
uniform vec3 specular;
uniform float shininess;
uniform float alpha_cut;
uniform float translucency;
uniform float sheen;            // share of light that is mirrored where no pigment lies over it

out vec4 radiance;

const float INVERSE_PI = 1.0 / PI;
const float MIRROR_HIDES = 0.45;     // share of what the skin scatters that it mirrors instead; by eye

#if STONE
#include "stone.glsl"
#endif

void main() {
#if STONE
    Stone stone = stone_here(p_ws, normalize(normal_ws));
    vec4 texel = stone_texel(albedo_map, texture_uv, stone);
#else
    vec4 texel = texture(albedo_map, texture_uv);
#endif
#if CUT
    if (texel.a < alpha_cut) {
        discard;
    }
#endif
    // sRGB to linear, within 0.3 % (Chilliant 2012).
    vec3 albedo = texel.rgb * (texel.rgb * (texel.rgb * 0.305306011 + 0.682171111) + 0.012522878);
#if PER_VERTEX_LIGHTING
    vec3 gain = caustic_gain() * key_light_visibility();
    vec3 lit = albedo * (beam_reflected * gain + sky_reflected);
#if SILVER
    float mirror = sheen * smoothstep(0.04, 0.26, albedo.g * tint.g);
    lit = lit * (1.0 - MIRROR_HIDES * mirror) + mirror * albedo * tint.rgb * (mirrored_water + gain * mirrored_key_light);
#endif
#if SHINY
    lit += shine;
#endif
    radiance = vec4(lit + ray_inscatter, 1.0);
#else
    albedo *= base_color.rgb * tint.rgb;
    vec3 n = normalize(gl_FrontFacing ? normal_ws : -normal_ws);
#if STONE
    float ambient_occlusion;
    weather(stone, texel.a, albedo, n, ambient_occlusion);
    vec3 ambient = diffuse_light(n) * ambient_occlusion;
#else
#if SCALED
    vec2 scale = lay_scales(texture_uv, p_ws, n);
    float gloss = scale.x;
#else
    const float gloss = 1.0;
#endif
    vec3 ambient = diffuse_light(n);
#endif
    vec3 beam = focused_beam();
    float facing = dot(n, to_key_light_water);
    float lit_side = facing > 0.0 ? facing * key_light_visibility() : 0.0;
#if TRANSPARENT
    // Light goes through it from all sides, most of it straight on: it is bright against the key light.
    vec3 to_eye = normalize(eye_ws - p_ws);
    float ahead = max(-dot(to_eye, to_key_light_water), 0.0);
    float through = translucency * (0.5 + 2.0 * ahead * ahead * ahead);
    vec3 all_round = 0.75 * (light_from_above + light_from_below);
    vec3 received = beam * (lit_side * (1.0 - 0.5 * translucency) + through) + mix(ambient, all_round, translucency);
#else
    vec3 received = beam * (lit_side + translucency * max(-facing, 0.0)) + ambient * (1.0 + 0.5 * translucency);
#endif
#if LIGHTS
    vec3 lamp_glint;
#if SHINY
    vec3 lamps = lamp_light(p_ws, n, translucency, max(shininess, 1.0), lamp_glint);
#else
    vec3 lamps = lamp_light(p_ws, n, translucency, 0.0, lamp_glint);
#endif
    received += lamps;
#endif
    vec3 lit = albedo * INVERSE_PI * received;
#if SHINY
#if !TRANSPARENT
    vec3 to_eye = normalize(eye_ws - p_ws);
#endif
#if SILVER
    // Pigment lies over the platelets: only pale skin mirrors.
    float mirror = sheen * smoothstep(0.04, 0.26, albedo.g);
#if SCALED
    vec2 glint = vec2(1.0) + vec2(0.9, 2.0) * scale.y;
#else
    const vec2 glint = vec2(1.0);
#endif
    vec3 glitter = beam * key_light_visibility() * mirrored_key_light;
    lit = lit * (1.0 - MIRROR_HIDES * mirror) + mirror * gloss * albedo * (glint.x * mirrored_water + glint.y * glitter);
#if LIGHTS
    // A lamp is near: each platelet sends its light another way.
    lit += MIRROR_HIDES * mirror * INVERSE_PI * albedo * lamps;
#endif
#endif
    vec3 shine = gloss * specular * skin_shine(n, to_eye, beam * lit_side, ambient, shininess);
#if LIGHTS
    shine += specular * lamp_glint;
#endif
#endif
#if TRANSPARENT
    // Seen on edge it is thicker.
    float thickness = 1.0 / max(abs(dot(n, to_eye)), 0.22);
    float cover = 1.0 - pow(1.0 - min(texel.a * base_color.a, 0.98), thickness);
    radiance = vec4((lit + ray_inscatter) * cover + step(0.01, texel.a) * shine + emitted_light * cover, cover);
#elif SHINY
    radiance = vec4(lit + shine + ray_inscatter, 1.0);
#else
    radiance = vec4(lit + ray_inscatter, 1.0);
#endif
#endif
}
