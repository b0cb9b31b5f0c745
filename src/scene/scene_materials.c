// SPDX-License-Identifier: MIT
/// `materials` of a model or instance: overrides of a material, by its name. A map that replaces
/// one takes over its texture coordinates and sampler; wrinkles take those of the normal map.
#include "base/error.h"
#include "load/load.h"
#include "scene/scene_build.h"
#include "scene/scene_driver.h"
#include "scene/scene_names.h"
#include "scene/scene_read.h"
#include "texture/texture_file.h"

#include <stdio.h>
#include <string.h>

enum { NUMBER_TEXT_SIZE = 16, WRINKLE_LIMIT = 16 };

// ---- Textures -----------------------------------------------------------------------------------

struct scene_texture {
    scene_texture *next;
    const char *name; ///< as the scene writes it
    const char *path; ///< from the working directory; unlike those of models, it may lead anywhere
    mipmap_content content;
    model_texture texture;
};

static bool same_sampler(const model_texture *a, const model_texture *b)
{
    return a->mag == b->mag && a->min == b->min && a->mip == b->mip &&
           a->mipmap.wrap_u == b->mipmap.wrap_u && a->mipmap.wrap_v == b->mipmap.wrap_v;
}

static scene_texture *find_texture(const zt_scene *scene, const scene_texture *wanted)
{
    for (scene_texture *t = scene->textures; t; t = t->next)
        if (strcmp(t->name, wanted->name) == 0 && t->content == wanted->content &&
            same_sampler(&t->texture, &wanted->texture))
            return t;
    return NULL;
}

/// Decodes into an arena of its own, which ends when the mip chain is built.
static zt_result load_texture(document_reader *r, scene_texture *t, zt_error *problem)
{
    zt_scene *scene = scene_of(r);
    model_texture *made = &t->texture;
    const model_source source = model_source_of(&scene->load, t->path);
    const bool mips = made->mip != MODEL_MIP_NONE;
    const picture_need need = {.min_side = mips ? source.texture_min_side : 0,
                               .color = t->content == MIPMAP_COLOR};
    arena pictures;
    arena_init(&pictures, &scene->budget_own);
    picture decoded;
    hash_sum inputs = 0;
    const char *folder = arena_text(&pictures, t->path, path_folder_length(t->path));
    file_supply supply = file_supply_of(&scene->load, folder);
    const texture_origin origin = {t->path,
                                   scene->root_length,
                                   source.texture_dir,
                                   &inputs,
                                   scene->in_memory ? &supply : NULL,
                                   source.follow_links};
    zt_result result = folder ? texture_load(&pictures, &origin, path_name(t->path), need,
                                             &source.sink, &decoded, problem)
                              : arena_fail(&pictures, problem, t->path);
    file_supply_finish(&supply);
    if (result == ZT_OK)
        result = mipmap_build(&scene->arena, &decoded, t->content, made->mipmap.wrap_u,
                              made->mipmap.wrap_v, mips, &made->mipmap, problem);
    if (result == ZT_OK && decoded.note)
        message_warn(&source.sink, "%s: %s", t->path, decoded.note);
    made->two_channel = result == ZT_OK && made->is_normal_map && decoded.two_channel;
    if (result == ZT_OK && made->is_normal_map)
        made->shortness = mipmap_shortness(&decoded);
    const uint64_t sum = inputs;
    scene_add_input(scene, &sum, sizeof sum);
    arena_finish(&pictures);
    return result;
}

