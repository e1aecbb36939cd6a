// A soft copy at another resolution: four bilinear taps on the corners of the texel. Premultiplied by `weight`, so that
// blending mixes it with what is there. Reads linear radiance; a firefly is held at a ceiling.

uniform sampler2D from;
uniform float weight;
uniform float reach;            // of the taps, texels: 1 when halving; 0.5 when doubling, to leave no hole in the middle

in vec2 uv;
out vec4 color;

const float CEILING = 40.0;

void main() {
    vec2 tap = reach / vec2(textureSize(from, 0));
    vec3 sum = texture(from, uv + tap * vec2(-1.0, -1.0)).rgb + texture(from, uv + tap * vec2(1.0, -1.0)).rgb
        + texture(from, uv + tap * vec2(-1.0, 1.0)).rgb + texture(from, uv + tap * vec2(1.0, 1.0)).rgb;
    color = vec4(min(sum * 0.25, vec3(CEILING)) * weight, weight);
}
