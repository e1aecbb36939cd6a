// One of the frame's maps. VIEW: 0 radiance, 1 distance along the ray (m), 2 normals, 3 caustic slices side by side,
// 4 the shadow map, 5 transmittance, 6 in-scattered radiance, 7 slopes of the short wave patch. LINEAR: values as they are; else fitted to the screen.
#include "frame.glsl"
#include "colour.glsl"
#include "water_optics.glsl"

#if VIEW == 4
uniform sampler2DShadow map;
#else
uniform sampler2D map;
#endif
#if VIEW == 7
uniform float frame_aspect;
#endif
#if VIEW == 0
uniform sampler2D shaft_map;
uniform float shafts_on;
#endif

in vec2 uv;
out vec4 color;

#if VIEW == 1 || VIEW == 2 || VIEW == 5 || VIEW == 6
vec3 position_at(vec2 at) {
    vec4 p = world_from_clip * vec4(vec3(at, textureLod(map, at, 0.0).r) * 2.0 - 1.0, 1.0);
    return p.xyz / p.w;
}
#endif

void main() {
    vec3 value;
#if VIEW == 0
    value = texture(map, uv).rgb + shafts_on * texture(shaft_map, uv).rgb;
#elif VIEW == 1
    value = vec3(distance(position_at(uv), eye_ws));
#elif VIEW == 2
    vec3 p = position_at(uv);
    value = normalize(cross(dFdx(p), dFdy(p)));
#elif VIEW == 5
    value = transmittance(distance(position_at(uv), eye_ws));
#elif VIEW == 6
    vec3 ray = position_at(uv) - eye_ws;
    value = inscatter(eye_downwelling, normalize(ray), length(ray));
#elif VIEW == 7
    value = vec3(textureLod(map, vec2(uv.x * frame_aspect, uv.y), 0.0).rg, 0.0);
#elif VIEW == 3
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
#elif VIEW == 1
    color = vec4(vec3(exp(-value.x * 0.06)), 1.0);
#elif VIEW == 2
    color = vec4(value * 0.5 + 0.5, 1.0);
#elif VIEW == 3
    color = vec4(value * 0.33, 1.0);
#elif VIEW == 6
    color = vec4(srgb_from_linear(value * exposure), 1.0);
#elif VIEW == 7
    color = vec4(value * 1.5 + 0.5, 1.0);
#else
    color = vec4(value, 1.0);
#endif
}
