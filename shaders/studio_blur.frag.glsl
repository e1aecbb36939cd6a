// The mean of a picture along a line, nearer texels counting more.

uniform sampler2D picture;
uniform vec2 step_uv;           // from one sample to the next

in vec2 uv;
out vec4 color;

void main() {
    vec4 sum = vec4(0.0);
    float all = 0.0;
    for (int i = -6; i <= 6; ++i) {
        float weight = exp(-float(i * i) / 14.0);
        sum += weight * texture(picture, uv + float(i) * step_uv);
        all += weight;
    }
    color = sum / all;
}
