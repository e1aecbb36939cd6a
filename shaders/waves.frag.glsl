// The wave field of one patch at this instant. Reads height, slopes and potential. Writes displacement (m) with the
// Jacobian of the horizontal displacement in w (below 0 the surface folds over), and slopes with their square, which mip
// maps turn into its mean (Olano & Baker 2010, "LEAN Mapping"). Horizontal displacement: the gradient of the potential,
// -(k/|k|) a sin for each wave (Gerstner 1802).

uniform sampler2D fields;
uniform int side;
uniform int origin;             // column at which the patch's tile begins
uniform float texel_m;
uniform float wave_choppiness;

layout(location = 0) out vec4 displacement;
layout(location = 1) out vec4 slope;

float potential(ivec2 at) {
    return texelFetch(fields, (at & (side - 1)) + ivec2(origin, 0), 0).w;
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 here = texelFetch(fields, at + ivec2(origin, 0), 0);
    float west = potential(at - ivec2(1, 0)), east = potential(at + ivec2(1, 0));
    float north = potential(at - ivec2(0, 1)), south = potential(at + ivec2(0, 1));
    float factor = wave_choppiness / texel_m;
    vec2 moved = 0.5 * factor * vec2(east - west, south - north);
    vec2 derivative = factor / texel_m * (vec2(east + west, south + north) - 2.0 * here.w);
    float cross_derivative = potential(at + 1) + potential(at - 1) - potential(at + ivec2(1, -1)) - potential(at - ivec2(1, -1));
    cross_derivative *= 0.25 * factor / texel_m;
    float jacobian = (1.0 + derivative.x) * (1.0 + derivative.y) - cross_derivative * cross_derivative;
    displacement = vec4(moved.x, here.x, moved.y, jacobian);
    slope = vec4(here.yz, dot(here.yz, here.yz), 0.0);
}
