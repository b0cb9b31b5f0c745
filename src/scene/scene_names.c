// SPDX-License-Identifier: MIT
/// Looks up names and reports those that do not exist.
#include "scene/scene_names.h"

#include "base/number.h"

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

/// True when the names of a node and those above it, with slashes between, end in `path`.
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

/// A word that names no node may be a path or an index.
static int32_t find_unnamed_node(const zt_model *model, const char *name)
{
    for (uint32_t i = 0; strchr(name, '/') && i < model->node_count; i++)
        if (ends_path(model, (int32_t)i, name))
            return (int32_t)i;
    const int64_t index = parse_index(name);
    return index >= 0 && index < model->node_count ? (int32_t)index : -1;
}

int32_t scene_find_node(const zt_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->node_count; i++)
        if (strcmp(model->nodes[i].name, name) == 0)
            return (int32_t)i;
    return find_unnamed_node(model, name);
}

/// The only clip whose name ends so behind the name of an armature, as Blender writes FBX.
static int32_t find_clip_of_armature(const zt_model *model, const char *name)
{
    int32_t found = -2;
    const size_t length = strlen(name);
    for (uint32_t i = 0; i < model->clip_count; i++) {
        const char *bar = strchr(model->clips[i].name, '|');
        const size_t rest = bar ? strlen(bar) : 0;
        if (rest <= length || bar[rest - length - 1] != '|' ||
            strcmp(bar + rest - length, name) != 0)
            continue;
        if (found >= 0)
            return -2;
        found = (int32_t)i;
    }
    return found;
}

static int32_t find_unnamed_clip(const zt_model *model, const char *name)
{
    const int64_t index = parse_index(name);
    if (model->all_clip >= 0 && strcmp(name, "all") == 0)
        return model->all_clip;
    return index >= 0 && index < model->clip_count ? (int32_t)index
                                                   : find_clip_of_armature(model, name);
}

