// SPDX-License-Identifier: MIT
/// Instances at all samples, and their keys.
#include "bake/bake.h"
#include "bake/key_reduction.h"
#include "base/maths.h"
#include "pose/pose.h"
#include "scene/scene_origin.h"

/// The rotation and the scales closest at hand to a matrix; without shear they are it. `before`:
/// the transform of the sample before, whose rotation stays where an axis has no length.
static void split(const affine *world, const trs *before, trs *out)
{
    dmat3 axes = world->m;
    quat rotation;
    *out = *before;
    dvec3_to_floats(world->t, out->t);
    const bool mirrored = affine_determinant(world) < 0.0;
    if (mirrored) // a mirrored axis is x
        axes.x = dvec3_scale(axes.x, -1.0);
    if (bake_norm(&axes) > 0.0 && quat_from_axes(&axes, &rotation) && quat_normalize(&rotation))
        quat_to_floats(rotation, out->r);
    const quat turn = quat_conjugate(quat_from_floats(out->r));
    const double x = quat_rotate(turn, world->m.x).x, y = quat_rotate(turn, world->m.y).y,
                 z = quat_rotate(turn, world->m.z).z;
    dvec3_to_floats((dvec3){x, y, z}, out->s);
}

/// The largest distance between a point where the scene has it and where the samples have it.
static void add_residual(bake_instance *instance, uint32_t sample, const mat4 *world_from_node,
                         affine *posed)
{
    const clip_samples *clip = &instance->samples;
    clip_pose(clip, sample, posed);
    for (uint32_t i = 1; i < clip->node_count; i++) {
        const affine world = affine_from_floats(&world_from_node[i - 1][0][0]);
        for (uint32_t p = 0; p < clip->nodes[i].point_count; p++) {
            const dvec3 point = clip->points[clip->nodes[i].point_first + p];
            const double off = dvec3_length(
                dvec3_sub(affine_point(&world, point), affine_point(&posed[i], point)));
            instance->residual = off > instance->residual ? off : instance->residual;
        }
    }
}

/// Largest scales in the world: of the model, and of the bind spaces of its morphed meshes.
static void add_scales(bake_instance *instance, const affine *posed)
{
    const zt_model *model = instance->scene->model;
    const double scale = bake_norm(&posed[0].m) / sqrt(3.0);
    instance->scale = scale > instance->scale ? scale : instance->scale;
    for (uint32_t i = 0; i < instance->morph_count; i++) {
        bake_morph *morph = &instance->morphs[i];
        const model_node *node = &model->nodes[morph->node];
        const model_skin *skin = node->skin >= 0 ? &model->skins[node->skin] : NULL;
        double most = skin ? 0.0 : bake_norm(&posed[morph->node + 1].m);
        for (uint32_t j = 0; skin && j < skin->joint_count; j++) {
            const affine bind = affine_from_floats(&skin->joint_from_bind[j][0][0]);
            const affine world = affine_multiply(&posed[skin->joint_node[j] + 1], &bind);
            most = bake_norm(&world.m) > most ? bake_norm(&world.m) : most;
        }
        morph->scale = most > morph->scale ? most : morph->scale;
    }
}

static void add_bounds(bake_job *bake, const bake_instance *instance, const affine *posed)
{
    for (uint32_t i = 0; i < instance->samples.node_count; i++) {
        const dvec3 p = posed[i].t;
        bake->min = (dvec3){maths_min(bake->min.x, p.x), maths_min(bake->min.y, p.y),
                            maths_min(bake->min.z, p.z)};
        bake->max = (dvec3){maths_max(bake->max.x, p.x), maths_max(bake->max.y, p.y),
                            maths_max(bake->max.z, p.z)};
    }
}

static void put_sample(trs *samples, uint32_t sample, trs value)
{
    if (sample > 0)
        quatf_keep_side(samples[sample - 1].r, value.r);
    samples[sample] = value;
}

static bool is_finite(const trs *x)
{
    float sum = 0.0f; // not finite if one is not
    for (int k = 0; k < 3; k++)
        sum += x->t[k] * 0.0f + x->s[k] * 0.0f;
    for (int k = 0; k < 4; k++)
        sum += x->r[k] * 0.0f;
    return sum == 0.0f;
}

static zt_result sample_instance(bake_job *bake, uint32_t index, uint32_t sample,
                                 const pose_parts *parts, arena *a)
{
    bake_instance *instance = &bake->instances[index];
    const zt_model *model = instance->scene->model;
    const uint32_t samples = bake->times.count;
    affine *posed = ARENA_ARRAY_RAW(a, affine, (size_t)model->node_count + 1);
    const affine world = affine_from_floats(parts->world_from_model[index][0]);
    const trs start = trs_identity();
    trs whole;
    if (!posed)
        return arena_fail(a, bake->err, "samples");
    for (uint32_t i = 0; i < model->node_count; i++)
        put_sample(&instance->local[(size_t)(i + 1) * samples], sample,
                   model->nodes[i].has_matrix ? start : pose_block_trs(parts->local[index], i));
    split(&world, sample > 0 ? &instance->local[sample - 1] : &start, &whole);
    if (!is_finite(&whole))
        return zt_fail(bake->err, ZT_ERR_LIMIT,
                       "%s: the model '%s' is scaled or placed beyond the numbers of a file",
                       bake->scene->path, instance->name);
    put_sample(instance->local, sample, whole);
    add_residual(instance, sample, parts->world_from_node[index], posed);
    add_scales(instance, posed);
    add_bounds(bake, instance, posed);
    return ZT_OK;
}

