// An air bubble in water: beyond the critical angle its rim mirrors the surroundings like silver; the middle is a lens that
// bends the view outward. Writes premultiplied radiance. How opaque the middle and how bright the highlight is: by eye.
#include "frame.glsl"
#include "water_optics.glsl"
#include "environment.glsl"

in vec2 corner;
in vec3 p_ws;
in vec3 facing_ws;
uniform vec3 right_ws;
uniform vec3 up_ws;
out vec4 radiance;

void main() {
    float r2 = dot(corner, corner);
    if (r2 > 1.0) {
        discard;
    }
    float z = sqrt(1.0 - r2);
    vec3 n = normalize(right_ws * corner.x + up_ws * corner.y + facing_ws * z);
    float reflectance = fresnel(max(z, 0.02), 1.0 / REFRACTIVE_INDEX);
    vec3 mirrored = environment(p_ws, reflect(-facing_ws, n));
    // Through a ball of air a ray is turned outward twice by what refraction turns it.
    vec3 into_air = refract(-facing_ws, n, REFRACTIVE_INDEX);
    vec3 seen_through = environment(p_ws, facing_ws - 2.0 * dot(into_air, facing_ws) * into_air);
    // Something of what is straight behind: it has no image of the things round it.
    float alpha = mix(0.55, 0.97, reflectance) * (1.0 - smoothstep(0.9, 1.0, r2));
    vec3 highlight = key_light_water * downwelling(-p_ws.y) * 2.0 * pow(max(dot(n, normalize(facing_ws + to_key_light_water)), 0.0), 90.0);
    vec3 lit = mix(seen_through, 1.2 * mirrored, reflectance) * alpha + highlight;
    float distance_m = length(p_ws - eye_ws);
    radiance = vec4(lit * transmittance(distance_m) + inscatter(eye_downwelling, -facing_ws, distance_m) * alpha, alpha);
}
