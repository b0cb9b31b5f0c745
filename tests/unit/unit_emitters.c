// SPDX-License-Identifier: MIT
/// Surfaces that emit light, here at (-1, 0.65, 0.05), are lamps for what is near them.
#include "drawing.h"

#include <math.h>

typedef struct shining {
    const char *source, *material;
    double z, scale, radiance;
    double intensity, power; ///< candela that are wanted; the cosine's power by which it falls off
    const char *scene;       ///< other light, and models
} shining;

#define BULB(x)                                                                                    \
    "  - { shape: sphere, transform: { translate: [" #x ", 0.65, 2], scale: 0.6 },\n"              \
    "      materials: { sphere: { emissive: [8, 8, 8] } } }\n"
#define BULBS BULB(-2) BULB(-1.3) BULB(-0.6) BULB(0) BULB(0.6) BULB(1.3) BULB(2) BULB(2.7)

/// The irradiance of a floor at (0.35, 0, 0.85), seen from above, 0.1 m a pixel.
static double irradiance(const shining *s)
{
    static float color[4 * 60 * 60];
    OWN_RENDERER *renderer = make_renderer(0, ZT_ISA_BEST);
    OWN_SCENE *scene = load_scene_text(
        "format: 1\noutput: { size: [60, 60], samples: 1 }\n"
        "camera: { look_at: { position: [0, 10, 0], target: [0, 0, 0], up: [0, 0, -1] },\n"
        "          orthographic: 6 }\n%s"
        "  - { shape: box, transform: { translate: [0, -0.5, 0], scale: [6, 1, 6] },\n"
        "      materials: { box: { base_color: [0.8, 0.8, 0.8], roughness: 1 } } }\n"
        "  - { %s, transform: { translate: [-1, 0.65, %g], rotate: [180, 0, 0], scale: %g },\n"
        "      materials: { %s: { base_color: [0, 0, 0], emissive: [%g, %g, %g] } } }\n",
        s->scene, s->source, s->z, s->scale, s->material, s->radiance, s->radiance, s->radiance);
    zt_error error;
    MUST(draw_planes(renderer, scene, 0, color, NULL, &error), error);
    return (double)color[4 * (38 * 60 + 33)] / 0.8 * 3.14159265358979;
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

Test(emitters, the_strongest_eight_fade_towards_the_ninth)
{
    shining row = {"shape: sphere", "sphere", 0.05, 0.6, 7.99, 0.0, 0.0, DARK BULBS};
    const double ninth = irradiance(&row);
    row.radiance = 8.01;
    NEAR(irradiance(&row), ninth, 0.02, "%g", ninth);
    row.radiance = 16.02; // in full, and the others fade
    cr_expect_gt(irradiance(&row), 0.5);
}

Test(emitters, mirrors_that_face_them_show_their_radiance)
{
    static float color[4 * 9 * 9];
    OWN_RENDERER *renderer = make_renderer(0, ZT_ISA_BEST);
    OWN_SCENE *scene = load_scene_text(
        "format: 1\noutput: { size: [9, 9], samples: 1 }\nlights: []\n"
        "camera: { look_at: { position: [0.3, 0.65, 0], target: [0, 0, 0] }, fov: 2 }\nmodels:\n"
        "  - { shape: box, transform: { translate: [0, -0.5, 0], scale: [6, 1, 6] },\n"
        "      materials: { box: { base_color: [1, 1, 1], metallic: 1, roughness: 0.1 } } }\n"
        "  - { shape: sphere, transform: { translate: [-0.3, 0.65, 0], scale: 0.4 },\n"
        "      materials: { sphere: { emissive: [5, 5, 5] } } }\n");
    zt_error error;
    MUST(draw_planes(renderer, scene, 0, color, NULL, &error), error);
    NEAR(color[4 * 40], 5.0, 1.0, "%g", (double)color[4 * 40]);
}
