// Nearness of the studio's model to the floor, seen along the key light: 1 on it, less above.

in vec3 p_ws;
in vec2 texture_uv;

uniform sampler2D albedo_map;
uniform float alpha_cutoff;
uniform float floor_y;

out vec4 darkness;

void main() {
    if (texture(albedo_map, texture_uv).a < alpha_cutoff) {
        discard;
    }
    darkness = vec4(1.0 / (1.0 + 1.4 * max(p_ws.y - floor_y, 0.0)));
}
