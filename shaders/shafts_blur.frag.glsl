// Mean of the 16 starts of the shafts' march, over 4 x 4 texels. SHAFT_BILATERAL: only over those about as far away, so
// that what is near keeps its outline. Radiance; alpha holds linear view depth, m.
#if SHAFT_BILATERAL
#include "shafts.glsl"
#endif

uniform sampler2D marched;

in vec2 uv;
out vec4 radiance;

void main() {
#if SHAFT_BILATERAL
    ivec2 last = textureSize(marched, 0) - 1;
    ivec2 here = ivec2(gl_FragCoord.xy);
    float ahead_m = texelFetch(marched, here, 0).a;
    vec4 sum = vec4(0.0);
    for (int y = -1; y < 3; ++y) {
        for (int x = -1; x < 3; ++x) {
            vec4 there = texelFetch(marched, clamp(here + ivec2(x, y), ivec2(0), last), 0);
            float weight = bilateral_weight(there.a, ahead_m);
            sum += weight * vec4(there.rgb, 1.0);
        }
    }
    radiance = vec4(sum.rgb / sum.w, ahead_m);
#else
    // Four bilinear taps between the texels.
    vec2 texel = 1.0 / vec2(textureSize(marched, 0));
    vec2 at = uv + 0.5 * texel;
    radiance = 0.25 * (texture(marched, at - texel) + texture(marched, at + texel)
        + texture(marched, at + vec2(texel.x, -texel.y)) + texture(marched, at + vec2(-texel.x, texel.y)));
#endif
}
