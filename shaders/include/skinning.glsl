// Linear blend skinning from a palette texture: row = moment, the rows of a joint's 3 x 4 matrix side by side.
// JOINTS is the greatest number of joints that a vertex of the mesh follows: 4, 2 or 1; vertex.glsl names them.
// BLEND: two clips make the pose. SMOOTH: rows are blended; what is far away takes the one below. MORPHED: morphs move
// vertices before joints do.

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
#if SMOOTH
    float blend = row - float(below);
    add_row(r0, r1, r2, below, row_weight - row_weight * blend);
    add_row(r0, r1, r2, below + 1, row_weight * blend);
#else
    add_row(r0, r1, r2, below, row_weight);
#endif
}

#if MORPHED
uniform sampler2D morph_deltas; // for each row of vertices and each morph two texels: of position and of normal
uniform int morphs;

// Weight of a morph at a fractional row of the palette, which holds it behind the joints.
float morph_weight(float row, int column) {
    int below = int(row);
    return mix(texelFetch(palette, ivec2(column, below), 0).r, texelFetch(palette, ivec2(column, below + 1), 0).r,
        row - float(below));
}

vec3 morph_delta(int texel) {
    return texelFetch(morph_deltas, ivec2(texel % MORPH_TEXELS_A_ROW, texel / MORPH_TEXELS_A_ROW), 0).xyz;
}

// Adds to a vertex at rest what morphs make of it at the moments of `clip`, which skin() explains, and `first` of the first
// of them besides; animation::morphed has the same.
void morph(inout vec3 position, inout vec3 normal, vec4 clip, float first) {
    if (morph_row == 0u) {
        return;
    }
    int columns = textureSize(palette, 0).x;
    for (int i = 0; i < morphs; ++i) {
        int column = columns - morphs + i;
        float weight = clip.z * morph_weight(clip.x, column);
#if BLEND
        weight += clip.w * morph_weight(clip.y, column);
#endif
        weight += i == 0 ? first : 0.0;
        if (weight != 0.0) {
            int texel = 2 * (int(morph_row) * morphs + i);
            position += weight * morph_delta(texel);
            normal += weight * morph_delta(texel + 1);
        }
    }
    normal = normalize(normal);
}
#endif

// Moves a rest-pose position and normal clip.z of the way to the moment at row clip.x, and with BLEND clip.w of the way to
// that at clip.y besides.
void skin(inout vec3 position, inout vec3 normal, vec4 clip) {
    vec4 r0 = vec4(0.0);
    vec4 r1 = vec4(0.0);
    vec4 r2 = vec4(0.0);
#if BLEND
    add_moment(r0, r1, r2, clip.x, clip.z);
    add_moment(r0, r1, r2, clip.y, clip.w);
    float at_rest = 1.0 - clip.z - clip.w;
#else
    add_moment(r0, r1, r2, clip.x, clip.z);
    float at_rest = 1.0 - clip.z;
#endif
    vec4 p = vec4(position, 1.0);
    position = at_rest * position + vec3(dot(r0, p), dot(r1, p), dot(r2, p));
    normal = at_rest * normal + vec3(dot(r0.xyz, normal), dot(r1.xyz, normal), dot(r2.xyz, normal));
}

// Sine and cosine of an angle of 1.5 rad at most, within 0.07.
vec2 small_sine_cosine(float angle) {
    float square = angle * angle;
    return vec2(angle * (1.0 - square / 6.0), 1.0 - 0.5 * square * (1.0 - square / 12.0));
}

// Bends the body to the left about its middle: bend.x of the fore and bend.y of the hind part, rad over the whole length.
// The curvature goes evenly from the one to the other; animation::skin has the same.
void bend_body(inout vec3 position, inout vec3 normal, vec2 bend) {
    float half_length = 0.5 * 65535.0 * position_step.z;
    float middle = position_origin.z + half_length;
    float a = (position.z - middle) / half_length;
    vec2 curvature = 0.25 * vec2(bend.y + bend.x, bend.y - bend.x);
    vec2 there = small_sine_cosine(a * (curvature.x + 0.5 * a * curvature.y));
    vec2 half_way = small_sine_cosine(0.5 * a * (curvature.x + 0.25 * a * curvature.y));
    // Simpson's rule along the spine.
    vec2 spine = a / 6.0 * (vec2(0.0, 1.0) + 4.0 * half_way + there);
    position.z = middle + half_length * spine.y + position.x * there.x;
    position.x = position.x * there.y - half_length * spine.x;
    normal.xz = vec2(normal.x * there.y - normal.z * there.x, normal.x * there.x + normal.z * there.y);
}
