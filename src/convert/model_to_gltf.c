// SPDX-License-Identifier: MIT
/// Any model -> glTF: the order of parts, and what is left out. Models are in the space of glTF.
#include "convert/convert_directions.h"
#include "convert/gltf_model_parts.h"

#include <string.h>

/// Reports, a line each, what the model has and the file will not have.
static zt_result report_losses(convert_job *job, const zt_model *model)
{
    uint32_t steps = 0, properties = 0, extensions = 0, dual_quaternions = 0;
    for (uint32_t i = 0; i < model->clip_count; i++) {
        const model_clip *clip = &model->clips[i];
        properties += clip->property_channel_count;
        for (uint32_t k = 0; k < clip->channel_count; k++)
            steps += clip->channels[k].interpolation != MODEL_LINEAR;
    }
    for (uint32_t i = 0; i < model->material_count; i++)
        extensions += (model->materials[i].extensions.present & ~(1u << MODEL_CLEARCOAT)) != 0 ||
                      model->materials[i].glossy;
    for (uint32_t i = 0; i < model->skin_count; i++)
        dual_quaternions += model->skins[i].dual_quaternions;
    const struct {
        uint32_t count;
        const char *what;
    } losses[] = {
        {steps, "channels of steps and splines"},
        {properties, "channels of properties"},
        {extensions, "extensions of materials"},
        {dual_quaternions, "dual quaternions of skins"},
    };
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
        if (losses[i].count > 0)
            ZT_TRY(convert_report_loss(job, "%s: %s are not written (%u)", job->source.path,
                                       losses[i].what, losses[i].count));
    return ZT_OK;
}

/// Moves roots back to where the file has them: meshes far away are near their nodes.
static void move_from_origin(gltf_builder *builder)
{
    const zt_model *model = builder->model;
    const float shift[3] = {(float)model->origin.x, (float)model->origin.y, (float)model->origin.z};
    const json_value *nodes = gltf_package_array(&builder->package, "nodes");
    for (uint32_t i = 0; i < model->node_count; i++) {
        const model_node *node = &model->nodes[i];
        const float *t = node->rest.t, at[3] = {t[0] + shift[0], t[1] + shift[1], t[2] + shift[2]};
        if (node->parent < 0 && memcmp(at, t, sizeof at) != 0)
            gltf_builder_put_floats(builder, json_at(nodes, i), "translation", at, 3);
    }
}

static zt_result add_nodes(gltf_builder *builder)
{
    json_builder *b = &builder->package.values;
    const bool drawn = json_get(builder->package.json, "meshes") != NULL;
    int64_t *bind;
    ZT_TRY(
        ARENA_TAKE(builder->job->a, &bind, builder->model->skin_count, "skins", builder->job->err));
    const gltf_firsts firsts = {.mesh = drawn ? 0 : -1};
    json_value *roots = gltf_build_nodes(builder, &firsts);
    gltf_package_array(&builder->package, "nodes");
    move_from_origin(builder);
    json_put(b, gltf_builder_entry(builder, "scenes"), "nodes", roots);
    json_put_int(b, builder->package.json, "scene", 0);
    if (!drawn)
        return ZT_OK;
    ZT_TRY(gltf_build_bind_matrices(builder, bind));
    return gltf_build_skins(builder, 0, bind);
}

/// The numbers of a key; 0: of weights of a mesh that the file does not show.
static uint32_t width_of(const zt_model *model, const model_channel *c)
{
    const model_node *node = &model->nodes[c->node];
    if (c->path == MODEL_WEIGHTS)
        return node->mesh >= 0 && node->visible ? model->meshes[node->mesh].morph_count : 0;
    return c->path == MODEL_ROTATION ? 4 : 3;
}

/// The earliest key of a clip, 0 if none is before 0: glTF has no times below 0.
static float first_time(const model_clip *clip)
{
    float first = 0.0f;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (clip->channels[i].key_count > 0 && clip->channels[i].time_s[0] < first)
            first = clip->channels[i].time_s[0];
    return first;
}

/// Makes the clip's time `first_s` its 0; of keys that fall together then the last one stays.
static zt_result move_keys(gltf_builder *builder, float first_s, gltf_keys *keys)
{
    float *time_s, *value;
    const size_t width = keys->width;
    uint32_t count = 0;
    ZT_TRY(ARENA_TAKE(builder->job->a, &time_s, keys->count, "key times", builder->job->err));
    ZT_TRY(ARENA_TAKE(builder->job->a, &value, width * keys->count, "keys", builder->job->err));
    for (uint32_t i = 0; i < keys->count; i++) {
        const float moved_s = keys->time_s[i] - first_s;
        count -= count > 0 && moved_s <= time_s[count - 1] ? 1 : 0;
        time_s[count] = moved_s;
        memcpy(&value[width * count++], &keys->value[width * i], width * sizeof *value);
    }
    keys->time_s = time_s;
    keys->value = value;
    keys->count = count;
    return ZT_OK;
}

static zt_result add_clip(gltf_builder *builder, const model_clip *clip)
{
    gltf_clip out = gltf_clip_begin(builder, NULL);
    const float first_s = first_time(clip);
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const model_channel *c = &clip->channels[i];
        const uint32_t width = width_of(builder->model, c);
        if (c->interpolation != MODEL_LINEAR || width == 0)
            continue; // report_losses has named it
        gltf_keys keys = {.node = c->node,
                          .path = model_path_names[c->path],
                          .count = c->key_count,
                          .width = width,
                          .time_s = c->time_s,
                          .value = c->value};
        if (first_s < 0.0f)
            ZT_TRY(move_keys(builder, first_s, &keys));
        ZT_TRY(gltf_clip_add(builder, &out, &keys));
    }
    gltf_clip_end(builder, &out, clip->name);
    return ZT_OK;
}

static zt_result build(gltf_builder *builder)
{
    json_builder *b = &builder->package.values;
    json_value *asset = json_new(b, JSON_KIND_OBJECT);
    json_put_text(b, asset, "version", "2.0");
    json_put_text(b, asset, "generator", "zoetrope");
    json_put(b, builder->package.json, "asset", asset);
    ZT_TRY(report_losses(builder->job, builder->model));
    ZT_TRY(gltf_build_materials(builder));
    ZT_TRY(gltf_build_meshes(builder));
    gltf_build_cameras(builder);
    gltf_build_lights(builder);
    ZT_TRY(add_nodes(builder));
    for (uint32_t i = 0; i < builder->model->clip_count; i++)
        ZT_TRY(add_clip(builder, &builder->model->clips[i]));
    if (b->failed)
        return arena_fail(builder->job->a, builder->job->err, "the JSON of a glTF");
    return gltf_package_write(builder->job, &builder->package, builder->images,
                              builder->image_count);
}

zt_result convert_model_to_gltf(convert_job *job, const zt_model *model)
{
    gltf_builder builder = {.job = job, .model = model, .package = {.values = {.a = job->a}}};
    builder.package.json = json_new(&builder.package.values, JSON_KIND_OBJECT);
    return build(&builder);
}
