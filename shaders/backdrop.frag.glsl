// A copy of the scene's colour so far, for the screen-space reflections and refraction of the surface. Writes radiance,
// and in alpha the distance along the ray in m, 0 where there is only water, which may not have been drawn yet. One
// texel in BACKDROP_DIVISOR each way.
#include "frame.glsl"
#include "water_optics.glsl"

uniform sampler2D scene_color;
uniform sampler2D scene_depth;

in vec2 uv;
out vec4 seen;

void main() {
    // Texel for texel: a filter lets a trace of the next one in, which may be left over from the last frame.
    ivec2 texel = BACKDROP_DIVISOR * ivec2(gl_FragCoord.xy);
    float depth = texelFetch(scene_depth, texel, 0).r;
    vec4 p = world_from_clip * vec4(vec3(uv, depth) * 2.0 - 1.0, 1.0);
    vec3 ray = p.xyz / p.w - eye_ws;
    seen = depth < 1.0 ? vec4(texelFetch(scene_color, texel, 0).rgb, length(ray))
        : vec4(inscatter(eye_downwelling, normalize(ray), far_m), 0.0);
}
