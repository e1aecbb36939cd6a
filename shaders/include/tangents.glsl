// Directions of texture coordinates on a surface, without tangents at its vertices.

// Along u and along v, longer the coarser the texture lies, from what neighbouring pixels differ by (Mikkelsen 2010).
void uv_tangents(vec3 n, vec3 p_ws, vec2 uv, out vec3 tangent, out vec3 bitangent) {
    vec3 p_x = dFdx(p_ws);
    vec3 p_y = dFdy(p_ws);
    vec2 uv_x = dFdx(uv);
    vec2 uv_y = dFdy(uv);
    vec3 across_x = cross(n, p_x);
    vec3 across_y = cross(p_y, n);
    tangent = across_y * uv_x.x + across_x * uv_y.x;
    bitangent = across_y * uv_x.y + across_x * uv_y.y;
}
