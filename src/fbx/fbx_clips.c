// SPDX-License-Identifier: MIT
/// From stacks to clips. Angles, pivots and layers are no linear functions of keys: each model is
/// sampled at the times of its keys, and between them until linear interpolation of translation and
/// scale is off by at most 1e-5 of their largest values, and slerp of rotations by 1e-5.
#include "base/maths.h"
#include "base/subdivide.h"
#include "fbx/fbx_parts.h"

#include <math.h>
#include <string.h>

/// Halves of halves of the time between two keys, at most.
enum { POSE_PARTS = 1 << 8, WEIGHT_PARTS = 1 << 12, TIMES_MAX = 1 << 22 };

/// Steps of work for a pose, a key, a layer that is asked, and a curve's value. Samples count a
/// quarter of their nanoseconds: honest curves are packed, and take thousands for a byte.
enum { POSE_STEPS = 32, KEY_STEPS = 32, LAYER_STEPS = 4, CURVE_STEPS = 16 };

static const double tolerance = 1e-5, turn_max_deg = 80.0;

/// A pose of one model at a time, or weights of its blend shapes.
typedef struct clip_sample {
    double time_s;
    dvec3 angles_deg; ///< with whole turns, which pose.r has not
    fbx_transform pose;
} clip_sample;

typedef struct key_times {
    double *time;
    uint32_t count, capacity;
    bool moves;   ///< there are curves, or constant values of layers
    bool goes_on; ///< a curve ends inside of the stack and does not stay
} key_times;

typedef struct clip_maker {
    fbx_file *f;
    const fbx_stack *stack;
    arena *work;           ///< of one model or mesh
    uint64_t sample_steps; ///< the work of a sample of it
    model_channel *channels;
    uint32_t channel_count, channel_capacity;
    zt_error *err;
} clip_maker;

// ---- Times --------------------------------------------------------------------------------------

static zt_result add_time(clip_maker *m, key_times *list, double time_s)
{
    if (list->count == TIMES_MAX)
        return zt_fail(m->err, ZT_ERR_LIMIT, "%s: more than %d keys", m->f->tree.path,
                       (int)TIMES_MAX);
    ZT_TRY(ARENA_GROW(m->work, list->time, list->count, list->capacity, "keys", m->err));
    if (time_s >= m->stack->start_s && time_s <= m->stack->end_s)
        list->time[list->count++] = time_s;
    return ZT_OK;
}

/// A moment before a time, as floats tell them apart.
static double before(double time_s)
{
    const float t = (float)time_s;
    return t != 0.0f ? (double)maths_float_before(t) : -1e-6;
}

/// Key times of a curve; where it jumps also the moment before, or that behind.
static zt_result add_curve(clip_maker *m, key_times *list, const fbx_curve *c)
{
    if (!c)
        return ZT_OK;
    m->sample_steps += CURVE_STEPS;
    ZT_TRY(arena_work(m->work, KEY_STEPS * (uint64_t)c->key_count, "keys", m->err));
    for (uint32_t i = 0; i < c->key_count; i++) {
        ZT_TRY(add_time(m, list, c->key[i].time_s));
        if (i > 0 && c->key[i - 1].interpolation == FBX_CONSTANT)
            ZT_TRY(add_time(m, list, before(c->key[i].time_s)));
        if (c->key[i].interpolation == FBX_CONSTANT_NEXT)
            ZT_TRY(add_time(m, list, -before(-c->key[i].time_s)));
    }
    return ZT_OK;
}

static bool goes_on(const fbx_curve *c, const fbx_stack *stack)
{
    return c && ((c->before.kind != 'C' && stack->start_s < c->key[0].time_s) ||
                 (c->after.kind != 'C' && stack->end_s > c->key[c->key_count - 1].time_s));
}

static zt_result add_channel_times(clip_maker *m, key_times *list, int32_t object,
                                   fbx_target target)
{
    for (uint32_t i = 0; i < m->stack->layer_count; i++) {
        const fbx_layer *layer = &m->stack->layer[i];
        const fbx_channel *c = fbx_layer_channel(layer, object, target);
        list->moves = list->moves || c;
        m->sample_steps += LAYER_STEPS;
        for (int k = 0; c && k < 3; k++) {
            list->goes_on = list->goes_on || goes_on(c->curve[k], m->stack);
            ZT_TRY(add_curve(m, list, c->curve[k]));
        }
        if (c && i > 0)
            ZT_TRY(add_curve(m, list, layer->weight_curve));
    }
    return arena_work(m->work, LAYER_STEPS * (1 + (uint64_t)m->stack->layer_count), "keys", m->err);
}

