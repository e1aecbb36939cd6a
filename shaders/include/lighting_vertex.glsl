// What of the light and of the water is smooth enough to be worked out at vertices. Needs frame.glsl, water_optics.glsl.
// All irradiances are already dimmed by the water between the point and the eye.

#include "caustic_slices.glsl"

out vec3 beam_light;            // of the sun's beam, on a plane facing it
out vec3 light_from_above;      // diffuse
out vec3 light_from_below;
out vec3 ray_inscatter;
out vec2 caustic_uv;
out vec4 caustic_weights;       // of the slices
out vec3 shadow_ts;             // place in the shadow map

// Share of the sun's light that still comes as a beam at a depth: forward scattering blurs it away slowly.
float beam_share(float depth_m) {
    return exp(-beam_blur * depth_m);
}

void light_vertex(vec3 p_ws, vec3 normal_ws) {
    float depth_m = max(-p_ws.y, 0.0);
    vec3 ray = p_ws - eye_ws;
    float wet_m = wet_distance(p_ws);
    vec3 ray_transmittance = transmittance(wet_m);
    ray_inscatter = inscatter(eye_downwelling, ray / max(length(ray), 1e-4), wet_m);

    vec3 fall = downwelling(depth_m) * ray_transmittance;
    float beam = beam_share(depth_m);
    vec3 water = (sky_water + key_light_water) * fall * scattering / attenuation * 0.22;
    // exp(-x) as 1 / (1 + x + x^2 / 2): near enough for light that is mostly gone where they differ.
    vec3 lost = attenuation * max(seabed_depth_m - depth_m, 0.0);
    vec3 bounce = ground_bounce / (1.0 + lost + 0.5 * lost * lost) * ray_transmittance;
    beam_light = key_light_water * key_light_path * fall * beam;
    // What is scattered forward comes from about the sun: the side toward it is the brighter, by how much is set by eye.
    float sunny = key_light_water.g / (key_light_water.g + sky_water.g + 1e-6);
    float toward_key_light = 1.0 + 0.8 * sunny * dot(normal_ws.xz, to_key_light_water.xz);
    light_from_above = ((sky_water + (1.0 - beam) * key_light_water) * fall + water) * toward_key_light;
    // What the water itself sends up: R = 0.33 bb / a (Gordon et al. 1975), of particles 1.8 % backward (Petzold 1972).
    vec3 molecular = min(MOLECULAR, scattering);
    vec3 backward = 0.5 * molecular + 0.018 * (scattering - molecular);
    vec3 upwelling = (sky_water + key_light_water) * fall * 0.33 * backward / max(attenuation - scattering, 1e-3);
    light_from_below = 0.75 * bounce + upwelling;

    caustic_weights = slice_weights(depth_m);
    caustic_uv = (p_ws.xz - to_key_light_water.xz * key_light_path * p_ws.y) / caustic_patch_m;
    shadow_ts = (shadow_from_world * vec4(p_ws + normal_ws * 0.06 + to_key_light_water * 0.10, 1.0)).xyz;
}
