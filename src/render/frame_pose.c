// SPDX-License-Identifier: MIT
// Scene + time -> draws, lights, film; here and in frame_materials.c pose/, shade/ and scene/ meet.
#include "render/frame_pose.h"

#include "base/maths.h"
#include "pose/pose.h"
#include "shade/light.h"

#include <string.h>

_Static_assert(sizeof(skin_matrix) == sizeof(mat4), "palettes are handed on as they are");

static bool node_is_drawn(const model_node *node)
{
    return node->mesh >= 0 && node->visible;
}

/// Palette of a skinned draw, or the one matrix of a rigid one. A draw is mirrored when most of its
/// matrices are: a mirror turns counter-clockwise triangles into clockwise ones.
static zt_result draw_matrices(const zt_model *model, const model_node *node, int32_t node_index,
                               const mat4 *world, arena *a, geometry_draw *out, zt_error *err)
{
    const model_mesh *mesh = &model->meshes[node->mesh];
    out->skinned = node->skin >= 0 && mesh->joints;
    const model_skin *skin = out->skinned ? &model->skins[node->skin] : NULL;
    const uint32_t count = skin ? skin->joint_count : 1;
    mat4 *palette = ARENA_ARRAY_RAW(a, mat4, count);
    mat4 *normals = ARENA_ARRAY_RAW(a, mat4, count);
    if (!palette || !normals)
        return arena_fail(a, err, "palette");
    bool differs;
    if (skin) {
        differs = pose_palette(skin, world, palette, normals);
    } else {
        memcpy(palette[0], world[node_index], sizeof(mat4));
        differs = pose_normal_matrix(palette[0], normals[0]);
    }
    uint32_t mirrors = 0;
    for (uint32_t j = 0; j < count; j++)
        mirrors += mat4_determinant3(palette[j]) < 0.0f;
    out->mirrored = mirrors * 2 > count;
    out->matrix_count = count;
    out->palette = (const skin_matrix *)(const void *)palette;
    out->normals = differs ? (const skin_matrix *)(const void *)normals : out->palette;
    return ZT_OK;
}

/// The palette of a skinned draw as dual quaternions.
static zt_result draw_duals(arena *a, geometry_draw *out, zt_error *err)
{
    const uint32_t count = out->matrix_count;
    skin_dual *duals = ARENA_ARRAY_RAW(a, skin_dual, count);
    mat4 *stretch = ARENA_ARRAY_RAW(a, mat4, count);
    mat4 *normals = ARENA_ARRAY_RAW(a, mat4, count);
    if (!duals || !stretch || !normals)
        return arena_fail(a, err, "palette");
    const bool stretches = pose_dual_palette(out->palette, count, duals, stretch, normals);
    out->duals = duals;
    out->stretch = stretches ? (const skin_matrix *)(const void *)stretch : NULL;
    out->stretch_normals = stretches ? (const skin_matrix *)(const void *)normals : NULL;
    return ZT_OK;
}

/// The morph targets of a draw that have weight.
static zt_result draw_morphs(const scene_instance *instance, uint32_t node, frame_time time,
                             arena *a, geometry_draw *out, zt_error *err)
{
    const size_t count = (size_t)out->mesh->morph_count + instance->target_count;
    pose_morphs morphs;
    if (count == 0)
        return ZT_OK;
    if (!pose_morphs_init(count, a, &morphs))
        return arena_fail(a, err, "morph weights");
    out->morph_count = pose_morphs_evaluate(instance, node, time, &morphs);
    out->morphs = morphs.uses;
    return ZT_OK;
}

/// What all draws of one frame share while they are made.
typedef struct draw_pass {
    const pose_loops *loops;
    const zt_scene *scene;
    frame_time time;
    arena *arena;
    const pose_sharing *sharing;
    uint32_t *first_posed_mesh; ///< [sharing->count] of a pose, or NO_SHAPE
    frame_pose *pose;
} draw_pass;

#define NO_SHAPE UINT32_MAX

static bool node_is_skinned(const zt_model *model, const model_node *node)
{
    return node_is_drawn(node) && node->skin >= 0 && model->meshes[node->mesh].joints;
}

static uint32_t skinned_count(const zt_model *model)
{
    uint32_t count = 0;
    for (uint32_t n = 0; n < model->node_count; n++)
        count += node_is_skinned(model, &model->nodes[n]);
    return count;
}

/// A draw of its own, or a shape: posed vertices in the space of `world`.
static zt_result posed_draw(const draw_pass *p, const scene_instance *instance, uint32_t n,
                            const mat4 *world, geometry_draw *out, zt_error *err)
{
    const zt_model *model = instance->model;
    *out = (geometry_draw){.mesh = &model->meshes[model->nodes[n].mesh]};
    ZT_TRY(draw_matrices(model, &model->nodes[n], (int32_t)n, world, p->arena, out, err));
    if (out->skinned && instance->skinning == SCENE_SKIN_DUAL)
        ZT_TRY(draw_duals(p->arena, out, err));
    return draw_morphs(instance, n, p->time, p->arena, out, err);
}

