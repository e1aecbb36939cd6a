// Reading the caustic map, one slice a channel.

#include "frame.glsl"

// Weights of the slices at a depth: they blend linearly; just under the surface nothing has focused yet and they sum
// to less than 1. The light there over its mean is 1 + dot(slices - 1, weights).
vec4 slice_weights(float depth_m) {
    vec3 along = clamp((depth_m - caustic_depths_m.xyz) * caustic_spacing.yzw, 0.0, 1.0);
    vec4 weights = vec4(1.0 - along.x, along.x * (1.0 - along.y), along.y * (1.0 - along.z), along.z);
    return weights * clamp(depth_m * caustic_spacing.x, 0.0, 1.0);
}
