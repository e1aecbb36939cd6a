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
    // A colour that is all but pure already has no room to become purer: its lowest channel would fall below 0.
    float bright = luminance(c);
    float lowest = min(c.r, min(c.g, c.b));
    float room = clamp(3.0 * lowest / max(bright - lowest, 1e-4), 0.0, 1.0);
    c = max(mix(vec3(bright), c, 1.0 + (saturation - 1.0) * (saturation > 1.0 ? room : 1.0)), 0.0);
    c = srgb_from_linear(tone_map(c));
    // One step of 8 bits, spread over the pixels, hides the banding of the blue.
    c += (interleaved_noise(gl_FragCoord.xy) - 0.5) / 255.0;
#if ANTIALIAS
    color = vec4(c, luminance(c));
#else
    color = vec4(c, 1.0);
#endif
}