/// The skinned meshes of a pose that several instances show, in the space of the model.
static zt_result pose_shapes(const draw_pass *p, const scene_instance *instance, uint32_t number,
                             zt_error *err)
{
    const zt_model *model = instance->model;
    mat4 *model_from_node = ARENA_ARRAY_RAW(p->arena, mat4, pad16(model->node_count));
    if (!model_from_node)
        return arena_fail(p->arena, err, "shapes of a frame");
    mat4 identity = GLM_MAT4_IDENTITY_INIT;
    pose_blocks_to_world(p->loops, model, identity, p->sharing->local[number], model_from_node);
    p->first_posed_mesh[number] = p->pose->posed_mesh_count;
    for (uint32_t n = 0; n < model->node_count; n++)
        if (node_is_skinned(model, &model->nodes[n]))
            ZT_TRY(posed_draw(p, instance, n, (const mat4 *)model_from_node,
                              &p->pose->posed_meshes[p->pose->posed_mesh_count++], err));
    return ZT_OK;
}

/// A shape where an instance stands: one matrix for positions and one for normals.
static zt_result placed_draw(const draw_pass *p, const geometry_draw *shape, mat4 world_from_model,
                             geometry_draw *out, zt_error *err)
{
    mat4 *matrices = ARENA_ARRAY_RAW(p->arena, mat4, 2);
    if (!matrices)
        return arena_fail(p->arena, err, "palette");
    memcpy(matrices[0], world_from_model, sizeof(mat4));
    const bool differs = pose_normal_matrix(matrices[0], matrices[1]);
    *out = (geometry_draw){.mesh = shape->mesh, .posed_mesh = shape, .matrix_count = 1};
    out->palette = (const skin_matrix *)(const void *)matrices;
    out->normals = differs ? out->palette + 1 : out->palette;
    out->mirrored = shape->mirrored != (mat4_determinant3(matrices[0]) < 0.0f);
    return ZT_OK;
}

/// Normals in object space need axes, those of a shape where the draw shows one.
static void request_axes(const draw_pass *p, const scene_instance *instance, geometry_draw *draw)
{
    if (!frame_needs_axes(instance, draw->mesh))
        return;
    geometry_draw *posed =
        draw->posed_mesh ? &p->pose->posed_meshes[draw->posed_mesh - p->pose->posed_meshes] : draw;
    draw->needs_axes = posed->needs_axes = true;
    posed->mirrored_axes = instance->model->mirrored;
}

static zt_result instance_draws(const draw_pass *p, uint32_t i, uint32_t first_material,
                                zt_error *err)
{
    const scene_instance *instance = &p->scene->instances[i];
    const zt_model *model = instance->model;
    const uint32_t number = p->sharing->count > 0 ? p->sharing->pose_of[i] : POSE_UNSHARED;
    if (number != POSE_UNSHARED && p->first_posed_mesh[number] == NO_SHAPE)
        ZT_TRY(pose_shapes(p, instance, number, err));
    uint32_t shape = number != POSE_UNSHARED ? p->first_posed_mesh[number] : 0;
    for (uint32_t n = 0; n < model->node_count; n++) {
        if (!node_is_drawn(&model->nodes[n]))
            continue;
        geometry_draw *draw = &p->pose->draws[p->pose->draw_count++];
        if (number != POSE_UNSHARED && node_is_skinned(model, &model->nodes[n]))
            ZT_TRY(placed_draw(p, &p->pose->posed_meshes[shape++], p->sharing->world_from_model[i],
                               draw, err));
        else
            ZT_TRY(posed_draw(p, instance, n, p->pose->world_from_node[i], draw, err));
        draw->first_material = first_material;
        request_axes(p, instance, draw);
    }
    return ZT_OK;
}

/// Room for the shapes of all poses that are shared.
static bool start_shapes(const draw_pass *p)
{
    size_t count = 0;
    for (uint32_t i = 0; i < p->sharing->count; i++)
        p->first_posed_mesh[i] = NO_SHAPE;
    for (uint32_t i = 0; i < p->scene->instance_count && p->sharing->count > 0; i++) {
        const uint32_t number = p->sharing->pose_of[i];
        if (number == POSE_UNSHARED || p->first_posed_mesh[number] == 0)
            continue;
        p->first_posed_mesh[number] = 0;
        count += skinned_count(p->scene->instances[i].model);
    }
    for (uint32_t i = 0; i < p->sharing->count; i++)
        p->first_posed_mesh[i] = NO_SHAPE;
    p->pose->posed_meshes = ARENA_ARRAY(p->arena, geometry_draw, count);
    return p->pose->posed_meshes != NULL;
}

