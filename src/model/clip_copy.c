// SPDX-License-Identifier: MIT
#include "model/clip_copy.h"

#include "base/hash.h"

#include <string.h>

/// The first node of each name of a model.
typedef struct bone_table {
    const zt_model *model;
    hash_table slots;
} bone_table;

static uint32_t *bone_slot(const bone_table *table, const char *name)
{
    const model_node *nodes = table->model->nodes;
    return hash_table_text(&table->slots, &nodes->name, sizeof *nodes, name);
}

static bool bone_table_fill(bone_table *table, const zt_model *model, arena *a)
{
    *table = (bone_table){.model = model};
    if (!hash_table_init(&table->slots, a, model->node_count))
        return false;
    for (uint32_t i = 0; i < model->node_count; i++) {
        uint32_t *slot = bone_slot(table, model->nodes[i].name);
        if (model->nodes[i].name[0] && !*slot)
            *slot = i + 1;
    }
    return true;
}

const int32_t *clip_match_bones(const zt_model *model, const zt_model *from, arena *scratch)
{
    bone_table table;
    int32_t *node = ARENA_ARRAY_RAW(scratch, int32_t, from->node_count);
    if (!node || !bone_table_fill(&table, model, scratch))
        return NULL;
    for (uint32_t i = 0; i < from->node_count; i++)
        node[i] = (int32_t)*bone_slot(&table, from->nodes[i].name) - 1;
    return node;
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
