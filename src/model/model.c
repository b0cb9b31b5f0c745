// SPDX-License-Identifier: MIT
/// The public calls about models.
#include "model/model.h"

#include "base/handle.h"

void zt_model_destroy(zt_model *model)
{
    if (!model)
        return;
    const zt_allocator *allocator = model->budget_own.allocator;
    arena_finish(&model->arena);
    handle_free(allocator, model, sizeof *model);
}

int32_t zt_model_clip_count(const zt_model *model)
{
    return model ? (int32_t)model->clip_count : 0;
}

static const model_clip *find_clip(const zt_model *model, int32_t clip)
{
    return model && clip >= 0 && (uint32_t)clip < model->clip_count ? &model->clips[clip] : NULL;
}

const char *zt_model_clip_name(const zt_model *model, int32_t clip)
{
    const model_clip *c = find_clip(model, clip);
    return c ? c->name : NULL;
}

void zt_model_clip_range(const zt_model *model, int32_t clip, double *out_start_s,
                         double *out_end_s)
{
    const model_clip *c = find_clip(model, clip);
    if (out_start_s)
        *out_start_s = c ? (double)c->start_s : 0.0;
    if (out_end_s)
        *out_end_s = c ? (double)c->end_s : 0.0;
}
