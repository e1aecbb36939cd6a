// Light on a surface in the water: the refracted sun through its caustics and shadows, and what is scattered.
// The smooth part comes from lighting_vertex.glsl. Needs frame.glsl.

in vec3 beam_light;
in vec3 light_from_above;
in vec3 light_from_below;
in vec3 ray_inscatter;
in float lit_depth_m;
in vec2 caustic_uv;
in vec3 shadow_ts;

uniform sampler2D caustic_map;          // one slice a channel, at caustic_depths; mean 1
uniform sampler2DShadow shadow_map;

// The beam's irradiance on a plane facing it, as the waves overhead gather it.
vec3 focused_beam() {
    if (caustics_on < 0.5) {
        return beam_light;
    }
    // Slices blend linearly by depth; just under the surface nothing has focused yet.
    vec3 along = clamp((lit_depth_m - caustic_depths.xyz) / (caustic_depths.yzw - caustic_depths.xyz), 0.0, 1.0);
    vec4 weights = vec4(1.0 - along.x, along.x * (1.0 - along.y), along.y * (1.0 - along.z), along.z);
    float focused = clamp(lit_depth_m / caustic_depths.x, 0.0, 1.0);
    return beam_light * (1.0 + focused * (dot(texture(caustic_map, caustic_uv), weights) - 1.0));
}

float sun_visibility() {
    if (shadows_on < 0.5 || any(greaterThan(abs(shadow_ts.xy - 0.5), vec2(0.5)))) {
        return 1.0;
    }
    return texture(shadow_map, shadow_ts);
}

vec3 diffuse_light(vec3 normal_ws) {
    return mix(light_from_below, light_from_above, 0.5 + 0.5 * normal_ws.y);
}
