// Sediment that lies on the foot of rocks, bones and timbers, and the shade there: what stands in the ground for years is
// grown into it. SILTED: whether it shows. Heights and shares are by eye.

#include "constants.glsl"
#include "frame.glsl"

#define SILTED (STONE && FINE_RELIEF && SHADOW_TAPS > 0 && !PER_VERTEX_LIGHTING)

#if SILTED
// Height of it on a level and a smooth foot, and what is added where the region, the grain and the coarser relief catch more and
// where a face looks up, m.
const float SILT_M = 0.015;
const vec4 CAUGHT_M = vec4(0.06, 0.08, 0.08, 0.05);
// Share of its height up to which it hides all.
const float SILT_WHOLE = 0.4;
// Heights between which lamps light a foot more and more, m, and the least share of their light that it gets.
const vec2 FOOT_M = vec2(0.0, 0.09);
const float FOOT_LIT = 0.35;
#endif
