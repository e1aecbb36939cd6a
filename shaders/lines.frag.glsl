// Lines with soft edges.

in vec2 across;
in vec4 tint;
out vec4 display;

void main() {
    display = tint * (1.0 - smoothstep(across.y - 0.5, across.y + 0.5, abs(across.x)));
}
