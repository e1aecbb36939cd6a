// The sea surface round the eye: a polar grid, moved by the wave maps. FOAM: crests break.
#include "frame.glsl"
#include "water_optics.glsl"
#include "waves.glsl"
#include "environment.glsl"

uniform float unresolved_slope_variance;    // of the waves too short for the maps, along both axes together

in vec2 uv;                     // offset from the eye, metres

#if FOAM || !RIPPLES
uniform vec2 wind_m_s;          // x and z
#endif
#if FOAM
uniform vec2 spilling;          // see breaking()
#endif

out vec3 p_ws;
out vec2 rest_m;                // where the point is at rest
out vec2 slope_of_long;
out float clearness;            // share of the ripples' slopes that is seen, 0..1
// Waves end in the path radiance of the whole way where hardly any light gets through, or the edge would show.
out vec3 ray_transmittance;
out vec3 ray_inscatter;
out vec3 mirrored_steep;        // what a mirror shows of a steep and of a grazing ray from below, at the eye
out vec3 mirrored_grazing;
#if REFLECTIONS
out vec3 mirrored_source;        // what a metre of water adds to a ray that a calm sea mirrors
#endif
// From below: variance by which a slope's variance along both axes spreads the direction of refracted light along each,
// and the key light's disc as it is seen where all slopes but the unresolved are drawn.
flat out float slope_spread;
flat out vec2 smeared_disc;
#if !RIPPLES
flat out vec2 wind_direction;
#endif
// The water scatters light by small angles: what waves far off mirror is blurred from the first distance on, and to 1/e
// over the second. By eye, as are the sines between which Snell's window, brighter by far, keeps its flakes.
const float SHARP_M = 14.0;
const float BLURRED_OVER_M = 12.0;
const vec2 WINDOW_KEEPS = vec2(0.35, 0.65);
#if FOAM
out float foam_share;           // share of the surface that is covered by foam, before it is torn into lace

// Foam that crests leave lies upwind of them and fades: places downwind are asked for a crest.
float foam_trail(vec2 at_m) {
    vec2 downwind = normalize(wind_m_s);
    float foam = 0.0;
    float left = 1.0;
    for (int i = 0; i < TRAIL_PLACES; ++i) {
        float along = TRAIL_M.x * float(i) + TRAIL_M.y * float(i * i);
        foam = max(foam, left * breaking(at_m + downwind * along, spilling));
        left *= TRAIL_LEFT;
    }
    return foam;
}
#endif

void main() {
    rest_m = eye_ws.xz + uv;
    // Waves finer than the grid's cells would alias: they fade with distance and live on in the slopes.
    float reach = length(uv);
    vec3 fade = 1.0 - smoothstep(patches_m * vec3(0.5, 0.4, 0.6), patches_m * vec3(1.0, 1.2, 2.2), vec3(reach));
    p_ws = vec3(rest_m.x, 0.0, rest_m.y) + wave_displacement(rest_m, fade).xyz;
#if ABOVE || REFLECTIONS
    slope_of_long = long_slope(rest_m, vec2(fade.x, 0.0));
#else
    slope_of_long = long_slope(rest_m, fade.xy);
#endif
    vec3 ray = p_ws - eye_ws;
    float distance_m = length(ray);
    ray_transmittance = transmittance(distance_m);
    vec3 toward = ray / max(distance_m, 1e-4);
    float blurred = exp(-max(distance_m - SHARP_M, 0.0) / BLURRED_OVER_M);
    clearness = toward.y < 0.0 ? 1.0 : mix(blurred, 1.0, smoothstep(WINDOW_KEEPS.x, WINDOW_KEEPS.y, toward.y));
    float clearest = max(ray_transmittance.r, max(ray_transmittance.g, ray_transmittance.b));
    float edge_m = min(SURFACE_EDGE_M, far_m);
    float left = smoothstep(SURFACE_FADE.x, SURFACE_FADE.y, clearest) * (1.0 - smoothstep(0.8 * edge_m, edge_m, reach));
    ray_transmittance *= left;
    // As water.frag.glsl draws it beyond the surface's edge.
    vec3 path_radiance = inscatter(eye_downwelling, toward, to_level_sea(toward));
    ray_inscatter = mix(path_radiance, inscatter(eye_downwelling, toward, distance_m), left);
    vec2 away = ray.xz / max(length(ray.xz), 1e-3);
    vec3 at_rest = vec3(p_ws.x, 0.0, p_ws.z);
    mirrored_steep = radiance_from_below(at_rest, vec3(0.312 * away.x, -0.95, 0.312 * away.y)) * ray_transmittance + ray_inscatter;
    mirrored_grazing = radiance_from_below(at_rest, vec3(0.98 * away.x, -0.2, 0.98 * away.y)) * ray_transmittance + ray_inscatter;
#if REFLECTIONS
    mirrored_source = eye_downwelling * source_toward(vec3(toward.x, -toward.y, toward.z));
#endif
    // The refracted ray n d + (cos_in_air - n cos_in_water) up moves by that factor with `up`, along the plane of incidence
    // by 1 / cos_in_air of it; and n times as far as the ray in the water, along that plane by the ratio of the cosines.
    float cos_in_air = max(to_key_light_air.y, 0.1);
    float bend = REFRACTIVE_INDEX * to_key_light_water.y - cos_in_air;
    slope_spread = 0.5 * bend * bend / cos_in_air;
    float half_pixel = 0.5 * REFRACTIVE_INDEX * pixel_angle;
    smeared_disc = disc_lobe(slope_spread * unresolved_slope_variance + half_pixel * half_pixel * to_key_light_water.y / cos_in_air);
#if !RIPPLES
    wind_direction = wind_m_s / max(length(wind_m_s), 1e-3);
#endif
#if FOAM
    foam_share = foam_trail(rest_m);
#endif
    gl_Position = clip_from_world * vec4(p_ws, 1.0);
}
