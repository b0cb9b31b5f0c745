// SPDX-License-Identifier: MIT
// Materials of models, and what a scene changes of them at a time: factors, maps, wrinkles.
#include "pose/pose.h"
#include "render/frame_pose.h"
#include "shade/material.h"

#include <string.h>

_Static_assert((int)SCENE_MAP_BASE == (int)SHADE_MAP_BASE &&
                   (int)SCENE_MAP_METAL_ROUGH == (int)SHADE_MAP_METAL_ROUGH &&
                   (int)SCENE_MAP_NORMAL == (int)SHADE_MAP_NORMAL &&
                   (int)SCENE_MAP_OCCLUSION == (int)SHADE_MAP_OCCLUSION &&
                   (int)SCENE_MAP_EMISSIVE == (int)SHADE_MAP_EMISSIVE,
               "the same maps in the same order");

bool frame_materials_follow_pose(const scene_instance *instance)
{
    for (uint32_t i = 0; i < instance->material_count; i++)
        for (uint32_t k = 0; k < instance->materials[i].wrinkle_count; k++)
            if (instance->materials[i].wrinkles[k].driver != SCENE_WRINKLE_KEYS)
                return true;
    return false;
}

bool frame_needs_axes(const scene_instance *instance, const model_mesh *mesh)
{
    for (uint32_t i = 0; i < instance->material_count; i++)
        for (uint32_t k = 0; k < mesh->meshlet_count && instance->materials[i].object_space; k++)
            if (mesh->meshlets[k].material == instance->materials[i].material)
                return true;
    return false;
}

/// What building the materials of a frame needs.
typedef struct material_builder {
    const zt_scene *scene;
    const scene_instance *instance;
    const model_material *materials; ///< of its model, as clips move them
    const mat4 *world_from_node;
    frame_time time;
    pose_morphs morphs;
    arena *a;
    zt_error *err;
} material_builder;

static void set_factor(const track *t, double time_s, float *out)
{
    double value[4] = {0.0};
    if (t->key_count == 0)
        return;
    track_evaluate(t, time_s, value);
    *out = (float)value[0];
}

static void set_color(const track *t, double time_s, float out[3])
{
    double value[4] = {0.0};
    if (t->key_count == 0)
        return;
    track_evaluate(t, time_s, value);
    for (int k = 0; k < 3; k++)
        out[k] = (float)value[k];
}

/// Replaced maps are sampled alone; the others go on as they are.
static zt_result set_maps(const material_builder *m, const scene_material *from,
                          shade_material *out)
{
    const model_material *base = &m->materials[from->material];
    const model_slot *slots[SCENE_MAP_COUNT] = {&base->base_map, &base->metal_rough_map,
                                                &base->normal_map, &base->occlusion_map,
                                                &base->emissive_map};
    for (int i = 0; i < SCENE_MAP_COUNT; i++) {
        if (!from->has_map[i])
            continue;
        out->fused_maps &= ~(1u << i);
        out->map[i] = (shade_map){0};
        if (from->map[i])
            ZT_TRY(shade_map_build(from->map[i], slots[i], m->a, &out->map[i], m->err));
    }
    if (from->has_map[SCENE_MAP_BASE])
        out->blended = shade_is_blended(base, from->map[SCENE_MAP_BASE]);
    if (out->fused_maps == 0)
        out->fused = NULL;
    return ZT_OK;
}

/// Object space and the wrinkles that show.
static zt_result set_detail(material_builder *m, const scene_material *from, shade_material *out)
{
    const model_slot *slot = &m->materials[from->material].normal_map;
    shade_wrinkle *wrinkles = ARENA_ARRAY(m->a, shade_wrinkle, from->wrinkle_count);
    shade_detail *detail = ARENA_ARRAY(m->a, shade_detail, 1);
    if (!wrinkles || !detail)
        return arena_fail(m->a, m->err, "wrinkles of a frame");
    uint32_t count = 0;
    for (uint32_t i = 0; i < from->wrinkle_count; i++) {
        const scene_wrinkle *w = &from->wrinkles[i];
        shade_wrinkle *to = &wrinkles[count];
        to->weight = pose_wrinkle_weight(m->instance, w, m->time, m->world_from_node, &m->morphs);
        if (!(to->weight > 0.0f))
            continue;
        ZT_TRY(shade_map_build(w->map, slot, m->a, &to->map, m->err));
        if (w->mask)
            ZT_TRY(shade_map_build(w->mask, slot, m->a, &to->mask, m->err));
        count++;
    }
    *detail = (shade_detail){
        .object_space = from->object_space, .wrinkle_count = count, .wrinkles = wrinkles};
    if (from->object_space)
        out->normal_scale = 1.0f; // a factor of x and y in the tangent frame
    out->detail = from->object_space || count > 0 ? detail : NULL;
    return ZT_OK;
}