/// Times in order, each once as a float.
static void sort_times(key_times *list)
{
    uint32_t kept = 0;
    maths_sort(list->time, list->count);
    for (uint32_t i = 0; i < list->count; i++)
        if (kept == 0 || (float)list->time[i] > (float)list->time[kept - 1])
            list->time[kept++] = list->time[i];
    list->count = kept;
}

/// Ends a list, which stays empty when nothing moves, with the times of the stack, and with 30 of
/// each second where a curve goes on outside of its keys.
static zt_result finish_times(clip_maker *m, key_times *list)
{
    const fbx_stack *s = m->stack;
    if (!list->moves)
        return ZT_OK;
    ZT_TRY(add_time(m, list, s->start_s));
    ZT_TRY(add_time(m, list, s->end_s));
    const double span = s->end_s - s->start_s;
    if (list->goes_on)
        for (uint32_t i = 1; i < span * 30.0 && i < 100000; i++)
            ZT_TRY(add_time(m, list, s->start_s + i / 30.0));
    sort_times(list);
    return ZT_OK;
}

/// The times at which a model moves, with what it inherits.
static zt_result model_times(clip_maker *m, const fbx_placed *p, key_times *list)
{
    const fbx_file *f = m->f;
    for (const fbx_placed *at = p;;) {
        for (int t = at == p ? FBX_TRANSLATION : FBX_SCALING; t <= FBX_SCALING; t++)
            ZT_TRY(add_channel_times(m, list, at->object, (fbx_target)t));
        if (at->inherit == 1 || at->parent < 0 || !f->placed[at->parent].scaled)
            break;
        at = &f->placed[at->parent];
    }
    return finish_times(m, list);
}

// ---- Samples ------------------------------------------------------------------------------------

typedef struct sample_list {
    clip_sample *sample;
    uint32_t count, capacity;
    double largest_t, largest_s;
    bool turns_too_far; ///< in the smallest part between two keys
} sample_list;

static zt_result add_sample(clip_maker *m, sample_list *list, const clip_sample *sample)
{
    ZT_TRY(ARENA_GROW(m->work, list->sample, list->count, list->capacity, "keys", m->err));
    list->sample[list->count++] = *sample;
    return ZT_OK;
}

/// The sample at a time, its quaternion on the side of `near`.
static clip_sample sample_at(const clip_maker *m, const fbx_placed *p, double time_s,
                             const quat *near)
{
    clip_sample out = {.time_s = time_s};
    out.pose = fbx_placed_pose(m->f, p, m->stack, time_s, &out.angles_deg);
    quat *q = &out.pose.r;
    if (!quat_normalize(q))
        *q = quat_identity();
    if (near)
        *q = quat_on_side(*q, *near);
    return out;
}

static dvec3 lerp(dvec3 a, dvec3 b, double s)
{
    return dvec3_add(a, dvec3_scale(dvec3_sub(b, a), s));
}

/// From 180 degrees on, the shortest way from a to b may be another one.
static double turn_deg(const clip_sample *a, const clip_sample *b)
{
    const dvec3 d = dvec3_sub(b->angles_deg, a->angles_deg);
    return (fabs(d.x) + fabs(d.y)) + fabs(d.z);
}

/// True when interpolation from a to b misses the sample.
static bool is_off(const sample_list *list, const clip_sample *a, const clip_sample *b,
                   const clip_sample *at)
{
    const double s = (at->time_s - a->time_s) / (b->time_s - a->time_s);
    const dvec3 t = dvec3_sub(lerp(a->pose.t, b->pose.t, s), at->pose.t);
    const dvec3 scale = dvec3_sub(lerp(a->pose.s, b->pose.s, s), at->pose.s);
    const quat q = quat_slerp(a->pose.r, b->pose.r, s), r = at->pose.r;
    const double turn = fabs(quat_dot(q, r)); // cosine of half the angle
    return dvec3_largest(t) > tolerance * list->largest_t ||
           dvec3_largest(scale) > tolerance * list->largest_s ||
           1.0 - turn > 0.5 * tolerance * tolerance || turn_deg(a, at) > turn_max_deg ||
           turn_deg(at, b) > turn_max_deg;
}

