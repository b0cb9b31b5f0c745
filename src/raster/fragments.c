// SPDX-License-Identifier: MIT
// The raster loop produces fragments triangle by triangle. They are shaded in this order, since
// neighbours have most in common. A counting sort groups their numbers by pixel; then each pixel is
// sorted by depth and id. Two fragments of a pixel with equal depth and id are parts of one clipped
// triangle. No sample shows both, so their order does not matter.
//
// Triangles are drawn the farthest first, so most pixels are already in order.
#include "raster/fragments.h"

#include <string.h>

enum {
    TILE_PIXELS = TILE_SIZE * TILE_SIZE,
    CHUNK_MIN_CAPACITY = 2 * FRAGMENTS_MIN_CAPACITY,
    CHUNK_MAX_CAPACITY = 64 * FRAGMENTS_MIN_CAPACITY,
    // What is done before the caller is asked again.
    PIECE_SAMPLES = 1 << 14,  ///< triangles times samples of a pixel: each may fill the tile, and
                              ///< those behind opaque ones give no fragments that would count
    PIECE_GROUPED = 1 << 9,   ///< fragments; each may be the first in its page of memory
    PIECE_SORTED = 1 << 14,   ///< fragments or triangles
    INSERTION_MOVES_MAX = 16, ///< per fragment; a pixel that needs more is sorted by merging
    AT_ONCE = 1 << 20,        ///< fragments in memory, or those of a block if it has more
};

/// Orders by depth, then id: a float's bits, sign inverted, negative ones all, order like it.
static uint64_t sort_key(float depth, uint32_t id)
{
    uint32_t bits;
    memcpy(&bits, &depth, sizeof bits);
    bits = bits >> 31 ? ~bits : bits | 0x80000000u;
    return (uint64_t)bits << 32 | id;
}

/// Insertion sort. Gives up after INSERTION_MOVES_MAX moves per fragment, or when the work is
/// cancelled, and returns false; the array then has the same fragments in another order.
static bool sort_by_insertion(sorted_fragment *l, uint32_t count, arena *a)
{
    uint64_t moves = 0, ask_at = PIECE_SORTED;
    for (uint32_t i = 1; i < count; i++) {
        const sorted_fragment own = l[i];
        uint32_t at = i;
        for (; at > 0 && own.key < l[at - 1].key; at--)
            l[at] = l[at - 1];
        l[at] = own;
        moves += i - at;
        if (moves > (uint64_t)INSERTION_MOVES_MAX * count)
            return false;
        if (i + moves > ask_at) {
            if (arena_cancelled(a))
                return false;
            ask_at = i + moves + PIECE_SORTED;
        }
    }
    return true;
}

/// Bottom-up merge sort. `scratch`: [count]. False when the work is cancelled.
static bool sort_by_merging(sorted_fragment *l, sorted_fragment *scratch, size_t count, arena *a)
{
    sorted_fragment *from = l, *to = scratch;
    for (size_t length = 1; length < count; length *= 2) {
        for (size_t first = 0; first < count; first += 2 * length) {
            const size_t middle = first + length < count ? first + length : count;
            const size_t end = middle + length < count ? middle + length : count;
            size_t left = first, right = middle;
            for (size_t i = first; i < end; i++) {
                if ((i + 1) % PIECE_SORTED == 0 && arena_cancelled(a))
                    return false;
                to[i] = right >= end || (left < middle && from[left].key <= from[right].key)
                            ? from[left++]
                            : from[right++];
            }
        }
        sorted_fragment *swap = from;
        from = to;
        to = swap;
    }
    if (from != l)
        memcpy(l, from, count * sizeof *l);
    return true;
}

/// Rows or columns of blocks that a triangle's box covers in a tile: from *out_first to before the
/// end that it returns.
static int32_t blocks_of(int32_t min, int32_t max, int32_t tile, int32_t *out_first)
{
    const int32_t first = (min - tile) >> 2, end = ((max - tile) >> 2) + 1;
    *out_first = first > 0 ? first : 0;
    return end < TILE_BLOCKS ? end : TILE_BLOCKS;
}

