// SPDX-License-Identifier: MIT
/// What inspect shows of materials: factors, maps by the names of their images, and extensions
/// under their keys.
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

static json_t *inspect_field(const material_extensions *values, size_t offset, uint32_t width)
{
    const float *value = (const float *)(const void *)((const char *)values + offset);
    return width > 1 ? inspect_numbers(value, (int)width) : inspect_number(*value);
}

static json_t *describe_extension(const zt_model *m, const material_extensions *values,
                                  const material_extension_row *row)
{
    json_t *o = json_object();
    for (const material_field *f = row->fields; f->key; f++)
        json_object_set_new(o, f->key, inspect_field(values, f->offset, f->width));
    for (const material_map *map = row->maps; map->key; map++)
        if (map->scale_key && values->map[map->map].texture >= 0)
            json_object_set_new(o, map->scale_key, inspect_field(values, map->scale_offset, 1));
    for (const material_map *map = row->maps; map->key; map++)
        add_map(o, m, map->key, &values->map[map->map]);
    return o;
}

static json_t *describe_extensions(const zt_model *m, const material_extensions *values)
{
    json_t *o = json_object();
    for (int i = 0; i < MATERIAL_EXTENSION_COUNT; i++)
        if (values->present >> i & 1u) {
            const material_extension_row *row = &material_extension_table[i];
            json_object_set_new(o, row->name, describe_extension(m, values, row));
        }
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
    json_object_set_new(o, "layers", describe_extensions(m, &x->extensions));
    return o;
}

json_t *inspect_materials(const zt_model *m)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < m->material_count; i++)
        json_array_append_new(list, describe_material(m, &m->materials[i]));
    return list;
}
