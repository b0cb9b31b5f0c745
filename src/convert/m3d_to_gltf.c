// SPDX-License-Identifier: MIT
/// .m3d -> glTF: nodes, skin and clips, and the order of the parts. The model is in glTF's space
/// already, and glTF holds all that the format has.
#include "convert/gltf_maker.h"

#include <string.h>

void maker_put(gltf_maker *maker, json_t *object, const char *key, json_t *value)
{
    maker->failed |= json_object_set_new(object, key, value) != 0;
}

void maker_append(gltf_maker *maker, json_t *array, json_t *value)
{
    maker->failed |= json_array_append_new(array, value) != 0;
}

json_t *maker_text(const char *text)
{
    json_t *value = json_string(text);
    if (value)
        return value;
    char plain[256];
    size_t length = 0;
    for (; text[length] && length < sizeof plain - 1; length++)
        plain[length] = (unsigned char)text[length] < 0x80 ? text[length] : '?';
    return json_stringn(plain, length);
}

json_t *maker_floats(const float *values, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list, json_real((double)values[i]));
    if (json_array_size(list) == count)
        return list;
    json_decref(list);
    return NULL;
}

json_t *maker_list(gltf_maker *maker, const char *key)
{
    json_t *list = json_object_get(maker->package.json, key);
    if (list)
        return list;
    maker_put(maker, maker->package.json, key, json_array());
    return json_object_get(maker->package.json, key);
}

static void add_bounds(gltf_maker *maker, const maker_array *array, json_t *accessor)
{
    const float *values = array->data;
    float low[4], high[4];
    if (array->count == 0)
        return;
    memcpy(low, values, array->width * sizeof *low);
    memcpy(high, values, array->width * sizeof *high);
    for (size_t i = 0; i < array->count; i++)
        for (size_t c = 0; c < array->width; c++) {
            const float value = values[i * array->width + c];
            low[c] = value < low[c] ? value : low[c];
            high[c] = value > high[c] ? value : high[c];
        }
    maker_put(maker, accessor, "min", maker_floats(low, array->width));
    maker_put(maker, accessor, "max", maker_floats(high, array->width));
}

zt_result maker_accessor(gltf_maker *maker, const maker_array *array, json_int_t *out)
{
    const size_t component = array->component == 5123 ? 2 : 4;
    json_int_t view;
    ZT_TRY(package_view(maker->job, &maker->package, array->data,
                        (size_t)array->count * array->width * component, array->target, &view));
    json_t *accessor =
        json_pack("{s:I,s:i,s:I,s:s}", "bufferView", view, "componentType", array->component,
                  "count", (json_int_t)array->count, "type", array->type);
    if (array->bounds)
        add_bounds(maker, array, accessor);
    json_t *list = maker_list(maker, "accessors");
    *out = (json_int_t)json_array_size(list);
    maker_append(maker, list, accessor);
    return ZT_OK;
}

