// SPDX-License-Identifier: MIT
// The table of a frame's materials: those of its models, as clips and the scene change them.
//
// Instances that show the same materials share their part of the table: instances of one model that
// the scene changes alike, and whose clips, if they move materials, have one pose. Each instance is
// looked up once by a hash, so the time grows in proportion to the size of a crowd.
#include "base/hash.h"
#include "pose/pose.h"
#include "render/frame_pose.h"
#include "scene/scene_build.h"
#include "shade/material.h"

#include <string.h>

_Static_assert((int)SCENE_MAP_BASE == (int)SHADE_MAP_BASE &&
                   (int)SCENE_MAP_METAL_ROUGH == (int)SHADE_MAP_METAL_ROUGH &&
                   (int)SCENE_MAP_NORMAL == (int)SHADE_MAP_NORMAL &&
                   (int)SCENE_MAP_OCCLUSION == (int)SHADE_MAP_OCCLUSION &&
                   (int)SCENE_MAP_EMISSIVE == (int)SHADE_MAP_EMISSIVE,
               "the same maps in the same order");

// ---- The parts of the table ---------------------------------------------------------------------

/// True when expressions of the instance move numbers of materials.
static bool expressions_move(const scene_instance *instance)
{
    uint32_t changes = 0;
    for (uint32_t i = 0; i < instance->model->expression_count; i++)
        changes += instance->model->expressions[i].change_count;
    return changes > 0 && pose_shows_expressions(instance);
}

/// True when a wrinkle or a driver depends on the pose of the instance, which then shares no
/// materials.
static bool wrinkles_follow_pose(const scene_instance *instance)
{
    for (uint32_t i = 0; i < instance->material_count; i++)
        if (instance->materials[i].driver.kind != SCENE_DRIVER_NONE)
            return true;
    for (uint32_t i = 0; i < instance->material_count; i++)
        for (uint32_t k = 0; k < instance->materials[i].wrinkle_count; k++)
            if (instance->materials[i].wrinkles[k].driver.kind != SCENE_DRIVER_NONE)
                return true;
    return false;
}

/// Instances with the same key show the same materials.
typedef struct material_key {
    const zt_model *model;
    const scene_material *changes; ///< by the scene
    uint32_t pose; ///< the shared pose whose clips move the materials; POSE_UNSHARED: none
    float showing; ///< share of the whole instance that shows
} material_key;

/// Builds the key under which instances share materials. False: instance `i` shares with none,
/// because clips of its own pose or wrinkles move its materials.
static bool material_key_of(const zt_scene *scene, const pose_sharing *sharing,
                            const frame_pose *pose, uint32_t i, material_key *out)
{
    const scene_instance *instance = &scene->instances[i];
    memset(out, 0, sizeof *out); // the padding too, which is hashed
    out->model = instance->model;
    out->changes = instance->materials;
    out->showing = pose->whole_showing[i];
    out->pose = POSE_UNSHARED;
    if (wrinkles_follow_pose(instance) || expressions_move(instance))
        return false;
    if (!pose->properties[i])
        return true;
    out->pose = sharing->count > 0 ? sharing->pose_of[i] : POSE_UNSHARED;
    return out->pose != POSE_UNSHARED;
}

/// The first instance with the key of `i`, which may be `i` itself. `table` holds first instances.
static uint32_t first_with_key(const zt_scene *scene, const pose_sharing *sharing,
                               const frame_pose *pose, const hash_table *table, uint32_t i)
{
    material_key own, other;
    if (!material_key_of(scene, sharing, pose, i, &own))
        return i;
    uint32_t *slot = hash_table_first(table, hash_bytes(HASH_START, &own, sizeof own));
    for (; *slot; slot = hash_table_next(table, slot)) {
        (void)material_key_of(scene, sharing, pose, *slot - 1, &other);
        if (memcmp(&own, &other, sizeof own) == 0)
            return *slot - 1;
    }
    *slot = i + 1;
    return i;
}

