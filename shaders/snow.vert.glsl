// Marine snow: flakes fill cubes that follow the eye and wrap round, each half as wide as the one before, so that there are
// nearly as many of them close to the lens as far off. Writes a camera-facing quad a flake, with its radiance at the eye. Sizes,
// wander, brightness and the reflectance of a flake: by eye.
#include "constants.glsl"
#include "frame.glsl"
#include "noise.glsl"
#include "particle_lens.glsl"
#include "plankton.glsl"
#include "quad.glsl"
#include "water_optics.glsl"
#if LIGHTS
#include "lamps.glsl"
#endif

uniform int seed;
uniform int whole;              // flakes from this one on are dust
#if LIGHTS
uniform int swarm;              // flakes from this one on are plankton in the beams of torches
#endif
uniform vec3 right_ws;          // of the view
uniform vec3 up_ws;

out vec2 corner;
out vec3 flake_radiance;
out float flake_alpha;
out float out_of_focus;
flat out vec2 crooked;          // how it is bent out of round

// Radius of a flake with its halo over its own.
const float HALO = 1.5;
// Least radius of its halo, pixels: the core of a smaller one would be a square.
const float MIN_PX = 2.7;
// A flake before a lamp gets no brighter than one so far from it, m: it would be a white blot.
const float LAMP_NEAREST_M = 0.6;
// Share of a lamp's light that it sends back, over that of the daylight from all round.
const float BACKSCATTER = 0.45;
// Least distance of a flake from the lens, and that from which on all of it shows, m.
const vec2 NEAREST_M = vec2(0.15, 0.50);
// Of the pattern of swathes, rad/m.
const vec3 SWATHES = vec3(1.1, 0.7, 1.2);
// Share of its length by which the slimmest is less wide.
const float SLIMMEST = 0.55;
// Longest streak of one that drifts, over its radius.
const float MAX_STREAK = 1.6;
// Distances within which the camera stirs the plankton, and beyond which it does not, m.
const vec2 STIRRED_M = vec2(0.5, 1.6);

#if LIGHTS
// Plankton that a torch has drawn, mysids and larvae: side of the cube that it fills about a place so far ahead of the lamp, m;
// radii, m; distances from the lamp between which it comes in, and gives out, m. It hops and sinks, as copepods do: least and
// greatest time between hops, s, longest way to each side, m, and sinking speed, m/s. By eye.
const float SWARM_SIDE_M = 3.6;
const vec2 SWARM_RADII_M = vec2(0.0012, 0.0045);
const float SWARM_AHEAD_M = 2.2;
const vec2 SWARM_BEGINS_M = vec2(0.5, 1.1);
const vec2 SWARM_ENDS_M = vec2(2.2, 4.0);
const vec2 HOPS_S = vec2(0.35, 1.3);
const float HOP_M = 0.06;
const float HOP_SINKS_M_S = 0.025;
// Share of the time between two that a hop takes.
const float HOP_SHARE = 0.18;

// Offset of one that hops, m.
vec3 hopping(uint id, vec3 variation) {
    float wait_s = mix(HOPS_S.x, HOPS_S.y, variation.x);
    float hops = time_s / wait_s + 16.0 * variation.y;
    uint hop = uint(hops);
    float since = fract(hops);
    vec3 from = hash3(id * 977u + hop + uint(seed));
    vec3 to = hash3(id * 977u + hop + 1u + uint(seed));
    vec3 sunk = vec3(0.0, -HOP_SINKS_M_S * wait_s, 0.0);
    return HOP_M * (2.0 * mix(from, to, smoothstep(0.0, HOP_SHARE, since)) - 1.0)
        + sunk * (since + 1.0 - smoothstep(0.0, HOP_SHARE, since));
}

// Place of one whose share of the cube is `place`; `gathered`: how much of it is there, none beside the beam.
vec3 in_beam(uint id, vec3 place, vec3 variation, out float gathered) {
    int i = int(id % uint(light_count));
    vec3 lamp_ws = light_place[i].xyz;
    vec3 ahead = light_direction[i].xyz;
    vec3 middle = lamp_ws + SWARM_AHEAD_M * ahead;
    // They stay where they are when the torch turns: others come into the beam.
    vec3 share = fract(place + (snow_drift + hopping(id, variation) - middle) / SWARM_SIDE_M) - 0.5;
    vec3 p_ws = middle + share * SWARM_SIDE_M;
    vec3 from_lamp = p_ws - lamp_ws;
    float along_m = dot(from_lamp, ahead);
    float cos_cone = light_place[i].w;
    float inside = smoothstep(cos_cone, mix(cos_cone, 1.0, 0.5), along_m / max(length(from_lamp), 1e-3));
    float rim = max(abs(share.x), max(abs(share.y), abs(share.z)));
    gathered = cos_cone > -1.0
        ? inside * smoothstep(SWARM_BEGINS_M.x, SWARM_BEGINS_M.y, along_m)
            * (1.0 - smoothstep(SWARM_ENDS_M.x, SWARM_ENDS_M.y, along_m)) * (1.0 - smoothstep(0.42, 0.5, rim))
        : 0.0;
    return p_ws;
}
#endif

