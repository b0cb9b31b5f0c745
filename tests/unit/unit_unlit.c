// SPDX-License-Identifier: MIT
// Unlit colours behind white glass: scenes/tests/unlit_glass.yaml shows a wall of #FF7F00, of lit
// white and of unlit blue. Panes that reflect nothing must not change the orange, whatever the
// exposure and the tone map are; balls that do must show their highlights over the blue.
#include "drawing.h"

#define SCENE ZT_SOURCE_DIR "/scenes/tests/unlit_glass.yaml"

enum { WIDTH = 320, HEIGHT = 240 };

static zt_image picture(const char *light, const char *background, double exposure_ev,
                        const char *tone_map)
{
    zt_shot_def shot = zt_default_shot_def();
    shot.light = light;
    shot.background = background;
    shot.exposure_ev = exposure_ev;
    shot.tone_map = tone_map;
    OWN_SCENE *scene = load_scene(SCENE, &shot);
    zt_image image = draw_frame(NULL, scene, 0);
    return image;
}

static const uint8_t *pixel(const zt_image *image, int x, int y)
{
    return image->rgba8 + (size_t)y * image->stride + (size_t)x * 4;
}

/// Without lamps, which rough glass would scatter.
Test(unlit, white_glass_does_not_change_it)
{
    static const int pane_y[3] = {48, 120, 190}; // smooth, rough, a rough volume that disperses
    for (int32_t kind = 0; zt_word_at(ZT_WORDS_TONE_MAP, kind); kind++) {
        OWN_IMAGE image = picture("none", kind % 2 ? "transparent" : "#303338", kind % 3 - 1.0,
                                  zt_word_at(ZT_WORDS_TONE_MAP, kind));
        for (int i = 0; i < 3; i++)
            for (int x = 62; x < 100; x++) {
                const uint8_t *p = pixel(&image, x, pane_y[i]);
                cr_assert(p[0] == 255 && p[1] == 127 && p[2] == 0 && p[3] == 255,
                          "pane %d, tone map %d: %d %d %d %d", i, kind, p[0], p[1], p[2], p[3]);
            }
    }
}

/// Along the rough pane before all three parts of the wall, red falls from that of the orange part
/// to that of the blue one without a step.
Test(unlit, rough_glass_mixes_it_with_lit_colours)
{
    OWN_IMAGE image = picture(NULL, "#303338", 0.0, "neutral");
    const int first = pixel(&image, 136, 120)[0], last = pixel(&image, 192, 120)[0];
    cr_expect(first > 230 && last < 170, "red from %d to %d", first, last);
    for (int x = 137; x <= 192; x++) {
        const int step = pixel(&image, x, 120)[0] - pixel(&image, x - 1, 120)[0];
        cr_expect(step <= 1 && step >= -8, "red at %d: step %d", x, step);
    }
}

Test(unlit, glass_keeps_its_highlights_before_it)
{
    OWN_IMAGE image = picture(NULL, "#303338", 0.0, "neutral");
    int brightest = 0;
    for (int y = 30; y < 66; y++)
        for (int x = 215; x < 270; x++)
            brightest = pixel(&image, x, y)[0] > brightest ? pixel(&image, x, y)[0] : brightest;
    const int wall = pixel(&image, 290, 20)[0];
    cr_expect(brightest > wall + 70, "%d over %d", brightest, wall);
}
