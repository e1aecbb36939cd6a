// Specular reflection of wet skin and of metal: one lobe of the key light and the water all round. Shares of the water
// are by eye.

#include "constants.glsl"
#include "frame.glsl"

// Radiance toward the eye over the reflectance: of `beam`, the key light's irradiance on the surface, in a lobe, and of
// `ambient` from the water all round. `reflectance`: seen straight on, a mean will do. METAL: it may be much.
vec3 skin_specular(vec3 n, vec3 to_eye, vec3 beam, vec3 ambient, vec3 reflectance, float shininess) {
    // Blinn-Phong, normalised so that the lobe's energy does not depend on the exponent. The power is written as an
    // exponential, its like where it is bright, at half the cost on a CPU.
    float aligned = max(dot(n, normalize(to_eye + to_key_light_water)), 0.0);
    float lobe = (shininess + 8.0) / (8.0 * PI) * exp2(LOG2_E * max(shininess, 1.0) * (aligned - 1.0));
    float cos_eye = max(dot(n, to_eye), 0.0);
    float rim = (1.0 - cos_eye) * (1.0 - cos_eye);
    // The water all round, and the bright window overhead once a side rolls far enough.
    float mirrored_up = 2.0 * dot(n, to_eye) * n.y - to_eye.y;
    float around = 0.55 + 2.2 * smoothstep(0.45, 0.85, mirrored_up);
#if METAL
    // A rough surface mirrors all that it faces at once: 2 / (shininess + 2) is the mean square of its slopes. A good mirror
    // has less to add at the rim.
    around = mix(around, 1.0, 2.0 / (shininess + 2.0));
    return beam * lobe + ambient * (INVERSE_PI * (around + 2.0 * rim * rim * (1.0 - reflectance)));
#else
    return beam * lobe + ambient * ((around + 2.0 * rim * rim) / PI);
#endif
}
