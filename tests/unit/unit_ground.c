// SPDX-License-Identifier: MIT
/// A ground that only darkens is drawn by blocks of pixels where nothing else is, and left out
/// where it shows nothing. A camera with a far plane draws all of it as fragments: the second
/// method.
#include "drawing.h"

static zt_image draw(int32_t size, const char *camera, const char *more)
{
    char path[600];
    snprintf(path, sizeof path, "%s/unit_ground.yaml", ZT_BINARY_DIR);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fprintf(file,
            "format: 1\nmodels: [ { file: %s/scenes/models/ball.glb } ]\n"
            "camera: { %s }\noutput: { size: [%d, %d], %s\n",
            ZT_SOURCE_DIR, camera, (int)size, (int)size, more);
    cr_assert_eq(fclose(file), 0);
    zt_scene *scene = load_scene(path, NULL);
    const zt_image image = draw_frame(NULL, scene, 0);
    zt_scene_destroy(scene);
    remove(path);
    return image;
}

/// Returns the number of pixels that the ground darkens alone. Depths of parallel views, and the
/// samples that tie with them, depend on the far plane: `codes` may differ.
static int check_same(int32_t size, const char *camera, const char *more, int codes)
{
    char with_far[300];
    snprintf(with_far, sizeof with_far, "%s, far: 1000", camera);
    zt_image fast = draw(size, camera, more), slow = draw(size, with_far, more);
    int dark = 0;
    for (int32_t y = 0; y < size; y++) {
        const uint8_t *row = fast.rgba8 + (size_t)y * fast.stride;
        const uint8_t *want = slow.rgba8 + (size_t)y * slow.stride;
        for (int32_t i = 0; i < size * 4; i++)
            cr_assert(abs(row[i] - want[i]) <= codes, "%d pixels, %s, %s: row %d", (int)size,
                      camera, more, (int)y);
        for (int32_t x = 0; x < size; x++)
            dark += row[4 * x] == 0 && row[4 * x + 3] > 0 && row[4 * x + 3] < 255;
    }
    zt_image_finish(&fast);
    zt_image_finish(&slow);
    return dark;
}

Test(ground, is_the_same_by_blocks_and_by_fragments)
{
    static const char *const cameras[] = {"orbit: { elevation: 10 }",
                                          "orbit: { elevation: 55, azimuth: 40 }, fov: 20",
                                          "orbit: { elevation: 4 }, fov: 60, zoom: 0.3",
                                          "orbit: { elevation: 30 }, orthographic: 0.4"};
    static const char *const looks[] = {
        "background: transparent }\nground: shadow",
        "background: transparent, samples: 1 }\nground: shadow",
        "background: \"#e0d8c8\" }\nground: shadow",
        ("background: transparent, tone_map: agx }\nground: shadow\n"
         "lights: [ { directional: { direction: [1, -1, 0], shadow: true } } ]"),
    };
    static const int32_t sizes[] = {20, 40, 70, 100, 130, 330};
    for (size_t c = 0; c < sizeof cameras / sizeof *cameras; c++)
        for (size_t l = 0; l < sizeof looks / sizeof *looks; l++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes && !(c == 3 && l == 3); s++) {
                const int dark = check_same(sizes[s], cameras[c], looks[l], c == 3);
                cr_assert(l == 2 || dark > 0, "%s, %s: %d pixels", cameras[c], looks[l], dark);
            }
}
