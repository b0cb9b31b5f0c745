// SPDX-License-Identifier: MIT
#include "retarget/clip_seam.h"

#include "base/maths.h"
#include "model/clip_copy.h"

#include <math.h>

/// Distance from a joint to the points that show its rotation, in sizes of the model.
#define ARM 0.1
enum { MIN_STEPS = 4, MAX_STEPS = 1024, JOINT_LIMIT = 1 << 20 };

/// A pose: where joints are, and morph weights clip by clip.
typedef struct seam_pose {
    affine *joints; ///< [node_count]
    float *weights; ///< [weight_count]
} seam_pose;

typedef struct seam_job {
    const zt_model *model;
    const model_clip *clip;
    trs *local;
    size_t weight_count;
    double size;
} seam_job;

static uint32_t channel_weights(const seam_job *job, const model_channel *c)
{
    return c->path == MODEL_WEIGHTS ? clip_morph_count(job->model, c->node) : 0;
}

static void take_pose(const seam_job *job, double time_s, seam_pose *out)
{
    clip_pose_joints(job->model, job->clip, (float)time_s, job->local, out->joints);
    size_t at = 0; // any number of nodes may share a mesh of many targets
    for (uint32_t i = 0; i < job->clip->channel_count; i++) {
        const model_channel *c = &job->clip->channels[i];
        const uint32_t count = channel_weights(job, c);
        if (count > 0)
            model_sample_channel(c, (float)time_s, count, out->weights + at);
        at += count;
    }
}

/// The way of the end of an axis, in lengths of the axis.
static double axis_distance(dvec3 from, dvec3 to)
{
    const double length = maths_max(dvec3_length(from), dvec3_length(to));
    return length > 0.0 ? dvec3_length(dvec3_sub(from, to)) / length : 0.0;
}

static double pose_distance(const seam_job *job, const seam_pose *a, const seam_pose *b)
{
    double largest = 0.0;
    for (uint32_t i = 0; i < job->model->node_count; i++) {
        const affine *p = &a->joints[i], *q = &b->joints[i];
        largest = maths_max(largest, dvec3_length(dvec3_sub(p->t, q->t)) / job->size);
        largest = maths_max(largest, ARM * axis_distance(p->m.x, q->m.x));
        largest = maths_max(largest, ARM * axis_distance(p->m.y, q->m.y));
        largest = maths_max(largest, ARM * axis_distance(p->m.z, q->m.z));
    }
    for (size_t i = 0; i < job->weight_count; i++)
        largest = maths_max(largest, ARM * fabs((double)a->weights[i] - (double)b->weights[i]));
    return largest;
}

/// The size of the rig, or of its largest mesh without a skin if that is larger.
static double model_size(const zt_model *model, const affine *rest)
{
    double size = clip_box_diagonal(rest, model->node_count);
    for (uint32_t i = 0; i < model->node_count; i++) {
        const model_node *node = &model->nodes[i];
        if (node->mesh < 0 || node->skin >= 0)
            continue;
        const model_mesh *m = &model->meshes[node->mesh];
        const dvec3 diagonal =
            dvec3_sub(dvec3_from_floats(m->bounds_max), dvec3_from_floats(m->bounds_min));
        size = maths_max(size, dvec3_length(dmat3_transform(&rest[i].m, diagonal)));
    }
    return size;
}

static bool make_room(seam_job *job, arena *scratch, seam_pose poses[3])
{
    const size_t nodes = job->model->node_count;
    for (uint32_t i = 0; i < job->clip->channel_count; i++)
        job->weight_count += channel_weights(job, &job->clip->channels[i]);
    job->local = ARENA_ARRAY_RAW(scratch, trs, nodes);
    bool made = job->local != NULL;
    for (int i = 0; i < 3; i++) {
        poses[i].joints = ARENA_ARRAY_RAW(scratch, affine, nodes);
        poses[i].weights = ARENA_ARRAY_RAW(scratch, float, job->weight_count + 1);
        made = made && poses[i].joints && poses[i].weights;
    }
    return made;
}

zt_result model_clip_seam(const zt_model *model, const model_clip *clip, double start_s,
                          double end_s, double step_s, arena *scratch, clip_seam *out,
                          zt_error *err)
{
    seam_job job = {.model = model, .clip = clip};
    seam_pose poses[3]; // the first, and two of which one follows the other
    *out = (clip_seam){0};
    if (model->node_count == 0 || !(end_s > start_s))
        return ZT_OK;
    if (!make_room(&job, scratch, poses))
        return arena_fail(scratch, err, "poses of a clip");
    model_place_nodes(model, NULL, poses[0].joints);
    job.size = model_size(model, poses[0].joints);
    if (!(job.size > 0.0) || !isfinite(job.size))
        return ZT_OK;
    double steps = ceil((end_s - start_s) / step_s);
    const double joints = (double)JOINT_LIMIT / model->node_count;
    steps = steps < MAX_STEPS ? steps : MAX_STEPS;
    steps = steps < joints ? steps : floor(joints);
    steps = steps > MIN_STEPS ? steps : MIN_STEPS;
    take_pose(&job, start_s, &poses[0]);
    take_pose(&job, start_s, &poses[1]);
    for (double k = 1.0; k <= steps; k++) {
        const seam_pose before = poses[1];
        poses[1] = poses[2];
        poses[2] = before;
        take_pose(&job, start_s + (end_s - start_s) * (k / steps), &poses[1]);
        out->step = maths_max(out->step, pose_distance(&job, &poses[1], &before));
    }
    out->gap = pose_distance(&job, &poses[1], &poses[0]);
    return ZT_OK;
}
