// A grid of rays of the key light, refracted at the waves and followed down to a slice. Writes where each came through,
// for the area ratio, and the flux it carries. The slant of the mean ray is left out: readers add it
// (lighting_vertex.glsl).
#include "frame.glsl"
#include "waves.glsl"
#include "fresnel.glsl"

in vec2 uv;                     // grid corner on the tile, 0..1 and a margin beyond
uniform float slice_depth_m;
uniform float refractive_index; // for the map's colour
uniform float texels;           // along a side of the map
uniform float slope_level;      // mip level that holds the waves which make the pattern at this depth
uniform float flux_scale;       // 1 over the mean flux

out vec2 entry_tx;              // in texels
out float flux;                 // over its mean

// Cubic B-spline through the texels of a mip level, from four bilinear taps (Sigg & Hadwiger 2005): a slope that bends
// at the texels' edges would show them.
vec2 smooth_slope(vec2 at, int level) {
    vec2 size = vec2(textureSize(slope_short, level));
    vec2 place = at * size - 0.5;
    vec2 f = fract(place);
    vec2 corner = place - f;
    vec2 w0 = (1.0 - f) * (1.0 - f) * (1.0 - f) / 6.0;
    vec2 w1 = (4.0 + f * f * (3.0 * f - 6.0)) / 6.0;
    vec2 w3 = f * f * f / 6.0;
    vec2 before = w0 + w1;
    vec2 low = (corner - 0.5 + w1 / before) / size;
    vec2 high = (corner + 1.5 + w3 / (1.0 - before)) / size;
    vec2 south = mix(textureLod(slope_short, high, float(level)).xy, textureLod(slope_short, vec2(low.x, high.y), float(level)).xy, before.x);
    vec2 north = mix(textureLod(slope_short, vec2(high.x, low.y), float(level)).xy, textureLod(slope_short, low, float(level)).xy, before.x);
    return mix(south, north, before.y);
}

void main() {
    vec2 at = uv * caustic_patch_m;
    int level = int(slope_level);
    vec2 slope = mix(smooth_slope(at / patches_m.z, level), smooth_slope(at / patches_m.z, level + 1), fract(slope_level));
    float height = textureLod(displacement_short, at / patches_m.z, 0.0).y;
    vec3 normal = normalize(vec3(-slope.x, 1.0, -slope.y));
    vec3 ray = refract(-to_key_light_air, normal, 1.0 / refractive_index);
    vec2 mean_slant = -to_key_light_water.xz / to_key_light_water.y;
    vec2 slant = ray.xz / max(-ray.y, 0.05);
    // Irradiance of a column of light a square metre wide on the slope, and the share that gets through.
    float met = max(to_key_light_air.y - dot(slope, to_key_light_air.xz), 0.0);
    float cos_key_light = max(dot(normal, to_key_light_air), 1e-3);
    flux = flux_scale * met * (1.0 - fresnel(cos_key_light, refractive_index));
    entry_tx = uv * texels;
    vec2 landing_m = at + (slant - mean_slant) * (slice_depth_m + height);
    gl_Position = vec4(landing_m / caustic_patch_m * 2.0 - 1.0, 0.0, 1.0);
}
