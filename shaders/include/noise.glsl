// Hashes on integers, so that every driver agrees bit for bit.
// PCG: Jarzynski & Olano 2020, "Hash Functions for GPU Rendering".

uint pcg(uint v) {
    uint state = v * 747796405u + 2891336453u;
    uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

float unit_float(uint v) {
    return float(v >> 8u) * (1.0 / 16777216.0);
}

vec3 hash3(uint seed) {
    uint a = pcg(seed);
    uint b = pcg(a);
    return vec3(unit_float(a), unit_float(b), unit_float(pcg(b)));
}

// Interleaved gradient noise (Jimenez 2014): even over any small block of pixels. 0..1.
float interleaved_noise(vec2 pixel) {
    return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
}