bool frame_materials_count(const zt_scene *scene, const pose_sharing *sharing, arena *a,
                           frame_pose *pose)
{
    hash_table table;
    uint32_t *first = ARENA_ARRAY_RAW(a, uint32_t, scene->instance_count);
    if (!hash_table_init(&table, a, scene->instance_count) || !first)
        return false;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const uint32_t same = first_with_key(scene, sharing, pose, &table, i);
        const uint32_t own = scene->instances[i].model->material_count;
        first[i] = same < i ? first[same] : pose->material_count;
        if (same < i)
            continue;
        if (own > UINT32_MAX - 1 - pose->material_count) { // one more for the ground
            a->failed = ZT_ERR_LIMIT;
            return false;
        }
        pose->material_count += own;
    }
    pose->first_material = first;
    return true;
}

bool frame_needs_axes(const scene_instance *instance, const model_mesh *mesh)
{
    for (uint32_t i = 0; i < instance->material_count; i++) {
        if (!instance->materials[i].object_space)
            continue;
        for (uint32_t k = 0; k < mesh->meshlet_count; k++)
            if (mesh->meshlets[k].material == instance->materials[i].material)
                return true;
    }
    return false;
}

// ---- The materials ------------------------------------------------------------------------------

/// The instance whose materials are built, and memory for them.
typedef struct material_builder {
    const zt_scene *scene;
    const scene_instance *instance;
    const model_material *materials; ///< materials of its model, moved by clips
    pose_joints joints;
    frame_time time;
    pose_morphs morphs;
    arena *a;
    zt_error *err;
} material_builder;

/// `share`: of the way from the model's value.
static void set_values(const track *t, double time_s, double share, int count, float *out)
{
    double value[4] = {0.0};
    if (t->key_count == 0)
        return;
    track_evaluate(t, time_s, value);
    for (int k = 0; k < count; k++)
        out[k] = share < 1.0 ? (float)((double)out[k] + (value[k] - (double)out[k]) * share)
                             : (float)value[k];
}

/// Maps that the scene replaces are sampled separately; the others stay packed.
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
        out->packed_maps &= ~(1u << i);
        out->map[i] = (surface_map){0};
        if (from->map[i])
            ZT_TRY(shade_map_build(from->map[i], slots[i], m->a, &out->map[i], m->err));
    }
    if (from->has_map[SCENE_MAP_BASE])
        out->blended = shade_is_blended(base, from->map[SCENE_MAP_BASE]);
    if (out->packed_maps == 0)
        out->packed = NULL;
    return ZT_OK;
}

/// Normals in object space, and the wrinkles with a weight above 0.
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
        to->weight = pose_wrinkle_weight(m->instance, w, m->time, &m->joints, &m->morphs);
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
        out->normal_scale = 1.0f; // it scales x and y in the tangent frame only
    out->detail = from->object_space || count > 0 ? detail : NULL;
    return ZT_OK;
}

/// Shows a material by a share of its opacity. The alpha of opaque ones is 1, whatever maps have.
static void fade(shade_material *m, float share)
{
    if (share >= 1.0f)
        return;
    if (!m->blended) {
        m->even = !m->masked;
        m->base_color[3] = m->masked ? m->base_color[3] : 1.0f;
    }
    m->masked = false;
    m->blended = true;
    m->base_color[3] *= share;
}

/// Applies the changes of the scene.
static zt_result change_materials(material_builder *m, shade_material *out)
{
    for (uint32_t i = 0; i < m->instance->material_count; i++) {
        const scene_material *from = &m->instance->materials[i];
        shade_material *to = &out[from->material];
        const double s =
            pose_driven_share(m->instance, &from->driver, m->time, &m->joints, &m->morphs);
        set_values(&from->base_color, m->time.shot_s, s, 3, to->base_color);
        set_values(&from->emissive, m->time.shot_s, s, 3, to->emissive);
        set_values(&from->metallic, m->time.shot_s, s, 1, &to->metallic);
        set_values(&from->roughness, m->time.shot_s, s, 1, &to->roughness);
        to->glossy = to->glossy && from->roughness.key_count == 0;
        set_values(&from->normal_scale, m->time.shot_s, s, 1, &to->normal_scale);
        ZT_TRY(set_maps(m, from, to));
        ZT_TRY(set_detail(m, from, to));
        fade(to,
             (float)(1.0 +
                     ((double)scene_showing_evaluate(&from->showing, m->time.shot_s) - 1.0) * s));
    }
    return ZT_OK;
}

