// The sea surface, from the wave maps of this instant. Needs frame.glsl.

uniform sampler2D displacement_long;    // x, y, z displacement in m; w: fold (1 flat, < 0 folded)
uniform sampler2D displacement_short;
uniform sampler2D slope_long;           // dy/dx, dy/dz
uniform sampler2D slope_short;

vec3 wave_displacement(vec2 at_m) {
    return textureLod(displacement_long, at_m / patch_long_m, 0.0).xyz
        + textureLod(displacement_short, at_m / patch_short_m, 0.0).xyz;
}

// Slope of the long waves, smooth enough for vertices.
vec2 long_slope(vec2 at_m) {
    return textureLod(slope_long, at_m / patch_long_m, 0.0).xy;
}

// Slope of the short waves, for pixels: fades into the mip maps with distance.
vec2 short_slope(vec2 at_m) {
    return texture(slope_short, at_m / patch_short_m).xy;
}
