// SPDX-License-Identifier: MIT
/// Bones by name, targets on them, and what follows for the order of posing.
#include "scene/scene_ik_parts.h"
#include "scene/scene_order.h"

#include <stdio.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/// A target on a bone of a model that may come later in the file.
struct target_wish {
    target_wish *next;
    scene_target *target;
    const document_node *model, *bone;
};

/// "A, B, C, ...", as many as fit.
static void list_names(const zt_model *model, char *out, size_t size)
{
    size_t used = 0;
    out[0] = 0;
    for (uint32_t i = 0; i < model->node_count; i++) {
        const char *name = model->nodes[i].name;
        const size_t length = strlen(name);
        if (length == 0)
            continue;
        if (used + length + 8 > size) {
            snprintf(out + used, size - used, "%s...", used ? ", " : "");
            return;
        }
        used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", name);
    }
}

static zt_result find_bone(scene_reader *r, const document_node *value, const zt_model *model,
                           int32_t *out_node)
{
    if ((value->kind != DOCUMENT_STRING && value->kind != DOCUMENT_NUMBER) || value->text[0] == 0)
        return value_wrong(r, value, "the name of a bone");
    for (uint32_t i = 0; i < model->node_count; i++) {
        if (strcmp(model->nodes[i].name, value->text) == 0) {
            *out_node = (int32_t)i;
            return ZT_OK;
        }
    }
    const char **names = ARENA_ARRAY(r->scratch, const char *, model->node_count);
    if (!names)
        return arena_fail(r->scratch, r->err, "bones");
    for (uint32_t i = 0; i < model->node_count; i++)
        names[i] = model->nodes[i].name;
    const char *nearest = scene_nearest_name(value->text, names, model->node_count);
    char list[120];
    list_names(model, list, sizeof list);
    return value_fail(r, value, false, "no bone '%.80s' in %s (%s%.120s%s)", value->text,
                      path_name(model->path), nearest ? "did you mean '" : "expected one of ",
                      nearest ? nearest : list, nearest ? "'?" : "");
}

zt_result scene_read_bone(scene_reader *r, const document_node *value, const zt_model *model,
                          int32_t *out_node)
{
    ZT_TRY(find_bone(r, value, model, out_node));
    if (model->nodes[*out_node].has_matrix)
        return value_fail(r, value, false,
                          "the bone '%.80s' has a matrix that shears (expected one with "
                          "translation, rotation and scale)",
                          value->text);
    return ZT_OK;
}

// ---- Targets ------------------------------------------------------------------------------------

typedef struct bone_target {
    const document_node *model, *bone;
    scene_target *target;
} bone_target;

static zt_result read_model(scene_reader *r, const document_node *value, void *target)
{
    if ((value->kind != DOCUMENT_STRING && value->kind != DOCUMENT_NUMBER) || value->text[0] == 0)
        return value_wrong(r, value, "the name of a model");
    ((bone_target *)target)->model = value;
    return ZT_OK;
}

static zt_result read_bone(scene_reader *r, const document_node *value, void *target)
{
    (void)r;
    ((bone_target *)target)->bone = value;
    return ZT_OK;
}

static zt_result read_offset(scene_reader *r, const document_node *value, void *target)
{
    return value_vector(r, value, -1e9, 1e9, ((bone_target *)target)->target->offset);
}

zt_result scene_read_target(scene_reader *r, const document_node *value, const ik_target *owner,
                            scene_target *out)
{
    static const map_key keys[] = {
        {"model",  read_model,  KEY_OPTIONAL},
        {"bone",   read_bone,   KEY_REQUIRED},
        {"offset", read_offset, KEY_OPTIONAL},
    };
    *out = (scene_target){.instance = SCENE_TARGET_POINT, .node = -1};
    if (value->kind == DOCUMENT_LIST)
        return value_track(r, value, TRACK_VECTOR, -1e9, 1e9, &out->point);
    if (value->kind != DOCUMENT_MAP)
        return value_wrong(r, value, "three numbers, keys of them, or a map of model and bone");
    bone_target bone = {.target = out};
    ZT_TRY(value_map(r, value, "target", keys, COUNT_OF(keys), &bone));
    if (!bone.model) {
        out->instance = SCENE_TARGET_SELF;
        return find_bone(r, bone.bone, owner->instance->model, &out->node);
    }
    return scene_wish_bone(r, bone.model, bone.bone, out);
}

zt_result scene_wish_bone(scene_reader *r, const document_node *model, const document_node *bone,
                          scene_target *out)
{
    target_wish *wish = ARENA_ARRAY(r->scratch, target_wish, 1);
    if (!wish)
        return arena_fail(r->scratch, r->err, "targets");
    *wish = (target_wish){r->wishes, out, model, bone};
    r->wishes = wish;
    return ZT_OK;
}

