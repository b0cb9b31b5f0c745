// SPDX-License-Identifier: MIT
#include "mesh/morph.h"

#include <string.h>

static bool differs(const float *group, size_t floats)
{
    for (size_t k = 0; k < floats; k++)
        if (group[k] != 0.0f)
            return true;
    return false;
}

zt_result morph_part_build(arena *keep, const float *dense, uint32_t vertex_count, size_t width,
                           morph_part *out, zt_error *err)
{
    const size_t floats = MORPH_GROUP * width;
    const uint32_t groups = (uint32_t)((pad16(vertex_count)) / MORPH_GROUP);
    uint32_t count = 0;
    for (uint32_t g = 0; g < groups; g++)
        count += differs(dense + g * floats, floats);
    *out = (morph_part){0};
    if (count == 0)
        return ZT_OK;
    uint32_t *group = ARENA_ARRAY_RAW(keep, uint32_t, count);
    float *delta = arena_alloc_raw(keep, count, floats * sizeof *delta);
    if (!group || !delta)
        return arena_fail(keep, err, "morph targets");
    *out = (morph_part){count, group, delta};
    for (uint32_t g = 0; g < groups; g++)
        if (differs(dense + g * floats, floats)) {
            *group++ = g;
            memcpy(delta, dense + g * floats, floats * sizeof *delta);
            delta += floats;
        }
    return ZT_OK;
}
