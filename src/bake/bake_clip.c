// SPDX-License-Identifier: MIT
/// Keys -> nodes and clips of the glTF file.
#include "bake/bake.h"
#include "bake/key_reduction.h"
#include "base/maths.h"

#include <string.h>

static const char *const path_names[CLIP_PATHS] = {"translation", "rotation", "scale"};

gltf_clip bake_begin_clip(bake_job *bake)
{
    if (!bake->def.one_clip)
        return gltf_clip_begin(&bake->assembly.builder, bake->key_times);
    if (!bake->has_shot)
        bake->shot = gltf_clip_begin(&bake->assembly.builder, NULL);
    bake->has_shot = true;
    return bake->shot;
}

void bake_end_clip(bake_job *bake, gltf_clip *clip, const char *name)
{
    bake->key_times = clip->times;
    bake->shot.times = clip->times;
    if (!bake->def.one_clip && json_length(clip->channels) > 0)
        gltf_clip_end(&bake->assembly.builder, clip, name);
}

static float *key_times(const bake_job *bake, const clip_keys *keys)
{
    float *time_s = ARENA_ARRAY_RAW(bake->a, float, keys->count);
    for (uint32_t k = 0; time_s && k < keys->count; k++)
        time_s[k] = bake->times.key_s[keys->sample[k]];
    return time_s;
}

static zt_result add_channel(bake_job *bake, gltf_clip *clip, int64_t node, clip_path path,
                             const trs *samples, const clip_keys *keys)
{
    const uint32_t width = trs_width((int)path);
    float *value = ARENA_ARRAY_RAW(bake->a, float, (size_t)keys->count *width);
    const float *time_s = key_times(bake, keys);
    if (!value || !time_s)
        return arena_fail(bake->a, bake->err, "keys");
    for (uint32_t k = 0; k < keys->count; k++)
        memcpy(value + (size_t)k * width, trs_const_part(&samples[keys->sample[k]], (int)path),
               width * sizeof *value);
    const gltf_keys out = {.node = node,
                           .path = path_names[path],
                           .count = keys->count,
                           .width = width,
                           .time_s = time_s,
                           .value = value};
    return gltf_clip_add(&bake->assembly.builder, clip, &out);
}

/// Gives a node a transform instead of its own.
static void put_transform(bake_job *bake, json_value *node, const trs *transform)
{
    for (clip_path path = 0; path < CLIP_PATHS; path++)
        json_remove(node, path_names[path]);
    gltf_build_transform(&bake->assembly.builder, transform, node);
}

static const clip_keys *keys_of(const bake_instance *instance, uint32_t node, clip_path path)
{
    return &instance->reduced.keys[(size_t)node * CLIP_PATHS + path];
}

static bool moves(const bake_instance *instance)
{
    bool any = false;
    for (uint32_t i = 0; i < instance->samples.node_count * CLIP_PATHS; i++)
        any |= instance->reduced.keys[i].count > 1;
    for (uint32_t i = 0; i < instance->morph_count; i++)
        any |= instance->morphs[i].keys->count > 1;
    return any;
}

/// The channels of a node of the model. What does not move has one key, unless it rests.
static zt_result add_node(bake_job *bake, const bake_instance *instance, uint32_t i,
                          int64_t first_node, gltf_clip *clip)
{
    const model_node *node = &instance->scene->model->nodes[i - 1];
    const trs *samples = clip_local(&instance->samples, i, 0);
    if (node->has_matrix)
        return ZT_OK;
    for (clip_path path = 0; path < CLIP_PATHS; path++) {
        const clip_keys *keys = keys_of(instance, i, path);
        const bool rests =
            memcmp(trs_const_part(&samples[0], (int)path), trs_const_part(&node->rest, (int)path),
                   trs_width((int)path) * sizeof(float)) == 0;
        if (keys->count > 1 || !rests)
            ZT_TRY(add_channel(bake, clip, first_node + i - 1, path, samples, keys));
    }
    return ZT_OK;
}

