// SPDX-License-Identifier: MIT
/// See jpeg_blocks.h. Reference: libjpeg-turbo, libjpeg.txt and structure.txt, "Memory manager
/// services": virtual arrays of blocks, here never on disk.
#include "image/jpeg_blocks.h"

#include <jerror.h>
#include <string.h>

/// The blocks of a component; libjpeg declares it and leaves it to the memory manager.
struct jvirt_barray_control {
    JBLOCKARRAY rows;
    JDIMENSION width;   ///< blocks of a row
    JDIMENSION cleared; ///< rows that have been asked for: zeros before anything is written
};

static jvirt_barray_ptr request(j_common_ptr decoder, int pool, boolean cleared, JDIMENSION width,
                                JDIMENSION height, JDIMENSION rows_at_once)
{
    (void)pool;
    (void)cleared;
    (void)rows_at_once;
    arena *a = decoder->client_data;
    struct jvirt_barray_control *out = ARENA_ARRAY(a, struct jvirt_barray_control, 1);
    JBLOCKROW *rows = out ? ARENA_ARRAY_RAW(a, JBLOCKROW, height) : NULL;
    JBLOCK *blocks = rows ? ARENA_ARRAY_RAW(a, JBLOCK, (size_t)width * height) : NULL;
    if (!blocks) {
        ERREXIT1(decoder, JERR_OUT_OF_MEMORY, 0);
        return NULL;
    }
    for (JDIMENSION y = 0; y < height; y++)
        rows[y] = blocks + (size_t)y * width;
    *out = (struct jvirt_barray_control){.rows = rows, .width = width};
    return out;
}

/// Rows are cleared when they are first asked for: they are then written to soon.
static JBLOCKARRAY access_rows(j_common_ptr decoder, jvirt_barray_ptr array, JDIMENSION first,
                               JDIMENSION count, boolean writable)
{
    (void)decoder;
    (void)writable;
    for (; array->cleared < first + count; array->cleared++)
        memset(array->rows[array->cleared], 0, array->width * sizeof(JBLOCK));
    return array->rows + first;
}

void jpeg_blocks_use(struct jpeg_decompress_struct *decoder, arena *a)
{
    decoder->client_data = a;
    decoder->mem->request_virt_barray = request;
    decoder->mem->access_virt_barray = access_rows;
}
