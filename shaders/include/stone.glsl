// Surface of reef rock: detail mapping with grain, crusts and sediment finer than its texture. FINE_RELIEF: normal
// mapped, by triplanar projection on three upright planes, and a fourth for the ground's. NEAR_GRAIN: with turf at arm's
// length. All colours, thresholds and shares are by eye.

#include "constants.glsl"
#include "frame.glsl"

// Where light falls on vertices there is none to be seen.
#define IN_RELIEF (FINE_RELIEF && !PER_VERTEX_LIGHTING)

uniform sampler2D stone_map;    // a tile: rg slopes, b height, a where crusts grow

const float STONE_TILE_M = 1.3;
const float FINE_TILE = 0.23;       // of the tile laid over it
// Tiers that soften shadows by many taps have time for what is at arm's length, too.
#define NEAR_GRAIN (IN_RELIEF && SHADOW_TAPS > 0)
#if NEAR_GRAIN
const float NEAR_TILE = 0.21;       // of the fine one
const vec2 NEAR_M = vec2(1.4, 5.0); // distances within which all of it shows, and beyond which none does
// Lower levels of the mip maps than a slanting face would get: a blur along it is worse than a little shimmer.
const float SHARPER = -0.1;
#endif

// Sample of the tile at a place.
struct Stone {
    vec2 coarse;        // height and crusts
    vec2 fine;
    float region;       // where crusts of one kind or another grow: 0 to 1 over metres
    vec3 gradient;      // of the relief
};

#if IN_RELIEF
// Normals (ACROSS) and horizontal axes (ALONG) of three upright planes, 60 degrees apart: the normal of an upright face is
// at most 30 degrees from one of theirs, so that the tile is stretched by a seventh at most. Plane 3 is level.
const vec2 ACROSS[3] = vec2[](vec2(1.0, 0.0), vec2(0.5, 0.8660254), vec2(-0.5, 0.8660254));
const vec2 ALONG[3] = vec2[](vec2(0.0, 1.0), vec2(-0.8660254, 0.5), vec2(-0.8660254, -0.5));

// The tile on one plane: height and crusts; adds to the relief's gradient.
vec2 stone_on_plane(int plane, vec3 p, float weight, inout vec3 gradient) {
    vec2 at = plane < 3 ? vec2(dot(p.xz, ALONG[plane]), p.y) + 0.3 * float(plane) : p.xz;
#if NEAR_GRAIN
    vec4 tile = texture(stone_map, at, SHARPER);
#else
    vec4 tile = texture(stone_map, at);
#endif
    vec2 slope = (tile.rg * 2.0 - 1.0) * (STONE_STEEPEST_SLOPE * weight);
    gradient += plane < 3 ? vec3(ALONG[plane].x * slope.x, slope.y, ALONG[plane].y * slope.x) : vec3(slope.x, 0.0, slope.y);
    return weight * tile.ba;
}
#endif

Stone stone_here(vec3 p, vec3 n) {
    Stone stone;
#if IN_RELIEF
    // Nearer the face's own normal than the smooth one: across an edge that one may look along a plane.
    vec3 face = normalize(cross(dFdx(p), dFdy(p)));
    vec3 facing = mix(n, dot(face, n) < 0.0 ? -face : face, 0.8);
    vec4 weights = vec4(dot(facing.xz, ACROSS[0]), dot(facing.xz, ACROSS[1]), dot(facing.xz, ACROSS[2]), facing.y);
    // The sixth power: narrow transitions, since the grain is blurred where planes blend.
    weights *= weights;
    weights *= weights * weights;
    weights /= dot(weights, vec4(1.0));
    stone.coarse = vec2(0.0);
    stone.gradient = vec3(0.0);
    for (int plane = 0; plane < 4; ++plane) {
        stone.coarse += stone_on_plane(plane, p / STONE_TILE_M, weights[plane], stone.gradient);
    }
    // The transitions of the finer grain are too small to be seen: two planes are enough, the best upright one and the
    // level.
    int upright = weights.x > max(weights.y, weights.z) ? 0 : (weights.y > weights.z ? 1 : 2);
    float level = weights.w / (weights.w + weights[upright]);
    vec3 pits = vec3(0.0);
    vec3 fine_p = p / (FINE_TILE * STONE_TILE_M) + 0.4;
    stone.fine = stone_on_plane(upright, fine_p, 1.0 - level, pits) + stone_on_plane(3, fine_p, level, pits);
#if NEAR_GRAIN
    float near = 1.0 - smoothstep(NEAR_M.x, NEAR_M.y, distance(p, eye_ws));
    vec3 turf = vec3(0.0);
    vec3 near_p = fine_p / NEAR_TILE + 0.7;
    vec2 tufts = stone_on_plane(upright, near_p, 1.0 - level, turf) + stone_on_plane(3, near_p, level, turf);
    pits += 1.1 * near * turf;
    stone.fine += near * vec2(0.9, 0.7) * (tufts - 0.5);
#endif
    stone.gradient += 0.7 * pits;
    stone.region = texture(stone_map, (p.xz + vec2(0.5, -0.4) * p.y) / (2.6 * STONE_TILE_M)).a;
#else
    vec3 a = abs(n);
    vec2 at = a.y > max(a.x, a.z) ? p.xz : (a.x > a.z ? p.zy : p.xy + 0.4);
    vec4 coarse = texture(stone_map, at / (0.8 * STONE_TILE_M), -1.0);
    stone.coarse = coarse.ba;
    stone.fine = stone.coarse;
    stone.region = coarse.a;
    stone.gradient = vec3(0.5 - coarse.r, 0.5 - coarse.g, 0.5 - coarse.r) * vec3(0.6, 0.8, 0.6);
#endif
    return stone;
}

