// Light shafts at low resolution, and what of them belongs to a pixel.

// Weight of a texel that saw something at `there_m` for a pixel that sees something at `here_m`.
float alike(float there_m, float here_m) {
    return abs(there_m - here_m) < 0.1 * here_m ? 1.0 : 0.01;
}
