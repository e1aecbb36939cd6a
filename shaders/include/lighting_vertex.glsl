// Terms of light and water that are smooth enough for vertices.
// All irradiances are already dimmed by the water between the point and the eye.

#include "caustic_slices.glsl"
#include "constants.glsl"
#include "frame.glsl"
#include "planes.glsl"
#include "water_optics.glsl"

out vec3 beam_light;            // of the key light's beam, on a plane facing it
out vec3 diffuse_above;         // diffuse, see between_sides()
out vec3 diffuse_below;
out vec3 added_radiance;        // on the way to the eye: in-scattered
out vec2 caustic_uv;
out vec4 caustic_weights;       // of the slices
out vec3 shadow_ts;             // place in the shadow map

vec3 light_from_above;          // diffuse, on planes that face up, down and to the side
vec3 light_from_below;
vec3 light_from_beside;

vec3 diffuse(int face, vec3 slow, vec3 fast) {
    return max(diffuse_slow[face].rgb * slow + diffuse_fast[face].rgb * fast, 0.0);
}

void light_vertex(vec3 p_ws, vec3 normal_ws) {
    float depth_m = max(-p_ws.y, 0.0);
    vec3 ray = p_ws - eye_ws;
    float path_m = underwater_path_m(p_ws);
    added_radiance = inscatter(eye_downwelling, ray / max(length(ray), 1e-4), path_m);

    vec3 slow = exp(-depth_attenuation_slow * depth_m - attenuation_slow * path_m);
    vec3 fast = exp(-depth_attenuation_fast * depth_m - attenuation_fast * path_m);
    vec3 down = max(total_slow * slow + total_fast * fast, 0.0);
    beam_light = beam_irradiance(depth_m, slow, fast);
    light_from_above = max(down - to_key_light_water.y * beam_light, 0.0);
    // The water before a surface that looks to the side: the water toward the key light is the brighter.
    vec2 across = normal_ws.xz;
    vec2 toward = to_key_light_water.xz;
    float facing = dot(across, toward) * inversesqrt(max(dot(across, across) * dot(toward, toward), 1e-9));
    vec3 along = facing > 0.0 ? diffuse(1, slow, fast) : diffuse(2, slow, fast);
    light_from_beside = mix(diffuse(3, slow, fast), along, facing * facing);
    // The ground is a lamp as wide as the sea, whose light falls twice as fast as what comes down; 1 / (1 + x + x^2 / 2)
    // for exp(-x).
    vec3 lost = 3.0 * depth_attenuation_slow * max(seabed_depth_m - depth_m, 0.0);
    vec3 bounce = seabed_colour * down / (1.0 + lost + 0.5 * lost * lost);
    light_from_below = diffuse(0, slow, fast) + GROUND_LIGHT_SHARE * bounce;
    light_from_beside += 0.5 * GROUND_LIGHT_SHARE * bounce;

    caustic_weights = slice_weights(depth_m) * exp(-beam_blur * depth_m);
    caustic_uv = caustic_place(p_ws);
    shadow_ts = (shadow_from_world * vec4(p_ws + normal_ws * 0.06 + to_key_light_water * 0.10, 1.0)).xyz;
}

// For pixels whose normals differ little from the vertex's; after light_vertex().
void light_pixels(vec3 normal_ws) {
    between_sides(normal_ws, light_from_above, light_from_below, light_from_beside, diffuse_above, diffuse_below);
}
