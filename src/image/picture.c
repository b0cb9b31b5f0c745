// SPDX-License-Identifier: MIT
/// Code that all picture decoders share, and the sRGB transfer function (IEC 61966-2-1) from + - *
/// / alone, so that every machine computes the same bits; see picture.h.
#include "image/picture.h"

#include <stdio.h>

int32_t picture_reduction(int32_t width, int32_t height, int32_t min_side)
{
    int32_t side = width < height ? width : height, halvings = 0;
    if (min_side > 0)
        for (; side / 2 >= min_side; side /= 2)
            halvings++;
    return halvings;
}

zt_result picture_check_side(const char *name, size_t at, const char *kind, uint32_t width,
                             uint32_t height, zt_error *err)
{
    if (width <= PICTURE_SIDE_LIMIT && height <= PICTURE_SIDE_LIMIT)
        return ZT_OK;
    return zt_fail(err, ZT_ERR_LIMIT, "%s:%zu: %s of %u x %u pixels (at most %d a side)", name, at,
                   kind, width, height, PICTURE_SIDE_LIMIT);
}

zt_result picture_take(arena *a, int32_t width, int32_t height, const char *what, picture *out,
                       uint8_t **out_pixels, zt_error *err)
{
    const size_t size = (size_t)width * (size_t)height * 4;
    ZT_TRY(ARENA_TAKE_RAW(a, out_pixels, size, what, err));
    *out = (picture){.width = width,
                     .height = height,
                     .level_count = 1,
                     .format = PICTURE_RGBA8,
                     .level = {*out_pixels}};
    return ZT_OK;
}

uint32_t picture_max_levels(uint32_t width, uint32_t height)
{
    uint32_t count = 1;
    for (uint32_t side = width > height ? width : height; side > 1; side /= 2)
        count++;
    return count;
}

zt_result picture_note_first(arena *a, picture *p, uint64_t count, const char *what, zt_error *err)
{
    char text[96];
    if (count <= 1)
        return ZT_OK;
    const int length = snprintf(text, sizeof text, "the first of %llu %.40s is used",
                                (unsigned long long)count, what);
    p->note = arena_text(a, text, (size_t)length);
    return p->note ? ZT_OK : arena_fail(a, err, "a note about a picture");
}