void main() {
    uint id = uint(gl_InstanceID);
    vec3 place = hash3(id * 2u + uint(seed));
    vec3 variation = hash3(id * 2u + 1u + uint(seed));
    vec3 wander = 0.02 * vec3(sin(time_s * 0.7 + variation.x * 40.0), sin(time_s * 0.5 + variation.y * 40.0), cos(time_s * 0.6 + variation.z * 40.0));
    // Half of them in the widest.
    float side_m = snow_extent_m * exp2(-max(float(id & 3u) - 1.0, 0.0));
    vec3 offset = (fract(place + (snow_drift + wander - eye_ws) / side_m) - 0.5) * side_m;
    vec3 p_ws = eye_ws + offset;
#if LIGHTS
    bool swarms = int(id) >= swarm;
    float gathered = 0.0;
    if (swarms) {
        p_ws = in_beam(id, place, variation, gathered);
        offset = p_ws - eye_ws;
    }
#endif
    float distance_m = length(offset);

    // Most are small and few are large.
    float rare = variation.x * variation.x;
    rare *= rare;
    float radius = snow_radius_m * (int(id) < whole ? 0.25 + 0.45 * variation.x + 1.1 * rare * rare : 0.25 + 0.30 * variation.x);
#if LIGHTS
    radius = swarms ? mix(SWARM_RADII_M.x, SWARM_RADII_M.y, rare) : radius;
#endif
    float drawn = HALO * seen_radius_m(radius, distance_m, MIN_PX / HALO);
    // An eye finds the finest more easily than their share of a pixel says: by eye.
    float coverage = pow(min(HALO * radius / drawn, 1.0), 1.15);
    float edge = (1.0 - smoothstep(0.38, 0.5, distance_m / side_m)) * smoothstep(NEAREST_M.x, NEAREST_M.y, distance_m);
    // Eddies have gathered it in swathes.
    vec3 carried = (p_ws - snow_drift) * SWATHES;
    float swathe = 0.5 + 0.5 * sin(carried.x + 2.0 * sin(carried.y)) * sin(carried.z + 2.0 * sin(0.7 * carried.x));
    // Few of them are bright among many that one hardly sees.
    float bright = variation.y * variation.y;
    bright *= bright;
    flake_alpha = p_ws.y < -0.05 ? coverage * edge * (0.22 + 1.5 * bright) * mix(0.2, 1.5, swathe) : 0.0;
#if LIGHTS
    if (swarms) {
        flake_alpha = coverage * gathered * smoothstep(NEAREST_M.x, NEAREST_M.y, distance_m) * (0.7 + 1.3 * bright);
    }
#endif
    out_of_focus = smoothstep(0.8, 2.0, confusion_m(distance_m) / max(radius, pixel_angle * distance_m));

    vec3 light = irradiance(-p_ws.y);
    vec3 view = offset / max(distance_m, 1e-3);
    float forward = 1.2 + 2.6 * pow(max(dot(view, to_key_light_water), 0.0), 4.0);
    const vec3 REFLECTANCE = vec3(0.46, 0.55, 0.50);
    vec3 sent = light * REFLECTANCE / PI * forward;
#if LIGHTS
    for (int i = 0; i < int(light_count); ++i) {
        vec3 toward;
        float lamp_m;
        vec3 arriving = lamp_at(i, p_ws, LAMP_NEAREST_M, toward, lamp_m);
        sent += arriving * transmittance(lamp_m) * (BACKSCATTER * REFLECTANCE / PI);
    }
#endif
    // Plankton among it flashes as the camera goes by.
    float flash = variation.z < snow_emissive_share ? pow(max(sin(time_s * (0.4 + variation.y) + variation.x * 40.0), 0.0), 12.0) : 0.0;
    sent += spark_radiance(p_ws) * (0.3 * flash * (1.0 - smoothstep(STIRRED_M.x, STIRRED_M.y, distance_m)));
    flake_radiance = unclipped(through_water(sent, p_ws));

    corner = quad_corner(gl_VertexID);
    // Shreds, threads and clumps, not balls; out of focus they are what the lens is: round.
    float turn = TAU * variation.z;
    vec2 axis = vec2(cos(turn), sin(turn));
    float in_focus = 1.0 - out_of_focus;
    crooked = in_focus * 0.9 * (variation.yz - 0.5);
    vec2 squeezed = corner * vec2(1.0, 1.0 - in_focus * SLIMMEST * fract(7.0 * variation.y));
    vec2 place_in_view = drawn * (squeezed.x * axis + squeezed.y * vec2(-axis.y, axis.x));
    // Motion blur: stretched along its way while the picture is exposed, and paler for it. The eye follows it partly.
    vec2 streak = (0.15 + 0.30 * variation.y) * vec2(dot(snow_streak, right_ws), dot(snow_streak, up_ws));
    float half_streak = max(length(streak), 1e-6);
    float most = MAX_STREAK * drawn * (1.0 - 0.75 * out_of_focus);
    streak *= min(most / half_streak, 1.0);
    half_streak = min(half_streak, most);
    place_in_view += streak * (dot(place_in_view, streak) / max(drawn * half_streak, 1e-12));
    flake_alpha *= pow(drawn / (drawn + half_streak), 0.6);
    p_ws += right_ws * place_in_view.x + up_ws * place_in_view.y;
    gl_Position = flake_alpha > 0.004 ? clip_from_world * vec4(p_ws, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
