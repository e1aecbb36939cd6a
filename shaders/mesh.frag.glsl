// A lit surface in the water: texture, sun through caustics and shadow, diffuse light, a wet highlight, light that comes
// through thin parts. Writes linear radiance at the eye.
// CUT: texels below alpha_cut are holes. GRAIN: rough stone, grained by the ground's detail map. SHINY: wet skin.
#include "frame.glsl"
#include "lighting.glsl"

in vec3 p_ws;
in vec3 normal_ws;
in vec2 texture_uv;
flat in vec4 tint;

uniform sampler2D albedo_map;
uniform sampler2D detail_map;   // the ground's: b lightness, a rubble pattern
uniform vec4 base_color;
uniform vec3 specular;
uniform float shininess;
uniform float alpha_cut;
uniform float translucency;

out vec4 radiance;

const float INVERSE_PI = 0.31830989;

void main() {
    vec4 texel = texture(albedo_map, texture_uv);
#if CUT
    if (texel.a < alpha_cut) {
        discard;
    }
#endif
    // sRGB to linear, within 0.3 % (Chilliant 2012).
    vec3 albedo = texel.rgb * (texel.rgb * (texel.rgb * 0.305306011 + 0.682171111) + 0.012522878);
    albedo *= base_color.rgb * tint.rgb;
#if GRAIN
    // Finer than the model's texture, so that a rock as big as a house holds up close.
    vec4 grain = texture(detail_map, (p_ws.xz + p_ws.yy * vec2(0.83, 0.61)) * 0.9);
    albedo *= 0.12 + 1.2 * grain.a + 0.56 * grain.b;
#endif
    vec3 n = normalize(gl_FrontFacing ? normal_ws : -normal_ws);
    vec3 ambient = diffuse_light(n);
    vec3 beam = focused_beam();
    float facing = dot(n, to_sun_water);
    float lit_side = facing > 0.0 ? facing * sun_visibility() : 0.0;
    vec3 received = beam * (lit_side + translucency * max(-facing, 0.0)) + ambient * (1.0 + 0.5 * translucency);
#if LIGHTS
    vec3 lamp_glint;
#if SHINY
    received += lamp_light(p_ws, n, translucency, max(shininess, 1.0), lamp_glint);
#else
    received += lamp_light(p_ws, n, translucency, 0.0, lamp_glint);
#endif
#endif
    vec3 lit = albedo * INVERSE_PI * received;
#if SHINY
    vec3 to_eye = normalize(eye_ws - p_ws);
    // Blinn-Phong, normalised so that the lobe's energy does not depend on the exponent.
    float aligned = max(dot(n, normalize(to_eye + to_sun_water)), 0.0);
    float lobe = (shininess + 8.0) * 0.125 * INVERSE_PI * pow(aligned, max(shininess, 1.0));
    float cos_eye = max(dot(n, to_eye), 0.0);
    float rim = (1.0 - cos_eye) * (1.0 - cos_eye);
    // What a shiny side mirrors: the water all round, and the bright window overhead once it rolls far enough.
    float mirrored_up = 2.0 * dot(n, to_eye) * n.y - to_eye.y;
    float mirrored = 0.55 + 2.2 * smoothstep(0.45, 0.85, mirrored_up) + 2.0 * rim * rim;
    lit += specular * (beam * lit_side * lobe + ambient * INVERSE_PI * mirrored);
#if LIGHTS
    lit += specular * lamp_glint;
#endif
#endif
    radiance = vec4(lit + ray_inscatter, 1.0);
}
