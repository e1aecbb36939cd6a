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

// Radius of the glow round a cell; by eye.
const float RADIUS_M = 0.009;
// Least radius of that glow, pixels.
const float LEAST_PX = 3.4;

void main() {
    corner = quad_corner(gl_VertexID);
    vec3 p_ws = particle_place.xyz;
    float distance_m = distance(p_ws, eye_ws);
    float drawn = seen_radius_m(RADIUS_M, distance_m, LEAST_PX);
    float coverage = (RADIUS_M / drawn) * (RADIUS_M / drawn);
    spark_seen = unclipped(spark_radiance(p_ws) * transmittance(distance_m) * (particle_place.w * coverage));
    p_ws += drawn * (right_ws * corner.x + up_ws * corner.y);
    gl_Position = clip_from_world * vec4(p_ws, 1.0);
}
