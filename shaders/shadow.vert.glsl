// Depth of things as the light sees them that casts shadows, for its map.
// JOINTS: 0 rigid, else joints a vertex follows.
#include "frame.glsl"
#include "rotate.glsl"
#include "vertex.glsl"
#if JOINTS > 0
#include "skinning.glsl"
#endif

in vec4 instance_place;
in vec4 instance_rotation;
in vec4 instance_clip;
in vec4 instance_shape;

out vec2 texture_uv;

void main() {
    vec3 p = model_position();
#if JOINTS > 0
    vec3 n = model_normal();
#if MORPHED
    morph(p, n, instance_clip, instance_shape.w);
#endif
    skin(p, n, instance_clip);
    bend_body(p, n, instance_shape.xy);
#endif
    texture_uv = model_uv();
    vec3 p_ws = instance_place.xyz + rotate(instance_rotation, p * instance_place.w);
    vec4 at = shadow_from_world * vec4(p_ws, 1.0);
    gl_Position = vec4(2.0 * at.xyz - at.w, at.w);
}
