// SPDX-License-Identifier: MIT
/// Reduction of a clip; see clip_reduction.h. In double: keys are compared, not players' rounding.
#include "bake/clip_reduction.h"

#include "base/quat.h"

#include <math.h>
#include <string.h>

enum {
    REACH_SAMPLES = 32, ///< samples at which distances from nodes to points are looked at
    PASS_LIMIT = 10000  ///< each pass adds a key: a guard against a fault, not a limit of quality
};

/// The part that a channel may use of the tolerance before the chain is looked at.
#define CHANNEL_SHARE 1.0
/// Scales below this part of the largest one of a channel do not divide.
#define MIN_SCALE 1e-6

/// One path of a node while it is reduced.
typedef struct channel {
    bool moves;             ///< its samples differ
    bool *keyed;            ///< [sample_count], where it moves
    uint32_t before, after; ///< keys around the sample that is looked at; equal: no later key
} channel;

typedef struct reducer {
    const clip_samples *clip;
    double tolerance;
    channel *channels;         ///< [node_count][CLIP_PATHS]
    affine *reference, *posed; ///< [node_count]
    double *reach;             ///< [node_count] largest distance to a point below it
    double *parent_scale;      ///< [node_count] largest scale of the space it is in
    double *max_scale;         ///< [node_count] largest factor of its own scale
    double *error;             ///< [sample_count] distance of the worst point from its place
    uint32_t *node, *point;    ///< [sample_count] node and index of that point
    bool *dirty;               ///< [sample_count] the error must be measured again
} reducer;

// ---- Posing -------------------------------------------------------------------------------------

static affine affine_from_trs(const double t[3], quat r, const double s[3])
{
    const dvec3 x = quat_rotate(r, (dvec3){1.0, 0.0, 0.0});
    const dvec3 y = quat_rotate(r, (dvec3){0.0, 1.0, 0.0});
    const dvec3 z = quat_rotate(r, (dvec3){0.0, 0.0, 1.0});
    return (affine){{dvec3_scale(x, s[0]), dvec3_scale(y, s[1]), dvec3_scale(z, s[2])},
                    dvec3_load(t)};
}

static quat rotation_at(const clip_samples *clip, uint32_t node, uint32_t sample)
{
    quat q = quat_from_floats(clip_local(clip, node, sample)->r);
    quat_normalize(&q);
    return q;
}

/// Translation or scale between two keys.
static void vector_at(const clip_samples *clip, uint32_t node, clip_path path, uint32_t before,
                      uint32_t after, double s, double out[3])
{
    const trs *a = clip_local(clip, node, before), *b = clip_local(clip, node, after);
    const float *from = path == CLIP_SCALE ? a->s : a->t, *to = path == CLIP_SCALE ? b->s : b->t;
    for (int k = 0; k < 3; k++)
        out[k] = (double)from[k] + s * ((double)to[k] - (double)from[k]);
}

/// Where a sample lies between two keys, 0 to 1.
static double fraction(const clip_samples *clip, uint32_t before, uint32_t after, uint32_t sample)
{
    if (after == before)
        return 0.0;
    const double from = (double)clip->time_s[before], to = (double)clip->time_s[after];
    return ((double)clip->time_s[sample] - from) / (to - from);
}

static quat rotation_between(const clip_samples *clip, uint32_t node, uint32_t before,
                             uint32_t after, double s)
{
    const quat from = rotation_at(clip, node, before);
    return s > 0.0 ? quat_slerp(from, rotation_at(clip, node, after), s) : from;
}

/// Multiplies a local transform onto that of the parent.
static void place(const clip_samples *clip, uint32_t node, const affine *local, affine *worlds)
{
    const int32_t parent = clip->nodes[node].parent;
    worlds[node] = parent < 0 ? *local : affine_multiply(&worlds[parent], local);
}

static bool place_matrix(const clip_samples *clip, uint32_t node, affine *worlds)
{
    if (!clip->nodes[node].matrix)
        return false;
    const affine local = affine_from_floats(clip->nodes[node].matrix);
    place(clip, node, &local, worlds);
    return true;
}

void clip_pose(const clip_samples *clip, uint32_t sample, affine *out)
{
    double t[3], s[3];
    for (uint32_t i = 0; i < clip->node_count; i++) {
        if (place_matrix(clip, i, out))
            continue;
        vector_at(clip, i, CLIP_TRANSLATION, sample, sample, 0.0, t);
        vector_at(clip, i, CLIP_SCALE, sample, sample, 0.0, s);
        const affine local = affine_from_trs(t, rotation_at(clip, i, sample), s);
        place(clip, i, &local, out);
    }
}

