// Eyeshine: a mirror behind the retina, the tapetum, sends a lamp's light back through the lens that has focused it, toward
// the lamp. Only an eye close to the beam sees it. Gold-green, as plates of guanine are in sharks and rays (Denton & Nicol 1964).

#include "constants.glsl"
#include "frame.glsl"
#include "lamps.glsl"
#include "water_optics.glsl"

// Half the angle of the cone in which the light comes back, rad: the lens's blur, twice passed. By eye.
const float RETURN_CONE = 0.05;
const vec3 TAPETUM_COLOUR = vec3(0.80, 1.00, 0.42);
// Greatest channel of a black texel, of 1, as encoded.
const float PUPIL_BLACK = 0.06;

// Whether a texel is a pupil. Of the texture at its finest: farther off a pupil would be lost in the iris.
bool is_pupil(sampler2D map, vec2 uv) {
    vec3 texel = textureLod(map, uv, 0.0).rgb;
    return max(texel.r, max(texel.g, texel.b)) < PUPIL_BLACK;
}

// Radiance that pupils at `p_ws` send to the eye, as it arrives: `share` of the light of each lamp that is near the line of
// sight, spread over the cone in which it comes back.
vec3 eyeshine(vec3 p_ws, float share) {
    vec3 to_eye = eye_ws - p_ws;
    float distance_m = length(to_eye);
    to_eye /= max(distance_m, 1e-3);
    vec3 sum = vec3(0.0);
    for (int i = 0; i < int(light_count); ++i) {
        vec3 toward;
        float lamp_m;
        vec3 arriving = lamp_at(i, p_ws, lamp_nearest_m(i), toward, lamp_m);
        // The squared angle between them, small as it is.
        float apart = 2.0 * (1.0 - dot(toward, to_eye));
        float lobe = exp2(-LOG2_E * apart / (RETURN_CONE * RETURN_CONE)) / (PI * RETURN_CONE * RETURN_CONE);
        sum += arriving * transmittance(lamp_m + distance_m) * lobe;
    }
    return share * TAPETUM_COLOUR * sum;
}