static zt_result add_morphs(bake_job *bake, const bake_instance *instance, int64_t first_node,
                            gltf_clip *clip)
{
    for (uint32_t i = 0; i < instance->morph_count; i++) {
        const bake_morph *morph = &instance->morphs[i];
        const uint32_t width = morph->target_count;
        json_value *nodes = gltf_package_array(&bake->assembly.builder.package, "nodes");
        json_value *node = json_at(nodes, (size_t)(first_node + morph->node));
        if (morph->keys->count < 2) {
            gltf_builder_put_floats(&bake->assembly.builder, node, "weights", morph->weight, width);
            continue;
        }
        float *value = ARENA_ARRAY_RAW(bake->a, float, (size_t)morph->keys->count *width);
        const float *time_s = key_times(bake, morph->keys);
        if (!value || !time_s)
            return arena_fail(bake->a, bake->err, "keys");
        for (uint32_t k = 0; k < morph->keys->count; k++)
            memcpy(value + (size_t)k * width,
                   morph->weight + (size_t)morph->keys->sample[k] * width, width * sizeof *value);
        const gltf_keys keys = {.node = first_node + morph->node,
                                .path = "weights",
                                .count = morph->keys->count,
                                .width = width,
                                .time_s = time_s,
                                .value = value};
        ZT_TRY(gltf_clip_add(&bake->assembly.builder, clip, &keys));
    }
    return ZT_OK;
}

/// The nodes of a model that does not move show its pose.
static void put_pose(bake_job *bake, const bake_instance *instance, int64_t first_node)
{
    json_value *nodes = gltf_package_array(&bake->assembly.builder.package, "nodes");
    for (uint32_t i = 1; i < instance->samples.node_count; i++)
        if (!instance->nodes[i].matrix)
            put_transform(bake, json_at(nodes, (size_t)(first_node + i - 1)),
                          clip_local(&instance->samples, i, 0));
}

/// The node of an instance, with those of its model below it; *out_first is the first of these.
static zt_result add_nodes(bake_job *bake, const bake_instance *instance, const gltf_part *part,
                           json_value *roots, int64_t *out_first)
{
    gltf_builder *builder = &bake->assembly.builder;
    json_builder *b = &builder->package.values;
    json_value *nodes = gltf_package_array(&builder->package, "nodes");
    const int64_t root = json_length(nodes);
    gltf_firsts firsts = part->firsts;
    builder->model = instance->scene->model;
    firsts.node = root + 1;
    firsts.skin = json_length(json_get(builder->package.json, "skins"));
    json_value *node = gltf_builder_entry(builder, "nodes");
    json_put_text(b, node, "name", instance->name);
    gltf_build_transform(builder, &instance->local[0], node);
    json_value *children = gltf_build_nodes(builder, &firsts);
    if (json_length(children) > 0)
        json_put(b, node, "children", children);
    if (firsts.mesh >= 0)
        ZT_TRY(gltf_build_skins(builder, firsts.node, part->bind_accessor));
    json_append(b, roots, json_new_int(b, root));
    *out_first = firsts.node;
    return ZT_OK;
}

zt_result bake_write_instance(bake_job *bake, const bake_instance *instance, const gltf_part *part,
                              json_value *roots)
{
    int64_t first_node;
    ZT_TRY(add_nodes(bake, instance, part, roots, &first_node));
    gltf_clip clip = bake_begin_clip(bake);
    const bool still = !moves(instance);
    for (clip_path path = 0; path < CLIP_PATHS; path++)
        if (keys_of(instance, 0, path)->count > 1)
            ZT_TRY(add_channel(bake, &clip, first_node - 1, path, instance->local,
                               keys_of(instance, 0, path)));
    for (uint32_t i = 1; !still && i < instance->samples.node_count; i++)
        ZT_TRY(add_node(bake, instance, i, first_node, &clip));
    if (still)
        put_pose(bake, instance, first_node);
    ZT_TRY(add_morphs(bake, instance, first_node, &clip));
    bake_end_clip(bake, &clip, instance->name);
    return ZT_OK;
}

