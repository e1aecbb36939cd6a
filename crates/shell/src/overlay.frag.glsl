// Text and panels: sRGB with premultiplied alpha, multiplied as it is, which text looks right with.
uniform sampler2D font_map;
in vec2 texel_uv;
in vec4 tint;
out vec4 display;

void main() {
    display = tint * texture(font_map, texel_uv);
}
