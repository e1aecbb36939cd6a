// Ambient obscurance from the depth of what is seen (McGuire, Mara & Luebke 2012, "Scalable Ambient Obscurance"): a spiral
// of TAPS about each pixel, over which what rises before the surface hides the sky. Writes in r the share of the light from
// all round that is left, and in g the distance, m, or 0 where nothing is. LIGHTS: in b the share of all light that what
// is seen keeps from the surface on its way from artificial lights.
#include "frame.glsl"
#include "constants.glsl"
#include "noise.glsl"
#if LIGHTS
#include "lamps.glsl"
#include "water_optics.glsl"
#endif

uniform sampler2D scene_depth;
#if LAMP_SHADOWS
uniform sampler2DShadow shadow_map;
#endif

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

#if LIGHTS
// The way to a lamp is followed so far, m: beyond, what is thin on the screen would be taken for what is thick. Of the one
// with a shadow map only the foot of its shades is looked for, which the map's offset loses.
const float SHADE_M = 1.6;
const float MAPPED_SHADE_M = LAMP_SHADOWS == 1 ? 0.3 : SHADE_M;
const int SHADE_STEPS = 2 * TAPS;
// Assumed thickness of an occluder, m: at its foot, and more for each metre along the way.
const vec2 THICK_M = vec2(0.12, 0.9);
// Offset of the march's beginning from the surface, as a share of the distance.
const float LIFT = 0.006;

// Share of the light of a lamp that what is seen lets through to a place, by a march in screen space.
float passed(vec3 p, vec3 n, vec3 toward, float reach_m, float distance_m, float start) {
    vec3 from = p + LIFT * distance_m * (n + toward);
    // Along the way all is linear before the division.
    vec4 clip = clip_from_world * vec4(from, 1.0);
    vec4 clip_along = clip_from_world * vec4(toward, 0.0);
    vec2 size = vec2(textureSize(scene_depth, 0));
    float hidden = 0.0;
    for (int i = 0; i < SHADE_STEPS; ++i) {
        // Closer steps where shade is sharp.
        float part = (float(i) + start) / float(SHADE_STEPS);
        float along = reach_m * part * part;
        vec3 at = clip.xyw + along * clip_along.xyw;
        if (max(abs(at.x), abs(at.y)) > 0.999 * at.z) {
            break;
        }
        vec2 at_uv = at.xy * (0.5 / at.z) + 0.5;
        float depth = texelFetch(scene_depth, ivec2(at_uv * size), 0).r;
        // Linear view depth is 1 / clip w, as in tonemap.frag.glsl.
        float there_m = 1.0 / (world_from_clip[2].w * (depth * 2.0 - 1.0) + world_from_clip[3].w);
        float behind_m = at.z - there_m;
        float thick_m = THICK_M.x + THICK_M.y * along;
        float met = smoothstep(0.0, 0.012 * distance_m, behind_m) * (1.0 - smoothstep(0.5 * thick_m, thick_m, behind_m));
        // The farther off, the softer: a lamp is no point.
        hidden = max(hidden, met * (1.0 - 0.6 * part * part));
    }
    return 1.0 - hidden;
}

// Share of all light on a surface that what is seen keeps from it on its way from lamps.
float shaded(vec3 p, vec3 n, float distance_m, float start) {
    // Daylight, as it falls on what faces up.
    float all = dot(irradiance(-p.y), vec3(1.0 / 3.0));
    float lost = 0.0;
    for (int i = 0; i < int(light_count); ++i) {
        vec3 toward;
        float lamp_m;
        vec3 arriving = lamp_at(i, p, lamp_nearest_m(i), toward, lamp_m) * transmittance(lamp_m);
        float lit = dot(arriving, vec3(1.0 / 3.0)) * max(dot(n, toward), 0.0);
#if LAMP_SHADOWS
        if (i == 0) {
            float away_m;
            lit *= textureLod(shadow_map, lamp_shadow_place(lifted(p, n, toward), away_m), 0.0);
        }
#endif
        all += lit;
        // Of what shines all round and of what is faint nobody sees the shade.
        if (light_place[i].w > -1.0 && lit > 0.02 * all) {
            float reach_m = min(i == 0 ? MAPPED_SHADE_M : SHADE_M, 0.8 * lamp_m);
            lost += lit * (1.0 - passed(p, n, toward, reach_m, distance_m, start));
        }
    }
    return lost / max(all, 1e-9);
}
#endif

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
#if LIGHTS
    open_sky.b = shaded(p, n, distance_m, interleaved_noise(gl_FragCoord.yx + 7.0));
#endif
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
