// Two eyes' pictures as one for red and cyan glasses: each colour is the one whose view through the glasses comes nearest
// to that of the pair, in linear light (Dubois, "A projection method to generate anaglyph stereo images", ICASSP 2001).
// Grey stays grey. Reads and writes sRGB, or with LINEAR radiance.
#include "colour.glsl"

uniform sampler2D left_eye;
uniform sampler2D right_eye;

in vec2 uv;
out vec4 color;

// Columns: what red, green and blue of an eye's picture give.
const mat3 LEFT = mat3(
    0.4561, -0.0400822, -0.0152161,
    0.500484, -0.0378246, -0.0205971,
    0.176381, -0.0157589, -0.00546856);
const mat3 RIGHT = mat3(
    -0.0434706, 0.378476, -0.0721527,
    -0.0879388, 0.73364, -0.112961,
    -0.00155529, -0.0184503, 1.2264);

vec3 light(sampler2D eye) {
    vec3 c = texelFetch(eye, ivec2(gl_FragCoord.xy), 0).rgb;
#if LINEAR
    return c;
#else
    return linear_from_srgb(c);
#endif
}

void main() {
    vec3 both = LEFT * light(left_eye) + RIGHT * light(right_eye);
#if LINEAR
    color = vec4(max(both, 0.0), 1.0);
#else
    color = vec4(srgb_from_linear(both), 1.0);
#endif
}
