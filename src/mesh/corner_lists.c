// SPDX-License-Identifier: MIT
/// See corner_lists.h.
#include "mesh/corner_lists.h"

#include <stdatomic.h>

enum {
    INSERTION_KEYS = 32, // sorted by insertion
    PARTS_MAX = 8,       // more of them mostly skip corners
};

static uint32_t point_of(const uint32_t *point, uint32_t vertex)
{
    return point ? point[vertex] : vertex;
}

/// Each part is a range of points, and goes over all corners for its own: so lists are in order. It
/// goes from the last to the first, and a list's start moves there from its end.
typedef struct list_loop {
    const uint32_t *vertex, *point;
    size_t corner_count;
    corner_lists *lists;
    int64_t parts;
    budget *work;
    bool fills; ///< else corners are counted
    atomic_bool left_out;
} list_loop;

static void run_part(void *user, int64_t index, int32_t worker)
{
    list_loop *l = user;
    const uint64_t points = l->lists->point_count;
    const uint32_t first = (uint32_t)(points * (uint64_t)index / (uint64_t)l->parts);
    const uint32_t count = (uint32_t)(points * (uint64_t)(index + 1) / (uint64_t)l->parts) - first;
    (void)worker;
    for (size_t c = l->corner_count; c-- > 0;) {
        const uint32_t p = point_of(l->point, l->vertex[c]);
        if (c % JOB_RANGE == 0 && budget_cancelled(l->work)) {
            l->left_out = true;
            return;
        }
        if (p - first >= count)
            continue;
        if (l->fills)
            l->lists->corner[--l->lists->start[p]] = (uint32_t)c;
        else
            l->lists->start[p]++;
    }
}

static zt_result run_parts(job_pool *pool, list_loop *l, bool fills, zt_error *err)
{
    l->fills = fills;
    if (l->parts > 1)
        job_pool_run(pool, l->parts, run_part, l);
    else
        run_part(l, 0, 0);
    return l->left_out ? cancel_fail(err) : ZT_OK;
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
    ZT_TRY(ARENA_TAKE(scratch, &out->start, (size_t)point_count + 1, "corners", err));
    ZT_TRY(ARENA_TAKE_RAW(scratch, &out->corner, l.corner_count, "corners", err));
    ZT_TRY(run_parts(pool, &l, false, err));
    uint32_t end = 0;
    for (uint32_t p = 0; p < point_count; p++) {
        out->largest = out->start[p] > out->largest ? out->start[p] : out->largest;
        out->start[p] = end += out->start[p];
    }
    out->start[point_count] = end;
    return run_parts(pool, &l, true, err);
}

static void sift_down(uint64_t *key, size_t at, size_t count)
{
    const uint64_t own = key[at];
    for (size_t child = 2 * at + 1; child < count; at = child, child = 2 * at + 1) {
        child += child + 1 < count && key[child + 1] > key[child];
        if (key[child] <= own)
            break;
        key[at] = key[child];
    }
    key[at] = own;
}

/// By insertion where keys are few, else a heap sort.
void corner_keys_sort(uint64_t *key, size_t count)
{
    for (size_t i = 1; i < count && count <= INSERTION_KEYS; i++) {
        const uint64_t own = key[i];
        size_t at = i;
        for (; at > 0 && key[at - 1] > own; at--)
            key[at] = key[at - 1];
        key[at] = own;
    }
    if (count <= INSERTION_KEYS)
        return;
    for (size_t i = count / 2; i-- > 0;)
        sift_down(key, i, count);
    for (size_t end = count - 1; end > 0; end--) {
        const uint64_t largest = key[0];
        key[0] = key[end];
        key[end] = largest;
        sift_down(key, 0, end);
    }
}
