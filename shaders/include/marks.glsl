// Marks of an animal's life: a scar, a nick in the tail. All by eye. Places are shares of the model's box: z from the nose, y from
// below.

// Whether scars and nicks are shown: where scales are.
#define MARKED (JOINTS > 0 && SCALED && !PER_VERTEX_LIGHTING)

#if MARKED
// xy: place of a scar, z and y; z: its slope; w: how high up the tail has a nick. Out of reach in those that have none.
vec4 individual_marks(float variation) {
    vec4 own = fract(variation * vec4(23.71, 57.13, 91.37, 131.9));
    float scarred = step(own.w, 0.4);
    float nicked = step(own.x, 0.35);
    return vec4(mix(-9.0, 0.35 + 0.4 * own.x, scarred), 0.35 + 0.3 * own.y, 1.6 * own.z - 0.8, mix(-9.0, 0.25 + 0.5 * own.w, nicked));
}

// Strength of a scar at a place of the flank, z and y.
float scar_at(vec2 place, vec4 marks) {
    vec2 off = place - marks.xy;
    float aside = abs(off.y - marks.z * off.x);
    return (1.0 - smoothstep(0.006, 0.016, aside)) * (1.0 - smoothstep(0.03, 0.055, abs(off.x)));
}

bool is_nick(vec2 place, vec4 marks) {
    vec2 off = vec2(place.x - 1.0, 0.5 * (place.y - marks.w));
    return dot(off, off) < 0.0014;
}
#endif
