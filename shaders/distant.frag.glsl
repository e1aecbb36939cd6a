// Animals far away, lit by distant.vert.glsl. SPECKS: coloured there too. ALPHA_TEST: texels below alpha_cutoff are
// holes, and an animal that fades is left out of some pixels.
// SILVER: flanks that mirror.
#if ALPHA_TEST
#include "fade.glsl"

flat in float shown;
#endif
#if SPECKS
in vec3 vertex_radiance;
#else
#include "vertex_lit_skin.glsl"

in vec2 texture_uv;
in vec3 reflected;
in vec3 added_radiance;
in vec3 mirrored_radiance;

uniform sampler2D albedo_map;
uniform float alpha_cutoff;
#endif

out vec4 radiance;

void main() {
#if SPECKS
#if ALPHA_TEST
    if (is_left_out(shown)) {
        discard;
    }
#endif
    radiance = vec4(vertex_radiance, 1.0);
#else
    vec4 texel = texture(albedo_map, texture_uv);
#if ALPHA_TEST
    if (texel.a < alpha_cutoff || is_left_out(shown)) {
        discard;
    }
#endif
    radiance = vec4(skin_radiance(texel.rgb, reflected, mirrored_radiance) + added_radiance, 1.0);
#endif
}
