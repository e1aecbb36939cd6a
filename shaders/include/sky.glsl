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
    // Aureole: forward scattering by the marine aerosol; two lobes that hold about 6 % of the beam.
    float toward_key_light = max(dot(direction, to_key_light_air), 0.0);
    float wide = toward_key_light * toward_key_light * toward_key_light;
    wide *= wide;
    float aureole = 0.11 * wide * wide + 1.6 * exp2(-505.0 * (1.0 - toward_key_light));
    return sky + key_light_air * aureole;
}

// The disc of the key light smeared over a lobe exp(-sharpness (1 - cos)) that holds the beam's whole irradiance.
vec3 key_light_disc(vec3 direction, float sharpness) {
    float toward_key_light = max(dot(direction, to_key_light_air), 0.0);
    return key_light_air * (sharpness / TAU * exp2(-LOG2_E * sharpness * (1.0 - toward_key_light)));
}
