// The lens through which what drifts in the water is seen: it lies nearer than what the lens is focused on. Out of focus a
// thing spreads over the circle of confusion; what is finer than the picture's pixels keeps a size at which its dot is
// round. Either way it gives up brightness for width. Both numbers of the lens: by eye.

#include "frame.glsl"

const float APERTURE_M = 0.0035;
const float FOCUS_M = 2.5;

// Radius of the circle of confusion as far off as the thing, m.
float confusion_m(float distance_m) {
    return 0.5 * APERTURE_M * max(1.0 - distance_m / FOCUS_M, 0.0);
}

// Radius over which a thing is spread, m. `least_px`: of a dot whose profile is as soft as the thing's, pixels.
float seen_radius_m(float radius_m, float distance_m, float least_px) {
    float confusion = confusion_m(distance_m);
    return max(sqrt(radius_m * radius_m + confusion * confusion), least_px * pixel_angle * distance_m);
}

// Brightest that a dot becomes in the picture, over white: a clipped disc would have steps for a rim.
const float WHITEST = 2.5;

vec3 unclipped(vec3 seen) {
    return seen * min(WHITEST / (exposure * max(max(seen.r, seen.g), max(seen.b, 1e-9))), 1.0);
}
