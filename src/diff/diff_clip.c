// SPDX-License-Identifier: MIT
/// Clips by what they do: local transforms and morph weights at evenly spaced times.
#include "base/maths.h"
#include "diff/diff_parts.h"
#include "pose/pose.h"

#include <string.h>

enum { FRAMES = 64, TOLD = 0x80 };    ///< TOLD: besides bits 1 << model_path of a node
static const double tolerance = 2e-3; ///< of diff_distance() and weights

/// A clip of a model at a time.
typedef struct clip_side {
    const zt_model *model;
    const model_clip *clip;
    float at_s;
    long long keys, weights; ///< weights: channels that move those of morph targets
    trs *local;
    affine *world;
    float *morphs; ///< memory for weights
} clip_side;

/// `moves`: by node of the old model what one of the clips moves of it.
static zt_result open_side(differ *d, int side, uint32_t clip, uint8_t *moves, clip_side *out)
{
    const zt_model *m = d->model[side];
    const model_clip *c = &m->clips[clip];
    uint32_t morphs = 0;
    *out = (clip_side){.model = m, .clip = c};
    for (uint32_t k = 0; k < m->mesh_count; k++)
        morphs = m->meshes[k].morph_count > morphs ? m->meshes[k].morph_count : morphs;
    ZT_TRY(ARENA_TAKE_RAW(&d->scratch, &out->local, m->node_count, "clips", d->err));
    ZT_TRY(ARENA_TAKE_RAW(&d->scratch, &out->world, m->node_count, "clips", d->err));
    ZT_TRY(ARENA_TAKE_RAW(&d->scratch, &out->morphs, morphs, "clips", d->err));
    for (uint32_t k = 0; k < c->channel_count; k++) {
        const model_channel *channel = &c->channels[k];
        const uint32_t node = (uint32_t)channel->node;
        const uint32_t pair = d->things[DIFF_NODES].list[side][node].partner;
        out->keys += channel->key_count;
        out->weights += channel->path == MODEL_WEIGHTS;
        if (pair != DIFF_NONE)
            moves[side ? pair : node] |= (uint8_t)(1 << channel->path);
    }
    return ZT_OK;
}

/// The distance of what the clips move of two nodes, bits 1 << model_path.
static double distance(const differ *d, const clip_side side[2], uint8_t moves, uint32_t a,
                       uint32_t b)
{
    const uint32_t node[2] = {a, b};
    uint32_t count[2] = {0, 0};
    model_node x = side[0].model->nodes[a], y = side[1].model->nodes[b];
    x.rest = y.rest = side[1].local[b];
    for (int path = MODEL_TRANSLATION; path <= MODEL_SCALE; path++)
        if (moves >> path & 1)
            memcpy(trs_part(&x.rest, path), trs_const_part(&side[0].local[a], path),
                   trs_width(path) * sizeof(float));
    const affine step = model_rest_step(&x), other = model_rest_step(&y);
    // In other formats parents differ, too.
    double far = maths_min(diff_distance(d, &step, &other),
                           diff_distance(d, &side[0].world[a], &side[1].world[b]));
    for (int i = 0; i < 2 && moves >> MODEL_WEIGHTS & 1; i++) {
        const int32_t mesh = side[i].model->nodes[node[i]].mesh;
        count[i] = mesh < 0 ? 0 : side[i].model->meshes[mesh].morph_count;
        if (count[i] == 0)
            return far;
        pose_morph_rest(side[i].model, node[i], side[i].morphs);
        pose_morph_sample(side[i].model, node[i], side[i].clip, side[i].at_s, side[i].morphs);
    }
    for (uint32_t k = 0; k < count[0] && count[0] == count[1]; k++)
        far = maths_max(far, fabs((double)side[0].morphs[k] - (double)side[1].morphs[k]));
    return far;
}

/// Poses both at a time from their starts.
static zt_result pose_sides(differ *d, clip_side side[2], double time_s)
{
    for (clip_side *s = side; s < side + 2; s++) {
        const uint64_t steps =
            s->model->node_count + s->clip->channel_count * (1 + (uint64_t)s->weights);
        ZT_TRY(arena_work(&d->scratch, steps, "clips", d->err));
        s->at_s = (float)((double)s->clip->start_s + time_s);
        model_sample_clip(s->model, s->clip, s->at_s, s->local);
        model_place_nodes(s->model, s->local, s->world);
    }
    return ZT_OK;
}

zt_result diff_clip(differ *d, uint32_t a, uint32_t b)
{
    const model_clip *x = &d->model[0]->clips[a], *y = &d->model[1]->clips[b];
    const double length = (double)x->end_s - (double)x->start_s;
    const double other = (double)y->end_s - (double)y->start_s;
    const bool longer = fabs(length - other) > 1e-4;
    const uint32_t count = d->model[0]->node_count;
    clip_side side[2];
    uint8_t *moves;
    uint32_t moved = 0, worst_node = 0;
    double worst = tolerance, worst_s = (double)NAN;
    arena_reset(&d->scratch);
    ZT_TRY(ARENA_TAKE(&d->scratch, &moves, count, "clips", d->err));
    ZT_TRY(open_side(d, 0, a, moves, &side[0]));
    ZT_TRY(open_side(d, 1, b, moves, &side[1]));
    for (int frame = 0; frame < FRAMES; frame++) {
        const double at_s = maths_min(length, other) * frame / (FRAMES - 1);
        ZT_TRY(pose_sides(d, side, at_s));
        for (uint32_t n = 0; n < count; n++) {
            const uint32_t pair = d->things[DIFF_NODES].list[0][n].partner;
            const double far = moves[n] ? distance(d, side, moves[n], n, pair) : 0.0;
            moved += far > tolerance && !(moves[n] & TOLD);
            moves[n] |= far > tolerance ? TOLD : 0;
            if (far > worst) {
                worst = far;
                worst_s = at_s;
                worst_node = pair;
            }
        }
    }
    if (longer)
        diff_say(d, "length %.4g s -> %.4g s", length, other);
    if (moved > 0)
        diff_say(d, "other motion, most of '%.100s' at %.3g s (nodes: %u of %u)",
                 d->model[1]->nodes[worst_node].name, worst_s, moved, count);
    if (longer || moved > 0)
        diff_say(d, "%lld -> %lld keys", side[0].keys, side[1].keys);
    d->worst_s = worst_s;
    return ZT_OK;
}
