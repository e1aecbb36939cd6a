// One of the frame's maps, the one whose VIEW is 1: FINAL: radiance. DEPTH: distance along the ray (m). NORMAL: from the
// depth. CAUSTICS: slices side by side. SHADOW: the map. TRANSMITTANCE, INSCATTER: of the water before what is seen. SLOPE:
// of the short wave patch. LINEAR: values as they are; else fitted to the screen.
#include "frame.glsl"
#include "colour.glsl"
#include "shafts.glsl"
#include "water_optics.glsl"

#if VIEW_SHADOW
uniform sampler2DShadow map;
#else
uniform sampler2D map;
#endif
#if VIEW_SLOPE
uniform float frame_aspect;
#endif
#if VIEW_FINAL
uniform sampler2D shaft_map;
uniform float shafts_on;
#endif

in vec2 uv;
out vec4 color;

#if VIEW_DEPTH || VIEW_NORMAL || VIEW_TRANSMITTANCE || VIEW_INSCATTER
// Place of what is seen. From below the sea is level beyond the surface's edge.
vec3 position_at(vec2 at) {
    float depth = textureLod(map, at, 0.0).r;
    vec4 p = world_from_clip * vec4(vec3(at, depth) * 2.0 - 1.0, 1.0);
    vec3 ray = p.xyz / p.w - eye_ws;
    if (depth == 1.0 && eye_ws.y < 0.0) {
        ray = normalize(ray) * min(length(ray), to_level_sea(normalize(ray)));
    }
    return eye_ws + ray;
}
#endif

void main() {
    vec3 value;
#if VIEW_FINAL
    value = with_shafts(texture(map, uv).rgb, shafts_on * texture(shaft_map, uv).rgb);
#elif VIEW_DEPTH
    value = vec3(distance(position_at(uv), eye_ws));
#elif VIEW_NORMAL
    vec3 p = position_at(uv);
    value = normalize(cross(dFdx(p), dFdy(p)));
#elif VIEW_TRANSMITTANCE
    value = transmittance(distance(position_at(uv), eye_ws));
#elif VIEW_INSCATTER
    vec3 ray = position_at(uv) - eye_ws;
    value = inscatter(eye_downwelling, normalize(ray), length(ray));
#elif VIEW_SLOPE
    value = vec3(textureLod(map, vec2(uv.x * frame_aspect, uv.y), 0.0).rg, 0.0);
#elif VIEW_CAUSTICS
    float across = uv.x * float(CAUSTIC_SLICES);
    int slice = min(int(across), CAUSTIC_SLICES - 1);
    value = vec3(textureLod(map, vec2(fract(across), uv.y), 0.0)[slice]);
#else
    // The map can only be compared with: the first of 32 planes that is behind what is there.
    float nearest = 1.0;
    for (int i = 31; i >= 0; --i) {
        float plane = float(i) / 32.0;
        nearest = texture(map, vec3(uv, plane)) < 0.5 ? plane : nearest;
    }
    value = vec3(nearest);
#endif
#if LINEAR
    color = vec4(value, 1.0);
#elif VIEW_DEPTH
    color = vec4(vec3(exp(-value.x * 0.06)), 1.0);
#elif VIEW_NORMAL
    color = vec4(value * 0.5 + 0.5, 1.0);
#elif VIEW_CAUSTICS
    color = vec4(value * 0.33, 1.0);
#elif VIEW_INSCATTER
    color = vec4(srgb_from_linear(value * exposure), 1.0);
#elif VIEW_SLOPE
    color = vec4(value * 1.5 + 0.5, 1.0);
#else
    color = vec4(value, 1.0);
#endif
}