/// The end of the blocks from `first` on whose boxes of triangles have AT_ONCE pixels, or of one
/// block.
static int32_t piece_end(const tile_input *input, tile_rect rect, int32_t first)
{
    enum { STRIDE = TILE_BLOCKS + 1 };
    int64_t boxes[STRIDE * STRIDE] = {0}, fragments = 0; // their corners, then sums
    if (input->blended_count <= AT_ONCE / TILE_PIXELS)
        return TILE_BLOCK_COUNT;
    for (uint32_t i = 0; i < input->blended_count; i++) {
        const setup_triangle *t = input->blended[i];
        int32_t x, y;
        const int32_t end_x = blocks_of(t->min_x, t->max_x, rect.x, &x);
        const int32_t end_y = blocks_of(t->min_y, t->max_y, rect.y, &y);
        if (x >= end_x || y >= end_y)
            continue;
        boxes[y * STRIDE + x]++;
        boxes[y * STRIDE + end_x]--;
        boxes[end_y * STRIDE + x]--;
        boxes[end_y * STRIDE + end_x]++;
    }
    for (int32_t y = 0; y < STRIDE; y++)
        for (int32_t x = 1; x < STRIDE; x++)
            boxes[y * STRIDE + x] += boxes[y * STRIDE + x - 1];
    for (int32_t i = STRIDE; i < STRIDE * STRIDE; i++)
        boxes[i] += boxes[i - STRIDE];
    for (int32_t block = first; block < TILE_BLOCK_COUNT; block++) {
        fragments += 16 * boxes[block / TILE_BLOCKS * STRIDE + block % TILE_BLOCKS];
        if (fragments > AT_ONCE && block > first)
            return block;
    }
    return TILE_BLOCK_COUNT;
}

/// True when a triangle's box covers none of the rows of blocks of a piece.
static bool is_outside(const setup_triangle *t, tile_rect rect, const tile_fragments *piece)
{
    int32_t first;
    const int32_t end = blocks_of(t->min_y, t->max_y, rect.y, &first);
    return end * TILE_BLOCKS <= piece->first_block || first * TILE_BLOCKS >= piece->end_block;
}

/// Blended triangles of a piece by mean depth of their ranges, farthest first. NULL: no memory, or
/// cancelled.
static const setup_triangle **sorted_by_depth(const tile_input *input, tile_rect rect,
                                              const tile_fragments *piece, arena *a,
                                              uint32_t *out_count)
{
    const uint32_t count = input->blended_count;
    const setup_triangle **list = ARENA_ARRAY_RAW(a, const setup_triangle *, count);
    sorted_fragment *order = ARENA_ARRAY_RAW(a, sorted_fragment, 2 * (size_t)count);
    if (!list || !order)
        return NULL;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const setup_triangle *t = input->blended[i];
        if ((i + 1) % PIECE_SORTED == 0 && arena_cancelled(a))
            return NULL;
        if (!is_outside(t, rect, piece))
            order[kept++] =
                (sorted_fragment){.key = sort_key(t->z_min + t->z_max, t->id), .fragment = i};
    }
    if (!sort_by_insertion(order, kept, a) && !sort_by_merging(order, order + kept, kept, a))
        return NULL;
    *out_count = kept;
    for (uint32_t i = 0; i < kept; i++) {
        if ((i + 1) % PIECE_SORTED == 0 && arena_cancelled(a))
            return NULL;
        list[i] = input->blended[order[i].fragment];
    }
    return list;
}

/// A chunk for `capacity` fragments, numbered from `first` on. NULL when memory ran out.
static fragment_chunk *chunk_new(arena *a, uint32_t capacity, uint32_t first)
{
    fragment_chunk *chunk = ARENA_ARRAY_RAW(a, fragment_chunk, 1);
    raster_fragment *fragment = ARENA_ARRAY_RAW(a, raster_fragment, capacity);
    if (!chunk || !fragment)
        return NULL;
    *chunk = (fragment_chunk){.fragment = fragment, .first = first};
    return chunk;
}

/// The samples of a fragment that pass the alpha test of its material.
static uint16_t tested_samples(const raster_job *job, const raster_fragment *f)
{
    const int32_t x = f->pixel / 16 % TILE_BLOCKS * 4, y = f->pixel / 16 / TILE_BLOCKS * 4;
    const unsigned pixel = 1u << f->pixel % 16;
    unsigned passed = 0;
    for (int32_t s = 0; s < job->sample_count; s++)
        if (f->samples >> s & 1u &&
            job->alpha_test.survivors(job->alpha_test.user, f->id, job->tile_x + x, job->tile_y + y,
                                      job->sample[s][0], job->sample[s][1], pixel))
            passed |= 1u << s;
    return (uint16_t)passed;
}

