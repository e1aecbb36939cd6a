// A flake: a core in a soft halo; out of focus it is a pale disc with a soft edge.

in vec2 corner;
in vec3 flake_radiance;
in float flake_alpha;
in float out_of_focus;
flat in vec2 crooked;
out vec4 radiance;

void main() {
    vec2 bent = corner + crooked * (corner.yx * corner.yx - 0.3);
    float falloff = max(1.0 - dot(bent, bent), 0.0);
    float disc = 0.20 * smoothstep(0.0, 1.0, falloff);
    float rim = max(1.0 - dot(corner, corner), 0.0);
    float alpha = min(flake_alpha * mix(1.8 * falloff * falloff * falloff * min(4.0 * rim, 1.0), disc, out_of_focus), 0.9);
    radiance = vec4(flake_radiance * alpha, alpha);
}
