// SPDX-License-Identifier: MIT
/// Bones of the source between that of a bone and that of the bone above it.
#include "retarget/retarget_clip.h"

#include <string.h>

zt_result retarget_fail(const retarget_build *b)
{
    return arena_fail(b->scratch->failed ? b->scratch : b->keep, b->err, "retargeted keys");
}

zt_result retarget_spend(const retarget_build *b, uint64_t work)
{
    if (*b->work < work)
        return zt_fail(b->err, ZT_ERR_LIMIT,
                       "clips move too many bones one below the other to be retargeted");
    *b->work -= work;
    return ZT_OK;
}

static void fill_step(const retarget_build *b, retarget_step *s)
{
    const model_node *node = &b->r->from.model->nodes[s->node];
    s->constant = node->rest;
    for (uint32_t path = 0; path < RETARGET_PATHS; path++) {
        const uint32_t slot = b->last[(uint32_t)s->node * RETARGET_PATHS + path];
        s->channel[path] = NULL;
        s->given[path] = false;
        if (!slot || node->has_matrix)
            continue;
        const model_channel *c = &b->from->channels[slot - 1];
        const float *constant = clip_constant_value(c);
        float *part = trs_part(&s->constant, (int)path);
        s->given[path] = true;
        if (constant)
            memcpy(part, constant, clip_width((model_path)path) * sizeof *part);
        else
            s->channel[path] = c;
    }
}

zt_result retarget_find_path(retarget_build *b, retarget_path *p, int32_t from, int32_t to,
                             uint32_t *out_down)
{
    const model_node *nodes = b->r->from.model->nodes;
    int32_t top = from, other = to;
    while (top != other) {
        if (top > other)
            top = nodes[top].parent;
        else
            other = nodes[other].parent;
    }
    uint32_t count = 0;
    for (int32_t i = from; i != top; i = nodes[i].parent)
        count++;
    *out_down = count;
    for (int32_t i = to; i != top; i = nodes[i].parent)
        count++;
    ZT_TRY(retarget_spend(b, count + 1));
    if (count > p->capacity) {
        p->capacity = 2 * count;
        p->steps = ARENA_ARRAY_RAW(b->scratch, retarget_step, p->capacity);
        if (!p->steps)
            return retarget_fail(b);
    }
    p->count = count;
    uint32_t at = 0;
    for (int32_t i = from; i != top; i = nodes[i].parent)
        p->steps[at++] = (retarget_step){.node = i, .inverse = true};
    at = count;
    for (int32_t i = to; i != top; i = nodes[i].parent)
        p->steps[--at] = (retarget_step){.node = i};
    for (uint32_t i = 0; i < count; i++)
        fill_step(b, &p->steps[i]);
    return ZT_OK;
}

/// The part of a step at a time, in clip_width((model_path)path) floats.
static void sample_step(const retarget_step *s, uint32_t path, float time_s, float *out)
{
    if (s->channel[path])
        model_sample_channel(s->channel[path], time_s, clip_width((model_path)path), out);
    else
        memcpy(out, trs_const_part(&s->constant, (int)path), trs_width((int)path) * sizeof *out);
}

static quat matrix_turn(const model_node *node)
{
    const affine m = affine_from_floats(&node->matrix[0][0]);
    quat q = quat_identity();
    quat_from_axes(&m.m, &q);
    return q;
}

static quat step_rotation(const retarget_build *b, const retarget_step *s, float time_s)
{
    const model_node *node = &b->r->from.model->nodes[s->node];
    float value[4];
    if (node->has_matrix)
        return s->inverse ? quat_conjugate(matrix_turn(node)) : matrix_turn(node);
    sample_step(s, MODEL_ROTATION, time_s, value);
    quat q = quat_from_floats(value);
    q = retarget_turn(node, quat_normalize(&q) ? q : quat_identity());
    return s->inverse ? quat_conjugate(q) : q;
}

quat retarget_path_rotation(const retarget_build *b, const retarget_path *p, uint32_t first,
                            uint32_t end, float time_s)
{
    quat q = quat_identity();
    for (uint32_t i = first; i < end; i++)
        q = quat_multiply(q, step_rotation(b, &p->steps[i], time_s));
    return q;
}

static affine step_affine(const retarget_build *b, const retarget_step *s, float time_s)
{
    const model_node *node = &b->r->from.model->nodes[s->node];
    trs local;
    mat4 m;
    if (node->has_matrix)
        return affine_from_floats(&node->matrix[0][0]);
    sample_step(s, MODEL_TRANSLATION, time_s, local.t);
    sample_step(s, MODEL_ROTATION, time_s, local.r);
    sample_step(s, MODEL_SCALE, time_s, local.s);
    trs_to_mat4(&local, m);
    return affine_from_floats(m[0]);
}

affine retarget_steps_above(const retarget_build *b, float time_s)
{
    affine above = affine_identity();
    for (uint32_t i = 0; i + 1 < b->own.count; i++) {
        affine own = step_affine(b, &b->own.steps[i], time_s), inverse;
        if (b->own.steps[i].inverse)
            own = affine_invert(&own, &inverse) ? inverse : affine_identity();
        above = affine_multiply(&above, &own);
    }
    return above;
}

dvec3 retarget_steps_position(const retarget_build *b, float time_s)
{
    float t[3];
    const affine above = retarget_steps_above(b, time_s);
    const retarget_step *last = &b->own.steps[b->own.count - 1];
    if (b->r->from.model->nodes[last->node].has_matrix)
        return affine_point(&above, step_affine(b, last, time_s).t);
    sample_step(last, MODEL_TRANSLATION, time_s, t);
    return affine_point(&above, dvec3_from_floats(t));
}
