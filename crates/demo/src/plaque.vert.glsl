// A sheet that stands in the world: its middle and the ways from there to its edges, all in clip space.
uniform vec4 middle;
uniform vec4 to_right;
uniform vec4 to_top;
out vec2 sheet_uv;

void main() {
    // Two triangles of a quad.
    int corner = gl_VertexID < 3 ? gl_VertexID : gl_VertexID - 2;
    sheet_uv = vec2(float(corner & 1), float(corner >> 1));
    vec2 aside = 2.0 * sheet_uv - 1.0;
    gl_Position = middle + aside.x * to_right + aside.y * to_top;
}
