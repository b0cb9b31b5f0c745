// SPDX-License-Identifier: MIT
/// Keys -> nodes and clips of the glTF file.
#include "bake/bake.h"
#include "base/maths.h"

#include <string.h>

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

/// Adds the keys of a channel, of which `out` has the rest: `value`, of which samples are `stride`
/// floats apart, at the samples that are keys.
static zt_result add_keys(bake_job *bake, gltf_clip *clip, const key_list *keys, const float *value,
                          size_t stride, gltf_keys out)
{
    float *key_s, *key_value;
    ZT_TRY(ARENA_TAKE_RAW(bake->a, &key_s, keys->count, "keys", bake->err));
    ZT_TRY(ARENA_TAKE_RAW(bake->a, &key_value, (size_t)keys->count * out.width, "keys", bake->err));
    for (uint32_t k = 0; k < keys->count; k++) {
        key_s[k] = bake->times.key_s[keys->sample[k]];
        memcpy(key_value + (size_t)k * out.width, value + keys->sample[k] * stride,
               out.width * sizeof *key_value);
    }
    out.count = keys->count;
    out.time_s = key_s;
    out.value = key_value;
    return gltf_clip_add(&bake->assembly.builder, clip, &out);
}

static zt_result add_channel(bake_job *bake, gltf_clip *clip, int64_t node, clip_path path,
                             const trs *samples, const key_list *keys)
{
    const gltf_keys out = {
        .node = node, .path = model_path_names[path], .width = trs_width((int)path)};
    return add_keys(bake, clip, keys, trs_const_part(samples, (int)path),
                    sizeof *samples / sizeof(float), out);
}

/// Gives a node a transform instead of its own.
static void put_transform(bake_job *bake, json_value *node, const trs *transform)
{
    for (clip_path path = 0; path < CLIP_PATHS; path++)
        json_remove(node, model_path_names[path]);
    gltf_build_transform(&bake->assembly.builder, transform, node);
}

static const key_list *keys_of(const bake_instance *instance, uint32_t node, clip_path path)
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
        const key_list *keys = keys_of(instance, i, path);
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
        ZT_TRY(add_keys(
            bake, clip, morph->keys, morph->weight, width,
            (gltf_keys){.node = first_node + morph->node, .path = "weights", .width = width}));
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
    if (still)
        put_pose(bake, instance, first_node);
    else
        for (uint32_t i = 1; i < instance->samples.node_count; i++)
            ZT_TRY(add_node(bake, instance, i, first_node, &clip));
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
    const zt_result result = clip_reduce(&samples, (1.0 - BAKE_BETWEEN) * object->tolerance,
                                         bake->a, &scratch, &reduced, bake->err);
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

static double rows_distance(const void *user, uint32_t before, uint32_t after, uint32_t sample)
{
    const key_rows *rows = user;
    double max = 0.0;
    for (uint32_t k = 0; k < rows->width; k++)
        max = maths_max(max, key_rows_difference(rows, before, after, sample, k));
    return max;
}

zt_result bake_write_numbers(bake_job *bake, const float *value, uint32_t width,
                             const char *pointer, gltf_clip *clip)
{
    const uint32_t samples = bake->times.count;
    const key_rows rows = {value, bake->times.key_s, width};
    double largest = 0.0;
    bool *keyed;
    key_list keys;
    for (size_t i = 0; i < (size_t)samples * width; i++)
        largest = maths_max(largest, fabs((double)value[i]));
    ZT_TRY(ARENA_TAKE_RAW(bake->a, &keyed, samples, "keys", bake->err));
    const double tolerance = (1.0 - BAKE_BETWEEN) * bake->def.error * largest;
    ZT_TRY(key_reduce((key_curve){rows_distance, &rows, tolerance}, samples, keyed, bake->a,
                      bake->err));
    ZT_TRY(key_list_make(keyed, samples, bake->a, &keys, bake->err));
    if (keys.count < 2)
        return ZT_OK;
    gltf_assembly_use(&bake->assembly, "KHR_animation_pointer");
    return add_keys(bake, clip, &keys, value, width,
                    (gltf_keys){.path = "pointer", .pointer = pointer, .width = width});
}
