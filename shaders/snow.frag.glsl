// A flake: a core in a soft halo; out of focus it is a disc, brighter toward its rim, with a soft edge.

in vec2 corner;
in vec3 flake_radiance;
in float flake_alpha;
in float out_of_focus;
out vec4 radiance;

void main() {
    float from_middle = dot(corner, corner);
    float falloff = max(1.0 - from_middle, 0.0);
    float disc = smoothstep(0.0, 0.55, falloff) * (0.75 + 0.5 * from_middle);
    float alpha = flake_alpha * mix(1.8 * falloff * falloff * falloff, disc, out_of_focus);
    alpha = min(alpha, 0.9);
    radiance = vec4(flake_radiance * alpha, alpha);
}
