// Air bubbles: one quad each, flattened and wobbling. Writes the corner (-1..1), the direction to the eye, and what there is to
// mirror, as it arrives at the eye: from below, from the side, through Snell's window and from the key light.
#include "environment.glsl"
#include "frame.glsl"
#include "ground_seen.glsl"
#include "particle_lens.glsl"
#include "quad.glsl"
#include "water_optics.glsl"

in vec4 particle_place;         // centre, radius (m)
in vec4 particle_shape;         // flatness, wobble phase
uniform vec3 right_ws;
uniform vec3 up_ws;

out vec2 corner;
out vec3 facing_ws;
flat out float shown;
flat out float soft;            // share of the radius over which its rim fades
flat out float pearl;           // how far it is too small to show what it mirrors, 0 to 1
flat out float ground_climb;    // see water_share()
flat out float on_ground;       // share of the ground in what is past it
flat out vec3 behind;           // what is seen past it, but for what is in the window
flat out vec3 seen_below;
flat out vec3 seen_level;
flat out vec3 seen_window;
flat out vec3 highlight;
flat out vec3 before;           // in-scattered on the way to the eye

// Least radius in the picture, pixels; below the share of one so far away that is shown it is left out.
const float MIN_PX = 1.5;
const float MIN_SHOWN = 0.02;
// Width of a rim, pixels.
const float RIM_PX = 1.8;
// Radii up to which a bubble is a pearl, and from which on it mirrors what is round it, pixels.
const vec2 PEARL_PX = vec2(2.5, 9.0);

const float PEARL_FLATNESS = 0.75;
// Pearl that is left in the largest: waves on their skin scatter light. By eye.
const float MIN_PEARL = 0.4;

// Longest streak of one that drifts, over its radius: longer ones would be needles.
const float MAX_STREAK = 0.7;

// Steepness of a ray that sees the ground, over that of one which meets it a length of attenuation off; its bounds. By eye.
const float GROUND_LENGTHS = 1.5;
const vec2 GROUND_CLIMBS = vec2(0.12, 0.8);

// Lean of one that is quite flat at the end of its swing, rad.
const float MAX_TILT = 0.6;

void main() {
    corner = quad_corner(gl_VertexID);
    vec3 centre = particle_place.xyz;
    float distance_m = distance(eye_ws, centre);
    facing_ws = (eye_ws - centre) / max(distance_m, 1e-3);
    float radius = seen_radius_m(particle_place.w, distance_m, MIN_PX);
    shown = (particle_place.w / radius) * (particle_place.w / radius);
    float pixels = particle_place.w / (pixel_angle * max(distance_m, 1e-3));
    soft = min(max(RIM_PX * pixel_angle * distance_m, confusion_m(distance_m)) / radius, 1.0);
    pearl = 1.0 - (1.0 - MIN_PEARL) * smoothstep(PEARL_PX.x, PEARL_PX.y, pixels);

    // A pearl's shape is lost in the glint of it.
    float flat_y = mix(particle_shape.x, PEARL_FLATNESS, pearl);
    float wobble = 0.12 * (1.0 - flat_y) * sin(particle_shape.y);
    // Width grows as height shrinks: the area in the picture stays that of the sphere.
    float wide = radius * inversesqrt(max(flat_y, 0.2)) * (1.0 + wobble);
    float tall = radius * flat_y * inversesqrt(max(flat_y, 0.2)) * (1.0 - wobble);
    // Motion blur: stretched by half the way that the water takes them while the picture is exposed.
    vec2 streak = 0.5 * vec2(dot(snow_streak, right_ws), dot(snow_streak, up_ws));
    float half_streak = max(length(streak), 1e-6);
    streak *= min(MAX_STREAK * radius / half_streak, 1.0);
    half_streak = min(half_streak, MAX_STREAK * radius);
    // Its light is spread over the way.
    shown *= radius / (radius + half_streak);
    // It lies across its way, which swings to and fro.
    float tilt = MAX_TILT * (1.0 - flat_y) * cos(particle_shape.y);
    vec2 leaning = corner * vec2(wide, tall);
    leaning = leaning * cos(tilt) + vec2(-leaning.y, leaning.x) * sin(tilt);
    vec2 place_in_view = leaning + streak * (dot(corner, streak) / half_streak);
    vec3 p_ws = centre + right_ws * place_in_view.x + up_ws * place_in_view.y;
    gl_Position = shown > MIN_SHOWN ? clip_from_world * vec4(p_ws, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);

    vec3 left = transmittance(distance_m);
    vec2 away = -facing_ws.xz * inversesqrt(max(dot(facing_ws.xz, facing_ws.xz), 1e-6));
    seen_below = left * environment(centre, vec3(0.6 * away.x, -0.8, 0.6 * away.y));
    seen_level = left * environment(centre, vec3(0.98 * away.x, 0.2, 0.98 * away.y));
    seen_window = left * environment(centre, vec3(0.45 * away.x, 0.893, 0.45 * away.y));
    // The ground hides the water where a ray meets it within a few lengths over which the water takes light away.
    ground_climb = -clamp(GROUND_LENGTHS * path_attenuation.g * (centre.y + seabed_depth_m), GROUND_CLIMBS.x, GROUND_CLIMBS.y);
    on_ground = 1.0 - water_share(-facing_ws.y, ground_climb);
    behind = mix(seen_below, seen_level, 1.0 - on_ground);
    highlight = left * key_light_water * downwelling(-centre.y) * 2.0;
    before = inscatter(eye_downwelling, -facing_ws, distance_m);
}
