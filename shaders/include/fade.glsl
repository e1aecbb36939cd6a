// Instances that go over from one level of detail to the next: drawn at both, each on the pixels that the other leaves out.
#include "noise.glsl"

// `shown`: share of the pixels that show it; of the coarser level minus that of the finer one.
bool is_left_out(float shown) {
    float threshold = interleaved_noise(gl_FragCoord.xy);
    return shown < 0.0 ? threshold < -shown : threshold >= shown;
}

// The same as opacity.
float opacity_of(float shown) {
    return shown < 0.0 ? 1.0 + shown : shown;
}
