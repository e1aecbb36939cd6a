// Depth of things as the refracted key light sees them, for the shadow map.
// JOINTS: 0 rigid, else joints a vertex follows.
#include "frame.glsl"
#include "rotate.glsl"
#if JOINTS > 0
#include "skinning.glsl"
#endif

in vec3 position;
in vec3 normal;
in vec2 uv;
#if JOINTS > 0
in uvec4 joints;
in vec4 weights;
#endif
in vec4 instance_place;
in vec4 instance_rotation;
in vec4 instance_clip;

out vec2 texture_uv;

void main() {
    vec3 p = position;
    vec3 n = normal;
#if JOINTS > 0
    skin(p, n, joints, weights, instance_clip);
#endif
    texture_uv = uv;
    vec3 p_ws = instance_place.xyz + rotate(instance_rotation, p * instance_place.w);
    gl_Position = vec4((shadow_from_world * vec4(p_ws, 1.0)).xyz * 2.0 - 1.0, 1.0);
}
