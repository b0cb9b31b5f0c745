// SPDX-License-Identifier: MIT
// Scene, time -> draws: matrices, morph weights and materials of every visible mesh.
#include "render/frame_pose.h"

#include "pose/pose.h"

#include <string.h>

_Static_assert(sizeof(skin_matrix) == sizeof(mat4), "palettes are handed on as they are");

/// Palette of a skinned draw, or the one matrix of a rigid one. A draw is mirrored when most of its
/// matrices are: a mirror turns counter-clockwise triangles into clockwise ones.
static zt_result draw_matrices(const zt_model *model, const model_node *node, int32_t node_index,
                               const mat4 *world, arena *a, geometry_draw *out, zt_error *err)
{
    const model_mesh *mesh = &model->meshes[node->mesh];
    out->skinned = node->skin >= 0 && mesh->joints;
    const model_skin *skin = out->skinned ? &model->skins[node->skin] : NULL;
    const uint32_t count = skin ? skin->joint_count : 1;
    out->skin = skin;
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
                             const mat4 *world, const mat4 *const *posed, arena *a,
                             geometry_draw *out, zt_error *err)
{
    const size_t count = (size_t)out->mesh->morph_count + instance->target_count;
    pose_morphs morphs;
    if (count == 0)
        return ZT_OK;
    if (!pose_morphs_init(count, a, &morphs))
        return arena_fail(a, err, "morph weights");
    const pose_joints joints = {.world_from_node = world, .posed = posed};
    out->morph_count = pose_morphs_evaluate(instance, node, time, &joints, &morphs);
    out->morphs = morphs.uses;
    return ZT_OK;
}

/// The state of making the draws of one frame.
typedef struct draw_builder {
    const pose_loops *loops;
    const zt_scene *scene;
    frame_time time;
    arena *arena;
    const pose_sharing *sharing;
    uint32_t *first_posed_mesh; ///< [sharing->count] in pose->posed_meshes; NO_POSED_MESH: not yet
    frame_pose *pose;
} draw_builder;

#define NO_POSED_MESH UINT32_MAX

static uint32_t skinned_count(const zt_model *model)
{
    uint32_t count = 0;
    for (uint32_t n = 0; n < model->node_count; n++)
        count += node_is_skinned(model, &model->nodes[n]);
    return count;
}

/// A draw with posed vertices, in the space of `world`: the world's, or a posed mesh's model.
static zt_result own_draw(const draw_builder *b, const scene_instance *instance, uint32_t n,
                          const mat4 *world, geometry_draw *out, zt_error *err)
{
    const zt_model *model = instance->model;
    *out = (geometry_draw){.mesh = &model->meshes[model->nodes[n].mesh]};
    ZT_TRY(draw_matrices(model, &model->nodes[n], (int32_t)n, world, b->arena, out, err));
    if (out->skinned && scene_skin_is_dual(instance, &model->skins[model->nodes[n].skin]))
        ZT_TRY(draw_duals(b->arena, out, err));
    return draw_morphs(instance, n, b->time, world, b->pose->world_from_node, b->arena, out, err);
}

/// The posed meshes of shared pose `number`, in the space of the model.
static zt_result build_posed_meshes(const draw_builder *b, const scene_instance *instance,
                                    uint32_t number, zt_error *err)
{
    const zt_model *model = instance->model;
    mat4 *model_from_node;
    ZT_TRY(ARENA_TAKE_RAW(b->arena, &model_from_node, pad16(model->node_count),
                          "posed meshes of a frame", err));
    mat4 identity = GLM_MAT4_IDENTITY_INIT;
    pose_blocks_to_world(b->loops, model, identity, b->sharing->local[number], model_from_node);
    b->first_posed_mesh[number] = b->pose->posed_mesh_count;
    for (uint32_t n = 0; n < model->node_count; n++)
        if (node_is_skinned(model, &model->nodes[n]))
            ZT_TRY(own_draw(b, instance, n, (const mat4 *)model_from_node,
                            &b->pose->posed_meshes[b->pose->posed_mesh_count++], err));
    return ZT_OK;
}

