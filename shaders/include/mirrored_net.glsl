// The net of light on the ground, as the underside of the sea mirrors it. The mean ground is in radiance_from_below()
// already: this is what the net adds to it and takes from it, over level ground at its mean depth.
#include "caustic_slices.glsl"
#include "constants.glsl"
#include "frame.glsl"
#include "water_optics.glsl"
#include "waves.glsl"

uniform sampler2D caustic_map;

// Level of the short waves' mip maps that mirrors: an image in all of them would be sequins. By eye.
const float MIRROR_LEVEL = 1.0;
// Share of the slopes' variance below that level by which it is blurred. By eye: what shimmers is sharp at an instant.
const float BLURS = 0.12;
// Sizes of a pixel on the surface between which it gives way to its mean, m. By eye.
const vec2 NET_GONE_M = vec2(0.06, 0.35);
// Least sine of a ray's fall: a level one meets the ground far off, where the net is blurred away.
const float MIN_FALL = 0.03;

// Slope of the short waves at MIRROR_LEVEL, and in z the variance below it. Taken between texels by a cubic B-spline, in
// four lookups (Sigg & Hadwiger 2005, GPU Gems 2, chapter 20): a mirror of linear pieces shows its creases.
vec3 mirror_slope(vec2 at_m) {
    vec2 side = vec2(textureSize(slope_short, int(MIRROR_LEVEL)));
    vec2 at = at_m / patches_m.z * side - 0.5;
    vec2 part = fract(at);
    vec2 rest = 1.0 - part;
    vec2 first = rest * rest * rest / 6.0;
    vec2 second = 2.0 / 3.0 - 0.5 * part * part * (1.0 + rest);
    vec2 last = part * part * part / 6.0;
    vec2 low = first + second;
    vec2 middle = at - part + 0.5;
    vec4 uv = vec4(middle - 1.0 + second / low, middle + 1.0 + last / (1.0 - low)) / side.xyxy;
    vec3 below = mix(textureLod(slope_short, uv.zy, MIRROR_LEVEL).xyz, textureLod(slope_short, uv.xy, MIRROR_LEVEL).xyz, low.x);
    vec3 above = mix(textureLod(slope_short, uv.zw, MIRROR_LEVEL).xyz, textureLod(slope_short, uv.xw, MIRROR_LEVEL).xyz, low.x);
    return for_pixel(mix(above, below, low.y));
}

// Radiance that the net adds where the surface mirrors at `from_ws`, at rest at `rest_m`, of a ray from the eye in
// `direction`. `slope_of_longer`: that of all waves but the short ones.
vec3 mirrored_net(vec3 from_ws, vec3 direction, vec2 rest_m, vec2 slope_of_longer) {
    vec3 slope = mirror_slope(rest_m);
    vec2 whole = slope_of_longer + slope.xy;
    vec3 mirror = reflect(direction, vec3(whole.x, -1.0, whole.y) * inversesqrt(1.0 + dot(whole, whole)));
    float fall = max(-mirror.y, MIN_FALL);
    float way_m = max(from_ws.y + seabed_depth_m, 0.0) / fall;
    // As wide as what a pixel sees, and as slopes that turn the ray by twice themselves spread it, farther where it meets the
    // ground aslant.
    vec2 uv = caustic_place(from_ws + way_m * mirror);
    float texels = float(textureSize(caustic_map, 0).x);
    vec2 across = texels * dFdx(uv);
    vec2 along = texels * dFdy(uv);
    float way_tx = way_m * texels / caustic_patch_m;
    // The variance of a texel, evenly over its side, is a twelfth; that of the slopes is along both axes together.
    float width2 = dot(across, across) + dot(along, along) + 12.0 * (4.0 * 0.5 * BLURS * slope.z) * way_tx * way_tx / fall;
    float level = 0.5 * log2(max(width2, 1.0));
    float finer = floor(level);
    vec4 slices = mix(textureLod(caustic_map, uv, finer), textureLod(caustic_map, uv, finer + 1.0), level - finer);
    vec4 weights = slice_weights(seabed_depth_m) * exp(-beam_blur * seabed_depth_m);
    float over = max(net_contrast(seabed_depth_m) * dot(slices - 1.0, weights), DARKEST - 1.0);
    float pixel_m = pixel_angle * distance(from_ws, eye_ws) / max(direction.y, MIN_FALL);
    over *= 1.0 - smoothstep(NET_GONE_M.x, NET_GONE_M.y, pixel_m);
    vec3 slow = exp(-depth_attenuation_slow * seabed_depth_m - attenuation_slow * way_m);
    vec3 fast = exp(-depth_attenuation_fast * seabed_depth_m - attenuation_fast * way_m);
    return seabed_colour * INVERSE_PI * to_key_light_water.y * beam_irradiance(seabed_depth_m, slow, fast) * over;
}
