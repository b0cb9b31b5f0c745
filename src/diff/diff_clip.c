// SPDX-License-Identifier: MIT
/// Clips by what they do: local transforms and morph weights at evenly spaced times.
#include "base/maths.h"
#include "diff/diff_parts.h"
#include "pose/pose.h"

enum { FRAMES = 64, TOLD = 0x80 };    ///< TOLD: besides bits 1 << model_path of a node
static const double tolerance = 2e-3; ///< of distance()

/// A clip of a model at a time.
typedef struct clip_side {
    const zt_model *model;
    const model_clip *clip;
    double length_s;
    float at_s;
    trs *local;
    affine *world;
    float *weights;
    long long keys;
} clip_side;

/// The distance of what moves of two nodes, bits 1 << model_path: in sizes of the model, radians,
/// factors, weights.
static double distance(const differ *d, const clip_side side[2], uint8_t moves, uint32_t a,
                       uint32_t b)
{
    const uint32_t nodes[2] = {a, b};
    const trs *x = &side[0].local[a], *y = &side[1].local[b];
    uint32_t count[2] = {0, 0};
    double far = 0.0, near = 0.0, opposite = 0.0;
    for (int k = 0; k < 3; k++) {
        if (moves >> MODEL_TRANSLATION & 1)
            far = maths_max(far, fabs((double)x->t[k] - (double)y->t[k]) / d->size);
        if (moves >> MODEL_SCALE & 1)
            far = maths_max(far, fabs((double)x->s[k] - (double)y->s[k]));
    }
    for (int k = 0; k < 4; k++) { // q and -q are one rotation
        const double a_k = (double)x->r[k], b_k = (double)y->r[k];
        near += (a_k - b_k) * (a_k - b_k);
        opposite += (a_k + b_k) * (a_k + b_k);
    }
    if (moves >> MODEL_ROTATION & 1)
        far = maths_max(far, 2.0 * sqrt(maths_min(near, opposite)));
    if (diff_same_place(d, &side[0].world[a],
                        &side[1].world[b])) // in other formats parents differ, too
        far = 0.0;
    for (int i = 0; i < 2 && moves >> MODEL_WEIGHTS & 1; i++) {
        const int32_t mesh = side[i].model->nodes[nodes[i]].mesh;
        count[i] = mesh < 0 ? 0 : side[i].model->meshes[mesh].morph_count;
        if (count[i] == 0)
            return far;
        pose_morph_rest(side[i].model, nodes[i], side[i].weights);
        pose_morph_sample(side[i].model, nodes[i], side[i].clip, side[i].at_s, side[i].weights);
    }
    for (uint32_t k = 0; k < count[0] && count[0] == count[1]; k++)
        far = maths_max(far, fabs((double)side[0].weights[k] - (double)side[1].weights[k]));
    return far;
}

/// `moves`: by node of the old model what one of the clips moves of it.
static zt_result open_side(differ *d, int i, uint32_t clip, uint8_t *moves, clip_side *out)
{
    const zt_model *m = d->model[i];
    const model_clip *c = &m->clips[clip];
    uint32_t morphs = 0;
    *out = (clip_side){.model = m, .clip = c, .length_s = (double)c->end_s - (double)c->start_s};
    for (uint32_t k = 0; k < m->mesh_count; k++)
        morphs = m->meshes[k].morph_count > morphs ? m->meshes[k].morph_count : morphs;
    for (uint32_t k = 0; k < c->channel_count; k++) {
        const uint32_t node = (uint32_t)c->channels[k].node, pair = d->nodes.partner[i][node];
        out->keys += c->channels[k].key_count;
        if (pair != DIFF_NONE)
            moves[i ? pair : node] |= (uint8_t)(1 << c->channels[k].path);
    }
    ZT_TRY(ARENA_TAKE_RAW(d->a, &out->world, m->node_count, "clips", d->err));
    ZT_TRY(ARENA_TAKE_RAW(d->a, &out->local, m->node_count, "clips", d->err));
    return ARENA_TAKE_RAW(d->a, &out->weights, morphs, "clips", d->err);
}

static zt_result pose_side(differ *d, clip_side *side, double time_s)
{
    const uint64_t steps = (uint64_t)side->model->node_count + side->clip->channel_count;
    ZT_TRY(arena_work(d->a, steps, "clips", d->err));
    side->at_s = (float)((double)side->clip->start_s + time_s);
    model_sample_clip(side->model, side->clip, side->at_s, side->local);
    model_place_nodes(side->model, side->local, side->world);
    return ZT_OK;
}

zt_result diff_clip(differ *d, uint32_t a, uint32_t b)
{
    const uint32_t count = d->model[0]->node_count;
    clip_side side[2];
    uint8_t *moves;
    uint32_t others = 0, worst_node = 0;
    double worst = 0.0, worst_s = 0.0;
    ZT_TRY(ARENA_TAKE(d->a, &moves, count, "clips", d->err));
    ZT_TRY(open_side(d, 0, a, moves, &side[0]));
    ZT_TRY(open_side(d, 1, b, moves, &side[1]));
    for (int frame = 0; frame < FRAMES; frame++) {
        const double at_s = maths_min(side[0].length_s, side[1].length_s) * frame / (FRAMES - 1);
        for (int i = 0; i < 2; i++)
            ZT_TRY(pose_side(d, &side[i], at_s));
        for (uint32_t n = 0; n < count; n++) {
            const uint32_t pair = d->nodes.partner[0][n];
            const double far = moves[n] ? distance(d, side, moves[n], n, pair) : 0.0;
            if (!(far > tolerance))
                continue;
            others += !(moves[n] & TOLD);
            moves[n] |= TOLD;
            if (far <= worst)
                continue;
            worst = far;
            worst_s = at_s;
            worst_node = pair;
        }
    }
    const bool longer = fabs(side[0].length_s - side[1].length_s) > 1e-4;
    if (longer)
        diff_say(d, "length %.4g s -> %.4g s", side[0].length_s, side[1].length_s);
    if (others > 0)
        diff_say(d, "other motion, most of '%.100s' at %.3g s (nodes: %u of %u)",
                 d->model[1]->nodes[worst_node].name, worst_s, others, count);
    if (longer || others > 0)
        diff_say(d, "%lld -> %lld keys", side[0].keys, side[1].keys);
    d->worst_s = others > 0 ? worst_s : (double)NAN;
    return ZT_OK;
}
