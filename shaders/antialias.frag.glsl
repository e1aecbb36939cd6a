// Edges smoothed in the finished picture: where brightness jumps, the mean of samples along the edge. Everything is
// sharpened.
// Bright dots before what is darker all round stay as they are: samples along their rims would make squares of them.
// After Lottes 2009, "FXAA" (the short form): the edge's direction from the brightness of four diagonal neighbours.
// Reads the display picture with its brightness in alpha. SUPERSAMPLED: its edges are half as steep already.
#include "frame.glsl"

uniform sampler2D picture;

in vec2 uv;
out vec4 color;

const float MIN_CONTRAST = 0.03;      // of display brightness: what cannot be seen is left alone
// Least contrast over the brightness there: grains are no edges, and where pixels are means of several, steps are small.
const float MIN_RELATIVE = SUPERSAMPLED != 0 ? 0.22 : 0.10;
const float REACH = 6.0;                // pixels along an edge at most
const float DOT = 5.0;                  // pixels from any place of a dot to beyond it
const float DOT_EVEN = 0.4;             // how much brighter it is there at most, over the contrast at the dot's rim
const float SHARPEST = 1.5;             // factor on what sets a pixel apart from its surroundings, at most
const float OVERSHOOT = 4.0 / 255.0;    // beyond the brightness of the surroundings: more would be seen as a halo

// A colour of that brightness, set apart from the four around it.
vec3 sharpened(vec3 c, float bright, vec4 around) {
    float least = min(min(around.x, around.y), min(around.z, around.w));
    float most = max(max(around.x, around.y), max(around.z, around.w));
    float apart = SHARPEST * sharpness * (bright - 0.25 * (around.x + around.y + around.z + around.w));
    // A colour that lies beyond them already stays as it is.
    return c + clamp(apart, min(least - OVERSHOOT - bright, 0.0), max(most + OVERSHOOT - bright, 0.0));
}

void main() {
    vec2 texel = 1.0 / vec2(textureSize(picture, 0));
    vec4 here = texelFetch(picture, ivec2(uv * vec2(textureSize(picture, 0))), 0);
    float nw = texture(picture, uv + vec2(-0.5, 0.5) * texel).a;
    float ne = texture(picture, uv + vec2(0.5, 0.5) * texel).a;
    float sw = texture(picture, uv + vec2(-0.5, -0.5) * texel).a;
    float se = texture(picture, uv + vec2(0.5, -0.5) * texel).a;
    float least = min(here.a, min(min(nw, ne), min(sw, se)));
    float most = max(here.a, max(max(nw, ne), max(sw, se)));
    if (most - least < max(MIN_CONTRAST, MIN_RELATIVE * most)) {
        color = vec4(sharpened(here.rgb, here.a, vec4(nw, ne, sw, se)), 1.0);
        return;
    }
    float beyond = 0.0;
    for (int i = 0; i < 9; ++i) {
        vec2 way = vec2(i % 3 - 1, i / 3 - 1);
        beyond = i == 4 ? beyond : max(beyond, texture(picture, uv + DOT * way * texel).a);
    }
    if (beyond - least < DOT_EVEN * (most - least)) {
        color = vec4(here.rgb, 1.0);
        return;
    }
    vec2 along = vec2((sw + se) - (nw + ne), (nw + sw) - (ne + se));
    float weakest = min(abs(along.x), abs(along.y)) + 0.03 * (nw + ne + sw + se);
    along = clamp(along / weakest, -REACH, REACH) * texel;
    vec4 near = 0.5 * (texture(picture, uv - along / 6.0) + texture(picture, uv + along / 6.0));
    vec4 wide = 0.5 * near + 0.25 * (texture(picture, uv - along * 0.5) + texture(picture, uv + along * 0.5));
    // Samples that reach across another edge would smear it.
    vec4 smoothed = wide.a < least || wide.a > most ? near : wide;
    color = vec4(sharpened(smoothed.rgb, smoothed.a, vec4(nw, ne, sw, se)), 1.0);
}
