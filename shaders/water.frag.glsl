// Where nothing else is: the water itself, to its end. Drawn at the far plane. Reads the ray through the pixel.
#include "frame.glsl"
#include "water_optics.glsl"

in vec2 uv;
out vec4 radiance;

void main() {
    vec4 far_ws = world_from_clip * vec4(uv * 2.0 - 1.0, 1.0, 1.0);
    vec3 direction = normalize(far_ws.xyz / far_ws.w - eye_ws);
    float distance_m = direction.y > 0.0 ? min(far_m, -eye_ws.y / max(direction.y, 1e-3)) : far_m;
    radiance = vec4(inscatter(eye_downwelling, direction, distance_m), 1.0);
}
