// SPDX-License-Identifier: MIT
/// `materials` of a model or instance: what changes of a material, by its name. Maps take over
/// coordinates and sampler of those that they replace.
#include "scene/scene_parts.h"

#include <stdio.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { NUMBER_TEXT = 16 };

typedef struct material_entry {
    const scene_instance *instance;
    const model_material *base; ///< the first of the name
    const document_node *space;
    scene_material out;
} material_entry;

bool scene_materials_want_tangents(const document_node *materials)
{
    if (!materials || materials->kind != DOCUMENT_MAP)
        return false;
    for (const document_node *m = materials->first; m; m = m->next)
        if (m->kind == DOCUMENT_MAP &&
            (document_member(m, "normal_map") || document_member(m, "wrinkles")))
            return true;
    return false;
}

// ---- Factors ------------------------------------------------------------------------------------

static zt_result read_base_color(scene_reader *r, const document_node *value, void *target)
{
    return value_track(r, value, TRACK_COLOR, 0.0, 1e6,
                       &((material_entry *)target)->out.base_color);
}

static zt_result read_metallic(scene_reader *r, const document_node *value, void *target)
{
    return value_track(r, value, TRACK_NUMBER, 0.0, 1.0, &((material_entry *)target)->out.metallic);
}

static zt_result read_roughness(scene_reader *r, const document_node *value, void *target)
{
    return value_track(r, value, TRACK_NUMBER, 0.0, 1.0,
                       &((material_entry *)target)->out.roughness);
}

static zt_result read_emissive(scene_reader *r, const document_node *value, void *target)
{
    return value_track(r, value, TRACK_COLOR, 0.0, 1e6, &((material_entry *)target)->out.emissive);
}

static zt_result read_normal_scale(scene_reader *r, const document_node *value, void *target)
{
    return value_track(r, value, TRACK_NUMBER, -100.0, 100.0,
                       &((material_entry *)target)->out.normal_scale);
}

// ---- Maps ---------------------------------------------------------------------------------------

static const model_texture *texture_of(const material_entry *entry, const model_slot *slot)
{
    return slot->texture >= 0 ? &entry->instance->model->textures[slot->texture] : NULL;
}

static zt_result read_map(scene_reader *r, const document_node *value, material_entry *entry,
                          scene_map map, mipmap_content content, const model_slot *slot)
{
    entry->out.has_map[map] = true;
    entry->out.map[map] = NULL;
    if (value->kind == DOCUMENT_STRING && strcmp(value->text, "none") == 0)
        return ZT_OK;
    return scene_read_texture(r, value, content, texture_of(entry, slot), &entry->out.map[map]);
}

static zt_result read_base_map(scene_reader *r, const document_node *value, void *target)
{
    material_entry *entry = target;
    return read_map(r, value, entry, SCENE_MAP_BASE, MIPMAP_COLOR, &entry->base->base_map);
}

static zt_result read_metal_rough_map(scene_reader *r, const document_node *value, void *target)
{
    material_entry *entry = target;
    return read_map(r, value, entry, SCENE_MAP_METAL_ROUGH, MIPMAP_LINEAR,
                    &entry->base->metal_rough_map);
}

static zt_result read_normal_map(scene_reader *r, const document_node *value, void *target)
{
    material_entry *entry = target;
    entry->out.object_space = false;
    return read_map(r, value, entry, SCENE_MAP_NORMAL, MIPMAP_NORMAL, &entry->base->normal_map);
}

static zt_result read_occlusion_map(scene_reader *r, const document_node *value, void *target)
{
    material_entry *entry = target;
    return read_map(r, value, entry, SCENE_MAP_OCCLUSION, MIPMAP_LINEAR,
                    &entry->base->occlusion_map);
}

static zt_result read_emissive_map(scene_reader *r, const document_node *value, void *target)
{
    material_entry *entry = target;
    return read_map(r, value, entry, SCENE_MAP_EMISSIVE, MIPMAP_COLOR, &entry->base->emissive_map);
}

static zt_result read_normal_space(scene_reader *r, const document_node *value, void *target)
{
    static const char *const names[] = {"tangent", "object"};
    material_entry *entry = target;
    int32_t choice = 0;
    ZT_TRY(value_choice(r, value, names, COUNT_OF(names), &choice));
    entry->out.object_space = choice == 1;
    entry->space = value;
    return ZT_OK;
}

static zt_result read_wrinkles(scene_reader *r, const document_node *value, void *target)
{
    material_entry *entry = target;
    return scene_read_wrinkles(r, value, entry->instance, &entry->base->normal_map, &entry->out);
}

// ---- Materials ----------------------------------------------------------------------------------

