// SPDX-License-Identifier: MIT
/// Animations of a glTF file -> clips with rising times and unit rotations. Many samplers share
/// accessors, so each is converted once. Reference: glTF 2.0, section 3.11 and appendix C.
#include "base/row_find.h"
#include "gltf/gltf_accessor.h"
#include "gltf/gltf_parts.h"
#include "gltf/gltf_pointer.h"

#include <stdio.h>
#include <string.h>

/// The conversion of the values of keys.
typedef enum value_kind {
    VALUE_NUMBER,         ///< 1 float each
    VALUE_PAIR,           ///< 2 floats each
    VALUE_VECTOR,         ///< 3 floats each
    VALUE_FOUR,           ///< 4 floats each
    VALUE_ROTATION,       ///< 4 floats each, unit length
    VALUE_ROTATION_CUBIC, ///< in-tangent, rotation of unit length, out-tangent
    VALUE_KINDS
} value_kind;

/// Animation data that several samplers share, converted once per accessor.
typedef struct key_cache {
    const float *time;    ///< as scalars, rising strictly
    uint32_t time_count;  ///< keys that were kept
    uint32_t file_count;  ///< keys in the file
    const uint32_t *kept; ///< indices of the kept keys in the file, NULL when all were
    const float *value[VALUE_KINDS];
    uint32_t value_count; ///< elements of the accessor
} key_cache;

/// State of all clips while they are read.
typedef struct clip_reader {
    gltf_file *file;
    gltf_log *log;
    gltf_materials *materials;
    gltf_nodes *nodes;
    const zt_model *model; ///< whose meshes are read
    key_cache *keys;       ///< [accessors]
    uint32_t *animated_by; ///< [4 * nodes] 1 + the clip that last animated T, R, S or weights
    gltf_properties properties;
} clip_reader;

/// A clip while it is read. Both arrays have room for all channels.
typedef struct clip_build {
    uint32_t number; ///< of the clip
    json_pointer samplers;
    uint32_t sampler_count, channel_count; ///< in the file
    model_channel *channels;
    model_property_channel *property_channels; ///< NULL until one is read
    model_clip *out;
} clip_build;

/// Converts the times of an accessor. Keys that are not later than the one before are left out.
static zt_result read_times(clip_reader *r, const json_pointer *json, int32_t index)
{
    key_cache *cache = &r->keys[index];
    gltf_accessor a;
    if (cache->time)
        return ZT_OK;
    ZT_TRY(gltf_accessor_open(r->file, json, index, &a));
    if (gltf_width(&a) != 1)
        return gltf_fail(r->log, json, ZT_ERR_FORMAT, "accessor %d of key times must be SCALAR",
                         index);
    float *time;
    ZT_TRY(ARENA_TAKE_RAW(r->file->keep, &time, a.count, "key times", r->log->err));
    ZT_TRY(gltf_read_floats(r->file, json, &a, 0, a.count, time, 1));
    uint32_t count = a.count > 0;
    while (count > 0 && count < a.count && time[count] > time[count - 1])
        count++;
    cache->file_count = a.count;
    cache->time = time;
    cache->time_count = count;
    if (count == a.count)
        return ZT_OK;
    uint32_t *kept;
    ZT_TRY(ARENA_TAKE_RAW(r->file->scratch, &kept, a.count, "key times", r->log->err));
    for (uint32_t i = 0; i < count; i++)
        kept[i] = i;
    for (uint32_t i = count; i < a.count; i++)
        if (time[i] > time[count - 1]) {
            kept[count] = i;
            time[count++] = time[i];
        }
    cache->time_count = count;
    cache->kept = kept;
    return gltf_warn(r->log, json, "accessor %d: %u of %u key times do not rise and are left out",
                     index, a.count - count, a.count);
}

/// Gives rotations unit length: all, or the middle of three. Returns how many had none.
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

