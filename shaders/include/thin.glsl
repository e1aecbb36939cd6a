// Thin parts, such as fins and blades, which let the share `translucency` of light through.

// Share of the key light that the lit side sends back: what goes through is not thrown back.
float lit_side_share(float translucency) {
    return 1.0 - 0.5 * translucency;
}

// Share of the light from all round that it sends on, from either side.
float all_round_share(float translucency) {
    return 1.0 + 0.5 * translucency;
}
