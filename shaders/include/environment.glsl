// Surroundings of a ray in the water with nothing solid near: bottomless water, the ground's mean, or the window above.
// Radiance at a point in the water.

#include "constants.glsl"
#include "frame.glsl"
#include "fresnel.glsl"
#include "sky.glsl"
#include "water_optics.glsl"

// By how much the curved face of a bubble smears the key light's disc, rad^2; by eye.
const float DISC_SMEAR = 0.005;

// Radiance that comes up to a point at depth along a ray that goes down: water and the lit ground under it.
vec3 radiance_from_below(vec3 from_ws, vec3 direction) {
    float to_ground = (from_ws.y + seabed_depth_m) / max(-direction.y, 0.02);
    vec3 ground = ground_bounce / PI;
    return ground * transmittance(max(to_ground, 0.0)) + inscatter(downwelling(-from_ws.y), direction, max(to_ground, 0.0));
}

// Radiance from anywhere, through a calm surface: for bubbles and reflections.
vec3 environment(vec3 from_ws, vec3 direction) {
    if (direction.y <= 0.0) {
        return radiance_from_below(from_ws, direction);
    }
    float to_surface = max(-from_ws.y, 0.0) / max(direction.y, 0.05);
    vec3 above;
    vec3 refracted = refract(direction, vec3(0.0, -1.0, 0.0), REFRACTIVE_INDEX);
    float reflectance = fresnel(direction.y, 1.0 / REFRACTIVE_INDEX);
    if (reflectance < 1.0) {
        above = (1.0 - reflectance) * (sky_radiance(refracted) + key_light_disc(refracted, disc_lobe(DISC_SMEAR))) * REFRACTIVE_INDEX * REFRACTIVE_INDEX;
    } else {
        above = radiance_from_below(vec3(from_ws.x, 0.0, from_ws.z), vec3(direction.x, -direction.y, direction.z));
    }
    return above * transmittance(to_surface) + inscatter(downwelling(-from_ws.y), direction, to_surface);
}