/// The time in the middle of two, where floats tell it from both.
static bool find_middle(double from_s, double to_s, double *out_s)
{
    *out_s = 0.5 * (from_s + to_s);
    return (float)*out_s > (float)from_s && (float)*out_s < (float)to_s;
}

/// Samples between two key times: the first, the last, and those where intervals were cut.
typedef struct pose_span {
    const clip_maker *m;
    const fbx_placed *p;
    const sample_list *list;
    clip_sample at[POSE_PARTS + 1];
    uint32_t keys[POSE_PARTS + 1], key_count;
} pose_span;

/// Cuts in the middle where interpolation misses it, or the quarters before and behind it.
static zt_result cut_poses(void *user, uint32_t from, uint32_t to, uint32_t *out_cut)
{
    pose_span *span = user;
    const clip_sample *a = &span->at[from], *b = &span->at[to];
    clip_sample *middle = &span->at[from + (to - from) / 2];
    double time_s;
    *out_cut = from;
    if (!find_middle(a->time_s, b->time_s, &time_s))
        return ZT_OK;
    for (int k = 0; k < 3 && *out_cut == from; k++) {
        ZT_TRY(arena_work(span->m->work, span->m->sample_steps, "keys", span->m->err));
        const clip_sample at = sample_at(span->m, span->p, time_s, &a->pose.r);
        if (is_off(span->list, a, b, &at))
            *out_cut = from + (to - from) / 2;
        *middle = k == 0 ? at : *middle;
        time_s = a->time_s + (b->time_s - a->time_s) * (k == 0 ? 0.25 : 0.75);
    }
    return ZT_OK;
}

static zt_result sample_model(clip_maker *m, const fbx_placed *p, const key_times *times,
                              sample_list *out)
{
    pose_span *span;
    ZT_TRY(ARENA_TAKE_RAW(m->work, &span, 1, "keys", m->err));
    span->m = m;
    span->p = p;
    span->list = out;
    out->largest_t = out->largest_s = 1e-9;
    ZT_TRY(arena_work(m->work, 2 * m->sample_steps * times->count, "keys", m->err));
    for (uint32_t i = 0; i < times->count; i++) {
        const clip_sample s = sample_at(m, p, times->time[i], NULL);
        out->largest_t = maths_max(out->largest_t, dvec3_largest(s.pose.t));
        out->largest_s = maths_max(out->largest_s, dvec3_largest(s.pose.s));
    }
    span->at[0] = sample_at(m, p, times->time[0], NULL);
    ZT_TRY(add_sample(m, out, &span->at[0]));
    for (uint32_t i = 1; i < times->count; i++) {
        span->at[POSE_PARTS] = sample_at(m, p, times->time[i], &span->at[0].pose.r);
        ZT_TRY(
            subdivide(POSE_PARTS, cut_poses, span, span->keys, &span->key_count, m->work, m->err));
        for (uint32_t k = 1; k < span->key_count; k++) {
            const uint32_t from = span->keys[k - 1], to = span->keys[k];
            out->turns_too_far |=
                from + 1 == to && turn_deg(&span->at[from], &span->at[to]) > 180.0;
            ZT_TRY(add_sample(m, out, &span->at[to]));
        }
        span->at[0] = span->at[POSE_PARTS];
    }
    return ZT_OK;
}

// ---- Channels -----------------------------------------------------------------------------------

static bool part_is_constant(const float *value, uint32_t count, uint32_t width)
{
    for (uint32_t i = 1; i < count; i++)
        if (memcmp(value, value + (size_t)i * width, width * sizeof *value) != 0)
            return false;
    return true;
}

/// A channel; one value that does not change is one key.
static zt_result keep_channel(clip_maker *m, int32_t node, model_path path, const float *time,
                              const float *value, uint32_t count, uint32_t width)
{
    const uint32_t keys = part_is_constant(value, count, width) ? 1 : count;
    float *kept;
    ZT_TRY(ARENA_TAKE_RAW(m->f->keep, &kept, (size_t)keys * width, "keys", m->err));
    memcpy(kept, value, (size_t)keys * width * sizeof *kept);
    ZT_TRY(ARENA_GROW(m->f->keep, m->channels, m->channel_count, m->channel_capacity, "channels",
                      m->err));
    m->channels[m->channel_count++] = (model_channel){.node = node,
                                                      .path = path,
                                                      .interpolation = MODEL_LINEAR,
                                                      .key_count = keys,
                                                      .time_s = time,
                                                      .value = kept};
    return ZT_OK;
}

