// Sand before the lens: grains from a pixel upward, and splinters of shells and skeletons that lie on it one by one. All
// sizes, shares and tones are by eye.

#include "noise.glsl"

// Side of the finest grains, in pixels: smaller ones are their mean. Nearer than that they are the size they have, m.
const float GRAINS_PX = 2.0;
const float FINEST_GRAIN_M = 0.0012;
// Sizes of grains, each about twice as coarse as the one before and that much fainter.
const int GRAIN_SIZES = 4;
const float COARSER_FAINTER = 0.6;
// Mean of a cubed lattice.
const float PALE_GRAINS = 0.17;

// Lightness of grains over its mean: more dark ones than pale ones. Sand has grains of all sizes, so that a pixel never
// spans all of them: from one size to the next they give way as the pixel grows.
float grains_lightness(vec2 at_m, float pixel_m) {
    float size = log2(max(GRAINS_PX * pixel_m / FINEST_GRAIN_M, 1.0));
    float coarser = fract(size);
    vec2 at = at_m / (FINEST_GRAIN_M * exp2(floor(size)));
    float sum = 0.0;
    float left = 1.0;
    for (int i = 0; i < GRAIN_SIZES; ++i) {
        float value = lattice(at);
        float share = i == 0 ? 1.0 - coarser : (i == GRAIN_SIZES - 1 ? coarser : 1.0);
        sum += share * left * (value * value * value - PALE_GRAINS);
        // Turned, or the lattices' rows would add up.
        at = mat2(0.41, 0.285, -0.285, 0.41) * at + 19.3;
        left *= COARSER_FAINTER;
    }
    return sum;
}

// A splinter lying on the sand.
struct Splinter {
    float covered;      // share of the pixel
    float tone;         // 0..1
    float shade;        // share that lies in its shadow
    vec2 slope;         // of its edge
};

// The splinter of a cell, if there is one. `often`: share of the cells that have one. `ragged`: bends its outline.
Splinter splinter_at(vec2 at_m, float cell_m, float often, float pixel_m, float ragged, uint salt) {
    vec2 at = at_m / cell_m;
    uvec2 cell = uvec2(ivec2(floor(at)));
    uint bits = pcg((cell.x ^ (cell.y * 0x9E3779B9u)) + salt);
    vec3 own = hash3(bits);
    // Few are large.
    float radius = 0.06 + 0.20 * own.z * own.z * own.z;
    vec2 off = at - floor(at) - 0.27 - 0.46 * own.xy;
    float turn = 40.0 * own.z;
    vec2 along = vec2(cos(turn), sin(turn));
    mat2 lengthwise = mat2(along.x, -1.7 * along.y, along.y, 1.7 * along.x);
    // One smaller than a pixel is as large as a pixel and fainter.
    float soft = pixel_m / cell_m;
    float seen = max(radius, 0.6 * soft);
    float share = step(unit_float(bits), often) * (radius / seen) * (radius / seen);
    vec2 edge = seen * (1.0 + 0.5 * ragged) + vec2(-0.5, 0.5) * soft;
    vec2 toward_light = to_key_light_water.xz / to_key_light_water.y;
    Splinter splinter;
    splinter.covered = share * (1.0 - smoothstep(edge.x, edge.y, length(lengthwise * off)));
    splinter.shade = share * (1.0 - splinter.covered)
        * (1.0 - smoothstep(edge.x, edge.y, length(lengthwise * (off + 0.6 * radius * toward_light))));
    splinter.tone = fract(7.31 * own.x + 3.7 * own.y);
    splinter.slope = off / seen * splinter.covered;
    return splinter;
}
