// SPDX-License-Identifier: MIT
// Fragments come from the kernel in chunks, in the order of triangles, which is chance. A counting
// sort brings them to their pixels; in each pixel a sort by depth, id and samples follows, keys
// that no two of its fragments share, so that chance ends here.
#include "raster/fragments.h"

#include <stdlib.h>
#include <string.h>

enum {
    TILE_PIXELS = TILE_SIZE * TILE_SIZE,
    ITEM_PADDING = 16,
    CHUNK_LEAST = 2 * FRAGMENTS_LEAST_ROOM,
    CHUNK_MOST = 64 * FRAGMENTS_LEAST_ROOM,
    SORTED_BY_INSERTION = 24, ///< fragments of a pixel, at most
};

typedef struct fragment_chunk {
    struct fragment_chunk *next;
    uint32_t count;
    raster_fragment *fragment;
} fragment_chunk;

/// Newest chunk first. NULL when memory ran out.
static fragment_chunk *chunk_new(arena *a, uint32_t room, fragment_chunk *next)
{
    fragment_chunk *chunk = ARENA_ARRAY_RAW(a, fragment_chunk, 1);
    raster_fragment *fragment = ARENA_ARRAY_RAW(a, raster_fragment, room);
    if (!chunk || !fragment)
        return NULL;
    *chunk = (fragment_chunk){.next = next, .fragment = fragment};
    return chunk;
}

/// All fragments as the kernel finds them. False when memory ran out.
static bool find_chunks(const tile_buffers *t, const kernel_table *kernels, tile_rect rect,
                        const tile_input *input, arena *a, fragment_chunk **out)
{
    fragment_job job = {
        .raster = {.tile = t->visibility,
                   .tile_x = rect.x,
                   .tile_y = rect.y,
                   .sample_count = t->sample_count,
                   .sample = tile_sample_pattern(t->sample_count),
                   .triangles = input->blended,
                   .count = input->blended_count},
        .width = rect.width,
        .height = rect.height,
    };
    uint64_t total = 0;
    *out = NULL;
    for (job.room = CHUNK_LEAST; job.next < job.raster.count;
         job.room = job.room < CHUNK_MOST ? 2 * job.room : CHUNK_MOST) {
        fragment_chunk *chunk = chunk_new(a, job.room, *out);
        if (!chunk)
            return false;
        job.out = chunk->fragment;
        chunk->count = kernels->fragments(&job);
        *out = chunk;
        total += chunk->count;
        if (total > INT32_MAX) { // item numbers have 32 bits
            a->failed = ZT_ERR_LIMIT;
            return false;
        }
    }
    return true;
}

/// Fills `first` from the chunks; returns the number of fragments.
static uint32_t count_fragments(const fragment_chunk *chunks, uint32_t *first)
{
    uint32_t sum = 0;
    memset(first, 0, TILE_FIRST_COUNT * sizeof *first);
    for (const fragment_chunk *c = chunks; c; c = c->next)
        for (uint32_t i = 0; i < c->count; i++)
            first[c->fragment[i].pixel]++;
    for (int32_t p = 0; p < TILE_FIRST_COUNT; p++) {
        const uint32_t mine = first[p];
        first[p] = sum;
        sum += mine;
    }
    return sum;
}

/// Is `a` behind `b`, or as far with a lower id? Parts of a clipped triangle may meet in a pixel:
/// these differ in their samples.
static inline bool is_before(const raster_fragment *a, const raster_fragment *b)
{
    if (a->depth < b->depth || a->depth > b->depth)
        return a->depth < b->depth;
    return a->id != b->id ? a->id < b->id : a->samples < b->samples;
}

static int compare(const void *a, const void *b)
{
    return is_before(a, b) ? -1 : is_before(b, a) ? 1 : 0;
}

static void sort_pixel(raster_fragment *f, uint32_t count)
{
    if (count > SORTED_BY_INSERTION) {
        qsort(f, count, sizeof *f, compare);
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        const raster_fragment mine = f[i];
        uint32_t at = i;
        for (; at > 0 && is_before(&mine, &f[at - 1]); at--)
            f[at] = f[at - 1];
        f[at] = mine;
    }
}

/// Where a fragment is shaded, as list_job has it.
static uint32_t place_of(const raster_fragment *f, const tile_buffers *t)
{
    const int32_t block = f->pixel / 16, pixel = f->pixel % 16;
    int32_t x = (block % TILE_BLOCKS * 4 + pixel % 4) * SUBPIXEL_ONE + SUBPIXEL_ONE / 2;
    int32_t y = (block / TILE_BLOCKS * 4 + pixel / 4) * SUBPIXEL_ONE + SUBPIXEL_ONE / 2;
    if (f->samples != (1u << t->sample_count) - 1u) {
        const int8_t *from = tile_sample_pattern(t->sample_count)[__builtin_ctz(f->samples)];
        x += from[0];
        y += from[1];
    }
    return (uint32_t)x | (uint32_t)y << 16;
}

static void list_fragments(const tile_buffers *t, const tile_fragments *f)
{
    for (uint32_t i = 0; i < f->count; i++) {
        f->items.id[i] = f->fragment[i].id;
        f->items.place[i] = place_of(&f->fragment[i], t);
    }
    for (uint32_t i = f->count; i < f->count + ITEM_PADDING && f->count > 0; i++) {
        f->items.id[i] = f->items.id[f->count - 1];
        f->items.place[i] = f->items.place[f->count - 1];
    }
}

bool tile_fragments_find(const tile_buffers *t, const kernel_table *kernels, tile_rect rect,
                         const tile_input *input, arena *a, tile_fragments *out)
{
    fragment_chunk *chunks;
    *out = (tile_fragments){0};
    if (input->blended_count == 0)
        return true;
    out->first = ARENA_ARRAY_RAW(a, uint32_t, TILE_FIRST_COUNT);
    uint32_t *next = ARENA_ARRAY_RAW(a, uint32_t, TILE_FIRST_COUNT);
    if (!out->first || !next || !find_chunks(t, kernels, rect, input, a, &chunks))
        return false;
    out->count = count_fragments(chunks, out->first);
    out->fragment = ARENA_ARRAY_RAW(a, raster_fragment, out->count);
    out->items.id = ARENA_ARRAY_RAW(a, uint32_t, (size_t)out->count + ITEM_PADDING);
    out->items.place = ARENA_ARRAY_RAW(a, uint32_t, (size_t)out->count + ITEM_PADDING);
    if (!out->fragment || !out->items.id || !out->items.place)
        return false;
    memcpy(next, out->first, TILE_FIRST_COUNT * sizeof *next);
    for (const fragment_chunk *c = chunks; c; c = c->next)
        for (uint32_t i = 0; i < c->count; i++)
            out->fragment[next[c->fragment[i].pixel]++] = c->fragment[i];
    for (int32_t p = 0; p < TILE_PIXELS; p++)
        sort_pixel(out->fragment + out->first[p], out->first[p + 1] - out->first[p]);
    list_fragments(t, out);
    return true;
}
