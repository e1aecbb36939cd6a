// Light on a surface in the water: the refracted key light through its caustics and shadows, and what is scattered.
// The smooth part comes from lighting_vertex.glsl. CAUSTICS, DISPERSION: whether the frame has them. SHADOWS: the
// shadow map is the key light's; LAMP_SHADOWS: it is that of light 0.

#include "caustic_slices.glsl"
#include "constants.glsl"
#include "frame.glsl"

in vec3 beam_light;
in vec3 diffuse_above;
in vec3 diffuse_below;
in vec3 added_radiance;         // on the way to the eye: in-scattered, and emitted by what is opaque
in vec2 caustic_uv;
in vec4 caustic_weights;
in vec3 shadow_ts;

uniform sampler2D caustic_map;          // one slice a channel, at caustic_depths_m; mean 1
#if CAUSTICS && DISPERSION
uniform sampler2D caustic_map_red;      // the same for the ends of the spectrum; caustic_map is green
uniform sampler2D caustic_map_blue;
#endif
uniform sampler2DShadow shadow_map;

#if CAUSTICS && DISPERSION
// Level of the map's mip maps over the one that a slanting ground would get: lines that lie across the view would be blurred
// as far along it, and a net of light is its lines. At medium it would take a tenth of a frame.
const float NET_SHARPER = -1.2;
// Depths of view between which the net gives way to its mean, m: seen so flat its lines would be stripes, and an eye
// sees a shimmer at most.
const vec2 NET_FADES_M = vec2(7.0, 32.0);
// Remainder beyond.
const float NET_LEFT = 0.25;

// Depths of the ground between which lines become thinner than they fall, m; least share that is left of a faint line above
// and below them.
const vec2 THINNED_M = vec2(2.0, 7.0);
const vec2 FAINT_LEFT = vec2(0.36, 0.10);
// Height over the mean that no line reaches.
const float HIGHEST = 4.0;

// Thinner lines with a lower peak: what stands out less gives some of its light to what stands out more, and what
// would burn out to the cells between. By eye; the mean is not kept exactly.
vec3 thinned(vec3 over, float depth_m) {
    float faint = mix(FAINT_LEFT.x, FAINT_LEFT.y, smoothstep(THINNED_M.x, THINNED_M.y, depth_m));
    vec3 lines = max(over, 0.0);
    lines *= (faint + 0.62 * lines) / (1.0 + 0.62 * lines);
    return 0.62 * min(over, 0.0) + lines / (1.0 + lines / HIGHEST);
}
#endif

// Focusing of the beam by the waves overhead: 1 on average.
vec3 caustic_gain() {
#if CAUSTICS && DISPERSION
    vec3 over = vec3(
        dot(texture(caustic_map_red, caustic_uv, NET_SHARPER) - 1.0, caustic_weights),
        dot(texture(caustic_map, caustic_uv, NET_SHARPER) - 1.0, caustic_weights),
        dot(texture(caustic_map_blue, caustic_uv, NET_SHARPER) - 1.0, caustic_weights));
    // The disc mixes the colours again where the focus is far below the waves; how much is by eye.
    float coloured = 0.2 * (caustic_weights.x + caustic_weights.y);
    float depth_m = dot(caustic_weights, caustic_depths_m);
    float stands_out = net_contrast(depth_m);
    stands_out *= mix(1.0, NET_LEFT, smoothstep(NET_FADES_M.x, NET_FADES_M.y, 1.0 / gl_FragCoord.w));
    return max(1.0 + thinned(stands_out * mix(vec3(over.g), over, coloured), depth_m), DARKEST);
#elif CAUSTICS
    return vec3(1.0 + dot(texture(caustic_map, caustic_uv) - 1.0, caustic_weights));
#else
    return vec3(1.0);
#endif
}

// The beam's irradiance on a plane facing it.
vec3 focused_beam() {
    return beam_light * caustic_gain();
}

// Place in the shadow map.
struct ShadowPlace {
    vec3 ts;        // place and depth
    vec2 across;    // texture a metre across the rays
    float along;    // depth a metre along the sun's; distance from a lamp, m
};

#if (SHADOWS || LAMP_SHADOWS) && SHADOW_TAPS > 0
#include "noise.glsl"

