// SPDX-License-Identifier: MIT
/// Describes a model as JSON: its file, hierarchy, meshes, materials, textures, cameras and lights.
#include "model/model_format.h"
#include "render/inspect.h"

#include <math.h>

// ---- Values -------------------------------------------------------------------------------------

/// A JSON number, or null for infinity and NaN, which JSON does not have.
static json_t *number(float value)
{
    return isfinite(value) ? json_real((double)value) : json_null();
}

static json_t *numbers(const float *value, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, number(value[i]));
    return list;
}

// Names in hostile files may be invalid UTF-8: then bytes above ASCII become '?'.
json_t *inspect_string(const char *value)
{
    json_t *string = json_string(value ? value : "");
    if (string)
        return string;
    char clean[256];
    size_t used = 0;
    for (; *value && used + 1 < sizeof clean; value++)
        clean[used++] = (unsigned char)*value < 0x80 ? *value : '?';
    clean[used] = 0;
    return json_string(clean);
}

// ---- The file -----------------------------------------------------------------------------------

static json_t *texts(const model_texts *list)
{
    json_t *out = json_array();
    for (uint32_t i = 0; i < list->count; i++)
        json_array_append_new(out, inspect_string(list->text[i]));
    return out;
}

/// Extras by their JSON pointers; those that were too long to keep whole become text.
static json_t *extras(const model_asset_info *a)
{
    json_t *out = json_object();
    for (uint32_t i = 0; i < a->extra_count; i++) {
        const model_extra *extra = &a->extras[i];
        json_t *value = extra->whole ? json_loads(extra->text, JSON_DECODE_ANY, NULL) : NULL;
        json_t *pointer = inspect_string(extra->pointer);
        json_object_set_new(out, json_string_value(pointer),
                            value ? value : inspect_string(extra->text));
        json_decref(pointer);
    }
    return out;
}

static void add_asset_info(json_t *o, const zt_model *m)
{
    const model_asset_info *a = m->asset_info;
    json_object_set_new(o, "memory", json_integer((json_int_t)m->arena.used));
    if (!a)
        return;
    json_object_set_new(o, "file_size", json_integer((json_int_t)a->file_size));
    if (a->version)
        json_object_set_new(o, "version", inspect_string(a->version));
    if (a->generator)
        json_object_set_new(o, "generator", inspect_string(a->generator));
    if (a->copyright)
        json_object_set_new(o, "copyright", inspect_string(a->copyright));
    json_object_set_new(o, "extensions_used", texts(&a->used));
    json_object_set_new(o, "extensions_required", texts(&a->required));
    json_object_set_new(o, "extras", extras(a));
    json_object_set_new(o, "scenes", texts(&a->scenes));
    json_object_set_new(o, "scene", a->scene < 0 ? json_null() : json_integer(a->scene));
}

// ---- Hierarchy ----------------------------------------------------------------------------------

/// A node with its mesh, skin, camera and light.
static json_t *describe_node(const zt_model *m, const model_node *node)
{
    json_t *o = json_pack("{s:o}", "name", inspect_string(node->name));
    if (node->parent >= 0)
        json_object_set_new(o, "parent", json_integer(node->parent));
    if (node->mesh >= 0)
        json_object_set_new(o, "mesh", json_integer(node->mesh));
    if (node->skin >= 0)
        json_object_set_new(o, "skin", json_integer(node->skin));
    if (node->camera >= 0)
        json_object_set_new(o, "camera", inspect_string(m->cameras[node->camera].name));
    if (node->light >= 0)
        json_object_set_new(o, "light", json_integer(node->light));
    if (!node->visible)
        json_object_set_new(o, "visible", json_false());
    return o;
}

static json_t *describe_nodes(const zt_model *m)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < m->node_count; i++)
        json_array_append_new(list, describe_node(m, &m->nodes[i]));
    return list;
}

static json_t *describe_skins(const zt_model *m)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < m->skin_count; i++) {
        const model_skin *skin = &m->skins[i];
        json_t *names = json_array();
        for (uint32_t k = 0; k < skin->joint_count; k++)
            json_array_append_new(names, inspect_string(m->nodes[skin->joint_node[k]].name));
        json_array_append_new(list, json_pack("{s:o,s:I,s:o}", "name", inspect_string(skin->name),
                                              "joints", (json_int_t)skin->joint_count,
                                              "joint_names", names));
    }
    return list;
}

