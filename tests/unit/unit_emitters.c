// SPDX-License-Identifier: MIT
/// Surfaces that emit light, here at (-1, 0.65, 0.05), are lamps for what is near them.
#include "drawing.h"

typedef struct shining {
    const char *source, *material;
    double z, scale, radiance;
    double intensity, power; ///< candela that are wanted; the cosine's power by which it falls off
    const char *scene;       ///< other light, and models
} shining;

#define BULB(x, red)                                                                               \
    "  - { shape: sphere, transform: { translate: [" #x ", 0.65, 2], scale: 0.6 },\n"              \
    "      materials: { sphere: { emissive: [" #red ", 0, 0] } } }\n"
#define SEVEN BULB(-2, 80) BULB(-2, 80) BULB(-1, 80) BULB(0, 80) BULB(0, 80) BULB(1, 80) BULB(2, 80)

/// In green: the irradiance of a floor at (0.35, 0, 0.85), seen from above, 0.1 m a pixel.
static double irradiance(const shining *s)
{
    static float color[4 * 60 * 60];
    OWN_RENDERER *renderer = make_renderer(0, ZT_ISA_BEST);
    OWN_SCENE *scene = load_scene_text(
        "output: { size: [60, 60], samples: 1 }\n"
        "camera: { look_at: { position: [0, 10, 0], target: [0, 0, 0], up: [0, 0, -1] },\n"
        "          orthographic: 6 }\n%s"
        "  - { shape: box, transform: { translate: [0, -0.5, 0], scale: [6, 1, 6] },\n"
        "      materials: { box: { base_color: [0.8, 0.8, 0.8], roughness: 1 } } }\n"
        "  - { %s, transform: { translate: [-1, 0.65, %g], rotate: [180, 0, 0], scale: %g },\n"
        "      materials: { %s: { base_color: [0, 0, 0], emissive: [%g, %g, %g] } } }\n",
        s->scene, s->source, s->z, s->scale, s->material, s->radiance, s->radiance, s->radiance);
    zt_error error;
    MUST(draw_planes(renderer, scene, 0, color, NULL, &error), error);
    return (double)color[4 * (38 * 60 + 33) + 1] / 0.8 * 3.14159265358979;
}

#define DARK "lights: []\nmodels:\n"
Test(emitters, light_what_is_near_them)
{
    static const shining rows[] = {
        {"shape: sphere", "sphere", 0.05, 0.6, 8.0, 8.0 * 3.14159265358979 * 0.09, 0.0, DARK},
        {"shape: box", "box", 0.05, 0.4, 8.0, 8.0 * 6.0 * 0.16 / 4.0, 0.0, DARK},
        {"file: " ZT_SOURCE_DIR "/scenes/models/pavement.glb", "slabs", -0.235, 0.015, 8.0,
         8.0 * 0.36 * 1.5, 2.0, DARK},
        {"shape: sphere", "sphere", 0.05, 0.6, 8.0, 0.0, 0.0,
         DARK "  - { shape: box, transform: { translate: [-0.4, 1, 0], scale: [0.1, 2, 4] } }\n"},
        {"shape: sphere", "sphere", 0.05, 0.04, 8.0, 0.0, 0.0, DARK},
        {"shape: sphere", "sphere", 0.05, 0.6, 0.4, 0.0, 0.0, DARK},
        {"shape: sphere", "sphere", 0.05, 0.6, 8.0, 0.0, 0.0, "light: none\nmodels:\n"},
    };
    const double d2 = 1.35 * 1.35 + 0.8 * 0.8 + 0.65 * 0.65;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double want = rows[i].intensity * pow(0.65 / sqrt(d2), 1.0 + rows[i].power) / d2;
        const double got = irradiance(&rows[i]);
        cr_expect(fabs(got - want) <= 0.06 * want, "%zu: %g, want %g", i, got, want);
    }
}

/// The eighth place goes from one to another as that grows stronger than white of 8 is.
Test(emitters, places_change_hands_steadily)
{
    static const char *const scenes[] = {DARK SEVEN BULB(0, 30), DARK SEVEN BULB(0, 37.3),
                                         DARK SEVEN BULB(0, 38), DARK SEVEN BULB(0, 48)};
    static const double want[] = {1.0, 0.54, 0.45, 0.0};
    shining row = {"shape: sphere", "sphere", 0.05, 0.6, 8.0, 0.0, 0.0, DARK};
    const double alone = irradiance(&row);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        row.scene = scenes[i];
        NEAR(irradiance(&row) / alone, want[i], 0.02, "row %zu of %g", i, alone);
    }
}

/// Maps that are kept from frame to frame: those of a lamp, and of what shines.
Test(emitters, turns_of_still_scenes_keep_their_shadows)
{
    static float frame[2][4 * 40 * 40];
    OWN_RENDERER *turns = make_renderer(1, ZT_ISA_BEST);
    OWN_RENDERER *once = make_renderer(1, ZT_ISA_BEST);
    OWN_SCENE *scene = load_scene_text(
        "output: { size: [40, 40], samples: 1, frames: 0-5 }\n"
        "camera: { orbit: { azimuth: [[0, 0], [1, 90]] } }\n"
        "lights: [ { point: { position: [2, 3, 2], candela: 20, shadow: {} } } ]\nmodels:\n"
        "  - { shape: box, transform: { scale: [6, 1, 6] } }\n"
        "  - { shape: sphere, transform: { translate: [0.4, 1, 0] } }\n"
        "  - { shape: sphere, transform: { translate: [-1, 1.5, 0] },\n"
        "      materials: { sphere: { emissive: [[0, [0.4, 0.4, 0.4]], [0.1, [5, 5, 5]]] } } }\n");
    zt_error error;
    for (int i = 0; i < 6; i++) {
        MUST(draw_planes(turns, scene, i, frame[0], NULL, &error), error);
        MUST(draw_planes(once, scene, i == 5 ? 5 : 0, frame[1], NULL, &error), error);
    }
    cr_assert_arr_eq(frame[0], frame[1], sizeof frame[0]);
}

Test(emitters, mirrors_that_face_them_show_their_radiance)
{
    static float color[4 * 9 * 9];
    OWN_RENDERER *renderer = make_renderer(0, ZT_ISA_BEST);
    OWN_SCENE *scene = load_scene_text(
        "output: { size: [9, 9], samples: 1 }\nlights: []\n"
        "camera: { look_at: { position: [0.3, 0.65, 0], target: [0, 0, 0] }, fov: 2 }\nmodels:\n"
        "  - { shape: box, transform: { translate: [0, -0.5, 0], scale: [6, 1, 6] },\n"
        "      materials: { box: { base_color: [1, 1, 1], metallic: 1, roughness: 0.1 } } }\n"
        "  - { shape: sphere, transform: { translate: [-0.3, 0.65, 0], scale: 0.4 },\n"
        "      materials: { sphere: { emissive: [5, 5, 5] } } }\n");
    zt_error error;
    MUST(draw_planes(renderer, scene, 0, color, NULL, &error), error);
    NEAR(color[4 * 40], 5.0, 1.0, "%g", (double)color[4 * 40]);
}
