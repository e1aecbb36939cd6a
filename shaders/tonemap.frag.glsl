// Linear radiance to display: bloom, white balance, exposure, filmic curve, dither. Writes sRGB.
// ANTIALIAS: with its brightness in alpha, for antialias.frag.glsl.
#include "frame.glsl"
#include "noise.glsl"
#include "colour.glsl"

uniform sampler2D scene_color;
#if SHAFTS
uniform sampler2D shaft_map;    // radiance added by light shafts, low resolution
#endif
#if BLOOM
uniform sampler2D bloom_map;
#endif

in vec2 uv;
out vec4 color;

void main() {
    vec3 c = texture(scene_color, uv).rgb;
#if SHAFTS
    c += texture(shaft_map, uv).rgb;
#endif
#if BLOOM
    c = mix(c, texture(bloom_map, uv).rgb, bloom);
#endif
    c *= exposure * white_balance;
    c = max(mix(vec3(luminance(c)), c, saturation), 0.0);
    c = srgb_from_linear(tone_map(c));
    // One step of 8 bits, spread over the pixels, hides the banding of the blue.
    c += (interleaved_noise(gl_FragCoord.xy) - 0.5) / 255.0;
#if ANTIALIAS
    color = vec4(c, luminance(c));
#else
    color = vec4(c, 1.0);
#endif
}