zt_result bake_write_object(bake_job *bake, const bake_object *object, json_value *roots,
                            gltf_clip *clip, json_value **out_node)
{
    gltf_builder *builder = &bake->assembly.builder;
    json_builder *b = &builder->package.values;
    const clip_node node = {.parent = -1, .point_count = object->point_count};
    const clip_samples samples = {.node_count = 1,
                                  .sample_count = bake->times.count,
                                  .nodes = &node,
                                  .points = object->points,
                                  .time_s = bake->times.key_s,
                                  .local = object->local};
    clip_reduced reduced;
    arena scratch;
    arena_init(&scratch, bake->a->budget);
    const zt_result result =
        clip_reduce(&samples, object->tolerance, bake->a, &scratch, &reduced, bake->err);
    arena_finish(&scratch);
    ZT_TRY(result);
    const int64_t index = json_length(gltf_package_array(&builder->package, "nodes"));
    *out_node = gltf_builder_entry(builder, "nodes");
    json_put_text(b, *out_node, "name", object->name);
    gltf_build_transform(builder, &object->local[0], *out_node);
    json_append(b, roots, json_new_int(b, index));
    for (clip_path path = 0; path < CLIP_PATHS; path++)
        if (reduced.keys[path].count > 1)
            ZT_TRY(add_channel(bake, clip, index, path, object->local, &reduced.keys[path]));
    return ZT_OK;
}

typedef struct number_curve {
    const float *value, *time_s;
    uint32_t width;
} number_curve;

static double number_distance(const void *user, uint32_t before, uint32_t after, uint32_t sample)
{
    const number_curve *curve = user;
    const double t0 = (double)curve->time_s[before], t1 = (double)curve->time_s[after];
    const double s = after > before ? ((double)curve->time_s[sample] - t0) / (t1 - t0) : 0.0;
    double max = 0.0;
    for (uint32_t k = 0; k < curve->width; k++) {
        const double a = (double)curve->value[(size_t)before * curve->width + k];
        const double b = (double)curve->value[(size_t)after * curve->width + k];
        const double at = (double)curve->value[(size_t)sample * curve->width + k];
        max = maths_max(max, fabs(a + s * (b - a) - at));
    }
    return max;
}

zt_result bake_write_numbers(bake_job *bake, const float *value, uint32_t width,
                             const char *pointer, gltf_clip *clip)
{
    arena *a = bake->a;
    const uint32_t samples = bake->times.count;
    const number_curve curve = {value, bake->times.key_s, width};
    uint32_t *stack = ARENA_ARRAY_RAW(a, uint32_t, (size_t)samples + 1), count = 0;
    bool *keyed = ARENA_ARRAY_RAW(a, bool, samples);
    float *time_s = ARENA_ARRAY_RAW(a, float, samples);
    float *key = ARENA_ARRAY_RAW(a, float, (size_t)samples *width);
    double largest = 0.0;
    if (!stack || !keyed || !time_s || !key)
        return arena_fail(a, bake->err, "keys");
    for (size_t i = 0; i < (size_t)samples * width; i++)
        largest = maths_max(largest, fabs((double)value[i]));
    key_reduce(number_distance, &curve, samples, bake->def.error * largest, stack, keyed);
    for (uint32_t k = 0; k < samples; k++)
        if (keyed[k]) {
            memcpy(key + (size_t)count * width, value + (size_t)k * width, width * sizeof *key);
            time_s[count++] = bake->times.key_s[k];
        }
    const gltf_keys keys = {.path = "pointer",
                            .pointer = pointer,
                            .count = count,
                            .width = width,
                            .time_s = time_s,
                            .value = key};
    if (count < 2)
        return ZT_OK;
    gltf_assembly_use(&bake->assembly, "KHR_animation_pointer");
    return gltf_clip_add(&bake->assembly.builder, clip, &keys);
}
