// SPDX-License-Identifier: MIT
/// Poses of all instances at the sample times, and at times between two where straight lines from
/// one to the other leave the motion: springs, solvers, blends, paths and orbits bend it.
#include "bake/bake.h"
#include "base/maths.h"
#include "pose/pose.h"

#include <string.h>

/// With more samples than this for each of the scene's, and this many, no more are added; nor with
/// more transforms of nodes.
enum { MAX_SHARE = 64, FEW_SAMPLES = 64, MAX_TRANSFORMS = 1 << 22 };

/// All instances at a time.
typedef struct posed_sample {
    frame_time time;
    float key_s;
    bool straight; ///< what is between it and the next one lies on straight lines
    trs *local;    ///< [node_count] of all instances, one after another
    mat4 *world;   ///< [instance_count] world_from_model
    float *weight; ///< [weight_count] of all morphs
} posed_sample;

typedef struct sampler {
    bake_job *bake;
    arena kept, scratch;
    size_t node_count, weight_count;
    pose_morphs morphs;
    uint32_t count;
    posed_sample *samples; ///< [count] by time
    posed_sample spare;    ///< memory of one that is not in the list
} sampler;

// ---- One sample ---------------------------------------------------------------------------------

/// The rotation and the scales closest at hand to a matrix; without shear they are it. `before`:
/// the transform of the sample before, whose rotation stays where an axis has no length.
static trs split(const affine *world, const trs *before)
{
    dmat3 axes = world->m;
    quat rotation;
    trs out = *before;
    dvec3_to_floats(world->t, out.t);
    const bool mirrored = affine_determinant(world) < 0.0;
    if (mirrored) // a mirrored axis is x
        axes.x = dvec3_scale(axes.x, -1.0);
    if (bake_norm(&axes) > 0.0 && quat_from_axes(&axes, &rotation) && quat_normalize(&rotation))
        quat_to_floats(rotation, out.r);
    const quat turn = quat_conjugate(quat_from_floats(out.r));
    const double x = quat_rotate(turn, world->m.x).x, y = quat_rotate(turn, world->m.y).y,
                 z = quat_rotate(turn, world->m.z).z;
    dvec3_to_floats((dvec3){x, y, z}, out.s);
    return out;
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

/// Largest scales in the world: of the model, and of the bind spaces of its morphed meshes.
static void add_scales(bake_instance *instance, const affine *world, const mat4 *world_from_node)
{
    const zt_model *model = instance->scene->model;
    instance->scale = maths_max(instance->scale, bake_norm(&world->m) / sqrt(3.0));
    for (uint32_t i = 0; i < instance->morph_count; i++) {
        bake_morph *morph = &instance->morphs[i];
        const model_node *node = &model->nodes[morph->node];
        const model_skin *skin = node->skin >= 0 ? &model->skins[node->skin] : NULL;
        affine at = affine_from_floats(world_from_node[morph->node][0]);
        double most = skin ? 0.0 : bake_norm(&at.m);
        for (uint32_t j = 0; skin && j < skin->joint_count; j++) {
            const affine bind = affine_from_floats(&skin->joint_from_bind[j][0][0]);
            at = affine_from_floats(world_from_node[skin->joint_node[j]][0]);
            at = affine_multiply(&at, &bind);
            most = maths_max(most, bake_norm(&at.m));
        }
        morph->scale = maths_max(morph->scale, most);
    }
}

static void add_bounds(bake_job *bake, dvec3 p)
{
    bake->min = (dvec3){maths_min(bake->min.x, p.x), maths_min(bake->min.y, p.y),
                        maths_min(bake->min.z, p.z)};
    bake->max = (dvec3){maths_max(bake->max.x, p.x), maths_max(bake->max.y, p.y),
                        maths_max(bake->max.z, p.z)};
}

static zt_result take_instance(sampler *s, uint32_t index, const pose_parts *parts,
                               const posed_sample *before, posed_sample *out)
{
    bake_job *bake = s->bake;
    bake_instance *instance = &bake->instances[index];
    const zt_model *model = instance->scene->model;
    const trs start = trs_identity();
    const affine world = affine_from_floats(parts->world_from_model[index][0]);
    const mat4 *nodes = parts->world_from_node[index];
    const pose_joints joints = {.world_from_node = nodes, .posed = parts->world_from_node};
    trs *local = out->local + instance->first_node;
    local[0] = split(&world, before ? before->local + instance->first_node : &start);
    if (!is_finite(&local[0]))
        return zt_fail(bake->err, ZT_ERR_LIMIT,
                       "%s: the model '%s' is scaled or placed beyond the numbers of a file",
                       bake->scene->path, instance->name);
    memcpy(out->world[index], parts->world_from_model[index], sizeof(mat4));
    add_bounds(bake, world.t);
    for (uint32_t i = 0; i < model->node_count; i++) {
        local[i + 1] = model->nodes[i].has_matrix ? start : pose_block_trs(parts->local[index], i);
        add_bounds(bake, dvec3_from_floats(nodes[i][3]));
    }
    for (uint32_t i = 0; i < instance->morph_count; i++) {
        const bake_morph *morph = &instance->morphs[i];
        pose_morphs_evaluate(instance->scene, morph->node, out->time, &joints, &s->morphs);
        memcpy(out->weight + morph->first, s->morphs.weights, morph->target_count * sizeof(float));
    }
    add_scales(instance, &world, nodes);
    return ZT_OK;
}

/// Poses the spare sample.
static zt_result pose_spare(sampler *s, frame_time time, float key_s, const posed_sample *before)
{
    bake_job *bake = s->bake;
    const uint32_t count = bake->scene->instance_count;
    posed_sample *out = &s->spare;
    pose_sharing sharing;
    pose_parts parts;
    if (!out->local) {
        ZT_TRY(ARENA_TAKE_RAW(&s->kept, &out->local, s->node_count, "samples", bake->err));
        ZT_TRY(ARENA_TAKE_RAW(&s->kept, &out->world, count, "samples", bake->err));
        ZT_TRY(ARENA_TAKE_RAW(&s->kept, &out->weight, s->weight_count, "samples", bake->err));
    }
    if (budget_cancelled(bake->a->budget))
        return cancel_fail(bake->err);
    time.trail = &bake->trail;
    out->time = time;
    out->key_s = key_s;
    arena_reset(&s->scratch);
    ZT_TRY(pose_sharing_build(bake->scene, time, &s->scratch, &sharing, bake->err));
    ZT_TRY(pose_scene_parts(bake->kernels->pose, bake->scene, time, &s->scratch, &sharing, &parts,
                            bake->err));
    for (uint32_t i = 0; i < count; i++)
        ZT_TRY(take_instance(s, i, &parts, before, out));
    return ZT_OK;
}

/// Puts the spare sample into a list.
static void keep_spare(sampler *s, posed_sample *list, uint32_t *count)
{
    list[(*count)++] = s->spare;
    s->spare = (posed_sample){.key_s = 0.0f};
}

// ---- Between samples ----------------------------------------------------------------------------

double bake_size(const bake_job *bake, const bake_instance *instance)
{
    const double size = instance->size * instance->scale;
    return size > 0.0 ? size : bake->size;
}

/// Linear keys at a part of the way from one to another.
static trs line_at(const trs *from, const trs *to, double part)
{
    const float x = (float)part;
    trs out;
    for (int k = 0; k < 3; k++) {
        out.t[k] = from->t[k] + x * (to->t[k] - from->t[k]);
        out.s[k] = from->s[k] + x * (to->s[k] - from->s[k]);
    }
    quatf_slerp(from->r, to->r, x, out.r);
    return out;
}

/// True where a thing is off the line between two others, at `part` of it.
static bool thing_bends(const bake_thing *from, bake_thing *at, const bake_thing *to, double part,
                        double error)
{
    const trs line = line_at(&from->local, &to->local, part);
    double turn = 0.0;
    quatf_keep_side(line.r, at->local.r);
    for (int k = 0; k < 4; k++) {
        const double a = (double)from->number[k], b = (double)to->number[k],
                     x = (double)at->number[k], off = (double)at->local.r[k] - (double)line.r[k];
        if (fabs(x - (a + part * (b - a))) >
            error * maths_max(fabs(x), maths_max(fabs(a), fabs(b))))
            return true;
        turn += off * off;
    }
    const dvec3 way = dvec3_sub(dvec3_from_floats(at->local.t), dvec3_from_floats(line.t));
    const double farthest = at->reach + 0.5 * at->size;
    return dvec3_length(way) + 2.0 * sqrt(turn) * farthest > error * at->size;
}

/// The camera and the lights.
static zt_result things_bend(bake_job *bake, const frame_time time[3], double part, bool *out)
{
    const zt_scene *scene = bake->scene;
    const double error = BAKE_BETWEEN * bake->def.error;
    for (uint32_t i = 0; i <= scene->own_light_count && !*out; i++) {
        bake_thing at[3];
        view_camera view;
        if (i == 0 && scene->camera.kind == SCENE_CAMERA_MODEL)
            continue;
        for (int k = 0; k < 3; k++)
            ZT_TRY(i == 0 ? bake_camera_at(bake, time[k], &view, &at[k])
                          : bake_light_at(bake, &scene->own_lights[i - 1], time[k], &at[k]));
        *out = thing_bends(&at[0], &at[1], &at[2], part, error);
    }
    return ZT_OK;
}

/// The largest distance of a point of the spare sample from the line between two others.
static double points_off(sampler *s, const bake_instance *instance, const posed_sample *before,
                         const posed_sample *after, double part)
{
    const uint32_t count = instance->samples.node_count;
    trs *pair = ARENA_ARRAY_RAW(&s->scratch, trs, 2 * (size_t)count);
    affine *posed = ARENA_ARRAY_RAW(&s->scratch, affine, 2 * (size_t)count);
    if (!pair || !posed)
        return 0.0; // the arena has failed
    for (uint32_t i = 0; i < count; i++) {
        const size_t node = instance->first_node + i;
        pair[2 * (size_t)i] = s->spare.local[node];
        pair[2 * (size_t)i + 1] = line_at(&before->local[node], &after->local[node], part);
    }
    clip_samples both = instance->samples;
    both.sample_count = 2;
    both.local = pair;
    clip_pose(&both, 0, posed);
    clip_pose(&both, 1, posed + count);
    uint32_t node, point;
    return clip_farthest(&both, posed, posed + count, &node, &point);
}

static double weights_off(const sampler *s, const bake_morph *morph, double size,
                          const posed_sample *before, const posed_sample *after, double part)
{
    double sum = 0.0;
    for (uint32_t k = 0; k < morph->target_count; k++) {
        const size_t i = morph->first + k;
        const double from = (double)before->weight[i], to = (double)after->weight[i];
        sum += fabs((double)s->spare.weight[i] - (from + part * (to - from))) *
               bake_weight_reach(morph, k, size);
    }
    return sum;
}

/// Sets *out where the spare sample is off straight lines between two others, at `part` of them.
static zt_result bends(sampler *s, const posed_sample *before, const posed_sample *after,
                       double part, bool *out)
{
    const frame_time time[3] = {before->time, s->spare.time, after->time};
    for (uint32_t i = 0; i < s->bake->scene->instance_count && !*out; i++) {
        const bake_instance *instance = &s->bake->instances[i];
        const double size = bake_size(s->bake, instance);
        const double most = BAKE_BETWEEN * s->bake->def.error * size;
        *out = points_off(s, instance, before, after, part) > most;
        for (uint32_t k = 0; k < instance->morph_count; k++)
            *out |= weights_off(s, &instance->morphs[k], size, before, after, part) > most;
    }
    return things_bend(s->bake, time, part, out);
}

/// Poses the spare sample between two; before->straight where it is of no use. The second look is
/// at no middle: there, whole turns and what eases in and out are on the line.
static zt_result look_between(sampler *s, posed_sample *before, const posed_sample *after)
{
    static const double part[2] = {0.5, 0.29};
    const double from_s = before->time.shot_s, length_s = after->time.shot_s - from_s;
    bool bent = false;
    for (int i = 0; i < 2 && !bent && part[1] * length_s > BAKE_MIN_STEP_S; i++) {
        const float key_s = before->key_s + (float)part[i] * (after->key_s - before->key_s);
        if (!(key_s > before->key_s && key_s < after->key_s))
            break;
        const frame_time time = scene_shot_time(s->bake->scene, from_s + part[i] * length_s);
        ZT_TRY(pose_spare(s, time, key_s, before));
        ZT_TRY(bends(s, before, after, part[i], &bent));
    }
    before->straight = !bent;
    return s->scratch.failed == ZT_OK ? ZT_OK : arena_fail(&s->scratch, s->bake->err, "samples");
}

static void find_size(bake_job *bake)
{
    for (uint32_t i = 0; i < bake->scene->instance_count; i++)
        bake->size = maths_max(bake->size, bake->instances[i].size * bake->instances[i].scale);
    if (!(bake->size > 0.0))
        bake->size = 1.0;
}

/// Halves what is not straight, all of it once in each pass, so that what bends most gets most.
static zt_result refine(sampler *s, uint32_t max)
{
    for (bool more = true; more;) {
        const uint32_t before = s->count;
        uint32_t count = 0;
        posed_sample *list;
        ZT_TRY(ARENA_TAKE_RAW(&s->kept, &list, 2 * (size_t)before, "samples", s->bake->err));
        for (uint32_t k = 0; k < before; k++) {
            posed_sample *at = &s->samples[k];
            const bool looks = k + 1 < before && !at->straight && count + (before - k) < max;
            if (looks)
                ZT_TRY(look_between(s, at, at + 1));
            list[count++] = *at;
            if (looks && !at->straight)
                keep_spare(s, list, &count);
        }
        more = count > before;
        s->samples = list;
        s->count = count;
    }
    return ZT_OK;
}

// ---- All samples --------------------------------------------------------------------------------

static zt_result begin(sampler *s)
{
    bake_job *bake = s->bake;
    const zt_scene *scene = bake->scene;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        bake_instance *instance = &bake->instances[i];
        instance->first_node = s->node_count;
        s->node_count += instance->samples.node_count;
        for (uint32_t k = 0; k < instance->morph_count; k++) {
            instance->morphs[k].first = s->weight_count;
            s->weight_count += instance->morphs[k].target_count;
        }
    }
    if (!pose_morphs_init(pose_morph_capacity(scene), &s->kept, &s->morphs))
        return arena_fail(&s->kept, bake->err, "samples");
    return ARENA_TAKE_RAW(&s->kept, &s->samples, bake->times.count, "samples", bake->err);
}

