// Linear blend skinning from a palette texture: row = moment, the rows of a joint's 3 x 4 matrix side by side.
// JOINTS is the greatest number of joints a vertex follows at this level of detail: 4, 2 or 1; vertex.glsl names them.
// BLEND: two clips make the pose.

#include "constants.glsl"
#include "vertex.glsl"

uniform sampler2D palette;

void add_joint(inout vec4 r0, inout vec4 r1, inout vec4 r2, uint joint, float weight, int row) {
    int x = int(joint) * TEXELS_PER_JOINT;
    r0 += weight * texelFetch(palette, ivec2(x, row), 0);
    r1 += weight * texelFetch(palette, ivec2(x + 1, row), 0);
    r2 += weight * texelFetch(palette, ivec2(x + 2, row), 0);
}

void add_row(inout vec4 r0, inout vec4 r1, inout vec4 r2, int row, float row_weight) {
#if JOINTS == 1
    add_joint(r0, r1, r2, joints, row_weight, row);
#else
    add_joint(r0, r1, r2, joints.x, weights.x * row_weight, row);
    add_joint(r0, r1, r2, joints.y, weights.y * row_weight, row);
#endif
#if JOINTS > 2
    add_joint(r0, r1, r2, joints.z, weights.z * row_weight, row);
    add_joint(r0, r1, r2, joints.w, weights.w * row_weight, row);
#endif
}

// Adds the pose at a fractional row; the row after a clip's last one closes it.
void add_moment(inout vec4 r0, inout vec4 r1, inout vec4 r2, float row, float row_weight) {
    int below = int(row);
#if JOINTS > 1
    float blend = row - float(below);
    add_row(r0, r1, r2, below, row_weight - row_weight * blend);
    add_row(r0, r1, r2, below + 1, row_weight * blend);
#else
    add_row(r0, r1, r2, below, row_weight);
#endif
}

// Moves a rest-pose position and normal to the moment at row clip.x, or with BLEND to clip.z of the way from it to clip.y.
void skin(inout vec3 position, inout vec3 normal, vec4 clip) {
    vec4 r0 = vec4(0.0);
    vec4 r1 = vec4(0.0);
    vec4 r2 = vec4(0.0);
#if BLEND
    add_moment(r0, r1, r2, clip.x, 1.0 - clip.z);
    add_moment(r0, r1, r2, clip.y, clip.z);
#else
    add_moment(r0, r1, r2, clip.x, 1.0);
#endif
    vec4 p = vec4(position, 1.0);
    position = vec3(dot(r0, p), dot(r1, p), dot(r2, p));
    normal = vec3(dot(r0.xyz, normal), dot(r1.xyz, normal), dot(r2.xyz, normal));
}
