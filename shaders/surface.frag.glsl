// The sea surface. Writes linear radiance at the eye.
// From below: unpolarised Fresnel; inside Snell's window refraction to the sky and the key light; outside it total
// internal reflection of the water, the ground and what swims there; all of it through the water.
// From above: the sky mirrored, foam where the surface folds, and what is below let through (alpha: the share that is not).
// ABOVE: the eye is near or over the surface; else every fragment is seen from below. REFLECTIONS: screen-space
// reflections (SSR) and refraction, from a copy of the scene's colour, the backdrop. DISPERSION: refraction differs by
// colour. RIPPLES: those too short for the wave maps are noise; else they are three waves.
// REFLECTION_STEPS: of the ray march. MIRRORED_NET: the net of light on the ground. FOAM: crests break.
#include "frame.glsl"
#include "water_optics.glsl"
#include "waves.glsl"
#include "fresnel.glsl"
#include "noise.glsl"
#if MIRRORED_NET
#include "mirrored_net.glsl"
#endif
// Through the waves clouds are seen in shreds: only where there is time to spare.
#define SKY_CLOUDS (CLOUDS && (ABOVE || RIPPLES))
// Of stars nothing is left.
#define SKY_STARS (STARS && ABOVE)
#include "sky.glsl"
// The key light's disc is smeared by the slopes that are not drawn: at each pixel, or, from below, all over alike.
#define FINE_DISC (ABOVE || RIPPLES)

in vec3 p_ws;
in vec2 rest_m;
in vec2 slope_of_long;
in float clearness;
in vec3 ray_transmittance;
in vec3 ray_inscatter;
in vec3 mirrored_steep;
in vec3 mirrored_grazing;
#if REFLECTIONS
in vec3 mirrored_source;        // what a metre of water adds to a ray that a calm sea mirrors
#endif
flat in float slope_spread;
flat in vec2 smeared_disc;
#if !RIPPLES
flat in vec2 wind_direction;
#endif
uniform float unresolved_slope_variance;    // of the waves too short for the maps, along both axes together
#if FOAM
in float foam_share;
#endif
#if FOAM || RIPPLES
uniform vec2 wind_m_s;          // x and z
#endif
#if FOAM
uniform vec2 spilling;              // see breaking()
#endif
#if REFLECTIONS
uniform sampler2D backdrop;     // radiance of what is under water, distance along the ray in m in alpha; 0: nothing
#endif
out vec4 radiance;

const float HALF_FLOAT_MAX = 65504.0;
#if FOAM
// Share of foam that is left to be seen from below outside Snell's window. By eye.
const float FOAM_ASLANT = 0.3;
// Sines of the elevation of a ray between which it goes out of sight: the upper is that of the window's rim.
const vec2 FOAM_FADES = vec2(0.25, sqrt(1.0 - 1.0 / (REFRACTIVE_INDEX * REFRACTIVE_INDEX)));
#endif
// Width of the soft rim of Snell's window in the square of the cosine in air, over the deviation of the slopes that the maps
// do not hold: some of them mirror within it. By eye: without it the window's flakes are cut paper; where the finest ripples are
// drawn they are smaller, and need a wider one.
const float RIM_WIDTH = DISPERSION == 1 ? 16.0 : 0.6;
// Widest rim: of a gale's window a bright middle is left.
const float MAX_RIM_WIDTH = 0.4;

vec3 sky_and_key_light(vec3 direction, vec2 lobe) {
    return sky_radiance(direction) + key_light_disc(direction, lobe);
}

#if FINE_DISC
// Variance of a direction along each axis over a pixel, which is weighted like a Gaussian as wide, rad^2.
float across_pixel(vec3 direction) {
    vec3 right = dFdx(direction);
    vec3 up = dFdy(direction);
    return 0.125 * (dot(right, right) + dot(up, up));
}
#endif

