// SPDX-License-Identifier: MIT
/// The bound of work that fuzz targets hold readers to.
#pragma once

#include "scene/scene.h"

/// Files may cost work of so many bytes more than they have, far fewer than the readers allow: a
/// search that grows faster than a file shows in the small ones of a fuzzer.
enum { FUZZ_SPARE_BYTES = 64 << 10 };

static inline bool fuzz_work_fits(const budget *b)
{
    return b->work->steps <= WORK_PER_BYTE * (b->work->bytes + FUZZ_SPARE_BYTES);
}

/// The same of a scene and its models.
static inline bool fuzz_scene_work_fits(const zt_scene *scene)
{
    bool fits = fuzz_work_fits(&scene->budget_own);
    for (uint32_t i = 0; i < scene->model_count; i++)
        fits = fits && fuzz_work_fits(&scene->models[i]->budget_own);
    return fits;
}
