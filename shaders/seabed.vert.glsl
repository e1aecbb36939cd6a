// The ground.
#include "frame.glsl"
#include "water_optics.glsl"
#include "lighting_vertex.glsl"

in vec3 position;
in vec3 normal;
in vec2 rubble_occlusion;       // share of rubble, ambient occlusion (1 open to the sky)

out vec3 p_ws;
out vec2 ground_m;
out vec3 normal_ws;
out float ground_rubble;
out float ground_occlusion;

void main() {
    p_ws = position;
    ground_m = position.xz;
    normal_ws = normal;
    ground_rubble = rubble_occlusion.x;
    ground_occlusion = rubble_occlusion.y;
    light_vertex(position, normal);
    light_pixels(normal);
    gl_Position = clip_from_world * vec4(position, 1.0);
}
