// A soft flake; out of focus it is a disc.

in vec2 corner;
in vec3 flake_radiance;
in float flake_alpha;
in float out_of_focus;
out vec4 radiance;

void main() {
    float falloff = clamp(1.0 - dot(corner, corner), 0.0, 1.0);
    float alpha = flake_alpha * mix(falloff * falloff, min(2.5 * falloff, 1.0), out_of_focus);
    radiance = vec4(flake_radiance * alpha, alpha);
}
