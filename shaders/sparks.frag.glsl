// A flash with its glow, added to what is there.

in vec2 corner;
in vec3 spark_seen;
out vec4 radiance;

void main() {
    float falloff = clamp(1.0 - dot(corner, corner), 0.0, 1.0);
    radiance = vec4(spark_seen * (falloff * falloff), 0.0);
}
