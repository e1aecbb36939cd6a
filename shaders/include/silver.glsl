// Silver of fish, worked out at vertices: anisotropic specular reflection of the key light, a mirror image of the water all
// round, and the iridescence of thin films.

#include "constants.glsl"
#include "frame.glsl"
#include "water_optics.glsl"

out vec3 mirrored_water;        // radiance all round that the flank mirrors toward the eye, as it arrives there
out vec3 mirrored_key_light;    // share of the beam's irradiance that it mirrors toward the eye, 1/sr

// Spread of the platelets' slopes, along the body and up and down; by eye.
const vec2 PLATELET_SPREAD = vec2(0.38, 0.17);
// Radiance of the window overhead over the sky's irradiance under water: all comes from within Snell's cone.
const float WINDOW_RADIANCE = REFRACTIVE_INDEX * REFRACTIVE_INDEX / PI;

// Platelets of guanine stand upright in the scales however the belly curves (Denton 1970): a flank is a mirror on edge. It
// shows the water beside it while the fish is level, and the sun and the window overhead as it rolls.
// `side` is the body's right, `variation` the animal's: no two are set quite alike.
void reflect_from_silver(vec3 p_ws, vec3 n, vec3 side, float variation) {
    vec3 upright = dot(n, side) < 0.0 ? -side : side;
    vec3 m = normalize(n + 0.9 * upright + vec3(0.0, 0.9 * (variation - 0.5), 0.0));
    vec3 to_eye = eye_ws - p_ws;
    to_eye /= max(length(to_eye), 1e-3);
    float cosine = dot(m, to_eye);
    vec3 r = 2.0 * cosine * m - to_eye;
    float depth_m = max(-p_ws.y, 0.0);
    float to_end = r.y > 0.0 ? depth_m / max(r.y, 0.05) : max(seabed_depth_m - depth_m, 0.0) / max(-r.y, 0.05);
    // It swims about as deep as the eye is.
    vec3 light = eye_downwelling;
    vec3 around = inscatter(light, r, min(to_end, far_m));
    around += light * sky_water * (WINDOW_RADIANCE * smoothstep(0.48, 0.80, r.y));
    around += ground_bounce / PI * exp(-attenuation_slow * to_end) * (1.0 - smoothstep(-0.3, 0.0, r.y));
    // Seen from before or behind, one platelet hides the next.
    float broadside = smoothstep(0.05, 0.65, abs(dot(to_eye, side)));
    // Ward's anisotropic lobe (1992): wide along the body, narrow across it.
    vec3 h = normalize(to_eye + to_key_light_water);
    vec3 fore = normalize(vec3(-side.z, 0.0, side.x) + 1e-4);
    float out_of = max(dot(h, m), 0.1);
    vec2 slope = vec2(dot(h, fore), dot(h, cross(m, fore))) / (PLATELET_SPREAD * out_of);
    float lobe = exp(-dot(slope, slope)) / (4.0 * PI * PLATELET_SPREAD.x * PLATELET_SPREAD.y);
    // Iridescence of stacks of thin films: rose, gold and green as the angle changes.
    vec3 film = 1.0 + 0.24 * cos(2.0 * PI * (1.6 * cosine + 0.7 * n.y + vec3(0.0, 0.36, 0.68)));
    // The far flank reflects away from the eye; its vertices bear the triangles of the outline, too.
    film *= broadside * smoothstep(0.0, 0.25, cosine);
    // The belly's skin is not on edge: it is white.
    film *= smoothstep(0.05, 0.45, abs(dot(n, side)));
    mirrored_water = film * around * exp(-attenuation_slow * underwater_path_m(p_ws));
    mirrored_key_light = dot(m, to_key_light_water) > 0.0 ? film * lobe : vec3(0.0);
}
