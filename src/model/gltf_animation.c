// SPDX-License-Identifier: MIT
/// Animations of a glTF file -> clips. Times rise strictly, rotations have unit length. Exporters
/// let many samplers share their accessors, so each is converted once.
/// Reference: glTF 2.0, section 3.11 and appendix C.

#include "model/gltf_reader.h"

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
        if (maths_quat_normalize(r))
            continue;
        lost++;
        for (int k = 0; k < 4; k++)
            r[k] = k == 3 ? 1.0f : 0.0f;
    }
    return lost;
}

/// Converts all elements of an accessor in one of the ways.
static zt_result read_values(gltf_reader *g, const json_place *place, int32_t index,
                             gltf_value_kind kind)
{
    gltf_key_cache *cache = &g->keys[index];
    gltf_accessor a;
    static const uint32_t widths[GLTF_VALUE_KINDS] = {1, 3, 4, 4};
    const uint32_t width = widths[kind];
    if (cache->value[kind])
        return ZT_OK;
    ZT_TRY(gltf_accessor_open(g, place, index, &a));
    if (a.base.columns != 1 || a.base.rows != width)
        return gltf_fail(g, place, ZT_ERR_FORMAT, "accessor %d of key values must be %s", index,
                         width == 1   ? "SCALAR"
                         : width == 3 ? "VEC3"
                                      : "VEC4");
    float *value = arena_alloc_raw(g->keep, a.count, width * sizeof *value);
    if (!value)
        return arena_fail(g->keep, g->err, "key values");
    ZT_TRY(gltf_read_floats(g, place, &a, 0, a.count, value, width));
    cache->value[kind] = value;
    cache->value_count = a.count;
    if (width < 4)
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
    const int32_t mesh = g->node[node].mesh;
    return mesh >= 0 ? g->model->meshes[mesh].morph_count : 0;
}

/// Fills the keys of a channel whose path is known. key_count is 0 when there are none.
static zt_result read_sampler(gltf_reader *g, const json_place *sampler, model_channel *out)
{
    const json_place input = json_member(sampler, "input"), output = json_member(sampler, "output");
    int32_t input_index, output_index;
    ZT_TRY(gltf_index(g, &input, g->accessor_count, "accessor", &input_index));
    ZT_TRY(gltf_index(g, &output, g->accessor_count, "accessor", &output_index));
    if (input_index < 0 || output_index < 0)
        return gltf_fail(g, sampler, ZT_ERR_FORMAT, "has no %s",
                         input_index < 0 ? "input" : "output");
    ZT_TRY(read_interpolation(g, sampler, &out->interpolation));
    const bool cubic = out->interpolation == MODEL_CUBIC;
    const gltf_value_kind kind = out->path == MODEL_WEIGHTS    ? GLTF_VALUE_NUMBER
                                 : out->path != MODEL_ROTATION ? GLTF_VALUE_VECTOR
                                 : cubic                       ? GLTF_VALUE_ROTATION_CUBIC
                                                               : GLTF_VALUE_ROTATION;
    const uint32_t elements = out->path == MODEL_WEIGHTS ? target_count(g, out->node) : 1;
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
    const size_t width = kind == GLTF_VALUE_NUMBER ? 1u : kind == GLTF_VALUE_VECTOR ? 3u : 4u;
    const size_t key_floats = elements * width * (cubic ? 3u : 1u);
    return pick_values(g, times, values->value[kind], key_floats, &out->value);
}

/// Node and path of a channel. `out_skip` when we cannot show it.
static zt_result read_target(gltf_reader *g, const json_place *channel, model_channel *out,
                             bool *out_skip)
{
    static const char *const names[] = {[MODEL_TRANSLATION] = "translation",
                                        [MODEL_ROTATION] = "rotation",
                                        [MODEL_SCALE] = "scale",
                                        [MODEL_WEIGHTS] = "weights"};
    json_place target;
    const char *path;
    int32_t node;
    ZT_TRY(gltf_object(g, channel, "target", &target));
    if (!target.value)
        return gltf_fail(g, channel, ZT_ERR_FORMAT, "has no target");
    ZT_TRY(gltf_text(g, &target, "path", &path));
    ZT_TRY(gltf_member_index(g, &target, "node", g->node_count, "node", &node));
    const json_place member = json_member(&target, "path");
    *out_skip = true;
    if (path && strcmp(path, "pointer") == 0)
        return ZT_OK; // KHR_animation_pointer is noted with the extensions
    int kind = MODEL_TRANSLATION;
    while (kind <= MODEL_WEIGHTS && strcmp(names[kind], path ? path : "") != 0)
        kind++;
    if (kind > MODEL_WEIGHTS)
        return gltf_unsupported(g, path ? &member : &target, "a channel for '%.40s' is ignored",
                                path ? path : "");
    if (node < 0)
        return ZT_OK; // the specification has such channels ignored
    if (kind == MODEL_WEIGHTS && target_count(g, g->node_index[node]) == 0)
        return gltf_warn(g, &member, "animates weights, but the node has no morph targets");
    out->path = (model_path)kind;
    out->node = g->node_index[node];
    *out_skip = false;
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

static zt_result read_channel(gltf_reader *g, const json_place *channel, const json_place *samplers,
                              uint32_t sampler_count, uint32_t clip, model_channel *out,
                              bool *out_skip)
{
    int32_t sampler;
    json_place place;
    ZT_TRY(read_target(g, channel, out, out_skip));
    ZT_TRY(gltf_member_index(g, channel, "sampler", sampler_count, "sampler", &sampler));
    if (sampler < 0)
        return gltf_fail(g, channel, ZT_ERR_FORMAT, "names no sampler");
    if (*out_skip)
        return ZT_OK;
    uint32_t *animated_by = &g->animated_by[4 * (size_t)out->node + (size_t)out->path];
    if (*animated_by == clip + 1) {
        *out_skip = true;
        return gltf_warn(g, channel,
                         "an earlier channel animates the same property; this one is ignored");
    }
    *animated_by = clip + 1;
    ZT_TRY(gltf_entry(g, samplers, (size_t)sampler, &place));
    ZT_TRY(read_sampler(g, &place, out));
    *out_skip = out->key_count == 0;
    return *out_skip ? gltf_warn(g, &place, "has no keys") : release_matrix(g, channel, out->node);
}

/// Smallest and largest key time over the channels.
static void set_range(model_clip *clip)
{
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const model_channel *c = &clip->channels[i];
        const float start = c->time_s[0], end = c->time_s[c->key_count - 1];
        clip->start_s = i == 0 || start < clip->start_s ? start : clip->start_s;
        clip->end_s = i == 0 || end > clip->end_s ? end : clip->end_s;
    }
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
    model_channel *made = ARENA_ARRAY(g->keep, model_channel, channel_count);
    if (!made)
        return arena_fail(g->keep, g->err, "channels");
    for (uint32_t i = 0; i < channel_count; i++) {
        json_place channel;
        bool skip;
        ZT_TRY(gltf_entry(g, &channels, i, &channel));
        ZT_TRY(read_channel(g, &channel, &samplers, sampler_count, index, &made[out->channel_count],
                            &skip));
        out->channel_count += !skip;
    }
    out->channels = made;
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
    g->model->clips = clips;
    g->model->clip_count = g->animation_count;
    return ZT_OK;
}
