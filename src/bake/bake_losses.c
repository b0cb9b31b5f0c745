// SPDX-License-Identifier: MIT
/// Features that a scene shows and a glTF file does not hold: a line each, where it is named.
#include "bake/bake.h"

typedef struct loss {
    bool is_lost;
    const char *what;
} loss;

/// A line each; `name` of an instance, or "".
static zt_result report(convert_job *job, const char *name, const loss *losses, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (losses[i].is_lost)
            ZT_TRY(convert_report_loss(job, "%s%s%s", name, *name ? ": " : "", losses[i].what));
    return ZT_OK;
}

static zt_result report_instance(bake_job *bake, const bake_instance *instance)
{
    const scene_instance *scene = instance->scene;
    const zt_model *model = scene->model;
    const uint32_t showing_keys = scene->showing.visible.key_count +
                                  scene->showing.opacity.key_count + scene->node_showing_count;
    bool dual = false, colors = false, keyed = false;
    for (uint32_t i = 0; i < model->skin_count; i++)
        dual = dual || scene_skin_is_dual(scene, &model->skins[i]);
    // Morph targets of expressions are written, but nothing else of them.
    for (uint32_t i = 0; i < scene->expression_count; i++)
        colors |= model->expressions[scene->expressions[i].expression].change_count > 0;
    for (uint32_t i = 0; i < scene->layer_count; i++)
        keyed |= scene->layers[i].clip >= 0 &&
                 model->clips[scene->layers[i].clip].property_channel_count > 0;
    const loss losses[] = {
        {dual, "glTF blends joints linearly: dual quaternions are lost"},
        {scene->material_count > 0, "the materials of the scene are not written"},
        {showing_keys > 0, "`visible` and `opacity` are not written"},
        {colors, "the materials of expressions are not written"},
        {scene->target_count > 0, "morph targets from other files are not written"},
        {keyed, "what its clips move besides bones is not written"},
    };
    return report(bake->assembly.builder.job, instance->name, losses,
                  sizeof losses / sizeof *losses);
}

zt_result bake_report_losses(bake_job *bake)
{
    const zt_scene *scene = bake->scene;
    const scene_lighting_keys *keys = &scene->lighting_keys;
    bool soft = false;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        ZT_TRY(report_instance(bake, &bake->instances[i]));
    for (uint32_t i = 0; i < scene->own_light_count; i++)
        soft |= scene->own_lights[i].size > 0.0;
    const loss losses[] = {
        {keys->preset >= 0 || keys->has_ambient || keys->has_image || keys->light >= 0 ||
             scene->background_environment,
         "presets and environments of light are not written"},
        {soft, "the size of lights is not written"},
        {keys->ground > 0, "the ground is not written"},
        {keys->tone_map > 0 || scene->exposure_ev != 0.0,
         "exposure and tone mapping are not written"},
        {scene->look != SCENE_LOOK_LIT, "the look is not written"},
    };
    return report(bake->assembly.builder.job, "", losses, sizeof losses / sizeof *losses);
}
