// Reflection at the interface of two media.

// Unpolarised Fresnel reflectance; eta = index of the far side over the near side.
float fresnel(float cos_incident, float eta) {
    float sin2 = (1.0 - cos_incident * cos_incident) / (eta * eta);
    if (sin2 >= 1.0) {
        return 1.0;
    }
    float cos_transmitted = sqrt(1.0 - sin2);
    float s = (cos_incident - eta * cos_transmitted) / (cos_incident + eta * cos_transmitted);
    float p = (cos_transmitted - eta * cos_incident) / (cos_transmitted + eta * cos_incident);
    return 0.5 * (s * s + p * p);
}
