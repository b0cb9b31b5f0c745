// SPDX-License-Identifier: MIT
/// The channels of bones of the target: which of them rotate and move, and how.
#include "retarget/retarget_clip.h"

#include <math.h>
#include <string.h>

// ---- Channels of a bone -------------------------------------------------------------------------

/// The leg that a bone is a part of and that bends, or NULL.
static const retarget_leg *leg_of(const retarget *r, int32_t node)
{
    for (int i = 0; i < 2; i++)
        if (r->leg[i].bends &&
            (r->leg[i].thigh == node || r->leg[i].shin == node || r->leg[i].foot == node))
            return &r->leg[i];
    return NULL;
}

static retarget_goal rotation_goal(const retarget_build *b, int32_t node)
{
    const retarget *r = b->r;
    const int32_t parent = r->to.model->nodes[node].parent, above = r->ancestor[node];
    const quat from_rest = r->from.rotation[r->source[node]];
    retarget_goal g = {.path = MODEL_ROTATION,
                       .node = node,
                       .limit = RETARGET_ERROR_RAD,
                       .before_leg = quat_identity()};
    const quat above_rest = above >= 0 ? r->from.rotation[r->source[above]] : quat_identity();
    g.before = retarget_face_rest(r, above_rest);
    if (parent >= 0)
        g.before = quat_multiply(quat_conjugate(r->fitted[parent]), g.before);
    g.after = quat_conjugate(retarget_face_rest(r, from_rest));
    // A mirroring scale of the bone itself is part of its rest orientation, not of its rotation.
    const quat turn = retarget_turn(&r->to.model->nodes[node], quat_identity());
    g.after_leg = quat_multiply(r->fitted[node], quat_conjugate(turn));
    g.leg = leg_of(r, node);
    if (g.leg && above >= 0 && node != g.leg->thigh) {
        // The bone above is of the leg: its bending comes in front of `facing`.
        g.before_leg = parent >= 0 ? quat_conjugate(r->fitted[parent]) : quat_identity();
        g.before = retarget_face_rest(r, above_rest);
    }
    if (!g.leg)
        g.after = quat_multiply(g.after, g.after_leg);
    return g;
}

/// True when the clip says something about a goal.
static bool is_given(const retarget_build *b, const retarget_goal *g)
{
    bool given = false;
    for (uint32_t i = 0; i < b->own.count; i++) {
        const retarget_step *s = &b->own.steps[i];
        given |= s->given[g->path];
        if (g->path == MODEL_TRANSLATION && i + 1 < b->own.count)
            given |= s->given[MODEL_ROTATION] || s->given[MODEL_SCALE];
    }
    return given;
}

/// One key, where it differs from the rest pose or the clip moves the bone.
static zt_result add_constant(retarget_build *b, const retarget_goal *g)
{
    const trs *rest = &b->r->to.model->nodes[g->node].rest;
    const uint32_t width = clip_width(g->path);
    const float *at_rest = g->path == MODEL_ROTATION ? rest->r : rest->t;
    double exact[4], difference = 0.0, length = 1e-6, dot = 0.0;
    float *value = ARENA_ARRAY_RAW(b->keep, float, width);
    float *time_s = ARENA_ARRAY_RAW(b->keep, float, 1);
    if (!value || !time_s)
        return retarget_fail(b);
    retarget_evaluate(b, g, b->from->start_s, exact, value);
    for (uint32_t k = 0; k < width; k++)
        dot += exact[k] * (double)at_rest[k];
    for (uint32_t k = 0; k < width; k++) {
        const double sign = g->path == MODEL_ROTATION && dot < 0.0 ? -1.0 : 1.0;
        const double d = exact[k] * sign - (double)at_rest[k];
        difference += d * d;
        length += g->path == MODEL_ROTATION ? 0.25 : exact[k] * exact[k];
    }
    if (!is_given(b, g) && difference <= 1e-12 * length)
        return ZT_OK;
    *time_s = b->from->start_s;
    return retarget_add_channel(b, g, MODEL_STEP, 1, time_s, value);
}

/// Merges the times of what rotates a path. *out_moving: its channels; *out_mover: the last.
static zt_result merge_rotations(retarget_build *b, const retarget_path *p, retarget_times *all,
                                 uint32_t *out_moving, uint32_t *out_mover)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (p->steps[i].channel[MODEL_ROTATION]) {
            ZT_TRY(retarget_merge_times(b, all, p->steps[i].channel[MODEL_ROTATION]));
            ++*out_moving;
            *out_mover = i;
        }
    return ZT_OK;
}

