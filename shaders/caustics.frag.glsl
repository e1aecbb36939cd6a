// Flux of one bundle of rays over that of an undisturbed one: the area it came through over the area it lights.
// Added up over all bundles, the mean over the tile is 1.

uniform vec4 slice_channel;      // 1 in the slice's channel

in vec2 entry_m;
in vec2 landing_m;
out vec4 irradiance;

void main() {
    vec2 ex = dFdx(entry_m), ey = dFdy(entry_m);
    vec2 lx = dFdx(landing_m), ly = dFdy(landing_m);
    float came_through = abs(ex.x * ey.y - ex.y * ey.x);
    float lit = abs(lx.x * ly.y - lx.y * ly.x);
    irradiance = slice_channel * min(came_through / max(lit, 1e-8), 24.0);
}
