// SPDX-License-Identifier: MIT
/// Fuzz target: OpenEXR pictures from memory, under a small memory budget.
#include "fuzz_memory.h"
#include "image/exr_read.h"
#include "image/picture.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/// A broken promise aborts, so that it is found without a sanitizer too.
static void require(bool condition)
{
    if (!condition)
        abort();
}

static void check_picture(const hdr_picture *p)
{
    require(p->width >= 1 && p->width <= PICTURE_SIDE_LIMIT && p->height >= 1 &&
            p->height <= PICTURE_SIDE_LIMIT);
    for (size_t i = 0; i < (size_t)p->width * (size_t)p->height * 3; i++)
        require(p->rgb[i] >= 0.0f && p->rgb[i] <= FLT_MAX);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    uint8_t *exact = malloc(size + 1); // file_bytes end with a 0
    if (!exact)
        return;
    if (size)
        memcpy(exact, data, size);
    exact[size] = 0;
    budget memory;
    arena a;
    hdr_picture out;
    zt_error err = {ZT_OK, ""};
    budget_init(&memory, (uint64_t)64 << 20, NULL);
    arena_init(&a, &memory);
    const zt_result r = exr_decode(&a, "fuzz", (file_bytes){exact, size}, &out, &err);
    fuzz_result(r);
    require(r == ZT_OK || ((r == ZT_ERR_FORMAT || r == ZT_ERR_LIMIT || r == ZT_ERR_UNSUPPORTED ||
                            r == ZT_ERR_MEMORY) &&
                           err.message[0]));
    require((r == ZT_OK) == (out.rgb != NULL));
    if (r == ZT_OK)
        check_picture(&out);
    arena_finish(&a);
    require(memory.used == 0);
    free(exact);
}
