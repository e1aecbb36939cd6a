// Nothing but depth; holes stay holes. ALPHA_TEST: texels below alpha_cutoff cast no shadow.

in vec2 texture_uv;
uniform sampler2D albedo_map;
uniform float alpha_cutoff;

void main() {
#if ALPHA_TEST
    if (texture(albedo_map, texture_uv).a < alpha_cutoff) {
        discard;
    }
#endif
}
