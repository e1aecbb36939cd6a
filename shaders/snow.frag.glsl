// A flake: a core in a soft halo; out of focus it is a pale disc with a soft edge.

in vec2 corner;
in vec3 flake_radiance;
in float flake_alpha;
in float out_of_focus;
out vec4 radiance;

void main() {
    float falloff = max(1.0 - dot(corner, corner), 0.0);
    float disc = 0.16 * smoothstep(0.0, 0.8, falloff);
    float alpha = min(flake_alpha * mix(1.8 * falloff * falloff * falloff, disc, out_of_focus), 0.9);
    radiance = vec4(flake_radiance * alpha, alpha);
}
