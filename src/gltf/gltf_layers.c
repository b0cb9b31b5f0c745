// SPDX-License-Identifier: MIT
/// The extensions of a glTF material that lie over its surface or inside it -> model_layers, by the
/// tables of material_layers.h.

#include "gltf/gltf_reader.h"

/// Reads a field, which keeps its default when the file does not give it. A value out of range is
/// brought to the nearest, with a warning.
static zt_result read_field(gltf_reader *g, const json_place *object,
                            const model_layer_field *field, model_layers *layers)
{
    float *value = (float *)(void *)((char *)layers + field->offset);
    if (!json_object_get(object->value, field->key))
        return ZT_OK;
    if (field->width == 1)
        ZT_TRY(gltf_float(g, object, field->key, *value, value));
    else
        ZT_TRY(gltf_floats(g, object, field->key, field->width, value));
    const json_place place = json_member(object, field->key);
    for (uint32_t i = 0; i < field->width; i++) {
        const float given = value[i];
        if (given >= field->least && given <= field->most)
            continue;
        value[i] = given < field->least ? field->least : field->most;
        ZT_TRY(gltf_warn(g, &place, "%g is out of range and becomes %g", (double)given,
                         (double)value[i]));
    }
    return ZT_OK;
}

static zt_result read_layer(gltf_reader *g, const json_place *material, model_layer layer,
                            model_layers *layers)
{
    json_extension extension;
    ZT_TRY(gltf_extension(g, material, model_layer_kinds[layer].extension, &extension));
    const json_place *object = &extension.object;
    if (!object->value)
        return ZT_OK;
    layers->present |= 1u << layer;
    for (int i = 0; i < MODEL_LAYER_FIELD_COUNT; i++)
        if (model_layer_fields[i].layer == layer)
            ZT_TRY(read_field(g, object, &model_layer_fields[i], layers));
    for (int i = 0; i < MODEL_LAYER_MAP_COUNT; i++) {
        const model_layer_slot *slot = &model_layer_slots[i];
        json_place info;
        if (slot->layer != layer)
            continue;
        g->measure_textures = !slot->shaded;
        const zt_result read =
            gltf_slot(g, object, slot->key, slot->content, &layers->map[i], &info);
        g->measure_textures = false;
        ZT_TRY(read);
        if (i == MODEL_CLEARCOAT_NORMAL_MAP)
            ZT_TRY(gltf_float(g, &info, "scale", 1.0f, &layers->clearcoat_normal_scale));
    }
    return ZT_OK;
}

zt_result gltf_read_layers(gltf_reader *g, const json_place *material, model_layers *out)
{
    for (int i = 0; i < MODEL_LAYER_COUNT; i++)
        ZT_TRY(read_layer(g, material, (model_layer)i, out));
    return ZT_OK;
}

zt_result gltf_report_layers(gltf_reader *g)
{
    const json_place place = json_member(&g->root, "materials");
    for (int layer = 0; layer < MODEL_LAYER_COUNT; layer++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < g->material_count; i++)
            count += (g->use[i].plain || g->use[i].colored) &&
                     model_layer_matters(&g->material[i].layers, (model_layer)layer);
        if (count > 0)
            ZT_TRY(gltf_unsupported(g, &place, "%s of %u material%s is approximated: shown %s",
                                    model_layer_kinds[layer].extension, count,
                                    count == 1 ? "" : "s", model_layer_kinds[layer].shown));
    }
    return ZT_OK;
}