/// A draw of a posed mesh: one matrix for positions and one for normals.
static zt_result shared_draw(const draw_builder *b, const geometry_draw *posed,
                             mat4 world_from_model, geometry_draw *out, zt_error *err)
{
    mat4 *matrices;
    ZT_TRY(ARENA_TAKE_RAW(b->arena, &matrices, 2, "palette", err));
    memcpy(matrices[0], world_from_model, sizeof(mat4));
    const bool differs = pose_normal_matrix(matrices[0], matrices[1]);
    *out = (geometry_draw){
        .mesh = posed->mesh, .skin = posed->skin, .posed_mesh = posed, .matrix_count = 1};
    out->palette = (const skin_matrix *)(const void *)matrices;
    out->normals = differs ? out->palette + 1 : out->palette;
    out->mirrored = posed->mirrored != (mat4_determinant3(matrices[0]) < 0.0f);
    return ZT_OK;
}

/// Normals in object space need axes of bind space; the posed mesh of a draw has them.
static void request_axes(const draw_builder *b, const scene_instance *instance, geometry_draw *draw)
{
    if (!frame_needs_axes(instance, draw->mesh))
        return;
    geometry_draw *posed =
        draw->posed_mesh ? &b->pose->posed_meshes[draw->posed_mesh - b->pose->posed_meshes] : draw;
    draw->needs_axes = posed->needs_axes = true;
    posed->mirrored_axes = instance->model->mirrored;
}

/// The first material of the part of the table that is a copy of an instance's, from `first` on.
static zt_result material_variant(const draw_builder *b, uint32_t i, uint32_t first, float share,
                                  bool outline, uint32_t *out, zt_error *err)
{
    frame_pose *pose = b->pose;
    const uint32_t count = b->scene->instances[i].model->material_count;
    for (uint32_t k = 1; k <= 2 && k <= pose->variant_count; k++) {
        const frame_variant *last = &pose->variants[pose->variant_count - k];
        *out = last->first_material;
        if (last->from == first && last->share == share && last->outline == outline)
            return ZT_OK;
    }
    if (count > UINT32_MAX - 1 - pose->material_count)
        return zt_fail(err, ZT_ERR_LIMIT, "%s: too many faded materials",
                       b->scene->instances[i].model->path);
    *out = pose->material_count;
    pose->variants[pose->variant_count++] = (frame_variant){*out, first, count, share, outline};
    pose->material_count += count;
    return ZT_OK;
}

/// The draws of node `n`, which shows by `showing`: its mesh, and its outline. `posed`: its mesh
/// where others share it, or NULL.
static zt_result node_draws(const draw_builder *b, uint32_t i, uint32_t n, float showing,
                            const geometry_draw *posed, zt_error *err)
{
    const scene_instance *instance = &b->scene->instances[i];
    const mat4 *world = b->pose->world_from_node[i];
    const uint32_t first = b->pose->first_material[i];
    const float share = showing / b->pose->whole_showing[i];
    geometry_draw *draw = &b->pose->draws[b->pose->draw_count++];
    if (posed)
        ZT_TRY(shared_draw(b, posed, b->sharing->world_from_model[i], draw, err));
    else
        ZT_TRY(own_draw(b, instance, n, world, draw, err));
    draw->first_material = first;
    draw->instance = i;
    draw->node = n;
    if (share < 1.0f)
        ZT_TRY(material_variant(b, i, first, share, false, &draw->first_material, err));
    request_axes(b, instance, draw);
    if (!frame_has_outline(b->scene, instance->model, draw->mesh))
        return ZT_OK;
    draw = &b->pose->draws[b->pose->draw_count++];
    ZT_TRY(own_draw(b, instance, n, world, draw, err));
    draw->instance = i;
    draw->node = n;
    ZT_TRY(frame_outline_begin(draw, b->arena, err));
    return material_variant(b, i, first, share < 1.0f ? share : 1.0f, true, &draw->first_material,
                            err);
}

static zt_result instance_draws(const draw_builder *b, uint32_t i, zt_error *err)
{
    const scene_instance *instance = &b->scene->instances[i];
    const zt_model *model = instance->model;
    const uint32_t number = b->sharing->count > 0 ? b->sharing->pose_of[i] : POSE_UNSHARED;
    if (number != POSE_UNSHARED && b->first_posed_mesh[number] == NO_POSED_MESH)
        ZT_TRY(build_posed_meshes(b, instance, number, err));
    uint32_t posed_mesh = number != POSE_UNSHARED ? b->first_posed_mesh[number] : 0;
    for (uint32_t n = 0; n < model->node_count; n++) {
        const float showing = node_showing(model, n, b->pose->showing[i]);
        const bool shared = number != POSE_UNSHARED && node_is_skinned(model, &model->nodes[n]);
        const geometry_draw *posed = shared ? &b->pose->posed_meshes[posed_mesh++] : NULL;
        if (showing > 0.0f)
            ZT_TRY(node_draws(b, i, n, showing, posed, err));
    }
    return ZT_OK;
}

