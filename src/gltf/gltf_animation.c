// SPDX-License-Identifier: MIT
/// Animations of a glTF file -> clips. Times rise strictly, rotations have unit length. Exporters
/// let many samplers share their accessors, so each is converted once.
/// Reference: glTF 2.0, section 3.11 and appendix C.

#include "gltf/gltf_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// Converts the times of an accessor. Keys that do not come after the one before are left out.
static zt_result read_times(gltf_reader *g, const json_place *place, int32_t index)
{
    gltf_key_cache *cache = &g->keys[index];
    gltf_accessor a;
    if (cache->time)
        return ZT_OK;
    ZT_TRY(gltf_accessor_open(g, place, index, &a));
    if (gltf_width(&a) != 1)
        return gltf_fail(g, place, ZT_ERR_FORMAT, "accessor %d of key times must be SCALAR", index);
    float *time = ARENA_ARRAY_RAW(g->keep, float, a.count);
    if (!time)
        return arena_fail(g->keep, g->err, "key times");
    ZT_TRY(gltf_read_floats(g, place, &a, 0, a.count, time, 1));
    uint32_t count = a.count > 0;
    while (count > 0 && count < a.count && time[count] > time[count - 1])
        count++;
    cache->file_count = a.count;
    cache->time = time;
    cache->time_count = count;
    if (count == a.count)
        return ZT_OK;
    uint32_t *kept = ARENA_ARRAY_RAW(g->scratch, uint32_t, a.count);
    if (!kept)
        return arena_fail(g->scratch, g->err, "key times");
    for (uint32_t i = 0; i < count; i++)
        kept[i] = i;
    for (uint32_t i = count; i < a.count; i++)
        if (time[i] > time[count - 1]) {
            kept[count] = i;
            time[count++] = time[i];
        }
    cache->time_count = count;
    cache->kept = kept;
    return gltf_warn(g, place, "accessor %d: %u of %u key times do not rise and are left out",
                     index, a.count - count, a.count);
}

/// Gives rotations unit length: every element, or the middle one of three. Returns how many had no
/// length and became no rotation.
static uint32_t normalize_rotations(float *q, size_t count, bool cubic)
{
    uint32_t lost = 0;
    for (size_t i = cubic ? 1 : 0; i < count; i += cubic ? 3 : 1) {
        float *r = q + 4 * i;
        if (quatf_normalize(r))
            continue;
        lost++;
        for (int k = 0; k < 4; k++)
            r[k] = k == 3 ? 1.0f : 0.0f;
    }
    return lost;
}

static uint32_t value_width(gltf_value_kind kind)
{
    static const uint32_t widths[GLTF_VALUE_KINDS] = {
        [GLTF_VALUE_NUMBER] = 1, [GLTF_VALUE_PAIR] = 2,     [GLTF_VALUE_VECTOR] = 3,
        [GLTF_VALUE_FOUR] = 4,   [GLTF_VALUE_ROTATION] = 4, [GLTF_VALUE_ROTATION_CUBIC] = 4};
    return widths[kind];
}