/// A picture next to the scene as a texture, sampled as `like` (NULL: the default), once each.
static zt_result read_texture(document_reader *r, const document_node *value,
                              mipmap_content content, const model_texture *like,
                              const model_texture **out)
{
    arena *a = r->keep;
    const char *path;
    ZT_TRY(value_path(r, value, "the path of a picture", &path));
    scene_texture *t;
    ZT_TRY(ARENA_TAKE(a, &t, 1, "textures of the scene", r->err));
    ZT_TRY(ARENA_TEXT(a, &t->name, value->text, "textures of the scene", r->err));
    t->path = path;
    t->content = content;
    t->texture = (model_texture){.name = t->name,
                                 .mag = like ? like->mag : MODEL_LINEAR_FILTER,
                                 .min = like ? like->min : MODEL_LINEAR_FILTER,
                                 .mip = like ? like->mip : MODEL_MIP_LINEAR,
                                 .is_normal_map = content == MIPMAP_NORMAL};
    t->texture.mipmap.wrap_u = like ? like->mipmap.wrap_u : MIPMAP_REPEAT;
    t->texture.mipmap.wrap_v = like ? like->mipmap.wrap_v : MIPMAP_REPEAT;
    scene_texture *known = find_texture(scene_of(r), t);
    if (!known) {
        zt_error problem = {0};
        const zt_result result =
            scene_of(r)->load.no_textures ? ZT_OK : load_texture(r, t, &problem);
        if (result != ZT_OK)
            return value_fail_load(r, value, result,
                                   result == ZT_ERR_INPUT
                                       ? error_without_path(problem.message, t->path)
                                       : problem.message);
        t->next = scene_of(r)->textures;
        scene_of(r)->textures = known = t;
    }
    *out = &known->texture;
    return ZT_OK;
}

// ---- wrinkles -----------------------------------------------------------------------------------

typedef struct wrinkle_entry {
    const model_texture *like; ///< the normal map of the material, or NULL
    scene_wrinkle out;
} wrinkle_entry;

static zt_result read_wrinkle_map(document_reader *r, const document_node *value, void *target)
{
    wrinkle_entry *entry = target;
    return read_texture(r, value, MIPMAP_NORMAL, entry->like, &entry->out.map);
}

static zt_result read_mask(document_reader *r, const document_node *value, void *target)
{
    wrinkle_entry *entry = target;
    return read_texture(r, value, MIPMAP_LINEAR, entry->like, &entry->out.mask);
}

static zt_result read_wrinkle(document_reader *r, const document_node *value, wrinkle_entry *entry)
{
    static const map_key keys[] = {
        KEY_READ("map", KEY_REQUIRED, read_wrinkle_map),
        KEY_READ("mask", KEY_OPTIONAL, read_mask),
        KEY_READ_INTO("morph", KEY_OPTIONAL, scene_read_driver_morph, wrinkle_entry, out.driver),
        KEY_READ_INTO("joint", KEY_OPTIONAL, scene_read_driver_joint, wrinkle_entry, out.driver),
        KEY_READ_INTO("axis", KEY_OPTIONAL, scene_read_driver_axis, wrinkle_entry, out.driver),
        KEY_READ_INTO("range", KEY_OPTIONAL, scene_read_driver_range, wrinkle_entry, out.driver),
        KEY_TRACK("weight", KEY_OPTIONAL, wrinkle_entry, out.weight, TRACK_NUMBER, 0.0, 10.0),
    };
    const double one = 1.0;
    ZT_TRY(value_constant(r, 1, &one, &entry->out.weight));
    entry->out.driver.range[1] = 1.0;
    ZT_TRY(value_map(r, value, "wrinkle", keys, COUNT_OF(keys), entry));
    return scene_check_driver(r, value, &entry->out.driver);
}

static zt_result read_wrinkles(document_reader *r, const document_node *value,
                               const model_texture *like, scene_material *out)
{
    ZT_TRY(value_list(r, value, 0, UINT32_MAX, "a list of wrinkles"));
    if (value->count > WRINKLE_LIMIT)
        return value_fail(r, value, false, "%u wrinkles (expected at most %d)", value->count,
                          WRINKLE_LIMIT);
    scene_wrinkle *wrinkles;
    ZT_TRY(ARENA_TAKE(r->keep, &wrinkles, value->count, "wrinkles", r->err));
    uint32_t count = 0;
    for (const document_node *node = value->first; node; node = node->next) {
        wrinkle_entry entry = {.like = like};
        ZT_TRY(read_wrinkle(r, node, &entry));
        wrinkles[count++] = entry.out;
    }
    out->wrinkles = wrinkles;
    out->wrinkle_count = count;
    return ZT_OK;
}

