// Skin of fish: scales in relief, and the silver of guanine.

#if SCALED
uniform vec4 scales;            // factors of u, u^2 and v that count scales and rows, and the relief

// Overlapping scales in brick bond, each an arched plate whose hind rim drops to the next. Bends the unit normal n and
// gives what is left of the gloss.
float lay_scales(vec2 uv, vec3 p_ws, inout vec3 n) {
    float rows = scales.z * uv.y;
    float row = floor(rows);
    float y = rows - row - 0.5;
    float along = uv.x * (scales.x + scales.y * uv.x) + 0.5 * mod(row, 2.0) + 2.0 * y * y;
    float cell = floor(along);
    float x = along - cell;
    // They dissolve before they are as small as pixels.
    vec2 footprint = fwidth(vec2(scales.x * uv.x, rows));
    float shown = scales.w * smoothstep(0.45, 0.12, max(footprint.x, footprint.y));
    // Each is set a little differently.
    vec2 own = fract(sin(vec2(cell, row) * mat2(12.9898, 78.233, 39.346, 11.135)) * 43758.5453) - 0.5;
    float rim = smoothstep(0.72, 0.95, x);
    vec2 slope = vec2(0.45 * (x - 0.45) + 0.9 * rim, 0.7 * y) + 0.22 * own;
    // Tangents from what neighbouring pixels differ by (Mikkelsen 2010).
    vec3 p_x = dFdx(p_ws);
    vec3 p_y = dFdy(p_ws);
    vec2 uv_x = dFdx(uv);
    vec2 uv_y = dFdy(uv);
    vec3 across_x = cross(n, p_x);
    vec3 across_y = cross(p_y, n);
    vec3 tangent = across_y * uv_x.x + across_x * uv_y.x;
    vec3 bitangent = across_y * uv_x.y + across_x * uv_y.y;
    tangent *= inversesqrt(max(dot(tangent, tangent), 1e-20));
    bitangent *= inversesqrt(max(dot(bitangent, bitangent), 1e-20));
    n = normalize(n + shown * (slope.x * tangent + slope.y * bitangent));
    return 1.0 - 0.55 * shown * rim;
}
#endif

#if SILVER
flat in vec3 side_ws;           // the body's right
uniform float sheen;            // share of light that is mirrored where no pigment lies over it

// Spread of the platelets' slopes: along the body and up and down.
const vec2 PLATELET_SPREAD = vec2(0.42, 0.17);

// What the skin mirrors toward the eye, times INVERSE_PI its radiance: all round, and the sun. Platelets of guanine stand
// upright in the scales however the belly curves (Denton 1970), so the flank is a mirror on edge: of the water beside it
// while the fish is level, of the sun and the window overhead when it rolls.
vec3 silver(vec3 n, vec3 to_eye, vec3 sun) {
    vec3 upright = dot(n, side_ws) < 0.0 ? -side_ws : side_ws;
    vec3 m = normalize(n + 0.6 * upright);
    float cosine = dot(m, to_eye);
    vec3 r = 2.0 * cosine * m - to_eye;
    vec3 around = diffuse_light(r) * (0.65 + 2.4 * smoothstep(0.35, 0.8, r.y));
    vec3 h = normalize(to_eye + to_sun_water);
    vec3 fore = normalize(vec3(-side_ws.z, 0.0, side_ws.x) + 1e-4);
    // Ward's lobe (1992): wide along the body, narrow across it.
    vec2 slope = vec2(dot(h, fore), dot(h, cross(m, fore))) / (PLATELET_SPREAD * max(dot(h, m), 0.1));
    float lobe = exp(-dot(slope, slope)) * 0.25 / (PLATELET_SPREAD.x * PLATELET_SPREAD.y);
    // Stacks of thin films: a breath of pink and green as the angle changes.
    vec3 film = 1.0 + 0.14 * cos(6.2831853 * (1.7 * cosine + vec3(0.0, 0.36, 0.68)));
    return film * (around + sun * lobe);
}
#endif
