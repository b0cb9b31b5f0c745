// SPDX-License-Identifier: MIT
/// `morph_targets` and `morphs`: targets from separate files, and weights of targets by name.
#include "scene/scene_driver.h"
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

static zt_result read_target(document_reader *r, const document_node *member,
                             const model_file_keys *keys, const zt_model *base,
                             scene_morph_target *out)
{
    arena *keep = r->keep;
    model_file_keys mesh_keys = *keys;
    mesh_keys.clips_from = NULL;
    mesh_keys.load.first_person = false;
    mesh_keys.load.no_textures = true;
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

zt_result scene_read_morph_targets(document_reader *r, const document_node *value,
                                   const model_file_keys *keys, scene_instance *out)
{
    if (value->kind != DOCUMENT_MAP)
        return value_wrong(r, value, "a map of names and model files");
    scene_morph_target *targets;
    ZT_TRY(ARENA_TAKE(r->keep, &targets, value->count, "morph targets", r->err));
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
static uint32_t add_weights(const scene_instance *instance, const char *name,
                            const scene_morph_weight *like, scene_morph_weight *out)
{
    const zt_model *model = instance->model;
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->mesh_count; i++)
        for (uint32_t k = 0; k < model->meshes[i].morph_count; k++)
            if (strcmp(model->meshes[i].morphs[k].name, name) == 0)
                out[count++] = (scene_morph_weight){(int32_t)i, k, like->weight, like->driver};
    for (uint32_t k = 0; k < instance->target_count; k++)
        if (strcmp(instance->targets[k].name, name) == 0)
            out[count++] = (scene_morph_weight){-1, k, like->weight, like->driver};
    return count;
}

/// A weight that a driver multiplies. The weight of another target is known in its own mesh alone.
static zt_result read_driven(document_reader *r, const document_node *value,
                             scene_morph_weight *out)
{
    static const map_key keys[] = {
        KEY_READ_INTO("driver", KEY_REQUIRED, scene_read_driver, scene_morph_weight, driver),
        KEY_TRACK("weight", KEY_OPTIONAL, scene_morph_weight, weight, TRACK_NUMBER,
                  -(double)MORPH_WEIGHT_MAX, (double)MORPH_WEIGHT_MAX),
    };
    const double one = 1.0;
    ZT_TRY(value_constant(r, 1, &one, &out->weight));
    ZT_TRY(value_map(r, value, "morph", keys, COUNT_OF(keys), out));
    if (out->driver.kind != SCENE_DRIVER_MORPH)
        return ZT_OK;
    const zt_model *model = model_of(r);
    for (uint32_t i = 0; i < model->mesh_count; i++)
        for (uint32_t k = 0; k < model->meshes[i].morph_count; k++)
            if (strcmp(model->meshes[i].morphs[k].name, value->key) == 0 &&
                model->nodes[out->driver.node].mesh != (int32_t)i)
                return value_fail(r, document_member(value, "driver"), false,
                                  "a morph target of another mesh (expected one of the mesh of "
                                  "'%.80s')",
                                  value->key);
    return ZT_OK;
}

zt_result scene_read_morphs(document_reader *r, const document_node *value, void *target)
{
    const double max = (double)MORPH_WEIGHT_MAX;
    scene_instance *out = target;
    if (value->kind != DOCUMENT_MAP)
        return value_wrong(r, value, "a map of morph targets and weights");
    // The weights of the model come first: those of an instance override them.
    const uint32_t total = scene_morph_target_total(out), before = out->morph_count;
    scene_morph_weight *morphs;
    ZT_TRY(ARENA_TAKE(r->keep, &morphs, (size_t)before + total, "morph weights", r->err));
    if (before > 0)
        memcpy(morphs, out->morphs, before * sizeof *morphs);
    uint32_t count = before;
    for (const document_node *member = value->first; member; member = member->next) {
        scene_morph_weight entry = {.mesh = -1};
        if (document_member(member, "driver"))
            ZT_TRY(read_driven(r, member, &entry));
        else
            ZT_TRY(value_track(r, member, TRACK_NUMBER, -max, max, &entry.weight));
        const uint32_t added = add_weights(out, member->key, &entry, morphs + count);
        if (added == 0)
            return scene_fail_morph_target(r, member, true, out);
        count += added;
    }
    out->morphs = morphs;
    out->morph_count = count;
    return ZT_OK;
}
