// SPDX-License-Identifier: MIT
/// .m3d -> glTF: nodes, skins and clips, and the order of all parts. The loaded model is in the
/// space of glTF already, and glTF can express everything that an .m3d holds.
#include "convert/convert_directions.h"
#include "convert/gltf_model_parts.h"

#include <string.h>

static void add_transform(gltf_builder *builder, const model_node *n, json_value *node)
{
    static const float one[3] = {1.0f, 1.0f, 1.0f}, zero[3], identity[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    if (n->has_matrix) {
        gltf_builder_put_floats(builder, node, "matrix", n->matrix[0], 16);
        return;
    }
    if (memcmp(n->rest.t, zero, sizeof zero) != 0)
        gltf_builder_put_floats(builder, node, "translation", n->rest.t, 3);
    if (memcmp(n->rest.r, identity, sizeof identity) != 0)
        gltf_builder_put_floats(builder, node, "rotation", n->rest.r, 4);
    if (memcmp(n->rest.s, one, sizeof one) != 0)
        gltf_builder_put_floats(builder, node, "scale", n->rest.s, 3);
}

/// Enters node `index` into the children of its parent, which stands before it.
static void add_child(gltf_builder *builder, int32_t parent, uint32_t index)
{
    json_builder *b = &builder->package.values;
    json_value *node = json_at(gltf_package_array(&builder->package, "nodes"), (size_t)parent);
    json_value *children = json_get(node, "children");
    if (!children) {
        children = json_new(b, JSON_KIND_ARRAY);
        json_put(b, node, "children", children);
    }
    json_append(b, children, json_new_int(b, index));
}

static void add_nodes(gltf_builder *builder)
{
    const zt_model *model = builder->model;
    json_builder *b = &builder->package.values;
    json_value *roots = json_new(b, JSON_KIND_ARRAY);
    const bool drawn = json_get(builder->package.json, "meshes") != NULL;
    for (uint32_t i = 0; i < model->node_count; i++) {
        const model_node *n = &model->nodes[i];
        json_value *node = gltf_builder_entry(builder, "nodes");
        json_put_text(b, node, "name", n->name);
        add_transform(builder, n, node);
        if (n->mesh >= 0 && drawn)
            json_put_int(b, node, "mesh", n->mesh);
        if (n->mesh >= 0 && drawn && n->skin >= 0)
            json_put_int(b, node, "skin", n->skin);
        if (n->parent < 0)
            json_append(b, roots, json_new_int(b, i));
        else
            add_child(builder, n->parent, i);
    }
    if (model->node_count == 0)
        gltf_package_array(&builder->package, "nodes");
    json_put(b, gltf_builder_entry(builder, "scenes"), "nodes", roots);
    json_put_int(b, builder->package.json, "scene", 0);
}

static zt_result add_skins(gltf_builder *builder)
{
    for (uint32_t i = 0; i < builder->model->skin_count; i++) {
        const model_skin *skin = &builder->model->skins[i];
        const accessor_data bind = {.data = skin->joint_from_bind,
                                    .count = skin->joint_count,
                                    .type = "MAT4",
                                    .width = 16,
                                    .component = GLTF_FLOAT};
        int64_t accessor;
        ZT_TRY(gltf_builder_add_accessor(builder, &bind, &accessor));
        json_builder *b = &builder->package.values;
        json_value *joints = json_new(b, JSON_KIND_ARRAY);
        for (uint32_t k = 0; k < skin->joint_count; k++)
            json_append(b, joints, json_new_int(b, skin->joint_node[k]));
        json_value *entry = gltf_builder_entry(builder, "skins");
        json_put_int(b, entry, "inverseBindMatrices", accessor);
        json_put(b, entry, "joints", joints);
    }
    return ZT_OK;
}

/// Adds the accessor of a channel's key times, unless it shares them with the channel before: the
/// three paths of a bone share one array.
static zt_result add_times(gltf_builder *builder, const model_channel *channel,
                           const model_channel *previous, int64_t *accessor)
{
    const accessor_data times = {.data = channel->time_s,
                                 .count = channel->key_count,
                                 .type = "SCALAR",
                                 .width = 1,
                                 .component = GLTF_FLOAT,
                                 .has_bounds = true};
    if (previous && previous->time_s == channel->time_s)
        return ZT_OK;
    return gltf_builder_add_accessor(builder, &times, accessor);
}

/// Adds the sampler and the channel of a clip; `index` is that of both.
static void add_channel(json_builder *b, const model_channel *channel, int64_t index, int64_t times,
                        int64_t output, json_value *samplers, json_value *channels)
{
    static const char *const paths[] = {[MODEL_TRANSLATION] = "translation",
                                        [MODEL_ROTATION] = "rotation",
                                        [MODEL_SCALE] = "scale"};
    json_value *sampler = json_new(b, JSON_KIND_OBJECT), *entry = json_new(b, JSON_KIND_OBJECT);
    json_value *target = json_new(b, JSON_KIND_OBJECT);
    json_put_int(b, sampler, "input", times);
    json_put_int(b, sampler, "output", output);
    json_put_text(b, sampler, "interpolation", "LINEAR");
    json_append(b, samplers, sampler);
    json_put_int(b, entry, "sampler", index);
    json_put_int(b, target, "node", channel->node);
    json_put_text(b, target, "path", paths[channel->path]);
    json_put(b, entry, "target", target);
    json_append(b, channels, entry);
}

static zt_result add_clip(gltf_builder *builder, const model_clip *clip)
{
    json_builder *b = &builder->package.values;
    json_value *samplers = json_new(b, JSON_KIND_ARRAY), *channels = json_new(b, JSON_KIND_ARRAY);
    int64_t times = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const model_channel *c = &clip->channels[i];
        const accessor_data values = {.data = c->value,
                                      .count = c->key_count,
                                      .type = c->path == MODEL_ROTATION ? "VEC4" : "VEC3",
                                      .width = c->path == MODEL_ROTATION ? 4 : 3,
                                      .component = GLTF_FLOAT};
        int64_t output = 0;
        ZT_TRY(add_times(builder, c, i > 0 ? c - 1 : NULL, &times));
        ZT_TRY(gltf_builder_add_accessor(builder, &values, &output));
        add_channel(b, c, i, times, output, samplers, channels);
    }
    json_value *entry = gltf_builder_entry(builder, "animations");
    json_put_text(b, entry, "name", clip->name);
    json_put(b, entry, "samplers", samplers);
    json_put(b, entry, "channels", channels);
    return ZT_OK;
}

static zt_result build(gltf_builder *builder)
{
    json_builder *b = &builder->package.values;
    json_value *asset = json_new(b, JSON_KIND_OBJECT);
    json_put_text(b, asset, "version", "2.0");
    json_put_text(b, asset, "generator", "zoetrope");
    json_put(b, builder->package.json, "asset", asset);
    ZT_TRY(gltf_build_materials(builder));
    ZT_TRY(gltf_build_meshes(builder));
    add_nodes(builder);
    if (json_get(builder->package.json, "meshes"))
        ZT_TRY(add_skins(builder));
    for (uint32_t i = 0; i < builder->model->clip_count; i++)
        ZT_TRY(add_clip(builder, &builder->model->clips[i]));
    if (b->failed)
        return arena_fail(builder->job->a, builder->job->err, "the JSON of a glTF");
    return gltf_package_write(builder->job, &builder->package, builder->images,
                              builder->image_count);
}

zt_result convert_m3d_to_gltf(convert_job *job, const zt_model *model)
{
    gltf_builder builder = {.job = job, .model = model, .package = {.values = {.a = job->a}}};
    builder.package.json = json_new(&builder.package.values, JSON_KIND_OBJECT);
    return build(&builder);
}