// ---- Materials ----------------------------------------------------------------------------------

/// A member of `materials` as it is read.
typedef struct material_entry {
    const model_material *base; ///< the first of that name
    const document_node *map[SCENE_MAP_COUNT], *normal_space, *wrinkles;
    scene_material out;
} material_entry;

static const model_texture *texture_of(const document_reader *r, const model_slot *slot)
{
    return slot->texture >= 0 ? &model_of(r)->textures[slot->texture] : NULL;
}

/// The maps that `entry` replaces.
static zt_result read_maps(document_reader *r, material_entry *entry)
{
    const model_material *base = entry->base;
    const struct {
        mipmap_content content;
        const model_slot *slot;
    } maps[SCENE_MAP_COUNT] = {
        [SCENE_MAP_BASE] = {MIPMAP_COLOR, &base->base_map},
        [SCENE_MAP_METAL_ROUGH] = {MIPMAP_LINEAR, &base->metal_rough_map},
        [SCENE_MAP_NORMAL] = {MIPMAP_NORMAL, &base->normal_map},
        [SCENE_MAP_OCCLUSION] = {MIPMAP_LINEAR, &base->occlusion_map},
        [SCENE_MAP_EMISSIVE] = {MIPMAP_COLOR, &base->emissive_map},
    };
    for (int i = 0; i < SCENE_MAP_COUNT; i++) {
        const document_node *value = entry->map[i];
        if (!value)
            continue;
        entry->out.has_map[i] = true;
        entry->out.map[i] = NULL;
        if (!document_is(value, "none"))
            ZT_TRY(read_texture(r, value, maps[i].content, texture_of(r, maps[i].slot),
                                &entry->out.map[i]));
    }
    return ZT_OK;
}

static zt_result read_normal_space(document_reader *r, const document_node *value, bool *out)
{
    static const char *const names[] = {"tangent", "object"};
    int32_t choice = 0;
    ZT_TRY(value_choice(r, value, names, COUNT_OF(names), &choice));
    *out = choice == 1;
    return ZT_OK;
}

/// Object-space normals need a map with three channels, and cannot be scaled.
static zt_result check_object_space(document_reader *r, const material_entry *entry)
{
    const scene_material *m = &entry->out;
    const model_texture *map = m->has_map[SCENE_MAP_NORMAL]
                                   ? m->map[SCENE_MAP_NORMAL]
                                   : texture_of(r, &entry->base->normal_map);
    if (!m->object_space || !entry->normal_space || scene_of(r)->load.no_textures)
        return ZT_OK;
    if (!map)
        return value_fail(r, entry->normal_space, false,
                          "object-space normals without a map (expected `normal_map` too)");
    if (map->two_channel)
        return value_fail(r, entry->normal_space, false,
                          "'%.80s' has two channels (expected three for object-space normals)",
                          map->name);
    if (m->normal_scale.key_count > 0)
        return value_fail(r, entry->normal_space, false,
                          "normal_scale with object-space normals (expected one of them)");
    return ZT_OK;
}