// Comparisons of a ring, its turn against the map's texels, and the share of them in shade at which it is as wide as it gets.
const int RING_TAPS = 4;
const float RING_TURN = 0.1;
const float SHADED_RING = 1.0 / 3.0;
// Taps after which the rest are left out if all before agree.
const int FIRST_TAPS = 5;
const mat2 GOLDEN_TURN = mat2(cos(GOLDEN_ANGLE), sin(GOLDEN_ANGLE), -sin(GOLDEN_ANGLE), cos(GOLDEN_ANGLE));

// Share of the light at a place `off_m` aside and `nearer_m` nearer the light.
float is_lit(ShadowPlace place, vec2 off_m, float nearer_m) {
#if LAMP_SHADOWS
    // Its map has no far end: depth is 1 less the inverse of the distance.
    float depth = 1.0 - (1.0 - place.ts.z) * place.along / max(place.along - nearer_m, 0.1 * place.along);
#else
    float depth = place.ts.z - nearer_m * place.along;
#endif
    return textureLod(shadow_map, vec3(place.ts.xy + off_m * place.across, depth), 0.0);
}

#if LAMP_SHADOWS
// Radius of a lamp's reflector, m.
const float LAMP_RADIUS_M = 0.1;
#endif

// Distance from a place, m, within which what is nearer the light casts a shade no wider than so.
float nearer_than(float shade_m, float along) {
#if LAMP_SHADOWS
    return along * shade_m / (shade_m + LAMP_RADIUS_M);
#else
    return shade_m / beam_spread;
#endif
}

// Percentage-closer soft shadows (Fernando 2005), from comparisons alone. Waves and the key light's disc spread the beam over
// a cone: what stands higher casts a softer shade, and so does what is nearer a lamp. How far off an occluder may stand and
// still reach a point gives how high it must be: a ring of comparisons as much nearer the light tells whether there is one.
// Few pixels lie at an edge: where the rings and the first taps agree, the rest are left out. Where it is not `wanted` its
// loops make no turn: software OpenGL works out both sides of a branch, but leaves a loop.
float soft_visibility(bool wanted, ShadowPlace place) {
    // The same places for all pixels: were they turned like those below, neighbours would not agree on the width and the
    // penumbra would be stippled.
    float radius_m = 0.02;
    float compared = 0.0;
    float lit_before = 0.0;
    for (float ring_m = wanted ? 0.06 : 1.0; ring_m < 0.2; ring_m *= 1.5) {
        float lit = 0.0;
        for (int i = 0; i < RING_TAPS; ++i) {
            float angle = (2.0 * PI / float(RING_TAPS)) * float(i) + RING_TURN;
            lit += is_lit(place, ring_m * vec2(cos(angle), sin(angle)), nearer_than(ring_m, place.along));
        }
        radius_m = mix(radius_m, ring_m, min((1.0 - lit / float(RING_TAPS)) / SHADED_RING, 1.0));
        lit_before += lit;
        compared += float(RING_TAPS);
    }
    float texel_m = 1.0 / (place.across.x * float(textureSize(shadow_map, 0).x));
    float turn = 2.0 * PI * interleaved_noise(gl_FragCoord.xy);
    vec2 toward = vec2(cos(turn), sin(turn));
    float lit = 0.0;
    float taps = 0.0;
    int last = wanted ? SHADOW_TAPS : 0;
    for (int i = 0; i < last; ++i) {
        // Vogel's spiral, even over a disc, from its rim inward.
        float number = float(SHADOW_TAPS - 1 - i);
        float off_m = radius_m * sqrt((number + 0.5) / float(SHADOW_TAPS));
        // As much nearer the light as a slope may rise so far off, and over a texel.
        lit += is_lit(place, off_m * toward, 1.2 * (off_m + texel_m));
        toward = GOLDEN_TURN * toward;
        taps += 1.0;
        float all = lit_before + lit;
        if (i == FIRST_TAPS - 1 && (all == 0.0 || all == compared + taps)) {
            break;
        }
    }
    return lit / max(taps, 1.0);
}
#endif

#if SHADOWS
// Places in the shadow map, from its middle, between which shade goes out: it shall not end at a line.
const vec2 SHADE_ENDS = vec2(0.41, 0.50);
#endif

