// SPDX-License-Identifier: MIT
// Fragments come from the kernel triangle by triangle, which is how they are shaded: neighbours
// have most in common. A counting sort brings their numbers to the pixels, where a sort by depth
// and id follows. Two fragments of a pixel share both only when they are parts of one clipped
// triangle; no sample has two of those, so their order is nobody's matter.
//
// Triangles are drawn the farthest first, so that most pixels find their layers in order already.
#include "raster/fragments.h"

#include <stdlib.h>
#include <string.h>

enum {
    TILE_PIXELS = TILE_SIZE * TILE_SIZE,
    ITEM_PADDING = 16,
    CHUNK_LEAST = 2 * FRAGMENTS_LEAST_ROOM,
    CHUNK_MOST = 64 * FRAGMENTS_LEAST_ROOM,
    MOVES_OF_INSERTION = 16, ///< a layer; pixels that need more are sorted otherwise
};

static int compare_triangles(const void *a, const void *b)
{
    const setup_triangle *l = *(const setup_triangle *const *)a;
    const setup_triangle *r = *(const setup_triangle *const *)b;
    const float left = l->z_min + l->z_max, right = r->z_min + r->z_max;
    if (left < right || left > right)
        return left < right ? -1 : 1;
    return l->id < r->id ? -1 : l->id > r->id ? 1 : 0;
}

/// The blended triangles, the farthest first, more or less. NULL when memory ran out.
static const setup_triangle **from_behind(const tile_input *input, arena *a)
{
    const setup_triangle **list = ARENA_ARRAY_RAW(a, const setup_triangle *, input->blended_count);
    if (!list)
        return NULL;
    memcpy(list, input->blended, input->blended_count * sizeof *list);
    qsort(list, input->blended_count, sizeof *list, compare_triangles);
    return list;
}

/// Room for `room` fragments from number `first` on. NULL when memory ran out.
static fragment_chunk *chunk_new(arena *a, uint32_t room, uint32_t first)
{
    fragment_chunk *chunk = ARENA_ARRAY_RAW(a, fragment_chunk, 1);
    raster_fragment *fragment = ARENA_ARRAY_RAW(a, raster_fragment, room);
    if (!chunk || !fragment)
        return NULL;
    *chunk = (fragment_chunk){.fragment = fragment, .first = first};
    return chunk;
}

/// All fragments as the kernel finds them. False when memory ran out.
static bool find_chunks(const tile_buffers *t, const kernel_table *kernels, tile_rect rect,
                        const tile_input *input, arena *a, tile_fragments *out)
{
    fragment_job job = {
        .raster = {.tile = t->visibility,
                   .tile_x = rect.x,
                   .tile_y = rect.y,
                   .sample_count = t->sample_count,
                   .sample = tile_sample_pattern(t->sample_count),
                   .triangles = from_behind(input, a),
                   .count = input->blended_count},
        .width = rect.width,
        .height = rect.height,
    };
    if (!job.raster.triangles)
        return false;
    fragment_chunk **last = &out->chunks;
    for (job.room = CHUNK_LEAST; job.next < job.raster.count;
         job.room = job.room < CHUNK_MOST ? 2 * job.room : CHUNK_MOST) {
        fragment_chunk *chunk = chunk_new(a, job.room, out->count);
        if (!chunk)
            return false;
        job.out = chunk->fragment;
        chunk->count = kernels->fragments(&job);
        if (chunk->count > (uint32_t)INT32_MAX - out->count) { // numbers have 32 bits
            a->failed = ZT_ERR_LIMIT;
            return false;
        }
        *last = chunk;
        last = &chunk->next;
        out->count += chunk->count;
    }
    return true;
}

/// A number that grows with the depth, and with the id where depths are equal.
static uint64_t key_of(const raster_fragment *f)
{
    uint32_t bits;
    memcpy(&bits, &f->depth, sizeof bits);
    bits = bits >> 31 ? ~bits : bits | 0x80000000u;
    return (uint64_t)bits << 32 | f->id;
}

