// Light shafts: the view ray is marched through the caustic map and the shadow map, single scattering. Only what differs
// from the mean beam is added, since the mean is in inscatter() already; of artificial lights all is added, in clouds of
// silt.
// Low resolution. Writes radiance, which may be negative, and in alpha the linear view depth of what is seen, m.
#include "frame.glsl"
#include "water_optics.glsl"
#include "caustic_slices.glsl"
#if LIGHTS
#include "lamps.glsl"
#endif

uniform sampler2D caustic_map;
#if SHADOWS || LAMP_SHADOWS
uniform sampler2DShadow shadow_map;
#endif
uniform sampler2D scene_depth;
uniform int steps;

in vec2 uv;
out vec4 radiance;

// Gain of the shafts over their share of the light, across the beam and toward the sun, where they would be
// a star's rays: an eye follows them where they move. By eye; the mean is kept but where shade would take more light than
// there is.
const vec2 SHAFT_CONTRAST = vec2(6.5, 4.0);
// Cosines of the angle to the sun between which the one gives way to the other.
const vec2 SUNWARD = vec2(0.88, 0.99);
// A coarser level of the map: a shaft is as wide as the blur of its bundle, and as the steps can tell, which are many where
// shadows have many taps.
const float LEVEL = SHADOW_TAPS > 32 ? 2.0 : 3.0;

#if LIGHTS
// Gain of a torch's beam over its share of the light, as the sun's do. By eye.
const float TORCH_CONTRAST = 1.2;
// Gain of the halo of a light that shines all round: its carrier is to be seen, not it. By eye.
const float HALO_CONTRAST = 0.5;
// Softening length of a torch's inverse square in the water, m: the beam of a reflector is not brightest where it is
// thinnest. By eye.
const float REFLECTOR_M = 0.16;
// Cosines of the turn from a cone's light to the eye between which the scene's gain of its beam falls back to 1: who looks
// into a torch is dazzled by it as it is.
const vec2 ONWARD = vec2(0.3, 0.9);
// Light that goes on to the eye is counted as if it were turned by so much at least, cosine: its peak is finer than steps.
const float MIN_TURN = 0.988;

// Wave number of the larger clouds of silt that a beam shows, rad/m. By eye.
const float SILT_WAVES = 5.0;
// Amplitude of what they hold over the mean. By eye; less than 0.31, or there were places with less than none.
const float SILT_VARIES = 0.3;

// Silt at a place over the mean of all places. It drifts and sinks with the snow.
float silt(vec3 p_ws) {
    vec3 at = SILT_WAVES * (p_ws - snow_drift);
    at += 1.3 * sin(1.7 * at.yzx);
    vec3 wave = sin(at) + 0.5 * sin(2.9 * at.zxy);
    return 1.0 + SILT_VARIES * (wave.x * wave.y + 0.6 * wave.z);
}

// Factor on what the water scatters of light `i` at a place so far from it; `onward` is the cosine of its turn to the
// eye.
float seen_of_beam(int i, vec3 p_ws, float lamp_m, float onward) {
    float gain = light_direction[i].w;
    if (light_place[i].w <= -1.0) {
        return HALO_CONTRAST * gain;
    }
    float spread = lamp_m / (lamp_m + REFLECTOR_M);
    return TORCH_CONTRAST * mix(gain, 1.0, smoothstep(ONWARD.x, ONWARD.y, onward)) * spread * spread * silt(p_ws);
}

// Light of a lamp on the ray's first `reach_m`, of which the water scatters a share toward the eye. Equal steps of the
// angle at the lamp: near it, where it is bright, they are short (Kulla & Fajardo 2012), and the phase function's peak, which
// lies far before it, has steps of its own. Nearer than `aside` to the ray it gets no brighter: a lamp has a size, and so has
// a texel.
vec3 thrown_into_ray(int lamp, vec3 direction, float reach_m, float texel_angle, float jitter) {
    vec3 toward;
    float lamp_m;
    lamp_at(lamp, eye_ws, 1e-3, toward, lamp_m);
    float nearest_m = lamp_m * dot(toward, direction);
    float least_m = light_place[lamp].w > -1.0 ? 0.04 : 0.012;      // a torch's reflector; a lure's bulb
    float aside = max(length(lamp_m * toward - nearest_m * direction), max(least_m, 1.4 * texel_angle * lamp_m));
    float from = atan(-nearest_m / aside);
    float each = (atan((reach_m - nearest_m) / aside) - from) / float(steps);
    vec3 sum = vec3(0.0);
    for (int i = 0; i < steps; ++i) {
        float angle = from + (float(i) + jitter) * each;
        float along_m = nearest_m + aside * tan(angle);
        vec3 p = eye_ws + along_m * direction;
        vec3 arriving = lamp_at(lamp, p, 1e-3, toward, lamp_m);
#if LAMP_SHADOWS
        float away_m;
        arriving *= lamp == 0 ? textureLod(shadow_map, lamp_shadow_place(p, away_m), 0.0) : 1.0;
#endif
        arriving *= max(lamp_m * lamp_m, 1e-6) * transmittance(lamp_m + along_m);
        if (max(arriving.r, max(arriving.g, arriving.b)) > 0.0) {
            float onward = -MIN_TURN * sin(angle);
            sum += arriving * phase(onward) * seen_of_beam(lamp, p, lamp_m, onward);
        }
    }
    return sum * (each / aside);
}
#endif

