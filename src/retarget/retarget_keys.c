// SPDX-License-Identifier: MIT
/// The keys of a retargeted clip.
#include "base/maths.h"
#include "base/subdivide.h"
#include "retarget/retarget_clip.h"

#include <math.h>
#include <string.h>

static bool unit_part(quat *q, float *out)
{
    const bool unit = quat_normalize(q);
    quat_to_floats(unit ? *q : quat_identity(), out);
    return unit;
}

void retarget_evaluate(const retarget_build *b, const retarget_goal *g, float time_s,
                       double value[4], float *out)
{
    if (g->path == MODEL_ROTATION) {
        quat q = retarget_path_rotation(b, &b->own, 0, b->own.count, time_s);
        q = quat_multiply(quat_multiply(g->before, retarget_reflect(b->r, q)), g->after);
        if (g->leg)
            q = quat_multiply(
                quat_multiply(g->before_leg, retarget_bend(b, g->leg, g->node, q, time_s)),
                g->after_leg);
        unit_part(&q, out);
        value[0] = q.x;
        value[1] = q.y;
        value[2] = q.z;
        value[3] = q.w;
        return;
    }
    const dvec3 step = dvec3_sub(retarget_steps_position(b, time_s), g->steps_rest);
    dvec3 p = dvec3_add(g->rest, dmat3_transform(&g->from_source, step));
    if (g->swings) {
        quat q = retarget_path_rotation(b, &b->own, 0, b->own.count, time_s);
        q = quat_multiply(quat_multiply(g->before, q), g->after);
        const dvec3 swing = dvec3_sub(quat_rotate(q, g->pivot), g->pivot);
        p = dvec3_add(p,
                      dmat3_transform(&g->parent, dvec3_add(swing, retarget_hips_way(b, time_s))));
    }
    dvec3_store(p, value);
    dvec3_to_floats(p, out);
}

zt_result retarget_add_channel(retarget_build *b, const retarget_goal *g,
                               model_interpolation interpolation, uint32_t count,
                               const float *time_s, const float *value)
{
    if (!time_s || !value)
        return retarget_fail(b);
    const size_t floats = (size_t)count * (interpolation == MODEL_CUBIC ? 3 : 1);
    if (g->path != MODEL_WEIGHTS)
        for (size_t i = 0; i < floats * clip_width(g->path); i++)
            if (!isfinite(value[i]))
                return zt_fail(b->err, ZT_ERR_FORMAT, "bones move too far to be retargeted");
    b->channels[b->channel_count++] = (model_channel){.node = g->node,
                                                      .path = g->path,
                                                      .interpolation = interpolation,
                                                      .key_count = count,
                                                      .time_s = time_s,
                                                      .value = value};
    return ZT_OK;
}

zt_result retarget_add_like(retarget_build *b, const retarget_goal *g, const model_channel *c,
                            const float *value)
{
    return retarget_add_channel(b, g, c->interpolation, c->key_count,
                                clip_copy_times(&b->times, b->keep, c->time_s, c->key_count),
                                value);
}

/// Four floats through q -> before q after, where q may be conjugated and reflected first: a linear
/// map, so it maps tangents, too.
static void map_rotation(const retarget *r, const quat *before, const quat *after, bool inverse,
                         bool unit, const float *from, float *out)
{
    quat q = quat_from_floats(from);
    if (inverse)
        q = quat_conjugate(q);
    q = quat_multiply(quat_multiply(*before, retarget_reflect(r, q)), *after);
    if (unit)
        unit_part(&q, out);
    else
        quat_to_floats(q, out);
}

