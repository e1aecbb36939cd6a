// The ground.
#include "constants.glsl"
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

// Shares of the way to its edge between which it gives way to the water behind it, seen from below. By eye.
const vec2 GROUND_FADES = vec2(0.12, 0.8);
// Distances from the eye, m, within which it stays wherever it is, and beyond which it may be gone.
const vec2 NEAR_M = vec2(10.0, 40.0);

void main() {
    p_ws = position;
    ground_m = position.xz;
    normal_ws = normal;
    ground_rubble = rubble_occlusion.x;
    ground_occlusion = rubble_occlusion.y;
    light_vertex(position, normal);
    light_pixels(normal);
    // It ends in the water, not at a line.
    vec2 fades_m = GROUND_FADES * GROUND_EDGE_M;
    vec3 ray = position - eye_ws;
    float gone = smoothstep(fades_m.x, fades_m.y, max(abs(position.x), abs(position.z)))
        * smoothstep(NEAR_M.x, NEAR_M.y, length(ray));
    if (eye_ws.y < 0.0) {
        added_radiance = mix(added_radiance, inscatter(eye_downwelling, normalize(ray), far_m), gone);
        beam_light *= 1.0 - gone;
        diffuse_above *= 1.0 - gone;
        diffuse_below *= 1.0 - gone;
    }
    gl_Position = clip_from_world * vec4(position, 1.0);
}
