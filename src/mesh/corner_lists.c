// SPDX-License-Identifier: MIT
#include "mesh/corner_lists.h"

#include <stdatomic.h>
#include <string.h>

enum {
    INSERTION_KEYS = 32, // sorted by insertion
    PARTS_MAX = 8,       // each takes the memory of a number for each point
};

static uint32_t point_of(const uint32_t *point, uint32_t vertex)
{
    return point ? point[vertex] : vertex;
}

/// Each part is a range of corners. It counts those at each point; then it knows where its first
/// one is in the point's list, behind those of the parts before.
typedef struct list_loop {
    const uint32_t *vertex, *point;
    size_t corner_count;
    corner_lists *lists;
    uint32_t *next; ///< [parts][point_count] corners, then the place of the next one
    int64_t parts;
    budget *work;
    bool fills; ///< else corners are counted
    atomic_bool left_out;
} list_loop;

static void run_part(void *user, int64_t index, int32_t worker)
{
    list_loop *l = user;
    const size_t parts = (size_t)l->parts, part = (size_t)index;
    const size_t end = l->corner_count * (part + 1) / parts;
    uint32_t *next = l->next + part * l->lists->point_count;
    (void)worker;
    if (!l->fills)
        memset(next, 0, l->lists->point_count * sizeof *next);
    for (size_t c = l->corner_count * part / parts; c < end; c++) {
        const uint32_t p = point_of(l->point, l->vertex[c]);
        if (c % JOB_RANGE == 0 && budget_cancelled(l->work)) {
            l->left_out = true;
            return;
        }
        if (l->fills)
            l->lists->corner[next[p]] = (uint32_t)c;
        next[p]++;
    }
}

static zt_result run_parts(job_pool *pool, list_loop *l, bool fills, zt_error *err)
{
    l->fills = fills;
    job_pool_run(l->parts > 1 ? pool : NULL, l->parts, run_part, l);
    return l->left_out ? cancel_fail(err) : ZT_OK;
}

/// From numbers of corners to places.
static void place_lists(list_loop *l)
{
    corner_lists *lists = l->lists;
    uint32_t place = 0;
    for (size_t p = 0; p < lists->point_count; p++) {
        lists->start[p] = place;
        for (size_t part = 0; part < (size_t)l->parts; part++) {
            uint32_t *next = &l->next[part * lists->point_count + p];
            const uint32_t count = *next;
            *next = place;
            place += count;
        }
        const uint32_t size = place - lists->start[p];
        lists->largest = size > lists->largest ? size : lists->largest;
    }
    lists->start[lists->point_count] = place;
}

zt_result corner_lists_build(job_pool *pool, arena *scratch, const uint32_t *vertex,
                             uint32_t triangle_count, const uint32_t *point, uint32_t point_count,
                             corner_lists *out, zt_error *err)
{
    list_loop l = {.vertex = vertex,
                   .point = point,
                   .corner_count = 3 * (size_t)triangle_count,
                   .lists = out,
                   .parts = pool && triangle_count >= JOB_RANGE ? job_pool_workers(pool) : 1,
                   .work = scratch->budget};
    l.parts = l.parts < PARTS_MAX ? l.parts : PARTS_MAX;
    *out = (corner_lists){.point_count = point_count};
    ZT_TRY(ARENA_TAKE_RAW(scratch, &out->start, (size_t)point_count + 1, "corners", err));
    ZT_TRY(ARENA_TAKE_RAW(scratch, &l.next, (size_t)l.parts * point_count, "corners", err));
    ZT_TRY(ARENA_TAKE_RAW(scratch, &out->corner, l.corner_count, "corners", err));
    ZT_TRY(run_parts(pool, &l, false, err));
    place_lists(&l);
    return run_parts(pool, &l, true, err);
}

/// Sorts keys by the first byte in which they differ, where they change places, and then by those
/// below. A heap of many keys is slow, as it jumps from end to end in memory.
void corner_keys_sort(uint64_t *key, size_t count)
{
    if (count <= INSERTION_KEYS) {
        for (size_t i = 1; i < count; i++) {
            const uint64_t own = key[i];
            size_t at = i;
            for (; at > 0 && key[at - 1] > own; at--)
                key[at] = key[at - 1];
            key[at] = own;
        }
        return;
    }
    size_t first[257] = {0}, next[256];
    uint64_t different = 0;
    int shift = 0;
    for (size_t i = 1; i < count; i++)
        different |= key[i] ^ key[0];
    while (different >> shift > 255)
        shift += 8;
    for (size_t i = 0; i < count; i++)
        first[1 + (key[i] >> shift & 255)]++;
    for (int b = 0; b < 256; b++)
        first[b + 1] += next[b] = first[b];
    for (int b = 0; b < 256; b++)
        while (next[b] < first[b + 1]) {
            const uint64_t own = key[next[b]], to = own >> shift & 255;
            key[next[b]] = key[next[to]];
            key[next[to]++] = own;
        }
    for (int b = 0; b < 256 && shift > 0; b++)
        corner_keys_sort(key + first[b], first[b + 1] - first[b]);
}
