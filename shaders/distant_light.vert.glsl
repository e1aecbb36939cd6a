// Values that all vertices of a distant animal share, worked out once and recorded for distant.vert.glsl: the light that
// falls on it, the water before it, and how its body is bent at the moment.
#include "frame.glsl"
#include "lighting_vertex.glsl"
#include "rotate.glsl"
#include "silver.glsl"
#include "vertex_beam.glsl"

in vec4 instance_place;         // position, metres a model unit
in vec4 instance_rotation;      // quaternion
in vec4 instance_clip;          // palette row, blend row, weight of each
in vec3 instance_shape;         // bend of the fore and of the hind part, variation
in vec4 instance_tint;

uniform sampler2D bend_map;     // row = moment; factors of 1, a, a^2 and a^3 in x, y and z
uniform float length_mu;        // of the body, model units

out vec4 place;
out vec4 rotation;
out vec4 bend_x;
out vec4 bend_y;
out vec4 bend_z;
out vec4 beam;                  // irradiance on a plane facing it; tint, red
out vec4 above;                 // diffuse irradiance on planes that face up, down and to the side; tint, green
out vec4 below;                 // tint, blue
out vec4 beside;                // how much is shown, see fade.glsl
out vec4 mirrored;              // radiance that the flank mirrors toward the eye; variation
out vec4 added;                 // radiance of the water on the way to the eye

vec4 bend(int axis, float row) {
    int below_row = int(row);
    return mix(texelFetch(bend_map, ivec2(axis, below_row), 0), texelFetch(bend_map, ivec2(axis, below_row + 1), 0),
        row - float(below_row));
}

// Of the pose that two clips make.
vec4 blended_bend(int axis) {
    vec4 one = instance_clip.z * bend(axis, instance_clip.x);
    return instance_clip.w > 0.0 ? one + instance_clip.w * bend(axis, instance_clip.y) : one;
}

void main() {
    place = instance_place;
    rotation = instance_rotation;
    bend_x = blended_bend(0);
    bend_y = blended_bend(1);
    bend_z = blended_bend(2);
    // bend_body() of skinning.glsl, for small angles.
    vec2 curvature = 0.25 * vec2(instance_shape.y + instance_shape.x, instance_shape.y - instance_shape.x);
    bend_x.zw -= 0.5 * length_mu * vec2(curvature.x / 2.0, curvature.y / 6.0);
    bend_z.w -= 0.5 * length_mu * curvature.x * curvature.x / 6.0;

    vec3 p_ws = instance_place.xyz;
    vec3 side = rotate(instance_rotation, vec3(1.0, 0.0, 0.0));
    vec3 flank = dot(side, eye_ws - p_ws) < 0.0 ? -side : side;
    light_vertex(p_ws, flank);
    reflect_from_silver(p_ws, flank, side, instance_shape.z);
    // Caustics as fine as the body is long.
    beam = vec4(beam_light * beam_gain(length_mu * instance_place.w), instance_tint.r);
    above = vec4(light_from_above, instance_tint.g);
    below = vec4(light_from_below, instance_tint.b);
    beside = vec4(light_from_beside, instance_tint.a);
    mirrored = vec4(mirrored_water + beam.rgb * mirrored_key_light, instance_shape.z);
    added = vec4(added_radiance, 0.0);
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
