// Plankton that flashes: one camera-facing quad each, with its radiance at the eye.
#include "frame.glsl"
#include "particle_lens.glsl"
#include "plankton.glsl"
#include "quad.glsl"
#include "water_optics.glsl"

in vec4 particle_place;         // place, brightness
uniform vec3 right_ws;          // of the view
uniform vec3 up_ws;

out vec2 corner;
out vec3 spark_seen;

// Radius of the glow round a cell, of the least and of the greatest; by eye.
const vec2 RADII_M = vec2(0.003, 0.009);
// Least radius of that glow, pixels: a smaller one would be a square.
const float MIN_PX = 2.6;

void main() {
    corner = quad_corner(gl_VertexID);
    vec3 p_ws = particle_place.xyz;
    float distance_m = distance(p_ws, eye_ws);
    // Most are small and few are large.
    float variation = fract(0.618034 * float(gl_InstanceID));
    float radius = mix(RADII_M.x, RADII_M.y, variation * variation * variation);
    float drawn = seen_radius_m(radius, distance_m, MIN_PX);
    float coverage = (radius / drawn) * (radius / drawn);
    // No whiter than white: its middle would be a plate.
    spark_seen = unclipped(spark_radiance(p_ws) * transmittance(distance_m) * (particle_place.w * coverage)) / WHITEST;
    p_ws += drawn * (right_ws * corner.x + up_ws * corner.y);
    gl_Position = clip_from_world * vec4(p_ws, 1.0);
}
