// Metal: it reflects more than any other surface, in its own colour.

// Largest channel of reflectance between which a surface is no metal and is one.
const vec2 METAL_FROM = vec2(0.1, 0.3);

// Reflectance of a surface whose colour has a factor: that of metal is its colour.
vec3 tinted_reflectance(vec3 reflectance, vec3 tint) {
    float metal = smoothstep(METAL_FROM.x, METAL_FROM.y, max(reflectance.r, max(reflectance.g, reflectance.b)));
    return reflectance * mix(vec3(1.0), tint, metal);
}
