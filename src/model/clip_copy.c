// SPDX-License-Identifier: MIT
#include "model/clip_copy.h"

#include "base/hash.h"
#include "model/model_node.h"

#include <string.h>

/// Nodes of a model by their names and the nodes above them, then by their names alone (ANYWHERE).
/// Those of one key are a list, in the order of the file.
typedef struct bone_table {
    const zt_model *model;
    int32_t *above; ///< [2 node_count]: of entry i, which is node i % node_count
    uint32_t *next; ///< 1 + the next entry of its list, 0: none
    bool *taken;    ///< by node
    hash_table slots;
} bone_table;

enum { ANYWHERE = -2 };

static uint32_t bone_of(const bone_table *table, uint32_t slot)
{
    return (slot - 1) % table->model->node_count;
}

static uint32_t *bone_slot(const bone_table *table, const char *name, int32_t above)
{
    const uint64_t hash = hash_number(hash_text(HASH_START, name), (uint32_t)above);
    uint32_t *slot = hash_table_first(&table->slots, hash);
    while (*slot && (table->above[*slot - 1] != above ||
                     strcmp(table->model->nodes[bone_of(table, *slot)].name, name) != 0))
        slot = hash_table_next(&table->slots, slot);
    return slot;
}

static bool bone_table_fill(bone_table *table, const zt_model *model, arena *a)
{
    const uint32_t count = model->node_count, entries = 2 * count;
    *table = (bone_table){model, ARENA_ARRAY_RAW(a, int32_t, entries),
                          ARENA_ARRAY_RAW(a, uint32_t, entries), ARENA_ARRAY(a, bool, count),
                          .slots = {NULL, 0, NULL}};
    if (!table->above || !table->next || !table->taken ||
        !hash_table_init(&table->slots, a, entries))
        return false;
    model_find_bones_above(model->nodes, count, table->above);
    for (uint32_t i = entries; i-- > 0;) {
        if (i >= count)
            table->above[i] = ANYWHERE;
        uint32_t *slot = bone_slot(table, model->nodes[i % count].name, table->above[i]);
        table->next[i] = *slot;
        *slot = i + 1;
    }
    return true;
}

/// Takes the first node of a list that is not taken. -1: none.
static int32_t take_bone(const bone_table *table, const char *name, int32_t above)
{
    const uint32_t first = *bone_slot(table, name, above);
    uint32_t i = first, last = first;
    for (; i && table->taken[bone_of(table, i)]; i = table->next[i - 1])
        last = i;
    if (last != first)
        table->next[first - 1] = i ? i : last; // each of those taken is passed once
    if (!i)
        return -1;
    table->taken[bone_of(table, i)] = true;
    return (int32_t)bone_of(table, i);
}

/// The search for the nodes of a model that those of another one move.
typedef struct bone_match {
    bone_table table;
    const model_node *from;
    int32_t *node, *above;
    int32_t *near; ///< the match of the nearest node above that has one, or -1
    bool *unsure;
} bone_match;

/// First nodes at equal paths, then others: below what the nearest node above has, or anywhere.
static void match_bone(bone_match *m, uint32_t i, bool equal)
{
    const char *name = m->from[i].name;
    const int32_t above = m->above[i];
    m->near[i] = above < 0 ? -1 : m->node[above] >= 0 ? m->node[above] : m->near[above];
    if (m->node[i] < 0 && (equal ? above < 0 || m->node[above] >= 0 : m->near[i] >= 0))
        m->node[i] = take_bone(&m->table, name, m->near[i]);
    const uint32_t first = *bone_slot(&m->table, name, ANYWHERE);
    if (equal || m->node[i] >= 0 || !first)
        return;
    m->unsure[i] = m->table.next[first - 1] != 0 && !m->from[i].helper;
    m->node[i] = take_bone(&m->table, name, ANYWHERE);
    if (m->node[i] < 0)
        m->node[i] = m->from[i].helper ? m->near[i] : (int32_t)bone_of(&m->table, first);
}

const int32_t *clip_match_bones(const zt_model *model, const zt_model *from, arena *scratch,
                                bool **out_unsure)
{
    const uint32_t count = from->node_count;
    bone_match m = {.from = from->nodes,
                    .node = ARENA_ARRAY_RAW(scratch, int32_t, count),
                    .above = ARENA_ARRAY_RAW(scratch, int32_t, count),
                    .near = ARENA_ARRAY_RAW(scratch, int32_t, count),
                    .unsure = ARENA_ARRAY(scratch, bool, count)};
    if (!m.node || !m.above || !m.near || !m.unsure || !bone_table_fill(&m.table, model, scratch))
        return NULL;
    model_find_bones_above(from->nodes, count, m.above);
    memset(m.node, 0xFF, count * sizeof *m.node);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < count; i++)
            if (*from->nodes[i].name || pass == 0)
                match_bone(&m, i, pass == 0);
    for (uint32_t i = 0; i < count; i++)
        m.node[i] = *from->nodes[i].name ? m.node[i] : -1;
    if (out_unsure)
        *out_unsure = m.unsure;
    return m.node;
}

uint32_t clip_morph_count(const zt_model *model, int32_t node)
{
    const int32_t mesh = model->nodes[node].mesh;
    return mesh < 0 ? 0 : model->meshes[mesh].morph_count;
}

bool clip_same_morphs(const zt_model *a, int32_t node_a, const zt_model *b, int32_t node_b)
{
    const uint32_t count = clip_morph_count(a, node_a);
    if (count == 0 || count != clip_morph_count(b, node_b))
        return false;
    const model_morph *x = a->meshes[a->nodes[node_a].mesh].morphs;
    const model_morph *y = b->meshes[b->nodes[node_b].mesh].morphs;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(x[i].name, y[i].name) != 0)
            return false;
    return true;
}

uint32_t clip_width(model_path path) { return path == MODEL_ROTATION ? 4 : 3; }

const float *clip_constant_value(const model_channel *c)
{
    const uint32_t width = clip_width(c->path);
    if (c->key_count == 1)
        return c->interpolation == MODEL_CUBIC ? c->value + width : c->value;
    if (c->interpolation == MODEL_CUBIC)
        return NULL;
    for (size_t k = 1; k < c->key_count; k++)
        if (memcmp(c->value, c->value + k * width, width * sizeof *c->value) != 0)
            return NULL;
    return c->value;
}

const float *clip_copy_floats(arena *keep, const float *from, size_t count)
{
    float *copy = ARENA_ARRAY_RAW(keep, float, count);
    if (copy)
        memcpy(copy, from, count * sizeof *copy);
    return copy;
}

const float *clip_copy_times(clip_times *times, arena *keep, const float *from, uint32_t count)
{
    for (uint32_t i = 0; i < 4; i++)
        if (times->from[i] == from && times->count[i] == count)
            return times->copy[i];
    const float *copy = clip_copy_floats(keep, from, count);
    const uint32_t at = times->next++ % 4;
    times->from[at] = copy ? from : NULL;
    times->copy[at] = copy;
    times->count[at] = count;
    return copy;
}
