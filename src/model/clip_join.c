// SPDX-License-Identifier: MIT
/// Clips that move different things as one: exporters write a clip for each object.
#include "model/model.h"

#include <string.h>

/// Parts that clips move which join.
typedef struct moved_parts {
    uint8_t *paths; ///< [node_count] bits of model_path
    bool *properties;
} moved_parts;

static bool is_apart(const moved_parts *moved, const model_clip *clip)
{
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (moved->paths[clip->channels[i].node] >> clip->channels[i].path & 1)
            return false;
    for (uint32_t i = 0; i < clip->property_channel_count; i++)
        if (moved->properties[clip->property_channels[i].property])
            return false;
    return true;
}

static void add_moved(const moved_parts *moved, const model_clip *clip)
{
    for (uint32_t i = 0; i < clip->channel_count; i++)
        moved->paths[clip->channels[i].node] |= (uint8_t)(1u << clip->channels[i].path);
    for (uint32_t i = 0; i < clip->property_channel_count; i++)
        moved->properties[clip->property_channels[i].property] = true;
}

static void append_clip(const model_clip *clip, model_channel *channels,
                        model_property_channel *properties, model_clip *joined)
{
    if (clip->channel_count)
        memcpy(channels + joined->channel_count, clip->channels,
               clip->channel_count * sizeof *channels);
    if (clip->property_channel_count)
        memcpy(properties + joined->property_channel_count, clip->property_channels,
               clip->property_channel_count * sizeof *properties);
    joined->channel_count += clip->channel_count;
    joined->property_channel_count += clip->property_channel_count;
    joined->start_s = clip->start_s < joined->start_s ? clip->start_s : joined->start_s;
    joined->end_s = clip->end_s > joined->end_s ? clip->end_s : joined->end_s;
}

/// Stores the joined clip behind the others, where it is not counted. `joins`: by clip.
static zt_result add_joined(zt_model *model, const bool *joins, zt_error *err)
{
    const uint32_t count = model->clip_count;
    size_t channel_count = 0, property_count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (joins[i]) {
            channel_count += model->clips[i].channel_count;
            property_count += model->clips[i].property_channel_count;
        }
    model_channel *channels = ARENA_ARRAY(&model->arena, model_channel, channel_count);
    model_property_channel *properties =
        ARENA_ARRAY(&model->arena, model_property_channel, property_count);
    model_clip *clips = ARENA_ARRAY(&model->arena, model_clip, (size_t)count + 1);
    if (!channels || !properties || !clips)
        return arena_fail(&model->arena, err, "clips");
    memcpy(clips, model->clips, count * sizeof *clips);
    clips[count] = (model_clip){.name = "all",
                                .channels = channels,
                                .property_channels = properties,
                                .start_s = clips[0].start_s,
                                .end_s = clips[0].end_s};
    for (uint32_t i = 0; i < count; i++)
        if (joins[i])
            append_clip(&clips[i], channels, properties, &clips[count]);
    model->clips = clips;
    model->all_clip = (int32_t)count;
    return ZT_OK;
}

zt_result model_join_clips(zt_model *model, arena *scratch, zt_error *err)
{
    const uint32_t count = model->clip_count;
    model->all_clip = count > 0 ? 0 : -1;
    model->joined_count = count > 0 ? 1 : 0;
    if (count < 2)
        return ZT_OK;
    const moved_parts moved = {.paths = ARENA_ARRAY(scratch, uint8_t, model->node_count),
                               .properties = ARENA_ARRAY(scratch, bool, model->property_count)};
    bool *joins = ARENA_ARRAY(scratch, bool, count);
    if (!moved.paths || !moved.properties || !joins)
        return arena_fail(scratch, err, "clips");
    model->joined_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        joins[i] = is_apart(&moved, &model->clips[i]);
        if (!joins[i])
            continue;
        add_moved(&moved, &model->clips[i]);
        model->joined_count++;
    }
    return model->joined_count > 1 ? add_joined(model, joins, err) : ZT_OK;
}
