// Corners of shapes that have no vertex buffer.

// Corner of a quad of two triangles, -1 to 1: vertices 0 to 5.
vec2 quad_corner(int vertex) {
    const vec2 CORNERS[6] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(1, 1), vec2(-1, -1), vec2(1, 1), vec2(-1, 1));
    return CORNERS[vertex];
}

// Corner of the one triangle that covers the whole target, which spans 0 to 1: vertices 0 to 2.
vec2 fullscreen_corner(int vertex) {
    return vec2(float((vertex << 1) & 2), float(vertex & 2));
}
