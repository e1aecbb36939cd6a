// The sea surface, from the wave maps of this instant.

#include "constants.glsl"

uniform vec3 patches_m;                 // sides of the long, the middle and the short patch
uniform sampler2D displacement_long;    // x, y, z displacement in m; w: Jacobian (1 flat, < 0 folded over)
uniform sampler2D displacement_middle;
uniform sampler2D displacement_short;
uniform sampler2D slope_long;           // dy/dx, dy/dz, the square of both
uniform sampler2D slope_middle;
uniform sampler2D slope_short;

// Displacement with the Jacobian of what is left in w. `fade`: a factor on each of the long, the middle and the short
// waves.
vec4 wave_displacement(vec2 at_m, vec3 fade) {
    const vec4 FLAT = vec4(0.0, 0.0, 0.0, 1.0);
    return FLAT + fade.x * (textureLod(displacement_long, at_m / patches_m.x, 0.0) - FLAT)
        + fade.y * (textureLod(displacement_middle, at_m / patches_m.y, 0.0) - FLAT)
        + fade.z * (textureLod(displacement_short, at_m / patches_m.z, 0.0) - FLAT);
}

// Slope of the long and the middle waves, smooth enough for vertices.
vec2 long_slope(vec2 at_m, vec2 fade) {
    return fade.x * textureLod(slope_long, at_m / patches_m.x, 0.0).xy
        + fade.y * textureLod(slope_middle, at_m / patches_m.y, 0.0).xy;
}

// Slopes for pixels, which fade into the mip maps with distance, and in z the variance that is lost there.
vec3 for_pixel(vec3 slope) {
    return vec3(slope.xy, max(slope.z - dot(slope.xy, slope.xy), 0.0));
}

vec3 middle_slope(vec2 at_m) {
    return for_pixel(texture(slope_middle, at_m / patches_m.y).xyz);
}

vec3 short_slope(vec2 at_m) {
    return for_pixel(texture(slope_short, at_m / patches_m.z).xyz);
}

// Height of the surface over a place: what stands there has come from a little way off.
float surface_height(vec2 at_m) {
    vec2 from_m = at_m;
    for (int i = 0; i < 3; ++i) {
        from_m = at_m - wave_displacement(from_m, vec3(1.0)).xz;
    }
    return wave_displacement(from_m, vec3(1.0)).y;
}

// Degree to which a crest breaks, 0..1. `spilling`: the Jacobians at which it does altogether and at which it begins to.
float breaking(vec2 at_m, vec2 spilling) {
    float jacobian = textureLod(displacement_long, at_m / patches_m.x, 0.0).w
        + textureLod(displacement_middle, at_m / patches_m.y, 0.0).w - 1.0;
    return 1.0 - smoothstep(spilling.x, spilling.y, jacobian);
}