static const channel *channel_of(const reducer *r, uint32_t node, clip_path path)
{
    return &r->channels[(size_t)node * CLIP_PATHS + path];
}

/// The same from the keys around the sample.
static void pose_keys(const reducer *r, uint32_t sample, affine *out)
{
    const clip_samples *clip = r->clip;
    double v[CLIP_PATHS][3];
    for (uint32_t i = 0; i < clip->node_count; i++) {
        quat rotation = {0.0, 0.0, 0.0, 1.0};
        if (place_matrix(clip, i, out))
            continue;
        for (clip_path path = 0; path < CLIP_PATHS; path++) {
            const channel *c = channel_of(r, i, path);
            const double s = fraction(clip, c->before, c->after, sample);
            if (path == CLIP_ROTATION)
                rotation = rotation_between(clip, i, c->before, c->after, s);
            else
                vector_at(clip, i, path, c->before, c->after, s, v[path]);
        }
        const affine local = affine_from_trs(v[CLIP_TRANSLATION], rotation, v[CLIP_SCALE]);
        place(clip, i, &local, out);
    }
}

// ---- Distances of one channel -------------------------------------------------------------------

/// Length of the longest column.
static double scale_of(const affine *a)
{
    const double x = dvec3_length(a->m.x), y = dvec3_length(a->m.y), z = dvec3_length(a->m.z);
    const double xy = x > y ? x : y;
    return xy > z ? xy : z;
}

/// Raises each node's reach to that in the pose `reference`: the distance of its farthest point,
/// and no less than the reach of a child and the distance to it. Parents are before their children.
static void raise_reach(reducer *r)
{
    const clip_samples *clip = r->clip;
    for (uint32_t i = clip->node_count; i-- > 0;) {
        const clip_node *node = &clip->nodes[i];
        const dvec3 origin = r->reference[i].t;
        for (uint32_t p = 0; p < node->point_count; p++) {
            const dvec3 at = affine_point(&r->reference[i], clip->points[node->point_first + p]);
            const double d = dvec3_length(dvec3_sub(at, origin));
            r->reach[i] = d > r->reach[i] ? d : r->reach[i];
        }
        if (node->parent < 0)
            continue;
        const double to_parent = dvec3_length(dvec3_sub(origin, r->reference[node->parent].t));
        const double d = r->reach[i] + to_parent;
        r->reach[node->parent] = d > r->reach[node->parent] ? d : r->reach[node->parent];
    }
}

/// Finds for each node a bound of the distance of points below it, and the scale above it.
static void measure_reach(reducer *r)
{
    const clip_samples *clip = r->clip;
    const uint32_t step = (clip->sample_count + REACH_SAMPLES - 1) / REACH_SAMPLES;
    for (uint32_t sample = 0; sample < clip->sample_count; sample += step) {
        clip_pose(clip, sample, r->reference);
        for (uint32_t i = 0; i < clip->node_count; i++) {
            const clip_node *node = &clip->nodes[i];
            const double scale = node->parent < 0 ? 1.0 : scale_of(&r->reference[node->parent]);
            r->parent_scale[i] = scale > r->parent_scale[i] ? scale : r->parent_scale[i];
            for (int k = 0; k < 3; k++) {
                const double s = fabs((double)clip_local(clip, i, sample)->s[k]);
                r->max_scale[i] = s > r->max_scale[i] ? s : r->max_scale[i];
            }
        }
        raise_reach(r);
    }
}

/// The distance by which a difference of a channel moves a point `lever` away from the node.
static double displacement(const reducer *r, uint32_t node, clip_path path, uint32_t before,
                           uint32_t after, uint32_t sample, double lever)
{
    const clip_samples *clip = r->clip;
    const double s = fraction(clip, before, after, sample);
    if (path == CLIP_ROTATION) {
        const quat a = rotation_between(clip, node, before, after, s);
        const quat b = quat_on_side(rotation_at(clip, node, sample), a);
        const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z,
                     w = a.w - b.w; // twice this length is the angle, when it is small
        return 2.0 * sqrt(x * x + y * y + z * z + w * w) * lever;
    }
    double from[3], to[3], sum = 0.0;
    vector_at(clip, node, path, before, after, s, from);
    vector_at(clip, node, path, sample, sample, 0.0, to);
    for (int k = 0; k < 3; k++)
        sum += (from[k] - to[k]) * (from[k] - to[k]);
    if (path == CLIP_TRANSLATION)
        return sqrt(sum) * r->parent_scale[node];
    return sqrt(sum) * lever / (r->max_scale[node] > MIN_SCALE ? r->max_scale[node] : MIN_SCALE);
}