/// Adds the key times of all channels that bend `leg`; NULL: of both legs, which move the hips.
static zt_result merge_legs(retarget_build *b, const retarget_leg *leg, retarget_times *times,
                            uint32_t *out_moving)
{
    uint32_t unused;
    for (int i = 0; i < 2; i++) {
        const retarget_leg_paths *p = &b->leg[i];
        if (!b->r->leg[i].bends || (!b->r->leg[i].spreads && leg != &b->r->leg[i]))
            continue;
        ZT_TRY(merge_rotations(b, &p->knee, times, out_moving, &unused));
        ZT_TRY(merge_rotations(b, &p->thigh, times, out_moving, &unused));
        ZT_TRY(merge_rotations(b, &p->foot, times, out_moving, &unused));
    }
    return merge_rotations(b, &b->hips, times, out_moving, &unused);
}

static zt_result add_rotation(retarget_build *b, int32_t node)
{
    const retarget_goal g = rotation_goal(b, node);
    uint32_t moving = 0, mover = 0;
    retarget_times times = {0};
    ZT_TRY(merge_rotations(b, &b->own, &times, &moving, &mover));
    if (moving == 1 && !g.leg)
        return retarget_map_rotations(b, &g, mover);
    if (g.leg)
        ZT_TRY(merge_legs(b, g.leg, &times, &moving));
    return moving == 0 ? add_constant(b, &g) : retarget_make_keys(b, &g, &times);
}

/// True when a bone does not hang on the part of the body that it belongs to: some rigs have feet
/// that are not below their shins, and thighs that are not below their hips.
static bool is_detached(const retarget *r, int32_t node)
{
    const int32_t part = r->part[node], above = r->ancestor[node];
    const int32_t above_part = above < 0 ? RIG_ROOT : r->part[above];
    const int32_t limb = part < RIG_RIGHT ? part - RIG_LEFT : part - RIG_RIGHT;
    const bool low = above_part == RIG_NONE || above_part == RIG_ROOT;
    if (part < RIG_LEFT || part == RIG_NONE)
        return false;
    return limb == RIG_UPPER_LEG
               ? above_part != RIG_HIPS
               : (limb == RIG_HAND || limb == RIG_FOOT) && (low || above_part == RIG_HIPS);
}

/// The hips, and thighs that they do not carry.
static bool is_lifted(const retarget *r, int32_t node)
{
    const int32_t part = r->part[node];
    const bool thigh = part == RIG_LEFT + RIG_UPPER_LEG || part == RIG_RIGHT + RIG_UPPER_LEG;
    return part == RIG_HIPS || (thigh && is_detached(r, node));
}

/// True when a bone moves by the way of its source, and not by its offset from the bone above it.
static bool is_placed(const retarget_build *b, int32_t node, uint32_t down)
{
    const retarget *r = b->r;
    const int32_t part = r->part[node];
    if (b->own.count == 0 || b->own.steps[b->own.count - 1].inverse)
        return false; // its source is not below that of the bone above it
    if (is_detached(r, node))
        return true;
    if (down > 0)
        return false; // nor here
    if (part == RIG_NONE || part == RIG_ROOT || part == RIG_HIPS)
        return true;
    return b->own.count == 1;
}

static bool position_goal(const retarget_build *b, int32_t node, retarget_goal *out)
{
    const retarget *r = b->r;
    const int32_t parent = r->to.model->nodes[node].parent, above = r->ancestor[node];
    // From the space of the source's bone above to its model at rest, from there to the space of
    // the target's parent at rest, after fitting.
    dmat3 source = dmat3_identity();
    affine place = affine_identity(), inverse;
    if (above >= 0)
        source = r->from.place[r->source[above]].m;
    if (parent >= 0) {
        const quat since_rest =
            quat_multiply(r->fitted[parent], quat_conjugate(r->to.rotation[parent]));
        const dmat3 *m = &r->to.place[parent].m;
        place.m = (dmat3){quat_rotate(since_rest, m->x), quat_rotate(since_rest, m->y),
                          quat_rotate(since_rest, m->z)};
    }
    if (!affine_invert(&place, &inverse))
        return false;
    const dvec3 columns[3] = {source.x, source.y, source.z};
    dvec3 mapped[3];
    for (int k = 0; k < 3; k++)
        mapped[k] =
            dmat3_transform(&inverse.m, dvec3_scale(retarget_face(r, columns[k]), r->scale));
    *out = (retarget_goal){
        .path = MODEL_TRANSLATION, .node = node, .from_source = {mapped[0], mapped[1], mapped[2]}};
    out->limit = RETARGET_ERROR * r->length * dvec3_length(inverse.m.x);
    out->rest = dvec3_from_floats(r->to.model->nodes[node].rest.t);
    if (r->part[node] == RIG_HIPS &&
        (dvec3_length(r->pivot) > 0.0 || r->leg[0].spreads || r->leg[1].spreads)) {
        const quat above_rest = above >= 0 ? r->from.rotation[r->source[above]] : quat_identity();
        out->swings = true;
        out->pivot = r->pivot;
        out->parent = inverse.m;
        out->before = quat_multiply(r->facing, above_rest);
        out->after = quat_conjugate(quat_multiply(r->facing, r->from.rotation[r->source[node]]));
    }
    if (is_lifted(r, node))
        out->rest = dvec3_add(out->rest, dmat3_transform(&inverse.m, r->lift));
    affine from_place = r->from.place[r->source[node]];
    if (above >= 0) {
        affine from_above;
        if (!affine_invert(&r->from.place[r->source[above]], &from_above))
            return false;
        from_place = affine_multiply(&from_above, &from_place);
    }
    out->steps_rest = from_place.t;
    return true;
}