static bool fits(const trs *x)
{
    for (int k = 0; k < 3; k++)
        if (!(fabsf(x->t[k]) < 1e30f) || !(fabsf(x->s[k]) < 1e30f))
            return false;
    return true;
}

static zt_result keep_samples(clip_maker *m, const fbx_placed *p, const sample_list *list)
{
    float *time, *value[3];
    const uint32_t n = list->count;
    ZT_TRY(ARENA_TAKE_RAW(m->f->keep, &time, n, "keys", m->err));
    for (int k = 0; k < 3; k++)
        ZT_TRY(ARENA_TAKE_RAW(m->work, &value[k], 4 * (size_t)n, "keys", m->err));
    for (uint32_t i = 0; i < n; i++) {
        const trs x = fbx_transform_trs(&list->sample[i].pose);
        if (!fits(&x))
            return model_warn(&m->f->report, m->err,
                              "clip '%.64s' has values that are too large: "
                              "a node stands still",
                              m->stack->name);
        time[i] = (float)list->sample[i].time_s;
        memcpy(value[0] + 3 * (size_t)i, x.t, sizeof x.t);
        memcpy(value[1] + 4 * (size_t)i, x.r, sizeof x.r);
        memcpy(value[2] + 3 * (size_t)i, x.s, sizeof x.s);
    }
    ZT_TRY(keep_channel(m, p->node, MODEL_TRANSLATION, time, value[0], n, 3));
    ZT_TRY(keep_channel(m, p->node, MODEL_ROTATION, time, value[1], n, 4));
    return keep_channel(m, p->scale_node, MODEL_SCALE, time, value[2], n, 3);
}

/// The samples of one model, which a thread makes.
typedef struct model_samples {
    arena work;
    sample_list list; ///< empty: nothing moves it
    zt_result result;
    zt_error err;
} model_samples;

/// Models that are sampled before their keys are kept.
enum { MODELS_AT_ONCE = 64 };

typedef struct sample_loop {
    const clip_maker *maker;
    const uint32_t *placed; ///< the first
    model_samples model[MODELS_AT_ONCE];
    uint32_t *moved, moved_count; ///< placed models that the stack may move
    uint32_t *seen;               ///< by placed model: 1 + the last stack that moved it
    bool moves_shapes;            ///< the stack does
} sample_loop;

static zt_result make_samples(clip_maker *m, const fbx_placed *p, sample_list *out)
{
    key_times times = {0};
    ZT_TRY(model_times(m, p, &times));
    return times.count > 0 ? sample_model(m, p, &times, out) : ZT_OK;
}

static void sample_job(void *user, int64_t index, int32_t worker)
{
    sample_loop *loop = user;
    model_samples *own = &loop->model[index];
    clip_maker m = *loop->maker;
    (void)worker;
    m.work = &own->work;
    m.err = &own->err;
    m.sample_steps = POSE_STEPS;
    own->result = make_samples(&m, &m.f->placed[loop->placed[index]], &own->list);
}

static zt_result keep_model(clip_maker *m, const fbx_placed *p, model_samples *own)
{
    m->work = &own->work;
    if (own->result != ZT_OK)
        return zt_fail(m->err, own->result, "%s", own->err.message);
    if (own->list.turns_too_far)
        ZT_TRY(model_unsupported(&m->f->report, m->err,
                                 "clip '%.64s' turns a node more than 128 times "
                                 "between two keys: it turns another way",
                                 m->stack->name));
    return own->list.count > 0 ? keep_samples(m, p, &own->list) : ZT_OK;
}

/// Samples `count` models on all threads, and keeps their keys in order.
static zt_result make_models(clip_maker *m, sample_loop *loop, uint32_t count)
{
    zt_result result = ZT_OK;
    for (uint32_t i = 0; i < count; i++) {
        loop->model[i] = (model_samples){.result = ZT_OK};
        arena_init(&loop->model[i].work, m->f->lasting->budget);
    }
    job_pool_run(count > 1 ? m->f->source->pool : NULL, count, sample_job, loop);
    for (uint32_t i = 0; i < count; i++) {
        if (result == ZT_OK)
            result = keep_model(m, &m->f->placed[loop->placed[i]], &loop->model[i]);
        arena_finish(&loop->model[i].work);
    }
    return result;
}

