// Individual skin of an animal: a pattern drawn a little otherwise, and blotches. All by eye. Places are shares
// of the model's box: x 0..1 from right to left, y from below, z from the nose.

// Greatest shift of the pattern along the body, as a share of the texture; and the spread of blotches in lightness.
const float PATTERN_SHIFT = 0.006;
const float BLOTCHES = 0.12;

// x: shift of the texture along the body; y: factor on the colour. `variation` is the animal's.
vec2 individual_skin(vec3 in_box, float variation) {
    vec2 at = vec2(dot(in_box, vec3(0.5, 0.9, 1.3)), dot(in_box, vec3(-0.3, -1.4, 2.1)));
    vec2 wave = sin(6.2831853 * (at + variation * vec2(7.3, 13.7)));
    // Nothing moves where the texture has its ends, and the eye stays whole.
    float movable = smoothstep(0.2, 0.4, in_box.z) * smoothstep(1.0, 0.85, in_box.z);
    return vec2(PATTERN_SHIFT * movable * (wave.x + 0.6 * wave.y), 1.0 + BLOTCHES * (wave.x * wave.y + 0.4 * wave.x));
}
