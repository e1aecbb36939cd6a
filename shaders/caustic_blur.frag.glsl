// Blur of a caustic map by the disc of the key light, one axis a pass: seven taps. Each slice (a channel) has weights of
// its own, since the image of the disc widens with depth. Lines thinner than a texel lose their beads too.
// Reads and writes irradiance over its mean.

uniform sampler2D from;
uniform vec2 way;               // one texel along x or along y
uniform vec4 share_0;           // of the texel itself, and of those one to three away on either side
uniform vec4 share_1;
uniform vec4 share_2;
uniform vec4 share_3;

in vec2 uv;
out vec4 irradiance;

void main() {
    irradiance = share_0 * textureLod(from, uv, 0.0)
        + share_1 * (textureLod(from, uv - way, 0.0) + textureLod(from, uv + way, 0.0))
        + share_2 * (textureLod(from, uv - 2.0 * way, 0.0) + textureLod(from, uv + 2.0 * way, 0.0))
        + share_3 * (textureLod(from, uv - 3.0 * way, 0.0) + textureLod(from, uv + 3.0 * way, 0.0));
}