static zt_result change_materials(material_builder *m, shade_material *out)
{
    for (uint32_t i = 0; i < m->instance->material_count; i++) {
        const scene_material *from = &m->instance->materials[i];
        shade_material *to = &out[from->material];
        set_color(&from->base_color, m->time.shot_s, to->base_color);
        set_color(&from->emissive, m->time.shot_s, to->emissive);
        set_factor(&from->metallic, m->time.shot_s, &to->metallic);
        set_factor(&from->roughness, m->time.shot_s, &to->roughness);
        to->glossy = to->glossy && from->roughness.key_count == 0;
        set_factor(&from->normal_scale, m->time.shot_s, &to->normal_scale);
        ZT_TRY(set_maps(m, from, to));
        ZT_TRY(set_detail(m, from, to));
    }
    return ZT_OK;
}

/// Copies of a model's materials with what clips move in them.
static zt_result moved_materials(const zt_model *model, const model_property_value *values,
                                 arena *a, const model_material **out, zt_error *err)
{
    model_material *materials = ARENA_ARRAY_RAW(a, model_material, model->material_count);
    bool *moved = ARENA_ARRAY(a, bool, model->material_count);
    if (!materials || !moved)
        return arena_fail(a, err, "materials of a frame");
    memcpy(materials, model->materials, model->material_count * sizeof *materials);
    for (uint32_t i = 0; i < model->property_count; i++) {
        const model_property *p = &model->properties[i];
        if (p->owner != MODEL_OWNER_MATERIAL)
            continue;
        memcpy((char *)&materials[p->index] + p->offset, values[i], p->width * sizeof(float));
        moved[p->index] = true;
    }
    for (uint32_t i = 0; i < model->material_count; i++)
        if (moved[i])
            model_material_derive(&materials[i]);
    *out = materials;
    return ZT_OK;
}

/// The materials of instance `i` as its clips leave them. Where they move none, `plain` has them by
/// the first instance of each model.
static zt_result own_materials(const material_builder *m, const frame_pose *pose, uint32_t i,
                               const shade_material **plain, shade_material *out)
{
    const zt_model *model = m->instance->model;
    const size_t size = model->material_count * sizeof *out;
    if (pose->properties[i])
        return shade_materials_build(model, m->materials, m->a, out, m->err);
    for (uint32_t k = 0; k < i && !plain[i]; k++)
        if (plain[k] && m->scene->instances[k].model == model)
            plain[i] = plain[k];
    if (!plain[i]) {
        shade_material *made = ARENA_ARRAY(m->a, shade_material, model->material_count);
        if (!made)
            return arena_fail(m->a, m->err, "materials of a frame");
        plain[i] = made;
        ZT_TRY(shade_materials_build(model, m->materials, m->a, made, m->err));
    }
    memcpy(out, plain[i], size);
    return ZT_OK;
}

zt_result frame_materials(const zt_scene *scene, const frame_pose *pose, frame_time time, arena *a,
                          const shade_material **out_materials, uint32_t *out_count, zt_error *err)
{
    material_builder builder = {.scene = scene, .time = time, .a = a, .err = err};
    shade_material *all = ARENA_ARRAY(a, shade_material, pose->material_count);
    const shade_material **plain = ARENA_ARRAY(a, const shade_material *, scene->instance_count);
    if (!all || !plain || !pose_morphs_init(pose_morph_capacity(scene), a, &builder.morphs))
        return arena_fail(a, err, "materials of a frame");
    uint32_t built = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        if (pose->first_material[i] != built)
            continue; // shares the part of an earlier instance
        const zt_model *model = scene->instances[i].model;
        builder.instance = &scene->instances[i];
        builder.materials = model->materials;
        builder.world_from_node = pose->world_from_node[i];
        if (pose->properties[i])
            ZT_TRY(moved_materials(model, pose->properties[i], a, &builder.materials, err));
        ZT_TRY(own_materials(&builder, pose, i, plain, all + built));
        ZT_TRY(change_materials(&builder, all + built));
        built += model->material_count;
    }
    *out_materials = all;
    *out_count = pose->material_count;
    return ZT_OK;
}
