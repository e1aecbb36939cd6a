// Skin of fish: scales in relief, as procedural bump mapping.

#include "tangents.glsl"

uniform vec4 scales;            // factors of u, u^2 and v that count scales and rows, and the relief

// Overlapping scales in brick bond, each an arched plate whose hind rim drops to the next. Bends the unit normal n and
// gives what is left of the specular light, and how each scale is set: -0.5 to 0.5.
vec2 lay_scales(vec2 uv, vec3 p_ws, inout vec3 n) {
    float rows = scales.z * uv.y;
    float row = floor(rows);
    float y = rows - row - 0.5;
    float along = uv.x * (scales.x + scales.y * uv.x) + 0.5 * mod(row, 2.0) + 2.0 * y * y;
    float cell = floor(along);
    float x = along - cell;
    // They dissolve before they are as small as pixels.
    vec2 footprint = fwidth(vec2(scales.x * uv.x, rows));
    float shown = scales.w * (1.0 - smoothstep(0.12, 0.45, max(footprint.x, footprint.y)));
    // Each is set a little differently.
    vec2 variation = fract(sin(vec2(cell, row) * mat2(12.9898, 78.233, 39.346, 11.135)) * 43758.5453) - 0.5;
    float rim = smoothstep(SCALE_RIM.x, SCALE_RIM.y, x);
    vec2 slope = vec2(0.45 * (x - 0.45) + 0.9 * rim, 0.38 * y) + 0.20 * variation;
    vec3 tangent, bitangent;
    uv_tangents(n, p_ws, uv, tangent, bitangent);
    tangent *= inversesqrt(max(dot(tangent, tangent), 1e-20));
    bitangent *= inversesqrt(max(dot(bitangent, bitangent), 1e-20));
    n = normalize(n + shown * (slope.x * tangent + slope.y * bitangent));
    return vec2(1.0 - 0.55 * shown * rim, shown * variation.x);
}
