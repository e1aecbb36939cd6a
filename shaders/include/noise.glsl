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

// Values at the corners of a lattice's cell: (0, 0), (1, 0), (0, 1), (1, 1); 0..1.
vec4 lattice_corners(vec2 cell) {
    uvec2 c = uvec2(ivec2(cell));
    uvec4 row = (c.y + uvec4(0u, 0u, 1u, 1u)) * 0x9E3779B9u;
    uvec4 key = (c.x + uvec4(0u, 1u, 0u, 1u)) ^ row;
    return vec4(unit_float(pcg(key.x)), unit_float(pcg(key.y)), unit_float(pcg(key.z)), unit_float(pcg(key.w)));
}

// Value noise of cells of side 1; 0..1.
float lattice(vec2 at) {
    vec2 cell = floor(at);
    vec2 part = at - cell;
    part *= part * (3.0 - 2.0 * part);
    vec4 value = lattice_corners(cell);
    vec2 sides = mix(value.xz, value.yw, part.x);
    return mix(sides.x, sides.y, part.y);
}

// Its gradient.
vec2 lattice_slope(vec2 at) {
    vec2 cell = floor(at);
    vec2 part = at - cell;
    vec2 smoothed = part * part * (3.0 - 2.0 * part);
    vec4 value = lattice_corners(cell);
    vec2 across = value.yw - value.xz;
    vec2 up = value.zw - value.xy;
    return 6.0 * part * (1.0 - part) * vec2(mix(across.x, across.y, smoothed.y), mix(up.x, up.y, smoothed.x));
}
