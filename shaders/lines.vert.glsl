// Lines as quads that are laid out in clip space.

in vec3 position;
in vec2 uv;                     // across the line in pixels, half its width
in vec4 colour;

out vec2 across;
out vec4 tint;

void main() {
    gl_Position = vec4(position, 1.0);
    across = uv;
    tint = colour;
}