/// Where the layers of each pixel begin.
static void count_layers(const tile_fragments *f, uint32_t first[TILE_FIRST_COUNT])
{
    uint32_t sum = 0;
    memset(first, 0, TILE_FIRST_COUNT * sizeof *first);
    for (const fragment_chunk *c = f->chunks; c; c = c->next)
        for (uint32_t i = 0; i < c->count; i++)
            first[c->fragment[i].pixel]++;
    for (int32_t p = 0; p < TILE_FIRST_COUNT; p++) {
        const uint32_t mine = first[p];
        first[p] = sum;
        sum += mine;
    }
}

static int compare_layers(const void *a, const void *b)
{
    const blend_layer *l = a, *r = b;
    return l->key < r->key ? -1 : l->key > r->key ? 1 : 0;
}

/// By insertion, as long as that is quick.
static void sort_pixel(blend_layer *l, uint32_t count)
{
    uint64_t moves = 0;
    for (uint32_t i = 1; i < count; i++) {
        const blend_layer mine = l[i];
        uint32_t at = i;
        for (; at > 0 && mine.key < l[at - 1].key; at--)
            l[at] = l[at - 1];
        l[at] = mine;
        moves += i - at;
        if (moves > (uint64_t)MOVES_OF_INSERTION * count) {
            qsort(l, count, sizeof *l, compare_layers);
            return;
        }
    }
}

bool tile_fragments_find(const tile_buffers *t, const kernel_table *kernels, tile_rect rect,
                         const tile_input *input, arena *a, tile_fragments *out)
{
    *out = (tile_fragments){0};
    if (input->blended_count == 0)
        return true;
    uint32_t *first = ARENA_ARRAY_RAW(a, uint32_t, TILE_FIRST_COUNT);
    uint32_t *next = ARENA_ARRAY_RAW(a, uint32_t, TILE_FIRST_COUNT);
    if (!first || !next || !find_chunks(t, kernels, rect, input, a, out))
        return false;
    blend_layer *layers = ARENA_ARRAY_RAW(a, blend_layer, out->count);
    if (!layers)
        return false;
    count_layers(out, first);
    memcpy(next, first, TILE_FIRST_COUNT * sizeof *next);
    for (const fragment_chunk *c = out->chunks; c; c = c->next)
        for (uint32_t i = 0; i < c->count; i++) {
            const raster_fragment *f = &c->fragment[i];
            layers[next[f->pixel]++] = (blend_layer){key_of(f), c->first + i, f->pixel, f->samples};
        }
    for (int32_t p = 0; p < TILE_PIXELS; p++)
        sort_pixel(layers + first[p], first[p + 1] - first[p]);
    out->layers = layers;
    out->first = first;
    return true;
}

/// Where a fragment is shaded, as list_job has it.
static inline uint32_t place_of(const raster_fragment *f, const int8_t (*pattern)[2], uint32_t all)
{
    const int32_t p = f->pixel; // bits: y of the block, x of it, y in it, x in it
    int32_t x = (p >> 2 & 60) | (p & 3), y = (p >> 6 & 60) | (p >> 2 & 3);
    x = x * SUBPIXEL_ONE + SUBPIXEL_ONE / 2;
    y = y * SUBPIXEL_ONE + SUBPIXEL_ONE / 2;
    if (f->samples != all) {
        const int8_t *from = pattern[__builtin_ctz(f->samples)];
        x += from[0]; // samples lie in their pixels
        y += from[1];
    }
    return (uint32_t)x | (uint32_t)y << 16;
}

void tile_fragments_list(const tile_buffers *t, const fragment_chunk *chunk, uint32_t begin,
                         uint32_t end, const shade_items *out)
{
    const int8_t(*pattern)[2] = tile_sample_pattern(t->sample_count);
    const uint32_t count = end - begin, all = (1u << t->sample_count) - 1u;
    for (uint32_t i = 0; i < count; i++) {
        out->id[i] = chunk->fragment[begin + i].id;
        out->place[i] = place_of(&chunk->fragment[begin + i], pattern, all);
    }
    for (uint32_t i = count; i < count + ITEM_PADDING && count > 0; i++) {
        out->id[i] = out->id[count - 1];
        out->place[i] = out->place[count - 1];
    }
}
