// SPDX-License-Identifier: MIT
/// Lays a model's nodes and clips out for the pose kernels: 16 nodes at a time, where the keys of
/// each are, and which key times are the same, so that a frame looks each of them up once.
#include "model/clip_copy.h"
#include "model/model_origin.h"

#include <math.h>
#include <string.h>

enum {
    PROPERTIES = 3,
    TIMELINES_COMPARED = 8,
    PACKED_LANES = 8, ///< of 16 must move for keys to be packed: copies three times theirs at most
    PACKED_FLOATS = 1 << 20, ///< of a clip: long recordings are read where they are
};

static uint32_t block_of(uint32_t node) { return node / POSE_LANES; }

static void set_lane(float (*component)[POSE_LANES], uint32_t node, const float *value,
                     uint32_t width)
{
    for (uint32_t k = 0; k < width; k++)
        component[k][node % POSE_LANES] = value[k];
}

/// Nodes in the order of their depth, and of the file within a depth: a counting sort.
static zt_result order_by_depth(zt_model *model, arena *scratch, zt_error *err)
{
    const uint32_t count = model->node_count;
    uint32_t *order = ARENA_ARRAY_RAW(&model->arena, uint32_t, count);
    uint32_t *depth = ARENA_ARRAY_RAW(scratch, uint32_t, count);
    uint32_t *next = ARENA_ARRAY(scratch, uint32_t, (size_t)count + 1);
    if (!order)
        return arena_fail(&model->arena, err, "order of nodes");
    if (!depth || !next)
        return arena_fail(scratch, err, "order of nodes");
    for (uint32_t i = 0; i < count; i++) {
        const int32_t parent = model->nodes[i].parent;
        depth[i] = parent < 0 ? 0 : depth[parent] + 1;
        next[depth[i] + 1]++;
    }
    for (uint32_t d = 0; d < count; d++)
        next[d + 1] += next[d];
    for (uint32_t i = 0; i < count; i++)
        order[next[depth[i]]++] = i;
    model->order = order;
    return ZT_OK;
}

static zt_result lay_out_nodes(zt_model *model, zt_error *err)
{
    const size_t padded = pad16(model->node_count);
    const trs identity = trs_identity();
    int32_t *parent = ARENA_ARRAY_RAW(&model->arena, int32_t, padded);
    pose_block *rest = ARENA_ARRAY_RAW(&model->arena, pose_block, padded / POSE_LANES);
    const float **fixed = NULL;
    for (uint32_t i = 0; i < model->node_count && !fixed; i++)
        if (model->nodes[i].has_matrix &&
            !(fixed = ARENA_ARRAY(&model->arena, const float *, padded)))
            return arena_fail(&model->arena, err, "fixed matrices");
    if (!parent || !rest)
        return arena_fail(&model->arena, err, "rest pose");
    for (uint32_t i = 0; i < padded; i++) {
        const model_node *node = i < model->node_count ? &model->nodes[i] : NULL;
        parent[i] = node ? node->parent : -1;
        pose_block_set(rest, i, node ? &node->rest : &identity);
        if (node && node->has_matrix)
            fixed[i] = &node->matrix[0][0];
    }
    model->parent = parent;
    model->rest = rest;
    model->fixed = fixed;
    return ZT_OK;
}

// ---- Clips --------------------------------------------------------------------------------------

/// The channels of 16 nodes.
typedef struct lane_channels {
    const float *keys[PROPERTIES][POSE_LANES]; ///< NULL: none, or constant
    uint32_t timeline[PROPERTIES][POSE_LANES];
} lane_channels;

/// A clip that is being built.
typedef struct motion_build {
    const zt_model *model;
    arena *keep;
    const model_clip *clip;
    uint32_t *last;  ///< [3 * nodes]: 1 + the last channel of a node's property, which wins
    uint32_t *index; ///< [blocks]: 1 + its index among those that the clip touches
    pose_clip_block *moves;
    lane_channels *lanes; ///< of each block
    model_timeline *timelines;
    uint32_t *other;
    uint32_t timeline_count, other_count;
    size_t packed_floats;
} motion_build;

static bool wins(const motion_build *m, uint32_t channel)
{
    const model_channel *c = &m->clip->channels[channel];
    return c->path != MODEL_WEIGHTS &&
           m->last[(uint32_t)c->node * PROPERTIES + (uint32_t)c->path] == channel + 1;
}

