// The studio's room: a backdrop that is brightest behind the model and goes over into the floor, with the model's soft
// shadow and, if wanted, a grid. Writes display colour, its brightness in alpha for antialias.frag.glsl.
#include "colour.glsl"
#include "frame.glsl"

uniform sampler2D shadow_map;
uniform vec3 backdrop;          // linear
uniform float floor_y;
uniform float shadow_side;      // half the side of the square that the map covers
uniform float grid;             // from line to line; 0: none

in vec2 uv;
out vec4 display;

// Share of a pixel that a grid's lines cover.
float lines(vec2 at) {
    vec2 pixel = max(fwidth(at), vec2(1e-6));
    vec2 off = abs(fract(at - 0.5) - 0.5) / pixel;
    // Where they are as close as pixels there are none.
    vec2 line = (1.0 - smoothstep(0.2, 1.3, off)) * (1.0 - smoothstep(0.15, 0.5, pixel));
    return max(line.x, line.y);
}

void main() {
    vec2 centred = (2.0 * uv - 1.0) * vec2(0.75, 0.95);
    vec3 color = backdrop * (0.34 + 1.05 * exp(-1.4 * dot(centred, centred)));
    vec4 far = world_from_clip * vec4(2.0 * uv - 1.0, 1.0, 1.0);
    vec3 along = normalize(far.xyz / far.w - eye_ws);
    float way = (floor_y - eye_ws.y) / min(along.y, -1e-4);
    vec2 at = eye_ws.xz + way * along.xz;
    // From below there is no floor, and far away it is backdrop.
    float seen = step(along.y, -1e-3) * step(floor_y, eye_ws.y);
    float fine = lines(at / max(grid, 1e-6));
    float coarse = lines(at / max(10.0 * grid, 1e-6));
    vec2 shadow_uv = 0.5 + 0.5 * at / shadow_side;
    float is_inside = step(max(abs(shadow_uv.x - 0.5), abs(shadow_uv.y - 0.5)), 0.5);
    color *= 1.0 - 0.85 * seen * is_inside * texture(shadow_map, shadow_uv).r;
    color = srgb_from_linear(color);
    if (grid > 0.0) {
        float near = seen * exp(-0.10 * dot(at, at));
        // Dark on what is bright, bright on what is dark.
        vec3 line = vec3(step(luminance(backdrop), 0.1));
        color = mix(color, line, near * max(0.14 * fine, 0.32 * coarse));
    }
    // Finer than a step of 8 bits, so that gradients show no bands.
    float grain = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    color += (grain - 0.5) / 255.0;
    display = vec4(color, luminance(color));
}
