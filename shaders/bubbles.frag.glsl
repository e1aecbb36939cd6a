// An air bubble in water: beyond the critical angle its rim mirrors the surroundings like silver; the middle is a lens that
// bends the view outward. One too small for that is a pearl: bright above, dim below. Writes premultiplied radiance. How
// opaque the middle and how bright the highlight is, and the pearl: by eye.
#include "frame.glsl"
#include "fresnel.glsl"
#include "ground_seen.glsl"
#include "particle_lens.glsl"
#include "water_optics.glsl"

in vec2 corner;
in vec3 facing_ws;
flat in float shown;
flat in float soft;
flat in float pearl;
flat in float ground_climb;
flat in float on_ground;
flat in vec3 behind;
flat in vec3 seen_below;
flat in vec3 seen_level;
flat in vec3 seen_window;
flat in vec3 highlight;
flat in vec3 before;
uniform vec3 right_ws;
uniform vec3 up_ws;
out vec4 radiance;

// Brightness of a pearl's top over the water beside it, at most.
const float PEARL_GLEAM = 3.5;

// Radiance from a direction that climbs so much.
vec3 surroundings(float climb) {
    return mix(mix(seen_below, seen_level, water_share(climb, ground_climb)), seen_window, smoothstep(WINDOW_EDGE.x, WINDOW_EDGE.y, climb));
}

void main() {
    float r2 = dot(corner, corner);
    if (r2 > 1.0) {
        discard;
    }
    float z = sqrt(1.0 - r2);
    vec3 n = normalize(right_ws * corner.x + up_ws * corner.y + facing_ws * z);
    float reflectance = fresnel(max(z, 0.02), 1.0 / REFRACTIVE_INDEX);
    float mirrored_climb = reflect(-facing_ws, n).y;
    // Through a ball of air a ray is turned outward twice by what refraction turns it.
    vec3 into_air = refract(-facing_ws, n, REFRACTIVE_INDEX);
    float lens_climb = facing_ws.y - 2.0 * dot(into_air, facing_ws) * into_air.y;
    // Something of what is straight behind: it has no image of the things round it.
    float rim = 1.0 - smoothstep(1.0 - soft, 1.0, sqrt(r2));
    float alpha = shown * mix(mix(0.55, 0.97, reflectance), 0.7, pearl) * rim;
    float aligned = max(dot(n, normalize(facing_ws + to_key_light_water)), 0.0);
    vec3 lit = mix(surroundings(lens_climb), 1.2 * surroundings(mirrored_climb), reflectance) + before;
    // The surroundings that it mirrors are bright above and dark below, and where rays pass it by it is dark: by eye.
    lit *= mix(0.35, 1.75, 0.5 + 0.5 * corner.y) * (1.0 - 0.4 * smoothstep(0.45, 0.80, r2));
    // A pearl's window is a speck of it: it stands out, but does not burn. What is past it is blurred with it, and gives it
    // its colour where that is the ground.
    float window = min(0.42, PEARL_GLEAM * seen_level.g / max(seen_window.g, 1e-9));
    vec3 gleam = window * mix(seen_window, seen_window.g / max(behind.g, 1e-9) * behind, on_ground);
    lit = mix(lit, mix(0.6 * behind, gleam + 0.6 * behind, smoothstep(-0.4, 0.9, corner.y)) + before, pearl);
    // A pearl's is wider than itself.
    float glint = mix(exp2(130.0 * (aligned - 1.0)), 0.0008, pearl);
    // Toward the sun it would burn out, and bloom beyond itself.
    radiance = vec4(unclipped(lit + highlight * glint) * alpha, alpha);
}
