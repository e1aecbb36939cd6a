// A sheet of panels: sRGB with premultiplied alpha, as they were drawn.
uniform sampler2D sheet;
in vec2 sheet_uv;
out vec4 display;

void main() {
    display = texture(sheet, sheet_uv);
}