zt_result retarget_map_rotations(retarget_build *b, const retarget_goal *g, uint32_t index)
{
    const retarget_step *s = &b->own.steps[index];
    const model_channel *c = s->channel[MODEL_ROTATION];
    const model_node *node = &b->r->from.model->nodes[s->node];
    const bool cubic = c->interpolation == MODEL_CUBIC;
    const size_t parts = cubic ? 3 : 1, count = (size_t)c->key_count * parts;
    const quat turn = retarget_turn(node, quat_identity());
    quat before = retarget_path_rotation(b, &b->own, 0, index, 0.0f);
    quat after = retarget_path_rotation(b, &b->own, index + 1, b->own.count, 0.0f);
    if (s->inverse)
        before = quat_multiply(before, quat_conjugate(turn));
    else
        after = quat_multiply(turn, after);
    before = quat_multiply(g->before, retarget_reflect(b->r, before));
    after = quat_multiply(retarget_reflect(b->r, after), g->after);
    float *value = ARENA_ARRAY_RAW(b->keep, float, 4 * count);
    ZT_TRY(retarget_spend(b, count));
    for (size_t k = 0; value && k < count; k++)
        map_rotation(b->r, &before, &after, s->inverse, !cubic || k % 3 == 1, c->value + 4 * k,
                     value + 4 * k);
    return retarget_add_like(b, g, c, value);
}

zt_result retarget_map_positions(retarget_build *b, const retarget_goal *g)
{
    const retarget_step *last = &b->own.steps[b->own.count - 1];
    const model_channel *c = last->channel[MODEL_TRANSLATION];
    const bool cubic = c->interpolation == MODEL_CUBIC;
    const size_t count = (size_t)c->key_count * (cubic ? 3 : 1);
    const affine above = retarget_steps_above(b, 0.0f);
    float *value = ARENA_ARRAY_RAW(b->keep, float, 3 * count);
    ZT_TRY(retarget_spend(b, count));
    for (size_t k = 0; value && k < count; k++) {
        const dvec3 v = dvec3_from_floats(c->value + 3 * k);
        const bool tangent = cubic && k % 3 != 1;
        const dvec3 step = tangent ? dmat3_transform(&above.m, v)
                                   : dvec3_sub(affine_point(&above, v), g->steps_rest);
        const dvec3 p = dmat3_transform(&g->from_source, step);
        dvec3_to_floats(tangent ? p : dvec3_add(g->rest, p), value + 3 * k);
    }
    return retarget_add_like(b, g, c, value);
}

zt_result retarget_merge_times(retarget_build *b, retarget_times *all, const model_channel *c)
{
    const bool stepped = c->interpolation == MODEL_STEP;
    const size_t own = (size_t)c->key_count * (stepped ? 2 : 1);
    float *merged = ARENA_ARRAY_RAW(b->scratch, float, own + all->count);
    uint32_t count = 0, i = 0;
    size_t k = 0;
    ZT_TRY(retarget_spend(b, own + all->count));
    if (!merged)
        return retarget_fail(b);
    while (i < all->count || k < own) {
        // A step is a key just before the time, and one at it.
        const float at = k >= own ? 0.0f : c->time_s[stepped ? k / 2 : k];
        const float own_s = stepped && k % 2 == 0 ? maths_float_before(at) : at;
        const bool take_own = i >= all->count || (k < own && own_s < all->time_s[i]);
        const float next = take_own ? own_s : all->time_s[i];
        k += take_own;
        i += !take_own;
        if (count == 0 || next > merged[count - 1])
            merged[count++] = next;
    }
    *all = (retarget_times){merged, count, count};
    return ZT_OK;
}

/// The parts of an interval between two key times: all of one length, as short as the worst needs.
typedef struct even_parts {
    retarget_build *b;
    const retarget_goal *g;
    float from_s, to_s;
    uint32_t length; ///< of the shortest parts so far, in PARTS_MAX-ths of the interval
    bool fit;        ///< linear interpolation is good enough in each of them
} even_parts;

enum { PARTS_MAX = 1 << RETARGET_HALVINGS };

static float part_time(const even_parts *parts, double at)
{
    const double from_s = (double)parts->from_s, to_s = (double)parts->to_s;
    return (float)(from_s + (to_s - from_s) * at / PARTS_MAX);
}

/// The distance of a value from the one in the middle of two others, as interpolation has it.
static double middle_error(const retarget_goal *g, const double a[4], const double m[4],
                           const double c[4])
{
    if (g->path != MODEL_ROTATION) {
        const dvec3 middle = dvec3_scale(dvec3_add(dvec3_load(a), dvec3_load(c)), 0.5);
        return dvec3_length(dvec3_sub(dvec3_load(m), middle));
    }
    const quat from = {a[0], a[1], a[2], a[3]}, to = {c[0], c[1], c[2], c[3]};
    const quat middle = quat_slerp(from, to, 0.5);
    const double near =
        (middle.x - m[0]) * (middle.x - m[0]) + (middle.y - m[1]) * (middle.y - m[1]) +
        (middle.z - m[2]) * (middle.z - m[2]) + (middle.w - m[3]) * (middle.w - m[3]);
    const double far = 4.0 - near; // of -m, as both are of length 1
    const double least = near < far ? near : far;
    return 2.0 * sqrt(least > 0.0 ? least : 0.0);
}

