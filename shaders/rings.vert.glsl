// Rings on the sea where bubbles have broken: a square that lies in the surface for each.
#include "frame.glsl"
#include "quad.glsl"
#include "waves.glsl"

in vec4 particle_place;         // x and z, radius and length of the waves (m)
in vec4 particle_shape;         // steepest slope

out vec3 p_ws;
out vec2 offset_m;              // from the middle
out vec2 rest_m;                // where it is at rest
out vec2 slope_of_long;
flat out vec3 ring;             // radius, length of the waves (m), steepest slope

// Before the surface, which it lies in, by so much. Unit: m.
const float LIFTED_M = 0.15;

void main() {
    vec2 place = particle_place.xy;
    ring = vec3(particle_place.zw, particle_shape.x);
    offset_m = quad_corner(gl_VertexID) * (ring.x + 1.6 * ring.y);
    rest_m = place;
    for (int i = 0; i < 3; ++i) {
        rest_m = place - wave_displacement(rest_m, vec3(1.0)).xz;
    }
    slope_of_long = long_slope(rest_m, vec2(1.0, 0.0));
    vec2 slope = long_slope(rest_m, vec2(1.0));
    p_ws = vec3(place.x, wave_displacement(rest_m, vec3(1.0)).y, place.y) + vec3(offset_m.x, dot(slope, offset_m), offset_m.y);
    rest_m += offset_m;
    vec3 to_eye = normalize(eye_ws - p_ws);
    // Waves too fine for the picture are left out.
    float seen = smoothstep(1.0, 2.5, ring.y / (pixel_angle * distance(p_ws, eye_ws)));
    gl_Position = seen > 0.0 ? clip_from_world * vec4(p_ws + LIFTED_M * to_eye, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
    ring.z *= seen;
}