/// Files share key times between channels, or repeat them: neighbours are compared.
static uint32_t find_timeline(motion_build *m, const model_channel *c)
{
    for (uint32_t i = 0; i < m->timeline_count && i < TIMELINES_COMPARED; i++) {
        const uint32_t at = m->timeline_count - 1 - i;
        const model_timeline *t = &m->timelines[at];
        if (t->key_count == c->key_count &&
            (t->time_s == c->time_s ||
             memcmp(t->time_s, c->time_s, c->key_count * sizeof *c->time_s) == 0))
            return at;
    }
    const float span_s = c->time_s[c->key_count - 1] - c->time_s[0];
    m->timelines[m->timeline_count] =
        (model_timeline){c->time_s, c->key_count, (float)(c->key_count - 1) / span_s};
    return m->timeline_count++;
}

static pose_tracks *tracks_of(pose_clip_block *b, model_path path)
{
    return path == MODEL_TRANSLATION ? &b->t : path == MODEL_ROTATION ? &b->r : &b->s;
}

static float (*constant_of(pose_clip_block *b, model_path path))[POSE_LANES]
{
    return path == MODEL_TRANSLATION ? b->constant.t
           : path == MODEL_ROTATION  ? b->constant.r
                                     : b->constant.s;
}

static void add_channel(motion_build *m, uint32_t index)
{
    const model_channel *c = &m->clip->channels[index];
    const uint32_t node = (uint32_t)c->node, width = clip_width(c->path);
    const uint32_t block = m->index[block_of(node)] - 1;
    pose_clip_block *b = &m->moves[block];
    const float *constant = clip_constant_value(c);
    if (constant) {
        set_lane(constant_of(b, c->path), node, constant, width);
    } else if (c->interpolation != MODEL_LINEAR) {
        m->other[m->other_count++] = index;
    } else {
        const uint32_t lane = node % POSE_LANES;
        tracks_of(b, c->path)->animated = true;
        m->lanes[block].keys[c->path][lane] = c->value;
        m->lanes[block].timeline[c->path][lane] = find_timeline(m, c);
    }
}

/// Keys of one property of 16 nodes before they are packed.
typedef struct track_build {
    const float *const *keys; ///< of each lane, or NULL
    const uint32_t *timeline; ///< of each lane with keys
    const float (*constant)[POSE_LANES];
    uint32_t width;
} track_build;

/// Component k of a key of a lane.
static float key_value(const track_build *b, uint32_t lane, size_t key, uint32_t k)
{
    return b->keys[lane] ? b->keys[lane][key * b->width + k] : b->constant[k][lane];
}

/// The arcs from a key of rotations to the next.
static void pack_arcs(const track_build *b, size_t key, float *out)
{
    for (uint32_t lane = 0; lane < POSE_LANES; lane++) {
        float from[4], to[4];
        for (uint32_t k = 0; k < 4; k++) {
            from[k] = key_value(b, lane, key, k);
            to[k] = key_value(b, lane, key + 1, k);
        }
        quatf_arc(from, to, &out[lane], &out[POSE_LANES + lane]);
    }
}

/// Copies the keys of 16 lanes side by side: a time reads one run of memory. NULL: no memory.
static const float *pack_keys(motion_build *m, const track_build *b, size_t keys)
{
    const size_t size = b->width == 4 ? POSE_ROTATION_KEY : POSE_VECTOR_KEY;
    float *packed = ARENA_ARRAY(m->keep, float, keys *size);
    for (size_t key = 0; packed && key < keys; key++) {
        float *out = packed + key * size;
        for (uint32_t lane = 0; lane < POSE_LANES; lane++)
            for (uint32_t k = 0; k < b->width; k++)
                out[k * POSE_LANES + lane] = key_value(b, lane, key, k);
        if (b->width == 4 && key + 1 < keys)
            pack_arcs(b, key, out + 4 * POSE_LANES);
    }
    m->packed_floats += keys * size;
    return packed;
}

/// Vectors with their times, side by side. NULL for no memory.
static const float *vectors_with_times(arena *keep, const track_build *b, uint32_t lane,
                                       const model_timeline *timeline)
{
    const size_t count = timeline->key_count, padded = count < 3 ? 3 : count;
    float *out = ARENA_ARRAY_RAW(keep, float, 4 * padded);
    for (size_t key = 0; out && key < padded; key++) {
        for (uint32_t k = 0; k < 3; k++)
            out[4 * key + k] = key_value(b, lane, key < count ? key : count - 1, k);
        out[4 * key + 3] = key < count ? timeline->time_s[key] : INFINITY;
    }
    return out;
}

