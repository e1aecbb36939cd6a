// Artificial lights: torches, lures and whatever else shines.

#include "frame.glsl"

// Nearer than so far from a torch a thing gets no brighter, m: who holds it turns it aside from what would be a white blot.
// By eye.
const float TORCH_NEAREST_M = 3.0;

// Distance, m, within which light `i` makes a surface no brighter. One that shines all round hangs on what it lights.
float lamp_nearest_m(int i) {
    return light_place[i].w > -1.0 ? TORCH_NEAREST_M : 0.05;
}

// Irradiance of light `i` on a plane at `p_ws` that faces it but for what the water takes on the way, the unit vector toward
// it and its distance. Nearer than `least_m` it gets no brighter: a lamp has a size, and so has a step of a march.
vec3 lamp_at(int i, vec3 p_ws, float least_m, out vec3 to_light, out float distance_m) {
    to_light = light_place[i].xyz - p_ws;
    distance_m = length(to_light);
    to_light /= max(distance_m, 1e-3);
    float cos_cone = light_place[i].w;
    // A cone is brightest along its middle and soft to its edge; a light all round has none.
    float beam = cos_cone <= -1.0 ? 1.0
        : smoothstep(cos_cone, 1.0, dot(-to_light, light_direction[i].xyz));
    return light_intensity[i].rgb * beam / max(distance_m * distance_m, least_m * least_m);
}

#if LAMP_SHADOWS
// Offset of a receiver from its surface along the normal and toward the lamp, m: what casts is coarser than what is seen.
const vec2 LAMP_LIFT_M = vec2(0.015, 0.03);

vec3 lifted(vec3 p_ws, vec3 normal_ws, vec3 toward) {
    return p_ws + LAMP_LIFT_M.x * normal_ws + LAMP_LIFT_M.y * toward;
}

// Place and depth in the shadow map of light 0.
vec3 lamp_shadow_place(vec3 p_ws, out float away_m) {
    vec4 at = shadow_from_world * vec4(p_ws, 1.0);
    // Where nothing of its cone is the place is anything.
    away_m = max(at.w, 1e-3);
    return at.xyz / away_m;
}
#endif
