// Radiance of the sky, in air. Needs frame.glsl.

vec3 sky_radiance(vec3 direction) {
    float rise = clamp(direction.y, 0.0, 1.0);
    vec3 sky = mix(sky_horizon, sky_zenith, sqrt(rise));
    float toward_sun = max(dot(direction, to_sun_air), 0.0);
    // Aureole: forward scattering by the marine aerosol; two lobes that hold about 6 % of the beam.
    float wide = toward_sun * toward_sun * toward_sun;
    wide *= wide;
    float aureole = 0.11 * wide * wide + 1.6 * exp2(-505.0 * (1.0 - toward_sun));
    return sky + sun_air * aureole;
}

// The disc as the waves smear it: a lobe that holds the beam's whole irradiance. Sharpness as a cosine power.
vec3 sun_disc(vec3 direction, float sharpness) {
    float toward_sun = max(dot(direction, to_sun_air), 0.0);
    return sun_air * pow(toward_sun, sharpness) * (sharpness + 1.0) / 6.2831853;
}
