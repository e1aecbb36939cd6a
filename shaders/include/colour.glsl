// From radiance to the screen, and from textures to reflectance.

#include "constants.glsl"

float luminance(vec3 c) {
    return dot(c, LUMINANCE);
}

// Hable's filmic curve (2010), white at 6; per channel.
vec3 filmic(vec3 x) {
    const float A = 0.22, B = 0.30, C = 0.10, D = 0.20, E = 0.01, F = 0.30, W = 6.0;
    vec3 y = (x * (A * x + C * B) + D * E) / (x * (A * x + B) + D * F) - E / F;
    const float white = (W * (A * W + C * B) + D * E) / (W * (A * W + B) + D * F) - E / F;
    return y / white;
}

// The curve on each channel turns saturated blues cyan; on luminance it keeps the hue. The mix is by eye.
vec3 tone_map(vec3 c) {
    float l = max(luminance(c), 1e-5);
    vec3 by_luminance = c * (filmic(vec3(l)).x / l);
    return mix(filmic(c), by_luminance, 0.4);
}

// Within 0.5 % of white of the sRGB curve, from square roots, which cost a CPU far less than powers; fitted for the least
// largest error.
vec3 srgb_from_linear(vec3 c) {
    c = clamp(c, 0.0, 1.0);
    vec3 s1 = sqrt(c);
    vec3 s2 = sqrt(s1);
    return max(s1 * (1.793255 + 0.373073 * c) - 0.248568 * s2 - 0.922899 * c + 0.004497, 0.0);
}

// Within 0.3 % (Chilliant 2012).
vec3 linear_from_srgb(vec3 c) {
    return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878);
}