static zt_result find_instance(scene_reader *r, const document_node *value, int32_t *out)
{
    const zt_scene *scene = r->scene;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const char *name = scene->instances[i].name;
        if (name && strcmp(name, value->text) == 0) {
            *out = (int32_t)i;
            return ZT_OK;
        }
    }
    const char **names = ARENA_ARRAY(r->scratch, const char *, scene->instance_count);
    size_t named = 0;
    if (!names)
        return arena_fail(r->scratch, r->err, "models");
    for (uint32_t i = 0; i < scene->instance_count; i++)
        if (scene->instances[i].name)
            names[named++] = scene->instances[i].name;
    const char *nearest = scene_nearest_name(value->text, names, named);
    return value_fail(r, value, false, "no model '%.80s' (%s%.80s%s)", value->text,
                      nearest ? "did you mean '" : "expected the name of a model of the scene",
                      nearest ? nearest : "", nearest ? "'?" : "");
}

// ---- The order of posing ------------------------------------------------------------------------

/// Is it a target of one of the instance's solvers, or one of its parents?
static bool belongs_to(const scene_instance *instance, const scene_target *target)
{
    for (uint32_t i = 0; i < instance->ik_count; i++)
        if (target == &instance->ik[i].target)
            return true;
    for (uint32_t i = 0; i < instance->parent_change_count; i++)
        if (target == &instance->parent_changes[i].bone)
            return true;
    return false;
}

/// Instances that need each other: says who, at the target that closes the ring.
static zt_result fail_ring(scene_reader *r, const uint32_t *ring, uint32_t count)
{
    const zt_scene *scene = r->scene;
    char path[256] = "";
    size_t used = 0;
    for (uint32_t i = 0; i <= count && used < sizeof path - 100; i++) {
        const char *name = scene->instances[ring[i % count]].name;
        used += (size_t)snprintf(path + used, sizeof path - used, "%s'%.60s'", i > 0 ? " -> " : "",
                                 name ? name : "");
    }
    const scene_instance *instance = &scene->instances[ring[0]];
    const document_node *place = NULL;
    for (const target_wish *w = r->wishes; w && !place; w = w->next)
        if (w->target->instance == (int32_t)ring[1 % count] && belongs_to(instance, w->target))
            place = w->bone;
    ZT_ASSERT(place);
    return value_fail(r, place, false, "models wait for each other's pose: %s (expected no ring)",
                      path);
}

/// What an instance needs posed before it; returns how many. Nothing rides on itself, which is a
/// ring of one.
static size_t list_needs(const zt_scene *scene, uint32_t i, scene_need *out)
{
    const scene_instance *instance = &scene->instances[i];
    size_t count = 0;
    for (uint32_t k = 0; k < instance->ik_count; k++) {
        const int32_t other = instance->ik[k].target.instance;
        if (other >= 0 && other != (int32_t)i)
            out[count++] = (scene_need){i, (uint32_t)other};
    }
    for (uint32_t k = 0; k < instance->parent_change_count; k++)
        if (instance->parent_changes[k].bone.instance >= 0)
            out[count++] = (scene_need){i, (uint32_t)instance->parent_changes[k].bone.instance};
    return count;
}

zt_result scene_resolve_targets(scene_reader *r)
{
    zt_scene *scene = r->scene;
    if (!r->wishes)
        return ZT_OK;
    for (target_wish *w = r->wishes; w; w = w->next) {
        ZT_TRY(find_instance(r, w->model, &w->target->instance));
        const zt_model *model = scene->instances[w->target->instance].model;
        ZT_TRY(find_bone(r, w->bone, model, &w->target->node));
    }
    size_t need_count = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        need_count +=
            (size_t)scene->instances[i].ik_count + scene->instances[i].parent_change_count;
    scene_need *needs = ARENA_ARRAY(r->scratch, scene_need, need_count);
    uint32_t *order = ARENA_ARRAY(&scene->arena, uint32_t, scene->instance_count);
    if (!needs || !order)
        return arena_fail(needs ? &scene->arena : r->scratch, r->err, "order of posing");
    need_count = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        need_count += list_needs(scene, i, needs + need_count);
    uint32_t *ring = NULL, ring_count = 0;
    if (!scene_order_find(r->scratch, scene->instance_count, needs, need_count, order, &ring,
                          &ring_count))
        return arena_fail(r->scratch, r->err, "order of posing");
    if (ring_count > 0)
        return fail_ring(r, ring, ring_count);
    scene->pose_order = order;
    scene->ordered_count = scene->instance_count;
    return ZT_OK;
}
