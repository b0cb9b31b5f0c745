// SPDX-License-Identifier: MIT
#include "pose/pose_attach.h"

#include "base/maths.h"
#include "base/quat.h"

#include <string.h>

/// A smaller determinant counts as none.
#define MIN_VOLUME 1e-30

bool pose_attachments_init(const zt_scene *scene, arena *a, attachment **out)
{
    size_t count = 0;
    *out = NULL;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        count += scene->instances[i].parent_change_count;
    if (count == 0)
        return true;
    attachment_change *changes = ARENA_ARRAY(a, attachment_change, count);
    *out = ARENA_ARRAY(a, attachment, scene->instance_count);
    if (!changes || !*out)
        return false;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        if (scene->instances[i].parent_change_count == 0)
            continue;
        (*out)[i].changes = changes;
        glm_mat4_identity(changes[0].offset);
        changes += scene->instances[i].parent_change_count;
    }
    return true;
}

static void rotation_to_columns(quat q, dmat3 *out)
{
    *out = (dmat3){quat_rotate(q, (dvec3){1.0, 0.0, 0.0}), quat_rotate(q, (dvec3){0.0, 1.0, 0.0}),
                   quat_rotate(q, (dvec3){0.0, 0.0, 1.0})};
}

/// Leaves position and rotation. A bone without volume has no rotation.
static void remove_scale(mat4 world)
{
    affine a = affine_from_floats(world[0]);
    quat rotation;
    if (quat_from_axes(&a.m, &rotation))
        rotation_to_columns(rotation, &a.m);
    else
        a.m = dmat3_identity();
    affine_to_floats(&a, world[0]);
}

/// World transform of a parent, as the instance takes it; the identity for none.
static void parent_transform(const scene_parent_change *parent, const mat4 *const *worlds, mat4 out)
{
    if (parent->bone.instance < 0) {
        glm_mat4_identity(out);
        return;
    }
    memcpy(out, worlds[parent->bone.instance][parent->bone.node], sizeof(mat4));
    if (parent->without_scale)
        remove_scale(out);
}

static dvec3 mix(dvec3 a, dvec3 b, double s)
{
    return dvec3_add(dvec3_scale(a, 1.0 - s), dvec3_scale(b, s));
}

static dmat3 mix_columns(const dmat3 *a, const dmat3 *b, double s)
{
    return (dmat3){mix(a->x, b->x, s), mix(a->y, b->y, s), mix(a->z, b->z, s)};
}

static affine mirror_along(affine m, int32_t axis)
{
    dvec3 *const columns[3] = {&m.m.x, &m.m.y, &m.m.z};
    if (axis >= 0)
        *columns[axis] = dvec3_scale(*columns[axis], -1.0);
    return m;
}

static double volume(const affine *m) { return dvec3_dot(m->m.x, dvec3_cross(m->m.y, m->m.z)); }

/// The rotation from one transform to another, on the shorter arc. False: one has no volume.
static bool turn_between(const affine *from, const affine *to, quat *out)
{
    quat a, b;
    if (!quat_from_axes(&from->m, &a) || !quat_from_axes(&to->m, &b))
        return false;
    *out = quat_multiply(quat_conjugate(a), b);
    if (out->w < 0.0)
        *out = (quat){-out->x, -out->y, -out->z, -out->w};
    return true;
}

/// Finds the way of a blend at its change.
static void find_way(mat4 from, mat4 to, attachment_change *out)
{
    const affine a = affine_from_floats(from[0]), b = affine_from_floats(to[0]);
    quat turn;
    out->turn = quat_identity();
    out->mirror = -1;
    if (!(volume(&a) * volume(&b) < 0.0)) {
        if (turn_between(&a, &b, &turn))
            out->turn = turn;
        return;
    }
    for (int32_t axis = 0; axis < 3; axis++) {
        const affine mirrored = mirror_along(a, axis);
        if (!turn_between(&mirrored, &b, &turn) || (out->mirror >= 0 && turn.w <= out->turn.w))
            continue;
        out->turn = turn;
        out->mirror = axis;
    }
}

/// The fraction `s` of a rotation about its axis, by up to 360 degrees.
static quat part_of_turn(quat q, double s)
{
    const double sine = sqrt((q.x * q.x + q.y * q.y) + q.z * q.z);
    if (!(sine > 0.0))
        return quat_identity();
    double s_sin, s_cos;
    maths_sincos_deg(s * maths_atan2(sine, q.w) * MATHS_DEG_FROM_RAD, &s_sin, &s_cos);
    return (quat){q.x / sine * s_sin, q.y / sine * s_sin, q.z / sine * s_sin, s_cos};
}

/// Blends two transforms into `m`: translations linearly, rotations on the arc of the change, and
/// linearly what is left of each after its rotation, which is the scale, and the shear if there is
/// one. A transform without volume has no rotation: then all of it linearly.
static void blend(mat4 m, mat4 to, const attachment_change *change, double s)
{
    const affine a = mirror_along(affine_from_floats(m[0]), change->mirror);
    const affine b = affine_from_floats(to[0]);
    affine out = {mix_columns(&a.m, &b.m, s), mix(a.t, b.t, s)};
    quat from_rotation, to_rotation;
    if (quat_from_axes(&a.m, &from_rotation) && quat_from_axes(&b.m, &to_rotation)) {
        quat turn = quat_multiply(quat_conjugate(from_rotation), to_rotation);
        if (turn.x * change->turn.x + turn.y * change->turn.y + turn.z * change->turn.z +
                turn.w * change->turn.w <
            0.0)
            turn = (quat){-turn.x, -turn.y, -turn.z, -turn.w};
        dmat3 rotation;
        rotation_to_columns(from_rotation, &rotation);
        const dmat3 from_rest = dmat3_transpose_multiply(&rotation, &a.m);
        rotation_to_columns(to_rotation, &rotation);
        const dmat3 to_rest = dmat3_transpose_multiply(&rotation, &b.m);
        const dmat3 rest = mix_columns(&from_rest, &to_rest, s);
        rotation_to_columns(quat_multiply(from_rotation, part_of_turn(turn, s)), &rotation);
        out.m = (dmat3){dmat3_transform(&rotation, rest.x), dmat3_transform(&rotation, rest.y),
                        dmat3_transform(&rotation, rest.z)};
    }
    affine_to_floats(&out, m[0]);
}

