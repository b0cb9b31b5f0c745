// SPDX-License-Identifier: MIT
/// Animation sets -> clips. Keys: 0 rotations w x y z, 1 scales, 2 places, 3 and 4 matrices. The
/// rotations are those of row vectors: in ours they turn the other way, and the mirror turns x and
/// y back.
#include "base/quat.h"
#include "model/model_node.h"
#include "xfile/xfile_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROTATIONS = 0, SCALES = 1, PLACES = 2, MATRICES = 4, KEYS_MAX = 1 << 24 };

static const double ticks_default = 4800.0;

typedef struct clip_reader {
    xfile_reader *r;
    double ticks; ///< a second
    model_channel *channels;
    uint32_t channel_count;
    float start_s, end_s;
    uint32_t dropped_keys;
    zt_error *err;
} clip_reader;

/// The keys of a node, as they come: rises in time are made sure of.
typedef struct key_list {
    uint32_t count;
    float *time;
    float *value[3]; ///< of translation, rotation and scale
} key_list;

/// `lacks`: subtracted from places.
static bool key_value(const xfile_object *o, uint32_t type, uint32_t at, uint32_t numbers,
                      dvec3 lacks, trs *out)
{
    const double *v = o->number + at;
    affine local;
    for (uint32_t k = 0; k < numbers; k++)
        if (!(fabs(v[k]) < 1e18))
            return false;
    *out = trs_identity();
    if (type == ROTATIONS && numbers >= 4) {
        quat q = {v[1], v[2], -v[3], v[0]};
        if (!quat_normalize(&q))
            return false;
        quat_to_floats(q, out->r);
    } else if (type == SCALES && numbers >= 3) {
        dvec3_to_floats(dvec3_load(v), out->s);
    } else if (type == PLACES && numbers >= 3) {
        dvec3_to_floats(dvec3_sub((dvec3){v[0], v[1], -v[2]}, lacks), out->t);
    } else if (type > PLACES && numbers >= 16 && xfile_matrix(o, at, &local)) {
        local.t = dvec3_sub(local.t, lacks);
        (void)model_trs_from_affine(&local, out); // a shear is lost
    } else {
        return false;
    }
    return true;
}

static zt_result take_keys(clip_reader *c, uint32_t count, key_list *out)
{
    arena *keep = c->r->keep;
    ZT_TRY(ARENA_TAKE_RAW(keep, &out->time, count, "keys", c->err));
    for (int k = 0; k < 3; k++)
        ZT_TRY(ARENA_TAKE_RAW(keep, &out->value[k], trs_width(k) * (size_t)count, "keys", c->err));
    return ZT_OK;
}

static void add_key(clip_reader *c, key_list *list, float time_s, const trs *x)
{
    if (list->count > 0 && time_s <= list->time[list->count - 1]) {
        c->dropped_keys++;
        return;
    }
    list->time[list->count] = time_s;
    for (int k = 0; k < 3; k++) {
        const uint32_t width = trs_width(k);
        float *to = list->value[k] + (size_t)list->count * width;
        memcpy(to, trs_const_part(x, k), width * sizeof *to);
        if (k == MODEL_ROTATION && list->count > 0)
            quatf_keep_side(to - width, to);
    }
    list->count++;
}

