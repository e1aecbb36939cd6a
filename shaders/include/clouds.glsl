// White fair-weather clouds, each for itself: one layer of noise, in air. A picture, not a model: shapes and shades are
// set by eye.

#include "frame.glsl"
#include "noise.glsl"

// The lattice's axes are turned from octave to octave, or edges of clouds would follow them.
const mat2 TURNED = mat2(0.8, 0.6, -0.6, 0.8);

// Thickness of the layer at a place of it, as a share of its height; below 0: a gap. The first octaves may do.
float cloud_thickness(vec2 at, bool fine) {
    vec2 second = TURNED * at, third = TURNED * second;
    float billow = 0.56 * lattice(at) + 0.28 * lattice(2.3 * second + 7.1);
    billow += fine ? 0.11 * lattice(5.2 * third + 3.7) + 0.05 * lattice(11.6 * (TURNED * third) + 1.3) : 0.08;
    // Sums of the lattice deviate by 0.13.
    return billow - 0.5 - 0.33 * (0.5 - clouds);
}

// The sky with the clouds before it.
vec3 cloudy(vec3 sky, vec3 direction) {
    vec2 at = 1.5 * (TURNED * direction.xz) / (max(direction.y, 0.0) + 0.08) + 0.003 * time_s;
    float thick = cloud_thickness(at, true);
    // Cloud between it and the key light dims it.
    vec2 toward_light = to_key_light_air.xz / (to_key_light_air.y + 0.4);
    float before = max(cloud_thickness(at + 0.22 * toward_light, false), 0.0);
    float lit = exp(-5.0 * before) * (1.0 - 0.6 * smoothstep(0.02, 0.25, thick));
    float toward_key_light = max(dot(direction, to_key_light_air), 0.0);
    float rim = toward_key_light * toward_key_light;
    rim *= rim;
    // From below what is thick is dim: all that is seen under an overcast, where the key light is weak.
    float dim = mix(0.62, 0.34, smoothstep(0.03, 0.28, thick));
    vec3 white = key_light_air * (0.05 + (0.15 + 0.20 * rim) * lit) + dim * (sky_zenith + sky_horizon);
    // They fade into the haze, long before rows of them would lie closer than a wave bends a ray. The key light, which they do
    // not dim, stands in a gap.
    float cover = smoothstep(-0.06, 0.26, thick) * smoothstep(0.06, 0.42, direction.y) * smoothstep(0.01, 0.06, 1.0 - toward_key_light);
    return mix(sky, white, 0.85 * cover);
}
