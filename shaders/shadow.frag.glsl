// Nothing but depth; holes stay holes. CUT: texels below alpha_cut cast no shadow.

in vec2 texture_uv;
uniform sampler2D albedo_map;
uniform float alpha_cut;

void main() {
#if CUT
    if (texture(albedo_map, texture_uv).a < alpha_cut) {
        discard;
    }
#endif
}