// ---- Blend shapes -------------------------------------------------------------------------------

static zt_result weight_times(clip_maker *m, const fbx_mesh_use *use, key_times *list)
{
    for (uint32_t b = 0; b < use->blend_count; b++)
        ZT_TRY(add_channel_times(m, list, use->blends[b].object,
                                 fbx_deform_target(use->blends[b].shape)));
    return finish_times(m, list);
}

static void weights_at(const clip_maker *m, const fbx_mesh_use *use, double time_s, float *out)
{
    for (uint32_t b = 0; b < use->blend_count; b++) {
        const fbx_blend *blend = &use->blends[b];
        const double percent =
            fbx_deform_at(m->stack, blend->object, blend->shape, blend->rest, time_s);
        fbx_blend_weights(blend, percent, out + blend->first);
    }
}

/// Times between two keys, as in pose_span, and rows of weights at the ends of an interval and
/// inside it.
typedef struct weight_span {
    const clip_maker *m;
    const fbx_mesh_use *use;
    float *row[3]; ///< [target_count]
    double time_s[WEIGHT_PARTS + 1];
    uint32_t keys[WEIGHT_PARTS + 1], key_count;
} weight_span;

/// True when weights between two times are not on the line between those at the two.
static bool weights_bend(const weight_span *span, double a_s, double b_s)
{
    weights_at(span->m, span->use, a_s, span->row[0]);
    weights_at(span->m, span->use, b_s, span->row[1]);
    for (int k = 1; k < 4; k++) {
        const float s = (float)k / 4.0f;
        weights_at(span->m, span->use, a_s + (b_s - a_s) * k / 4.0, span->row[2]);
        for (uint32_t i = 0; i < span->use->target_count; i++) {
            const float a = span->row[0][i], b = span->row[1][i];
            if (fabsf(a + (b - a) * s - span->row[2][i]) > 1e-4f)
                return true;
        }
    }
    return false;
}

static zt_result cut_weights(void *user, uint32_t from, uint32_t to, uint32_t *out_cut)
{
    weight_span *span = user;
    const uint32_t middle = from + (to - from) / 2;
    const double from_s = span->time_s[from], to_s = span->time_s[to];
    ZT_TRY(arena_work(span->m->work, 5 * span->m->sample_steps, "keys", span->m->err));
    const bool is_cut =
        find_middle(from_s, to_s, &span->time_s[middle]) && weights_bend(span, from_s, to_s);
    *out_cut = is_cut ? middle : from;
    return ZT_OK;
}

static zt_result make_weights(clip_maker *m, const fbx_mesh_use *use)
{
    key_times times = {0}, all = {0};
    weight_span *span;
    float *time, *value;
    const uint32_t width = use->target_count;
    m->sample_steps = 4 * (uint64_t)width;
    ZT_TRY(weight_times(m, use, &times));
    if (times.count == 0)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE_RAW(m->work, &span, 1, "keys", m->err));
    span->m = m;
    span->use = use;
    for (int k = 0; k < 3; k++)
        ZT_TRY(ARENA_TAKE_RAW(m->work, &span->row[k], width, "keys", m->err));
    for (uint32_t i = 0; i + 1 < times.count; i++) {
        span->time_s[0] = times.time[i];
        span->time_s[WEIGHT_PARTS] = times.time[i + 1];
        ZT_TRY(subdivide(WEIGHT_PARTS, cut_weights, span, span->keys, &span->key_count, m->work,
                         m->err));
        for (uint32_t k = 0; k + 1 < span->key_count; k++)
            ZT_TRY(add_time(m, &all, span->time_s[span->keys[k]]));
    }
    ZT_TRY(add_time(m, &all, times.time[times.count - 1]));
    sort_times(&all);
    ZT_TRY(ARENA_TAKE_RAW(m->f->keep, &time, all.count, "keys", m->err));
    ZT_TRY(ARENA_TAKE_RAW(m->work, &value, (size_t)all.count * width, "keys", m->err));
    for (uint32_t i = 0; i < all.count; i++) {
        ZT_TRY(arena_work(m->work, m->sample_steps, "keys", m->err));
        time[i] = (float)all.time[i];
        weights_at(m, use, all.time[i], value + (size_t)i * width);
    }
    return keep_channel(m, use->node, MODEL_WEIGHTS, time, value, all.count, width);
}

// ---- Clips --------------------------------------------------------------------------------------

