// The scene so far, for the surface to mirror and to be looked through. Writes radiance, and in alpha the distance along
// the ray in m, 0 where there is only water.
#include "frame.glsl"

uniform sampler2D scene_color;
uniform sampler2D scene_depth;

in vec2 uv;
out vec4 seen;

void main() {
    float depth = texture(scene_depth, uv).r;
    vec4 p = world_from_clip * vec4(vec3(uv, depth) * 2.0 - 1.0, 1.0);
    seen = vec4(texture(scene_color, uv).rgb, depth < 1.0 ? distance(p.xyz / p.w, eye_ws) : 0.0);
}
