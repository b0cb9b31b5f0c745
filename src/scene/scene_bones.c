// SPDX-License-Identifier: MIT
/// Bones by name: what a layer covers, and which bone carries a character's way.
#include "scene/scene_parts.h"

#include <math.h>
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

// ---- Roots --------------------------------------------------------------------------------------

// The first in the hierarchy. The channel that counts for a node is its last one, as in
// model_lay_out_motion.
static const model_channel *root_channel(const model_clip *clip, int32_t node)
{
    const model_channel *best = NULL;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const model_channel *c = &clip->channels[i];
        if (c->path == MODEL_TRANSLATION && (node < 0 || c->node == node) &&
            (!best || c->node <= best->node))
            best = c;
    }
    return best;
}

/// The upper 3x3 of model_from_node as authored.
static void authored_axes(const zt_model *model, int32_t node, double out[3][3])
{
    memset(out, 0, 9 * sizeof **out);
    for (int k = 0; k < 3; k++)
        out[k][k] = 1.0;
    for (; node >= 0; node = model->nodes[node].parent) {
        mat4 m;
        if (model->nodes[node].has_matrix)
            memcpy(m, model->nodes[node].matrix, sizeof m);
        else
            trs_to_mat4(&model->nodes[node].rest, m);
        for (int column = 0; column < 3; column++) {
            double v[3];
            memcpy(v, out[column], sizeof v);
            for (int row = 0; row < 3; row++)
                out[column][row] = ((double)m[0][row] * v[0] + (double)m[1][row] * v[1]) +
                                   (double)m[2][row] * v[2];
        }
    }
}

zt_result scene_find_root(zt_scene *scene, const zt_model *model, const model_clip *clip,
                          int32_t node, const scene_root **out, zt_error *err)
{
    const model_channel *channel = root_channel(clip, node);
    *out = NULL;
    if (!channel)
        return ZT_OK;
    scene_root *root = ARENA_ARRAY(&scene->arena, scene_root, 1);
    if (!root)
        return arena_fail(&scene->arena, err, "root motion");
    root->node = channel->node;
    root->channel = channel;
    authored_axes(model, model->nodes[channel->node].parent, root->model_from_parent);
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        root->up[k] = root->model_from_parent[k][1];
        square += root->up[k] * root->up[k];
    }
    if (!(square > 0.0))
        return ZT_OK; // a parent that is scaled flat: no way to go
    for (int k = 0; k < 3; k++)
        root->up[k] /= sqrt(square);
    *out = root;
    return ZT_OK;
}
