// SPDX-License-Identifier: MIT
/// Clips of a glTF file, by channels; see gltf_model_parts.h. Equal key times share an accessor.
#include "convert/gltf_model_parts.h"

#include <string.h>

/// The number of arrays of times that are compared: those that came last.
enum { TIMES_COMPARED = 64 };

struct gltf_times {
    const float *time_s;
    uint32_t count;
    int64_t accessor;
    struct gltf_times *next; ///< the one before
};

gltf_clip gltf_clip_begin(gltf_builder *builder, struct gltf_times *times)
{
    json_builder *b = &builder->package.values;
    return (gltf_clip){json_new(b, JSON_KIND_ARRAY), json_new(b, JSON_KIND_ARRAY), times};
}

static const struct gltf_times *find_times(const gltf_clip *clip, const gltf_keys *keys)
{
    const struct gltf_times *t = clip->times;
    for (int i = 0; t && i < TIMES_COMPARED; i++, t = t->next)
        if (t->count == keys->count &&
            (t->time_s == keys->time_s ||
             memcmp(t->time_s, keys->time_s, keys->count * sizeof *t->time_s) == 0))
            return t;
    return NULL;
}

static zt_result add_times(gltf_builder *builder, gltf_clip *clip, const gltf_keys *keys,
                           int64_t *out_accessor)
{
    const struct gltf_times *known = find_times(clip, keys);
    const accessor_data times = {.data = keys->time_s,
                                 .count = keys->count,
                                 .type = "SCALAR",
                                 .width = 1,
                                 .component = GLTF_FLOAT,
                                 .has_bounds = true};
    if (known) {
        *out_accessor = known->accessor;
        return ZT_OK;
    }
    struct gltf_times *made;
    ZT_TRY(ARENA_TAKE(builder->job->a, &made, 1, "key times", builder->job->err));
    ZT_TRY(gltf_builder_add_accessor(builder, &times, out_accessor));
    *made = (struct gltf_times){keys->time_s, keys->count, *out_accessor, clip->times};
    clip->times = made;
    return ZT_OK;
}

/// The accessor of values: one element for each key, of weights one for each number.
static accessor_data values_of(const gltf_keys *keys)
{
    static const char *const types[] = {"SCALAR", "SCALAR", "VEC2", "VEC3", "VEC4"};
    const bool weights = strcmp(keys->path, "weights") == 0;
    const bool cubic = keys->curve && strcmp(keys->curve, "CUBICSPLINE") == 0;
    const uint32_t count = keys->count * (cubic ? 3 : 1);
    return (accessor_data){.data = keys->value,
                           .count = weights ? count * keys->width : count,
                           .type = weights ? "SCALAR" : types[keys->width],
                           .width = weights ? 1 : keys->width,
                           .component = GLTF_FLOAT};
}

static json_value *target_of(gltf_builder *builder, const gltf_keys *keys)
{
    json_builder *b = &builder->package.values;
    json_value *target = json_new(b, JSON_KIND_OBJECT);
    if (!keys->pointer) {
        json_put_int(b, target, "node", keys->node);
        json_put_text(b, target, "path", keys->path);
        return target;
    }
    json_value *extensions = json_new(b, JSON_KIND_OBJECT);
    json_value *pointer = json_new(b, JSON_KIND_OBJECT);
    json_put_text(b, target, "path", "pointer");
    json_put_text(b, pointer, "pointer", keys->pointer);
    json_put(b, extensions, "KHR_animation_pointer", pointer);
    json_put(b, target, "extensions", extensions);
    return target;
}

zt_result gltf_clip_add(gltf_builder *builder, gltf_clip *clip, const gltf_keys *keys)
{
    json_builder *b = &builder->package.values;
    const accessor_data values = values_of(keys);
    int64_t input = 0, output = 0;
    ZT_TRY(add_times(builder, clip, keys, &input));
    ZT_TRY(gltf_builder_add_accessor(builder, &values, &output));
    json_value *sampler = json_new(b, JSON_KIND_OBJECT), *entry = json_new(b, JSON_KIND_OBJECT);
    json_put_int(b, sampler, "input", input);
    json_put_int(b, sampler, "output", output);
    json_put_text(b, sampler, "interpolation", keys->curve ? keys->curve : "LINEAR");
    json_put_int(b, entry, "sampler", json_length(clip->samplers));
    json_put(b, entry, "target", target_of(builder, keys));
    json_append(b, clip->samplers, sampler);
    json_append(b, clip->channels, entry);
    return ZT_OK;
}

void gltf_clip_end(gltf_builder *builder, gltf_clip *clip, const char *name)
{
    json_builder *b = &builder->package.values;
    json_value *entry = gltf_builder_entry(builder, "animations");
    json_put_text(b, entry, "name", name);
    json_put(b, entry, "samplers", clip->samplers);
    json_put(b, entry, "channels", clip->channels);
}