#if FOAM
// Foam: the share of the surface that it covers, torn along the wind into lace, and how thick its bubbles lie, 0..1.
vec2 foam_pattern(vec2 at_m) {
    vec2 downwind = normalize(wind_m_s);
    vec2 along = vec2(dot(at_m, downwind) - 0.4 * time_s, dot(at_m, vec2(-downwind.y, downwind.x)));
    along.y += 0.35 * lattice(along * vec2(0.5, 0.7));
    float streaks = lattice(along * vec2(0.45, 2.9));
    float shreds = lattice(along * vec2(1.9, 7.3) + 17.0);
    float lace = lattice(along * vec2(6.0, 13.0) + 5.0);
    float torn = 0.50 * streaks + 0.30 * shreds + 0.20 * lace;
    // The noise, a Gaussian nearly, and the softness of the edges deviate by that much: about the logistic quantile of the
    // share so much of the surface is covered.
    const float SOFT = 0.17;
    const float DEVIATION = 0.152;
    float share = clamp(foam_share, 0.001, 0.999);
    float least = 0.5 + DEVIATION * 0.588 * log(1.0 / share - 1.0);
    float coverage = smoothstep(-SOFT, SOFT, torn - least);
    return vec2(coverage, 0.4 * shreds + 0.6 * lace);
}

// Plumes of bubbles that breaking crests have driven down: premultiplied radiance as lit from above, and opacity. They hang
// under the crest and trail upwind of it, deep in the middle and billowing; from below their thick parts are dim.
// A picture, not a model: depths, densities and brightness are set by eye.
vec4 plumes(vec3 direction, float distance_m) {
    const int LAYERS = 8;
    vec4 plume = vec4(0.0);
    float wind = length(wind_m_s);
    // Seen level, the layers would lie beside each other.
    float steep = smoothstep(0.40, 0.80, direction.y);
    int layers = wind > PLUME_WIND_M_S && steep > 0.0 ? LAYERS : 0;
    vec2 downwind = wind_m_s / max(wind, 0.1);
    vec3 white = (sky_water + key_light_water) * (0.9 / PI);
    float deepest_m = 0.11 * wind;
    // Nearest the eye first: the deepest.
    for (int i = 0; i < layers; ++i) {
        float down = 1.0 - (float(i) + 0.5) / float(LAYERS);
        float depth_m = deepest_m * down * down;
        float along_m = depth_m / max(direction.y, 0.22);
        vec2 at_m = rest_m - direction.xz * along_m;
        float crest = breaking(at_m, spilling);
        crest = max(crest, 0.8 * breaking(at_m + 1.6 * downwind, spilling));
        crest = max(crest, 0.55 * breaking(at_m + 4.0 * downwind, spilling));
        // Eddies fold it, finer and finer: else it were smoke. Those finer than a few pixels are left out.
        float fine = 1.0 - smoothstep(0.006, 0.03, pixel_angle * distance_m);
        vec2 folded_m = at_m + 0.30 * lattice_slope(at_m * 0.8 + vec2(0.5, -0.3) * depth_m - 0.15 * time_s * downwind);
        float billow = 0.50 * lattice(folded_m * 1.1 + vec2(0.5, -0.3) * depth_m)
            + 0.32 * lattice(folded_m * 2.7 + vec2(-1.7, 1.1) * depth_m)
            + 0.18 * mix(0.5, lattice(folded_m * 6.9 + 3.0 * depth_m), fine);
        // Without an edge: it thins out to the sides, downward, and where the eddies have drawn clear water in.
        float thick = crest * crest * smoothstep(0.30, 0.80, billow + 0.26 * crest - 0.40 * down);
        float opacity = steep * (1.0 - exp(-0.8 * thick)) * smoothstep(0.3, 1.5, distance_m - along_m);
        float lit = mix(1.15, 0.30, sqrt(down) * (0.4 + 0.6 * thick)) * (0.6 + 0.8 * billow);
        plume += (1.0 - plume.a) * opacity * vec4(white * lit, 1.0);
    }
    return plume;
}
#endif

