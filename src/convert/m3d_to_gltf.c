// SPDX-License-Identifier: MIT
/// .m3d -> glTF: nodes, skins and clips, and the order of all parts. The loaded model is in the
/// space of glTF already, and glTF can express everything that an .m3d holds.
#include "convert/convert_directions.h"
#include "convert/gltf_model_parts.h"

#include <string.h>

static void add_transform(gltf_builder *builder, const model_node *n, json_t *node)
{
    static const float one[3] = {1.0f, 1.0f, 1.0f}, zero[3], identity[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    if (n->has_matrix) {
        gltf_builder_put(builder, node, "matrix", gltf_builder_floats(n->matrix[0], 16));
        return;
    }
    if (memcmp(n->rest.t, zero, sizeof zero) != 0)
        gltf_builder_put(builder, node, "translation", gltf_builder_floats(n->rest.t, 3));
    if (memcmp(n->rest.r, identity, sizeof identity) != 0)
        gltf_builder_put(builder, node, "rotation", gltf_builder_floats(n->rest.r, 4));
    if (memcmp(n->rest.s, one, sizeof one) != 0)
        gltf_builder_put(builder, node, "scale", gltf_builder_floats(n->rest.s, 3));
}

static void add_nodes(gltf_builder *builder)
{
    const zt_model *model = builder->model;
    json_t *list = gltf_builder_root_array(builder, "nodes"), *roots = json_array();
    const bool drawn = json_object_get(builder->package.json, "meshes") != NULL;
    for (uint32_t i = 0; i < model->node_count; i++) {
        const model_node *n = &model->nodes[i];
        json_t *node = json_pack("{s:o}", "name", gltf_builder_text(n->name));
        add_transform(builder, n, node);
        if (n->mesh >= 0 && drawn)
            gltf_builder_put(builder, node, "mesh", json_integer(n->mesh));
        if (n->mesh >= 0 && drawn && n->skin >= 0)
            gltf_builder_put(builder, node, "skin", json_integer(n->skin));
        gltf_builder_append(builder, list, node);
        if (n->parent < 0) {
            gltf_builder_append(builder, roots, json_integer(i));
            continue;
        }
        json_t *parent = json_array_get(list, (size_t)n->parent);
        if (!json_object_get(parent, "children"))
            gltf_builder_put(builder, parent, "children", json_array());
        gltf_builder_append(builder, json_object_get(parent, "children"), json_integer(i));
    }
    gltf_builder_append(builder, gltf_builder_root_array(builder, "scenes"),
                        json_pack("{s:o}", "nodes", roots));
    gltf_builder_put(builder, builder->package.json, "scene", json_integer(0));
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
        json_int_t accessor;
        ZT_TRY(gltf_builder_add_accessor(builder, &bind, &accessor));
        json_t *joints = json_array();
        for (uint32_t k = 0; k < skin->joint_count; k++)
            gltf_builder_append(builder, joints, json_integer(skin->joint_node[k]));
        gltf_builder_append(
            builder, gltf_builder_root_array(builder, "skins"),
            json_pack("{s:I,s:o}", "inverseBindMatrices", accessor, "joints", joints));
    }
    return ZT_OK;
}

/// Adds the accessor of a channel's key times, unless it shares them with the channel before: the
/// three paths of a bone share one array.
static zt_result add_times(gltf_builder *builder, const model_channel *channel,
                           const model_channel *previous, json_int_t *accessor)
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

static zt_result add_clip(gltf_builder *builder, const model_clip *clip)
{
    static const char *const paths[] = {[MODEL_TRANSLATION] = "translation",
                                        [MODEL_ROTATION] = "rotation",
                                        [MODEL_SCALE] = "scale"};
    json_t *samplers = json_array(), *channels = json_array();
    zt_result result = ZT_OK;
    json_int_t times = 0;
    for (uint32_t i = 0; i < clip->channel_count && result == ZT_OK; i++) {
        const model_channel *c = &clip->channels[i];
        const accessor_data values = {.data = c->value,
                                      .count = c->key_count,
                                      .type = c->path == MODEL_ROTATION ? "VEC4" : "VEC3",
                                      .width = c->path == MODEL_ROTATION ? 4 : 3,
                                      .component = GLTF_FLOAT};
        json_int_t output = 0;
        result = add_times(builder, c, i > 0 ? c - 1 : NULL, &times);
        if (result == ZT_OK)
            result = gltf_builder_add_accessor(builder, &values, &output);
        gltf_builder_append(builder, samplers,
                            json_pack("{s:I,s:I,s:s}", "input", times, "output", output,
                                      "interpolation", "LINEAR"));
        gltf_builder_append(builder, channels,
                            json_pack("{s:I,s:{s:i,s:s}}", "sampler", (json_int_t)i, "target",
                                      "node", c->node, "path", paths[c->path]));
    }
    gltf_builder_append(builder, gltf_builder_root_array(builder, "animations"),
                        json_pack("{s:o,s:o,s:o}", "name", gltf_builder_text(clip->name),
                                  "samplers", samplers, "channels", channels));
    return result;
}

static zt_result build(gltf_builder *builder)
{
    gltf_builder_put(builder, builder->package.json, "asset",
                     json_pack("{s:s,s:s}", "version", "2.0", "generator", "zoetrope"));
    ZT_TRY(gltf_build_materials(builder));
    ZT_TRY(gltf_build_meshes(builder));
    add_nodes(builder);
    if (json_object_get(builder->package.json, "meshes"))
        ZT_TRY(add_skins(builder));
    for (uint32_t i = 0; i < builder->model->clip_count; i++)
        ZT_TRY(add_clip(builder, &builder->model->clips[i]));
    if (builder->failed)
        return zt_fail(builder->job->err, ZT_ERR_MEMORY, "%s: the system has no memory left",
                       builder->job->out_path);
    return gltf_package_write(builder->job, &builder->package, builder->images,
                              builder->image_count);
}

zt_result convert_m3d_to_gltf(convert_job *job, const zt_model *model)
{
    gltf_builder builder = {.job = job, .model = model, .package = {.json = json_object()}};
    const zt_result result = build(&builder);
    json_decref(builder.package.json);
    return result;
}
