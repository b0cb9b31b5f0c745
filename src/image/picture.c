// SPDX-License-Identifier: MIT
/// What all decoders of pictures share; see picture.h.
#include "image/picture.h"

#include <stdio.h>

int32_t picture_reduction(int32_t width, int32_t height, int32_t least_side)
{
    int32_t side = width < height ? width : height, halvings = 0;
    for (; least_side > 0 && side / 2 >= least_side; side /= 2)
        halvings++;
    return halvings;
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
