// SPDX-License-Identifier: MIT
/// See jpeg_components.h. Reference: libjpeg-turbo, libjpeg.txt and structure.txt, "Memory manager
/// services": virtual arrays of blocks, here never on disk.
#include "image/jpeg_components.h"

#include <jerror.h>
#include <string.h>

/// The blocks of a component; libjpeg declares it and leaves it to the memory manager.
struct jvirt_barray_control {
    JBLOCKARRAY rows;
    JDIMENSION width;   ///< blocks of a row
    JDIMENSION cleared; ///< rows that have been asked for: zeros before anything is written
};

static jvirt_barray_ptr make_blocks(arena *a, JDIMENSION width, JDIMENSION height)
{
    struct jvirt_barray_control *out = ARENA_ARRAY(a, struct jvirt_barray_control, 1);
    JBLOCKROW *rows = out ? ARENA_ARRAY_RAW(a, JBLOCKROW, height) : NULL;
    JBLOCK *blocks = rows ? ARENA_ARRAY_RAW(a, JBLOCK, (size_t)width * height) : NULL;
    if (!blocks)
        return NULL;
    for (JDIMENSION y = 0; y < height; y++)
        rows[y] = blocks + (size_t)y * width;
    *out = (struct jvirt_barray_control){.rows = rows, .width = width};
    return out;
}

/// Asked for one component after another. Those of another decoder are only taken filled.
static jvirt_barray_ptr request(j_common_ptr decoder, int pool, boolean cleared, JDIMENSION width,
                                JDIMENSION height, JDIMENSION rows_at_once)
{
    (void)pool;
    (void)cleared;
    (void)rows_at_once;
    jpeg_blocks *b = decoder->client_data;
    jvirt_barray_ptr made = NULL;
    if (b->count == MAX_COMPONENTS)
        made = NULL;
    else if (!b->of)
        made = make_blocks(b->a, width, height);
    else if (b->count < b->of->count && b->of->component[b->count]->cleared == height &&
             b->of->component[b->count]->width == width)
        made = b->of->component[b->count];
    if (!made)
        ERREXIT1(decoder, JERR_OUT_OF_MEMORY, 0);
    else
        b->component[b->count++] = made;
    return made;
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

void jpeg_blocks_use(struct jpeg_decompress_struct *decoder, jpeg_blocks *blocks)
{
    blocks->count = 0;
    decoder->client_data = blocks;
    decoder->mem->request_virt_barray = request;
    decoder->mem->access_virt_barray = access_rows;
}
