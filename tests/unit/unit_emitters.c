// SPDX-License-Identifier: MIT
/// Surfaces that emit light are lamps for what is near them. The floor is seen from above, 0.1 m a
/// pixel; without lamps it is black.
#include "drawing.h"

#include <math.h>

enum { SIDE = 60 };

static const double PI = 3.14159265358979;

/// The radiance of the floor at (x, z) over its albedo times pi: its irradiance.
static double irradiance(const char *models, const char *light, double x, double z)
{
    static float color[4 * SIDE * SIDE];
    OWN_RENDERER *renderer = make_renderer(0, ZT_ISA_BEST);
    OWN_SCENE *scene = load_scene_text(
        "format: 1\nmodels:\n"
        "  - { shape: box, transform: { translate: [0, -0.5, 0], scale: [6, 1, 6] },\n"
        "      materials: { box: { base_color: [0.8, 0.8, 0.8], roughness: 1 } } }\n%s"
        "%s\ncamera: { look_at: { position: [0, 10, 0], target: [0, 0, 0], up: [0, 0, -1] },\n"
        "          orthographic: 6 }\n"
        "output: { size: [%d, %d], samples: 1, background: \"#000000\" }\n",
        models, light, (int)SIDE, (int)SIDE);
    zt_error error;
    MUST(draw_planes(renderer, scene, 0, color, NULL, &error), error);
    const int column = (int)(10.0 * (x + 3.0)), row = (int)(10.0 * (z + 3.0));
    return (double)color[4 * (row * SIDE + column)] / 0.8 * PI;
}

/// Models that shine with a radiance of 8 at (-1, 0.65, 0.05).
#define BALL                                                                                       \
    "  - { shape: { kind: sphere, radius: 0.3 }, transform: { translate: [-1, 0.65, 0.05] },\n"    \
    "      materials: { sphere: { base_color: [0, 0, 0], emissive: [8, 8, 8] } } }\n"
#define CUBE                                                                                       \
    "  - { shape: box, transform: { translate: [-1, 0.65, 0.05], scale: [0.4, 0.4, 0.4] },\n"      \
    "      materials: { box: { base_color: [0, 0, 0], emissive: [8, 8, 8] } } }\n"
#define PANEL                                                                                      \
    "  - { file: " ZT_SOURCE_DIR "/scenes/models/pavement.glb,\n"                                  \
    "      transform: { translate: [-1, 0.65, -0.235], rotate: [180, 0, 0], scale: 0.015 },\n"     \
    "      materials: { slabs: { base_color: [0, 0, 0], emissive: [8, 8, 8] } } }\n"

/// Surfaces and their intensity in a direction whose cosine with their axis is known.
Test(emitters, light_what_is_near_them)
{
    static const struct {
        const char *model;
        double intensity, power; ///< ahead, and of the cosine by which it falls off
    } rows[] = {
        {BALL, 8.0 * 3.14159265358979 * 0.09, 0.0}, // exact: pi r^2 are seen of it
        {CUBE, 8.0 * 6.0 * 0.16 / 4.0, 0.0},
        {PANEL, 8.0 * 0.36 * 1.5, 2.0},
    };
    static const double at[][2] = {{0.05, 0.05}, {-0.75, 0.85}, {1.05, -1.95}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
            const double x = at[k][0] + 1.0, z = at[k][1] - 0.05, d2 = x * x + z * z + 0.65 * 0.65;
            const double cosine = 0.65 / sqrt(d2);
            const double want = rows[i].intensity * pow(cosine, 1.0 + rows[i].power) / d2;
            const double got = irradiance(rows[i].model, "lights: []", at[k][0], at[k][1]);
            // The floor is a dielectric, and mirrors a few hundredths.
            cr_expect(fabs(got - want) < 0.06 * want, "%zu at %g: %g, want %g", i, at[k][0], got,
                      want);
        }
}

/// None behind a wall, of small or dark things, and where the lamps of models are off.
Test(emitters, light_nothing_else)
{
    static const struct {
        const char *models, *light;
    } rows[] = {
        {BALL "  - { shape: box, transform: { translate: [-0.4, 1, 0], scale: [0.1, 2, 4] } }\n",
         "lights: []"},
        {BALL, "light: none"},
        {"  - { shape: { kind: sphere, radius: 0.02 }, transform: { translate: [-1, 0.65, 0] },\n"
         "      materials: { sphere: { emissive: [8, 8, 8] } } }\n",
         "lights: []"},
        {"  - { shape: { kind: sphere, radius: 0.3 }, transform: { translate: [-1, 0.65, 0] },\n"
         "      materials: { sphere: { emissive: [0.4, 0.4, 0.4] } } }\n",
         "lights: []"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double got = irradiance(rows[i].models, rows[i].light, 0.85, 0.05);
        cr_expect(got < 1e-3, "%zu: %g", i, got);
    }
}

/// The two weakest of ten balls light nothing.
Test(emitters, of_many_the_strongest_count)
{
    char models[4000];
    size_t length = 0;
    for (int i = 0; i < 10; i++)
        length += (size_t)snprintf(
            models + length, sizeof models - length,
            "  - { shape: { kind: sphere, radius: 0.2 }, transform: { translate: [%g, 0.25, -2.5] "
            "},\n      materials: { sphere: { emissive: [%d, 0, 0] } } }\n",
            -2.7 + 0.6 * i, i == 3 || i == 7 ? 8 : 16);
    const double weak = irradiance(models, "lights: []", -0.85, -2.05);
    const double strong = irradiance(models, "lights: []", -1.45, -2.05);
    cr_expect(weak < 0.75 * strong, "%g and %g", weak, strong);
}
