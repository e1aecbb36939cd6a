// Blur of a caustic map by the disc of the key light, one axis a pass: seven taps. Each slice (a channel) has weights of
// its own, since the image of the disc widens with depth. Lines thinner than a texel lose their beads too.
// Reads and writes irradiance over its mean.

uniform sampler2D from;
uniform vec2 step_uv;           // one texel along x or along y
uniform vec4 kernel_0;          // weights of the texel itself, and of those one to three away on either side
uniform vec4 kernel_1;
uniform vec4 kernel_2;
uniform vec4 kernel_3;

in vec2 uv;
out vec4 irradiance;

void main() {
    irradiance = kernel_0 * textureLod(from, uv, 0.0)
        + kernel_1 * (textureLod(from, uv - step_uv, 0.0) + textureLod(from, uv + step_uv, 0.0))
        + kernel_2 * (textureLod(from, uv - 2.0 * step_uv, 0.0) + textureLod(from, uv + 2.0 * step_uv, 0.0))
        + kernel_3 * (textureLod(from, uv - 3.0 * step_uv, 0.0) + textureLod(from, uv + 3.0 * step_uv, 0.0));
}
