// SPDX-License-Identifier: MIT
/// See stl_soup.h.
#include "stl/stl_soup.h"

#include <string.h>

zt_result stl_soup_reserve(stl_soup *soup, uint64_t count, zt_error *err)
{
    if (count > (uint64_t)soup->limits->triangles)
        return zt_fail(err, ZT_ERR_LIMIT, "%s: more than %d triangles", soup->path,
                       (int)soup->limits->triangles);
    uint32_t *corner;
    ZT_TRY(ARENA_TAKE_RAW(soup->a, &corner, 3 * (size_t)count, "triangles", err));
    if (soup->count > 0)
        memcpy(corner, soup->corner, 3 * (size_t)soup->count * sizeof *corner);
    soup->corner = corner;
    soup->capacity = (uint32_t)count;
    // Closed surfaces, which most are, have half as many points as triangles.
    if (!soup->points.a && !point_table_init(&soup->points, soup->a, (size_t)count / 2 + 16))
        return arena_fail(soup->a, err, "points");
    return ZT_OK;
}
