// SPDX-License-Identifier: MIT
/// `morph_targets` and `morphs`: targets from separate files, and weights of targets by name.
#include "scene/scene_names.h"
#include "scene/scene_read.h"

#include <string.h>

static bool has_target(const scene_instance *instance, const char *name)
{
    for (uint32_t i = 0; i < instance->model->mesh_count; i++)
        for (uint32_t k = 0; k < instance->model->meshes[i].morph_count; k++)
            if (strcmp(instance->model->meshes[i].morphs[k].name, name) == 0)
                return true;
    return false;
}

static zt_result read_target(scene_reader *r, const document_node *member,
                             const model_file_keys *keys, const zt_model *base,
                             scene_morph_target *out)
{
    arena *keep = &r->scene->arena;
    const model_file_keys mesh_keys = {
        .handedness = keys->handedness, .tangents = keys->tangents, .no_textures = true};
    const zt_model *model;
    ZT_TRY(scene_read_model_file(r, member, &mesh_keys, &model));
    morph_target *meshes = ARENA_ARRAY(keep, morph_target, base->mesh_count);
    out->name = arena_text(keep, member->key, strlen(member->key));
    if (!meshes || !out->name)
        return arena_fail(keep, r->err, "morph targets");
    out->meshes = meshes;
    zt_error problem = {0};
    const zt_result result = morph_between(base, model, keep, r->scratch, meshes, &problem);
    if (result == ZT_OK)
        return ZT_OK;
    if (result != ZT_ERR_FORMAT)
        return zt_fail(r->err, result, "%s", problem.message);
    return value_fail(r, member, false, "'%.80s' is not a morph target of '%.80s': %s",
                      member->text, path_name(base->path), problem.message);
}

zt_result scene_read_morph_targets(scene_reader *r, const document_node *value,
                                   const model_file_keys *keys, scene_instance *out)
{
    if (value->kind != DOCUMENT_MAP)
        return value_wrong(r, value, "a map of names and model files");
    scene_morph_target *targets;
    ZT_TRY(ARENA_TAKE(&r->scene->arena, &targets, value->count, "morph targets", r->err));
    uint32_t count = 0;
    for (const document_node *member = value->first; member; member = member->next) {
        if (has_target(out, member->key))
            return value_fail(r, member, true, "%.80s already has a morph target '%.80s'",
                              path_name(out->model->path), member->key);
        ZT_TRY(read_target(r, member, keys, out->model, &targets[count++]));
    }
    out->targets = targets;
    out->target_count = count;
    return ZT_OK;
}

/// Appends a weight for each target of that name; returns their number.
static uint32_t add_weights(const scene_instance *instance, const char *name, const track *weight,
                            scene_morph_weight *out)
{
    const zt_model *model = instance->model;
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->mesh_count; i++)
        for (uint32_t k = 0; k < model->meshes[i].morph_count; k++)
            if (strcmp(model->meshes[i].morphs[k].name, name) == 0)
                out[count++] = (scene_morph_weight){(int32_t)i, k, *weight};
    for (uint32_t k = 0; k < instance->target_count; k++)
        if (strcmp(instance->targets[k].name, name) == 0)
            out[count++] = (scene_morph_weight){-1, k, *weight};
    return count;
}

static uint32_t target_total(const scene_instance *instance)
{
    uint32_t total = instance->target_count;
    for (uint32_t i = 0; i < instance->model->mesh_count; i++)
        total += instance->model->meshes[i].morph_count;
    return total;
}

/// The text of `member`, or with `at_key` its key, is not the name of a target.
static zt_result fail_unknown(scene_reader *r, const document_node *member, bool at_key,
                              const scene_instance *instance)
{
    const zt_model *model = instance->model;
    const uint32_t total = target_total(instance);
    uint32_t count = 0;
    const char **names = ARENA_ARRAY(r->scratch, const char *, total);
    if (!names)
        return arena_fail(r->scratch, r->err, "scene");
    for (uint32_t i = 0; i < model->mesh_count; i++)
        for (uint32_t k = 0; k < model->meshes[i].morph_count; k++)
            names[count++] = model->meshes[i].morphs[k].name;
    for (uint32_t k = 0; k < instance->target_count; k++)
        names[count++] = instance->targets[k].name;
    return scene_fail_name(r, member, at_key, "morph target", path_name(model->path), names, count);
}

zt_result scene_read_morph_target(scene_reader *r, const document_node *value, int32_t *out_node,
                                  uint32_t *out_target)
{
    const scene_instance *instance = r->instance;
    const zt_model *model = instance->model;
    ZT_TRY(value_check_text(r, value, "the name of a morph target"));
    for (uint32_t n = 0; n < model->node_count; n++) {
        if (model->nodes[n].mesh < 0)
            continue;
        const model_mesh *mesh = &model->meshes[model->nodes[n].mesh];
        const uint32_t total = mesh->morph_count + instance->target_count;
        for (uint32_t k = 0; k < total; k++) {
            const char *name = k < mesh->morph_count
                                   ? mesh->morphs[k].name
                                   : instance->targets[k - mesh->morph_count].name;
            if (strcmp(name, value->text) != 0)
                continue;
            *out_node = (int32_t)n;
            *out_target = k;
            return ZT_OK;
        }
    }
    return fail_unknown(r, value, false, instance);
}

zt_result scene_read_morphs(scene_reader *r, const document_node *value, void *target)
{
    const double max = (double)MORPH_WEIGHT_MAX;
    scene_instance *out = target;
    if (value->kind != DOCUMENT_MAP)
        return value_wrong(r, value, "a map of morph targets and weights");
    // The weights of the model come first: those of an instance override them.
    const uint32_t total = target_total(out), before = out->morph_count;
    scene_morph_weight *morphs;
    ZT_TRY(ARENA_TAKE(&r->scene->arena, &morphs, (size_t)before + total, "morph weights", r->err));
    if (before > 0)
        memcpy(morphs, out->morphs, before * sizeof *morphs);
    uint32_t count = before;
    for (const document_node *member = value->first; member; member = member->next) {
        track weight;
        ZT_TRY(value_track(r, member, TRACK_NUMBER, -max, max, &weight));
        const uint32_t added = add_weights(out, member->key, &weight, morphs + count);
        if (added == 0)
            return fail_unknown(r, member, true, out);
        count += added;
    }
    out->morphs = morphs;
    out->morph_count = count;
    return ZT_OK;
}