static zt_result sample_all(bake_job *bake, uint32_t sample, arena *a)
{
    const frame_time time = bake->times.time[sample];
    pose_sharing sharing;
    pose_parts parts;
    ZT_TRY(pose_sharing_build(bake->scene, time, a, &sharing, bake->err));
    ZT_TRY(
        pose_scene_parts(bake->kernels->pose, bake->scene, time, a, &sharing, &parts, bake->err));
    for (uint32_t i = 0; i < bake->scene->instance_count; i++)
        ZT_TRY(sample_instance(bake, i, sample, &parts, a));
    return ZT_OK;
}

zt_result bake_sample(bake_job *bake)
{
    arena scratch;
    zt_result result = ZT_OK;
    bake->min = (dvec3){HUGE_VAL, HUGE_VAL, HUGE_VAL};
    bake->max = (dvec3){-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    arena_init(&scratch, bake->a->budget);
    for (uint32_t s = 0; s < bake->times.count && result == ZT_OK; s++) {
        arena_reset(&scratch);
        result = budget_cancelled(bake->a->budget) ? cancel_fail(bake->err)
                                                   : sample_all(bake, s, &scratch);
    }
    arena_finish(&scratch);
    for (uint32_t i = 0; i < bake->scene->instance_count; i++) {
        const double size = bake->instances[i].size * bake->instances[i].scale;
        bake->size = size > bake->size ? size : bake->size;
    }
    if (!(bake->size > 0.0))
        bake->size = 1.0;
    return result;
}

void bake_move_from_origin(bake_job *bake, bake_instance *instance)
{
    const zt_model *model = instance->scene->model;
    const dvec3 place =
        dvec3_sub(dvec3_load(bake->scene->origin), scene_lost_by_model(instance->scene));
    for (uint32_t i = 0; i <= model->node_count; i++) {
        if (i > 0 && !model->origin_shift)
            return;
        const dvec3 by = i == 0 ? place : model->origin_shift[i - 1];
        for (uint32_t s = 0; s < bake->times.count; s++) {
            float *t = instance->local[(size_t)i * bake->times.count + s].t;
            dvec3_to_floats(dvec3_add(dvec3_from_floats(t), by), t);
        }
    }
}

typedef struct morph_curve {
    const bake_morph *morph;
    key_rows weights;
} morph_curve;

/// The error of a vertex that keys move.
static double morph_distance(const void *user, uint32_t before, uint32_t after, uint32_t sample)
{
    const morph_curve *curve = user;
    double sum = 0.0;
    for (uint32_t k = 0; k < curve->weights.width; k++)
        sum +=
            key_rows_difference(&curve->weights, before, after, sample, k) * curve->morph->reach[k];
    return sum * curve->morph->scale;
}

static zt_result reduce_morph(bake_job *bake, bake_morph *morph, double tolerance, arena *scratch)
{
    const uint32_t samples = bake->times.count;
    const morph_curve curve = {morph, {morph->weight, bake->times.key_s, morph->target_count}};
    bool *keyed;
    key_list *keys;
    ZT_TRY(ARENA_TAKE_RAW(scratch, &keyed, samples, "keys", bake->err));
    ZT_TRY(ARENA_TAKE(bake->a, &keys, 1, "keys", bake->err));
    ZT_TRY(key_reduce((key_curve){morph_distance, &curve, tolerance}, samples, keyed, scratch,
                      bake->err));
    morph->keys = keys;
    return key_list_make(keyed, samples, bake->a, keys, bake->err);
}

/// The targets of a mesh and the nodes that move it share the tolerance.
static zt_result reduce_all(bake_job *bake, bake_instance *instance, double tolerance,
                            arena *scratch)
{
    bool morphs_move = false;
    for (uint32_t i = 0; i < instance->morph_count; i++) {
        ZT_TRY(reduce_morph(bake, &instance->morphs[i], 0.5 * tolerance, scratch));
        morphs_move |= instance->morphs[i].keys->count > 1;
    }
    ZT_TRY(clip_reduce(&instance->samples, morphs_move ? 0.5 * tolerance : tolerance, bake->a,
                       scratch, &instance->reduced, bake->err));
    instance->reduced.error += morphs_move ? 0.5 * tolerance : 0.0;
    return ZT_OK;
}

zt_result bake_reduce(bake_job *bake, bake_instance *instance)
{
    arena scratch;
    const double size = instance->size * instance->scale;
    const double tolerance = bake->def.error * (size > 0.0 ? size : bake->size);
    // What the samples cannot express takes its part, but leaves keys half of it.
    double rest = tolerance - instance->residual;
    rest = rest > 0.5 * tolerance ? rest : 0.5 * tolerance;
    arena_init(&scratch, bake->a->budget);
    zt_result result = reduce_all(bake, instance, rest, &scratch);
    arena_finish(&scratch);
    if (result == ZT_OK && instance->residual > 0.5 * tolerance)
        result = convert_report_loss(
            bake->assembly.builder.job,
            "%s: a transform with shear is not translation, rotation and scale: points are off by "
            "up to %.3g m, %.3g of its size (expected at most %.3g)",
            instance->name, instance->residual + instance->reduced.error,
            (instance->residual + instance->reduced.error) / (size > 0.0 ? size : bake->size),
            bake->def.error);
    return result;
}
