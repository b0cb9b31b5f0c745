// SPDX-License-Identifier: MIT
/// Pictures of what is far from zero and of the same at zero.
#pragma once

#include "drawing.h"

/// Pictures differ by rounding alone: by fractions of a code, at few edges by more.
static inline void check_same(const char *what, zt_scene *near, zt_scene *far)
{
    OWN_IMAGE a = draw_frame(NULL, near, 0), b = draw_frame(NULL, far, 0);
    int different = 0, shown = 0, sum = 0;
    for (size_t i = 0; i < (size_t)a.width * (size_t)a.height * 4; i++) {
        sum += abs(a.rgba8[i] - b.rgba8[i]);
        different += abs(a.rgba8[i] - b.rgba8[i]) > 16;
        shown += i % 4 == 3 && a.rgba8[i] > 0;
    }
    cr_expect(shown > a.width * a.height / 20, "%s: %d pixels are shown", what, shown);
    cr_expect(different <= a.width * a.height / 500, "%s: %d values differ", what, different);
    cr_expect(sum < a.width * a.height * 4 / 10, "%s: by %d in all", what, sum);
    zt_scene_destroy(near);
    zt_scene_destroy(far);
}

static inline zt_shot_def small_shot(void)
{
    zt_shot_def shot = zt_default_shot_def();
    shot.width = shot.height = 128;
    shot.background = "transparent";
    return shot;
}