/// An AnimationKey: its type, how many, and each with its time and how many numbers.
static zt_result read_keys(clip_reader *c, const xfile_object *o, int32_t node)
{
    const uint32_t type = xfile_count(o, 0, MATRICES, MATRICES + 1);
    const uint32_t count = xfile_count(o, 1, KEYS_MAX, 0);
    key_list list = {0};
    uint32_t at = 2;
    if (type > MATRICES || count == 0 || count > o->number_count)
        return ZT_OK;
    ZT_TRY(take_keys(c, count, &list));
    for (uint32_t i = 0; i < count && o->number_count - at >= 2; i++) {
        const float time_s = (float)(xfile_number(o, at, 0.0) / c->ticks);
        const uint32_t numbers = xfile_count(o, at + 1, 64, UINT32_MAX);
        trs x;
        ZT_TRY(arena_go_on_at(c->r->scratch, i, "keys", c->err));
        at += 2;
        if (numbers > o->number_count - at)
            break;
        if (fabsf(time_s) < 1e6f && key_value(o, type, at, numbers, c->r->exact[node].lacks, &x))
            add_key(c, &list, time_s, &x);
        else
            c->dropped_keys++;
        at += numbers;
    }
    if (list.count == 0)
        return ZT_OK;
    for (int path = MODEL_TRANSLATION; path <= MODEL_SCALE; path++) {
        const int own = type == ROTATIONS ? MODEL_ROTATION
                        : type == SCALES  ? MODEL_SCALE
                                          : MODEL_TRANSLATION;
        if (type <= PLACES && path != own)
            continue;
        c->channels[c->channel_count++] = (model_channel){.node = node,
                                                          .path = (model_path)path,
                                                          .interpolation = MODEL_LINEAR,
                                                          .key_count = list.count,
                                                          .time_s = list.time,
                                                          .value = list.value[path]};
        c->start_s = list.time[0] < c->start_s ? list.time[0] : c->start_s;
        c->end_s = list.time[list.count - 1] > c->end_s ? list.time[list.count - 1] : c->end_s;
    }
    return ZT_OK;
}

/// The node of an Animation: that of the frame which it names.
static int32_t animated_node(const xfile_reader *r, const xfile_object *animation)
{
    for (const xfile_object *o = animation->child; o; o = o->next)
        if (o->type[0] == '\0')
            return xfile_find_node(r, o->name);
    return -1;
}

static zt_result read_set(clip_reader *c, const xfile_object *set, model_clip *out)
{
    uint32_t keys = 0;
    for (const xfile_object *a = xfile_child(set, "Animation"); a; a = xfile_next(a))
        for (const xfile_object *k = xfile_child(a, "AnimationKey"); k; k = xfile_next(k))
            keys++;
    ZT_TRY(ARENA_TAKE(c->r->keep, &c->channels, 3 * (size_t)keys, "channels", c->err));
    c->channel_count = 0;
    c->start_s = FLT_MAX;
    c->end_s = -FLT_MAX;
    for (const xfile_object *a = xfile_child(set, "Animation"); a; a = xfile_next(a)) {
        const int32_t node = animated_node(c->r, a);
        const xfile_object *first = node >= 0 ? xfile_child(a, "AnimationKey") : NULL;
        for (const xfile_object *k = first; k; k = xfile_next(k))
            ZT_TRY(read_keys(c, k, node));
    }
    *out = (model_clip){.start_s = c->start_s,
                        .end_s = c->end_s,
                        .channel_count = c->channel_count,
                        .channels = c->channels};
    return ARENA_TEXT(c->r->keep, &out->name, set->name, "a name", c->err);
}

zt_result xfile_make_clips(xfile_reader *r, zt_error *err)
{
    const xfile_object *first = xfile_child(&r->tree.root, "AnimationSet");
    clip_reader c = {.r = r, .err = err};
    model_clip *clips;
    uint32_t count = 0;
    c.ticks = xfile_number(xfile_child(&r->tree.root, "AnimTicksPerSecond"), 0, ticks_default);
    if (!(c.ticks > 0.0))
        c.ticks = ticks_default;
    for (const xfile_object *o = first; o; o = xfile_next(o))
        count++;
    ZT_TRY(ARENA_TAKE(r->keep, &clips, count, "clips", err));
    for (const xfile_object *o = first; o; o = xfile_next(o)) {
        ZT_TRY(read_set(&c, o, &clips[r->model->clip_count]));
        r->model->clip_count += c.channel_count > 0;
    }
    r->model->clips = clips;
    return c.dropped_keys > 0
               ? model_warn(&r->report, err,
                            "%u keys are not in the order of their times, or no numbers: "
                            "left out",
                            c.dropped_keys)
               : ZT_OK;
}
