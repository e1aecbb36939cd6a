// What of the light and of the water is smooth enough to be worked out at vertices.
// All irradiances are already dimmed by the water between the point and the eye.

#include "caustic_slices.glsl"
#include "constants.glsl"
#include "frame.glsl"
#include "water_optics.glsl"

out vec3 beam_light;            // of the key light's beam, on a plane facing it
out vec3 light_from_above;      // diffuse
out vec3 light_from_below;
out vec3 added_radiance;        // on the way to the eye: in-scattered
out vec2 caustic_uv;
out vec4 caustic_weights;       // of the slices
out vec3 shadow_ts;             // place in the shadow map

// Share of the key light that still comes as a beam at a depth: forward scattering blurs it away slowly.
float beam_share(float depth_m) {
    return exp(-beam_blur * depth_m);
}

void light_vertex(vec3 p_ws, vec3 normal_ws) {
    float depth_m = max(-p_ws.y, 0.0);
    vec3 ray = p_ws - eye_ws;
    float path_m = underwater_path_m(p_ws);
    vec3 ray_transmittance = transmittance(path_m);
    added_radiance = inscatter(eye_downwelling, ray / max(length(ray), 1e-4), path_m);

    vec3 fall = downwelling(depth_m) * ray_transmittance;
    float beam = beam_share(depth_m);
    vec3 down = (sky_water + key_light_water) * fall;
    // exp(-x) as 1 / (1 + x + x^2 / 2): near enough for light that is mostly gone where they differ.
    vec3 lost = attenuation * max(seabed_depth_m - depth_m, 0.0);
    vec3 bounce = ground_bounce / (1.0 + lost + 0.5 * lost * lost) * ray_transmittance;
    beam_light = beam_irradiance() * fall * beam;
    // What is scattered forward comes from about the key light: the side toward it is the brighter.
    float directed = key_light_water.g / (key_light_water.g + sky_water.g + 1e-6);
    float side = 1.0 + AMBIENT_TOWARD_KEY_LIGHT * directed * dot(normal_ws.xz, to_key_light_water.xz);
    light_from_above = ((sky_water + (1.0 - beam) * key_light_water) * fall + down * ambient_share) * side;
    light_from_below = GROUND_LIGHT_SHARE * bounce + down * water_reflectance;

    caustic_weights = slice_weights(depth_m);
    caustic_uv = (p_ws.xz - to_key_light_water.xz * key_light_path * p_ws.y) / caustic_patch_m;
    shadow_ts = (shadow_from_world * vec4(p_ws + normal_ws * 0.06 + to_key_light_water * 0.10, 1.0)).xyz;
}