static json_t *describe_clips(const zt_model *m)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < m->clip_count; i++) {
        const model_clip *clip = &m->clips[i];
        json_int_t keys = 0;
        for (uint32_t k = 0; k < clip->channel_count; k++)
            keys += (json_int_t)clip->channels[k].key_count;
        for (uint32_t k = 0; k < clip->property_channel_count; k++)
            keys += (json_int_t)clip->property_channels[k].keys.key_count;
        json_array_append_new(
            list,
            json_pack("{s:o,s:f,s:f,s:f,s:I,s:I}", "name", inspect_string(clip->name), "start",
                      (double)clip->start_s, "end", (double)clip->end_s, "duration",
                      (double)clip->end_s - (double)clip->start_s, "channels",
                      (json_int_t)clip->channel_count + (json_int_t)clip->property_channel_count,
                      "keys", keys));
    }
    return list;
}

// ---- Materials ----------------------------------------------------------------------------------

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

static json_t *extension_field(const material_extensions *values, size_t offset, uint32_t width)
{
    const float *value = (const float *)(const void *)((const char *)values + offset);
    return width > 1 ? numbers(value, (int)width) : number(*value);
}

static json_t *describe_extension(const zt_model *m, const material_extensions *values,
                                  const material_extension_row *row)
{
    json_t *o = json_object();
    for (const material_field *f = row->fields; f->key; f++)
        json_object_set_new(o, f->key, extension_field(values, f->offset, f->width));
    for (const material_map *map = row->maps; map->key; map++)
        if (map->scale_key && values->map[map->map].texture >= 0)
            json_object_set_new(o, map->scale_key, extension_field(values, map->scale_offset, 1));
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
                          "unlit", x->unlit, "base_color", numbers(x->base_color, 4), "metallic",
                          (double)x->metallic, "roughness", (double)x->roughness, "f0",
                          numbers(x->f0, 3), "specular", (double)x->specular, "emissive",
                          numbers(x->emissive, 3), "alpha", alphas[x->alpha]);
    if (x->alpha == MODEL_MASK)
        json_object_set_new(o, "alpha_cutoff", number(x->alpha_cutoff));
    json_object_set_new(o, "double_sided", json_boolean(x->double_sided));
    json_object_set_new(o, "vertex_colors", json_boolean(x->vertex_color));
    json_object_set_new(o, "maps", describe_maps(m, x));
    // The key is older than the word: "layer" means one of animation elsewhere.
    json_object_set_new(o, "layers", describe_extensions(m, &x->extensions));
    return o;
}

static json_t *describe_materials(const zt_model *m)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < m->material_count; i++)
        json_array_append_new(list, describe_material(m, &m->materials[i]));
    return list;
}

// ---- Meshes, textures, cameras, lights ----------------------------------------------------------

/// The morph targets of a mesh by name, with their default weights.
static json_t *describe_morphs(const model_mesh *mesh)
{
    json_t *object = json_object();
    for (uint32_t i = 0; i < mesh->morph_count; i++) {
        json_t *name = inspect_string(mesh->morphs[i].name);
        json_object_set_new(object, json_string_value(name),
                            json_real((double)mesh->morphs[i].weight));
        json_decref(name);
    }
    return object;
}

static json_t *describe_meshes(const zt_model *m)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < m->mesh_count; i++) {
        const model_mesh *mesh = &m->meshes[i];
        json_array_append_new(
            list,
            json_pack("{s:o,s:I,s:I,s:I,s:b,s:b,s:o,s:o,s:o}", "name", inspect_string(mesh->name),
                      "vertices", (json_int_t)mesh->vertex_count, "triangles",
                      (json_int_t)mesh->triangle_count, "meshlets", (json_int_t)mesh->meshlet_count,
                      "skinned", mesh->joints != NULL, "colors_or_uv1", mesh->extra != NULL, "min",
                      numbers(mesh->bounds_min, 3), "max", numbers(mesh->bounds_max, 3), "morphs",
                      describe_morphs(mesh)));
    }
    return list;
}

