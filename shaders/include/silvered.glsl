// Reflection of skin of which a part is a mirror.

uniform float mirror_reflectance;   // share of light that is mirrored where no pigment lies over it

const float MIRROR_PURE = 0.25;      // how little pigment colours what is mirrored; by eye
const float MIRROR_HIDES = 0.8;     // share of what the skin scatters that it mirrors instead; by eye

// Radiance of a flank of which a part is mirrored, and the rest scattered. Pigment lies over the platelets: only pale skin
// mirrors.
vec3 with_silver(vec3 scattered, vec3 pigment, vec3 mirrored) {
    float mirror = mirror_reflectance * smoothstep(0.04, 0.26, pigment.g);
    return scattered * (1.0 - MIRROR_HIDES * mirror) + mirror * mix(pigment, vec3(1.0), MIRROR_PURE) * mirrored;
}
