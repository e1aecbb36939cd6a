// Air bubbles: one quad each, flattened and wobbling. Writes the corner (-1..1), its place and the direction to the eye.
#include "frame.glsl"

in vec4 instance_place;         // centre, radius (m)
in vec4 instance_rotation;      // flatness, wobble phase
uniform vec3 right_ws;
uniform vec3 up_ws;

out vec2 corner;
out vec3 p_ws;
out vec3 facing_ws;

void main() {
    vec2 corners[6] = vec2[6](vec2(-1, -1), vec2(1, -1), vec2(1, 1), vec2(-1, -1), vec2(1, 1), vec2(-1, 1));
    corner = corners[gl_VertexID];
    float flat_y = instance_rotation.x;
    float wobble = 0.12 * (1.0 - flat_y) * sin(instance_rotation.y);
    // Width grows as height shrinks: the area in the picture stays that of the sphere.
    float wide = instance_place.w * inversesqrt(max(flat_y, 0.2)) * (1.0 + wobble);
    float tall = instance_place.w * flat_y * inversesqrt(max(flat_y, 0.2)) * (1.0 - wobble);
    vec3 centre = instance_place.xyz;
    facing_ws = normalize(eye_ws - centre);
    // Motion blur: stretched by half the way that the water takes them while the picture is exposed.
    vec2 way = 0.5 * vec2(dot(snow_streak, right_ws), dot(snow_streak, up_ws));
    vec2 place_in_view = corner * vec2(wide, tall) + way * (dot(corner, way) / max(length(way), 1e-6));
    p_ws = centre + right_ws * place_in_view.x + up_ws * place_in_view.y;
    gl_Position = clip_from_world * vec4(p_ws, 1.0);
}