#if RIPPLES
// Slope of the ripples that are too short for the maps: noise that runs before the wind, and in z its variance. Gone where
// a pixel spans them. `ray`: from the eye, m.
vec3 ripple_slope(vec2 at_m, vec2 slope_of_longer, vec3 ray) {
    // Standard deviation of a slope of the lattice, both ripples together.
    const float LATTICE_DEVIATION = 0.54;
    float wind = length(wind_m_s);
    vec2 run_s = wind_m_s / max(wind, 1e-3) * time_s;
    vec2 near = 1.0 - smoothstep(0.14, 0.46, length(ray) * pixel_angle / RIPPLE_LENGTHS_M);
    vec2 slope = near.x * lattice_slope((at_m - RIPPLE_SPEEDS_M_S.x * run_s) / RIPPLE_LENGTHS_M.x)
        + near.y * lattice_slope((at_m.yx - RIPPLE_SPEEDS_M_S.y * run_s.yx) / RIPPLE_LENGTHS_M.y).yx;
    // Half of the variance is along each axis, and half of it is each ripple's.
    float variance = 0.5 * unresolved_slope_variance;
    return vec3(sqrt(variance) / LATTICE_DEVIATION * slope, variance * dot(near, near));
}
#else
// A wave made of parabolas: +-1/8, with a variance of PARABOLAS_VARIANCE.
const float PARABOLAS_VARIANCE = 1.0 / 120.0;

float parabolas(float turns) {
    float part = turns - roundEven(turns);
    return part - 2.0 * part * abs(part);
}

// Slope of the ripples that are too short for the maps, and in z its variance: three waves that run before the wind, bent
// by the slope of longer ones and each by the one before, so that none is seen as such. Gone where a pixel spans a third
// of them or more. `ray`: from the eye, m.
vec3 ripple_slope(vec2 at_m, vec2 slope_of_longer, vec3 ray) {
    const vec3 PER_M = 1.0 / vec3(0.50, 0.29, 0.16);
    // Angles between them and the wind.
    const vec3 ASIDE = vec3(0.45, -0.60, 0.20);
    const vec3 ALONG = cos(ASIDE);
    const vec3 ACROSS = sin(ASIDE);
    // Of the middle one over deep water.
    const float SPEED_M_S = 0.67;
    // Turns by which a slope as great as the ripples' bends them, and a wave of 1 the next. By eye: with more of it the sea
    // is marble, with less a washboard.
    const vec2 BENT = vec2(0.28, 0.20);
    const float BENT_BY_WAVE = 2.0;
    // The share of the variance in waves of these lengths, and the variance from which on they would be worms. By eye.
    const float SHARE = 0.75;
    const float MAX_VARIANCE = 0.02;
    float variance = clamp(unresolved_slope_variance, 1e-5, MAX_VARIANCE);
    float per_deviation = inversesqrt(variance);
    float pixel_m = pixel_angle * dot(ray, ray) / max(abs(ray.y), 0.1);
    vec3 near = clamp(2.0 - pixel_m * (3.0 * PER_M), 0.0, 1.0);
    vec2 run_m = vec2(dot(at_m, wind_direction) - time_s * SPEED_M_S, at_m.y * wind_direction.x - at_m.x * wind_direction.y);
    vec3 turns = run_m.x * (ALONG * PER_M) + run_m.y * (ACROSS * PER_M) + per_deviation * dot(slope_of_longer, BENT);
    vec3 rises;
    rises.x = parabolas(turns.x);
    rises.y = parabolas(turns.y + BENT_BY_WAVE * rises.x);
    rises.z = parabolas(turns.z + BENT_BY_WAVE * rises.y);
    rises *= near;
    vec2 slope = (sqrt(SHARE / (3.0 * PARABOLAS_VARIANCE)) * variance * per_deviation) * vec2(dot(rises, ALONG), dot(rises, ACROSS));
    return vec3(slope.x * wind_direction + slope.y * vec2(-wind_direction.y, wind_direction.x), SHARE / 3.0 * variance * dot(near, near));
}
#endif

