// One pass of an inverse Fourier transform along the rows or the columns of every tile: Stockham's order, radix
// 1 << LOG_RADIX. Reads and writes two complex numbers a texel. Govindaraju et al. 2008, section 3.
// FIRST: reads a spectrum of half the length, its middle at frequency 0, the rest of which would be empty.
#include "constants.glsl"

uniform sampler2D from;
uniform int side;               // length of the transform
uniform int origin;             // column at which the first tile begins, in both
uniform int log_span;           // of the product of the radices done
uniform int along_x;            // 1 along rows, 0 along columns
uniform int last;               // 1 in the very last pass

out vec4 fields;

const int RADIX = 1 << LOG_RADIX;

vec4 times(vec4 a, vec2 b) {
    return a.xzxz.xxyy * b.xyxy + a.ywyw.xxyy * vec2(-b.y, b.x).xyxy;
}

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy) - ivec2(origin, 0);
    int at = (along_x == 1 ? p.x : p.y) & (side - 1);
    int span = 1 << log_span;
    int within = at & (span * RADIX - 1);
    int place = ((at - within) >> LOG_RADIX) + (within & (span - 1));
    int stride = side >> LOG_RADIX;
    ivec2 first = along_x == 1 ? ivec2(((p.x - at) >> FIRST) + place, p.y) : ivec2(p.x, place);
    first.x += origin;
    ivec2 next = along_x == 1 ? ivec2(stride, 0) : ivec2(0, stride);
    float angle = TAU * float(within) / float(span * RADIX);
    vec2 turn = vec2(cos(angle), sin(angle));
    // Horner's rule in powers of the turn.
    const int TERMS = RADIX >> FIRST;
    vec4 sum = texelFetch(from, first + (TERMS - 1) * next, 0);
    for (int i = TERMS - 2; i >= 0; --i) {
        sum = times(sum, turn) + texelFetch(from, first + i * next, 0);
    }
    if (last == 1) {
        // Both axes began a quarter of their length below frequency 0: a quarter turn back a texel.
        int quarter = (p.x + p.y) & 3;
        vec4 turned = (quarter & 1) == 0 ? sum : vec4(sum.y, -sum.x, sum.w, -sum.z);
        sum = quarter < 2 ? turned : -turned;
    }
    fields = sum;
}
