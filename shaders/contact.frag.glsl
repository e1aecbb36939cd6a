// Ambient obscurance from the depth of what is seen (McGuire, Mara & Luebke 2012, "Scalable Ambient Obscurance"): a spiral
// of TAPS about each pixel, over which what rises before the surface hides the sky. Writes in r the share of the light from
// all round that is left, and in g the distance, m, or 0 where nothing is.
#include "frame.glsl"
#include "constants.glsl"
#include "noise.glsl"

uniform sampler2D scene_depth;

in vec2 uv;
out vec4 open_sky;

const float REACH_M = 0.45;             // whatever is farther off hides nothing
const vec2 REACH_PX = vec2(3.0, 96.0);  // what is finer is not looked for; what is wider is cut short
const float STRENGTH = 1.5;             // by eye
const float BIAS = 0.012;               // of the distance: slopes of a flat ground are not steps

vec3 place(ivec2 pixel) {
    ivec2 last = textureSize(scene_depth, 0) - 1;
    pixel = clamp(pixel, ivec2(0), last);
    vec2 at = (vec2(pixel) + 0.5) / vec2(last + 1);
    vec4 p = world_from_clip * vec4(vec3(at, texelFetch(scene_depth, pixel, 0).r) * 2.0 - 1.0, 1.0);
    return p.xyz / p.w;
}

// The shorter of the steps to the neighbours on either side: across an edge the other one is none of the surface.
vec3 along(vec3 p, ivec2 pixel, ivec2 side) {
    vec3 ahead = place(pixel + side) - p, behind = p - place(pixel - side);
    return dot(ahead, ahead) < dot(behind, behind) ? ahead : behind;
}

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    open_sky = vec4(1.0, 0.0, 0.0, 1.0);
    if (texelFetch(scene_depth, pixel, 0).r >= 1.0) {
        return;
    }
    vec3 p = place(pixel);
    float distance_m = distance(p, eye_ws);
    open_sky.g = distance_m;
    float reach_px = min(REACH_M / (pixel_angle * distance_m), REACH_PX.y);
    if (reach_px < REACH_PX.x) {
        return;
    }
    vec3 n = normalize(cross(along(p, pixel, ivec2(1, 0)), along(p, pixel, ivec2(0, 1))));
    float reach_m = min(REACH_M, reach_px * pixel_angle * distance_m);
    float turn = 2.0 * PI * interleaved_noise(gl_FragCoord.xy);
    float hidden = 0.0;
    for (int i = 0; i < TAPS; ++i) {
        float part = (float(i) + 0.5) / float(TAPS);
        float angle = 2.399963 * float(i) + turn;
        vec3 over = place(pixel + ivec2(round(reach_px * part * vec2(cos(angle), sin(angle))))) - p;
        float near = max(1.0 - dot(over, over) / (reach_m * reach_m), 0.0);
        float rise = dot(over, n) - BIAS * distance_m;
        hidden += near * near * max(rise, 0.0) * inversesqrt(dot(over, over) + 1e-6);
    }
    hidden = min(STRENGTH * hidden / float(TAPS) * 2.0, 1.0);
    // It goes as the things get finer than the search.
    open_sky.r = 1.0 - hidden * smoothstep(REACH_PX.x, 3.0 * REACH_PX.x, reach_px);
}
