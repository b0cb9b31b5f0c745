// SPDX-License-Identifier: MIT
/// See corner_lists.h.
#include "mesh/corner_lists.h"

enum { INSERTION_KEYS = 32 }; ///< sorted by insertion

static uint32_t point_of(const uint32_t *point, uint32_t vertex)
{
    return point ? point[vertex] : vertex;
}

zt_result corner_lists_build(arena *scratch, const uint32_t *vertex, uint32_t triangle_count,
                             const uint32_t *point, uint32_t point_count, corner_lists *out,
                             zt_error *err)
{
    const size_t corners = 3 * (size_t)triangle_count;
    uint32_t *next;
    *out = (corner_lists){.point_count = point_count};
    ZT_TRY(ARENA_TAKE(scratch, &out->start, (size_t)point_count + 1, "corners", err));
    ZT_TRY(ARENA_TAKE_RAW(scratch, &next, point_count, "corners", err));
    ZT_TRY(ARENA_TAKE_RAW(scratch, &out->corner, corners, "corners", err));
    for (size_t c = 0; c < corners; c++) {
        if (arena_cancelled_at(scratch, c))
            return arena_fail(scratch, err, "corners");
        out->start[point_of(point, vertex[c]) + 1]++;
    }
    for (uint32_t p = 0; p < point_count; p++) {
        const uint32_t count = out->start[p + 1];
        out->largest = count > out->largest ? count : out->largest;
        next[p] = out->start[p];
        out->start[p + 1] += out->start[p];
    }
    for (size_t c = 0; c < corners; c++) {
        if (arena_cancelled_at(scratch, c))
            return arena_fail(scratch, err, "corners");
        out->corner[next[point_of(point, vertex[c])]++] = (uint32_t)c;
    }
    return ZT_OK;
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