/// Drops what the alpha test cuts out of fragments of masked triangles, which come in the order of
/// the triangles from `next` on. Returns how many are left.
static uint32_t test_fragments(const raster_job *job, uint32_t next, raster_fragment *f,
                               uint32_t count)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        while (job->triangles[next]->id != f[i].id)
            next++;
        f[left] = f[i];
        if (job->triangles[next]->masked && job->alpha_test.survivors)
            f[left].samples = tested_samples(job, &f[i]);
        left += f[left].samples != 0;
    }
    return left;
}

/// All fragments, in the order of triangles. False when memory ran out or the work is cancelled.
static bool chunks_build(const tile_buffers *t, const raster_loops *loops, tile_rect rect,
                         const tile_input *input, raster_alpha_test alpha_test, arena *a,
                         tile_fragments *out)
{
    fragment_job job = {
        .raster = {.tile = t->visibility,
                   .tile_x = rect.x,
                   .tile_y = rect.y,
                   .sample_count = t->sample_count,
                   .sample = tile_pattern(t),
                   .alpha_test = alpha_test},
        .width = rect.width,
        .height = rect.height,
        .first_block = out->first_block,
        .end_block = out->end_block,
        .is_covered = input->is_covered,
    };
    uint32_t all = 0;
    job.raster.triangles = sorted_by_depth(input, rect, out, a, &all);
    if (!job.raster.triangles)
        return false;
    job.raster.count = all;
    const uint32_t piece = PIECE_SAMPLES / (uint32_t)t->sample_count;
    fragment_chunk *chunk = NULL, **last = &out->chunks;
    for (uint32_t capacity = CHUNK_MIN_CAPACITY; job.next < all;) {
        if (chunk && arena_cancelled(a))
            return false;
        if (!chunk || job.next < job.raster.count ||
            job.capacity < FRAGMENTS_MIN_CAPACITY) { // the last one is full
            chunk = chunk_new(a, capacity, out->count);
            if (!chunk)
                return false;
            *last = chunk;
            last = &chunk->next;
            job.out = chunk->fragment;
            job.capacity = capacity;
            capacity = capacity < CHUNK_MAX_CAPACITY ? 2 * capacity : CHUNK_MAX_CAPACITY;
        }
        job.raster.count = all - job.next < piece ? all : job.next + piece;
        const uint32_t next = job.next;
        const uint32_t count = test_fragments(&job.raster, next, job.out, loops->fragments(&job));
        if (count > (uint32_t)INT32_MAX - out->count) { // numbers have 32 bits
            a->failed = ZT_ERR_LIMIT;
            return false;
        }
        job.out += count;
        job.capacity -= count;
        chunk->count += count;
        out->count += count;
    }
    return true;
}

/// Where the fragments of each pixel begin: prefix sums of counts. `out_max`: the largest count.
/// False: cancelled.
static bool count_fragments(const tile_fragments *f, uint32_t first[TILE_FIRST_COUNT],
                            uint32_t *out_max, arena *a)
{
    uint32_t sum = 0, max = 0;
    memset(first, 0, TILE_FIRST_COUNT * sizeof *first);
    for (const fragment_chunk *c = f->chunks; c; c = c->next) {
        if (c->first > 0 && arena_cancelled(a))
            return false;
        for (uint32_t i = 0; i < c->count; i++)
            first[c->fragment[i].pixel]++;
    }
    for (int32_t block = 0; block < TILE_BLOCK_COUNT; block++) {
        uint32_t *own = first + block * 16, any = 0;
        for (int32_t p = 0; p < 16; p++)
            any |= own[p];
        if (!any) { // as in most blocks
            for (int32_t p = 0; p < 16; p++)
                own[p] = sum;
            continue;
        }
        for (int32_t p = 0; p < 16; p++) {
            const uint32_t count = own[p];
            own[p] = sum;
            sum += count;
            max = count > max ? count : max;
        }
    }
    first[TILE_FIRST_COUNT - 1] = sum;
    *out_max = max;
    return true;
}

