// A copy of the scene's depth for a headset's runtime, which corrects late pictures for the head's movement. Reads the
// scene's depth, 0 near to 1 far, at uv; writes it into a target of any size and format.
uniform sampler2D scene_depth;

in vec2 uv;

void main() {
    gl_FragDepth = texture(scene_depth, uv).r;
}
