// Light shafts, which are marched at low resolution: bilateral (depth-aware) filtering and upsampling, and the laying over
// the scene.

// Distance over which a path to it counts by 1 - 1/e: the farther, the less another metre adds to what is seen. By eye.
const float NEAR_PATH_M = 6.0;

// Weight of a texel whose ray ended at `there_m` for a pixel whose ray ends at `here_m`. Near the horizon neighbouring rows
// see ground that lies far apart, and yet nearly the same light before it: no edge is there.
float bilateral_weight(float there_m, float here_m) {
    float apart = abs(exp(-there_m / NEAR_PATH_M) - exp(-here_m / NEAR_PATH_M));
    return mix(1.0, 0.01, smoothstep(0.015, 0.04, apart));
}

// Shade between the shafts takes a part of what is seen at most: beside an edge the coarse map may hold another ray's.
vec3 with_shafts(vec3 radiance, vec3 shafts) {
    return max(radiance + shafts, 0.5 * radiance);
}
