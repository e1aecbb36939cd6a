// Coverage of a pixel by what is cut out of a texture. SOFT_EDGES: some of it, where it ends within the pixel or holes
// are finer than pixels; else all or nothing. FRINGE: what shows some, and nothing else, is drawn.

#if SOFT_EDGES
// Coverage above this counts as whole: it hides what is behind.
const float WHOLE = 0.9;
// Texels a pixel up to which alpha draws an outline, and from which on it is a mean over strands and holes: a share.
const vec2 MEAN_TEXELS = vec2(1.0, 3.0);
// A thick thing hides more than its outline where one looks past it aslant. By eye.
const float THICK = 1.25;
#endif

// `a`: the texel's alpha at `uv` of a map of so many texels, cut at `cutoff`, which is 0 for what has no holes.
float coverage(float a, float cutoff, vec2 uv, vec2 texels) {
#if SOFT_EDGES
    vec2 across = dFdx(uv) * texels, along = dFdy(uv) * texels;
    float outline = (a - cutoff) / max(fwidth(a), 0.02) + 0.5;
    float mean = smoothstep(MEAN_TEXELS.x, MEAN_TEXELS.y, sqrt(max(dot(across, across), dot(along, along))));
    return cutoff > 0.0 ? clamp(mix(outline, THICK * a, mean) / WHOLE, 0.0, 1.0) : 1.0;
#else
    return step(cutoff, a);
#endif
}

// Whether such a pixel is for another pass or nobody.
bool is_cut_out(float covered) {
#if FRINGE
    return covered >= 1.0 || covered < 0.03;
#else
    return covered < 1.0;
#endif
}