/// Poses at the times of the scene, then between them.
static zt_result pose_all(sampler *s)
{
    const bake_times *times = &s->bake->times;
    ZT_TRY(begin(s));
    while (s->count < times->count) {
        const posed_sample *before = s->count > 0 ? &s->samples[s->count - 1] : NULL;
        ZT_TRY(pose_spare(s, times->time[s->count], times->key_s[s->count], before));
        keep_spare(s, s->samples, &s->count);
    }
    find_size(s->bake);
    const size_t room = MAX_TRANSFORMS / (s->node_count + 1),
                 most = MAX_SHARE * (size_t)times->count;
    ZT_TRY(refine(s, room < most ? (uint32_t)room : (uint32_t)most + FEW_SAMPLES));
    find_size(s->bake);
    return ZT_OK;
}

/// The samples by node and by morph.
static zt_result list_instance(const sampler *s, bake_instance *instance, uint32_t index)
{
    arena *a = s->bake->a;
    zt_error *err = s->bake->err;
    const uint32_t nodes = instance->samples.node_count;
    ZT_TRY(ARENA_TAKE_RAW(a, &instance->local, (size_t)nodes * s->count, "samples", err));
    ZT_TRY(ARENA_TAKE_RAW(a, &instance->world, s->count, "samples", err));
    for (uint32_t k = 0; k < s->count; k++) {
        memcpy(instance->world[k], s->samples[k].world[index], sizeof(mat4));
        for (uint32_t i = 0; i < nodes; i++) {
            trs *to = &instance->local[(size_t)i * s->count + k];
            *to = s->samples[k].local[instance->first_node + i];
            if (k > 0)
                quatf_keep_side(to[-1].r, to->r);
        }
    }
    for (uint32_t m = 0; m < instance->morph_count; m++) {
        bake_morph *morph = &instance->morphs[m];
        const uint32_t width = morph->target_count;
        ZT_TRY(ARENA_TAKE_RAW(a, &morph->weight, (size_t)width * s->count, "samples", err));
        for (uint32_t k = 0; k < s->count; k++)
            for (uint32_t t = 0; t < width; t++) {
                const float weight = s->samples[k].weight[morph->first + t];
                morph->weight[(size_t)k * width + t] = weight;
                if (fabsf(weight) > morph->largest[t])
                    morph->largest[t] = fabsf(weight);
            }
    }
    instance->samples.local = instance->local;
    return ZT_OK;
}