static bool parts_fit(const even_parts *parts)
{
    double a[4], m[4], c[4];
    float unused[4];
    retarget_evaluate(parts->b, parts->g, parts->from_s, a, unused);
    for (uint32_t at = 0; at < PARTS_MAX; at += parts->length) {
        const float middle_s = part_time(parts, at + 0.5 * parts->length);
        retarget_evaluate(parts->b, parts->g, middle_s, m, unused);
        retarget_evaluate(parts->b, parts->g, part_time(parts, at + parts->length), c, unused);
        if (!(middle_error(parts->g, a, m, c) <= parts->g->limit))
            return false;
        memcpy(a, c, sizeof a);
    }
    return true;
}

/// The cost of an evaluation.
static uint64_t steps_of(const retarget_build *b)
{
    uint64_t count = (uint64_t)b->own.count + b->hips.count + 1;
    for (int i = 0; i < 2; i++)
        count += (uint64_t)b->leg[i].knee.count + b->leg[i].thigh.count + b->leg[i].foot.count;
    return count;
}

/// Cuts in the middle what is longer than the parts have to be.
static zt_result cut_evenly(void *user, uint32_t from, uint32_t to, uint32_t *out_cut)
{
    even_parts *parts = user;
    const uint32_t length = to - from;
    if (length < parts->length) {
        // Times of parts differ as floats: none is shorter than 16 roundings.
        const double from_s = (double)parts->from_s, to_s = (double)parts->to_s;
        const double least = 16.0 * 1.2e-7 * (fabs(from_s) + fabs(to_s));
        const uint32_t halves = 2 * (PARTS_MAX / length);
        parts->length = length;
        parts->fit = !((to_s - from_s) / halves > least);
        if (!parts->fit) {
            ZT_TRY(retarget_spend(parts->b, halves * steps_of(parts->b)));
            parts->fit = parts_fit(parts);
        }
    }
    *out_cut = length > parts->length || !parts->fit ? from + length / 2 : from;
    return ZT_OK;
}

static zt_result add_time(retarget_build *b, retarget_times *all, float time_s)
{
    ZT_TRY(ARENA_GROW(b->scratch, all->time_s, all->count, all->capacity, "clips", b->err));
    all->time_s[all->count++] = time_s;
    return ZT_OK;
}

zt_result retarget_make_keys(retarget_build *b, const retarget_goal *g, const retarget_times *times)
{
    retarget_times *all = &b->made;
    uint32_t keys[PARTS_MAX + 1], key_count;
    all->count = 0;
    for (uint32_t i = 0; i + 1 < times->count; i++) {
        even_parts parts = {b, g, times->time_s[i], times->time_s[i + 1], UINT32_MAX, false};
        ZT_TRY(subdivide(PARTS_MAX, cut_evenly, &parts, keys, &key_count, b->scratch, b->err));
        for (uint32_t k = 0; k + 1 < key_count; k++)
            ZT_TRY(add_time(b, all, part_time(&parts, keys[k])));
    }
    ZT_TRY(add_time(b, all, times->time_s[times->count - 1]));
    ZT_TRY(retarget_spend(b, all->count * steps_of(b)));
    float *time_s = ARENA_ARRAY_RAW(b->keep, float, all->count);
    float *value = ARENA_ARRAY_RAW(b->keep, float, (size_t)all->count *clip_width(g->path));
    for (uint32_t k = 0; time_s && value && k < all->count; k++) {
        double exact[4];
        time_s[k] = all->time_s[k];
        retarget_evaluate(b, g, time_s[k], exact, value + (size_t)k * clip_width(g->path));
    }
    return retarget_add_channel(b, g, MODEL_LINEAR, all->count, time_s, value);
}
