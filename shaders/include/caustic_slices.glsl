// Reading the caustic map, one slice a channel. DISPERSION: the net stands out more than by its share of the light.

#include "frame.glsl"

// Place in the map of the beam that comes to a point; linear in the point.
vec2 caustic_place(vec3 p_ws) {
    return (p_ws.xz - to_key_light_water.xz * key_light_path * p_ws.y) / caustic_patch_m;
}

// Weights of the slices at a depth: they blend linearly; just under the surface nothing has focused yet and they sum
// to less than 1. The light there over its mean is 1 + dot(slices - 1, weights).
vec4 slice_weights(float depth_m) {
    vec3 along = clamp((depth_m - caustic_depths_m.xyz) * caustic_spacing.yzw, 0.0, 1.0);
    vec4 weights = vec4(1.0 - along.x, along.x * (1.0 - along.y), along.y * (1.0 - along.z), along.z);
    return weights * clamp(depth_m * caustic_spacing.x, 0.0, 1.0);
}

// No cell of the net of light is darker than this, over its mean.
const float DARKEST = 0.15;

#if DISPERSION
// Gain of the net of light over its share of the light, at each of the depths, m: an eye follows it where
// it moves, and a camera is set for it. By eye.
const vec3 NET_DEPTHS_M = vec3(2.0, 7.0, 22.0);
const vec3 NET_CONTRAST = vec3(1.2, 2.2, 3.4);
#endif

float net_contrast(float depth_m) {
#if DISPERSION
    float stands_out = mix(NET_CONTRAST.x, NET_CONTRAST.y, smoothstep(NET_DEPTHS_M.x, NET_DEPTHS_M.y, depth_m));
    return mix(stands_out, NET_CONTRAST.z, smoothstep(NET_DEPTHS_M.y, NET_DEPTHS_M.z, depth_m));
#else
    return 1.0;
#endif
}
