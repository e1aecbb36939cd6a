// Sand and rubble: a tiling detail map at two scales gives ripples, grains and stains.
// Detail map: rg slopes (ripples), b lightness, a rubble pattern. Writes linear radiance at the eye.
#include "frame.glsl"
#include "lighting.glsl"

in vec3 p_ws;
in vec2 ground_m;
in vec3 normal_ws;
in vec2 ground_cover;

uniform sampler2D detail_map;
uniform float ripple_slope;     // slope of the steepest ripple

out vec4 radiance;

const float RIPPLE_TILE_M = 2.6;
const float STAIN_TILE_M = 17.3;
const float INVERSE_PI = 0.31830989;

void main() {
    vec4 near_detail = texture(detail_map, ground_m / RIPPLE_TILE_M);
    vec4 far_detail = texture(detail_map, ground_m.yx / STAIN_TILE_M + 0.37);
    float rubble = smoothstep(0.35, 0.75, ground_cover.x + 0.5 * (far_detail.a - 0.5) + 0.45 * (near_detail.a - 0.5));
    vec2 slope = (near_detail.rg * 2.0 - 1.0) * ripple_slope * (1.0 + 0.6 * rubble);
    vec3 n = normalize(normal_ws + vec3(-slope.x, 0.0, -slope.y));
    float lightness = (0.62 + 0.76 * near_detail.b) * (0.74 + 0.52 * far_detail.b);
    vec3 rubble_tone = vec3(0.62, 0.60, 0.56) * (0.35 + 1.1 * near_detail.a);
    vec3 albedo = seabed_colour * mix(vec3(lightness), rubble_tone, rubble);

    float open = ground_cover.y;
    float sun = max(dot(n, to_sun_water), 0.0) * sun_visibility() * (0.4 + 0.6 * open);
    vec3 lit = albedo * INVERSE_PI * (focused_beam() * sun + diffuse_light(n) * open);
#if LIGHTS
    vec3 no_glint;
    lit += albedo * INVERSE_PI * lamp_light(p_ws, n, 0.0, 0.0, no_glint) * (0.4 + 0.6 * open);
#endif
    radiance = vec4(lit + ray_inscatter, 1.0);
}