#if REFLECTIONS
// The scene below where the reflected ray meets it, by ray marching in screen space: radiance as it arrives at the eye,
// and in w whether anything was met.
vec4 screen_space_reflection(vec3 direction, float distance_m, float reflectance) {
    // Ripples that no map holds leave a part of it sharp at most.
    float near = 0.36 - 0.36 * smoothstep(6.0, 18.0, distance_m);
    // Along the ray all is linear before the division.
    vec4 clip = clip_from_world * vec4(p_ws, 1.0);
    vec4 clip_along = clip_from_world * vec4(direction, 0.0);
    float away = dot(p_ws - eye_ws, direction);
    float distance2 = distance_m * distance_m;
    vec2 size = vec2(textureSize(backdrop, 0));
    // Ever longer steps: 22 m in all, or 60.
    const float LONGER = REFLECTION_STEPS < 16 ? 1.30 : 1.22;
    const float FIRST_M = REFLECTION_STEPS < 16 ? 0.30 : 0.25;
    float step_m = FIRST_M;
    float along = 0.15;
    int steps = near * reflectance > 0.02 ? REFLECTION_STEPS : 0;
    vec4 met = vec4(0.0);
    float sure = 0.0;
    float before_m = -1.0;      // how far the last step ended before what is seen there
    float before_there_m = 0.0; // and how far off that is
    for (int i = 0; i < steps; ++i) {
        vec3 at = clip.xyw + along * clip_along.xyw;
        if (max(abs(at.x), abs(at.y)) > 0.9998 * at.z) {
            break;
        }
        vec2 uv = at.xy * (0.5 / at.z) + 0.5;
        float there_m = texelFetch(backdrop, ivec2(uv * size), 0).a;
        float behind_m = sqrt(distance2 + along * (2.0 * away + along)) - there_m;
        // Greatest thickness of a hit.
        float thick_m = 2.0 * step_m + 0.3;
        if (there_m > 0.0 && behind_m > 0.0 && behind_m < thick_m) {
            // Between the two steps, where the ray went in: else each step were a contour.
            float back = before_m > 0.0 ? step_m / LONGER * behind_m / (behind_m + before_m) : 0.0;
            vec3 in_at = at - back * clip_along.xyw;
            met = vec4(in_at.xy * (0.5 / in_at.z) + 0.5, max(there_m - back, 0.0), along - back);
            // Of the place alone: by the step's number it would show the steps.
            float part = log2(1.0 + (along - back) * ((LONGER - 1.0) / FIRST_M)) / (log2(LONGER) * float(REFLECTION_STEPS));
            sure = (1.0 - smoothstep(0.55, 1.0, behind_m / thick_m)) * max((1.0 - part) * (1.0 - part * part), 0.0);
            // A hit before the last step's ground is thin, and met by some steps and missed by others: a hint of it.
            float jump_m = abs(there_m - before_there_m);
            sure *= 1.0 - 0.75 * smoothstep(0.8, 2.0, jump_m / step_m);
            break;
        }
        before_m = there_m > 0.0 ? -behind_m : -1.0;
        before_there_m = there_m;
        along += step_m;
        step_m *= LONGER;
    }
    if (sure == 0.0) {
        return vec4(0.0);
    }
    // By way of the mirror it is farther than by the straight way, on which it was seen.
    float farther = max(distance_m + met.w - met.z, 0.0);
    vec2 rim = 1.0 - smoothstep(vec2(0.38), vec2(0.5), abs(met.xy - 0.5));
    // Waves smaller than a pixel smear the image, the more the farther it is.
    vec3 seen = textureLod(backdrop, met.xy, min(3.0 + 0.40 * distance_m, 6.0) - log2(float(BACKDROP_DIVISOR))).rgb;
    return vec4(seen * transmittance(farther) + mirrored_source * inscatter_path_m(direction, farther), near * sure * rim.x * rim.y);
}
#endif

