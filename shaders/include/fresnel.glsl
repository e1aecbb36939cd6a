// Unpolarised Fresnel reflectance at the interface of two media; eta = index of the far side over the near side.

// From the cosines of the incident and of the transmitted ray.
float fresnel_of(float cos_incident, float cos_transmitted, float eta) {
    float s = (cos_incident - eta * cos_transmitted) / (cos_incident + eta * cos_transmitted);
    float p = (cos_transmitted - eta * cos_incident) / (cos_transmitted + eta * cos_incident);
    return 0.5 * (s * s + p * p);
}

// The same for media that refract each channel otherwise.
vec3 fresnel_of(float cos_incident, vec3 cos_transmitted, vec3 eta) {
    vec3 s = (cos_incident - eta * cos_transmitted) / (cos_incident + eta * cos_transmitted);
    vec3 p = (cos_transmitted - eta * cos_incident) / (cos_transmitted + eta * cos_incident);
    return 0.5 * (s * s + p * p);
}

// Total beyond the critical angle.
float fresnel(float cos_incident, float eta) {
    float sin2 = (1.0 - cos_incident * cos_incident) / (eta * eta);
    return sin2 < 1.0 ? fresnel_of(cos_incident, sqrt(max(1.0 - sin2, 0.0)), eta) : 1.0;
}