/// Copies of a model's materials with the values that clips (NULL: none do) and expressions give
/// them.
static zt_result moved_materials(const material_builder *m, const model_property_value *values,
                                 arena *a, const model_material **out, zt_error *err)
{
    const zt_model *model = m->instance->model;
    model_material *materials = ARENA_ARRAY_RAW(a, model_material, model->material_count);
    bool *moved = ARENA_ARRAY(a, bool, model->material_count);
    if (!materials || !moved)
        return arena_fail(a, err, "materials of a frame");
    memcpy(materials, model->materials, model->material_count * sizeof *materials);
    for (uint32_t i = 0; i < model->property_count && values; i++) {
        const model_property *p = &model->properties[i];
        if (p->owner != MODEL_OWNER_MATERIAL)
            continue;
        memcpy((char *)&materials[p->index] + p->offset, values[i], p->width * sizeof(float));
        moved[p->index] = true;
    }
    if (expressions_move(m->instance)) {
        pose_expression_materials(m->instance, m->time, &m->joints, materials);
        memset(moved, true, model->material_count * sizeof *moved);
    }
    for (uint32_t i = 0; i < model->material_count; i++)
        if (moved[i])
            model_material_derive(&materials[i]);
    *out = materials;
    return ZT_OK;
}

/// Materials of instance `i` before the scene's changes; unmoved ones, built once, are in plain[i].
static zt_result base_materials(const material_builder *m, uint32_t i, const shade_material **plain,
                                shade_material *out)
{
    const zt_model *model = m->instance->model;
    const size_t size = model->material_count * sizeof *out;
    if (m->materials != model->materials)
        return shade_materials_build(model, m->materials, m->a, out, m->err);
    for (uint32_t k = 0; k < i && !plain[i]; k++)
        if (plain[k] && m->scene->instances[k].model == model)
            plain[i] = plain[k];
    if (!plain[i]) {
        shade_material *built;
        ZT_TRY(ARENA_TAKE(m->a, &built, model->material_count, "materials of a frame", m->err));
        plain[i] = built;
        ZT_TRY(shade_materials_build(model, m->materials, m->a, built, m->err));
    }
    memcpy(out, plain[i], size);
    return ZT_OK;
}

zt_result frame_hidden_materials(const zt_scene *scene, uint32_t i,
                                 const mat4 *const *world_from_node, frame_time time, arena *a,
                                 hidden_materials *before, const bool **out, zt_error *err)
{
    const scene_instance *instance = &scene->instances[i];
    const material_builder m = {
        .instance = instance, .joints = {world_from_node[i], NULL, world_from_node}, .time = time};
    const model_material *materials = instance->model->materials;
    const uint32_t count = instance->model->material_count;
    const model_property_value *values;
    bool *hidden = NULL;
    ZT_TRY(pose_properties(instance, time, a, &values, err));
    if (values || expressions_move(instance))
        ZT_TRY(moved_materials(&m, values, a, &materials, err));
    if (before->materials != materials) {
        ZT_TRY(ARENA_TAKE_RAW(a, &hidden, count, "framing", err));
        for (uint32_t k = 0; k < count; k++)
            hidden[k] = model_material_is_hidden(&materials[k]);
        *before = (hidden_materials){materials, memchr(hidden, true, count) ? hidden : NULL};
    }
    *out = before->hidden;
    for (uint32_t k = 0; k < instance->material_count; k++) {
        const scene_material *from = &instance->materials[k];
        if (from->driver.kind != SCENE_DRIVER_NONE ||
            scene_showing_evaluate(&from->showing, time.shot_s) > 0.0f)
            continue;
        if (*out == before->hidden) { // others have it, too
            ZT_TRY(ARENA_TAKE(a, &hidden, count, "framing", err));
            if (*out)
                memcpy(hidden, *out, count * sizeof *hidden);
            *out = hidden;
        }
        hidden[from->material] = true;
    }
    return ZT_OK;
}