// Share of the beam that nothing keeps off; anything where it is not `wanted`.
float key_light_visibility(bool wanted) {
#if SHADOWS
    float rim = max(abs(shadow_ts.x - 0.5), abs(shadow_ts.y - 0.5));
#if SHADOW_TAPS > 0
    // Texture and depth a metre: the map's projection is orthographic.
    mat3 m = transpose(mat3(shadow_from_world));
    ShadowPlace place = ShadowPlace(shadow_ts, vec2(length(m[0]), length(m[1])), length(m[2]));
    float lit = soft_visibility(wanted && rim < SHADE_ENDS.y, place);
#else
    float lit = texture(shadow_map, shadow_ts);
#endif
    return mix(lit, 1.0, smoothstep(SHADE_ENDS.x, SHADE_ENDS.y, rim));
#else
    return 1.0;
#endif
}

#if LIGHTS
#include "lamps.glsl"
#include "water_optics.glsl"

#if LAMP_SHADOWS
// Share of the light of light 0 that nothing keeps off a place.
float lamp_visibility(vec3 p_ws, vec3 normal_ws, vec3 toward, bool wanted) {
    float away_m;
    vec3 ts = lamp_shadow_place(lifted(p_ws, normal_ws, toward), away_m);
#if SHADOW_TAPS > 0
    float cos_cone = light_place[0].w;
    float across = 0.5 * cos_cone * inversesqrt(1.0 - cos_cone * cos_cone) / away_m;
    return soft_visibility(wanted, ShadowPlace(ts, vec2(across), away_m));
#else
    return texture(shadow_map, ts);
#endif
}
#endif

// Irradiance of the artificial lights on a surface, and what a specular lobe of exponent `shininess` throws toward the
// eye, both as they arrive at the eye.
vec3 lamp_light(vec3 p_ws, vec3 normal_ws, float through, float shininess, out vec3 specular_light) {
    vec3 sum = vec3(0.0);
    specular_light = vec3(0.0);
    vec3 to_eye = eye_ws - p_ws;
    float distance_m = length(to_eye);
    to_eye /= max(distance_m, 1e-3);
    for (int i = 0; i < int(light_count); ++i) {
        vec3 toward;
        float lamp_m;
        vec3 arriving = lamp_at(i, p_ws, lamp_nearest_m(i), toward, lamp_m);
        arriving *= transmittance(lamp_m + distance_m);
        float facing = dot(normal_ws, toward);
        float lit_side = max(facing, 0.0);
#if LAMP_SHADOWS
        if (i == 0) {
            arriving *= lamp_visibility(p_ws, normal_ws, toward, max(facing, through) * max(arriving.r, max(arriving.g, arriving.b)) > 0.0);
        }
#endif
        sum += arriving * (lit_side + through * max(-facing, 0.0));
        if (shininess > 0.0) {
            specular_light += arriving * lit_side * pow(max(dot(normal_ws, normalize(to_eye + toward)), 0.0), shininess);
        }
    }
    specular_light *= (shininess + 8.0) / (8.0 * PI);
    return sum;
}
#endif

#if SHADOWS && SHADOW_TAPS > 0
// Share of the light from below that is left over ground in shade: the beam is three fifths of what ground a few metres down
// gets, and a sixth of the light from below is the water's own.
const float SHADED_BOUNCE = 0.5;
// Places about an underside, from it, whose light it gets from below. Unit: m.
const vec3 BELOW_M[4] = vec3[](
    vec3(0.25, -0.35, 0.10), vec3(-0.20, -0.55, 0.25), vec3(0.10, -0.85, -0.40), vec3(-0.35, -1.10, -0.20));
#endif

// Light from all round that the water and the ground below scatter up: less over ground in shade.
vec3 light_from_below(vec3 normal_ws) {
#if SHADOWS && SHADOW_TAPS > 0
    float rim = max(abs(shadow_ts.x - 0.5), abs(shadow_ts.y - 0.5));
    // A loop of no turn where there is nothing to find out.
    int places = normal_ws.y < 0.4 && rim < SHADE_ENDS.x ? 4 : 0;
    float shaded = 0.0;
    for (int i = 0; i < places; ++i) {
        shaded += 0.25 - 0.25 * textureLod(shadow_map, shadow_ts + mat3(shadow_from_world) * BELOW_M[i], 0.0);
    }
    return diffuse_below * (1.0 - (1.0 - SHADED_BOUNCE) * shaded * smoothstep(0.4, -0.2, normal_ws.y));
#else
    return diffuse_below;
#endif
}

vec3 diffuse_light(vec3 normal_ws) {
    return mix(light_from_below(normal_ws), diffuse_above, 0.5 + 0.5 * normal_ws.y);
}