/// Puts the fragments of each pixel together. False when the work is cancelled.
static bool group_by_pixel(const tile_fragments *f, const uint32_t first[TILE_FIRST_COUNT],
                           uint32_t *next, sorted_fragment *sorted, arena *a)
{
    memcpy(next, first, TILE_FIRST_COUNT * sizeof *next);
    for (const fragment_chunk *c = f->chunks; c; c = c->next)
        for (uint32_t i = 0; i < c->count; i++) {
            const raster_fragment *own = &c->fragment[i];
            if ((i + 1) % PIECE_GROUPED == 0 && arena_cancelled(a))
                return false;
            sorted[next[own->pixel]++] = (sorted_fragment){sort_key(own->depth, own->id),
                                                           c->first + i, own->pixel, own->samples};
        }
    return true;
}

/// Sorts the fragments of each pixel, at most `max`. False when memory ran out or the work is
/// cancelled.
static bool sort_pixels(sorted_fragment *sorted, const uint32_t first[TILE_FIRST_COUNT],
                        uint32_t max, arena *a)
{
    uint32_t ask_at = PIECE_SORTED;
    sorted_fragment *scratch = NULL; ///< [max]
    if (max < 2)
        return true;
    for (int32_t p = 0; p < TILE_PIXELS; p++) {
        const uint32_t count = first[p + 1] - first[p];
        if (first[p + 1] > ask_at) {
            if (arena_cancelled(a))
                return false;
            ask_at = first[p] + PIECE_SORTED;
        }
        if (count < 2 || sort_by_insertion(sorted + first[p], count, a))
            continue;
        if (!scratch)
            scratch = ARENA_ARRAY_RAW(a, sorted_fragment, max);
        if (!scratch || !sort_by_merging(sorted + first[p], scratch, count, a))
            return false;
    }
    return true;
}

bool tile_fragments_build(const tile_buffers *t, const raster_loops *loops, tile_rect rect,
                          const tile_input *input, raster_alpha_test alpha_test,
                          int32_t first_block, arena *a, tile_fragments *out)
{
    *out = (tile_fragments){.first_block = first_block,
                            .end_block = piece_end(input, rect, first_block)};
    if (input->blended_count == 0)
        return true;
    if (input->farthest > 0.0f)
        tile_clear_depth(t, -1.0f, input->farthest);
    const bool built = chunks_build(t, loops, rect, input, alpha_test, a, out);
    if (input->farthest > 0.0f)
        tile_clear_depth(t, input->farthest, -1.0f);
    if (!built || out->count == 0)
        return built;
    uint32_t *first = ARENA_ARRAY_RAW(a, uint32_t, TILE_FIRST_COUNT);
    uint32_t *next = ARENA_ARRAY_RAW(a, uint32_t, TILE_FIRST_COUNT);
    sorted_fragment *sorted = ARENA_ARRAY_RAW(a, sorted_fragment, out->count);
    uint32_t max;
    if (!first || !next || !sorted || !count_fragments(out, first, &max, a) ||
        !group_by_pixel(out, first, next, sorted, a) || !sort_pixels(sorted, first, max, a))
        return false;
    out->sorted = sorted;
    out->first = first;
    return true;
}

/// Where a fragment is shaded: by the rule of compact_job.
static inline uint32_t shading_position(const raster_fragment *f, const int8_t (*pattern)[2],
                                        uint32_t all)
{
    const int32_t p =
        f->pixel; // four bits each: block y, block x; two bits each: y and x in the block
    int32_t x = (p >> 2 & 60) | (p & 3), y = (p >> 6 & 60) | (p >> 2 & 3);
    x = x * SUBPIXEL_ONE + SUBPIXEL_ONE / 2;
    y = y * SUBPIXEL_ONE + SUBPIXEL_ONE / 2;
    if (f->samples != all) {
        const int8_t *from = pattern[__builtin_ctz(f->samples)];
        x += from[0];
        y += from[1];
    }
    return (uint32_t)x | (uint32_t)y << 16;
}

void tile_fragments_visible(const tile_buffers *t, const fragment_chunk *chunk, uint32_t begin,
                            uint32_t end, const visible_samples *out)
{
    const int8_t(*pattern)[2] = tile_pattern(t);
    const uint32_t count = end - begin, all = (1u << t->sample_count) - 1u;
    for (uint32_t i = 0; i < count; i++) {
        out->id[i] = chunk->fragment[begin + i].id;
        out->position[i] = shading_position(&chunk->fragment[begin + i], pattern, all);
    }
    if (count > 0)
        for (uint32_t i = count; i < count + VISIBLE_PADDING; i++) {
            out->id[i] = out->id[count - 1];
            out->position[i] = out->position[count - 1];
        }
}
