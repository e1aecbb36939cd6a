// A model in the studio: skinned from the palette, moved to the middle of the room and scaled to fit a ball of radius 1.
// JOINTS: 0 rigid, else joints a vertex follows. No two triangles share a vertex, so a vertex's number names its corner.
#include "frame.glsl"
#include "vertex.glsl"
#include "joint_colours.glsl"
#if JOINTS > 0
#include "skinning.glsl"
#endif

uniform vec4 place;             // middle of the model, model units; radii of the room a model unit
uniform float row;              // of the palette: the moment
uniform int joint;              // whose weights are shown; -1: each joint in its colour

out vec3 p_ws;
out vec3 normal_ws;
out vec2 texture_uv;
out vec3 corner;                // 1 at one corner of the triangle, 0 along the side across
out vec3 weight_colour;
out vec3 own_colour;            // of the vertex

vec3 rainbow(float hue) {
    return clamp(abs(fract(hue + vec3(0.0, 2.0, 1.0) / 3.0) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
}

vec3 joint_colour(uint index) {
    return JOINT_COLOURS[index % uint(JOINT_COLOURS.length())];
}

void main() {
    vec3 p = model_position();
    vec3 n = model_normal();
#if MORPHED
    morph(p, n, vec4(row, 0.0, 1.0, 0.0), 0.0);
#endif
#if JOINTS > 0
    skin(p, n, vec4(row, 0.0, 1.0, 0.0));
#endif
#if JOINTS == 0
    weight_colour = vec3(0.5);
#elif JOINTS == 1
    float weight = joints == uint(joint) ? 1.0 : 0.0;
    weight_colour = joint_colour(joints);
#else
    vec4 is_it = vec4(equal(joints, uvec4(uint(joint)))) * weights;
    float weight = is_it.x + is_it.y + is_it.z + is_it.w;
    weight_colour = weights.x * joint_colour(joints.x) + weights.y * joint_colour(joints.y);
#if JOINTS == 4
    weight_colour += weights.z * joint_colour(joints.z) + weights.w * joint_colour(joints.w);
#endif
#endif
#if JOINTS > 0
    if (joint >= 0) {
        // From blue over green to red.
        weight_colour = weight > 0.0 ? rainbow(0.66 * (1.0 - weight)) : vec3(0.03, 0.04, 0.16);
    }
#endif
    p_ws = (p - place.xyz) * place.w;
    normal_ws = n;
    texture_uv = model_uv();
    own_colour = model_colour();
    corner = vec3(equal(ivec3(gl_VertexID % 3), ivec3(0, 1, 2)));
    gl_Position = clip_from_world * vec4(p_ws, 1.0);
}