/// Converts all elements of an accessor in one of the ways.
static zt_result read_values(gltf_reader *g, const json_place *place, int32_t index,
                             gltf_value_kind kind)
{
    static const char *const shapes[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    gltf_key_cache *cache = &g->keys[index];
    gltf_accessor a;
    const uint32_t width = value_width(kind);
    if (cache->value[kind])
        return ZT_OK;
    ZT_TRY(gltf_accessor_open(g, place, index, &a));
    if (a.base.columns != 1 || a.base.rows != width)
        return gltf_fail(g, place, ZT_ERR_FORMAT, "accessor %d of key values must be %s", index,
                         shapes[width]);
    float *value = arena_alloc_raw(g->keep, a.count, width * sizeof *value);
    if (!value)
        return arena_fail(g->keep, g->err, "key values");
    ZT_TRY(gltf_read_floats(g, place, &a, 0, a.count, value, width));
    cache->value[kind] = value;
    cache->value_count = a.count;
    if (kind != GLTF_VALUE_ROTATION && kind != GLTF_VALUE_ROTATION_CUBIC)
        return ZT_OK;
    const uint32_t lost = normalize_rotations(value, a.count, kind == GLTF_VALUE_ROTATION_CUBIC);
    return lost == 0
               ? ZT_OK
               : gltf_warn(g, place, "accessor %d: %u rotations are no quaternions", index, lost);
}

/// The values of the keys that were kept.
static zt_result pick_values(gltf_reader *g, const gltf_key_cache *times, const float *value,
                             size_t key_floats, const float **out)
{
    float *picked = arena_alloc_raw(g->keep, times->time_count, key_floats * sizeof *picked);
    if (!picked)
        return arena_fail(g->keep, g->err, "key values");
    for (size_t i = 0; i < times->time_count; i++)
        memcpy(picked + i * key_floats, value + times->kept[i] * key_floats,
               key_floats * sizeof *picked);
    *out = picked;
    return ZT_OK;
}

static zt_result read_interpolation(gltf_reader *g, const json_place *sampler,
                                    model_interpolation *out)
{
    static const char *const names[] = {
        [MODEL_STEP] = "STEP", [MODEL_LINEAR] = "LINEAR", [MODEL_CUBIC] = "CUBICSPLINE"};
    const char *name;
    *out = MODEL_LINEAR;
    ZT_TRY(gltf_text(g, sampler, "interpolation", &name));
    for (int i = MODEL_STEP; name && i <= MODEL_CUBIC; i++)
        if (strcmp(name, names[i]) == 0) {
            *out = (model_interpolation)i;
            return ZT_OK;
        }
    const json_place member = json_member(sampler, "interpolation");
    return name ? gltf_fail(g, &member, ZT_ERR_FORMAT,
                            "interpolation '%.40s' does not exist (expected STEP, LINEAR or "
                            "CUBICSPLINE)",
                            name)
                : ZT_OK;
}

/// How many morph targets the mesh of a node has.
static uint32_t target_count(const gltf_reader *g, int32_t node)
{
    const int32_t mesh = g->shown_mesh[node];
    return mesh >= 0 ? g->model->meshes[mesh].morph_count : 0;
}

/// The way that values of a node's channel are converted.
static gltf_value_kind node_value_kind(const model_channel *channel)
{
    if (channel->path == MODEL_WEIGHTS)
        return GLTF_VALUE_NUMBER;
    if (channel->path != MODEL_ROTATION)
        return GLTF_VALUE_VECTOR;
    return channel->interpolation == MODEL_CUBIC ? GLTF_VALUE_ROTATION_CUBIC : GLTF_VALUE_ROTATION;
}

/// Fills the keys of a channel whose interpolation is known: `elements` values of `kind` each.
/// key_count is 0 when there are none.
static zt_result read_keys(gltf_reader *g, const json_place *sampler, gltf_value_kind kind,
                           uint32_t elements, model_channel *out)
{
    const json_place input = json_member(sampler, "input"), output = json_member(sampler, "output");
    int32_t input_index, output_index;
    ZT_TRY(gltf_index(g, &input, g->accessor_count, "accessor", &input_index));
    ZT_TRY(gltf_index(g, &output, g->accessor_count, "accessor", &output_index));
    if (input_index < 0 || output_index < 0)
        return gltf_fail(g, sampler, ZT_ERR_FORMAT, "has no %s",
                         input_index < 0 ? "input" : "output");
    const bool cubic = out->interpolation == MODEL_CUBIC;
    ZT_TRY(read_times(g, &input, input_index));
    ZT_TRY(read_values(g, &output, output_index, kind));
    const gltf_key_cache *times = &g->keys[input_index], *values = &g->keys[output_index];
    const uint64_t needed = (uint64_t)times->file_count * elements * (cubic ? 3 : 1);
    if (values->value_count < needed)
        return gltf_fail(g, &output, ZT_ERR_FORMAT,
                         "accessor %d has %u values, but %u keys need %llu", output_index,
                         values->value_count, times->file_count, (unsigned long long)needed);
    if (values->value_count > needed)
        ZT_TRY(gltf_warn(g, &output, "accessor %d has %u values for %u keys", output_index,
                         values->value_count, times->file_count));
    out->key_count = times->time_count;
    out->time_s = times->time;
    out->value = values->value[kind];
    if (!times->kept)
        return ZT_OK;
    const size_t key_floats = (size_t)elements * value_width(kind) * (cubic ? 3u : 1u);
    return pick_values(g, times, values->value[kind], key_floats, &out->value);
}

/// What a channel moves: neither node nor properties when we cannot show it.
static zt_result read_target(gltf_reader *g, const json_place *channel, gltf_target *out)
{
    static const char *const names[] = {[MODEL_TRANSLATION] = "translation",
                                        [MODEL_ROTATION] = "rotation",
                                        [MODEL_SCALE] = "scale",
                                        [MODEL_WEIGHTS] = "weights"};
    json_place target;
    const char *path;
    *out = (gltf_target){.node = -1};
    ZT_TRY(gltf_object(g, channel, "target", &target));
    if (!target.value)
        return gltf_fail(g, channel, ZT_ERR_FORMAT, "has no target");
    ZT_TRY(gltf_text(g, &target, "path", &path));
    const json_place member = json_member(&target, "path");
    if (path && strcmp(path, "pointer") == 0) {
        ZT_TRY(gltf_read_pointer(g, &target, out));
    } else {
        ZT_TRY(gltf_member_index(g, &target, "node", g->node_count, "node", &out->node));
        int kind = MODEL_TRANSLATION;
        while (kind <= MODEL_WEIGHTS && strcmp(names[kind], path ? path : "") != 0)
            kind++;
        out->path = (model_path)kind;
        if (kind > MODEL_WEIGHTS) {
            out->node = -1;
            return gltf_unsupported(g, path ? &member : &target, "a channel for '%.40s' is ignored",
                                    path ? path : "");
        }
    }
    if (out->node < 0)
        return ZT_OK; // the specification has such channels ignored
    out->node = g->node_index[out->node];
    if (out->path == MODEL_WEIGHTS && target_count(g, out->node) == 0) {
        out->node = -1;
        return gltf_warn(g, &member, "animates weights, but the node has no morph targets");
    }
    return ZT_OK;
}

/// A node with a matrix that is animated all the same moves by the matrix's nearest T R S.
static zt_result release_matrix(gltf_reader *g, const json_place *channel, int32_t node)
{
    if (!g->node[node].has_matrix)
        return ZT_OK;
    g->node[node].has_matrix = false;
    return gltf_warn(g, channel, "animates a node that has a sheared matrix; its shear is lost");
}

/// Says that a channel is the second one for what it moves, when it is.
static zt_result claim(gltf_reader *g, const json_place *channel, uint32_t clip, uint32_t *moved_by,
                       bool *out_first)
{
    *out_first = *moved_by != clip + 1;
    *moved_by = clip + 1;
    return *out_first
               ? ZT_OK
               : gltf_warn(g, channel,
                           "an earlier channel animates the same property; this one is ignored");
}

static zt_result read_node_channel(gltf_reader *g, const json_place *channel,
                                   const json_place *sampler, const gltf_target *target,
                                   uint32_t clip, model_clip *out, model_channel *made)
{
    bool first;
    model_channel *c = &made[out->channel_count];
    ZT_TRY(claim(g, channel, clip, &g->animated_by[4 * (size_t)target->node + (size_t)target->path],
                 &first));
    if (!first)
        return ZT_OK;
    *c = (model_channel){.node = target->node, .path = target->path};
    ZT_TRY(read_interpolation(g, sampler, &c->interpolation));
    const uint32_t elements = c->path == MODEL_WEIGHTS ? target_count(g, c->node) : 1;
    ZT_TRY(read_keys(g, sampler, node_value_kind(c), elements, c));
    if (c->key_count == 0)
        return gltf_warn(g, sampler, "has no keys");
    out->channel_count++;
    return release_matrix(g, channel, c->node);
}

static zt_result read_property_channel(gltf_reader *g, const json_place *channel,
                                       const json_place *sampler, uint32_t property, uint32_t clip,
                                       model_clip *out, model_moved *made)
{
    static const gltf_value_kind kinds[] = {[1] = GLTF_VALUE_NUMBER,
                                            [2] = GLTF_VALUE_PAIR,
                                            [3] = GLTF_VALUE_VECTOR,
                                            [4] = GLTF_VALUE_FOUR};
    bool first;
    model_moved *c = &made[out->moved_count];
    ZT_TRY(claim(g, channel, clip, &g->property_moved_by[property], &first));
    if (!first)
        return ZT_OK;
    // Plain numbers, whatever their node.
    *c = (model_moved){
        .property = property, .keys = {.node = -1, .path = MODEL_WEIGHTS}
    };
    ZT_TRY(read_interpolation(g, sampler, &c->keys.interpolation));
    ZT_TRY(read_keys(g, sampler, kinds[g->property[property].width], 1, &c->keys));
    if (c->keys.key_count == 0)
        return gltf_warn(g, sampler, "has no keys");
    out->moved_count++;
    return ZT_OK;
}

/// The channels of a clip while they are read: room for each in both kinds.
typedef struct clip_room {
    model_channel *channels;
    model_moved *moved;
} clip_room;

static zt_result read_channel(gltf_reader *g, const json_place *channel, const json_place *samplers,
                              uint32_t sampler_count, uint32_t clip, model_clip *out,
                              const clip_room *room)
{
    int32_t sampler;
    json_place place;
    gltf_target target;
    ZT_TRY(read_target(g, channel, &target));
    ZT_TRY(gltf_member_index(g, channel, "sampler", sampler_count, "sampler", &sampler));
    if (sampler < 0)
        return gltf_fail(g, channel, ZT_ERR_FORMAT, "names no sampler");
    ZT_TRY(gltf_entry(g, samplers, (size_t)sampler, &place));
    if (target.node >= 0)
        return read_node_channel(g, channel, &place, &target, clip, out, room->channels);
    for (uint32_t i = 0; i < target.property_count; i++)
        ZT_TRY(
            read_property_channel(g, channel, &place, target.property[i], clip, out, room->moved));
    return ZT_OK;
}

static void widen(const model_channel *c, bool first, model_clip *clip)
{
    const float start = c->time_s[0], end = c->time_s[c->key_count - 1];
    clip->start_s = first || start < clip->start_s ? start : clip->start_s;
    clip->end_s = first || end > clip->end_s ? end : clip->end_s;
}

/// Smallest and largest key time over the channels.
static void set_range(model_clip *clip)
{
    for (uint32_t i = 0; i < clip->channel_count; i++)
        widen(&clip->channels[i], i == 0, clip);
    for (uint32_t i = 0; i < clip->moved_count; i++)
        widen(&clip->moved[i].keys, i == 0 && clip->channel_count == 0, clip);
}

static zt_result keep_moved(gltf_reader *g, const clip_room *room, model_clip *out)
{
    model_moved *moved = ARENA_ARRAY_RAW(g->keep, model_moved, out->moved_count);
    if (!moved)
        return arena_fail(g->keep, g->err, "channels");
    memcpy(moved, room->moved, out->moved_count * sizeof *moved);
    out->moved = moved;
    return ZT_OK;
}

static zt_result read_clip(gltf_reader *g, uint32_t index, model_clip *out)
{
    json_place place, channels, samplers;
    uint32_t channel_count, sampler_count;
    char number[32];
    ZT_TRY(gltf_entry(g, &g->animations, index, &place));
    ZT_TRY(gltf_name(g, &place, &out->name));
    if (!*out->name) {
        snprintf(number, sizeof number, "Animation%u", index);
        out->name = arena_text(g->keep, number, strlen(number));
        if (!out->name)
            return arena_fail(g->keep, g->err, "a name");
    }
    ZT_TRY(gltf_array(g, &place, "channels", &channels, &channel_count));
    ZT_TRY(gltf_array(g, &place, "samplers", &samplers, &sampler_count));
    // A property of a material may be that of two of the model's.
    const clip_room room = {
        ARENA_ARRAY(g->keep, model_channel, channel_count),
        ARENA_ARRAY(g->scratch, model_moved, 2 * (size_t)channel_count),
    };
    if (!room.channels)
        return arena_fail(g->keep, g->err, "channels");
    if (!room.moved)
        return arena_fail(g->scratch, g->err, "channels");
    for (uint32_t i = 0; i < channel_count; i++) {
        json_place channel;
        ZT_TRY(gltf_entry(g, &channels, i, &channel));
        ZT_TRY(read_channel(g, &channel, &samplers, sampler_count, index, out, &room));
    }
    out->channels = room.channels;
    if (out->moved_count > 0)
        ZT_TRY(keep_moved(g, &room, out));
    set_range(out);
    return ZT_OK;
}

zt_result gltf_read_clips(gltf_reader *g)
{
    model_clip *clips = ARENA_ARRAY(g->keep, model_clip, g->animation_count);
    g->animated_by = arena_alloc(g->scratch, g->node_count, 4 * sizeof *g->animated_by);
    if (!clips)
        return arena_fail(g->keep, g->err, "clips");
    if (!g->animated_by)
        return arena_fail(g->scratch, g->err, "clips");
    for (uint32_t i = 0; i < g->animation_count; i++)
        ZT_TRY(read_clip(g, i, &clips[i]));
    model_property *properties = ARENA_ARRAY_RAW(g->keep, model_property, g->property_count);
    if (!properties)
        return arena_fail(g->keep, g->err, "animated properties");
    if (g->property_count > 0)
        memcpy(properties, g->property, g->property_count * sizeof *properties);
    g->model->properties = properties;
    g->model->property_count = g->property_count;
    g->model->clips = clips;
    g->model->clip_count = g->animation_count;
    return ZT_OK;
}
