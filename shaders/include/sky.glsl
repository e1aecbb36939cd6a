// The sky, in air: for every ray that leaves the water and for every eye above it. Radiance.
// SKY_CLOUDS, SKY_STARS: whether they are seen; a shader that does not say goes without.

#ifndef SKY_CLOUDS
#define SKY_CLOUDS 0
#endif
#ifndef SKY_STARS
#define SKY_STARS 0
#endif

#include "constants.glsl"
#include "frame.glsl"
#if SKY_CLOUDS
#include "clouds.glsl"
#endif
#if SKY_STARS
#include "stars.glsl"
#endif

// All but the disc of the key light.
vec3 sky_radiance(vec3 direction) {
    vec3 sky = mix(sky_horizon, sky_zenith, sqrt(clamp(direction.y, 0.0, 1.0)));
#if SKY_CLOUDS
    sky = cloudy(sky, direction);
#endif
#if SKY_STARS
    sky += stars(direction);
#endif
    // Aureole: a wide lobe, the cosine's twelfth power, and a narrow one.
    float toward_key_light = max(dot(direction, to_key_light_air), 0.0);
    float wide = toward_key_light * toward_key_light * toward_key_light;
    wide *= wide;
    float narrow = exp2(-LOG2_E * AUREOLE_SHARPNESS * (1.0 - toward_key_light));
    return sky + key_light_air * (AUREOLE.x * wide * wide + AUREOLE.y * narrow);
}

// The key light's disc of radius R, smeared so that directions deviate by `variance` more along each axis (rad^2): a Fermi
// function of the squared angle, peak / (1 + exp((angle^2 - R^2) / softness)). Gives its peak, 1/sr of the whole beam, and
// its softness, rad^2. Over the sphere it is DISC_SHARE: pi peak softness log(1 + exp(R^2 / softness)). The softness is
// fitted: the variance is right within 7 %.
vec2 disc_lobe(float variance) {
    const float R2 = 0.25 * SUN_DIAMETER * SUN_DIAMETER;
    float softness = sqrt(max(variance, 1e-9) * (1.216 * R2 + 2.84 * variance));
    return vec2(DISC_SHARE / (PI * (R2 + softness * log(1.0 + exp(-R2 / softness)))), softness);
}

// Its radiance, the square of the angle from its middle being that. The exponent is held below what floats overflow at.
vec3 key_light_disc(float angle2, vec2 lobe) {
    const float R2 = 0.25 * SUN_DIAMETER * SUN_DIAMETER;
    return key_light_air * (lobe.x / (1.0 + exp2(min(LOG2_E * (angle2 - R2) / lobe.y, 100.0))));
}

vec3 key_light_disc(vec3 direction, vec2 lobe) {
    vec3 off = direction - to_key_light_air;
    return key_light_disc(dot(off, off), lobe);
}
