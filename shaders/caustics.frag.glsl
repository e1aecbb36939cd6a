// Flux of one bundle of rays over that of an undisturbed one: the area it came through over the texel it lights.
// Added up over all bundles, the mean over the tile is 1.

uniform vec4 slice_channel;      // 1 in the slice's channel

in vec2 entry_tx;
in float flux;
out vec4 irradiance;

void main() {
    vec2 ex = dFdx(entry_tx), ey = dFdy(entry_tx);
    // A bundle narrower than a texel is held: half floats must not overflow.
    irradiance = slice_channel * flux * min(abs(ex.x * ey.y - ex.y * ey.x), 40.0);
}
