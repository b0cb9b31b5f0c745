// SPDX-License-Identifier: MIT
/// The keys of instances, and how far off they are.
#include "bake/bake.h"
#include "bake/key_reduction.h"
#include "base/maths.h"
#include "scene/scene_origin.h"

zt_result bake_measure(bake_job *bake, bake_instance *instance)
{
    clip_samples *clip = &instance->samples;
    uint32_t node, point;
    arena scratch;
    arena_init(&scratch, bake->a->budget);
    affine *posed = ARENA_ARRAY_RAW(&scratch, affine, 2 * (size_t)clip->node_count);
    for (uint32_t s = 0; s < clip->sample_count && posed; s++) {
        clip_pose(clip, s, posed);
        instance->nodes[0].matrix = instance->world[s][0];
        clip_pose(clip, s, posed + clip->node_count);
        instance->nodes[0].matrix = NULL;
        const double off = clip_farthest(clip, posed, posed + clip->node_count, &node, &point);
        instance->residual = maths_max(instance->residual, off);
    }
    const zt_result result = posed ? ZT_OK : arena_fail(&scratch, bake->err, "samples");
    arena_finish(&scratch);
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
    double size; ///< of the instance
    key_rows weights;
} morph_curve;

/// The error of a vertex that keys move.
static double morph_distance(const void *user, uint32_t before, uint32_t after, uint32_t sample)
{
    const morph_curve *curve = user;
    double sum = 0.0;
    for (uint32_t k = 0; k < curve->weights.width; k++)
        sum += key_rows_difference(&curve->weights, before, after, sample, k) *
               bake_weight_reach(curve->morph, k, curve->size);
    return sum;
}

static zt_result reduce_morph(bake_job *bake, bake_morph *morph, double size, double tolerance,
                              arena *scratch)
{
    const uint32_t samples = bake->times.count;
    const morph_curve curve = {
        morph, size, {morph->weight, bake->times.key_s, morph->target_count}};
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
    const double size = bake_size(bake, instance);
    bool morphs_move = false;
    for (uint32_t i = 0; i < instance->morph_count; i++) {
        ZT_TRY(reduce_morph(bake, &instance->morphs[i], size, 0.5 * tolerance, scratch));
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
    const double size = bake_size(bake, instance);
    const double tolerance = (1.0 - BAKE_BETWEEN) * bake->def.error * size;
    // Keys have half of the error where samples cannot express a part of the pose.
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
            (instance->residual + instance->reduced.error) / size, bake->def.error);
    return result;
}