vec4 from_below(vec3 direction, vec3 up, vec3 calm_up, vec2 slope_of_longer, float unseen_slopes) {
    float cos_in_water = max(dot(direction, up), 1e-3);
#if FINE_DISC
    float bent_by = sqrt(max(1.0 - REFRACTIVE_INDEX * REFRACTIVE_INDEX * (1.0 - cos_in_water * cos_in_water), 0.0))
        - REFRACTIVE_INDEX * cos_in_water;
    vec2 lobe = disc_lobe(slope_spread * unseen_slopes + across_pixel(REFRACTIVE_INDEX * direction + bent_by * up));
#else
    vec2 lobe = smeared_disc;
#endif
    float rim_width = clamp(RIM_WIDTH * sqrt(unresolved_slope_variance), 1e-4, MAX_RIM_WIDTH);
    // Loops of one turn or none: software OpenGL works out both sides of a branch, but leaves a loop.
#if DISPERSION
    const vec3 n = CHANNEL_REFRACTIVE_INDICES;
    vec3 cos2_in_air = max(1.0 - n * n * (1.0 - cos_in_water * cos_in_water), 0.0);
    vec3 cos_in_air = sqrt(cos2_in_air);
    vec3 reflectance = 1.0 - min(cos2_in_air / rim_width, 1.0) * (1.0 - fresnel_of(cos_in_water, cos_in_air, 1.0 / n));
    vec3 seen = vec3(0.0);
    int windows = cos2_in_air.r > 0.0 ? 1 : 0;
    for (int i = 0; i < windows; ++i) {
        vec3 bent = cos_in_air - n * cos_in_water;
        seen = vec3(
            sky_and_key_light(n.r * direction + bent.r * up, lobe).r,
            sky_and_key_light(n.g * direction + bent.g * up, lobe).g,
            sky_and_key_light(n.b * direction + bent.b * up, lobe).b) * (1.0 - reflectance) * n * n;
    }
#else
    const float n = REFRACTIVE_INDEX;
    float cos2_in_air = 1.0 - n * n * (1.0 - cos_in_water * cos_in_water);
    float reflectance = 1.0;
    vec3 seen = vec3(0.0);
    int windows = cos2_in_air > 0.0 ? 1 : 0;
    for (int i = 0; i < windows; ++i) {
        float cos_in_air = sqrt(cos2_in_air);
        reflectance = 1.0 - min(cos2_in_air / rim_width, 1.0) * (1.0 - fresnel_of(cos_in_water, cos_in_air, 1.0 / n));
        // Radiance grows by n^2 as the beam narrows.
        seen = sky_and_key_light(n * direction + (cos_in_air - n * cos_in_water) * up, lobe) * ((1.0 - reflectance) * n * n);
    }
#endif
    // The water below is smooth in direction: two rays from the vertex stand for all.
    vec3 mirror = direction - 2.0 * cos_in_water * up;
    float steep = clamp((-mirror.y - 0.2) / 0.75, 0.0, 1.0);
    vec3 mirrored = mix(mirrored_grazing, mirrored_steep, steep);
#if MIRRORED_NET
    mirrored += mirrored_net(p_ws, direction, rest_m, slope_of_longer) * ray_transmittance;
#endif
#if REFLECTIONS
    // The image by the longer waves: of what each ripple throws elsewhere half a pixel's worth would be noise.
    vec4 met = screen_space_reflection(reflect(direction, -calm_up), distance(p_ws, eye_ws), dot(vec3(reflectance), vec3(1.0 / 3.0)));
    // Where neighbours do not agree the march has guessed: specks and stippled rims.
    float guessed = fwidth(met.a) + fwidth(dot(met.rgb, vec3(1.0 / 3.0))) / max(dot(mirrored, vec3(1.0 / 3.0)), 1e-4);
    float whole = 0.7 - 0.7 * smoothstep(0.06, 0.30, guessed);
#if FOAM
    // A gale tears the image to shreds.
    whole *= 1.0 - clamp((length(wind_m_s) - TEARING_WINDS_M_S.x) / (TEARING_WINDS_M_S.y - TEARING_WINDS_M_S.x), 0.0, 1.0);
#endif
    mirrored = mix(mirrored, met.rgb, whole * met.a);
#endif
    return vec4((seen * ray_transmittance + ray_inscatter * (1.0 - reflectance)) + reflectance * mirrored, 1.0);
}

