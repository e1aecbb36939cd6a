// The mip maps of a texture, from level 1 on one above the other, each texel the mean of what it spans of level 0.

uniform sampler2D base;         // read between its texels, each read is the mean of four

out vec4 texel;

const int MAX_READS = 16;      // along a side; of more every other and so on will do

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 size = textureSize(base, 0) >> 1;
    int reads = 1;
    while (at.y >= size.y && size.y > 1) {
        at.y -= size.y;
        size = max(size >> 1, 1);
        reads = min(2 * reads, MAX_READS);
    }
    reads = at.x < size.x ? reads : 0;
    vec2 span = 1.0 / vec2(size);
    vec4 sum = vec4(0.0);
    for (int j = 0; j < reads; ++j) {
        for (int i = 0; i < reads; ++i) {
            sum += textureLod(base, (vec2(at) + (vec2(i, j) + 0.5) / float(reads)) * span, 0.0);
        }
    }
    texel = sum / float(max(reads * reads, 1));
}
