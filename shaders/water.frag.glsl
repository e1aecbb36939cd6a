// The background: path radiance of the water where nothing else is. Drawn at the far plane. Writes linear radiance.
// ABOVE: the eye is near or over the surface. A pixel whose place on the near plane is dry shows the sky, and below the
// horizon the light from the depth, over which the surface is drawn.
#if ABOVE
#include "frame.glsl"
#include "water_optics.glsl"
#include "waves.glsl"
#define SKY_CLOUDS CLOUDS
#define SKY_STARS STARS
#include "sky.glsl"

in vec2 uv;
uniform float edge_m;           // how far the surface is drawn

vec3 above_water_radiance(vec3 direction) {
    if (direction.y * edge_m > -max(eye_ws.y, 0.0)) {
        // Beyond the surface's edge the sea mirrors the sky close over the horizon.
        vec3 up = vec3(direction.x, abs(direction.y), direction.z);
        return sky_radiance(up) + key_light_disc(up, disc_lobe(0.25 * pixel_angle * pixel_angle)) * step(0.0, direction.y);
    }
    vec3 down = refract(direction, vec3(0.0, 1.0, 0.0), 1.0 / REFRACTIVE_INDEX);
    float to_ground = min(seabed_depth_m / -down.y, far_m);
    return inscatter(vec3(1.0), down, to_ground);
}
#else
in vec3 water;
#endif
out vec4 radiance;

void main() {
#if ABOVE
    vec4 far_ws = world_from_clip * vec4(uv * 2.0 - 1.0, 1.0, 1.0);
    vec3 direction = normalize(far_ws.xyz / far_ws.w - eye_ws);
    vec4 near_ws = world_from_clip * vec4(uv * 2.0 - 1.0, -1.0, 1.0);
    near_ws /= near_ws.w;
    radiance = vec4(near_ws.y > surface_height(near_ws.xz) ? above_water_radiance(direction)
        : inscatter(eye_downwelling, direction, to_level_sea(direction)), 1.0);
#else
    radiance = vec4(water, 1.0);
#endif
}