/// Allocates the posed meshes of all shared poses. False when memory ran out.
static bool allocate_posed_meshes(const draw_builder *b)
{
    size_t count = 0;
    for (uint32_t i = 0; i < b->sharing->count; i++)
        b->first_posed_mesh[i] = NO_POSED_MESH;
    for (uint32_t i = 0; i < b->scene->instance_count && b->sharing->count > 0; i++) {
        const uint32_t number = b->sharing->pose_of[i];
        if (number == POSE_UNSHARED || b->first_posed_mesh[number] == 0)
            continue;
        b->first_posed_mesh[number] = 0;
        count += skinned_count(b->scene->instances[i].model);
    }
    for (uint32_t i = 0; i < b->sharing->count; i++)
        b->first_posed_mesh[i] = NO_POSED_MESH;
    b->pose->posed_meshes = ARENA_ARRAY(b->arena, geometry_draw, count);
    return b->pose->posed_meshes != NULL;
}

/// Values of the properties that clips animate.
static zt_result build_properties(const draw_builder *b, zt_error *err)
{
    ZT_TRY(ARENA_TAKE(b->arena, &b->pose->properties, b->scene->instance_count,
                      "animated properties", err));
    for (uint32_t i = 0; i < b->scene->instance_count; i++)
        ZT_TRY(pose_properties(&b->scene->instances[i], b->time, b->arena, &b->pose->properties[i],
                               err));
    return ZT_OK;
}

/// The shares of instances and their nodes that show.
static zt_result build_showing(const draw_builder *b, size_t draw_count, zt_error *err)
{
    const zt_scene *scene = b->scene;
    float *whole;
    ZT_TRY(ARENA_TAKE(b->arena, &b->pose->showing, scene->instance_count, "nodes that show", err));
    ZT_TRY(ARENA_TAKE_RAW(b->arena, &whole, scene->instance_count, "nodes that show", err));
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        whole[i] = scene_showing_evaluate(&scene->instances[i].showing, b->time.shot_s);
        ZT_TRY(pose_showing(&scene->instances[i], b->time, b->arena, &b->pose->showing[i], err));
    }
    b->pose->whole_showing = whole;
    return ARENA_TAKE_RAW(b->arena, &b->pose->variants, draw_count, "nodes that show", err);
}

/// Draws of an instance at most: meshes of its nodes, and outlines.
static size_t instance_draw_count(const zt_scene *scene, const zt_model *model)
{
    size_t count = 0;
    for (uint32_t n = 0; n < model->node_count; n++)
        if (node_has_draw(&model->nodes[n]))
            count += frame_has_outline(scene, model, &model->meshes[model->nodes[n].mesh]) ? 2 : 1;
    return count;
}

zt_result frame_pose_build(const pose_loops *loops, const zt_scene *scene, frame_time time,
                           arena *a, frame_pose *out, zt_error *err)
{
    *out = (frame_pose){.loops = loops};
    size_t draw_count = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        draw_count += instance_draw_count(scene, scene->instances[i].model);
    out->draws = ARENA_ARRAY(a, geometry_draw, draw_count + 1); // one more for the ground
    if (!out->draws)
        return arena_fail(a, err, "draws of a frame");
    pose_sharing sharing;
    ZT_TRY(pose_sharing_build(scene, time, a, &sharing, err));
    ZT_TRY(pose_scene(loops, scene, time, a, &sharing, &out->world_from_node, err));
    const draw_builder builder = {.loops = loops,
                                  .scene = scene,
                                  .time = time,
                                  .arena = a,
                                  .sharing = &sharing,
                                  .first_posed_mesh = ARENA_ARRAY_RAW(a, uint32_t, sharing.count),
                                  .pose = out};
    if (!builder.first_posed_mesh || !allocate_posed_meshes(&builder))
        return arena_fail(a, err, "posed meshes of a frame");
    ZT_TRY(build_properties(&builder, err));
    ZT_TRY(build_showing(&builder, draw_count, err));
    if (!frame_materials_count(scene, &sharing, a, out))
        return arena_fail(a, err, "materials of a frame");
    for (uint32_t i = 0; i < scene->instance_count; i++)
        ZT_TRY(instance_draws(&builder, i, err));
    return ZT_OK;
}
