// The ground.
#include "frame.glsl"
#include "water_optics.glsl"
#include "lighting_vertex.glsl"

in vec3 position;
in vec3 normal;
in vec2 cover;                  // rubble share, openness

out vec3 p_ws;
out vec2 ground_m;
out vec3 normal_ws;
out vec2 ground_cover;

void main() {
    p_ws = position;
    ground_m = position.xz;
    normal_ws = normal;
    ground_cover = cover;
    light_vertex(position, normal);
    gl_Position = clip_from_world * vec4(position, 1.0);
}
