// The sea surface seen from below: unpolarised Fresnel, refraction to the sky and the sun inside Snell's window,
// total internal reflection of the water and the ground outside it; all of it through the water.
#include "frame.glsl"
#include "waves.glsl"
#include "sky.glsl"
#include "fresnel.glsl"

in vec3 p_ws;
in vec2 rest_m;
in vec2 slope_of_long;
in vec3 ray_transmittance;
in vec3 ray_inscatter;
in vec3 mirrored_steep;
in vec3 mirrored_grazing;
out vec4 radiance;

const float REFRACTIVE_INDEX = 1.34079;          // sea water, 550 nm (Quan & Fry 1995)

void main() {
    vec2 slope = slope_of_long + short_slope(rest_m);
    vec3 up = normalize(vec3(-slope.x, 1.0, -slope.y));
    vec3 direction = normalize(p_ws - eye_ws);
    float cos_incident = max(dot(direction, up), 1e-3);
    float reflectance = fresnel(cos_incident, 1.0 / REFRACTIVE_INDEX);

    vec3 seen = vec3(0.0);
    if (reflectance < 1.0) {
        vec3 refracted = refract(direction, -up, REFRACTIVE_INDEX);
        refracted.y = max(refracted.y, 0.0);
        // Radiance grows by n^2 as the beam narrows.
        seen = (sky_radiance(refracted) + sun_disc(refracted, 900.0))
            * (1.0 - reflectance) * REFRACTIVE_INDEX * REFRACTIVE_INDEX;
    }
    // The water below is smooth in direction: two rays from the vertex stand for all.
    float steep = clamp((-reflect(direction, -up).y - 0.2) / 0.75, 0.0, 1.0);
    seen += reflectance * mix(mirrored_grazing, mirrored_steep, steep);
    radiance = vec4(seen * ray_transmittance + ray_inscatter, 1.0);
}
