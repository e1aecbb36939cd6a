// The night sky's stars, in air.

#include "frame.glsl"
#include "noise.glsl"

// Faintest star over the radiance of the sky behind it, as a pixel or 1.5 mrad shows it, whichever is wider.
const float FAINTEST_STAR = 0.25;

// Stars, one to a cell of a cube's sides at most: about as many as the eye sees.
vec3 stars(vec3 direction) {
    const float CELLS = 34.0;
    vec3 size = abs(direction);
    bool x_side = size.x > max(size.y, size.z);
    bool y_side = !x_side && size.y > size.z;
    vec3 turned = x_side ? direction.yzx : (y_side ? direction.zxy : direction.xyz);
    vec2 at = turned.xy / abs(turned.z) * (0.5 * CELLS) + 0.5 * CELLS;
    vec2 cell = floor(at);
    float side = (x_side ? 0.0 : (y_side ? 2.0 : 4.0)) + (turned.z > 0.0 ? 1.0 : 0.0);
    uint seed = uint(cell.x + CELLS * (cell.y + CELLS * side));
    vec3 variation = hash3(seed);
    vec2 off = at - cell - (0.1 + 0.8 * variation.xy);
    // A cell is 2 / CELLS of the side wide; toward the side's corners it spans a smaller angle.
    float wide = max(1.5e-3, pixel_angle);
    float r2 = dot(off, off) * (4.0 / (CELLS * CELLS)) * turned.z * turned.z / (wide * wide);
    // Three times as many stars for each magnitude fainter: brightness falls with a star's rank to the power 0.84.
    float brightness = FAINTEST_STAR * min(pow(max(variation.z, 1e-4), -0.84), 300.0) * (1.5e-3 * 1.5e-3) / (wide * wide);
    float warm = unit_float(pcg(seed ^ 0x5bd1e995u));
    vec3 colour = mix(vec3(1.15, 0.95, 0.75), vec3(0.85, 0.97, 1.2), warm);
    // Near the horizon the air takes them.
    return star_light * colour * (brightness * exp(-r2) * smoothstep(0.0, 0.25, direction.y));
}