/// Makes a material matt: base colour, normals, occlusion and alpha stay.
static void make_matt(shade_material *m)
{
    const uint32_t kept = 1u << SHADE_MAP_BASE | 1u << SHADE_MAP_NORMAL | 1u << SHADE_MAP_OCCLUSION;
    for (int i = 0; i < SHADE_MAP_COUNT; i++)
        if (!(kept >> i & 1u))
            m->map[i] = (surface_map){0};
    m->packed_maps &= kept;
    if (m->packed_maps == 0)
        m->packed = NULL;
    m->metallic = m->specular = 0.0f;
    m->roughness = 1.0f;
    for (int k = 0; k < 3; k++)
        m->f0[k] = m->emissive[k] = 0.0f;
    m->glossy = false;
    m->lobes = NULL;
    m->transmission = NULL;
}

/// Changes materials into what the look of the scene shows.
static void show_look(scene_look look, shade_material *materials, uint32_t count)
{
    const bool clay = look == SCENE_LOOK_CLAY || look == SCENE_LOOK_WIREFRAME;
    if (look == SCENE_LOOK_LIT || look == SCENE_LOOK_SKELETON)
        return;
    for (uint32_t i = 0; i < count; i++) {
        shade_material *m = &materials[i];
        make_matt(m);
        m->unlit = scene_look_is_data(look) || (m->unlit && !clay) || m->without_normals;
        m->clay = clay;
        m->wireframe = look == SCENE_LOOK_WIREFRAME;
        if (clay)
            for (int k = 0; k < 3; k++)
                m->base_color[k] = 0.5f;
    }
}

zt_result frame_materials(const zt_scene *scene, const frame_pose *pose, frame_time time, arena *a,
                          shade_material **out_materials, uint32_t *out_count, zt_error *err)
{
    material_builder builder = {.scene = scene, .time = time, .a = a, .err = err};
    if (scene->load.no_textures && scene->textures)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "a scene with maps of its own that was loaded with no_textures cannot be "
                       "drawn");
    shade_material *all = ARENA_ARRAY(a, shade_material, (size_t)pose->material_count + 1);
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
        builder.joints = (pose_joints){.world_from_node = pose->world_from_node[i],
                                       .posed = pose->world_from_node};
        if (pose->properties[i] || expressions_move(builder.instance))
            ZT_TRY(moved_materials(&builder, pose->properties[i], a, &builder.materials, err));
        ZT_TRY(base_materials(&builder, i, plain, all + built));
        ZT_TRY(change_materials(&builder, all + built));
        ZT_TRY(frame_move_uv(all + built, model->material_count, time.animation_s, a, err));
        for (uint32_t k = 0; k < model->material_count; k++)
            fade(&all[built + k], pose->whole_showing[i]);
        built += model->material_count;
    }
    for (uint32_t i = 0; i < pose->variant_count; i++) {
        const frame_variant *v = &pose->variants[i];
        shade_material *own = all + v->first_material;
        memcpy(own, all + v->from, v->count * sizeof *own);
        for (uint32_t k = 0; k < v->count; k++)
            fade(&own[k], v->share);
        if (v->outline)
            ZT_TRY(frame_outline_materials(own, v->count, a, err));
    }
    show_look(scene->look, all, pose->material_count);
    *out_materials = all;
    *out_count = pose->material_count;
    return ZT_OK;
}
