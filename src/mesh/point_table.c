// SPDX-License-Identifier: MIT
/// See point_table.h.
#include "mesh/point_table.h"

#include <string.h>

enum { LEAST = 64, GROWTH = 4 };

bool point_table_init(point_table *t, arena *a, size_t expected)
{
    const size_t capacity = expected < LEAST        ? LEAST
                            : expected < UINT32_MAX ? expected
                                                    : UINT32_MAX;
    *t = (point_table){.a = a, .capacity = (uint32_t)capacity};
    t->point = ARENA_ARRAY_RAW(a, vertex_position, capacity);
    // A quarter full: a slot of another point costs a look at that point, which is far away.
    return t->point && hash_table_init(&t->slots, a, 2 * capacity);
}

uint64_t point_hash(const float p[3])
{
    uint64_t h = 0;
    for (int k = 0; k < 3; k++) {
        const float value = p[k] + 0.0f; // -0 becomes 0
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        h = hash_number(h, bits);
    }
    return h;
}

static bool grow(point_table *t)
{
    point_table larger;
    if (t->capacity >= UINT32_MAX / GROWTH ||
        !point_table_init(&larger, t->a, (size_t)t->capacity * GROWTH))
        return false;
    for (uint32_t i = 0; i < t->count; i++) {
        const vertex_position *p = &t->point[i];
        uint32_t *slot =
            hash_table_first(&larger.slots, point_hash((const float[]){p->x, p->y, p->z}));
        while (*slot != 0)
            slot = hash_table_next(&larger.slots, slot);
        *slot = i + 1;
    }
    memcpy(larger.point, t->point, t->count * sizeof *t->point);
    larger.count = t->count;
    *t = larger;
    return true;
}

bool point_table_add(point_table *t, const float p[3], uint64_t hash, uint32_t *out)
{
    uint32_t *slot = hash_table_first(&t->slots, hash);
    for (; *slot != 0; slot = hash_table_next(&t->slots, slot)) {
        const vertex_position *q = &t->point[*slot - 1];
        *out = *slot - 1;
        if (q->x == p[0] && q->y == p[1] && q->z == p[2])
            return true;
    }
    if (t->count == t->capacity)
        return grow(t) && point_table_add(t, p, hash, out);
    t->point[t->count] = (vertex_position){p[0] + 0.0f, p[1] + 0.0f, p[2] + 0.0f, 1.0f};
    *out = t->count++;
    *slot = t->count;
    return true;
}
