// Lays contact.frag.glsl's map over the scene: the mean of a block of 4 x 4 texels, which holds its noise once, of those
// about as far away. Premultiplied: what is lost of the surface's radiance is, and the water's before it stays.
#include "frame.glsl"
#include "water_optics.glsl"
#include "shafts.glsl"

uniform sampler2D open_sky;

in vec2 uv;
out vec4 radiance;

// Light from all round, which alone is hidden, of all that falls on things: by eye.
const float SHARE = 0.75;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy), last = textureSize(open_sky, 0) - 1;
    float distance_m = texelFetch(open_sky, here, 0).g;
    if (distance_m == 0.0) {
        discard;
    }
    vec3 sum = vec3(0.0);
    for (int y = -1; y < 3; ++y) {
        for (int x = -1; x < 3; ++x) {
            vec3 there = texelFetch(open_sky, clamp(here + ivec2(x, y), ivec2(0), last), 0).rgb;
            sum += bilateral_weight(there.g, distance_m) * vec3(there.r, 1.0, there.b);
        }
    }
    float left = 1.0 - SHARE * (1.0 - sum.x / sum.y);
#if LIGHTS
    left *= 1.0 - sum.z / sum.y;
#endif
    float lost = 1.0 - left;
    vec4 far_ws = world_from_clip * vec4(uv * 2.0 - 1.0, 1.0, 1.0);
    vec3 direction = normalize(far_ws.xyz / far_ws.w - eye_ws);
    float path_m = underwater_path_m(eye_ws + direction * distance_m);
    radiance = vec4(inscatter(eye_downwelling, direction, path_m) * lost, lost);
}
