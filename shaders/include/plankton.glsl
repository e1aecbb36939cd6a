// Light of dinoflagellates, 474 to 490 nm. They keep dark by day, and nobody would see them. Brightness: by eye.

#include "frame.glsl"
#include "water_optics.glsl"

const vec3 SPARK_COLOUR = vec3(0.04, 0.55, 1.0);
// Irradiance that is too much for them.
const float DAYLIGHT_FOR_SPARKS = 0.02;

// Radiance of a bright spark.
vec3 spark_radiance(vec3 p_ws) {
    float dark = DAYLIGHT_FOR_SPARKS / (DAYLIGHT_FOR_SPARKS + dot(irradiance(-p_ws.y), vec3(1.0 / 3.0)));
    return dark * SPARK_COLOUR;
}
