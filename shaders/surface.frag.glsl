// The sea surface seen from below: unpolarised Fresnel, refraction to the sky and the sun inside Snell's window,
// total internal reflection of the water and the ground outside it; all of it through the water.
#include "frame.glsl"
#include "water_optics.glsl"
#include "waves.glsl"
#include "sky.glsl"
#include "environment.glsl"

in vec3 p_ws;
in vec2 rest_m;
in vec3 ray_transmittance;
in vec3 ray_inscatter;
out vec4 radiance;

void main() {
    vec2 slope = wave_slope(rest_m);
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
    vec3 mirrored = reflect(direction, -up);
    mirrored.y = min(mirrored.y, -0.02);
    seen += reflectance * radiance_from_below(vec3(p_ws.x, min(p_ws.y, 0.0), p_ws.z), normalize(mirrored));
    radiance = vec4(seen * ray_transmittance + ray_inscatter, 1.0);
}
