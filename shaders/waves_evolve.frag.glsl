// The spectra of the sea at this instant, as inputs of the inverse transform. Patches are tiles side by side.
// Reads half amplitudes (m) at time 0 and whole turns a period, one texel a wave vector, the middle of a tile at k = 0.
// Writes two complex numbers: height + i slope along x, slope along z + i potential, each of which transforms to two
// real fields. The gradient of the potential is the horizontal displacement. Tessendorf 2001, equation 43.
#include "constants.glsl"

uniform sampler2D spectrum;
uniform int side;               // texels of a map; a spectrum has half as many
uniform vec2 wavenumber_steps;  // 2 pi / side of the patch, of the first and the second tile, rad/m
uniform int origin;             // column of the target at which the first tile begins
uniform float phase;            // time over the period of the whole sea, 0..1

out vec4 fields;

vec2 times(vec2 a, vec2 b) {
    return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy) - ivec2(origin, 0);
    int middle = side >> 2;
    int tile = at.x >= 2 * middle ? 1 : 0;
    ivec2 point = ivec2(at.x - tile * 2 * middle, at.y) - middle;
    // The row and the column without a mirror image are empty.
    ivec2 mirrored = ivec2(tile * 2 * middle, 0) + (middle - point) % (2 * middle);
    vec3 wave = texelFetch(spectrum, at, 0).xyz;
    vec3 opposite = texelFetch(spectrum, mirrored, 0).xyz;
    float angle = TAU * fract(wave.z * phase);
    vec2 turn = vec2(cos(angle), -sin(angle));
    vec2 height = times(wave.xy, turn) + vec2(1.0, -1.0) * times(opposite.xy, turn);

    float wavenumber_step = tile == 0 ? wavenumber_steps.x : wavenumber_steps.y;
    vec2 k = vec2(point) * wavenumber_step;
    // The potential is read by central differences: divided by what they make of this wavelength.
    float texel_m = TAU / (wavenumber_step * float(side));
    float gradient = sin(length(k) * texel_m) / texel_m;
    float potential = gradient > 0.0 ? 1.0 / gradient : 0.0;
    vec2 second = (k.y + potential) * height;
    fields = vec4((1.0 - k.x) * height, -second.y, second.x);
}