static zt_result add_position(retarget_build *b, int32_t node, uint32_t down)
{
    retarget_goal g;
    retarget_times times = {0};
    bool above_moves = false;
    if (!is_placed(b, node, down) || !position_goal(b, node, &g))
        return ZT_OK;
    const model_channel *own = b->own.steps[b->own.count - 1].channel[MODEL_TRANSLATION];
    for (uint32_t i = 0; i + 1 < b->own.count; i++)
        for (uint32_t path = 0; path < RETARGET_PATHS; path++)
            if (b->own.steps[i].channel[path]) {
                ZT_TRY(retarget_merge_times(b, &times, b->own.steps[i].channel[path]));
                above_moves = true;
            }
    const model_channel *turn = b->own.steps[b->own.count - 1].channel[MODEL_ROTATION];
    if (g.swings) {
        uint32_t moving = 0;
        if (turn)
            ZT_TRY(retarget_merge_times(b, &times, turn));
        ZT_TRY(merge_legs(b, NULL, &times, &moving));
        above_moves |= turn != NULL || moving > 0;
    }
    if (!own && !above_moves)
        return add_constant(b, &g);
    if (!above_moves && !g.swings)
        return retarget_map_positions(b, &g);
    if (own)
        ZT_TRY(retarget_merge_times(b, &times, own));
    return retarget_make_keys(b, &g, &times);
}

/// Scales along the axes of the source that are nearest to those of the target.
static zt_result add_scale(retarget_build *b, int32_t node)
{
    const retarget *r = b->r;
    const int32_t source = r->source[node];
    const uint32_t slot = b->last[(uint32_t)source * RETARGET_PATHS + MODEL_SCALE];
    const retarget_goal g = {.path = MODEL_SCALE, .node = node};
    if (!slot)
        return ZT_OK;
    const model_channel *c = &b->from->channels[slot - 1];
    const float *to_rest = r->to.model->nodes[node].rest.s;
    const float *from_rest = r->from.model->nodes[source].rest.s;
    const quat back = quat_conjugate(retarget_face_rest(r, r->from.rotation[source]));
    static const dvec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    int from_axis[3];
    double factor[3];
    for (int k = 0; k < 3; k++) {
        double a[3];
        // Reflected or not, an axis of the source is nearest to the same one.
        dvec3_store(quat_rotate(back, quat_rotate(r->fitted[node], axes[k])), a);
        int best = 0;
        for (int i = 1; i < 3; i++)
            best = fabs(a[i]) > fabs(a[best]) ? i : best;
        from_axis[k] = best;
        factor[k] = from_rest[best] != 0.0f ? (double)to_rest[k] / (double)from_rest[best] : 1.0;
    }
    const size_t count = (size_t)c->key_count * (c->interpolation == MODEL_CUBIC ? 3 : 1);
    float *value = ARENA_ARRAY_RAW(b->keep, float, 3 * count);
    ZT_TRY(retarget_spend(b, count));
    for (size_t i = 0; value && i < count; i++)
        for (int k = 0; k < 3; k++)
            value[3 * i + (size_t)k] =
                (float)((double)c->value[3 * i + (size_t)from_axis[k]] * factor[k]);
    return retarget_add_like(b, &g, c, value);
}

// ---- Clips --------------------------------------------------------------------------------------

