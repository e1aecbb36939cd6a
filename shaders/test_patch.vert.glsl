// A test patch: a square that faces the eye it was placed from. Writes its place.
#include "frame.glsl"
#include "quad.glsl"

uniform vec3 center_ws;
uniform vec3 right_ws;          // to the middle of its right edge, m
uniform vec3 up_ws;

out vec3 p_ws;

void main() {
    vec2 corner = quad_corner(gl_VertexID);
    p_ws = center_ws + right_ws * corner.x + up_ws * corner.y;
    gl_Position = clip_from_world * vec4(p_ws, 1.0);
}
