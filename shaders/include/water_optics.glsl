// The medium: what a ray loses and gains in the water, and how light falls with depth.
// Beer-Lambert attenuation c along a ray; diffuse attenuation Kd with depth; single scattering of downwelling light in
// closed form.

#include "constants.glsl"
#include "frame.glsl"

vec3 transmittance(float distance_m) {
    return exp(-attenuation * distance_m);
}

// Irradiance at a depth over that just below the surface.
vec3 downwelling(float depth_m) {
    return exp(-diffuse_attenuation * max(depth_m, 0.0));
}

// Irradiance of the key light's beam on a plane facing it, just below the surface.
vec3 beam_irradiance() {
    return key_light_water * key_light_path;
}

// Henyey-Greenstein, 1/sr.
float phase(float cos_theta, float g) {
    float d = 1.0 + g * g - 2.0 * g * cos_theta;
    return (1.0 - g * g) / (4.0 * PI * d * sqrt(d));
}

// What the particles scatter out of a beam, after the several scatterings on the way to the eye, 1/sr. FOURNIER_FORAND:
// theirs, else Henyey's and Greenstein's.
float broadened_phase(float cos_theta) {
#if FOURNIER_FORAND
    float at = float(PHASE_LAST) * sqrt(clamp(0.5 - 0.5 * cos_theta, 0.0, 1.0));
    int from = min(int(at), PHASE_LAST - 1);
    int to = from + 1;
    return mix(phase_table[from >> 2][from & 3], phase_table[to >> 2][to & 3], at - float(from));
#else
    return phase(cos_theta, broadened_asymmetry);
#endif
}

// Radiance that the water sends back per unit of path and of light at that depth, 1/m/sr per channel.
vec3 source_toward(vec3 direction) {
    vec3 beam = beam_irradiance();
    float cos_key_light = dot(direction, to_key_light_water);
    const float UNIFORM = 0.25 / PI;
    // Molecules scatter alike forward and backward.
    float molecular_phase = MOLECULAR_PHASE * (1.0 + MOLECULAR_PHASE_RISE * cos_key_light * cos_key_light);
    vec3 of_molecules = molecular_scattering * (beam * molecular_phase + sky_water * (SKY_SCALAR_IRRADIANCE * UNIFORM));
    vec3 of_particles = (scattering - molecular_scattering)
        * (beam * broadened_phase(cos_key_light) + sky_water * (UNIFORM * (1.0 + SKY_FORWARD_RISE * direction.y)));
    return inscatter_factor * (of_molecules + of_particles);
}

// Radiance scattered into a ray that leaves a point in `direction` and goes on for `distance_m`.
// Integral of b p E(0) exp(-Kd depth(t)) exp(-v t) dt with depth(t) = depth(0) - direction.y t and v = path_attenuation.
// `light` is downwelling() where the ray starts.
vec3 inscatter(vec3 light, vec3 direction, float distance_m) {
    vec3 rate = max(path_attenuation - diffuse_attenuation * direction.y, vec3(1e-3));
    vec3 path = (1.0 - exp(-rate * distance_m)) / rate;
    return source_toward(direction) * light * path;
}

// How far the water goes on along a ray from the eye: to a level sea or to the far plane.
float to_level_sea(vec3 direction) {
    return direction.y > 0.0 ? min(far_m, max(-eye_ws.y, 0.05) / max(direction.y, 1e-3)) : far_m;
}

// How much of the way to the eye is under water, taking the sea as level.
float underwater_path_m(vec3 p_ws) {
    float distance_m = distance(p_ws, eye_ws);
    return eye_ws.y > 0.0 ? distance_m * clamp(-p_ws.y / (eye_ws.y - p_ws.y), 0.0, 1.0) : distance_m;
}

// What is seen of `radiance` at `p_ws` from the eye.
vec3 through_water(vec3 radiance, vec3 p_ws) {
    vec3 ray = p_ws - eye_ws;
    float path_m = underwater_path_m(p_ws);
    return radiance * transmittance(path_m) + inscatter(eye_downwelling, ray / max(length(ray), 1e-4), path_m);
}
