// Sand and rubble: a tiling detail map gives ripples and grains, a map of the place stains and what stands there.
// Detail map: rg slopes (ripples), b lightness, a pieces of rubble, which show where they rise above the bare share.
// FINE_RELIEF: rubble and grain in relief. Shares and tones are by eye. Ground map: r lightness, g rubble pattern, b ambient
// occlusion, a ripples. Writes linear radiance at the eye.
#include "constants.glsl"
#include "frame.glsl"
#include "lighting.glsl"

in vec3 p_ws;
in vec2 ground_m;
in vec3 normal_ws;
in float ground_rubble;
in float ground_occlusion;

uniform sampler2D detail_map;
uniform sampler2D ground_map;
#if FINE_RELIEF
uniform sampler2D stone_map;    // laid finer than on rocks it is the grain of sand
#endif
uniform float map_half_m;       // beyond it the ground map repeats its stains
uniform float ripple_slope;     // slope of the steepest ripple

out vec4 radiance;

const float GRAIN_TILE_M = 0.57;
// Tiers that soften shadows by many taps have time for the grains before the lens, too.
#define NEAR_GRAIN (FINE_RELIEF && SHADOW_TAPS > 0)
#if NEAR_GRAIN
const float NEAR_TILE_M = 0.13;
const vec2 NEAR_M = vec2(0.8, 4.0);     // distances within which all of them show, and beyond which none does
#endif

void main() {
    vec4 near_detail = texture(detail_map, ground_m / GROUND_TILE_M);
    vec4 place = texture(ground_map, ground_m / (2.0 * map_half_m) + 0.5);
    // A few pieces lie everywhere; where rubble is they lie on each other.
    float bare = 0.95 - 0.55 * smoothstep(0.30, 0.80, ground_rubble + 0.7 * (place.g - 0.5));
    float rubble = smoothstep(bare, bare + 0.16, near_detail.a);
    vec2 slope = (near_detail.rg * 2.0 - 1.0) * (ripple_slope * place.a);
    float lightness = (0.62 + 0.76 * near_detail.b) * (0.74 + 0.52 * place.r);
    float rubble_tone = 0.35 + 0.55 * near_detail.b + 0.7 * (near_detail.a - bare);
#if FINE_RELIEF
    const float AHEAD_M = 0.012;
    vec2 rise = vec2(texture(detail_map, (ground_m + vec2(AHEAD_M, 0.0)) / GROUND_TILE_M).a,
        texture(detail_map, (ground_m + vec2(0.0, AHEAD_M)) / GROUND_TILE_M).a) - near_detail.a;
    // A piece is about 1 cm high.
    slope = mix(slope, 0.011 / AHEAD_M * rise, rubble);
    vec4 grain = texture(stone_map, mat2(0.83, 0.56, -0.56, 0.83) * ground_m / GRAIN_TILE_M);
    slope += (grain.rg * 2.0 - 1.0) * mix(0.22, 0.7, rubble);
    lightness *= 0.72 + 0.54 * grain.b;
    rubble_tone *= 0.5 + grain.b;
#if NEAR_GRAIN
    float near = 1.0 - smoothstep(NEAR_M.x, NEAR_M.y, distance(p_ws, eye_ws));
    vec4 grains = texture(stone_map, mat2(-0.28, 0.96, -0.96, -0.28) * ground_m / NEAR_TILE_M, -0.6);
    slope += near * mix(0.22, 0.45, rubble) * (grains.rg * 2.0 - 1.0);
    lightness *= 1.0 + 0.5 * near * (grains.b - 0.5);
#endif
#endif
    vec3 n = normalize(normal_ws + vec3(-slope.x, 0.0, -slope.y));
    vec3 albedo = seabed_colour * mix(vec3(lightness), vec3(0.98, 0.95, 0.90) * rubble_tone, rubble);

    bool mapped = max(abs(ground_m.x), abs(ground_m.y)) < map_half_m;
    float ambient_occlusion = mapped ? ground_occlusion * place.b : ground_occlusion;
#if SHADOWS
    float through = 0.35 + 0.65 * ambient_occlusion;
#else
    float through = ambient_occlusion;  // stands in for the shadow map
#endif
    float lit_side = max(dot(n, to_key_light_water), 0.0) * key_light_visibility() * through;
    vec3 lit = albedo * INVERSE_PI * (focused_beam() * lit_side + diffuse_light(n) * ambient_occlusion);
#if LIGHTS
    vec3 no_specular;
    lit += albedo * INVERSE_PI * lamp_light(p_ws, n, 0.0, 0.0, no_specular) * (0.4 + 0.6 * ambient_occlusion);
#endif
    radiance = vec4(lit + added_radiance, 1.0);
}
