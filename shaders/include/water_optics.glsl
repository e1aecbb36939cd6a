// The medium: what a ray loses and gains in the water, and how light falls with depth. Each channel's light is the sum of
// two exponentials of depth and of path, a slow one and a fast one: its own spectrum narrows as it goes, and the beam is
// gone before the rest.

#include "constants.glsl"
#include "frame.glsl"

// Transmittance of white light along a ray.
vec3 transmittance(float distance_m) {
    return mix(exp(-attenuation_fast * distance_m), exp(-attenuation_slow * distance_m), white_slow);
}

// Irradiance of the beam at a depth on a plane that faces it: `slow` and `fast` are what is left there of its two parts,
// less what a way to the eye takes, if that is wanted.
vec3 beam_irradiance(float depth_m, vec3 slow, vec3 fast) {
    return max(beam_slow * slow + beam_fast * fast, 0.0) * exp(-beam_depth_attenuation * depth_m);
}

// Downwelling irradiance at a depth.
vec3 irradiance(float depth_m) {
    float below_m = max(depth_m, 0.0);
    return max(total_slow * exp(-depth_attenuation_slow * below_m) + total_fast * exp(-depth_attenuation_fast * below_m), 0.0);
}

// The same over that just below the surface.
vec3 downwelling(float depth_m) {
    return irradiance(depth_m) / max(total_slow + total_fast, vec3(1e-12));
}

// Henyey-Greenstein but for its factor (1 - g^2) / (4 pi).
float lobe(float cos_theta, float g) {
    float d = inversesqrt(1.0 + g * g - 2.0 * g * cos_theta);
    return d * d * d;
}

// Phase function of the particles, 1/sr.
float phase(float cos_theta) {
    float sum = 0.0;
    for (int i = 0; i < PARTICLE_LOBES; ++i) {
        sum += particle_lobes[i].x * lobe(cos_theta, particle_lobes[i].y);
    }
    return sum;
}

// Of source_toward(), what gathers round the key light; but for inscatter_factor.
vec3 source_round_key_light(vec3 direction) {
    vec3 sum = vec3(0.0);
    float cos_key_light = dot(direction, to_key_light_water);
    for (int i = 0; i < KEY_LIGHT_LOBES; ++i) {
        sum += water_terms[i].rgb * lobe(cos_key_light, water_terms[i].w);
    }
    return sum;
}

// Radiance that a metre of water sends back along a ray from the eye, for each unit of eye_downwelling.
vec3 source_toward(vec3 direction) {
    vec3 sum = source_round_key_light(direction) + water_terms[SOURCE_LOBES + 1].rgb
        + smoothstep(WINDOW_EDGE.x, WINDOW_EDGE.y, direction.y) * water_terms[SOURCE_LOBES].rgb;
    for (int i = KEY_LIGHT_LOBES; i < SOURCE_LOBES; ++i) {
        sum += water_terms[i].rgb * lobe(direction.y, water_terms[i].w);
    }
    // Scattering is mostly forward: what comes up from the ground goes on up, and half of it is left for a level ray.
    return inscatter_factor * (max(sum, 0.0) + ground_glow * (1.0 - smoothstep(-0.5, 0.5, direction.y)));
}

// Length that a ray of `distance_m` gathers light from, as the light falls or rises along it and is lost on the way.
vec3 inscatter_path_m(vec3 direction, float distance_m) {
    vec3 rate = max(path_attenuation - path_depth_attenuation * direction.y, vec3(1e-3));
    return (1.0 - exp(-rate * distance_m)) / rate;
}

// Radiance that comes into a ray which leaves a point in `direction` and goes on for `distance_m`. `light` is downwelling()
// where the ray starts; away from the eye's depth the water's own light is taken to keep its distribution.
vec3 inscatter(vec3 light, vec3 direction, float distance_m) {
    return source_toward(direction) * light * inscatter_path_m(direction, distance_m);
}

// Length of the water along a ray from the eye: to a level sea or to the far plane.
float to_level_sea(vec3 direction) {
    return direction.y > 0.0 ? min(far_m, max(-eye_ws.y, 0.05) / max(direction.y, 1e-3)) : far_m;
}

// Share of the way to the eye under water, taking the sea as level.
float underwater_path_m(vec3 p_ws) {
    float distance_m = distance(p_ws, eye_ws);
    return eye_ws.y > 0.0 ? distance_m * clamp(-p_ws.y / (eye_ws.y - p_ws.y), 0.0, 1.0) : distance_m;
}

// Radiance at the eye of `radiance` at `p_ws`.
vec3 through_water(vec3 radiance, vec3 p_ws) {
    vec3 ray = p_ws - eye_ws;
    float path_m = underwater_path_m(p_ws);
    return radiance * transmittance(path_m) + inscatter(eye_downwelling, ray / max(length(ray), 1e-4), path_m);
}