#if ABOVE
vec4 from_above(vec3 direction, vec3 up, vec2 foam, float unseen_slopes) {
    float cos_in_air = max(-dot(direction, up), 0.02);
    float reflectance = fresnel(cos_in_air, REFRACTIVE_INDEX);
    vec3 mirror = direction + 2.0 * cos_in_air * up;
    // A slope turns the mirrored ray by twice itself along the plane of incidence, across it by the cosine of that: the lobe
    // is as large as of their geometric mean, and stretched.
    float spread = 2.0 * cos_in_air * unseen_slopes;
    float pixel = across_pixel(mirror);
    float stretched = mix(1.0, cos_in_air, spread / (spread + pixel + SUN_DIAMETER * SUN_DIAMETER));
    // Below the horizon a wave mirrors another wave, which mirrors the sky.
    mirror.y = abs(mirror.y);
    vec3 off = mirror - to_key_light_air;
    // Straight on there is no side.
    vec3 across = cross(direction, up);
    float aside = dot(off, across) * inversesqrt(max(dot(across, across), 1e-9));
    float angle2 = stretched * dot(off, off) + (1.0 / stretched - stretched) * aside * aside;
    vec3 seen = reflectance * (sky_radiance(mirror) + key_light_disc(angle2, disc_lobe(spread + pixel)));
    float through = (1.0 - reflectance) / (REFRACTIVE_INDEX * REFRACTIVE_INDEX);
    float hidden = 1.0 - through;
#if REFLECTIONS
    // The scene below is seen where the refracted ray meets it: a slope turns it by a quarter of itself.
    float distance_m = distance(p_ws, eye_ws);
    vec2 uv = gl_FragCoord.xy / vec2(BACKDROP_DIVISOR * textureSize(backdrop, 0));
    float water_m = max(textureLod(backdrop, uv, 0.0).a - distance_m, 0.0);
    vec3 shifted = p_ws + direction * water_m - 0.25 * min(water_m, 4.0) / up.y * vec3(up.x, 0.0, up.z);
    vec4 clip = clip_from_world * vec4(shifted, 1.0);
    vec4 there = textureLod(backdrop, clip.xy / clip.w * 0.5 + 0.5, 0.0);
    if (there.a > distance_m && clip.w > 0.0) {
        seen += through * there.rgb;
        hidden = 1.0;
    }
#endif
    // Foam: bubbles that send back most of the light, the more the thicker they lie.
    vec3 lit = dot(FOAM_REFLECTANCE, vec2(1.0, foam.y)) / PI * (sky_water + key_light_air * max(dot(up, to_key_light_air), 0.0));
    float covered = FOAM_OPACITY.x * foam.x;
    return vec4(mix(seen, lit, covered), mix(hidden, 1.0, covered));
}
#endif

void main() {
    vec3 ripples = short_slope(rest_m);
    vec2 slope_of_longer = slope_of_long;
    float lost = ripples.z;
#if ABOVE || REFLECTIONS
    vec3 middle = middle_slope(rest_m);
    slope_of_longer += middle.xy;
    lost += middle.z;
#endif
    slope_of_longer *= 0.5 + 0.5 * clearness;
    ripples.xy *= clearness;
    vec2 slope = slope_of_longer + ripples.xy;
    vec2 calm = slope - 0.75 * ripples.xy;
#if FINE_DISC
    float unseen_slopes = unresolved_slope_variance;
#else
    const float unseen_slopes = 0.0;
#endif
    vec3 shortest = ripple_slope(rest_m, ripples.xy, p_ws - eye_ws);
    slope += clearness * shortest.xy;
#if FINE_DISC
    unseen_slopes = max(unseen_slopes - shortest.z, 0.0);
#endif
    vec3 up = vec3(-slope.x, 1.0, -slope.y) * inversesqrt(1.0 + dot(slope, slope));
    vec3 direction = normalize(p_ws - eye_ws);
#if FOAM
    vec2 foam = foam_share > 0.02 ? foam_pattern(rest_m) : vec2(0.0);
#else
    const vec2 foam = vec2(0.0);
#endif
#if ABOVE
    if (!gl_FrontFacing) {
        radiance = from_above(direction, up, foam, unseen_slopes + lost);
        radiance.rgb = min(radiance.rgb, HALF_FLOAT_MAX);
        return;
    }
#endif
    radiance = from_below(direction, up, vec3(-calm.x, 1.0, -calm.y) * inversesqrt(1.0 + dot(calm, calm)), slope_of_longer, unseen_slopes + lost);
    // That of the disc may be more than half floats hold.
    radiance.rgb = min(radiance.rgb, HALF_FLOAT_MAX);
#if FOAM
    // From below foam is a sheet of bubbles that lets half of the light through, and less where it lies thick.
    vec3 grey = (sky_water + key_light_water) * (dot(FOAM_TRANSMITTANCE, vec3(1.0, foam)) / PI);
    // Outside the window its patches, bright before the mirrored water, would seem to hang in it: there it is a hint.
    float opacity = FOAM_OPACITY.y * mix(FOAM_ASLANT, 1.0, smoothstep(FOAM_FADES.x, FOAM_FADES.y, direction.y));
    radiance.rgb = mix(radiance.rgb, grey * ray_transmittance + ray_inscatter, opacity * foam.x);
    vec4 plume = plumes(direction, distance(p_ws, eye_ws));
    radiance.rgb = radiance.rgb * (1.0 - plume.a) + plume.rgb * ray_transmittance + ray_inscatter * plume.a;
#endif
}