static zt_result list_samples(const sampler *s)
{
    bake_job *bake = s->bake;
    frame_time *time;
    float *key_s;
    ZT_TRY(ARENA_TAKE_RAW(bake->a, &time, s->count, "samples", bake->err));
    ZT_TRY(ARENA_TAKE_RAW(bake->a, &key_s, s->count, "samples", bake->err));
    for (uint32_t k = 0; k < s->count; k++) {
        time[k] = s->samples[k].time;
        key_s[k] = s->samples[k].key_s;
    }
    bake->times = (bake_times){s->count, time, key_s};
    for (uint32_t i = 0; i < bake->scene->instance_count; i++) {
        bake->instances[i].samples.sample_count = s->count;
        bake->instances[i].samples.time_s = key_s;
        ZT_TRY(list_instance(s, &bake->instances[i], i));
    }
    return ZT_OK;
}

zt_result bake_sample(bake_job *bake)
{
    sampler s = {.bake = bake};
    bake->min = (dvec3){HUGE_VAL, HUGE_VAL, HUGE_VAL};
    bake->max = (dvec3){-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    arena_init(&s.kept, bake->a->budget);
    arena_init(&s.scratch, bake->a->budget);
    zt_result result = pose_all(&s);
    if (result == ZT_OK)
        result = list_samples(&s);
    arena_finish(&s.scratch);
    arena_finish(&s.kept);
    return result;
}
