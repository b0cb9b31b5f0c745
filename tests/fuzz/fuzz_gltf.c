// SPDX-License-Identifier: MIT
/// Fuzz target: arbitrary bytes as a .gltf or .glb. Whatever they are, the reader ends, within its
/// memory, with a model whose indices are in range or with one line of text.

#include "fuzz_memory.h"
#include "fuzz_reader.h"
#include "gltf/gltf.h"
#include "model/model.h"

/// Morph targets: groups rise and lie in the mesh.
static void check_part(const morph_part *part, uint32_t vertex_count)
{
    for (uint32_t i = 0; i < part->group_count; i++)
        require(part->group[i] < pad16(vertex_count) / MORPH_GROUP &&
                (i == 0 || part->group[i] > part->group[i - 1]));
}

static void check_morphs(const model_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->morph_count; i++) {
        const morph_target *target = &mesh->morphs[i].target;
        check_part(&target->position, mesh->vertex_count);
        check_part(&target->attributes, mesh->vertex_count);
        check_part(&target->extra, mesh->vertex_count);
        require(mesh->morphs[i].name && (mesh->extra || target->extra.group_count == 0));
    }
}

static void check_material(const zt_model *m, const model_material *x)
{
    const model_slot *const slots[] = {&x->base_map,          &x->metal_rough_map, &x->normal_map,
                                       &x->occlusion_map,     &x->emissive_map,    &x->specular_map,
                                       &x->specular_color_map};
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
        require(slots[i]->texture < (int32_t)m->texture_count && slots[i]->uv_set < 2);
    for (int i = 0; i < MATERIAL_EXTENSION_MAP_COUNT; i++)
        require(x->extensions.map[i].texture < (int32_t)m->texture_count);
}

/// Properties lie in the struct of an owner that there is.
static void check_property(const zt_model *m, const model_property *p)
{
    const uint32_t counts[] = {[MODEL_OWNER_MATERIAL] = m->material_count,
                               [MODEL_OWNER_LIGHT] = m->light_count,
                               [MODEL_OWNER_CAMERA] = m->camera_count,
                               [MODEL_OWNER_NODE] = m->node_count,
                               [MODEL_OWNER_EXPRESSION] = m->expression_count};
    const size_t sizes[] = {[MODEL_OWNER_MATERIAL] = sizeof(model_material),
                            [MODEL_OWNER_LIGHT] = sizeof(model_light),
                            [MODEL_OWNER_CAMERA] = sizeof(model_camera),
                            [MODEL_OWNER_NODE] = sizeof(model_node),
                            [MODEL_OWNER_EXPRESSION] = sizeof(model_expression)};
    require(p->owner < MODEL_OWNER_COUNT && p->index < counts[p->owner]);
    require(p->width >= 1 && p->width <= MODEL_PROPERTY_WIDTH);
    require(p->offset + p->width * sizeof(float) <= sizes[p->owner]);
}

static void check_expression(const zt_model *m, const model_expression *e)
{
    require(e->name && e->group < EXPRESSION_GROUP_COUNT);
    for (uint32_t i = 0; i < e->morph_count; i++) {
        const expression_morph *morph = &e->morphs[i];
        require(morph->mesh >= 0 && morph->mesh < (int32_t)m->mesh_count);
        require(morph->target < m->meshes[morph->mesh].morph_count);
        require(morph->node < (int32_t)m->node_count);
    }
    for (uint32_t i = 0; i < e->change_count; i++) {
        const expression_change *change = &e->changes[i];
        require(change->material < m->material_count && change->width <= 4);
        require(change->offset + change->width * sizeof(float) <= sizeof(model_material));
    }
}

/// A person of a VRM file.
static void check_person(const zt_model *m)
{
    for (uint32_t i = 0; i < m->human_bone_count; i++)
        require(m->human_bones[i].node >= 0 && m->human_bones[i].node < (int32_t)m->node_count);
    for (uint32_t i = 0; i < m->expression_count; i++)
        check_expression(m, &m->expressions[i]);
    for (uint32_t i = 0; i < m->constraint_count; i++) {
        const model_constraint *c = &m->constraints[i];
        require(c->node >= 0 && c->node < (int32_t)m->node_count);
        require(c->source >= 0 && c->source < (int32_t)m->node_count);
        require(c->weight >= 0.0f && c->weight <= 1.0f);
    }
    const model_gaze *gaze = m->gaze;
    if (!gaze)
        return;
    require(gaze->head >= 0 && gaze->head < (int32_t)m->node_count);
    require(gaze->eyes[0] < (int32_t)m->node_count && gaze->eyes[1] < (int32_t)m->node_count);
    require(gaze->outer.input_deg > 0.0f && gaze->inner.input_deg > 0.0f);
    require(gaze->down.input_deg > 0.0f && gaze->up.input_deg > 0.0f);
}

static void check_keys(const model_channel *c)
{
    require(c->key_count > 0);
    for (uint32_t t = 1; t < c->key_count; t++)
        require(c->time_s[t] > c->time_s[t - 1]);
}

static void check_clip(const zt_model *m, const model_clip *clip)
{
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        require(clip->channels[i].node < (int32_t)m->node_count);
        check_keys(&clip->channels[i]);
    }
    for (uint32_t i = 0; i < clip->property_channel_count; i++) {
        require(clip->property_channels[i].property < m->property_count);
        check_keys(&clip->property_channels[i].keys);
    }
}

/// Touches what a renderer would follow.
static void check_model(const zt_model *m)
{
    for (uint32_t i = 0; i < m->node_count; i++) {
        const model_node *n = &m->nodes[i];
        require(n->parent < (int32_t)i && n->mesh < (int32_t)m->mesh_count);
        require(n->skin < (int32_t)m->skin_count && n->camera < (int32_t)m->camera_count);
    }
    for (uint32_t i = 0; i < m->mesh_count; i++)
        check_morphs(&m->meshes[i]);
    for (uint32_t i = 0; i < m->mesh_count; i++)
        for (uint32_t k = 0; k < m->meshes[i].meshlet_count; k++)
            require(m->meshes[i].meshlets[k].material < m->material_count);
    for (uint32_t i = 0; i < m->skin_count; i++)
        for (uint32_t k = 0; k < m->skins[i].joint_count; k++)
            require(m->skins[i].joint_node[k] < (int32_t)m->node_count);
    for (uint32_t i = 0; i < m->material_count; i++)
        check_material(m, &m->materials[i]);
    for (uint32_t i = 0; i < m->property_count; i++)
        check_property(m, &m->properties[i]);
    for (uint32_t i = 0; i < m->clip_count; i++)
        check_clip(m, &m->clips[i]);
    check_person(m);
}

static void check_result(const zt_model *model, const zt_error *err)
{
    if (model)
        check_model(model);
    else
        require(strncmp(err->message, "fuzz.gltf", 9) == 0);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    fuzz_reader(&(fuzz_reading){&gltf_format, "fuzz.gltf", false, check_result}, data, size);
}
