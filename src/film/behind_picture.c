// SPDX-License-Identifier: MIT
// The levels of the picture behind transmissive surfaces. Level 0 is drawn tile by tile, like any
// picture (view_pass.c); each further level is a parallel loop over rows.
#include "film/film_loops.h"

enum { REDUCE_ROWS = 16 }; ///< of one job

zt_result behind_picture_init(behind_picture *behind, int32_t width, int32_t height, bool any_unlit,
                              arena *a, zt_error *err)
{
    *behind = (behind_picture){0};
    for (int32_t i = 0; i < BEHIND_LEVELS_MAX; i++) {
        behind_level *level = &behind->level[i];
        const size_t pixels = (size_t)width * (size_t)height;
        *level = (behind_level){.color = arena_alloc_raw(a, pixels, sizeof *level->color),
                                .nearness = ARENA_ARRAY_RAW(a, float, pixels),
                                .width = width,
                                .height = height};
        if (any_unlit)
            level->unlit = arena_alloc_raw(a, pixels, sizeof *level->unlit);
        if (!level->color || !level->nearness || (any_unlit && !level->unlit))
            return arena_fail(a, err, "the picture behind glass");
        behind->level_count = i + 1;
        if (width == 1 && height == 1)
            break;
        width = (width + 1) / 2;
        height = (height + 1) / 2;
    }
    return ZT_OK;
}

int64_t behind_picture_reduce_count(const behind_picture *behind, int32_t level)
{
    return (behind->level[level].height + REDUCE_ROWS - 1) / REDUCE_ROWS;
}

void behind_picture_reduce(const behind_picture *behind, const film_loops *loops, int32_t level,
                           int64_t index)
{
    const int32_t height = behind->level[level].height, first = (int32_t)index * REDUCE_ROWS;
    const int32_t end = first + REDUCE_ROWS;
    loops->behind_reduce(&(behind_reduce_job){.from = &behind->level[level - 1],
                                              .to = &behind->level[level],
                                              .first_row = first,
                                              .end_row = end < height ? end : height});
}
