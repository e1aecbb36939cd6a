// Text and panels: a point of egui's, from the upper left corner on, to clip space.
uniform vec2 screen_points;
in vec2 position;
in vec2 uv;
in vec4 colour;
out vec2 texel_uv;
out vec4 tint;

void main() {
    gl_Position = vec4(2.0 * position.x / screen_points.x - 1.0, 1.0 - 2.0 * position.y / screen_points.y, 0.0, 1.0);
    texel_uv = uv;
    tint = colour;
}
