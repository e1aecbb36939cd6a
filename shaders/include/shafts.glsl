// Bilateral (depth-aware) filtering and upsampling of light shafts, which are marched at low resolution.

// Weight of a texel whose ray ended at `there_m` for a pixel whose ray ends at `here_m`.
float bilateral_weight(float there_m, float here_m) {
    return abs(there_m - here_m) < 0.1 * here_m ? 1.0 : 0.01;
}