/// One entry for each use of an image: an image used as colours and as numbers is two textures.
static json_t *describe_textures(const zt_model *m)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < m->texture_count; i++) {
        const model_texture *texture = &m->textures[i];
        const mipmap *map = &texture->mipmap;
        json_array_append_new(
            list, json_pack("{s:o,s:s,s:s,s:i,s:i,s:i}", "name", inspect_string(texture->name),
                            "format", texture->format ? texture->format : "", "content",
                            texture->is_normal_map      ? "normal"
                            : map->format == MIPMAP_U15 ? "color"
                                                        : "numbers",
                            "width", (int)map->level[0].width, "height", (int)map->level[0].height,
                            "levels", (int)map->level_count));
    }
    return list;
}

static json_t *describe_cameras(const zt_model *m)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < m->node_count; i++) {
        if (m->nodes[i].camera < 0)
            continue;
        const model_camera *c = &m->cameras[m->nodes[i].camera];
        json_array_append_new(list, json_pack("{s:o,s:o,s:s,s:f}", "name", inspect_string(c->name),
                                              "node", inspect_string(m->nodes[i].name), "kind",
                                              c->orthographic ? "orthographic" : "perspective",
                                              c->orthographic ? "height" : "fov",
                                              c->orthographic ? 2.0 * (double)c->y_mag
                                                              : (double)c->fov_y_rad *
                                                                    (180.0 / 3.14159265358979324)));
    }
    return list;
}

static json_t *describe_lights(const zt_model *m)
{
    static const char *const kinds[] = {"directional", "point", "spot", "unknown"};
    json_t *list = json_array();
    for (uint32_t i = 0; i < m->light_count; i++) {
        const model_light *light = &m->lights[i];
        json_array_append_new(list, json_pack("{s:o,s:s,s:o,s:f}", "name",
                                              inspect_string(light->name), "kind",
                                              kinds[light->kind], "color", numbers(light->color, 3),
                                              "intensity", (double)light->intensity));
    }
    return list;
}

// ---- Model --------------------------------------------------------------------------------------

static void add_bounds(json_t *object, const zt_model *m)
{
    float min[3] = {INFINITY, INFINITY, INFINITY}, max[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < m->mesh_count; i++) {
        for (int k = 0; k < 3; k++) {
            min[k] = m->meshes[i].bounds_min[k] < min[k] ? m->meshes[i].bounds_min[k] : min[k];
            max[k] = m->meshes[i].bounds_max[k] > max[k] ? m->meshes[i].bounds_max[k] : max[k];
        }
    }
    if (min[0] <= max[0]) {
        json_object_set_new(object, "mesh_min", numbers(min, 3));
        json_object_set_new(object, "mesh_max", numbers(max, 3));
    }
}

json_t *inspect_model(const zt_model *m)
{
    json_t *o = json_object();
    json_object_set_new(o, "file", inspect_string(m->path));
    json_object_set_new(o, "format", inspect_string(m->format->name));
    add_asset_info(o, m);
    json_object_set_new(o, "triangles", json_integer((json_int_t)m->triangle_count));
    json_object_set_new(o, "vertices", json_integer((json_int_t)m->vertex_count));
    json_object_set_new(o, "nodes", json_integer((json_int_t)m->node_count));
    json_object_set_new(o, "node_list", describe_nodes(m));
    add_bounds(o, m);
    json_object_set_new(o, "meshes", describe_meshes(m));
    json_object_set_new(o, "materials", describe_materials(m));
    json_object_set_new(o, "textures", describe_textures(m));
    json_object_set_new(o, "skins", describe_skins(m));
    json_object_set_new(o, "clips", describe_clips(m));
    json_object_set_new(o, "cameras", describe_cameras(m));
    json_object_set_new(o, "lights", describe_lights(m));
    json_t *notes = json_array();
    for (uint32_t i = 0; i < m->note_count; i++)
        json_array_append_new(notes, inspect_string(m->notes[i]));
    json_object_set_new(o, "notes", notes);
    return o;
}
