// SPDX-License-Identifier: MIT
/// Looks up names and reports those that do not exist.
#include "scene/scene_names.h"

#include "base/number.h"
#include "scene/nearest_name.h"

#include <stdio.h>
#include <string.h>

// ---- Lookups ------------------------------------------------------------------------------------

/// The index that `text` writes, or -1.
static int64_t parse_index(const char *text)
{
    int64_t index = 0;
    const char *end = text + strlen(text);
    return number_parse_int64(text, end, &index) == end && index >= 0 ? index : -1;
}

/// Whether the names of a node and those above it, with slashes between, end in `path`.
static bool ends_path(const zt_model *model, int32_t node, const char *path)
{
    size_t left = strlen(path);
    for (; node >= 0; node = model->nodes[node].parent) {
        const char *name = model->nodes[node].name;
        const size_t size = strlen(name);
        if (size > left || memcmp(path + left - size, name, size) != 0)
            return false;
        left -= size;
        if (left == 0)
            return true;
        if (path[--left] != '/')
            return false;
    }
    return false;
}

int32_t scene_find_node(const zt_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->node_count; i++)
        if (strcmp(model->nodes[i].name, name) == 0)
            return (int32_t)i;
    for (uint32_t i = 0; strchr(name, '/') && i < model->node_count; i++)
        if (ends_path(model, (int32_t)i, name))
            return (int32_t)i;
    const int64_t index = parse_index(name);
    return index >= 0 && index < model->node_count ? (int32_t)index : -1;
}

int32_t scene_find_clip(const zt_model *model, const char *name)
{
    if (strcmp(name, "none") == 0)
        return -1;
    for (uint32_t i = 0; i < model->clip_count; i++)
        if (strcmp(model->clips[i].name, name) == 0)
            return (int32_t)i;
    const int64_t index = parse_index(name);
    return index >= 0 && index < model->clip_count ? (int32_t)index : -2;
}

int32_t scene_find_camera(const zt_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->node_count; i++) {
        const model_node *node = &model->nodes[i];
        if (node->camera >= 0 &&
            (strcmp(node->name, name) == 0 || strcmp(model->cameras[node->camera].name, name) == 0))
            return (int32_t)i;
    }
    int64_t index = parse_index(name);
    for (uint32_t i = 0; i < model->node_count && index >= 0; i++)
        if (model->nodes[i].camera >= 0 && index-- == 0)
            return (int32_t)i;
    return -1;
}

bool scene_bone_is_below(const zt_model *model, int32_t node, int32_t ancestor)
{
    do
        node = model->nodes[node].parent;
    while (node >= 0 && node != ancestor);
    return node >= 0;
}

// ---- Messages -----------------------------------------------------------------------------------

zt_result scene_fail_name(scene_reader *r, const document_node *node, bool at_key, const char *kind,
                          const char *owner, const char *const *names, size_t count)
{
    name_list list = {.word = at_key ? node->key : node->text};
    char where[100] = "", hint[600];
    for (size_t i = 0; i < count; i++)
        name_list_add(&list, names[i]);
    if (owner)
        snprintf(where, sizeof where, " in %.80s", owner);
    name_list_hint(&list, owner ? "it has none" : "the scene has none", hint, sizeof hint);
    return value_fail(r, node, at_key, "no %s '%.80s'%s (%s)", kind, list.word, where, hint);
}

// ---- Keys ---------------------------------------------------------------------------------------

static zt_result find_bone(scene_reader *r, const document_node *node, bool at_key,
                           const zt_model *model, int32_t *out_node)
{
    *out_node = scene_find_node(model, at_key ? node->key : node->text);
    if (*out_node >= 0)
        return ZT_OK;
    const char **names = ARENA_ARRAY(r->scratch, const char *, model->node_count);
    if (!names)
        return arena_fail(r->scratch, r->err, "bones");
    for (uint32_t i = 0; i < model->node_count; i++)
        names[i] = model->nodes[i].name;
    return scene_fail_name(r, node, at_key, "bone", path_name(model->path), names,
                           model->node_count);
}

zt_result scene_read_bone(scene_reader *r, const document_node *value, const zt_model *model,
                          int32_t *out_node)
{
    ZT_TRY(value_check_text(r, value, "the name of a bone"));
    return find_bone(r, value, false, model, out_node);
}

/// Whether the transform of a bone has parts that can be moved. The name is at `node`.
static zt_result check_parts(scene_reader *r, const document_node *node, bool at_key,
                             const model_node *bone)
{
    if (!bone->has_matrix)
        return ZT_OK;
    return value_fail(r, node, at_key,
                      "the matrix of the bone '%.80s' shears (expected translation, rotation and "
                      "scale)",
                      at_key ? node->key : node->text);
}

zt_result scene_read_bone_key(scene_reader *r, const document_node *member, const zt_model *model,
                              int32_t *out_node)
{
    ZT_TRY(find_bone(r, member, true, model, out_node));
    return check_parts(r, member, true, &model->nodes[*out_node]);
}

zt_result scene_read_solver_bone(scene_reader *r, const document_node *value, const zt_model *model,
                                 int32_t *out_node)
{
    ZT_TRY(scene_read_bone(r, value, model, out_node));
    return check_parts(r, value, false, &model->nodes[*out_node]);
}

zt_result scene_read_instance(scene_reader *r, const document_node *value, int32_t *out_instance)
{
    const zt_scene *scene = r->scene;
    ZT_TRY(value_check_text(r, value, "the name of a model"));
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const char *name = scene->instances[i].name;
        if (name && strcmp(name, value->text) == 0) {
            *out_instance = (int32_t)i;
            return ZT_OK;
        }
    }
    const char **names = ARENA_ARRAY(r->scratch, const char *, scene->instance_count);
    size_t count = 0;
    if (!names)
        return arena_fail(r->scratch, r->err, "models");
    for (uint32_t i = 0; i < scene->instance_count; i++)
        if (scene->instances[i].name)
            names[count++] = scene->instances[i].name;
    return scene_fail_name(r, value, false, "model", NULL, names, count);
}

zt_result scene_read_clip(scene_reader *r, const document_node *value, const zt_model *model,
                          int32_t *out_clip)
{
    ZT_TRY(value_check_text(r, value, "the name or index of a clip, or none"));
    *out_clip = scene_find_clip(model, value->text);
    if (*out_clip >= -1)
        return ZT_OK;
    const char **names = ARENA_ARRAY(r->scratch, const char *, model->clip_count);
    if (!names)
        return arena_fail(r->scratch, r->err, "clips");
    for (uint32_t i = 0; i < model->clip_count; i++)
        names[i] = model->clips[i].name;
    return scene_fail_name(r, value, false, "clip", path_name(model->path), names,
                           model->clip_count);
}
