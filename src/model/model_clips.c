// SPDX-License-Identifier: MIT
/// Clips of one model for another whose bones have the same names.
#include "base/affine.h"
#include "model/clip_copy.h"

#include <string.h>

/// *out has no channels when no bone fits.
static zt_result copy_clip(zt_model *model, const zt_model *lender, const model_clip *from,
                           const int32_t *node, model_clip *out, zt_error *err)
{
    arena *keep = &model->arena;
    model_channel *channels = ARENA_ARRAY(keep, model_channel, from->channel_count);
    *out = (model_clip){.name = arena_text(keep, from->name, strlen(from->name)),
                        .start_s = from->start_s,
                        .end_s = from->end_s,
                        .channels = channels};
    if (!channels || !out->name)
        return arena_fail(keep, err, "clip");
    clip_times times = {.next = 0};
    for (uint32_t i = 0; i < from->channel_count; i++) {
        const model_channel *c = &from->channels[i];
        const bool weighs = c->path == MODEL_WEIGHTS;
        if (node[c->node] < 0 ||
            (weighs && !clip_same_morphs(model, node[c->node], lender, c->node)))
            continue;
        model_channel *copy = &channels[out->channel_count];
        *copy = *c;
        copy->node = node[c->node];
        const uint32_t width = weighs ? clip_morph_count(lender, c->node) : trs_width((int)c->path);
        const size_t parts = c->interpolation == MODEL_CUBIC ? 3 : 1;
        copy->time_s = clip_copy_times(&times, keep, c->time_s, c->key_count);
        copy->value = clip_copy_floats(keep, c->value, (size_t)c->key_count * width * parts);
        if (!copy->time_s || !copy->value)
            return arena_fail(keep, err, "keys");
        out->channel_count++;
    }
    return ZT_OK;
}

zt_result model_borrow_clips(zt_model *model, const zt_model *lender, arena *scratch,
                             uint32_t *out_count, zt_error *err)
{
    const int32_t *node = clip_match_bones(model, lender, scratch, NULL);
    const uint32_t own = model->clip_count;
    model_clip *clips = ARENA_ARRAY(&model->arena, model_clip, (size_t)own + lender->clip_count);
    if (!node)
        return arena_fail(scratch, err, "bones of clips");
    if (!clips)
        return arena_fail(&model->arena, err, "clips");
    if (own)
        memcpy(clips, model->clips, own * sizeof *clips);
    uint32_t count = own;
    for (uint32_t i = 0; i < lender->clip_count; i++) {
        ZT_TRY(copy_clip(model, lender, &lender->clips[i], node, &clips[count], err));
        count += clips[count].channel_count > 0;
    }
    *out_count = count - own;
    model->clips = clips;
    model->clip_count = count;
    ZT_TRY(model_join_clips(model, scratch, err));
    return model_lay_out_clips(model, own, scratch, err);
}

/// The first key of a channel replaces a part of a local transform.
static void apply_first_key(const model_channel *c, trs *local)
{
    const float *key = c->value;
    if (c->path == MODEL_WEIGHTS)
        return;
    const int width = (int)trs_width((int)c->path);
    if (c->interpolation == MODEL_CUBIC)
        key += width; // after its tangent
    float *part = trs_part(local, (int)c->path);
    for (int k = 0; k < width; k++)
        part[k] = key[k];
}

void model_place_nodes(const zt_model *model, const trs *local, affine *world)
{
    for (uint32_t i = 0; i < model->node_count; i++) {
        const model_node *node = &model->nodes[i];
        mat4 m;
        model_node_matrix(node, local ? &local[i] : &node->rest, m);
        const affine own = affine_from_floats(m[0]);
        world[i] = node->parent < 0 ? own : affine_multiply(&world[node->parent], &own);
    }
}

void model_sample_clip(const zt_model *model, const model_clip *clip, float clip_time_s, trs *local)
{
    for (uint32_t i = 0; i < model->node_count; i++)
        local[i] = model->nodes[i].rest;
    for (uint32_t i = 0; clip && i < clip->channel_count; i++) {
        const model_channel *c = &clip->channels[i];
        if (c->path != MODEL_WEIGHTS)
            model_sample_channel(c, clip_time_s, trs_width((int)c->path),
                                 trs_part(&local[c->node], (int)c->path));
    }
}

void clip_pose_joints(const zt_model *model, const model_clip *clip, float time_s, trs *local,
                      affine *world)
{
    model_sample_clip(model, clip, time_s, local);
    model_place_nodes(model, local, world);
}

double clip_box_diagonal(const affine *world, uint32_t count)
{
    double low[3], high[3], square = 0.0;
    dvec3_store(world[0].t, low);
    dvec3_store(world[0].t, high);
    for (uint32_t i = 1; i < count; i++) {
        double t[3];
        dvec3_store(world[i].t, t);
        for (int k = 0; k < 3; k++) {
            low[k] = t[k] < low[k] ? t[k] : low[k];
            high[k] = t[k] > high[k] ? t[k] : high[k];
        }
    }
    for (int k = 0; k < 3; k++)
        square += (high[k] - low[k]) * (high[k] - low[k]);
    return sqrt(square);
}

zt_result model_clip_displacement(const zt_model *model, const model_clip *clip, arena *scratch,
                                  double *out, zt_error *err)
{
    const uint32_t count = model->node_count;
    trs *local = ARENA_ARRAY_RAW(scratch, trs, count);
    affine *rest = ARENA_ARRAY_RAW(scratch, affine, count);
    affine *posed = ARENA_ARRAY_RAW(scratch, affine, count);
    *out = 0.0;
    if (!local || !rest || !posed)
        return arena_fail(scratch, err, "bones of clips");
    if (count == 0)
        return ZT_OK;
    for (uint32_t i = 0; i < count; i++)
        local[i] = model->nodes[i].rest;
    model_place_nodes(model, local, rest);
    for (uint32_t i = 0; i < clip->channel_count; i++)
        apply_first_key(&clip->channels[i], &local[clip->channels[i].node]);
    model_place_nodes(model, local, posed);
    const double size = clip_box_diagonal(rest, count);
    if (size > 0.0)
        for (uint32_t i = 0; i < count; i++) {
            const double moved = dvec3_length(dvec3_sub(posed[i].t, rest[i].t)) / size;
            *out = moved > *out ? moved : *out;
        }
    return ZT_OK;
}
