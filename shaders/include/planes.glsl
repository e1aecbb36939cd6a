// Diffuse light on a surface that looks anywhere, from that on planes that face up, down and to the side: weighed by the
// squares of the normal's components.

vec3 light_on(vec3 normal_ws, vec3 from_above, vec3 from_below, vec3 from_beside) {
    return mix(from_beside, normal_ws.y > 0.0 ? from_above : from_below, normal_ws.y * normal_ws.y);
}
