// Sand and rubble: a tiling detail map gives ripples and grains, a map of the place stains and what stands there.
// Detail map: rg slopes (ripples), b lightness, a rubble pattern. Ground map: r lightness, g rubble pattern, b ambient
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
uniform float map_half_m;       // beyond it the ground map repeats its stains
uniform float ripple_slope;     // slope of the steepest ripple

out vec4 radiance;

void main() {
    vec4 near_detail = texture(detail_map, ground_m / GROUND_TILE_M);
    vec4 place = texture(ground_map, ground_m / (2.0 * map_half_m) + 0.5);
    float rubble = smoothstep(0.35, 0.75, ground_rubble + 0.5 * (place.g - 0.5) + 0.45 * (near_detail.a - 0.5));
    vec2 slope = (near_detail.rg * 2.0 - 1.0) * (ripple_slope * mix(place.a, 1.6, rubble));
    vec3 n = normalize(normal_ws + vec3(-slope.x, 0.0, -slope.y));
    float lightness = (0.62 + 0.76 * near_detail.b) * (0.74 + 0.52 * place.r);
    vec3 rubble_tone = vec3(0.62, 0.60, 0.56) * (0.35 + 1.1 * near_detail.a);
    vec3 albedo = seabed_colour * mix(vec3(lightness), rubble_tone, rubble);

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
