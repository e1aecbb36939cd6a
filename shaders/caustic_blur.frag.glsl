// The sun's disc blurs a caustic map, one way at a time: seven taps, each slice (a channel) by weights of its own, since
// the disc's image widens with depth. It also takes the beads out of lines thinner than a texel.

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
