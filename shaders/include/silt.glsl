// Sediment on the foot of rocks, bones and timbers, and the shade there: what has stood in the ground for years is one
// with it. After stone.glsl, whose relief frays its edge. Heights and shares are by eye.

#include "frame.glsl"

#if STONE
// Height of it on a smooth and upright foot, and what is added by the region, the grain and the coarser relief that
// catch it, and where a face looks up, m.
const float SILT_M = 0.015;
const vec4 CAUGHT_M = vec4(0.06, 0.08, 0.08, 0.05);
#else
// Its mean height, m.
const float SILT_M = 0.045;
#endif
// Share of its height up to which it hides all.
const float SILT_WHOLE = 0.4;
// Heights between which lamps light a foot more and more, m, and the least share of their light that it gets.
const vec2 FOOT_M = vec2(0.0, 0.07);
const float FOOT_LIT = 0.5;

// Lays it on, `over_m` over the ground.
#if STONE
void silt(float over_m, Stone stone, vec3 smooth_n, inout vec3 albedo, inout vec3 n) {
    vec4 caught = vec4(stone.region, stone.fine.y - 0.3, stone.coarse.x - 0.5, n.y);
    float height_m = max(SILT_M + dot(CAUGHT_M, caught), 0.01);
    float silted = 1.0 - smoothstep(SILT_WHOLE * height_m, height_m, over_m);
    albedo = mix(albedo, (0.7 + 0.6 * stone.fine.x) * seabed_colour, silted);
    n = normalize(mix(n, smooth_n, 0.6 * silted));
}
#else
void silt(float over_m, inout vec3 albedo) {
    albedo = mix(albedo, seabed_colour, 1.0 - smoothstep(SILT_WHOLE * SILT_M, SILT_M, over_m));
}
#endif

// Share of the light of lamps that a foot gets.
float foot_lit(float over_m) {
    return mix(FOOT_LIT, 1.0, smoothstep(FOOT_M.x, FOOT_M.y, over_m));
}
