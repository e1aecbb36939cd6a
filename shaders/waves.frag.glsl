// The wave field of one patch at this instant: a sum of sines on a tile.
// Reads one texel a wave: wave vector (rad/m), amplitude (m), phase now (rad). Writes displacement (m) with the fold
// in w, and slopes. Gerstner 1802: horizontal displacement -(k/|k|) a sin.

uniform sampler2D components;
uniform int component_count;
uniform float patch_m;
uniform float wave_choppiness;

in vec2 uv;
layout(location = 0) out vec4 displacement;
layout(location = 1) out vec4 slope;

void main() {
    vec2 at = uv * patch_m;
    vec3 moved = vec3(0.0);
    vec2 gradient = vec2(0.0);
    vec3 squeeze = vec3(0.0);
    for (int i = 0; i < component_count; ++i) {
        vec4 wave = texelFetch(components, ivec2(i, 0), 0);
        float angle = dot(wave.xy, at) + wave.w;
        float c = wave.z * cos(angle);
        float s = wave.z * sin(angle);
        float k = length(wave.xy);
        vec2 direction = wave.xy / k;
        moved += vec3(-direction.x * s * wave_choppiness, c, -direction.y * s * wave_choppiness);
        gradient -= wave.xy * s;
        squeeze += k * c * vec3(direction.x * direction.x, direction.y * direction.y, direction.x * direction.y);
    }
    squeeze *= wave_choppiness;
    float fold = (1.0 - squeeze.x) * (1.0 - squeeze.y) - squeeze.z * squeeze.z;
    displacement = vec4(moved, fold);
    slope = vec4(gradient, 0.0, 0.0);
}
