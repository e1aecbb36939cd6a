// A puff of sand: a soft ball, torn into wisps where it is thin. Writes premultiplied radiance.
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
    float wisps = 0.65 * lattice(pattern) + 0.35 * lattice(2.7 * pattern + 9.0);
    float thick = smoothstep(0.0, 1.0, inside * inside * (0.35 + 1.5 * wisps) + 0.5 * (wisps - 0.5) * inside);
    float alpha = (1.0 - exp(-optical_depth * thick)) * clamp(over_ground, 0.0, 1.0);
    radiance = vec4(puff_radiance, 1.0) * alpha;
}