typedef struct one_channel {
    const reducer *r;
    uint32_t node;
    clip_path path;
} one_channel;

static double channel_distance(const void *user, uint32_t before, uint32_t after, uint32_t sample)
{
    const one_channel *one = user;
    return displacement(one->r, one->node, one->path, before, after, sample,
                        one->r->reach[one->node]);
}

// ---- Errors of the whole ------------------------------------------------------------------------

static uint32_t next_key(const channel *c, uint32_t from, uint32_t count)
{
    uint32_t k = from + 1;
    while (k < count && !c->keyed[k])
        k++;
    return k < count ? k : from;
}

/// Moves the keys around the sample of each channel on to `sample`, which only rises.
static void move_on(reducer *r, uint32_t sample)
{
    const clip_samples *clip = r->clip;
    for (size_t i = 0; i < (size_t)clip->node_count * CLIP_PATHS; i++) {
        channel *c = &r->channels[i];
        if (!c->moves)
            continue;
        if (sample == 0)
            c->before = 0;
        else if (sample == c->after)
            c->before = sample;
        else
            continue;
        c->after = next_key(c, c->before, clip->sample_count);
    }
}

double clip_farthest(const clip_samples *clip, const affine *a, const affine *b, uint32_t *out_node,
                     uint32_t *out_point)
{
    double max = 0.0;
    *out_node = *out_point = 0;
    for (uint32_t i = 0; i < clip->node_count; i++)
        for (uint32_t p = 0; p < clip->nodes[i].point_count; p++) {
            const uint32_t point = clip->nodes[i].point_first + p;
            const dvec3 off = dvec3_sub(affine_point(&a[i], clip->points[point]),
                                        affine_point(&b[i], clip->points[point]));
            const double squared = dvec3_dot(off, off);
            if (squared > max) {
                max = squared;
                *out_node = i;
                *out_point = point;
            }
        }
    return sqrt(max);
}

/// The point that is farthest from where it should be at a sample.
static void find_error(reducer *r, uint32_t sample)
{
    clip_pose(r->clip, sample, r->reference);
    pose_keys(r, sample, r->posed);
    r->error[sample] =
        clip_farthest(r->clip, r->posed, r->reference, &r->node[sample], &r->point[sample]);
    r->dirty[sample] = false;
}

static void measure_errors(reducer *r)
{
    for (uint32_t sample = 0; sample < r->clip->sample_count; sample++) {
        move_on(r, sample);
        if (r->dirty[sample])
            find_error(r, sample);
    }
}

// ---- Refinement ---------------------------------------------------------------------------------

/// The keys around a sample that is none.
static void keys_around(const channel *c, uint32_t sample, uint32_t count, uint32_t *before,
                        uint32_t *after)
{
    *before = sample;
    while (*before > 0 && !c->keyed[*before])
        (*before)--;
    *after = next_key(c, sample, count);
    if (*after == sample)
        *after = *before;
}

/// Adds a key to the channel above a sample's worst point that moves it most. False: all have one.
static bool add_key(reducer *r, uint32_t sample)
{
    const clip_samples *clip = r->clip;
    channel *best = NULL;
    double most = -1.0;
    uint32_t before, after, best_before = 0, best_after = 0;
    clip_pose(clip, sample, r->reference);
    const dvec3 at = affine_point(&r->reference[r->node[sample]], clip->points[r->point[sample]]);
    for (int32_t i = (int32_t)r->node[sample]; i >= 0; i = clip->nodes[i].parent)
        for (clip_path path = 0; path < CLIP_PATHS; path++) {
            channel *c = &r->channels[(size_t)i * CLIP_PATHS + path];
            if (!c->moves || c->keyed[sample])
                continue;
            keys_around(c, sample, clip->sample_count, &before, &after);
            const double lever = dvec3_length(dvec3_sub(at, r->reference[i].t));
            const double d = displacement(r, (uint32_t)i, path, before, after, sample, lever);
            if (d > most) {
                most = d;
                best = c;
                best_before = before;
                best_after = after;
            }
        }
    if (!best)
        return false;
    best->keyed[sample] = true;
    const uint32_t end = best_after > best_before ? best_after : clip->sample_count;
    for (uint32_t k = best_before + 1; k < end; k++)
        r->dirty[k] = true;
    return true;
}