/// Inverse of the linear part of a matrix, in double, by rows. False: it has no volume.
static bool inverse_rows(mat4 m, dmat3 *out)
{
    const affine a = affine_from_floats(m[0]);
    const dmat3 cofactor = dmat3_cofactor(&a.m);
    const double det = dvec3_dot(a.m.x, cofactor.x);
    if (!(fabs(det) > MIN_VOLUME) || !isfinite(det))
        return false;
    *out = (dmat3){dvec3_divide(cofactor.x, det), dvec3_divide(cofactor.y, det),
                   dvec3_divide(cofactor.z, det)};
    return true;
}

/// The space of an instance by one of its changes.
static void base_of(const scene_instance *instance, const attachment *at, uint32_t change,
                    const mat4 *const *worlds, mat4 out)
{
    mat4 parent;
    parent_transform(&instance->parent_changes[change], worlds, parent);
    glm_mat4_mul(parent, at->changes[change].offset, out);
}

/// The progress of the blend of a change; 1: there is none, or it is over.
static double blend_share(const scene_parent_change *change, double time_s)
{
    const double since_s = time_s - change->time_s;
    return since_s < change->blend_s ? since_s / change->blend_s : 1.0;
}

void pose_attached(const zt_scene *scene, const scene_instance *instance, const attachment *at,
                   const mat4 *const *worlds, frame_time time, mat4 world_from_model)
{
    mat4 base, next;
    uint32_t first = at->change; // the last one before it that is not blended
    while (first > 0 && blend_share(&instance->parent_changes[first], time.shot_s) < 1.0)
        first--;
    base_of(instance, at, first, worlds, base);
    pose_world_from_model(scene, instance, time, (const mat4 *)&base, world_from_model);
    for (uint32_t k = first + 1; k <= at->change; k++) {
        base_of(instance, at, k, worlds, base);
        pose_world_from_model(scene, instance, time, (const mat4 *)&base, next);
        blend(world_from_model, next, &at->changes[k],
              blend_share(&instance->parent_changes[k], time.shot_s));
    }
}

/// The space that has an instance where it is. While it blends, from where that is; an own
/// transform without volume has no inverse, and the last parent counts.
static void current_base(const zt_scene *scene, const scene_instance *instance,
                         const attachment *at, const mat4 *const *worlds, frame_time time, mat4 out)
{
    mat4 whole, own;
    dmat3 rows;
    base_of(instance, at, at->change, worlds, out);
    if (!(blend_share(&instance->parent_changes[at->change], time.shot_s) < 1.0))
        return;
    pose_attached(scene, instance, at, worlds, time, whole);
    pose_instance_transform(scene, instance, time, own);
    if (!inverse_rows(own, &rows))
        return;
    const affine m = affine_from_floats(whole[0]);
    const dmat3 columns = dmat3_transpose(&rows);
    affine base = {.m = {dmat3_transform(&m.m, columns.x), dmat3_transform(&m.m, columns.y),
                         dmat3_transform(&m.m, columns.z)}};
    base.t = dvec3_sub(m.t, dmat3_transform(&base.m, dvec3_from_floats(own[3])));
    affine_to_floats(&base, out[0]);
}

/// A bone scaled flat has no inverse: the offset that keeps the world pose stays as it was.
static void change_offset(const zt_scene *scene, const scene_instance *instance, attachment *at,
                          const mat4 *const *worlds, frame_time time)
{
    const scene_parent_change *change = &instance->parent_changes[at->change + 1];
    vec4 *offset = at->changes[at->change + 1].offset;
    mat4 after, base;
    dmat3 rows;
    parent_transform(change, worlds, after);
    current_base(scene, instance, at, worlds, time, base);
    memcpy(offset, at->changes[at->change].offset, sizeof(mat4));
    at->change++;
    if (change->snap) {
        glm_mat4_identity(offset);
        return;
    }
    if (!inverse_rows(after, &rows))
        return;
    for (int column = 0; column < 4; column++) {
        dvec3 v = dmat3_transform_transposed(&rows, dvec3_from_floats(base[column]));
        if (column == 3)
            v = dvec3_sub(v, dmat3_transform_transposed(&rows, dvec3_from_floats(after[3])));
        dvec3_to_floats(v, offset[column]);
    }
}

void pose_attachment_change(const zt_scene *scene, const scene_instance *instance, attachment *at,
                            const mat4 *const *worlds, frame_time time)
{
    mat4 before, base, after;
    const bool blends = instance->parent_changes[at->change + 1].blend_s > 0.0;
    if (blends)
        pose_attached(scene, instance, at, worlds, time, before);
    change_offset(scene, instance, at, worlds, time);
    if (!blends)
        return;
    base_of(instance, at, at->change, worlds, base);
    pose_world_from_model(scene, instance, time, (const mat4 *)&base, after);
    find_way(before, after, &at->changes[at->change]);
}
