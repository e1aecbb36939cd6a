// Share of the water, rather than of the ground, that a ray sees from a bubble.

// Climb from which on a ray sees nothing of the ground.
const float LEVEL_CLIMB = -0.05;

// `ground_climb`: that of rays which see nothing but the ground.
float water_share(float climb, float ground_climb) {
    return smoothstep(ground_climb, LEVEL_CLIMB, climb);
}