/// Adds a key at each sample that is too far off and not less so than its neighbours.
static bool refine(reducer *r)
{
    const uint32_t count = r->clip->sample_count;
    bool added = false;
    for (uint32_t k = 0; k < count; k++) {
        const double error = r->error[k];
        const bool peak =
            (k == 0 || error >= r->error[k - 1]) && (k + 1 == count || error > r->error[k + 1]);
        if (peak && error > r->tolerance)
            added |= add_key(r, k);
    }
    return added;
}

// ---- All channels -------------------------------------------------------------------------------

static bool differs(const clip_samples *clip, uint32_t node, clip_path path)
{
    const trs *first = clip_local(clip, node, 0);
    for (uint32_t k = 1; k < clip->sample_count; k++)
        if (memcmp(trs_const_part(&first[k], (int)path), trs_const_part(first, (int)path),
                   trs_width((int)path) * sizeof(float)) != 0)
            return true;
    return false;
}

static zt_result reduce_channels(reducer *r, arena *scratch, zt_error *err)
{
    const clip_samples *clip = r->clip;
    for (uint32_t i = 0; i < clip->node_count; i++)
        for (clip_path path = 0; path < CLIP_PATHS; path++) {
            channel *c = &r->channels[(size_t)i * CLIP_PATHS + path];
            const one_channel one = {r, i, path};
            const key_curve curve = {channel_distance, &one, CHANNEL_SHARE * r->tolerance};
            c->moves = !clip->nodes[i].matrix && differs(clip, i, path);
            if (!c->moves)
                continue;
            ZT_TRY(ARENA_TAKE_RAW(scratch, &c->keyed, clip->sample_count, "keys", err));
            ZT_TRY(key_reduce(curve, clip->sample_count, c->keyed, scratch, err));
        }
    return ZT_OK;
}

static zt_result list_keys(const reducer *r, arena *keep, clip_reduced *out, zt_error *err)
{
    static const bool first = true;
    const clip_samples *clip = r->clip;
    const size_t channel_count = (size_t)clip->node_count * CLIP_PATHS;
    key_list *keys;
    ZT_TRY(ARENA_TAKE(keep, &keys, channel_count, "keys", err));
    for (size_t i = 0; i < channel_count; i++) {
        const channel *c = &r->channels[i];
        ZT_TRY(key_list_make(c->moves ? c->keyed : &first, c->moves ? clip->sample_count : 1, keep,
                             &keys[i], err));
    }
    out->keys = keys;
    out->error = 0.0;
    for (uint32_t k = 0; k < clip->sample_count; k++)
        out->error = r->error[k] > out->error ? r->error[k] : out->error;
    return ZT_OK;
}

static bool init(reducer *r, arena *a)
{
    const size_t nodes = r->clip->node_count, samples = r->clip->sample_count;
    r->channels = ARENA_ARRAY(a, channel, nodes * CLIP_PATHS);
    r->reference = ARENA_ARRAY(a, affine, nodes);
    r->posed = ARENA_ARRAY(a, affine, nodes);
    r->reach = ARENA_ARRAY(a, double, nodes);
    r->parent_scale = ARENA_ARRAY(a, double, nodes);
    r->max_scale = ARENA_ARRAY(a, double, nodes);
    r->error = ARENA_ARRAY(a, double, samples);
    r->node = ARENA_ARRAY(a, uint32_t, samples);
    r->point = ARENA_ARRAY(a, uint32_t, samples);
    r->dirty = ARENA_ARRAY(a, bool, samples);
    return r->channels && r->reference && r->posed && r->reach && r->parent_scale && r->max_scale &&
           r->error && r->node && r->point && r->dirty;
}

zt_result clip_reduce(const clip_samples *clip, double tolerance, arena *keep, arena *scratch,
                      clip_reduced *out, zt_error *err)
{
    reducer r = {.clip = clip, .tolerance = tolerance};
    if (!init(&r, scratch))
        return arena_fail(scratch, err, "keys");
    measure_reach(&r);
    ZT_TRY(reduce_channels(&r, scratch, err));
    memset(r.dirty, 1, clip->sample_count * sizeof *r.dirty);
    measure_errors(&r);
    for (uint32_t pass = 0; pass < PASS_LIMIT && refine(&r); pass++) {
        if (budget_cancelled(scratch->budget))
            return cancel_fail(err);
        measure_errors(&r);
    }
    return list_keys(&r, keep, out, err);
}
