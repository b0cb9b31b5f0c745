// SPDX-License-Identifier: MIT
/// What inspect tells of materials: factors, maps by the names of their images, and layers as the
/// extensions call them.
#include "render/inspect.h"

static void add_map(json_t *maps, const zt_model *m, const char *what, const model_slot *slot)
{
    if (slot->texture >= 0)
        json_object_set_new(maps, what, inspect_string(m->textures[slot->texture].name));
}

static json_t *describe_maps(const zt_model *m, const model_material *x)
{
    json_t *maps = json_object();
    add_map(maps, m, "base_color", &x->base_map);
    add_map(maps, m, "metal_rough", &x->metal_rough_map);
    add_map(maps, m, "normal", &x->normal_map);
    add_map(maps, m, "occlusion", &x->occlusion_map);
    add_map(maps, m, "emissive", &x->emissive_map);
    add_map(maps, m, "specular", &x->specular_map);
    add_map(maps, m, x->glossy ? "specular_glossiness" : "specular_color", &x->specular_color_map);
    return maps;
}

static json_t *describe_layer(const zt_model *m, const model_layers *layers, int layer)
{
    json_t *o = json_object();
    for (int i = 0; i < MODEL_LAYER_FIELD_COUNT; i++) {
        const model_layer_field *field = &model_layer_fields[i];
        const float *value = (const float *)(const void *)((const char *)layers + field->offset);
        if ((int)field->layer != layer)
            continue;
        json_object_set_new(o, field->key,
                            field->width > 1 ? inspect_numbers(value, (int)field->width)
                                             : inspect_number(*value));
    }
    if (layer == MODEL_CLEARCOAT && layers->map[MODEL_CLEARCOAT_NORMAL_MAP].texture >= 0)
        json_object_set_new(o, "clearcoatNormalScale",
                            inspect_number(layers->clearcoat_normal_scale));
    for (int i = 0; i < MODEL_LAYER_MAP_COUNT; i++)
        if ((int)model_layer_slots[i].layer == layer)
            add_map(o, m, model_layer_slots[i].key, &layers->map[i]);
    return o;
}

static json_t *describe_layers(const zt_model *m, const model_layers *layers)
{
    json_t *o = json_object();
    for (int i = 0; i < MODEL_LAYER_COUNT; i++)
        if (layers->present >> i & 1u)
            json_object_set_new(o, model_layer_kinds[i].extension, describe_layer(m, layers, i));
    return o;
}

static json_t *describe_material(const zt_model *m, const model_material *x)
{
    static const char *const alphas[] = {"opaque", "mask", "blend"};
    json_t *o = json_pack("{s:o,s:b,s:o,s:f,s:f,s:o,s:f,s:o,s:s}", "name", inspect_string(x->name),
                          "unlit", x->unlit, "base_color", inspect_numbers(x->base_color, 4),
                          "metallic", (double)x->metallic, "roughness", (double)x->roughness, "f0",
                          inspect_numbers(x->f0, 3), "specular", (double)x->specular, "emissive",
                          inspect_numbers(x->emissive, 3), "alpha", alphas[x->alpha]);
    if (x->alpha == MODEL_MASK)
        json_object_set_new(o, "alpha_cutoff", inspect_number(x->alpha_cutoff));
    json_object_set_new(o, "double_sided", json_boolean(x->double_sided));
    json_object_set_new(o, "vertex_colors", json_boolean(x->vertex_color));
    json_object_set_new(o, "maps", describe_maps(m, x));
    json_object_set_new(o, "layers", describe_layers(m, &x->layers));
    return o;
}

json_t *inspect_materials(const zt_model *m)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < m->material_count; i++)
        json_array_append_new(list, describe_material(m, &m->materials[i]));
    return list;
}
