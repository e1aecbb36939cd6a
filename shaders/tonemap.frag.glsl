// Linear radiance to display: bloom, veil, white balance, exposure, local tones, vignette, filmic curve, dither. Writes sRGB.
// ANTIALIAS: with its brightness in alpha, for antialias.frag.glsl. SUPERSAMPLED: a pixel is the mean of several texels.
#include "frame.glsl"
#include "noise.glsl"
#include "colour.glsl"

uniform sampler2D scene_color;
#if SHAFTS
uniform sampler2D shaft_map;    // radiance added by light shafts, low resolution; alpha: linear view depth, m
#include "shafts.glsl"
#if SHAFT_BILATERAL
uniform sampler2D scene_depth;
#endif
#endif
#if BLOOM
uniform sampler2D bloom_map;
#endif
#if LOCAL_TONES
uniform sampler2D surroundings_map;
const float MODEST = 0.15;              // difference of brightness, about that of the display, from which on it is clear enough
#endif

in vec2 uv;
out vec4 color;

#if SHAFTS
// SHAFT_BILATERAL: bilateral upsampling: of the four texels about the pixel those count that see something about as far
// away (Kopf et al. 2007).
vec3 shafts() {
#if SHAFT_BILATERAL
    // Linear view depth is 1 / clip w: the last row of the matrix, whose x and y columns are 0 there.
    float ahead_m = 1.0 / (world_from_clip[2].w * (texture(scene_depth, uv).r * 2.0 - 1.0) + world_from_clip[3].w);
    vec2 at = uv * vec2(textureSize(shaft_map, 0)) - 0.5;
    ivec2 last = textureSize(shaft_map, 0) - 1;
    vec2 part = fract(at);
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 4; ++i) {
        ivec2 corner = ivec2(i & 1, i >> 1);
        vec4 there = texelFetch(shaft_map, clamp(ivec2(floor(at)) + corner, ivec2(0), last), 0);
        vec2 near = mix(1.0 - part, part, vec2(corner));
        float weight = near.x * near.y * bilateral_weight(there.a, ahead_m);
        sum += weight * vec4(there.rgb, 1.0);
    }
    return sum.rgb / max(sum.w, 1e-5);
#else
    return texture(shaft_map, uv).rgb;
#endif
}
#endif

#if SUPERSAMPLED
// Mean over the pixel, in which a texel counts the less the brighter the display shows it (Karis 2013): what is many times
// brighter than white would else fill each pixel that it touches, and its edges were stairs.
vec3 scene_radiance() {
    vec2 quarter = 0.25 * vec2(dFdx(uv.x), dFdy(uv.y));
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 4; ++i) {
        vec3 there = texture(scene_color, uv + quarter * vec2(2 * (i & 1) - 1, 2 * (i >> 1) - 1)).rgb;
        sum += vec4(there, 1.0) / (1.0 + exposure * max(there.r, max(there.g, there.b)));
    }
    return sum.rgb / sum.a;
}
#else
vec3 scene_radiance() {
    return texture(scene_color, uv).rgb;
}
#endif

// Deeper shadows and brighter lights about the middle of the display's range, whose ends stay.
vec3 with_contrast(vec3 c) {
    return mix(c, c * c * (3.0 - 2.0 * c), contrast);
}

// A film's toe: the black point falls to half of itself, what is darker toward black; middle tones hardly change.
vec3 with_toe(vec3 c) {
    float k2 = black_point * black_point;
    vec3 c2 = c * c;
    return c * c2 * (1.0 + k2) / max(c2 + k2, 1e-6);
}

// Radiance past the water before the lens, as exposed and balanced.
vec3 exposed(vec3 c) {
    vec3 past_veil = c / max(c + veil, 1e-9);
    return c * past_veil * past_veil * exposure * white_balance;
}

#if LOCAL_TONES
// Brightness at which a quarter of the lift is left, and the lift of black, over 1. By eye.
const float DARK = 0.05;
const float MAX_LIFT = 1.6;

// Factor on a brightness by that of its surroundings. Modest differences grow: those of shapes and textures; great ones are
// edges, beside which light and dark fringes would show. Dark areas are lifted, each as a whole, so that it keeps its
// contrast: where surroundings are of another area, a pixel goes by itself. The sea's blue, whose luminance is little, is not
// dark: `brightest` is the greatest channel.
float local_gain(float bright, float brightest, float around) {
    float root = sqrt(max(bright, 1e-6));
    float apart = root - sqrt(around);
    float share = apart / MODEST;
    float falloff = 1.0 / (1.0 + share * share);
    falloff *= falloff;
    float area = mix(bright, around, falloff) * brightest / max(bright, 1e-6);
    float dark = DARK / (DARK + area);
    return (1.0 + 2.0 * clarity * falloff * apart / root) * (1.0 + MAX_LIFT * shadows * dark * dark);
}
#endif

void main() {
    vec3 c = scene_radiance();
#if SHAFTS
    c = with_shafts(c, shafts());
#endif
#if BLOOM
    c = mix(c, texture(bloom_map, uv).rgb, bloom);
#endif
    c = exposed(c);
#if LOCAL_TONES
    c *= local_gain(luminance(c), max(c.r, max(c.g, c.b)), luminance(exposed(texture(surroundings_map, uv).rgb)));
#endif
#if VIGNETTE
    vec2 off_axis = uv - 0.5;
    c *= 1.0 - 2.0 * vignette * dot(off_axis, off_axis);
#endif
    // A nearly pure colour has no headroom to become purer: its lowest channel would fall below 0.
    float bright = luminance(c);
    float lowest = min(c.r, min(c.g, c.b));
    float headroom = clamp(3.0 * lowest / max(bright - lowest, 1e-4), 0.0, 1.0);
    c = max(mix(vec3(bright), c, 1.0 + (saturation - 1.0) * (saturation > 1.0 ? headroom : 1.0)), 0.0);
    c = with_toe(with_contrast(srgb_from_linear(tone_map(c))));
    // One step of 8 bits, spread over the pixels, hides the banding of the blue.
    c += (interleaved_noise(gl_FragCoord.xy) - 0.5) / 255.0;
#if ANTIALIAS
    color = vec4(c, luminance(c));
#else
    color = vec4(c, 1.0);
#endif
}
