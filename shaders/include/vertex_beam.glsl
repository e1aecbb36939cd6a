// The beam on its way to a vertex, for meshes without light at pixels: see lighting.glsl.

#if CAUSTICS
uniform sampler2D caustic_map;
#endif
#if SHADOWS
uniform sampler2DShadow shadow_map;
#endif

// Its share that arrives through caustics, the mean over so many metres, and shadows; after light_vertex().
float beam_gain(float over_m) {
    float gain = 1.0;
#if CAUSTICS
    float over_tx = over_m / caustic_patch_m * float(textureSize(caustic_map, 0).x);
    gain += dot(textureLod(caustic_map, caustic_uv, log2(max(0.5 * over_tx, 1.0))) - 1.0, caustic_weights);
#endif
#if SHADOWS
    bool inside = all(lessThan(abs(shadow_ts.xy - 0.5), vec2(0.5)));
    gain *= inside ? texture(shadow_map, shadow_ts) : 1.0;
#endif
    return gain;
}
