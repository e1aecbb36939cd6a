// Sand and rubble: a tiling detail map at two scales gives ripples, grains and stains.
// Detail map: rg slopes (ripples), b lightness, a rubble pattern. Writes linear radiance at the eye.
#include "frame.glsl"
#include "water_optics.glsl"
#include "lighting.glsl"

in vec3 p_ws;
in vec3 normal_ws;
in vec2 ground_cover;
in vec3 fall;
in vec3 ray_transmittance;
in vec3 ray_inscatter;

uniform sampler2D detail_map;
uniform float ripple_slope;     // slope of the steepest ripple

out vec4 radiance;

const float RIPPLE_TILE_M = 2.6;
const float STAIN_TILE_M = 17.3;

void main() {
    vec4 near_detail = texture(detail_map, p_ws.xz / RIPPLE_TILE_M);
    vec4 far_detail = texture(detail_map, p_ws.zx / STAIN_TILE_M + 0.37);
    float rubble = smoothstep(0.35, 0.75, ground_cover.x + 0.5 * (far_detail.a - 0.5) + 0.45 * (near_detail.a - 0.5));
    vec2 slope = (near_detail.rg * 2.0 - 1.0) * ripple_slope * mix(1.0, 1.6, rubble);
    vec3 n = normalize(normal_ws + vec3(-slope.x, 0.0, -slope.y));
    float lightness = (0.62 + 0.76 * near_detail.b) * (0.74 + 0.52 * far_detail.b);
    vec3 rubble_colour = seabed_colour * vec3(0.62, 0.60, 0.56) * (0.35 + 1.1 * near_detail.a);
    vec3 albedo = mix(seabed_colour * lightness, rubble_colour, rubble);

    SurfaceLight light = light_at(p_ws, n, fall, ground_cover.y);
    vec3 sun = light.sun * caustic(p_ws, slice_weights(-p_ws.y)) * max(dot(n, to_sun_water), 0.0);
    sun *= sun_visibility(p_ws, normal_ws) * mix(0.4, 1.0, ground_cover.y);
    vec3 lit = albedo / PI * (sun + light.ambient);
    radiance = vec4(lit * ray_transmittance + ray_inscatter, 1.0);
}
