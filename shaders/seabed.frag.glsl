// Sand and rubble: a tiling detail map gives ripples and grains, a map of the place stains and what stands there.
// Detail map: rg slopes (ripples, burrows), b lightness, a pieces of rubble, which show where they rise above the bare
// share. FINE_RELIEF: rubble and grain in relief; with many taps of shadows, grit before the lens. Shares and tones are by
// eye. Ground map: r lightness, g rubble pattern, b ambient occlusion, a ripples and mounds. Writes linear radiance at the
// eye.
#include "constants.glsl"
#include "frame.glsl"
#include "lighting.glsl"

in vec3 p_ws;
in vec2 ground_m;
in vec3 normal_ws;
in float ground_rubble;
in float ground_occlusion;

uniform sampler2D detail_map;
uniform sampler2D ground_map;
#if FINE_RELIEF
uniform sampler2D stone_map;    // laid finer than on rocks it is the grain of sand
#endif
uniform float map_half_m;       // beyond it the ground map repeats its stains
uniform float detail_slope;     // slope that fills the range of the detail map

out vec4 radiance;

const float GRAIN_TILE_M = 0.57;
#if LIGHTS
// Share of the relief that a lamp brings out: it is wide and near, and light goes from crest to crest. By eye.
const float LAMP_RELIEF = 0.6;
#endif
// Tiers that soften shadows by many taps have time for the grains before the lens, too.
#define NEAR_GRAIN (FINE_RELIEF && SHADOW_TAPS > 0)
#if NEAR_GRAIN
#include "grit.glsl"
// Least share of a lamp's light that reaches the ground where a thing stands. By eye.
const float LAMP_FOOT = 0.15;
// Scale of rubble against the tile's: there its pieces are a hand wide, plates when close to the eye.
const float RUBBLE_FINER = 4.1;
const float NEAR_TILE_M = 0.11;
// Tile of splinters of shells, of where they lie, and of the bars of sand that bend the ripples.
const float SHELL_TILE_M = 0.13;
const float STREWN_TILE_M = 3.1;
const float BAR_TILE_M = 9.7;
// The level of its mip maps that has nothing finer than a pace.
const float BAR_LEVEL = 4.0;
// Steepness of ripples over that of smoothed ones of the same height: their crests are sharp.
const float CRESTED = 2.3;
// Gain of surfaces that face the key light's side by the light that is scattered round the beam.
const float SLANTED = 0.9;
// Least that is left to the lee of a ripple of the beam on level ground, and of light from all round; by eye.
const vec2 LEE = vec2(0.3, 0.5);
// Distances between which grit gives way to its mean, m.
const vec2 GRIT_GONE_M = vec2(4.5, 11.0);
// Contrast of grains on ooze, and on what falls from all that grows in the light.
const vec2 GRAIN_CONTRAST = vec2(0.36, 0.7);
// Spans of a pixel at which the tile's own grains are seen, and at which they are gone, m.
const vec2 GRAIN_PIXEL_M = vec2(0.001, 0.004);
// Sides of the cells of splinters small and large, m.
const vec2 SPLINTER_CELLS_M = vec2(0.045, 0.12);
// Film of algae and diatoms on sand that nothing stirs.
const vec3 FILM = vec3(0.75, 0.77, 0.62);

// A tile seen aslant: its mip maps are made for squares and would blur it across the view as far as along it. Four
// lookups side by side, each as wide as the pixel is across.
vec4 aslant(sampler2D map, vec2 uv) {
    vec2 dx = dFdx(uv), dy = dFdy(uv);
    float x2 = dot(dx, dx), y2 = dot(dy, dy);
    vec2 wide = x2 > y2 ? dx : dy, narrow = x2 > y2 ? dy : dx;
    vec2 part = wide * max(0.25, sqrt(min(x2, y2) / max(max(x2, y2), 1e-20)));
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 4; ++i) {
        sum += textureGrad(map, uv + (0.25 * float(i) - 0.375) * wide, part, narrow);
    }
    return 0.25 * sum;
}
#else
const float LAMP_FOOT = 0.4;
const float RUBBLE_FINER = 1.0;
#endif

// Slope of the detail from which on its crests are as pale as they get; by eye.
const float PALE_CRESTS = 0.05;

