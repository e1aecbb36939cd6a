// A ring on the sea: what its slopes show of sky and water, over the surface as surface.frag.glsl draws it without. From
// below and from above.
#include "constants.glsl"
#include "environment.glsl"
#include "frame.glsl"
#include "water_optics.glsl"
#include "waves.glsl"
#if MIRRORED_NET
#include "mirrored_net.glsl"
#endif

in vec3 p_ws;
in vec2 offset_m;
in vec2 rest_m;
in vec2 slope_of_long;
flat in vec3 ring;
out vec4 radiance;

// Variance of the slopes that no map holds, rad^2; by eye.
const float SMEAR = 0.02;
// Share of the key light's disc that is drawn.
const float MAX = 2.0;
// Slope that hides what the surface looks like without the ring.
const float HIDING_SLOPE = 0.12;

// Radiance, and the share of what is behind that it hides; `ripples`: the short waves' part of the slope.
vec4 seen_by(vec3 direction, vec2 slope, vec2 ripples) {
    vec3 up = vec3(-slope.x, 1.0, -slope.y) * inversesqrt(1.0 + dot(slope, slope));
    vec2 lobe = disc_lobe(SMEAR);
    if (direction.y < 0.0) {
        vec3 mirror = reflect(direction, up);
        mirror.y = abs(mirror.y);
        float reflectance = fresnel(max(-dot(direction, up), 0.02), REFRACTIVE_INDEX);
        return vec4(reflectance * min(sky_radiance(mirror) + key_light_disc(mirror, lobe), MAX), reflectance);
    }
    float reflectance = fresnel(max(dot(direction, up), 1e-3), 1.0 / REFRACTIVE_INDEX);
    vec3 mirror = reflect(direction, -up);
    vec3 mirrored = radiance_from_below(vec3(p_ws.x, 0.0, p_ws.z), vec3(mirror.x, min(mirror.y, -0.05), mirror.z));
#if MIRRORED_NET
    mirrored += mirrored_net(p_ws, direction, rest_m, slope - ripples);
#endif
    vec3 seen = reflectance * mirrored;
    if (reflectance < 1.0) {
        vec3 refracted = refract(direction, -up, REFRACTIVE_INDEX);
        seen += (1.0 - reflectance) * REFRACTIVE_INDEX * REFRACTIVE_INDEX * min(sky_radiance(refracted) + key_light_disc(refracted, lobe), MAX);
    }
    float distance_m = distance(p_ws, eye_ws);
    return vec4(seen * transmittance(distance_m) + inscatter(eye_downwelling, direction, distance_m), 1.0);
}

void main() {
    float distance_m = length(offset_m);
    float at = (distance_m - ring.x) / ring.y;
    float envelope = exp(-at * at) - exp(-2.56);
    if (envelope <= 0.0) {
        discard;
    }
    vec2 outward = offset_m / max(distance_m, 1e-4);
    float steepest = ring.z * envelope;
    vec2 ripples = short_slope(rest_m).xy;
    vec2 slope = slope_of_long + middle_slope(rest_m).xy + ripples + outward * (steepest * cos(TAU * at));
    vec3 direction = normalize(p_ws - eye_ws);
    radiance = seen_by(direction, slope, ripples) * min(steepest / HIDING_SLOPE, 1.0);
}
