// SPDX-License-Identifier: MIT
/// Retargets all clips of a source.
#include "retarget/retarget.h"

#include "model/clip_copy.h"

#include <string.h>

/// Evaluations of one bone at one time: some seconds of work at most.
#define WORK_LIMIT ((uint64_t)1 << 27)

/// Bones of the source that clips rotate or move, and that move nothing, unless the caller says so.
static bool list_unmapped(const retarget *r, const retarget_def *def, arena *scratch,
                          retarget_result *out)
{
    const zt_model *from = r->from.model;
    bool *moves = ARENA_ARRAY(scratch, bool, from->node_count);
    int32_t *list = ARENA_ARRAY_RAW(scratch, int32_t, from->node_count);
    if (!moves || !list)
        return false;
    for (uint32_t i = 0; i < from->clip_count; i++)
        for (uint32_t k = 0; k < from->clips[i].channel_count; k++) {
            const model_channel *c = &from->clips[i].channels[k];
            if (from->is_vrm_animation && c->node == from->look_node)
                continue; // no bone
            if (c->path != MODEL_WEIGHTS && !moves[c->node])
                moves[c->node] = clip_constant_value(c) == NULL;
        }
    for (uint32_t i = 0; i < r->to.model->node_count; i++)
        if (r->source[i] >= 0) {
            moves[r->source[i]] = false;
            out->bone_count++;
        }
    for (uint32_t i = 0; i < def->pair_count; i++)
        moves[def->pairs[i].from] = false;
    for (uint32_t i = 0; i < from->node_count; i++)
        if (moves[i])
            list[out->unmapped_count++] = (int32_t)i;
    out->unmapped = list;
    return true;
}

/// Parts of the target's body that nothing moves.
static bool list_unmoved(const retarget *r, arena *scratch, retarget_result *out)
{
    int32_t *list = ARENA_ARRAY_RAW(scratch, int32_t, RIG_PART_COUNT);
    if (!list)
        return false;
    for (int32_t part = RIG_HIPS; part < RIG_PART_COUNT; part++)
        if (r->to.parts.node[part] >= 0 && r->source[r->to.parts.node[part]] < 0)
            list[out->unmoved_count++] = r->to.parts.node[part];
    out->unmoved = list;
    return true;
}

static zt_result retarget_all(zt_model *model, const retarget *r, arena *scratch,
                              retarget_result *out, zt_error *err)
{
    const zt_model *source = r->from.model;
    const uint32_t own = model->clip_count;
    uint64_t work = WORK_LIMIT;
    model_clip *clips;
    ZT_TRY(ARENA_TAKE(&model->arena, &clips, (size_t)own + source->clip_count, "clips", err));
    if (own)
        memcpy(clips, model->clips, own * sizeof *clips);
    uint32_t count = own;
    for (uint32_t i = 0; i < source->clip_count; i++) {
        ZT_TRY(retarget_clip(r, model, &source->clips[i], scratch, &work, &clips[count], err));
        ZT_TRY(retarget_face_clip(model, source, &source->clips[i], &clips[count], err));
        count += clips[count].channel_count + clips[count].property_channel_count > 0;
    }
    out->clip_count = count - own;
    model->clips = clips;
    model->clip_count = count;
    ZT_TRY(model_join_clips(model, scratch, err));
    return model_lay_out_clips(model, own, scratch, err);
}

zt_result model_retarget_clips(zt_model *model, const zt_model *source, const retarget_def *def,
                               arena *scratch, retarget_result *out, zt_error *err)
{
    retarget r = {0};
    *out = (retarget_result){.scale = 1.0};
    if (!retarget_rests(&r, model, source, scratch) || !retarget_map(&r, def, scratch) ||
        !retarget_fit(&r, def->mode, scratch) ||
        (def->mode == RETARGET_FITTED && !retarget_find_legs(&r, scratch)) ||
        !list_unmapped(&r, def, scratch, out) || !list_unmoved(&r, scratch, out))
        return arena_fail(scratch, err, "bones of clips");
    out->scale = r.scale;
    out->unsure = r.unsure;
    return out->bone_count > 0 ? retarget_all(model, &r, scratch, out, err) : ZT_OK;
}
