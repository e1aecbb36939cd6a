// A puff of sand: a ball without an edge, torn into wisps where it is thin. Writes premultiplied radiance.
// Tiers with time for what is at arm's length, as in seabed.frag.glsl, show the eddies that fold it.
#include "noise.glsl"

in vec2 corner;
in vec2 pattern;
in float over_ground;
in float optical_depth;
in vec3 puff_radiance;
out vec4 radiance;

void main() {
    float inside = 1.0 - dot(corner, corner);
    if (inside <= 0.0) {
        discard;
    }
#if FINE_RELIEF && SHADOW_TAPS > 0
    vec2 eddy = pattern + 0.55 * lattice_slope(0.8 * pattern + 23.0);
    float wisps = 0.46 * lattice(eddy) + 0.30 * lattice(2.7 * eddy + 9.0) + 0.24 * lattice(7.1 * eddy + 31.0);
    float folds = 1.0 - abs(2.0 * lattice(1.6 * eddy + 47.0) - 1.0);
    wisps = mix(wisps, folds * folds, 0.35);
    float thick = smoothstep(0.05, 1.1, inside * inside * (0.15 + 1.9 * wisps) + 0.9 * (wisps - 0.55) * inside);
    vec3 lit = puff_radiance * (0.82 + 0.36 * wisps);
#else
    float wisps = 0.65 * lattice(pattern) + 0.35 * lattice(2.7 * pattern + 9.0);
    float thick = smoothstep(0.0, 1.0, inside * inside * (0.35 + 1.5 * wisps) + 0.5 * (wisps - 0.5) * inside);
    vec3 lit = puff_radiance;
#endif
    float alpha = (1.0 - exp(-optical_depth * thick)) * clamp(over_ground, 0.0, 1.0);
    radiance = vec4(lit, 1.0) * alpha;
}
