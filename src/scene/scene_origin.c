// SPDX-License-Identifier: MIT
#include "scene/scene_origin.h"

#include "scene/scene_build.h"
#include "scene/scene_ik.h"

#include <math.h>
#include <string.h>

/// Below so many metres floats are exact to half a millimetre.
static const double far_m = 4096.0;

/// The rotation and scale of an instance when the shot begins.
static dmat3 linear_of(const scene_instance *instance)
{
    double value[4] = {1.0, 1.0, 1.0, 1.0};
    trs x = trs_identity();
    mat4 m;
    if (instance->scale.key_count > 0)
        track_evaluate(&instance->scale, 0.0, value);
    for (int k = 0; k < 3; k++)
        x.s[k] = (float)value[instance->scale.width == 3 ? k : 0];
    if (instance->rotate.key_count > 0 && instance->rotate.width == 4) {
        quat_to_floats(track_evaluate_rotation(&instance->rotate, 0.0), x.r);
    } else if (instance->rotate.key_count > 0) {
        track_evaluate(&instance->rotate, 0.0, value);
        quatf_from_euler_deg(value, x.r);
    }
    trs_to_mat4(&x, m);
    return affine_from_floats(m[0]).m;
}

dvec3 scene_lost_by_model(const scene_instance *instance)
{
    const dvec3 origin = instance->model->origin;
    if (origin.x == 0.0 && origin.y == 0.0 && origin.z == 0.0)
        return origin;
    const dmat3 linear = linear_of(instance);
    return dmat3_transform(&linear, origin);
}

static dvec3 far_part(dvec3 p)
{
    return (dvec3){fabs(p.x) > far_m ? p.x : 0.0, fabs(p.y) > far_m ? p.y : 0.0,
                   fabs(p.z) > far_m ? p.z : 0.0};
}

/// The keys of a track that has three numbers, moved, in new memory: instances of a crowd share the
/// old. A track without keys gets one.
static bool move_track(zt_scene *scene, track *t, dvec3 shift)
{
    const double add[3] = {shift.x, shift.y, shift.z};
    if (shift.x == 0.0 && shift.y == 0.0 && shift.z == 0.0)
        return true;
    if (t->key_count == 0)
        return track_constant(&scene->arena, add, 3, t);
    double *value = ARENA_ARRAY_RAW(&scene->arena, double, (size_t)t->key_count * 3);
    if (!value)
        return false;
    for (size_t i = 0; i < (size_t)t->key_count * 3; i++)
        value[i] = t->value[i] + add[i % 3];
    t->value = value;
    return true;
}

static bool move_place(zt_scene *scene, track *t)
{
    const dvec3 shift = {-scene->origin[0], -scene->origin[1], -scene->origin[2]};
    return t->key_count == 0 || move_track(scene, t, shift);
}

/// Targets and grounds of the solvers of an instance.
static bool move_solvers(zt_scene *scene, scene_instance *instance)
{
    scene_ik *ik = ARENA_ARRAY_RAW(&scene->arena, scene_ik, instance->ik_count);
    if (!ik)
        return false;
    memcpy(ik, instance->ik, instance->ik_count * sizeof *ik);
    instance->ik = ik;
    for (uint32_t i = 0; i < instance->ik_count; i++) {
        if (!ik[i].model_space &&
            !(move_place(scene, &ik[i].target.point) && move_place(scene, &ik[i].pole)))
            return false;
        scene_terrain *terrain = &ik[i].terrain;
        scene_from_user(scene, terrain->point);
        terrain->first[0] -= scene->origin[0];
        terrain->first[1] -= scene->origin[2];
    }
    return true;
}

static bool move_instances(zt_scene *scene)
{
    const dvec3 origin = {scene->origin[0], scene->origin[1], scene->origin[2]};
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        scene_instance *instance = &scene->instances[i];
        dvec3 shift = scene_lost_by_model(instance);
        if (instance->parent_change_count == 0)
            shift = dvec3_sub(shift, origin);
        if (!move_track(scene, &instance->translate, shift) ||
            (instance->ik_count > 0 && !move_solvers(scene, instance)))
            return false;
    }
    return true;
}

static bool move_lights(zt_scene *scene)
{
    for (uint32_t i = 0; i < scene->own_light_count; i++)
        if (!move_place(scene, &scene->own_lights[i].position.at) ||
            !move_place(scene, &scene->own_lights[i].target.at))
            return false;
    return true;
}

zt_result scene_move_to_origin(zt_scene *scene, zt_error *err)
{
    if (scene->instance_count == 0)
        return ZT_OK;
    scene_instance *first = &scene->instances[0];
    double at[3] = {0.0, 0.0, 0.0};
    if (first->translate.key_count > 0)
        track_evaluate(&first->translate, 0.0, at);
    dvec3 origin = dvec3_add(scene_lost_by_model(first), (dvec3){at[0], at[1], at[2]});
    if (!scene->bare_file)
        origin = far_part(origin);
    scene->origin[0] = origin.x;
    scene->origin[1] = origin.y;
    scene->origin[2] = origin.z;
    if (origin.x == 0.0 && origin.y == 0.0 && origin.z == 0.0)
        return ZT_OK;
    const bool moved = move_instances(scene) && move_lights(scene) &&
                       move_place(scene, &scene->camera.position.at) &&
                       move_place(scene, &scene->camera.target.at) &&
                       move_place(scene, &scene->blur.focus_point.at);
    return moved ? scene_light_up(scene, err) : arena_fail(&scene->arena, err, "scene");
}
