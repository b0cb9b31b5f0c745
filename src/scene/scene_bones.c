// SPDX-License-Identifier: MIT
/// Bones by name, and what of a model a layer covers.
#include "scene/scene_parts.h"

#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { MASK_ENTRY_LIMIT = 1024 };

int32_t scene_find_node(const zt_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->node_count; i++)
        if (strcmp(model->nodes[i].name, name) == 0)
            return (int32_t)i;
    return -1;
}

zt_result scene_read_node(scene_reader *r, const document_node *value, const zt_model *model,
                          int32_t *out)
{
    if ((value->kind != DOCUMENT_STRING && value->kind != DOCUMENT_NUMBER) || value->text[0] == 0)
        return value_wrong(r, value, "the name of a bone");
    *out = scene_find_node(model, value->text);
    if (*out >= 0)
        return ZT_OK;
    const char **names = ARENA_ARRAY(r->scratch, const char *, model->node_count);
    if (!names)
        return arena_fail(r->scratch, r->err, "scene");
    for (uint32_t i = 0; i < model->node_count; i++)
        names[i] = model->nodes[i].name;
    const char *nearest = scene_nearest_name(value->text, names, model->node_count);
    return value_fail(r, value, false, "no bone '%.80s' in %s%s%.80s%s", value->text,
                      path_name(model->path), nearest ? " (did you mean '" : "",
                      nearest ? nearest : "", nearest ? "'?)" : "");
}

// ---- Masks --------------------------------------------------------------------------------------

typedef struct mask_entry {
    const zt_model *model;
    int32_t bone;
    double weight;
    bool subtree;
} mask_entry;

static zt_result read_mask_bone(scene_reader *r, const document_node *value, void *target)
{
    mask_entry *entry = target;
    return scene_read_node(r, value, entry->model, &entry->bone);
}

static zt_result read_mask_weight(scene_reader *r, const document_node *value, void *target)
{
    return value_number(r, value, 0.0, 1.0, &((mask_entry *)target)->weight);
}

static zt_result read_mask_subtree(scene_reader *r, const document_node *value, void *target)
{
    if (value->kind != DOCUMENT_BOOL)
        return value_wrong(r, value, "true or false");
    ((mask_entry *)target)->subtree = value->truth;
    return ZT_OK;
}

static zt_result read_mask_entry(scene_reader *r, const document_node *value, mask_entry *entry)
{
    static const map_key keys[] = {
        {"bone",    read_mask_bone,    KEY_REQUIRED},
        {"weight",  read_mask_weight,  KEY_OPTIONAL},
        {"subtree", read_mask_subtree, KEY_OPTIONAL},
    };
    if (value->kind == DOCUMENT_MAP)
        return value_map(r, value, "bones", keys, COUNT_OF(keys), entry);
    return read_mask_bone(r, value, entry);
}

// A parent comes before its children, so one pass finds what is below a bone.
static void cover(const zt_model *model, const mask_entry *entry, bool *covered, float *mask)
{
    for (uint32_t i = 0; i < model->node_count; i++) {
        const int32_t parent = model->nodes[i].parent;
        covered[i] =
            (int32_t)i == entry->bone || (entry->subtree && parent >= 0 && covered[parent]);
        if (covered[i])
            mask[i] = (float)entry->weight;
    }
}

zt_result scene_read_mask(scene_reader *r, const document_node *value, const zt_model *model,
                          const float **out)
{
    if (value->kind != DOCUMENT_LIST || value->count == 0)
        return value_wrong(r, value, "a list of bones");
    if (value->count > MASK_ENTRY_LIMIT)
        return value_fail(r, value, false, "%u bones (expected at most %d)", value->count,
                          MASK_ENTRY_LIMIT);
    float *mask = ARENA_ARRAY(&r->scene->arena, float, pad16(model->node_count));
    bool *covered = ARENA_ARRAY(r->scratch, bool, model->node_count);
    if (!mask)
        return arena_fail(&r->scene->arena, r->err, "bones");
    if (!covered)
        return arena_fail(r->scratch, r->err, "bones");
    for (const document_node *node = value->first; node; node = node->next) {
        mask_entry entry = {.model = model, .weight = 1.0, .subtree = true};
        ZT_TRY(read_mask_entry(r, node, &entry));
        cover(model, &entry, covered, mask);
    }
    *out = mask;
    return ZT_OK;
}