/// Key times followed by infinite ones up to four. NULL for no memory.
static const float *four_times(arena *keep, const model_timeline *timeline)
{
    float *times = NULL;
    if (timeline->key_count >= 4)
        return timeline->time_s;
    times = ARENA_ARRAY_RAW(keep, float, 4);
    for (uint32_t i = 0; times && i < 4; i++)
        times[i] = i < timeline->key_count ? timeline->time_s[i] : INFINITY;
    return times;
}

/// Two equal rotations. NULL for no memory.
static const float *constant_rotations(arena *keep, const track_build *b, uint32_t lane)
{
    float *pair = ARENA_ARRAY_RAW(keep, float, 8);
    for (uint32_t k = 0; pair && k < 8; k++)
        pair[k] = b->constant[k % 4][lane];
    return pair;
}

/// Sets the keys of one lane.
static bool set_lane_keys(motion_build *m, const track_build *b, uint32_t lane, pose_tracks *out)
{
    static const float second[2] = {0.0f, 1.0f};
    static const model_timeline constant = {second, 2, 1.0f};
    const model_timeline *t = b->keys[lane] ? &m->timelines[b->timeline[lane]] : &constant;
    if (b->width == 3) {
        out->key[lane] = vectors_with_times(m->keep, b, lane, t);
        out->time_s[lane] = NULL;
    } else {
        out->key[lane] = b->keys[lane] ? b->keys[lane] : constant_rotations(m->keep, b, lane);
        out->time_s[lane] = four_times(m->keep, t);
    }
    out->start_s[lane] = t->time_s[0];
    out->end_s[lane] = t->time_s[t->key_count - 1];
    out->keys_per_s[lane] = t->keys_per_s;
    out->interval_count[lane] = (int32_t)t->key_count - 1;
    return out->key[lane] && (out->time_s[lane] || b->width == 3);
}

/// Packs the keys of 16 lanes when most of them move at the same key times.
static bool close_tracks(motion_build *m, uint32_t index, model_path path)
{
    pose_tracks *tracks = tracks_of(&m->moves[index], path);
    const lane_channels *lanes = &m->lanes[index];
    const track_build b = {.keys = lanes->keys[path],
                           .timeline = lanes->timeline[path],
                           .constant =
                               (const float(*)[POSE_LANES])constant_of(&m->moves[index], path),
                           .width = clip_width(path)};
    uint32_t mover = 0, movers = 0;
    bool alike = true;
    if (!tracks->animated)
        return true;
    while (!b.keys[mover])
        mover++;
    for (uint32_t lane = mover; lane < POSE_LANES; lane++)
        if (b.keys[lane]) {
            movers++;
            alike &= b.timeline[lane] == b.timeline[mover];
        }
    if (alike && movers >= PACKED_LANES && m->packed_floats < PACKED_FLOATS) {
        tracks->timeline = b.timeline[mover];
        tracks->packed = pack_keys(m, &b, m->timelines[tracks->timeline].key_count);
        return tracks->packed != NULL;
    }
    for (uint32_t lane = 0; lane < POSE_LANES; lane++)
        if (!set_lane_keys(m, &b, lane, tracks))
            return false;
    return true;
}

/// Keeps the timelines of packed keys: those alone are looked up once for all.
static bool keep_packed_timelines(motion_build *m, uint32_t block_count, arena *scratch)
{
    uint32_t *number = ARENA_ARRAY(scratch, uint32_t, m->timeline_count), count = 0;
    for (uint32_t n = 0; number && n < block_count; n++)
        for (int path = MODEL_TRANSLATION; path <= MODEL_SCALE; path++) {
            pose_tracks *tracks = tracks_of(&m->moves[n], (model_path)path);
            if (!tracks->packed)
                continue;
            if (!number[tracks->timeline])
                number[tracks->timeline] = ++count;
            tracks->timeline = number[tracks->timeline] - 1;
        }
    model_timeline *kept = ARENA_ARRAY_RAW(m->keep, model_timeline, count);
    if (!number || !kept)
        return false;
    for (uint32_t i = 0; i < m->timeline_count; i++)
        if (number[i])
            kept[number[i] - 1] = m->timelines[i];
    m->timelines = kept;
    m->timeline_count = count;
    return true;
}

