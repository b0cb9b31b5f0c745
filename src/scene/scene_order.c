// SPDX-License-Identifier: MIT
/// Depth-first order with an explicit stack: a chain may be as long as the scene.
#include "scene/scene_order.h"

typedef struct order_search {
    const uint32_t *first; ///< [count + 1], into needed
    const uint32_t *needed;
    uint32_t *next;  ///< [count] which need is looked at next
    uint8_t *state;  ///< [count]
    uint32_t *stack; ///< [count]
    uint32_t *order, placed;
} order_search;

enum { UNSEEN, OPEN, DONE };

/// Needs by instance, in the order given.
static bool sort_needs(arena *scratch, uint32_t count, const scene_need *needs, size_t need_count,
                       order_search *s)
{
    uint32_t *first = ARENA_ARRAY(scratch, uint32_t, (size_t)count + 2);
    uint32_t *needed = ARENA_ARRAY(scratch, uint32_t, need_count);
    if (!first || !needed)
        return false;
    for (size_t i = 0; i < need_count; i++)
        first[needs[i].instance + 2]++;
    for (uint32_t i = 1; i < count; i++)
        first[i + 1] += first[i];
    for (size_t i = 0; i < need_count; i++)
        needed[first[needs[i].instance + 1]++] = needs[i].needs;
    s->first = first; // after the pass above, first[i] is where the needs of i begin
    s->needed = needed;
    return true;
}

/// Places `from` after all that it needs. Returns the length of the ring at the end of the stack
/// that it met, or 0.
static uint32_t place(order_search *s, uint32_t from)
{
    uint32_t depth = 0;
    s->stack[depth++] = from;
    s->state[from] = OPEN;
    while (depth > 0) {
        const uint32_t at = s->stack[depth - 1];
        if (s->next[at] == s->first[at + 1]) {
            s->state[at] = DONE;
            s->order[s->placed++] = at;
            depth--;
            continue;
        }
        const uint32_t needed = s->needed[s->next[at]++];
        if (s->state[needed] == OPEN) {
            uint32_t begin = depth - 1;
            while (s->stack[begin] != needed)
                begin--;
            for (uint32_t i = begin; i < depth; i++)
                s->stack[i - begin] = s->stack[i];
            return depth - begin;
        }
        if (s->state[needed] == UNSEEN) {
            s->state[needed] = OPEN;
            s->stack[depth++] = needed;
        }
    }
    return 0;
}

bool scene_order_find(arena *scratch, uint32_t count, const scene_need *needs, size_t need_count,
                      uint32_t *out_order, uint32_t **out_ring, uint32_t *out_ring_count)
{
    order_search s = {.order = out_order};
    *out_ring_count = 0;
    if (!sort_needs(scratch, count, needs, need_count, &s) ||
        !(s.next = ARENA_ARRAY(scratch, uint32_t, count)) ||
        !(s.state = ARENA_ARRAY(scratch, uint8_t, count)) ||
        !(s.stack = ARENA_ARRAY(scratch, uint32_t, count)))
        return false;
    for (uint32_t i = 0; i < count; i++)
        s.next[i] = s.first[i];
    *out_ring = s.stack;
    for (uint32_t i = 0; i < count && *out_ring_count == 0; i++)
        if (s.state[i] == UNSEEN)
            *out_ring_count = place(&s, i);
    return true;
}
