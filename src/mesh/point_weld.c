// SPDX-License-Identifier: MIT
/// See point_weld.h. Each thread has a part of the records, finds its points, and numbers them in
/// the order of their first places. The points of the second part and of those after it are then
/// looked for among those of the first, which gets the new ones: their order is again that of
/// places. One table for all threads would be slower, since each point that one of them adds takes
/// a line of the others' caches.
#include "mesh/point_weld.h"

#include "base/hash.h"

#include <math.h>
#include <string.h>

enum {
    PARTS_MAX = 8,
    AHEAD = 64,    // records whose points are on their way from memory
    LEAST = 64,    // points in a table
    GROWTH = 4,    // times
    PLACE = 12,    // bytes
    RECORD_MAX = 3 // places
};

/// Points of a part, with a table over them.
typedef struct weld_part {
    arena *keep, work; ///< `keep`: of points
    hash_table slots;
    vertex_position *point; ///< [count]
    uint32_t count, capacity;
    uint32_t first, end; ///< records
    uint32_t lost;       ///< of them
    uint32_t *whole;     ///< [count] numbers of the points among those of the first part
    bool failed;         ///< no memory, or cancelled
} weld_part;

typedef struct weld {
    const point_places *places;
    uint32_t *number;
    weld_part part[PARTS_MAX];
    uint32_t part_count;
} weld;