static zt_result lay_out_clip(motion_build *m, arena *scratch, model_motion *out, zt_error *err)
{
    const size_t nodes = pad16(m->model->node_count), channels = m->clip->channel_count;
    const uint32_t blocks = (uint32_t)(nodes / POSE_LANES);
    m->last = ARENA_ARRAY(scratch, uint32_t, nodes * PROPERTIES);
    m->index = ARENA_ARRAY(scratch, uint32_t, blocks);
    m->timelines = ARENA_ARRAY_RAW(scratch, model_timeline, channels);
    m->other = ARENA_ARRAY_RAW(m->keep, uint32_t, channels);
    if (!m->last || !m->index || !m->timelines)
        return arena_fail(scratch, err, "clip");
    for (uint32_t i = 0; i < channels; i++) {
        const model_channel *c = &m->clip->channels[i];
        if (c->path == MODEL_WEIGHTS)
            continue;
        m->last[(uint32_t)c->node * PROPERTIES + (uint32_t)c->path] = i + 1;
        m->index[block_of((uint32_t)c->node)] = 1;
    }
    uint32_t count = 0;
    for (uint32_t b = 0; b < blocks; b++)
        if (m->index[b])
            m->index[b] = ++count;
    uint32_t *block = ARENA_ARRAY_RAW(m->keep, uint32_t, count);
    m->moves = ARENA_ARRAY(m->keep, pose_clip_block, count);
    m->lanes = ARENA_ARRAY(scratch, lane_channels, count);
    if (!m->other || !block || !m->moves)
        return arena_fail(m->keep, err, "clip");
    if (!m->lanes)
        return arena_fail(scratch, err, "clip");
    for (uint32_t b = 0; b < blocks; b++)
        if (m->index[b]) {
            block[m->index[b] - 1] = b;
            m->moves[m->index[b] - 1].constant = m->model->rest[b];
        }
    for (uint32_t i = 0; i < channels; i++)
        if (wins(m, i))
            add_channel(m, i);
    for (uint32_t n = 0; n < count; n++)
        for (int path = MODEL_TRANSLATION; path <= MODEL_SCALE; path++)
            if (!close_tracks(m, n, (model_path)path))
                return arena_fail(m->keep, err, "clip");
    if (!keep_packed_timelines(m, count, scratch))
        return arena_fail(scratch->failed ? scratch : m->keep, err, "clip");
    *out = (model_motion){m->timeline_count, m->timelines,   count,   block,
                          m->moves,          m->other_count, m->other};
    return ZT_OK;
}

zt_result model_lay_out_clips(zt_model *model, uint32_t first, arena *scratch, zt_error *err)
{
    model_motion *motions;
    const uint32_t count = model->clip_count + model_has_joined(model);
    ZT_TRY(ARENA_TAKE(&model->arena, &motions, count, "clips", err));
    if (first)
        memcpy(motions, model->motions, first * sizeof *motions);
    for (uint32_t i = first; i < count; i++) {
        motion_build m = {.model = model, .keep = &model->arena, .clip = &model->clips[i]};
        ZT_TRY(lay_out_clip(&m, scratch, &motions[i], err));
    }
    model->motions = motions;
    return ZT_OK;
}

zt_result model_lay_out_motion(zt_model *model, arena *scratch, zt_error *err)
{
    ZT_TRY(model_move_to_origin(model, scratch, err));
    ZT_TRY(lay_out_nodes(model, err));
    ZT_TRY(order_by_depth(model, scratch, err));
    ZT_TRY(model_join_clips(model, scratch, err));
    return model_lay_out_clips(model, 0, scratch, err);
}

void model_node_matrix(const model_node *node, const trs *local, mat4 out)
{
    if (node->has_matrix)
        memcpy(out, node->matrix, sizeof(mat4));
    else
        trs_to_mat4(local, out);
}

affine model_rest_step(const model_node *node)
{
    mat4 m;
    model_node_matrix(node, &node->rest, m);
    return affine_from_floats(m[0]);
}

affine model_rest_transform(const zt_model *model, int32_t node)
{
    affine out = affine_identity();
    for (; node >= 0; node = model->nodes[node].parent) {
        const affine parent_from_node = model_rest_step(&model->nodes[node]);
        out = affine_multiply(&parent_from_node, &out);
    }
    return out;
}
