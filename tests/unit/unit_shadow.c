// SPDX-License-Identifier: MIT
// Shadows in pictures, compared with where geometry says that they are: the edge of a ball's shadow
// on the ground, and the width of its penumbra.
#include "scene_file.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

/// A ball of radius 0.07 (scenes/models/ball.glb) at the height 0.2 over a ground that shows only
/// shadow, seen from above in an orthographic picture of SIDE pixels and 0.8 m. The ground is at
/// the lowest point of the scene: that of a second ball, out of the picture.
enum { SIDE = 800 };
#define METRES 0.8
#define RADIUS 0.07
#define HEIGHT 0.2
#define PI     3.14159265358979323846

/// What part of the light a shadow takes, from its alpha, which is for sRGB values.
static double light_taken(uint8_t alpha)
{
    const double left = 1.0 - alpha / 255.0;
    return 1.0 - (left <= 0.04045 ? left / 12.92 : pow((left + 0.055) / 1.055, 2.4));
}

/// Renders the scene with this light: the light that the ground lacks along z, 0 to 1.
static void alpha_along_z(const char *light, double x_m, double out[SIDE])
{
    char text[1600];
    snprintf(text, sizeof text,
             "format: 1\n"
             "output: { size: [%d, %d], samples: 1, background: transparent }\n"
             "models:\n"
             "  - { file: %s/scenes/models/ball.glb, transform: { translate: [0, %g, 0] } }\n"
             "  - { file: %s/scenes/models/ball.glb, transform: { translate: [2, 0, 0] } }\n"
             "camera: { look_at: { position: [0, 3, 0], target: [0, 0, 0], up: [0, 0, -1] }, "
             "orthographic: %g }\n"
             "ground: shadow\n"
             "lights: [ %s ]\n",
             SIDE, SIDE, ZT_SOURCE_DIR, HEIGHT - RADIUS, ZT_SOURCE_DIR, METRES, light);
    zt_scene *scene = scene_of_text(text, ZT_OK);
    zt_renderer_def threads = zt_default_renderer_def();
    zt_renderer *renderer = NULL;
    zt_image image = {0};
    cr_assert_eq(zt_renderer_create(&threads, &renderer, &err), ZT_OK);
    cr_assert_eq(zt_image_init(&image, SIDE, SIDE, NULL, &err), ZT_OK);
    cr_assert_eq(zt_render(renderer, scene, 0, &image, &err), ZT_OK, "%s", err.message);
    const int32_t column = (int32_t)((x_m / METRES + 0.5) * SIDE);
    for (int32_t y = 0; y < SIDE; y++)
        out[y] = light_taken(image.rgba8[(size_t)y * image.stride + (size_t)column * 4 + 3]);
    zt_image_finish(&image);
    zt_renderer_destroy(renderer);
    zt_scene_destroy(scene);
}

/// The z in metres, from the picture's lower edge up, where alpha first exceeds `level`.
static double edge_at(const double alpha[SIDE], double level)
{
    for (int32_t y = SIDE - 2; y >= 0; y--)
        if (alpha[y] >= level) {
            const double part = (level - alpha[y + 1]) / (alpha[y] - alpha[y + 1]);
            return ((y + 1 - part + 0.5) / SIDE - 0.5) * METRES;
        }
    cr_assert_fail("no shadow");
    return 0.0;
}

/// Where the shadow's centre is: the light falls at 45 degrees towards -x. The ground is 2 x 2e-4
/// of the bounds' radius below the lowest point.
static double shadow_x(void) { return -HEIGHT; }

Test(shadow, edge_of_a_ball)
{
    double alpha[SIDE];
    alpha_along_z("{ directional: { direction: [-1, -1, 0], lux: 3, shadow: { size: 4096 } } }",
                  shadow_x(), alpha);
    cr_assert_float_eq(alpha[SIDE / 2], 1.0, 0.005, "all light is blocked in the middle");
    cr_assert_float_eq(alpha[4], 0.0, 0.2, "far away there is at most contact shadow");
    // The ball is a mesh of 32 x 16: its silhouette is at most 1 - cos(pi / 32) inside of the ball.
    const double tolerance = 2.2 / 4096 + METRES / SIDE + RADIUS * (1.0 - cos(PI / 32));
    cr_assert_float_eq(edge_at(alpha, 0.55), RADIUS, tolerance);
}

Test(shadow, width_of_a_penumbra)
{
    double alpha[SIDE];
    const double degrees = 8.0;
    alpha_along_z("{ directional: { direction: [-1, -1, 0], lux: 3, size: 8, shadow: { size: 4096 "
                  "} } }",
                  shadow_x(), alpha);
    // From the ball's side to the ground along the light: HEIGHT / sin 45. The share of a disc that
    // an edge at u of its radius hides is 1/2 + (u sqrt(1 - u^2) + asin u) / pi: from u = -0.4 to
    // 0.4 it goes from 0.252 to 0.748.
    const double radius = tan(degrees * 0.5 * PI / 180.0) * HEIGHT * sqrt(2.0);
    const double base = alpha[8]; // of the contact shadow
    const double width =
        edge_at(alpha, base + 0.252 * (1.0 - base)) - edge_at(alpha, base + 0.748 * (1.0 - base));
    cr_assert_float_eq(width, 0.8 * radius, 0.2 * radius, "%g, not %g", width, 0.8 * radius);
}

Test(shadow, softness_scales_the_penumbra)
{
    double sharp[SIDE], soft[SIDE];
    alpha_along_z("{ directional: { direction: [-1, -1, 0], lux: 3, size: 4, shadow: { size: 4096 "
                  "} } }",
                  shadow_x(), sharp);
    alpha_along_z("{ directional: { direction: [-1, -1, 0], lux: 3, size: 4, shadow: { size: 4096, "
                  "softness: 2 } } }",
                  shadow_x(), soft);
    const double narrow = edge_at(sharp, 0.3) - edge_at(sharp, 0.7);
    const double wide = edge_at(soft, 0.3) - edge_at(soft, 0.7);
    cr_assert_float_eq(wide / narrow, 2.0, 0.35, "%g", wide / narrow);
}

Test(shadow, positional_lights_agree_with_a_distant_one)
{
    double far[SIDE], spot[SIDE], inside[SIDE];
    alpha_along_z("{ directional: { direction: [-1, -1, 0], lux: 3, shadow: { size: 2048 } } }",
                  shadow_x(), far);
    alpha_along_z("{ spot: { position: [100, 100.2, 0], direction: [-1, -1, 0], candela: 60000, "
                  "outer: 10, shadow: { size: 4096 } } }",
                  shadow_x(), spot);
    // A point light sees the ball's centre at 45 degrees: its shadow has this z.
    alpha_along_z("{ point: { position: [0.2, 0.33, 0], candela: 3, shadow: { size: 2048 } } }",
                  shadow_x(), inside);
    cr_assert_float_eq(edge_at(spot, 0.6), edge_at(far, 0.6), 0.004);
    // In the plane x = -0.2 on the ground, at the distance D from the light along the axis to the
    // ball's centre at d: the cone that touches the ball has the half angle asin(R / d).
    const double d = sqrt(2.0) * 0.2, distance = 2.0 * d;
    const double z = distance * tan(asin(RADIUS / d));
    cr_assert_float_eq(edge_at(inside, 0.6), z, 0.005);
}