/// The morph target with the name of the other side, or the same one.
static uint32_t named_other(const retarget *r, const model_mesh *mesh, uint32_t target)
{
    char buffer[256];
    const char *name =
        r->mirrors ? r->other_side(mesh->morphs[target].name, buffer, sizeof buffer) : NULL;
    for (uint32_t i = 0; name && i < mesh->morph_count; i++)
        if (strcmp(mesh->morphs[i].name, name) == 0)
            return i;
    return target;
}

/// The morph target of the other side, where both are that of each other; else the same one.
static uint32_t other_target(const retarget *r, const model_mesh *mesh, uint32_t target)
{
    const uint32_t other = named_other(r, mesh, target);
    return named_other(r, mesh, other) == target ? other : target;
}

/// The weights of a channel, each from the target of the other side where the clip is mirrored.
static const float *copy_weights(const retarget_build *b, const model_channel *c)
{
    const zt_model *model = b->r->from.model;
    const model_mesh *mesh = &model->meshes[model->nodes[c->node].mesh];
    const uint32_t count = mesh->morph_count;
    const size_t rows = (size_t)c->key_count * (c->interpolation == MODEL_CUBIC ? 3 : 1);
    float *value = ARENA_ARRAY_RAW(b->keep, float, rows *count);
    for (uint32_t target = 0; value && target < count; target++) {
        const uint32_t other = other_target(b->r, mesh, target);
        for (size_t i = 0; i < rows; i++)
            value[i * count + target] = c->value[i * count + other];
    }
    return value;
}

static zt_result add_weights(retarget_build *b)
{
    const retarget *r = b->r;
    for (uint32_t i = 0; i < b->from->channel_count; i++) {
        const model_channel *c = &b->from->channels[i];
        if (c->path != MODEL_WEIGHTS)
            continue;
        int32_t node = -1;
        for (uint32_t t = 0; t < r->to.model->node_count && node < 0; t++)
            if (r->source[t] == c->node &&
                clip_same_morphs(r->to.model, (int32_t)t, r->from.model, c->node))
                node = (int32_t)t;
        ZT_TRY(retarget_spend(b, r->to.model->node_count));
        if (node < 0)
            continue;
        const retarget_goal g = {.path = MODEL_WEIGHTS, .node = node};
        ZT_TRY(retarget_add_like(b, &g, c, copy_weights(b, c)));
    }
    return ZT_OK;
}

zt_result retarget_clip(const retarget *r, zt_model *model, const model_clip *from, arena *scratch,
                        uint64_t *work, model_clip *out, zt_error *err)
{
    retarget_build b = {.r = r,
                        .from = from,
                        .keep = &model->arena,
                        .scratch = scratch,
                        .work = work,
                        .heading = quat_identity(),
                        .err = err};
    const uint32_t nodes = r->to.model->node_count;
    uint32_t bones = 0;
    for (uint32_t i = 0; i < nodes; i++)
        bones += r->source[i] >= 0;
    b.last = ARENA_ARRAY(scratch, uint32_t, (size_t)r->from.model->node_count * RETARGET_PATHS);
    b.channels =
        ARENA_ARRAY(b.keep, model_channel, (size_t)bones * RETARGET_PATHS + from->channel_count);
    *out = (model_clip){.name = arena_text(b.keep, from->name, strlen(from->name)),
                        .start_s = from->start_s,
                        .end_s = from->end_s,
                        .channels = b.channels};
    if (!b.last || !b.channels || !out->name)
        return retarget_fail(&b);
    if (r->mirrors) {
        out->property_channel_count = from->property_channel_count;
        out->property_channels = from->property_channels;
    }
    for (uint32_t i = 0; i < from->channel_count; i++)
        if (from->channels[i].path != MODEL_WEIGHTS)
            b.last[(uint32_t)from->channels[i].node * RETARGET_PATHS +
                   (uint32_t)from->channels[i].path] = i + 1;
    ZT_TRY(retarget_find_leg_paths(&b));
    for (uint32_t i = 0; i < nodes; i++) {
        const int32_t node = (int32_t)i, above = r->ancestor[i];
        uint32_t down;
        if (r->source[i] < 0)
            continue;
        ZT_TRY(
            retarget_find_path(&b, &b.own, above < 0 ? -1 : r->source[above], r->source[i], &down));
        ZT_TRY(add_position(&b, node, down));
        ZT_TRY(add_rotation(&b, node));
        ZT_TRY(add_scale(&b, node));
    }
    ZT_TRY(add_weights(&b));
    out->channel_count = b.channel_count;
    return ZT_OK;
}
