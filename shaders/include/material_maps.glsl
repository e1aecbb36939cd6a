// Maps of a material besides its colour. REFLECTANCE_MAP: of reflectance and smoothness. EMISSION_MAP: a factor of what it
// emits. NORMAL_MAP: of normals in tangent space.
#include "colour.glsl"
#include "metal.glsl"
#if REFLECTANCE_MAP
uniform sampler2D reflectance_map;
#endif
#if EMISSION_MAP
uniform sampler2D emission_map;
#endif
#if NORMAL_MAP
#include "tangents.glsl"
uniform sampler2D normal_map;
#endif

#if REFLECTANCE_MAP
// Specular reflectance, and in a the exponent of its highlight: model::material::exponent.
vec4 reflectance_at(vec2 uv) {
    vec4 texel = texture(reflectance_map, uv);
    float roughness = 1.0 - texel.a;
    float alpha = roughness * roughness;
    return vec4(linear_from_srgb(texel.rgb), clamp(2.0 / max(alpha * alpha, 1e-6) - 2.0, 0.0, MAX_EXPONENT));
}
#endif

#if NORMAL_MAP
// The unit normal n as the map bends it. Its y axis points against v, as glTF has it.
vec3 bent_normal(vec3 n, vec3 p_ws, vec2 uv) {
    vec3 bend = texture(normal_map, uv).xyz * (255.0 / 127.5) - 1.0;
    vec3 tangent, bitangent;
    uv_tangents(n, p_ws, uv, tangent, bitangent);
    float longest = max(dot(tangent, tangent), dot(bitangent, bitangent));
    vec3 across = (bend.x * tangent - bend.y * bitangent) * inversesqrt(max(longest, 1e-20));
    return normalize(across + max(bend.z, 0.05) * n);
}
#endif
