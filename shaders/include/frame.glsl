// What every shader of a frame may read. Mirrored by render::frame_uniforms::FrameUniforms, held together by a test.
// Spaces: ws world (metres, +y up, sea level 0), cs clip. Irradiance: 1 is about the sun overhead through clear air.
layout(std140) uniform Frame {
    mat4 clip_from_world;
    mat4 world_from_clip;
    mat4 shadow_from_world;      // to 0..1 texture space and depth
    vec3 eye_ws;
    float time_s;
    vec3 to_sun_water;           // toward the refracted sun
    float broadened_asymmetry;   // g of the phase function after several scatterings
    vec3 to_sun_air;
    float inscatter_factor;
    vec3 sun_water;              // irradiance of the sun on a horizontal plane just below the surface
    float seabed_depth_m;        // mean; very large where there is none
    vec3 sky_water;              // irradiance of the sky, likewise
    float light_count;           // of artificial lights
    vec3 sun_air;                // irradiance of the sun on a plane facing it, in air
    float snow_glow;             // share of the flakes that light up by themselves
    vec3 sky_zenith;             // radiance
    float march_reach_m;         // how far light shafts and beams are followed
    vec3 sky_horizon;            // radiance
    float caustic_patch_m;       // side of the caustic map's tile
    vec3 attenuation;            // c = a + b, 1/m
    float sun_path;              // length of the refracted beam's way down a metre, m; held below 5
    vec3 scattering;             // b, 1/m
    float beam_blur;             // 1/m of depth: how fast forward scattering blurs the beam away
    vec3 diffuse_attenuation;    // Kd, 1/m
    float far_m;
    vec3 seabed_colour;          // diffuse reflectance
    float exposure;
    vec3 white_balance;          // factor per channel
    float saturation;
    vec3 surge;                  // displacement of the water near the ground, m
    float snow_extent_m;
    vec3 ground_bounce;          // irradiance that the mean ground sends up
    float bloom;
    vec3 eye_downwelling;        // downwelling irradiance at the eye's depth over that just below the surface
    float pixel_angle;           // angle a pixel spans, radians
    vec3 snow_drift;             // m
    float snow_radius_m;
    vec4 caustic_depths;         // depth of each slice of the caustic map, m
    vec4 light_place[4];         // xyz of an artificial light; w: cosine of half its cone
    vec4 light_direction[4];     // xyz along the middle of its cone
    vec4 light_intensity[4];     // rgb irradiance at 1 m in clear air
    vec4 phase_table[16];        // the particles' broadened phase function at 64 steps of sin(theta / 2), 1/sr
    vec4 star_light;             // rgb radiance that the stars' brightness goes by
    vec3 snow_streak;            // way of a flake while the picture is exposed, m
    float clouds;                // share of the sky that white clouds cover
};
