// SPDX-License-Identifier: MIT
/// Features that a scene shows and a glTF file does not hold: a line each, where it is named.
#include "bake/bake.h"
#include "scene/scene_ik.h"

/// Morph targets of expressions are written, but nothing else of them.
static zt_result report_expressions(convert_job *job, const bake_instance *instance)
{
    const scene_instance *scene = instance->scene;
    bool colors = false, looks = false;
    for (uint32_t i = 0; i < scene->expression_count; i++)
        colors |= scene->model->expressions[scene->expressions[i].expression].change_count > 0;
    for (uint32_t i = 0; i < scene->ik_count; i++)
        looks |= scene->ik[i].kind == SCENE_IK_GAZE && scene->model->gaze->by_expressions;
    if (colors)
        ZT_TRY(convert_report_loss(job, "%s: the materials of expressions are not written",
                                   instance->name));
    if (looks)
        ZT_TRY(convert_report_loss(job, "%s: eyes that look by expressions are written as at rest",
                                   instance->name));
    return ZT_OK;
}

static zt_result report_instance(bake_job *bake, const bake_instance *instance)
{
    convert_job *job = bake->assembly.builder.job;
    const scene_instance *scene = instance->scene;
    bool keyed = false, dual = false;
    for (uint32_t i = 0; i < scene->model->skin_count; i++)
        dual = dual || scene_skin_is_dual(scene, &scene->model->skins[i]);
    if (dual)
        ZT_TRY(convert_report_loss(
            job, "%s: glTF blends joints linearly: dual quaternions are lost", instance->name));
    if (scene->material_count > 0)
        ZT_TRY(convert_report_loss(job, "%s: the materials of the scene are not written",
                                   instance->name));
    if (scene->showing.visible.key_count + scene->showing.opacity.key_count +
            scene->node_showing_count >
        0)
        ZT_TRY(convert_report_loss(job, "%s: `visible` and `opacity` are not written",
                                   instance->name));
    ZT_TRY(report_expressions(job, instance));
    if (scene->target_count > 0)
        ZT_TRY(convert_report_loss(job, "%s: morph targets from other files are not written",
                                   instance->name));
    bool driven = false;
    for (uint32_t i = 0; i < scene->morph_count; i++)
        driven |= scene->morphs[i].driver.kind == SCENE_DRIVER_JOINT;
    if (driven)
        ZT_TRY(convert_report_loss(
            job, "%s: morph targets that joints drive are written as at rest", instance->name));
    for (uint32_t i = 0; i < scene->layer_count; i++)
        keyed |= scene->layers[i].clip >= 0 &&
                 scene->model->clips[scene->layers[i].clip].property_channel_count > 0;
    if (keyed)
        ZT_TRY(convert_report_loss(job, "%s: what its clips move besides bones is not written",
                                   instance->name));
    return ZT_OK;
}

zt_result bake_report_losses(bake_job *bake)
{
    convert_job *job = bake->assembly.builder.job;
    const zt_scene *scene = bake->scene;
    const scene_lighting_keys *keys = &scene->lighting_keys;
    bool soft = false;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        ZT_TRY(report_instance(bake, &bake->instances[i]));
    for (uint32_t i = 0; i < scene->own_light_count; i++)
        soft |= scene->own_lights[i].size > 0.0;
    if (keys->preset >= 0 || keys->has_ambient || keys->has_image || keys->light >= 0 ||
        scene->background_environment)
        ZT_TRY(convert_report_loss(job, "presets and environments of light are not written"));
    if (soft)
        ZT_TRY(convert_report_loss(job, "the size of lights is not written"));
    if (keys->ground > 0)
        ZT_TRY(convert_report_loss(job, "the ground is not written"));
    if (keys->tone_map > 0 || scene->exposure_ev != 0.0)
        ZT_TRY(convert_report_loss(job, "exposure and tone mapping are not written"));
    if (scene->look != SCENE_LOOK_LIT)
        ZT_TRY(convert_report_loss(job, "the look is not written"));
    return ZT_OK;
}
