// A test patch through the water: its own radiance times exp(-c d), and what the water adds.
#include "frame.glsl"
#include "water_optics.glsl"

in vec3 p_ws;
uniform vec3 emitted;           // radiance
out vec4 radiance;

void main() {
    radiance = vec4(through_water(emitted, p_ws), 1.0);
}