void main() {
#if NEAR_GRAIN
    // Bars bend the crests, so that no two tiles are alike.
    vec4 bar = textureLod(stone_map, ground_m / BAR_TILE_M, BAR_LEVEL);
    vec2 bent_m = ground_m + vec2(0.3, 0.5) * (bar.ba - 0.5);
    vec4 near_detail = aslant(detail_map, bent_m / GROUND_TILE_M);
    near_detail.a = texture(detail_map, ground_m * (RUBBLE_FINER / GROUND_TILE_M)).a;
#else
    vec4 near_detail = texture(detail_map, ground_m / GROUND_TILE_M);
#endif
    vec4 place = texture(ground_map, ground_m / (2.0 * map_half_m) + 0.5);
    // Where there is any, a few pieces lie about; where there is much of it they lie on each other, and they gather about
    // whatever stands there.
    float any_rubble = smoothstep(0.0, 0.05, ground_rubble);
    float bare = 1.0 - any_rubble * (0.05 + 0.55 * smoothstep(0.30, 0.80, ground_rubble + 0.7 * (place.g - 0.5) + 1.2 * (1.0 - place.b)));
    float rubble = smoothstep(bare, bare + 0.16, near_detail.a);
    vec2 slope = (near_detail.rg * 2.0 - 1.0) * (detail_slope * place.a);
#if NEAR_GRAIN
    slope *= CRESTED;
#endif
#if NEAR_GRAIN
    const float CRESTS = 1.04;
#else
    const float CRESTS = 0.76;
#endif
    // Where there is no relief none is seen.
    float crests = CRESTS * mix(0.25, 1.0, min(detail_slope / PALE_CRESTS, 1.0));
    float lightness = (1.0 + crests * (near_detail.b - 0.5)) * (0.66 + 0.68 * place.r);
    float rubble_tone = 0.74 + 0.42 * near_detail.b + 1.3 * (near_detail.a - bare);
    // It lies in its own shade.
    lightness *= 1.0 - 0.16 * any_rubble * smoothstep(bare - 0.30, bare, near_detail.a);
#if FINE_RELIEF
    const float AHEAD_M = 0.012 / RUBBLE_FINER;
    vec2 rise = vec2(texture(detail_map, (ground_m + vec2(AHEAD_M, 0.0)) * (RUBBLE_FINER / GROUND_TILE_M)).a,
        texture(detail_map, (ground_m + vec2(0.0, AHEAD_M)) * (RUBBLE_FINER / GROUND_TILE_M)).a) - near_detail.a;
    // A piece is a tenth as high as it is wide.
    slope = mix(slope, 0.011 / (AHEAD_M * RUBBLE_FINER) * rise, rubble);
    vec4 grain = texture(stone_map, mat2(0.83, 0.56, -0.56, 0.83) * ground_m / GRAIN_TILE_M);
    slope += (grain.rg * 2.0 - 1.0) * mix(0.13, 0.4, rubble);
    lightness *= 0.84 + 0.31 * grain.b;
    rubble_tone *= 0.75 + 0.5 * grain.b;
#if NEAR_GRAIN
    // Grains as far as pixels show them: their own mip maps flatten them beyond. The coarser grain pushes them
    // about, or so small a tile would look like a weave.
    vec2 pushed_m = bent_m + 0.11 * (grain.ba - 0.5);
    vec4 grains = texture(stone_map, mat2(-0.28, 0.96, -0.96, -0.28) * pushed_m / NEAR_TILE_M, -1.0);
    slope += mix(0.26, 0.30, rubble) * (grains.rg * 2.0 - 1.0);
    lightness *= 1.0 + 0.5 * (grains.b - 0.52);
    // Pale splinters and dark grains, in the troughs more than on the crests.
    float splinters = texture(stone_map, mat2(0.52, -0.85, 0.85, 0.52) * bent_m / SHELL_TILE_M).b;
    float strewn = smoothstep(0.35, 0.75, texture(stone_map, mat2(0.96, 0.28, -0.28, 0.96) * ground_m / STREWN_TILE_M).a);
    float litter = strewn * (1.0 - rubble) * (1.2 - near_detail.b);
    lightness *= 1.0 + litter * (0.55 * smoothstep(0.74, 0.86, splinters) - 0.30 * smoothstep(0.36, 0.14, splinters));
    float seen_fine = 1.0 - smoothstep(GRIT_GONE_M.x, GRIT_GONE_M.y, distance(p_ws, eye_ws));
    // What a pixel spans, the less for its length where it is seen aslant: grains as long as that would be strokes. More of
    // them are averaged there; the tile's own grains show where a pixel spans less than they.
    float span_x = length(dFdx(ground_m)), span_y = length(dFdy(ground_m));
    float longer = max(span_x, span_y) / max(min(span_x, span_y), 1e-6);
    float pixel_m = min(span_x, span_y) * sqrt(sqrt(longer));
    float contrast_here = seen_fine * mix(GRAIN_CONTRAST.x, GRAIN_CONTRAST.y, growth) * min(sqrt(sqrt(longer)), 2.0)
        * (0.4 + 0.6 * smoothstep(GRAIN_PIXEL_M.x, GRAIN_PIXEL_M.y, pixel_m));
    float gritty = max(1.0 + contrast_here * grains_lightness(ground_m, pixel_m), 0.3);
    lightness *= gritty;
    rubble_tone *= gritty;
    float often = 0.2 + 0.6 * strewn;
    float ragged = grains.b - 0.52;
    Splinter small = splinter_at(ground_m, SPLINTER_CELLS_M.x, often, pixel_m, ragged, 1u);
    Splinter large = splinter_at(mat2(0.8, 0.6, -0.6, 0.8) * ground_m, SPLINTER_CELLS_M.y, 0.5 * often, pixel_m, ragged, 2u);
    float on_sand = (1.0 - rubble) * seen_fine;
    float splinter_tone = small.covered > large.covered ? small.tone : large.tone;
    lightness *= 1.0 - 0.5 * on_sand * max(small.shade, large.shade);
    lightness = mix(lightness, (splinter_tone < 0.55 ? 1.5 : 0.55 * splinter_tone) * (1.0 + ragged), on_sand * max(small.covered, large.covered));
    slope += (0.4 * on_sand) * (small.slope + large.slope);
    // It grows in the troughs, where nothing rolls, and in patches.
    float film = growth * smoothstep(0.40, 0.70, 0.55 * bar.a + 0.45 * strewn) * smoothstep(0.75, 0.30, near_detail.b);
    vec3 filmed = mix(vec3(1.0), FILM, film);
#endif
#endif
    vec3 n = normalize(normal_ws + vec3(-slope.x, 0.0, -slope.y));
    vec3 albedo = seabed_colour * mix(vec3(lightness), vec3(0.98, 0.95, 0.90) * rubble_tone, rubble);
#if NEAR_GRAIN
    albedo *= filmed;
#endif

    bool mapped = max(abs(ground_m.x), abs(ground_m.y)) < map_half_m;
    float ambient_occlusion = mapped ? ground_occlusion * place.b : ground_occlusion;
#if SHADOWS
    float through = 0.35 + 0.65 * ambient_occlusion;
#else
    float through = ambient_occlusion;  // stands in for the shadow map
#endif
#if NEAR_GRAIN
    float facing = max(dot(n, to_key_light_water), LEE.x * dot(normal_ws, to_key_light_water));
#else
    float facing = dot(n, to_key_light_water);
#endif
    float lit_side = max(facing, 0.0) * key_light_visibility(facing > 0.0) * through;
    vec3 all_round = diffuse_light(n) * ambient_occlusion;
#if NEAR_GRAIN
    // Scattered light comes mostly from round the beam, too.
    all_round *= max(1.0 + SLANTED * dot(n - normal_ws, to_key_light_water), LEE.y);
#endif
    vec3 lit = albedo * INVERSE_PI * (focused_beam() * lit_side + all_round);
#if LIGHTS
    vec3 no_specular;
    vec3 softened = normalize(mix(normal_ws, n, LAMP_RELIEF));
    vec3 lamps = lamp_light(p_ws, softened, 0.0, 0.0, no_specular) * mix(LAMP_FOOT, 1.0, ambient_occlusion);
    lit += albedo * INVERSE_PI * lamps;
#endif
    radiance = vec4(lit + added_radiance, 1.0);
}