static bool equal(const float *a, const float *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/// Room for `capacity` points. False: no memory.
static bool make_room(weld_part *p, size_t capacity)
{
    const weld_part old = *p;
    p->capacity = (uint32_t)(capacity < LEAST ? LEAST : capacity);
    p->point = ARENA_ARRAY_RAW(p->keep, vertex_position, p->capacity);
    // A quarter full: a slot of another point costs a look at that point, which is far away.
    const size_t sparse = (size_t)p->capacity * 7 / 4;
    if (!p->point || !hash_table_init(&p->slots, &p->work, sparse))
        return false;
    if (old.count > 0)
        memcpy(p->point, old.point, old.count * sizeof *old.point);
    for (uint32_t i = 0; i < old.count; i++) {
        uint32_t *slot = hash_table_first(&p->slots, hash_floats(0, &p->point[i].x, 3));
        while (*slot != 0)
            slot = hash_table_next(&p->slots, slot);
        *slot = i + 1;
    }
    return true;
}

/// The number of the point at a place. False: no memory.
static bool add(weld_part *p, const float *at, uint64_t hash, uint32_t *out)
{
    uint32_t *slot = hash_table_first(&p->slots, hash);
    for (; *slot != 0; slot = hash_table_next(&p->slots, slot)) {
        *out = *slot - 1;
        if (equal(&p->point[*out].x, at))
            return true;
    }
    if (p->count == p->capacity) {
        const size_t larger = (size_t)p->capacity * GROWTH;
        return make_room(p, larger < UINT32_MAX ? larger : UINT32_MAX - 1) && add(p, at, hash, out);
    }
    p->point[p->count] = (vertex_position){at[0] + 0.0f, at[1] + 0.0f, at[2] + 0.0f, 1.0f};
    *out = p->count++;
    *slot = p->count;
    return true;
}

/// The places of a few records, behind those of the record before.
typedef struct record_block {
    float at[1 + AHEAD][RECORD_MAX][3];
    uint64_t hash[AHEAD][RECORD_MAX];
    uint8_t same[AHEAD][RECORD_MAX]; ///< the equal place of the record before, or RECORD_MAX
    bool finite[1 + AHEAD];
} record_block;

/// Loads a record, and begins to load what add() will look at. Most triangles share an edge with
/// the one before.
static void load(const weld *w, const weld_part *p, uint32_t record, uint32_t i, record_block *b)
{
    const uint32_t size = w->places->record_size;
    const uint8_t *bytes = w->places->first + w->places->stride * record;
    float(*own)[3] = b->at[i + 1], (*before)[3] = b->at[i];
    memcpy(own, bytes, PLACE * (size_t)size);
    b->finite[i + 1] = true;
    for (uint32_t k = 0; k < size; k++)
        for (int c = 0; c < 3; c++)
            b->finite[i + 1] = b->finite[i + 1] && isfinite(own[k][c]);
    if (!b->finite[i + 1])
        return;
    for (uint32_t k = 0; k < size; k++) {
        uint32_t same = b->finite[i] ? 0 : size;
        while (same < size && !equal(before[same], own[k]))
            same++;
        b->same[i][k] = (uint8_t)same;
        if (same < size)
            continue;
        b->hash[i][k] = hash_floats(0, own[k], 3);
        __builtin_prefetch(hash_table_first(&p->slots, b->hash[i][k]), 1);
    }
}

/// False: no memory.
static bool add_record(const weld *w, weld_part *p, uint32_t record, uint32_t i,
                       const record_block *b)
{
    const uint32_t size = w->places->record_size;
    uint32_t *number = w->number + (size_t)size * record;
    p->lost += !b->finite[i + 1];
    for (uint32_t k = 0; k < size; k++) {
        if (!b->finite[i + 1])
            number[k] = POINT_LOST;
        else if (b->same[i][k] < size)
            number[k] = *(number + b->same[i][k] - size);
        else if (!add(p, b->at[i + 1][k], b->hash[i][k], &number[k]))
            return false;
    }
    return true;
}

static bool find_points(const weld *w, weld_part *p)
{
    record_block b;
    b.finite[0] = false;
    // Closed surfaces, which most are, have half as many points as triangles. The first part gets
    // the points of all.
    const size_t records = p == w->part ? w->places->record_count : p->end - p->first;
    if (!make_room(p, w->places->record_size == 1 ? records : records / 2 + records / 16 + 16))
        return false;
    for (uint32_t r = p->first, count; r < p->end; r += count) {
        count = p->end - r < AHEAD ? p->end - r : AHEAD;
        if (arena_cancelled(p->keep))
            return false;
        for (uint32_t i = 0; i < count; i++)
            load(w, p, r + i, i, &b);
        for (uint32_t i = 0; i < count; i++)
            if (!add_record(w, p, r + i, i, &b))
                return false;
        memcpy(b.at[0], b.at[count], sizeof b.at[0]);
        b.finite[0] = b.finite[count];
    }
    return true;
}

static void find_job(void *user, int64_t index, int32_t worker)
{
    weld *w = user;
    (void)worker;
    w->part[index].failed = !find_points(w, &w->part[index]);
}

static bool join(weld *w, weld_part *p)
{
    weld_part *all = &w->part[0];
    p->whole = ARENA_ARRAY_RAW(&p->work, uint32_t, p->count);
    for (uint32_t first = 0; first < p->count && p->whole; first += AHEAD) {
        uint64_t hash[AHEAD];
        const uint32_t count = p->count - first < AHEAD ? p->count - first : AHEAD;
        for (uint32_t i = 0; i < count; i++) {
            hash[i] = hash_floats(0, &p->point[first + i].x, 3);
            __builtin_prefetch(hash_table_first(&all->slots, hash[i]), 1);
        }
        for (uint32_t i = 0; i < count; i++)
            if (!add(all, &p->point[first + i].x, hash[i], &p->whole[first + i]))
                return false;
        if (arena_cancelled(&p->work))
            return false;
    }
    return p->whole != NULL;
}

static void renumber_job(void *user, int64_t index, int32_t worker)
{
    const weld *w = user;
    const weld_part *p = &w->part[index + 1];
    const size_t size = w->places->record_size;
    (void)worker;
    for (size_t i = size * p->first; i < size * p->end; i++)
        if (w->number[i] != POINT_LOST)
            w->number[i] = p->whole[w->number[i]];
}

static zt_result fail(const weld_part *p, zt_error *err)
{
    return arena_fail(p->keep->failed != ZT_OK ? p->keep : &p->work, err, "points");
}

static zt_result weld_all(job_pool *pool, weld *w, point_weld *out, zt_error *err)
{
    job_pool_run(w->part_count > 1 ? pool : NULL, w->part_count, find_job, w);
    *out = (point_weld){0};
    for (uint32_t i = 0; i < w->part_count; i++) {
        if (w->part[i].failed)
            return fail(&w->part[i], err);
        out->lost += w->part[i].lost;
    }
    for (uint32_t i = 1; i < w->part_count; i++)
        if (!join(w, &w->part[i]))
            return fail(w->part[0].keep->failed != ZT_OK ? &w->part[0] : &w->part[i], err);
    if (w->part_count > 1)
        job_pool_run(pool, w->part_count - 1, renumber_job, w);
    out->point = w->part[0].point;
    out->count = w->part[0].count;
    return ZT_OK;
}

zt_result point_weld_places(job_pool *pool, arena *a, const point_places *places, uint32_t *number,
                            point_weld *out, zt_error *err)
{
    weld w = {.places = places, .number = number, .part_count = 1};
    const uint64_t records = places->record_count;
    if (pool && records >= JOB_RANGE)
        w.part_count = (uint32_t)job_pool_workers(pool);
    w.part_count = w.part_count < PARTS_MAX ? w.part_count : PARTS_MAX;
    for (uint32_t i = 0; i < w.part_count; i++) {
        weld_part *p = &w.part[i];
        arena_init(&p->work, a->budget);
        p->keep = i == 0 ? a : &p->work;
        p->first = (uint32_t)(records * i / w.part_count);
        p->end = (uint32_t)(records * (i + 1) / w.part_count);
    }
    const zt_result result = weld_all(pool, &w, out, err);
    for (uint32_t i = 0; i < w.part_count; i++)
        arena_finish(&w.part[i].work);
    return result;
}