static uint32_t value_width(value_kind kind)
{
    static const uint32_t widths[VALUE_KINDS] = {
        [VALUE_NUMBER] = 1, [VALUE_PAIR] = 2,     [VALUE_VECTOR] = 3,
        [VALUE_FOUR] = 4,   [VALUE_ROTATION] = 4, [VALUE_ROTATION_CUBIC] = 4};
    return widths[kind];
}

/// Converts all elements of an accessor.
static zt_result read_values(clip_reader *r, const json_pointer *json, int32_t index,
                             value_kind kind)
{
    static const char *const shapes[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    key_cache *cache = &r->keys[index];
    gltf_accessor a;
    const uint32_t width = value_width(kind);
    if (cache->value[kind])
        return ZT_OK;
    ZT_TRY(gltf_accessor_open(r->file, json, index, &a));
    if (a.base.columns != 1 || a.base.rows != width)
        return gltf_fail(r->log, json, ZT_ERR_FORMAT, "accessor %d of key values must be %s", index,
                         shapes[width]);
    float *value = arena_alloc_raw(r->file->keep, a.count, width * sizeof *value);
    if (!value)
        return arena_fail(r->file->keep, r->log->err, "key values");
    ZT_TRY(gltf_read_floats(r->file, json, &a, 0, a.count, value, width));
    cache->value[kind] = value;
    cache->value_count = a.count;
    if (kind != VALUE_ROTATION && kind != VALUE_ROTATION_CUBIC)
        return ZT_OK;
    const uint32_t lost = normalize_rotations(value, a.count, kind == VALUE_ROTATION_CUBIC);
    return lost == 0
               ? ZT_OK
               : gltf_warn(r->log, json,
                           "accessor %d: %u rotations are not quaternions and become the identity",
                           index, lost);
}

/// The values of the keys that were kept.
static zt_result pick_values(gltf_file *file, const key_cache *times, const float *value,
                             size_t key_floats, const float **out)
{
    float *picked = arena_alloc_raw(file->keep, times->time_count, key_floats * sizeof *picked);
    if (!picked)
        return arena_fail(file->keep, file->log->err, "key values");
    for (size_t i = 0; i < times->time_count; i++)
        memcpy(picked + i * key_floats, value + times->kept[i] * key_floats,
               key_floats * sizeof *picked);
    *out = picked;
    return ZT_OK;
}

static zt_result read_interpolation(gltf_log *log, const json_pointer *sampler,
                                    model_interpolation *out)
{
    static const char *const names[] = {
        [MODEL_STEP] = "STEP", [MODEL_LINEAR] = "LINEAR", [MODEL_CUBIC] = "CUBICSPLINE"};
    const char *name;
    ZT_TRY(gltf_text(log, sampler, "interpolation", &name));
    const int32_t found = ROW_FIND(names, name);
    *out = found >= 0 ? (model_interpolation)found : MODEL_LINEAR;
    if (!name || found >= 0)
        return ZT_OK;
    const json_pointer member = json_member(sampler, "interpolation");
    return gltf_fail(log, &member, ZT_ERR_FORMAT,
                     "interpolation '%.40s' does not exist (expected STEP, LINEAR or CUBICSPLINE)",
                     name);
}

/// The number of morph targets of the mesh of a node.
static uint32_t target_count(const clip_reader *r, int32_t node)
{
    const int32_t mesh = r->nodes->shown_mesh[node];
    return mesh >= 0 ? r->model->meshes[mesh].morph_count : 0;
}

/// The conversion of the values of a node's channel.
static value_kind node_value_kind(const model_channel *channel)
{
    if (channel->path == MODEL_WEIGHTS)
        return VALUE_NUMBER;
    if (channel->path != MODEL_ROTATION)
        return VALUE_VECTOR;
    return channel->interpolation == MODEL_CUBIC ? VALUE_ROTATION_CUBIC : VALUE_ROTATION;
}

/// Fills the keys of a channel: `elements` values of `kind` each. key_count is 0 without any.
static zt_result read_keys(clip_reader *r, const json_pointer *sampler, value_kind kind,
                           uint32_t elements, model_channel *out)
{
    const json_pointer input = json_member(sampler, "input"),
                       output = json_member(sampler, "output");
    int32_t input_index, output_index;
    ZT_TRY(gltf_index(r->file, &input, GLTF_ACCESSORS, &input_index));
    ZT_TRY(gltf_index(r->file, &output, GLTF_ACCESSORS, &output_index));
    if (input_index < 0 || output_index < 0)
        return gltf_fail(r->log, sampler, ZT_ERR_FORMAT, "has no %s",
                         input_index < 0 ? "input" : "output");
    const bool cubic = out->interpolation == MODEL_CUBIC;
    ZT_TRY(read_times(r, &input, input_index));
    ZT_TRY(read_values(r, &output, output_index, kind));
    const key_cache *times = &r->keys[input_index], *values = &r->keys[output_index];
    const uint64_t needed = (uint64_t)times->file_count * elements * (cubic ? 3 : 1);
    if (values->value_count < needed)
        return gltf_fail(r->log, &output, ZT_ERR_FORMAT,
                         "accessor %d has %u values, but %u keys need %llu", output_index,
                         values->value_count, times->file_count, (unsigned long long)needed);
    if (values->value_count > needed)
        ZT_TRY(gltf_warn(r->log, &output, "accessor %d has %u values for %u keys", output_index,
                         values->value_count, times->file_count));
    out->key_count = times->time_count;
    out->time_s = times->time;
    out->value = values->value[kind];
    if (!times->kept)
        return ZT_OK;
    const size_t key_floats = (size_t)elements * value_width(kind) * (cubic ? 3u : 1u);
    return pick_values(r->file, times, values->value[kind], key_floats, &out->value);
}

/// The target of a channel: neither node nor properties when it cannot be shown.
static zt_result read_target(clip_reader *r, const json_pointer *channel, gltf_target *out)
{
    json_pointer target;
    const char *path;
    *out = (gltf_target){.node = -1};
    ZT_TRY(gltf_object(r->log, channel, "target", &target));
    if (!target.value)
        return gltf_fail(r->log, channel, ZT_ERR_FORMAT, "has no target");
    ZT_TRY(gltf_text(r->log, &target, "path", &path));
    const json_pointer member = json_member(&target, "path");
    if (path && strcmp(path, "pointer") == 0) {
        ZT_TRY(gltf_read_pointer(r->file, r->nodes->node_index, r->materials, &r->properties,
                                 &target, out));
    } else {
        ZT_TRY(gltf_member_index(r->file, &target, "node", GLTF_NODES, &out->node));
        const int32_t kind = ROW_FIND(model_path_names, path);
        out->path = (model_path)kind;
        if (kind < 0) {
            out->node = -1;
            return gltf_unsupported(r->log, path ? &member : &target,
                                    "a channel for '%.40s' is ignored", path ? path : "");
        }
    }
    if (out->node < 0)
        return ZT_OK; // the specification has such channels ignored
    out->node = r->nodes->node_index[out->node];
    if (out->path == MODEL_WEIGHTS && target_count(r, out->node) == 0) {
        out->node = -1;
        return gltf_warn(r->log, &member, "animates weights, but the node has no morph targets");
    }
    return ZT_OK;
}

/// Warns of a channel that is the second one for what it moves.
static zt_result claim(gltf_log *log, const json_pointer *channel, uint32_t clip,
                       uint32_t *moved_by, bool *out_first)
{
    *out_first = *moved_by != clip + 1;
    *moved_by = clip + 1;
    return *out_first
               ? ZT_OK
               : gltf_warn(log, channel,
                           "an earlier channel animates the same property; this one is ignored");
}

static zt_result read_node_channel(clip_reader *r, const json_pointer *channel,
                                   const json_pointer *sampler, const gltf_target *target,
                                   clip_build *clip)
{
    bool first;
    model_channel *c = &clip->channels[clip->out->channel_count];
    ZT_TRY(claim(r->log, channel, clip->number,
                 &r->animated_by[4 * (size_t)target->node + (size_t)target->path], &first));
    if (!first)
        return ZT_OK;
    *c = (model_channel){.node = target->node, .path = target->path};
    ZT_TRY(read_interpolation(r->log, sampler, &c->interpolation));
    const uint32_t elements = c->path == MODEL_WEIGHTS ? target_count(r, c->node) : 1;
    ZT_TRY(read_keys(r, sampler, node_value_kind(c), elements, c));
    if (c->key_count == 0)
        return gltf_warn(r->log, sampler, "has no keys");
    clip->out->channel_count++;
    // A node that has a matrix but is animated moves by the T R S that is nearest to the matrix.
    model_node *node = &r->nodes->node[c->node];
    if (!node->has_matrix)
        return ZT_OK;
    node->has_matrix = false;
    return gltf_warn(r->log, channel,
                     "animates a node that has a sheared matrix; its shear is lost");
}

/// A property of a file's material belongs to each of its uses here. Most clips move nodes alone.
static zt_result allocate_property_channels(clip_reader *r, clip_build *clip)
{
    if (clip->property_channels)
        return ZT_OK;
    clip->property_channels = ARENA_ARRAY_RAW(r->file->scratch, model_property_channel,
                                              GLTF_MATERIAL_USES * (size_t)clip->channel_count);
    return clip->property_channels ? ZT_OK : arena_fail(r->file->scratch, r->log->err, "channels");
}

static zt_result read_property_channel(clip_reader *r, const json_pointer *channel,
                                       const json_pointer *sampler, uint32_t property,
                                       clip_build *clip)
{
    static const value_kind kinds[] = {
        [1] = VALUE_NUMBER, [2] = VALUE_PAIR, [3] = VALUE_VECTOR, [4] = VALUE_FOUR};
    bool first;
    ZT_TRY(allocate_property_channels(r, clip));
    model_property_channel *c = &clip->property_channels[clip->out->property_channel_count];
    ZT_TRY(claim(r->log, channel, clip->number, &r->properties.moved_by[property], &first));
    if (!first)
        return ZT_OK;
    // Plain numbers, whatever their node.
    *c =
        (model_property_channel){.property = property, .keys = {.node = -1, .path = MODEL_WEIGHTS}};
    ZT_TRY(read_interpolation(r->log, sampler, &c->keys.interpolation));
    ZT_TRY(read_keys(r, sampler, kinds[r->properties.property[property].width], 1, &c->keys));
    if (c->keys.key_count == 0)
        return gltf_warn(r->log, sampler, "has no keys");
    clip->out->property_channel_count++;
    return ZT_OK;
}

static zt_result read_channel(clip_reader *r, const json_pointer *channel, clip_build *clip)
{
    const json_pointer member = json_member(channel, "sampler");
    int32_t index;
    json_pointer sampler;
    gltf_target target;
    ZT_TRY(read_target(r, channel, &target));
    ZT_TRY(gltf_index_below(r->log, &member, clip->sampler_count, "sampler", &index));
    if (index < 0)
        return gltf_fail(r->log, channel, ZT_ERR_FORMAT, "names no sampler");
    ZT_TRY(gltf_entry(r->log, &clip->samplers, (size_t)index, &sampler));
    if (target.node >= 0)
        return read_node_channel(r, channel, &sampler, &target, clip);
    for (uint32_t i = 0; i < target.property_count; i++)
        ZT_TRY(read_property_channel(r, channel, &sampler, target.property[i], clip));
    return ZT_OK;
}

static void widen(const model_channel *c, bool first, model_clip *clip)
{
    const float start = c->time_s[0], end = c->time_s[c->key_count - 1];
    clip->start_s = first || start < clip->start_s ? start : clip->start_s;
    clip->end_s = first || end > clip->end_s ? end : clip->end_s;
}

/// A clip's name; one that has none is called by its number.
static zt_result name_clip(gltf_log *log, const json_pointer *json, uint32_t number,
                           const char **out)
{
    char text[32];
    ZT_TRY(gltf_name(log, json, out));
    if (**out)
        return ZT_OK;
    snprintf(text, sizeof text, "Animation%u", number);
    return ARENA_TEXT(log->keep, out, text, "a name", log->err);
}

static zt_result read_clip(clip_reader *r, uint32_t number, model_clip *out)
{
    arena *keep = r->file->keep;
    clip_build clip = {.number = number, .out = out};
    json_pointer json, channels;
    uint32_t count;
    ZT_TRY(gltf_list_entry(r->file, GLTF_ANIMATIONS, number, &json));
    ZT_TRY(name_clip(r->log, &json, number, &out->name));
    ZT_TRY(gltf_array(r->log, &json, "channels", &channels, &count));
    ZT_TRY(gltf_array(r->log, &json, "samplers", &clip.samplers, &clip.sampler_count));
    clip.channels = ARENA_ARRAY(keep, model_channel, count);
    clip.channel_count = count;
    if (!clip.channels)
        return arena_fail(keep, r->log->err, "channels");
    for (uint32_t i = 0; i < count; i++) {
        json_pointer channel;
        ZT_TRY(gltf_entry(r->log, &channels, i, &channel));
        ZT_TRY(read_channel(r, &channel, &clip));
    }
    out->channels = clip.channels;
    if (out->property_channel_count > 0) {
        model_property_channel *kept;
        ZT_TRY(ARENA_TAKE_RAW(keep, &kept, out->property_channel_count, "channels", r->log->err));
        memcpy(kept, clip.property_channels, out->property_channel_count * sizeof *kept);
        out->property_channels = kept;
    }
    for (uint32_t i = 0; i < out->channel_count; i++)
        widen(&out->channels[i], i == 0, out);
    for (uint32_t i = 0; i < out->property_channel_count; i++)
        widen(&out->property_channels[i].keys, i == 0 && out->channel_count == 0, out);
    return ZT_OK;
}

/// Copies the properties into the model, and after them one for each expression, which clips of
/// other files move.
static zt_result keep_properties(const gltf_file *file, const gltf_properties *from,
                                 zt_model *model)
{
    model_property *properties;
    const uint32_t count = from->count + model->expression_count;
    ZT_TRY(ARENA_TAKE_RAW(file->keep, &properties, count, "animated properties", file->log->err));
    if (from->count > 0)
        memcpy(properties, from->property, from->count * sizeof *properties);
    for (uint32_t i = 0; i < model->expression_count; i++)
        properties[from->count + i] = (model_property){.owner = MODEL_OWNER_EXPRESSION,
                                                       .index = i,
                                                       .offset = offsetof(model_expression, weight),
                                                       .width = 1,
                                                       .min = 0.0f,
                                                       .max = 1.0f};
    model->properties = properties;
    model->property_count = count;
    return ZT_OK;
}

zt_result gltf_read_clips(gltf_file *file, gltf_materials *materials, gltf_nodes *nodes,
                          zt_model *model)
{
    const uint32_t count = file->list[GLTF_ANIMATIONS].count;
    clip_reader r = {
        .file = file, .log = file->log, .materials = materials, .nodes = nodes, .model = model};
    model_clip *clips = ARENA_ARRAY(file->keep, model_clip, count);
    r.keys = ARENA_ARRAY(file->scratch, key_cache, file->list[GLTF_ACCESSORS].count);
    r.animated_by =
        arena_alloc(file->scratch, file->list[GLTF_NODES].count, 4 * sizeof *r.animated_by);
    if (!clips)
        return arena_fail(file->keep, file->log->err, "clips");
    if (!r.keys || !r.animated_by)
        return arena_fail(file->scratch, file->log->err, "clips");
    for (uint32_t i = 0; i < count; i++)
        ZT_TRY(read_clip(&r, i, &clips[i]));
    model->clips = clips;
    model->clip_count = count;
    return keep_properties(file, &r.properties, model);
}
