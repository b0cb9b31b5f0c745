// SPDX-License-Identifier: MIT
#include "scene/scene_driver.h"
#include "scene/scene_names.h"

#include <string.h>

uint32_t scene_morph_target_total(const scene_instance *instance)
{
    uint32_t total = instance->target_count;
    for (uint32_t i = 0; i < instance->model->mesh_count; i++)
        total += instance->model->meshes[i].morph_count;
    return total;
}

zt_result scene_fail_morph_target(document_reader *r, const document_node *member, bool at_key,
                                  const scene_instance *instance)
{
    const zt_model *model = instance->model;
    name_list valid = {.word = at_key ? member->key : member->text};
    for (uint32_t i = 0; i < model->mesh_count; i++)
        for (uint32_t k = 0; k < model->meshes[i].morph_count; k++)
            name_list_add(&valid, model->meshes[i].morphs[k].name);
    for (uint32_t k = 0; k < instance->target_count; k++)
        name_list_add(&valid, instance->targets[k].name);
    return scene_fail_name(r, member, at_key, "morph target", path_name(model->path), &valid);
}

zt_result scene_read_morph_target(document_reader *r, const document_node *value, int32_t *out_node,
                                  uint32_t *out_target)
{
    const scene_instance *instance = reading_of(r)->instance;
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
    return scene_fail_morph_target(r, value, false, instance);
}
