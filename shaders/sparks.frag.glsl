// A flash in a soft glow, added to what is there.

in vec2 corner;
in vec3 spark_seen;
out vec4 radiance;

void main() {
    float falloff = clamp(1.0 - dot(corner, corner), 0.0, 1.0);
    float squared = falloff * falloff;
    radiance = vec4(spark_seen * (squared * (0.15 + 0.85 * squared)), 0.0);
}
