// SPDX-License-Identifier: MIT
#include "stl/stl_soup.h"

#include <string.h>

zt_result stl_soup_check(const stl_soup *soup, uint64_t count, zt_error *err)
{
    if (count > (uint64_t)soup->limits->triangles)
        return zt_fail(err, ZT_ERR_LIMIT, "%s: more than %d triangles", soup->path,
                       (int)soup->limits->triangles);
    return ZT_OK;
}

static void drop_lost(stl_soup *soup)
{
    uint32_t kept = 0;
    for (uint32_t t = 0; t < soup->count; t++) {
        if (soup->corner[3 * (size_t)t] == POINT_LOST)
            continue;
        memmove(&soup->corner[3 * (size_t)kept], &soup->corner[3 * (size_t)t],
                3 * sizeof *soup->corner);
        if (soup->color)
            soup->color[kept] = soup->color[t];
        kept++;
    }
    soup->count = kept;
}

zt_result stl_soup_weld(job_pool *pool, stl_soup *soup, zt_error *err)
{
    soup->places.record_size = 3;
    soup->places.record_count = soup->count;
    ZT_TRY(ARENA_TAKE_RAW(soup->a, &soup->corner, 3 * (size_t)soup->count, "triangles", err));
    ZT_TRY(point_weld_places(pool, soup->a, &soup->places, soup->corner, &soup->points, err));
    if (soup->points.lost > 0)
        drop_lost(soup);
    return ZT_OK;
}
