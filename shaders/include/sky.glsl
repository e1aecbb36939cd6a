// Radiance of the sky, in air. Needs frame.glsl.

vec3 sky_radiance(vec3 direction) {
    float rise = clamp(direction.y, 0.0, 1.0);
    vec3 sky = mix(sky_horizon, sky_zenith, sqrt(rise));
    float toward_key_light = max(dot(direction, to_key_light_air), 0.0);
    // Aureole: forward scattering by the marine aerosol; two lobes that hold about 6 % of the beam.
    float wide = toward_key_light * toward_key_light * toward_key_light;
    wide *= wide;
    float aureole = 0.11 * wide * wide + 1.6 * exp2(-505.0 * (1.0 - toward_key_light));
    return sky + key_light_air * aureole;
}

// The disc as the waves smear it: a lobe that holds the beam's whole irradiance. Sharpness as a cosine power.
vec3 key_light_disc(vec3 direction, float sharpness) {
    float toward_key_light = max(dot(direction, to_key_light_air), 0.0);
    return key_light_air * pow(toward_key_light, sharpness) * (sharpness + 1.0) / 6.2831853;
}