/// The span of all keys, where a stack has none of its own.
static void find_span(fbx_stack *stack)
{
    bool any = false;
    if (stack->end_s > stack->start_s)
        return;
    for (uint32_t l = 0; l < stack->layer_count; l++)
        for (uint32_t i = 0; i < stack->layer[l].channel_count; i++)
            for (int k = 0; k < 3; k++) {
                const fbx_curve *c = stack->layer[l].channel[i].curve[k];
                if (!c)
                    continue;
                const double first = c->key[0].time_s, last = c->key[c->key_count - 1].time_s;
                stack->start_s = any ? maths_min(stack->start_s, first) : first;
                stack->end_s = any ? maths_max(stack->end_s, last) : last;
                any = true;
            }
}

static void add_moved(sample_loop *loop, int32_t placed, uint32_t stack)
{
    if (placed < 0 || loop->seen[placed] == stack)
        return;
    loop->seen[placed] = stack;
    loop->moved[loop->moved_count++] = (uint32_t)placed;
}

/// The models that have channels in a stack, and those below that may inherit their scale.
/// `number`: of the stack, from 1 on.
static void find_moved(const clip_maker *m, sample_loop *loop, uint32_t number)
{
    const fbx_file *f = m->f;
    loop->moved_count = 0;
    loop->moves_shapes = false;
    for (uint32_t l = 0; l < m->stack->layer_count; l++) {
        const fbx_layer *layer = &m->stack->layer[l];
        arena_count(f->lasting, layer->channel_count);
        for (uint32_t i = 0; i < layer->channel_count; i++) {
            loop->moves_shapes |= layer->channel[i].target >= FBX_DEFORM;
            add_moved(loop, f->placed_of[layer->channel[i].object], number);
        }
    }
    for (uint32_t i = 0; i < loop->moved_count; i++) {
        const fbx_placed *p = &f->placed[loop->moved[i]];
        arena_count(f->lasting, p->child_count);
        for (uint32_t c = p->first_child; c < p->first_child + p->child_count && p->scaled; c++)
            if (f->placed[c].inherit != 1)
                add_moved(loop, (int32_t)c, number);
    }
}

static zt_result make_clip(fbx_file *f, const fbx_stack *from, sample_loop *loop, model_clip *out,
                           zt_error *err)
{
    fbx_stack stack = *from;
    clip_maker m = {.f = f, .stack = &stack, .err = err};
    find_span(&stack);
    loop->maker = &m;
    find_moved(&m, loop, 1 + (uint32_t)(from - f->motion.stack));
    for (uint32_t i = 0; i < loop->moved_count; i += MODELS_AT_ONCE) {
        const uint32_t left = loop->moved_count - i;
        loop->placed = &loop->moved[i];
        ZT_TRY(make_models(&m, loop, left < MODELS_AT_ONCE ? left : MODELS_AT_ONCE));
    }
    for (uint32_t i = 0; i < f->use_count && loop->moves_shapes; i++) {
        arena work;
        arena_init(&work, f->lasting->budget);
        m.work = &work;
        const zt_result result = make_weights(&m, &f->uses[i]);
        arena_finish(&work);
        ZT_TRY(result);
    }
    *out = (model_clip){.start_s = (float)stack.start_s,
                        .end_s = (float)stack.end_s,
                        .channel_count = m.channel_count,
                        .channels = m.channels};
    return ARENA_TEXT(f->keep, &out->name, stack.name, "a name", err);
}

zt_result fbx_make_clips(fbx_file *f, zt_error *err)
{
    model_clip *clips;
    sample_loop *loop;
    ZT_TRY(ARENA_TAKE(f->keep, &clips, f->motion.stack_count, "clips", err));
    ZT_TRY(ARENA_TAKE(f->lasting, &loop, 1, "clips", err));
    ZT_TRY(ARENA_TAKE(f->lasting, &loop->moved, f->placed_count, "clips", err));
    ZT_TRY(ARENA_TAKE(f->lasting, &loop->seen, f->placed_count, "clips", err));
    for (uint32_t i = 0; i < f->motion.stack_count; i++) {
        model_clip *clip = &clips[f->model->clip_count];
        ZT_TRY(make_clip(f, &f->motion.stack[i], loop, clip, err));
        f->model->clip_count += clip->channel_count > 0;
    }
    f->model->clips = clips;
    return ZT_OK;
}
