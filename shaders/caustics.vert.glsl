// A grid of sun rays refracted at the waves and followed down to a slice. Writes where each lands on the tile, and where
// it came through, for the area ratio. The mean ray's slant is left out: readers add it (lighting.glsl).
#include "frame.glsl"
#include "waves.glsl"

in vec2 uv;                     // grid corner on the tile, 0..1 and a margin beyond
uniform float slice_depth_m;

out vec2 entry_m;
out vec2 landing_m;

const float REFRACTIVE_INDEX = 1.34079;

void main() {
    vec2 at = uv * caustic_patch_m;
    vec2 slope = textureLod(slope_short, at / patches_m.z, 0.0).xy;
    float height = textureLod(displacement_short, at / patches_m.z, 0.0).y;
    vec3 normal = normalize(vec3(-slope.x, 1.0, -slope.y));
    vec3 ray = refract(-to_sun_air, normal, 1.0 / REFRACTIVE_INDEX);
    vec2 mean_slant = -to_sun_water.xz / to_sun_water.y;
    vec2 slant = ray.xz / max(-ray.y, 0.05);
    entry_m = at;
    landing_m = at + (slant - mean_slant) * (slice_depth_m + height);
    gl_Position = vec4(landing_m / caustic_patch_m * 2.0 - 1.0, 0.0, 1.0);
}