void main() {
    float depth = texture(scene_depth, uv).r;
    vec4 end_ws = world_from_clip * vec4(uv * 2.0 - 1.0, depth * 2.0 - 1.0, 1.0);
    vec3 ray = end_ws.xyz / end_ws.w - eye_ws;
    float distance_m = length(ray);
    vec3 direction = ray / distance_m;
    float reach = min(distance_m, shaft_reach_m);
    if (direction.y > 0.0) {
        reach = min(reach, max(-eye_ws.y, 0.0) / max(direction.y, 1e-3));
    }
    float sunward = dot(direction, to_key_light_water);
    float scattered = phase(sunward);
    float shaft_contrast = mix(SHAFT_CONTRAST.x, SHAFT_CONTRAST.y, smoothstep(SUNWARD.x, SUNWARD.y, sunward));
    float step_m = reach / float(steps);
    // Bayer's 4 x 4 order: every block of 16 pixels holds each start once.
    ivec2 cell = ivec2(gl_FragCoord.xy) & 3;
    ivec2 low = cell & 1;
    ivec2 high = cell >> 1;
    int order = (low.x ^ low.y) * 8 + low.y * 4 + (high.x ^ high.y) * 2 + high.y;
    float jitter = (float(order) + 0.5) / 16.0;
    // Depth is linear along the ray, so what is left of the light at each step is a geometric series.
    vec3 rate = path_attenuation - eye_beam_fall * direction.y;
    vec3 left = exp(-rate * step_m * jitter);
    vec3 each = exp(-rate * step_m);
    // Linear along the ray: the place in the caustic map and in the shadow map.
    vec3 p = eye_ws + direction * (jitter * step_m);
    vec3 p_each = direction * step_m;
    vec2 caustic_uv = caustic_place(p);
    vec2 caustic_each = caustic_place(p_each);
#if SHADOWS
    vec3 shadow_ts = (shadow_from_world * vec4(p, 1.0)).xyz;
    vec3 shadow_each = mat3(shadow_from_world) * p_each;
#endif
    vec3 sum = vec3(0.0);
    for (int i = 0; i < steps; ++i) {
#if CAUSTICS
        vec4 slices = textureLod(caustic_map, caustic_uv, LEVEL);
        caustic_uv += caustic_each;
        float beam = shaft_contrast * dot(slices - 1.0, slice_weights(max(-p.y, 0.0)));
#if SHADOWS
        bool inside = all(lessThan(abs(shadow_ts - 0.5), vec3(0.5)));
        beam = inside ? (1.0 + beam) * textureLod(shadow_map, shadow_ts, 0.0) - 1.0 : beam;
        shadow_ts += shadow_each;
#endif
        sum += beam * left;
#endif
        left *= each;
        p += p_each;
    }
    vec3 added = inscatter_factor * scattering * step_m * eye_beam * scattered * sum;
    // Shade takes no more than inscatter() gave, which counts the peak of the phase function as not scattered.
    vec3 given = min(inscatter_factor * source_round_key_light(direction), source_toward(direction));
    added = max(added, -max(given, 0.0) * eye_downwelling * inscatter_path_m(direction, reach));
#if LIGHTS
    float texel_angle = length(dFdx(direction));
    for (int lamp = 0; lamp < int(light_count); ++lamp) {
        added += inscatter_factor * scattering * thrown_into_ray(lamp, direction, reach, texel_angle, jitter);
    }
#endif
    radiance = vec4(added, 1.0 / end_ws.w);
}
