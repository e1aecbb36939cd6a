// Air bubbles: one quad each, flattened and wobbling. Writes the corner (-1..1), its place and the direction to the eye.
#include "frame.glsl"
#include "quad.glsl"

in vec4 particle_place;         // centre, radius (m)
in vec4 particle_shape;         // flatness, wobble phase
uniform vec3 right_ws;
uniform vec3 up_ws;

out vec2 corner;
out vec3 p_ws;
out vec3 facing_ws;

void main() {
    corner = quad_corner(gl_VertexID);
    float flat_y = particle_shape.x;
    float wobble = 0.12 * (1.0 - flat_y) * sin(particle_shape.y);
    // Width grows as height shrinks: the area in the picture stays that of the sphere.
    float wide = particle_place.w * inversesqrt(max(flat_y, 0.2)) * (1.0 + wobble);
    float tall = particle_place.w * flat_y * inversesqrt(max(flat_y, 0.2)) * (1.0 - wobble);
    vec3 centre = particle_place.xyz;
    facing_ws = normalize(eye_ws - centre);
    // Motion blur: stretched by half the way that the water takes them while the picture is exposed.
    vec2 streak = 0.5 * vec2(dot(snow_streak, right_ws), dot(snow_streak, up_ws));
    vec2 place_in_view = corner * vec2(wide, tall) + streak * (dot(corner, streak) / max(length(streak), 1e-6));
    p_ws = centre + right_ws * place_in_view.x + up_ws * place_in_view.y;
    gl_Position = clip_from_world * vec4(p_ws, 1.0);
}
