// A soft, slightly ragged flake.

in vec2 corner;
in vec3 flake_radiance;
in float flake_alpha;
out vec4 radiance;

void main() {
    float falloff = clamp(1.0 - dot(corner, corner), 0.0, 1.0);
    float alpha = flake_alpha * falloff * falloff;
    radiance = vec4(flake_radiance * alpha, alpha);
}
