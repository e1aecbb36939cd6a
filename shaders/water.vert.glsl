// The far plane. ABOVE: one triangle over the whole target, with uv, 0..1, for its pixels. Else a grid of CELLS_ACROSS x
// CELLS_UP cells, one an instance: from below path radiance is smooth enough to be worked out at their corners.
#if ABOVE
#include "quad.glsl"

out vec2 uv;

void main() {
    uv = fullscreen_corner(gl_VertexID);
    gl_Position = vec4(uv * 2.0 - 1.0, 1.0, 1.0);
}
#else
#include "frame.glsl"
#include "water_optics.glsl"

out vec3 water;                 // radiance at the eye

void main() {
    const ivec2 CORNER[6] = ivec2[](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(0, 1), ivec2(1, 0), ivec2(1, 1));
    ivec2 cell = ivec2(gl_InstanceID % CELLS_ACROSS, gl_InstanceID / CELLS_ACROSS) + CORNER[gl_VertexID];
    vec2 place = vec2(cell) / vec2(CELLS_ACROSS, CELLS_UP) * 2.0 - 1.0;
    vec4 far_ws = world_from_clip * vec4(place, 1.0, 1.0);
    vec3 direction = normalize(far_ws.xyz / far_ws.w - eye_ws);
    water = inscatter(eye_downwelling, direction, to_level_sea(direction));
    gl_Position = vec4(place, 1.0, 1.0);
}
#endif
