// Radiance of skin that is lit at vertices, by its texture. SILVER: it mirrors.

#include "colour.glsl"
#if SILVER
#include "silvered.glsl"
#endif

// `texel` is sRGB; `white` the radiance of white skin, `mirrored` what a mirror on edge would show.
vec3 skin_radiance(vec3 texel, vec3 white, vec3 mirrored) {
    vec3 albedo = linear_from_srgb(texel);
#if SILVER
    return with_silver(albedo * white, albedo, mirrored);
#else
    return albedo * white;
#endif
}
