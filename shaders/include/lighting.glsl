// Light on a surface in the water: the refracted sun through its caustics and shadows, and what is scattered.
// Needs frame.glsl and water_optics.glsl.

uniform sampler2D caustic_map;          // one slice a channel, at caustic_depths; mean 1
uniform sampler2DShadow shadow_map;

// Share of the sun's light that still comes as a beam at a depth: forward scattering blurs it away slowly.
float beam_share(float depth_m) {
    return exp(-0.18 * scattering.g * depth_m / max(to_sun_water.y, 0.2));
}

// Weight of each slice at a depth; the slices blend linearly and the last one fades to 1 with the rest.
vec4 slice_weights(float depth_m) {
    vec4 d = caustic_depths;
    float a = clamp((depth_m - d.x) / (d.y - d.x), 0.0, 1.0);
    float b = clamp((depth_m - d.y) / (d.z - d.y), 0.0, 1.0);
    float c = clamp((depth_m - d.z) / (d.w - d.z), 0.0, 1.0);
    return vec4(1.0 - a, a * (1.0 - b), b * (1.0 - c), c);
}

// Irradiance of the beam over its mean, where the sun's ray to `p_ws` comes through the surface.
float caustic(vec3 p_ws, vec4 weights) {
    vec2 entry = p_ws.xz - to_sun_water.xz / max(to_sun_water.y, 0.2) * p_ws.y;
    float value = dot(texture(caustic_map, entry / caustic_patch_m), weights);
    // Just under the surface nothing has focused yet.
    float focus = clamp(-p_ws.y / caustic_depths.x, 0.0, 1.0);
    return mix(1.0, value, caustics_on * focus);
}

float sun_visibility(vec3 p_ws, vec3 normal_ws) {
    vec4 s = shadow_from_world * vec4(p_ws + normal_ws * 0.06, 1.0);
    if (shadows_on < 0.5 || any(greaterThan(abs(s.xy - 0.5), vec2(0.5)))) {
        return 1.0;
    }
    return texture(shadow_map, s.xyz);
}

struct SurfaceLight {
    vec3 sun;       // irradiance of the beam on a plane facing it
    vec3 ambient;   // irradiance of the diffuse light on the surface
};

// Light on a surface; `open` is the share of the hemisphere that is not shut off by neighbours.
SurfaceLight light_at(vec3 p_ws, vec3 normal_ws, vec3 fall, float open) {
    float depth_m = max(-p_ws.y, 0.0);
    float beam = beam_share(depth_m);
    vec3 sun_facing = sun_water / max(to_sun_water.y, 0.2) * fall;
    vec3 down = (sky_water + (1.0 - beam) * sun_water) * fall;
    // Light from the side and from below: the water's own radiance and the ground's.
    float above_ground = max(seabed_depth_m - depth_m, 0.0);
    vec3 bounce = seabed_colour * (sun_water + sky_water) * downwelling(seabed_depth_m) * exp(-attenuation * above_ground);
    vec3 water = (sky_water + sun_water) * fall * scattering / attenuation * 0.22;
    vec3 up = 0.75 * bounce + water * 0.5;
    SurfaceLight light;
    light.sun = sun_facing * beam;
    light.ambient = (mix(up, down + water, 0.5 + 0.5 * normal_ws.y)) * open;
    return light;
}