int32_t scene_find_clip(const zt_model *model, const char *name)
{
    if (strcmp(name, "none") == 0)
        return -1;
    for (uint32_t i = 0; i < model->clip_count; i++)
        if (strcmp(model->clips[i].name, name) == 0)
            return (int32_t)i;
    return find_unnamed_clip(model, name);
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

// ---- Indices ------------------------------------------------------------------------------------

// A path of a bone is compared with all nodes.
enum { PATH_STEP_LIMIT = 100000000 };

struct model_names {
    const zt_model *model;
    const model_clip
        *clip_list; ///< clips of the model when they were indexed: others may be lent to it
    uint32_t clip_count;
    name_index nodes, clips;
    model_names *next;
};

static zt_result index_model(document_reader *r, const zt_model *model, model_names **out)
{
    model_names *names = ARENA_ARRAY(r->scratch, model_names, 1);
    if (!names || !name_index_init(&names->nodes, r->scratch, model->node_count) ||
        !name_index_init(&names->clips, r->scratch, model->clip_count))
        return arena_fail(r->scratch, r->err, "names");
    for (uint32_t i = 0; i < model->node_count; i++)
        name_index_add(&names->nodes, model->nodes[i].name, i);
    for (uint32_t i = 0; i < model->clip_count; i++)
        name_index_add(&names->clips, model->clips[i].name, i);
    name_index_sort(&names->nodes);
    name_index_sort(&names->clips);
    names->model = model;
    names->clip_list = model->clips;
    names->clip_count = model->clip_count;
    *out = names;
    return ZT_OK;
}

/// A model that lends clips or targets is freed after that; the scene keeps its own.
static bool is_kept(const zt_scene *scene, const zt_model *model)
{
    uint32_t i = scene->model_count;
    while (i > 0 && scene->models[i - 1] != model)
        i--;
    return i > 0;
}

/// The names of a model, which become the first of the list; NULL for one that is not kept.
static zt_result names_of(document_reader *r, const zt_model *model, const model_names **out)
{
    model_names **at = &reading_of(r)->model_names;
    while (*at && (*at)->model != model)
        at = &(*at)->next;
    model_names *names = *at;
    *out = NULL;
    if (names)
        *at = names->next;
    else if (!is_kept(scene_of(r), model))
        return ZT_OK;
    if (!names || names->clip_list != model->clips || names->clip_count != model->clip_count)
        ZT_TRY(index_model(r, model, &names));
    names->next = reading_of(r)->model_names;
    reading_of(r)->model_names = names;
    *out = names;
    return ZT_OK;
}

static zt_result names_of_instances(document_reader *r, const name_index **out)
{
    const zt_scene *scene = scene_of(r);
    name_index *index = &reading_of(r)->instance_names;
    *out = index;
    if (reading_of(r)->indexed_instances == scene->instance_count)
        return ZT_OK;
    if (!name_index_init(index, r->scratch, scene->instance_count))
        return arena_fail(r->scratch, r->err, "models");
    for (uint32_t i = 0; i < scene->instance_count; i++)
        name_index_add(index, scene->instances[i].name, i);
    name_index_sort(index);
    reading_of(r)->indexed_instances = scene->instance_count;
    return ZT_OK;
}

/// scene_find_node() through the index.
static zt_result look_up_node(document_reader *r, const document_node *node, const char *name,
                              const zt_model *model, int32_t *out_node)
{
    const model_names *names;
    char location[DOCUMENT_LOCATION_SIZE];
    ZT_TRY(names_of(r, model, &names));
    *out_node = names ? name_index_find(&names->nodes, name) : scene_find_node(model, name);
    if (*out_node >= 0)
        return ZT_OK;
    reading_of(r)->path_steps += strchr(name, '/') ? model->node_count : 0;
    if (reading_of(r)->path_steps > PATH_STEP_LIMIT)
        return zt_fail(r->err, ZT_ERR_LIMIT, "%s: paths of bones are compared with over %d nodes",
                       document_location(r->path, node, false, location), PATH_STEP_LIMIT);
    *out_node = find_unnamed_node(model, name);
    return ZT_OK;
}

/// scene_find_clip() through the index.
static zt_result look_up_clip(document_reader *r, const char *name, const zt_model *model,
                              int32_t *out_clip)
{
    const model_names *names;
    ZT_TRY(names_of(r, model, &names));
    *out_clip = names ? name_index_find(&names->clips, name) : -1;
    const uint64_t steps = *out_clip < 0 ? 1 + (uint64_t)model->clip_count : 1;
    if (!names || strcmp(name, "none") == 0)
        *out_clip = scene_find_clip(model, name);
    else if (*out_clip < 0)
        *out_clip = find_unnamed_clip(model, name);
    return arena_work(r->keep, steps, "clips", r->err);
}

// ---- Messages -----------------------------------------------------------------------------------

zt_result scene_fail_name(document_reader *r, const document_node *node, bool at_key,
                          const char *kind, const char *owner, const name_list *valid)
{
    char where[100] = "", hint[600];
    if (owner)
        snprintf(where, sizeof where, " in %.80s", owner);
    name_list_hint(valid, owner ? "it has none" : "the scene has none", hint, sizeof hint);
    return value_fail(r, node, at_key, "no %s '%.80s'%s (%s)", kind, valid->word, where, hint);
}

// ---- Keys ---------------------------------------------------------------------------------------

static zt_result find_bone(document_reader *r, const document_node *node, bool at_key,
                           const zt_model *model, int32_t *out_node)
{
    ZT_TRY(look_up_node(r, node, at_key ? node->key : node->text, model, out_node));
    if (*out_node >= 0)
        return ZT_OK;
    name_list valid = {.word = at_key ? node->key : node->text};
    for (uint32_t i = 0; i < model->node_count; i++)
        name_list_add(&valid, model->nodes[i].name);
    return scene_fail_name(r, node, at_key, "bone", path_name(model->path), &valid);
}

zt_result scene_read_bone(document_reader *r, const document_node *value, const zt_model *model,
                          int32_t *out_node)
{
    ZT_TRY(value_check_text(r, value, "the name of a bone"));
    return find_bone(r, value, false, model, out_node);
}

/// True when the transform of a bone has parts that can be moved. The name is at `node`.
static zt_result check_parts(document_reader *r, const document_node *node, bool at_key,
                             const model_node *bone)
{
    if (!bone->has_matrix)
        return ZT_OK;
    return value_fail(r, node, at_key,
                      "the matrix of the bone '%.80s' shears (expected translation, rotation and "
                      "scale)",
                      at_key ? node->key : node->text);
}

zt_result scene_read_bone_key(document_reader *r, const document_node *member,
                              const zt_model *model, int32_t *out_node)
{
    ZT_TRY(find_bone(r, member, true, model, out_node));
    return check_parts(r, member, true, &model->nodes[*out_node]);
}

zt_result scene_read_solver_bone(document_reader *r, const document_node *value,
                                 const zt_model *model, int32_t *out_node)
{
    ZT_TRY(scene_read_bone(r, value, model, out_node));
    return check_parts(r, value, false, &model->nodes[*out_node]);
}

zt_result scene_read_instance(document_reader *r, const document_node *value, int32_t *out_instance)
{
    const zt_scene *scene = scene_of(r);
    ZT_TRY(value_check_text(r, value, "the name of a model"));
    const name_index *index;
    ZT_TRY(names_of_instances(r, &index));
    *out_instance = name_index_find(index, value->text);
    if (*out_instance >= 0)
        return ZT_OK;
    name_list valid = {.word = value->text};
    for (uint32_t i = 0; i < scene->instance_count; i++)
        if (scene->instances[i].name)
            name_list_add(&valid, scene->instances[i].name);
    return scene_fail_name(r, value, false, "model", NULL, &valid);
}

zt_result scene_value_bone(document_reader *r, const document_node *value, void *target)
{
    return scene_read_bone(r, value, model_of(r), target);
}

zt_result scene_value_solver_bone(document_reader *r, const document_node *value, void *target)
{
    return scene_read_solver_bone(r, value, model_of(r), target);
}

zt_result scene_value_clip(document_reader *r, const document_node *value, void *target)
{
    const zt_model *model = model_of(r);
    int32_t *out_clip = target;
    ZT_TRY(value_check_text(r, value, "the name or index of a clip, or none"));
    ZT_TRY(look_up_clip(r, value->text, model, out_clip));
    if (*out_clip >= -1)
        return ZT_OK;
    name_list valid = {.word = value->text};
    for (uint32_t i = 0; i < model->clip_count; i++)
        name_list_add(&valid, model->clips[i].name);
    return scene_fail_name(r, value, false, "clip", path_name(model->path), &valid);
}
