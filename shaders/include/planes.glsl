// Diffuse light on a surface that looks anywhere, from that on planes that face up, down and to the side: weighed by the
// squares of the normal's components.

vec3 light_on(vec3 normal_ws, vec3 from_above, vec3 from_below, vec3 from_beside) {
    return mix(from_beside, normal_ws.y > 0.0 ? from_above : from_below, normal_ws.y * normal_ws.y);
}

// The same for normals close to one, in a form that pixels take cheaply: mix(below, above, 0.5 + 0.5 * normal_ws.y) is the
// light on that one and on its back, and goes straight from one to the other.
void between_sides(vec3 normal_ws, vec3 from_above, vec3 from_below, vec3 from_beside, out vec3 above, out vec3 below) {
    vec3 level = mix(from_beside, 0.5 * (from_above + from_below), normal_ws.y * normal_ws.y);
    vec3 tilt = 0.5 * abs(normal_ws.y) * (from_above - from_below);
    above = level + tilt;
    below = max(level - tilt, 0.0);
}
