// Light shafts, which are marched at low resolution: bilateral (depth-aware) filtering and upsampling, and the laying over
// the scene.

// Weight of a texel whose ray ended at `there_m` for a pixel whose ray ends at `here_m`.
float bilateral_weight(float there_m, float here_m) {
    return abs(there_m - here_m) < 0.1 * here_m ? 1.0 : 0.01;
}

// Shade between the shafts takes a part of what is seen at most: beside an edge the coarse map may hold another ray's.
vec3 with_shafts(vec3 radiance, vec3 shafts) {
    return max(radiance + shafts, 0.5 * radiance);
}