// The rock's own texture. Magnified, its borders would be a blur: the grain makes them ragged.
vec4 stone_texel(sampler2D map, vec2 uv, Stone stone) {
#if IN_RELIEF
    return textureGrad(map, uv + 0.010 * (stone.fine - 0.5), dFdx(uv), dFdy(uv));
#else
    // Its broad colours for the most part: small as it is there its streaks would be marble.
    return texture(map, uv, 0.6);
#endif
}

// A crust that grows where `value` passes `from`, with a pale rim of new growth.
void overgrow(inout vec3 albedo, vec3 colour, float value, float from, float strength) {
#if IN_RELIEF
    float there = smoothstep(from, from + 0.06, value);
    float rim = there * (1.0 - smoothstep(from + 0.04, from + 0.12, value));
    albedo = mix(albedo, colour * (1.0 + 0.7 * rim), strength * there);
#else
    // Without the grain that makes them ragged, sharp borders would be the veins of marble.
    albedo = mix(albedo, colour, (0.75 * strength) * smoothstep(from - 0.10, from + 0.15, value));
#endif
}

// Albedo of the rock itself where nothing grows on it for want of light: a brownish grey. By eye.
vec3 bare_stone(vec3 albedo) {
    return mix(vec3(1.00, 0.90, 0.80) * luminance(albedo), albedo, growth);
}

// Factor on the albedo where the relief is so high.
float light_and_dark(float height, float grown) {
    return mix(1.0, 0.56 + 0.94 * height, 0.3 + 0.7 * grown);
}

// Luminance of the paint on open rock, at least.
const float OPEN_LUMINANCE = 0.03;

// Adds to a rock what its texture is too coarse for; `grown`, the texture's alpha, says how much: wood keeps some of
// its own face.
void weather(Stone stone, float grown, inout vec3 albedo, inout vec3 n, out float ambient_occlusion) {
    float up = n.y;
#if IN_RELIEF
    vec3 smooth_n = n;
    float height = clamp(0.5 + 0.95 * (stone.coarse.x - 0.52) + 0.95 * (stone.fine.x - 0.52), 0.0, 1.0);
    n = normalize(n - (0.48 * grown) * (stone.gradient - dot(stone.gradient, n) * n));
    up = mix(up, n.y, 0.6);
#else
    float height = stone.coarse.x;
    n = normalize(n - grown * stone.gradient);
#endif
    float hollow = clamp(1.6 * (0.52 - height) + 0.1, 0.0, 1.0);
    // Growths in a cave are as dark as the paint that stands for its depth.
    float grain = (0.5 + 1.0 * height) * min(luminance(albedo) / OPEN_LUMINANCE, 1.0);
    albedo *= light_and_dark(height, grown);
    float ragged = 0.55 * (stone.fine.y - 0.5) + 0.25 * (height - 0.5);
    float patches = stone.coarse.y + ragged;
    albedo = bare_stone(albedo);
    // Crusts of manganese where nothing else grows are darker.
    albedo *= mix(1.0 - 0.25 * smoothstep(0.38, 0.56, patches), 1.0, growth);
    // Turf in the light, pink coralline crusts in the shade, mustard colonies between them.
    overgrow(albedo, vec3(0.19, 0.155, 0.065) * grain * (0.5 + stone.fine.y), 1.0 - patches + 0.22 * up, 0.68, 0.65 * grown * growth);
    overgrow(albedo, vec3(0.46, 0.19, 0.21) * grain, patches - 0.12 * up, 0.62, 0.72 * grown * growth);
    overgrow(albedo, vec3(0.44, 0.27, 0.07) * grain, 0.9 * stone.region - abs(patches - 0.5), 0.50, 0.70 * grown * growth);
#if IN_RELIEF
    // Spots of sponge: orange here, white there.
    vec3 sponge = mix(vec3(0.55, 0.18, 0.04), vec3(0.50, 0.47, 0.38), step(0.5, stone.region));
    overgrow(albedo, sponge * grain, stone.fine.y + 0.35 * (0.3 - up) * abs(stone.region - 0.5), 0.87, 0.80 * grown * growth);
#endif
    // Sediment: a trace in the light, where waves stir and turf holds the rest; a drape in the deep, over all but steep faces.
    vec2 lies_at = mix(vec2(0.15, 0.75), vec2(0.60, 0.95), growth);
    float dust = smoothstep(lies_at.x, lies_at.y, up + 0.35 * hollow + 0.25 * ragged) * smoothstep(0.1, 0.5, up + 0.4 * (1.0 - growth));
    dust *= mix(0.50 + 0.40 * stone.fine.y, 0.40, growth);
    albedo = mix(albedo, mix(0.45 + 0.65 * grain, 0.55, growth) * seabed_colour, dust);
    ambient_occlusion = 1.0 - 0.6 * hollow * (1.0 - 0.7 * dust);
#if IN_RELIEF
    // A drape buries what is fine.
    n = normalize(mix(n, smooth_n, 0.40 * dust * (1.0 - growth)));
#endif
}
