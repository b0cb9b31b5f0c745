// SPDX-License-Identifier: MIT
#include "suite/suite_plan.h"

#include "base/hash.h"
#include "suite/suite_shot.h"

enum {
    RUN_SHOTS = 32, ///< of one file that a worker takes at a time, at most
    PARTS = 8,      ///< of a worker's share: shots of one scene are not parted below that
};

/// The shots that are selected, linked by their scenes.
typedef struct scene_links {
    const suite *s;
    const uint32_t *selected;
    uint32_t count;
    uint32_t *first; ///< the first shot of each scene
    uint32_t *last;
    uint32_t *next; ///< the next shot of a shot's scene; `count`: there is none
} scene_links;

static const suite_shot *shot_at(const scene_links *links, uint32_t index)
{
    return &links->s->shots[links->selected[index]];
}

/// Returns the number of scenes.
static uint32_t link_scenes(const scene_links *links, const hash_table *table)
{
    uint32_t scenes = 0;
    for (uint32_t i = 0; i < links->count; i++) {
        const suite_shot *shot = shot_at(links, i);
        uint32_t *slot = hash_table_first(table, suite_shot_scene_hash(shot));
        while (*slot != 0 && !suite_shot_same_scene(shot_at(links, links->first[*slot - 1]), shot))
            slot = hash_table_next(table, slot);
        links->next[i] = links->count;
        if (*slot == 0) {
            links->first[scenes] = i;
            *slot = ++scenes;
        } else {
            links->next[links->last[*slot - 1]] = i;
        }
        links->last[*slot - 1] = i;
    }
    return scenes;
}

zt_result suite_plan_make(const suite *s, const uint32_t *selected, uint32_t count,
                          uint32_t workers, arena *a, suite_plan *out, zt_error *err)
{
    hash_table table;
    const scene_links links = {.s = s,
                               .selected = selected,
                               .count = count,
                               .first = ARENA_ARRAY(a, uint32_t, count),
                               .last = ARENA_ARRAY(a, uint32_t, count),
                               .next = ARENA_ARRAY(a, uint32_t, count)};
    *out = (suite_plan){.order = ARENA_ARRAY(a, uint32_t, count),
                        .ranges = ARENA_ARRAY(a, suite_range, count)};
    if (!links.first || !links.last || !links.next || !out->order || !out->ranges ||
        !hash_table_init(&table, a, count))
        return arena_fail(a, err, "results of a suite");
    const uint32_t scenes = link_scenes(&links, &table);
    for (uint32_t scene = 0, end = 0; scene < scenes; scene++) {
        uint32_t begin = end;
        for (uint32_t i = links.first[scene]; i < count; i = links.next[i])
            out->order[end++] = i;
        uint32_t largest = (end - begin + workers - 1) / workers;
        largest = largest > count / (PARTS * workers) ? largest : count / (PARTS * workers);
        largest = largest < RUN_SHOTS ? largest : RUN_SHOTS;
        for (; begin < end; begin += out->ranges[out->range_count - 1].count)
            out->ranges[out->range_count++] =
                (suite_range){begin, end - begin < largest ? end - begin : largest};
    }
    return ZT_OK;
}