// Vectors of another space mean nothing to what was made for tangents.
static zt_result check_object_space(scene_reader *r, const material_entry *entry)
{
    const scene_material *m = &entry->out;
    const model_texture *map = m->has_map[SCENE_MAP_NORMAL]
                                   ? m->map[SCENE_MAP_NORMAL]
                                   : texture_of(entry, &entry->base->normal_map);
    if (!m->object_space || !entry->space)
        return ZT_OK;
    if (!map)
        return value_fail(r, entry->space, false,
                          "object-space normals without a map (expected `normal_map` beside it)");
    if (map->two_channel)
        return value_fail(r, entry->space, false,
                          "'%.80s' has two channels (expected three for object-space normals)",
                          map->name);
    if (m->normal_scale.key_count > 0)
        return value_fail(r, entry->space, false,
                          "normal_scale beside object-space normals (expected one of them)");
    return ZT_OK;
}

static zt_result read_material(scene_reader *r, const document_node *value, material_entry *entry)
{
    static const map_key keys[] = {
        {"base_color",             read_base_color,      KEY_OPTIONAL},
        {"metallic",               read_metallic,        KEY_OPTIONAL},
        {"roughness",              read_roughness,       KEY_OPTIONAL},
        {"emissive",               read_emissive,        KEY_OPTIONAL},
        {"normal_scale",           read_normal_scale,    KEY_OPTIONAL},
        {"base_color_map",         read_base_map,        KEY_OPTIONAL},
        {"metallic_roughness_map", read_metal_rough_map, KEY_OPTIONAL},
        {"normal_map",             read_normal_map,      KEY_OPTIONAL},
        {"normal_space",           read_normal_space,    KEY_OPTIONAL},
        {"occlusion_map",          read_occlusion_map,   KEY_OPTIONAL},
        {"emissive_map",           read_emissive_map,    KEY_OPTIONAL},
        {"wrinkles",               read_wrinkles,        KEY_OPTIONAL},
    };
    ZT_TRY(value_map(r, value, "material", keys, COUNT_OF(keys), entry));
    return check_object_space(r, entry);
}

// What a scene calls a material: its name, or its number where the file gives none.
static const char *name_of(const model_material *m, char number[NUMBER_TEXT])
{
    if (m->name && m->name[0])
        return m->name;
    snprintf(number, NUMBER_TEXT, "%u", m->number);
    return number;
}

static zt_result fail_unknown(scene_reader *r, const document_node *member, const zt_model *model)
{
    const char **names = ARENA_ARRAY(r->scratch, const char *, model->material_count);
    char(*numbers)[NUMBER_TEXT] =
        arena_alloc_raw(r->scratch, model->material_count, sizeof *numbers);
    if (!names || !numbers)
        return arena_fail(r->scratch, r->err, "scene");
    for (uint32_t i = 0; i < model->material_count; i++)
        names[i] = name_of(&model->materials[i], numbers[i]);
    const char *nearest = scene_nearest_name(member->key, names, model->material_count);
    if (nearest)
        return value_fail(r, member, true, "no material '%.80s' in %.80s (did you mean '%.80s'?)",
                          member->key, path_name(model->path), nearest);
    return value_fail(r, member, true, "no material '%.80s' in %.80s (expected one like '%.80s')",
                      member->key, path_name(model->path), names[0]);
}

// One member of `materials`, into all materials of that name.
static zt_result read_member(scene_reader *r, const document_node *member,
                             const scene_instance *instance, scene_material *by_material,
                             bool *changed)
{
    const zt_model *model = instance->model;
    material_entry entry = {.instance = instance};
    for (uint32_t i = 0; i < model->material_count; i++) {
        char number[NUMBER_TEXT];
        if (strcmp(name_of(&model->materials[i], number), member->key) != 0)
            continue;
        if (!entry.base) {
            entry.base = &model->materials[i];
            entry.out = by_material[i];
            ZT_TRY(read_material(r, member, &entry));
        }
        by_material[i] = entry.out;
        by_material[i].material = i;
        changed[i] = true;
    }
    return entry.base ? ZT_OK : fail_unknown(r, member, model);
}

zt_result scene_read_materials(scene_reader *r, const document_node *value, scene_instance *out)
{
    if (value->kind != DOCUMENT_MAP)
        return value_wrong(r, value, "a map of materials");
    const uint32_t count = out->model->material_count;
    scene_material *by_material = ARENA_ARRAY(r->scratch, scene_material, count);
    bool *changed = ARENA_ARRAY(r->scratch, bool, count);
    if (!by_material || !changed)
        return arena_fail(r->scratch, r->err, "materials");
    uint32_t total = 0;
    for (uint32_t i = 0; i < out->material_count; i++) {
        by_material[out->materials[i].material] = out->materials[i];
        changed[out->materials[i].material] = true;
    }
    for (const document_node *member = value->first; member; member = member->next)
        ZT_TRY(read_member(r, member, out, by_material, changed));
    for (uint32_t i = 0; i < count; i++)
        total += changed[i];
    scene_material *materials = ARENA_ARRAY(&r->scene->arena, scene_material, total);
    if (!materials)
        return arena_fail(&r->scene->arena, r->err, "materials");
    for (uint32_t i = 0, at = 0; i < count; i++)
        if (changed[i])
            materials[at++] = by_material[i];
    out->materials = materials;
    out->material_count = total;
    return ZT_OK;
}
