// SPDX-License-Identifier: MIT
/// See jpeg_components.h. A scan of frequencies depends on those before it of the same component
/// alone, and on no mean (ITU-T T.81, G.1.2): decoders that get the scans of one component each
/// write to the blocks of that component only.
#include "image/jpeg_components.h"

#include <jerror.h>
#include <string.h>

typedef struct component {
    struct jpeg_decompress_struct lib;
    jpeg_errors errors;
    jpeg_blocks blocks;
    uint8_t identifier;
    file_bytes bytes; ///< with the scans of the component alone
    budget *work;
    bool done;
} component;

bool jpeg_scan_has_means(void *unused, const jpeg_scan *scan)
{
    (void)unused;
    return scan->first == 0;
}

static bool has_frequencies(void *user, const jpeg_scan *scan)
{
    const component *c = user;
    return scan->first > 0 && scan->component[0] == c->identifier;
}

bool jpeg_read_scans(struct jpeg_decompress_struct *decoder, budget *work)
{
    while (jpeg_consume_input(decoder) != JPEG_REACHED_EOI)
        if (budget_cancelled(work))
            return false;
    return true;
}

static void read_component(void *user)
{
    component *c = user;
    jpeg_create_decompress(&c->lib);
    jpeg_blocks_use(&c->lib, &c->blocks);
    jpeg_mem_src(&c->lib, c->bytes.data, (unsigned long)c->bytes.size);
    jpeg_read_header(&c->lib, TRUE);
    c->lib.buffered_image = TRUE;
    jpeg_start_decompress(&c->lib);
    for (int i = 0; i < c->lib.num_components; i++)
        c->lib.coef_bits[i][0] = 0; // means are known; it has warned that they are not
    if (c->errors.warning == JWRN_BOGUS_PROGRESSION)
        c->errors.warning = 0;
    c->done = jpeg_read_scans(&c->lib, c->work);
}

static void run_component(void *user, int64_t index, int32_t worker)
{
    component *c = (component *)user + index;
    const uint64_t start = job_clock_ns();
    (void)worker;
    c->done = jpeg_attempt(&c->errors, read_component, c) && c->done && c->errors.warning == 0;
    jpeg_destroy_decompress(&c->lib);
    trace_add(c->work->trace, "texture component", start, job_clock_ns());
}

static bool begin_component(file_bytes bytes, const jpeg_blocks *blocks, uint8_t identifier,
                            uint64_t decoder_bytes, arena *a, component *c)
{
    *c = (component){.blocks = {.of = blocks}, .identifier = identifier, .work = a->budget};
    c->lib.err = jpeg_errors_init(&c->errors);
    const size_t size = jpeg_scans_copy(bytes, has_frequencies, c, NULL);
    uint8_t *copy = arena_charge(a, decoder_bytes) ? arena_alloc_raw(a, size, 1) : NULL;
    if (!copy)
        return false;
    jpeg_scans_copy(bytes, has_frequencies, c, copy);
    c->bytes = (file_bytes){copy, size};
    return true;
}

bool jpeg_components_read(file_bytes bytes, const jpeg_blocks *blocks, const uint8_t *identifiers,
                          int count, uint64_t decoder_bytes, arena *a, job_pool *pool)
{
    component *components = ARENA_ARRAY(a, component, (size_t)count);
    if (!components)
        return false;
    for (int i = 0; i < count; i++)
        if (!begin_component(bytes, blocks, identifiers[i], decoder_bytes, a, &components[i]))
            return false;
    job_pool_run_helped(pool, count, run_component, components);
    for (int i = 0; i < count; i++)
        if (!components[i].done)
            return false;
    return true;
}