/// Values of properties that clips move.
static zt_result find_properties(const draw_pass *p, zt_error *err)
{
    p->pose->properties =
        ARENA_ARRAY(p->arena, const model_property_value *, p->scene->instance_count);
    if (!p->pose->properties)
        return arena_fail(p->arena, err, "animated properties");
    for (uint32_t i = 0; i < p->scene->instance_count; i++)
        ZT_TRY(pose_properties(&p->scene->instances[i], p->time, p->arena, &p->pose->properties[i],
                               err));
    return ZT_OK;
}

zt_result frame_pose_build(const pose_loops *loops, const zt_scene *scene, frame_time time,
                           arena *a, frame_pose *out, zt_error *err)
{
    *out = (frame_pose){0};
    size_t draw_count = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        for (uint32_t n = 0; n < scene->instances[i].model->node_count; n++)
            draw_count += node_is_drawn(&scene->instances[i].model->nodes[n]);
    out->draws = ARENA_ARRAY(a, geometry_draw, draw_count);
    if (!out->draws)
        return arena_fail(a, err, "draws of a frame");
    pose_sharing sharing;
    ZT_TRY(pose_sharing_build(scene, time, a, &sharing, err));
    ZT_TRY(pose_scene(loops, scene, time, a, &sharing, &out->world_from_node, err));
    const draw_pass pass = {.loops = loops,
                            .scene = scene,
                            .time = time,
                            .arena = a,
                            .sharing = &sharing,
                            .first_posed_mesh = ARENA_ARRAY_RAW(a, uint32_t, sharing.count),
                            .pose = out};
    if (!pass.first_posed_mesh || !start_shapes(&pass))
        return arena_fail(a, err, "shapes of a frame");
    ZT_TRY(find_properties(&pass, err));
    if (!frame_number_materials(scene, &sharing, a, out))
        return arena_fail(a, err, "materials of a frame");
    for (uint32_t i = 0; i < scene->instance_count; i++)
        ZT_TRY(instance_draws(&pass, i, out->first_material[i], err));
    return ZT_OK;
}

/// A light of a model whose numbers its clips move.
static void moved_light(const zt_model *model, const model_property_value *values, int32_t node,
                        light_source *out)
{
    const uint32_t index = (uint32_t)model->nodes[node].light;
    model_light light = model->lights[index];
    model_properties_set(model->properties, model->property_count, values, MODEL_OWNER_LIGHT, index,
                         &light);
    for (int k = 0; k < 3; k++)
        out->color[k] = (double)light.color[k];
    out->intensity = (double)light.intensity;
    out->range_m = (double)light.range_m;
    out->outer_rad = (double)light.outer_rad;
    out->inner_rad =
        (double)(light.inner_rad < light.outer_rad ? light.inner_rad : light.outer_rad * 0.999f);
}

static void light_at(const zt_scene *scene, const frame_pose *pose, const scene_light *light,
                     double time_s, light_source *out)
{
    double intensity[4] = {0.0};
    *out = (light_source){.kind = light->kind,
                          .range_m = light->range_m,
                          .inner_rad = light->inner_deg * (3.14159265358979323846 / 180.0),
                          .outer_rad = light->outer_deg * (3.14159265358979323846 / 180.0)};
    track_evaluate(&light->color, time_s, out->color);
    track_evaluate(&light->intensity, time_s, intensity);
    out->intensity = intensity[0];
    if (light->node >= 0) {
        const vec4 *world = pose->world_from_node[light->instance][light->node];
        const model_property_value *values = pose->properties[light->instance];
        if (values)
            moved_light(scene->instances[light->instance].model, values, light->node, out);
        for (int k = 0; k < 3; k++) {
            out->position[k] = (double)world[3][k];
            out->direction[k] = -(double)world[2][k];
        }
        return;
    }
    if (light->kind != MODEL_LIGHT_DIRECTIONAL)
        track_evaluate(&light->position, time_s, out->position);
    if (light->kind != MODEL_LIGHT_POINT)
        track_evaluate(&light->direction, time_s, out->direction);
}

zt_result frame_lights(const zt_scene *scene, const frame_pose *pose, frame_time time, arena *a,
                       shade_frame *out, zt_error *err)
{
    shade_light *lights = ARENA_ARRAY(a, shade_light, scene->light_count);
    if (!lights)
        return arena_fail(a, err, "lights of a frame");
    for (uint32_t i = 0; i < scene->light_count; i++) {
        light_source source;
        light_at(scene, pose, &scene->lights[i], time.shot_s, &source);
        shade_light_build(&source, &lights[i]);
    }
    out->lights = lights;
    out->light_count = (int32_t)scene->light_count;
    memcpy(out->sky, scene->ambient.sky, sizeof out->sky);
    memcpy(out->ground, scene->ambient.ground, sizeof out->ground);
    return ZT_OK;
}

void frame_film(const zt_scene *scene, film_settings *out)
{
    *out = (film_settings){.exposure = (float)maths_exp2(scene->exposure_ev),
                           .tone_map = (int32_t)scene->tone_map,
                           .transparent = scene->transparent};
    memcpy(out->background, scene->background, sizeof out->background);
}