static zt_result read_material(document_reader *r, const document_node *value,
                               material_entry *entry)
{
    static const map_key keys[] = {
        KEY_TRACK("base_color", KEY_OPTIONAL, material_entry, out.base_color, TRACK_COLOR, 0, 1e6),
        KEY_TRACK("metallic", KEY_OPTIONAL, material_entry, out.metallic, TRACK_NUMBER, 0, 1),
        KEY_TRACK("roughness", KEY_OPTIONAL, material_entry, out.roughness, TRACK_NUMBER, 0, 1),
        KEY_TRACK("emissive", KEY_OPTIONAL, material_entry, out.emissive, TRACK_COLOR, 0, 1e6),
        KEY_TRACK("normal_scale", KEY_OPTIONAL, material_entry, out.normal_scale, TRACK_NUMBER,
                  -100, 100),
        KEY_NODE("base_color_map", KEY_OPTIONAL, material_entry, map[SCENE_MAP_BASE]),
        KEY_NODE("metallic_roughness_map", KEY_OPTIONAL, material_entry,
                 map[SCENE_MAP_METAL_ROUGH]),
        KEY_NODE("normal_map", KEY_OPTIONAL, material_entry, map[SCENE_MAP_NORMAL]),
        KEY_NODE("normal_space", KEY_OPTIONAL, material_entry, normal_space),
        KEY_NODE("occlusion_map", KEY_OPTIONAL, material_entry, map[SCENE_MAP_OCCLUSION]),
        KEY_NODE("emissive_map", KEY_OPTIONAL, material_entry, map[SCENE_MAP_EMISSIVE]),
        KEY_NODE("wrinkles", KEY_OPTIONAL, material_entry, wrinkles),
        KEY_READ_INTO("driver", KEY_OPTIONAL, scene_read_driver, material_entry, out.driver),
        KEY_TRACK("visible", KEY_OPTIONAL, material_entry, out.showing.visible, TRACK_SWITCH, 0, 1),
        KEY_TRACK("opacity", KEY_OPTIONAL, material_entry, out.showing.opacity, TRACK_NUMBER, 0, 1),
    };
    ZT_TRY(value_map(r, value, "material", keys, COUNT_OF(keys), entry));
    ZT_TRY(read_maps(r, entry));
    if (entry->map[SCENE_MAP_NORMAL])
        entry->out.object_space = false; // unless `normal_space` says so
    if (entry->normal_space)
        ZT_TRY(read_normal_space(r, entry->normal_space, &entry->out.object_space));
    if (entry->wrinkles)
        ZT_TRY(read_wrinkles(r, entry->wrinkles, texture_of(r, &entry->base->normal_map),
                             &entry->out));
    return check_object_space(r, entry);
}

/// The name by which a scene refers to a material: that of the file, or its number without one.
static const char *name_of(const model_material *m, char number[NUMBER_TEXT_SIZE])
{
    if (m->name && m->name[0])
        return m->name;
    snprintf(number, NUMBER_TEXT_SIZE, "%u", m->number);
    return number;
}

static zt_result fail_unknown(document_reader *r, const document_node *member,
                              const zt_model *model)
{
    name_list valid = {.word = member->key};
    char(*numbers)[NUMBER_TEXT_SIZE];
    ZT_TRY(ARENA_TAKE_RAW(r->scratch, &numbers, model->material_count, "scene", r->err));
    for (uint32_t i = 0; i < model->material_count; i++)
        name_list_add(&valid, name_of(&model->materials[i], numbers[i]));
    return scene_fail_name(r, member, true, "material", path_name(model->path), &valid);
}

/// Applies a member of `materials` to all materials of that name.
static zt_result read_member(document_reader *r, const document_node *member,
                             scene_material *by_material, bool *changed)
{
    const zt_model *model = model_of(r);
    material_entry entry = {.base = NULL};
    for (uint32_t i = 0; i < model->material_count; i++) {
        char number[NUMBER_TEXT_SIZE];
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

zt_result scene_read_materials(document_reader *r, const document_node *value, void *target)
{
    scene_instance *out = target;
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
        ZT_TRY(read_member(r, member, by_material, changed));
    for (uint32_t i = 0; i < count; i++)
        total += changed[i];
    scene_material *materials;
    ZT_TRY(ARENA_TAKE(r->keep, &materials, total, "materials", r->err));
    for (uint32_t i = 0, at = 0; i < count; i++)
        if (changed[i])
            materials[at++] = by_material[i];
    out->materials = materials;
    out->material_count = total;
    return ZT_OK;
}

bool scene_materials_need_tangents(const document_node *materials)
{
    if (!materials || materials->kind != DOCUMENT_MAP)
        return false;
    for (const document_node *m = materials->first; m; m = m->next)
        if (m->kind == DOCUMENT_MAP &&
            (document_member(m, "normal_map") || document_member(m, "wrinkles")))
            return true;
    return false;
}
