// Marine snow: flakes fill a cube that follows the eye and wraps round. Writes a camera-facing quad a flake, with its
// radiance at the eye. Sizes, wander, brightness and the reflectance of a flake: by eye.
#include "frame.glsl"
#include "noise.glsl"
#include "quad.glsl"
#include "water_optics.glsl"
#if LIGHTS
#include "lamps.glsl"
#endif

uniform int seed;
uniform vec3 right_ws;          // of the view
uniform vec3 up_ws;

out vec2 corner;
out vec3 flake_radiance;
out float flake_alpha;

void main() {
    uint id = uint(gl_InstanceID);
    vec3 place = hash3(id * 2u + uint(seed));
    vec3 variation = hash3(id * 2u + 1u + uint(seed));
    vec3 wander = 0.02 * vec3(sin(time_s * 0.7 + variation.x * 40.0), sin(time_s * 0.5 + variation.y * 40.0), cos(time_s * 0.6 + variation.z * 40.0));
    vec3 offset = (fract(place + (snow_drift + wander - eye_ws) / snow_extent_m) - 0.5) * snow_extent_m;
    vec3 p_ws = eye_ws + offset;
    float distance_m = length(offset);

    // A flake smaller than a pixel keeps a pixel's size and gives up brightness instead.
    float radius = snow_radius_m * (0.4 + 1.2 * variation.x * variation.x);
    float least = 0.6 * pixel_angle * distance_m;
    float drawn = max(radius, least);
    float coverage = (radius / drawn) * (radius / drawn);
    float edge = (1.0 - smoothstep(0.38, 0.5, distance_m / snow_extent_m)) * smoothstep(0.15, 0.5, distance_m);
    flake_alpha = p_ws.y < -0.05 ? coverage * edge * 0.75 : 0.0;

    vec3 light = irradiance(-p_ws.y);
    vec3 view = offset / max(distance_m, 1e-3);
    float forward = 0.35 + 1.4 * pow(max(dot(view, to_key_light_water), 0.0), 4.0);
    const float REFLECTANCE = 0.55;
    vec3 sent = light * REFLECTANCE / PI * forward;
#if LIGHTS
    for (int i = 0; i < int(light_count); ++i) {
        vec3 toward;
        float lamp_m;
        vec3 arriving = lamp_at(i, p_ws, 0.05, toward, lamp_m);
        sent += arriving * transmittance(lamp_m) * REFLECTANCE / PI;
    }
#endif
    // Dinoflagellates and the like flash blue-green (470 to 490 nm) for a moment when the water stirs them.
    float flash = variation.z < snow_emissive_share ? pow(max(sin(time_s * (0.4 + variation.y) + variation.x * 40.0), 0.0), 12.0) : 0.0;
    sent += flash * vec3(0.01, 0.10, 0.14);
    flake_radiance = through_water(sent, p_ws);

    corner = quad_corner(gl_VertexID);
    // Motion blur: stretched along its way while the picture is exposed, and paler for it. The eye follows it partly.
    vec2 streak = (0.25 + 0.5 * variation.y) * vec2(dot(snow_streak, right_ws), dot(snow_streak, up_ws));
    float half_streak = max(length(streak), 1e-6);
    vec2 place_in_view = corner * drawn + streak * (dot(corner, streak) / half_streak);
    flake_alpha *= pow(drawn / (drawn + half_streak), 0.4);
    p_ws += right_ws * place_in_view.x + up_ws * place_in_view.y;
    gl_Position = flake_alpha > 0.004 ? clip_from_world * vec4(p_ws, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