static void add_transform(gltf_maker *maker, const model_node *n, json_t *node)
{
    static const float one[3] = {1.0f, 1.0f, 1.0f}, zero[3], still[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    if (n->has_matrix) {
        maker_put(maker, node, "matrix", maker_floats(n->matrix[0], 16));
        return;
    }
    if (memcmp(n->rest.t, zero, sizeof zero) != 0)
        maker_put(maker, node, "translation", maker_floats(n->rest.t, 3));
    if (memcmp(n->rest.r, still, sizeof still) != 0)
        maker_put(maker, node, "rotation", maker_floats(n->rest.r, 4));
    if (memcmp(n->rest.s, one, sizeof one) != 0)
        maker_put(maker, node, "scale", maker_floats(n->rest.s, 3));
}

static void add_nodes(gltf_maker *maker)
{
    const zt_model *model = maker->model;
    json_t *list = maker_list(maker, "nodes"), *roots = json_array();
    const bool drawn = json_object_get(maker->package.json, "meshes") != NULL;
    for (uint32_t i = 0; i < model->node_count; i++) {
        const model_node *n = &model->nodes[i];
        json_t *node = json_pack("{s:o}", "name", maker_text(n->name));
        add_transform(maker, n, node);
        if (n->mesh >= 0 && drawn)
            maker_put(maker, node, "mesh", json_integer(n->mesh));
        if (n->mesh >= 0 && drawn && n->skin >= 0)
            maker_put(maker, node, "skin", json_integer(n->skin));
        maker_append(maker, list, node);
        if (n->parent < 0) {
            maker_append(maker, roots, json_integer(i));
            continue;
        }
        json_t *parent = json_array_get(list, (size_t)n->parent);
        if (!json_object_get(parent, "children"))
            maker_put(maker, parent, "children", json_array());
        maker_append(maker, json_object_get(parent, "children"), json_integer(i));
    }
    maker_append(maker, maker_list(maker, "scenes"), json_pack("{s:o}", "nodes", roots));
    maker_put(maker, maker->package.json, "scene", json_integer(0));
}

static zt_result add_skins(gltf_maker *maker)
{
    for (uint32_t i = 0; i < maker->model->skin_count; i++) {
        const model_skin *skin = &maker->model->skins[i];
        const maker_array bind = {.data = skin->joint_from_bind,
                                  .count = skin->joint_count,
                                  .type = "MAT4",
                                  .width = 16,
                                  .component = 5126};
        json_int_t accessor;
        ZT_TRY(maker_accessor(maker, &bind, &accessor));
        json_t *joints = json_array();
        for (uint32_t k = 0; k < skin->joint_count; k++)
            maker_append(maker, joints, json_integer(skin->joint_node[k]));
        maker_append(maker, maker_list(maker, "skins"),
                     json_pack("{s:I,s:o}", "inverseBindMatrices", accessor, "joints", joints));
    }
    return ZT_OK;
}

/// The accessor of key times: those of a bone's three paths are the same array.
static zt_result add_times(gltf_maker *maker, const model_channel *channel,
                           const model_channel *before, json_int_t *accessor)
{
    const maker_array times = {.data = channel->time_s,
                               .count = channel->key_count,
                               .type = "SCALAR",
                               .width = 1,
                               .component = 5126,
                               .bounds = true};
    if (before && before->time_s == channel->time_s)
        return ZT_OK;
    return maker_accessor(maker, &times, accessor);
}

static zt_result add_clip(gltf_maker *maker, const model_clip *clip)
{
    static const char *const paths[] = {[MODEL_TRANSLATION] = "translation",
                                        [MODEL_ROTATION] = "rotation",
                                        [MODEL_SCALE] = "scale"};
    json_t *samplers = json_array(), *channels = json_array();
    zt_result result = ZT_OK;
    json_int_t times = 0;
    for (uint32_t i = 0; i < clip->channel_count && result == ZT_OK; i++) {
        const model_channel *c = &clip->channels[i];
        const maker_array values = {.data = c->value,
                                    .count = c->key_count,
                                    .type = c->path == MODEL_ROTATION ? "VEC4" : "VEC3",
                                    .width = c->path == MODEL_ROTATION ? 4 : 3,
                                    .component = 5126};
        json_int_t output = 0;
        result = add_times(maker, c, i > 0 ? c - 1 : NULL, &times);
        if (result == ZT_OK)
            result = maker_accessor(maker, &values, &output);
        maker_append(maker, samplers,
                     json_pack("{s:I,s:I,s:s}", "input", times, "output", output, "interpolation",
                               "LINEAR"));
        maker_append(maker, channels,
                     json_pack("{s:I,s:{s:i,s:s}}", "sampler", (json_int_t)i, "target", "node",
                               c->node, "path", paths[c->path]));
    }
    maker_append(maker, maker_list(maker, "animations"),
                 json_pack("{s:o,s:o,s:o}", "name", maker_text(clip->name), "samplers", samplers,
                           "channels", channels));
    return result;
}

static zt_result make_parts(gltf_maker *maker)
{
    maker_put(maker, maker->package.json, "asset",
              json_pack("{s:s,s:s}", "version", "2.0", "generator", "zoetrope"));
    ZT_TRY(maker_materials(maker));
    ZT_TRY(maker_meshes(maker));
    add_nodes(maker);
    if (json_object_get(maker->package.json, "meshes"))
        ZT_TRY(add_skins(maker));
    for (uint32_t i = 0; i < maker->model->clip_count; i++)
        ZT_TRY(add_clip(maker, &maker->model->clips[i]));
    if (maker->failed)
        return zt_fail(maker->job->err, ZT_ERR_MEMORY, "%s: the system has no memory left",
                       maker->job->out_path);
    return package_write(maker->job, &maker->package, maker->images, maker->image_count);
}

zt_result convert_m3d_to_gltf(convert_job *job, const zt_model *model)
{
    gltf_maker maker = {.job = job, .model = model, .package = {.json = json_object()}};
    const zt_result result = make_parts(&maker);
    json_decref(maker.package.json);
    return result;
}
