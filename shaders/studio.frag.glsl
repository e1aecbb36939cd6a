// A surface in the studio: three lamps (key, fill, rim), soft light from above and from the floor, two soft boxes that what
// is wet and what is silver mirrors. Writes display colour, its brightness in alpha for antialias.frag.glsl.
#include "colour.glsl"
#include "frame.glsl"
#include "material_maps.glsl"

in vec3 p_ws;
in vec3 normal_ws;
in vec2 texture_uv;
in vec3 corner;
in vec3 weight_colour;
in vec3 own_colour;

uniform sampler2D albedo_map;
uniform vec4 base_color;
uniform vec3 specular;
uniform vec3 emissive;
uniform float shininess;
uniform float alpha_cutoff;
uniform float translucency;
uniform float mirror;           // share of light that pale parts mirror
uniform int paint;              // 0 its textures, 1 clay, 2 weights
uniform float edges;            // how much is seen of the triangles' sides

out vec4 display;

// Share of the room that a mirror of metal shows: as bright as the rest of the picture. By eye.
const float METAL_MIRRORED = 1.3;

// Radiance that a mirror reflects from the direction d.
vec3 room(vec3 d) {
    vec3 light = mix(vec3(0.10, 0.11, 0.13), vec3(0.55, 0.60, 0.66), smoothstep(-0.5, 0.9, d.y));
    light += light_intensity[0].rgb * smoothstep(0.70, 0.92, dot(d, light_direction[0].xyz));
    light += 0.8 * light_intensity[2].rgb * smoothstep(0.75, 0.95, dot(d, light_direction[2].xyz));
    return light;
}

void main() {
    vec4 texel = texture(albedo_map, texture_uv);
    if (texel.a < alpha_cutoff) {
        discard;
    }
    vec3 albedo = linear_from_srgb(texel.rgb) * base_color.rgb * own_colour;
    float alpha = base_color.a;
    if (paint == 1) {
        albedo = vec3(0.50, 0.47, 0.43);
    } else if (paint == 2) {
        albedo = 0.5 * linear_from_srgb(weight_colour);
    }
    if (paint != 0) {
        alpha = 1.0;
    }
    vec3 n = normalize(gl_FrontFacing ? normal_ws : -normal_ws);
    vec3 reflectance = specular;
    float own_exponent = shininess;
    vec3 glow = emissive;
#if REFLECTANCE_MAP
    vec4 own = reflectance_at(texture_uv);
    reflectance = own.rgb;
    own_exponent = own.a;
#endif
    reflectance = tinted_reflectance(reflectance, own_colour);
#if EMISSION_MAP
    glow *= linear_from_srgb(texture(emission_map, texture_uv).rgb);
#endif
#if NORMAL_MAP
    n = paint == 0 ? bent_normal(n, p_ws, texture_uv) : n;
#endif
    vec3 to_eye = normalize(eye_ws - p_ws);
    float facing = clamp(dot(n, to_eye), 0.0, 1.0);
    float gloss = paint == 0 ? clamp(own_exponent / 64.0, 0.0, 1.0) : 0.15;
    float exponent = max(own_exponent, 4.0);

    vec3 received = mix(vec3(0.13, 0.125, 0.12), vec3(0.26, 0.29, 0.33), 0.5 + 0.5 * n.y);
    vec3 highlight = vec3(0.0);
    for (int i = 0; i < 3; ++i) {
        vec3 to_lamp = light_direction[i].xyz;
        float toward = dot(n, to_lamp);
        vec3 lamp = light_intensity[i].rgb;
        received += lamp * (max(toward, 0.0) + translucency * (0.7 * max(-toward, 0.0) + 0.05));
        // Blinn and Phong, as bright however wide (Akenine-Moller & al. 2018, 9.8.1).
        float half_way = max(dot(n, normalize(to_lamp + to_eye)), 0.0);
        highlight += lamp * max(toward, 0.0) * pow(half_way, exponent) * (exponent + 8.0) / 72.0;
    }
    vec3 lit = albedo * received;
    vec3 mirrored = room(reflect(-to_eye, n));
    float pale = smoothstep(0.15, 0.6, luminance(albedo));
    if (paint == 0) {
        lit = mix(lit, mirrored * (0.35 + 0.65 * albedo), mirror * pale);
        lit += reflectance * highlight + glow;
        // A rough surface mirrors all that it faces at once.
        vec3 around = mix(INVERSE_PI * received, mirrored, gloss);
        lit += METAL_MIRRORED * max(reflectance - vec3(0.04), 0.0) * around;
    }
    float fresnel = 0.04 + 0.96 * pow(1.0 - facing, 5.0);
    lit += 0.7 * gloss * fresnel * mirrored;

    vec3 seen = srgb_from_linear(tone_map(1.7 * lit));
    vec3 sides = corner / max(fwidth(corner), vec3(1e-6));
    float side = edges * (1.0 - smoothstep(0.5, 1.4, min(sides.x, min(sides.y, sides.z))));
    seen = mix(seen, luminance(seen) > 0.45 ? vec3(0.05, 0.08, 0.12) : vec3(0.75, 0.90, 1.0), 0.75 * side);
    alpha = max(alpha, side);
    display = vec4(seen * alpha, alpha < 1.0 ? alpha : luminance(seen));
}
