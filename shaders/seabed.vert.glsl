// The ground.
#include "frame.glsl"
#include "water_optics.glsl"

in vec3 position;
in vec3 normal;
in vec2 cover;                  // rubble share, openness

out vec3 p_ws;
out vec3 normal_ws;
out vec2 ground_cover;
out vec3 fall;
out vec3 ray_transmittance;
out vec3 ray_inscatter;

void main() {
    p_ws = position;
    normal_ws = normal;
    ground_cover = cover;
    fall = downwelling(-p_ws.y);
    vec3 ray = p_ws - eye_ws;
    float distance_m = length(ray);
    ray_transmittance = transmittance(distance_m);
    ray_inscatter = inscatter(eye_ws, ray / max(distance_m, 1e-4), distance_m);
    gl_Position = clip_from_world * vec4(p_ws, 1.0);
}
