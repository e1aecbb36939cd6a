// The depth of what was drawn, in another resolution: a headset shows a picture moved along with the head.
uniform sampler2D scene_depth;

in vec2 uv;

void main() {
    gl_FragDepth = texture(scene_depth, uv).r;
}
