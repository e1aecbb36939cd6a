// Clouds of sand: one camera-facing quad a puff, with the radiance of what is thick at the eye. Brightness: by eye.
#include "constants.glsl"
#include "frame.glsl"
#include "quad.glsl"
#include "water_optics.glsl"
#if LIGHTS
#include "lamps.glsl"
#endif

in vec4 particle_place;         // place, radius (m)
in vec4 particle_shape;         // optical depth through the middle, height of the ground (m), variation
uniform vec3 right_ws;          // of the view
uniform vec3 up_ws;

out vec2 corner;
out vec2 pattern;
out float over_ground;          // over a quarter of the radius
out float optical_depth;
out vec3 puff_radiance;

// Reach of its wisps beyond its radius.
const float REACH = 1.5;

// Share of a lamp's light that a puff sends back: it is a ball, lit from one side.
const float LAMP_SHARE = 0.25;

void main() {
    corner = quad_corner(gl_VertexID);
    vec3 centre = particle_place.xyz;
    float radius = particle_place.w;
    vec3 p_ws = centre + REACH * radius * (right_ws * corner.x + up_ws * corner.y);
    float variation = particle_shape.z;
    // The pattern turns from puff to puff and billows as it goes.
    float angle = TAU * variation;
    mat2 turned = mat2(cos(angle), sin(angle), -sin(angle), cos(angle));
    pattern = turned * corner * 2.6 + 61.0 * variation + vec2(0.0, 0.25 * time_s);
    over_ground = (p_ws.y - particle_shape.y) / (0.25 * radius);
    // Before the lens it would be a wall.
    float distance_m = distance(centre, eye_ws);
    optical_depth = particle_shape.x * smoothstep(0.5 * radius, 2.0 * radius, distance_m);
    vec3 light = irradiance(-centre.y);
    vec3 sent = light * seabed_colour * (INVERSE_PI * (1.05 + 0.25 * corner.y));
#if LIGHTS
    for (int i = 0; i < int(light_count); ++i) {
        vec3 toward;
        float lamp_m;
        vec3 arriving = lamp_at(i, p_ws, lamp_nearest_m(i), toward, lamp_m);
        sent += LAMP_SHARE * arriving * transmittance(lamp_m) * seabed_colour * INVERSE_PI;
    }
#endif
    puff_radiance = through_water(sent, centre);
    gl_Position = clip_from_world * vec4(p_ws, 1.0);
}
