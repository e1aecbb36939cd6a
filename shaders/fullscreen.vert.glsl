// One triangle over the whole target. Writes uv, 0..1 over the target.
#include "quad.glsl"

out vec2 uv;

void main() {
    uv = fullscreen_corner(gl_VertexID);
    gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
}
