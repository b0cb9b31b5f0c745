// SPDX-License-Identifier: MIT
/// Describes a model as JSON: its file, hierarchy, meshes, materials, textures, cameras and lights.
#include "base/maths.h"
#include "inspect/inspect.h"
#include "json/json_parse.h"
#include "model/model_format.h"
#include "retarget/foot_speed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EXTRA_DEPTH_LIMIT = 512 }; ///< the reader of the file has seen to it
/// Joints and channels that are evaluated for the speeds of feet: some seconds.
enum { FOOT_SPEED_STEPS = 1 << 27 };

// ---- Values -------------------------------------------------------------------------------------

/// The bounds of a mesh, as the file has it.
static void bounds_in_file(const model_mesh *mesh, float min[3], float max[3])
{
    dvec3_to_floats(dvec3_add(dvec3_from_floats(mesh->bounds_min), mesh->middle), min);
    dvec3_to_floats(dvec3_add(dvec3_from_floats(mesh->bounds_max), mesh->middle), max);
}

/// A list of what `describe` says of each of `count` things of a model.
static json_value *describe_each(json_builder *b, const zt_model *m, uint32_t count,
                                 json_value *(*describe)(json_builder *b, const zt_model *m,
                                                         uint32_t index))
{
    json_value *list = json_new(b, JSON_KIND_ARRAY);
    for (uint32_t i = 0; i < count; i++)
        json_append(b, list, describe(b, m, i));
    return list;
}

// ---- The file -----------------------------------------------------------------------------------

static json_value *texts(json_builder *b, const model_texts *list)
{
    json_value *out = json_new(b, JSON_KIND_ARRAY);
    for (uint32_t i = 0; i < list->count; i++)
        json_append(b, out, json_new_text(b, list->text[i]));
    return out;
}

/// Extras by their JSON pointers; those that were too long to keep whole become text.
static json_value *extras(json_builder *b, const model_asset_info *a)
{
    json_value *out = json_new(b, JSON_KIND_OBJECT);
    for (uint32_t i = 0; i < a->extra_count; i++) {
        const model_extra *extra = &a->extras[i];
        json_problem problem;
        json_value *value = NULL;
        if (extra->whole)
            value =
                json_parse(b, extra->text, strlen(extra->text), EXTRA_DEPTH_LIMIT, NULL, &problem);
        json_put_named(b, out, extra->pointer, value ? value : json_new_text(b, extra->text));
    }
    return out;
}

static void add_asset_info(json_builder *b, json_value *o, const zt_model *m)
{
    const model_asset_info *a = m->asset_info;
    json_put_int(b, o, "memory", (int64_t)m->arena.used);
    if (!a)
        return;
    json_put_int(b, o, "file_size", (int64_t)a->file_size);
    if (a->version)
        json_put_text(b, o, "version", a->version);
    if (a->generator)
        json_put_text(b, o, "generator", a->generator);
    if (a->copyright)
        json_put_text(b, o, "copyright", a->copyright);
    json_put(b, o, "extensions_used", texts(b, &a->used));
    json_put(b, o, "extensions_required", texts(b, &a->required));
    json_put(b, o, "extras", extras(b, a));
    json_put(b, o, "scenes", texts(b, &a->scenes));
    json_put(b, o, "scene", a->scene < 0 ? json_new(b, JSON_KIND_NULL) : json_new_int(b, a->scene));
}

// ---- Hierarchy ----------------------------------------------------------------------------------

/// A node with its mesh, skin, camera and light.
static json_value *describe_node(json_builder *b, const zt_model *m, uint32_t index)
{
    const model_node *node = &m->nodes[index];
    json_value *o = json_new(b, JSON_KIND_OBJECT);
    json_put_text(b, o, "name", node->name);
    if (node->parent >= 0)
        json_put_int(b, o, "parent", node->parent);
    if (node->mesh >= 0)
        json_put_int(b, o, "mesh", node->mesh);
    if (node->skin >= 0)
        json_put_int(b, o, "skin", node->skin);
    if (node->camera >= 0)
        json_put_text(b, o, "camera", m->cameras[node->camera].name);
    if (node->light >= 0)
        json_put_int(b, o, "light", node->light);
    if (!node->visible)
        json_put_bool(b, o, "visible", false);
    return o;
}

static json_value *describe_skin(json_builder *b, const zt_model *m, uint32_t index)
{
    const model_skin *skin = &m->skins[index];
    json_value *o = json_new(b, JSON_KIND_OBJECT), *names = json_new(b, JSON_KIND_ARRAY);
    for (uint32_t k = 0; k < skin->joint_count; k++)
        json_append(b, names, json_new_text(b, m->nodes[skin->joint_node[k]].name));
    json_put_text(b, o, "name", skin->name);
    json_put_int(b, o, "joints", skin->joint_count);
    json_put(b, o, "joint_names", names);
    return o;
}

/// For a clip that walks in place: the ground speed at which its feet stay where they stand.
static void add_foot_speed(json_builder *b, json_value *object, const zt_model *m,
                           const model_clip *clip)
{
    arena scratch;
    foot_speed found;
    arena_init(&scratch, b->a->budget);
    if (model_foot_speed(m, clip, (double)clip->start_s, (double)clip->end_s, NULL, 0, &scratch,
                         &found, NULL) == ZT_OK &&
        found.foot_count > 0) {
        const double speed = dvec3_length(found.velocity);
        const float direction[3] = {(float)(found.velocity.x / speed), 0.0f,
                                    (float)(found.velocity.z / speed)};
        json_value *o = json_new(b, JSON_KIND_OBJECT), *feet = json_new(b, JSON_KIND_ARRAY);
        json_put_real(b, o, "speed", speed);
        json_put(b, o, "direction", json_new_floats(b, direction, 3));
        for (uint32_t i = 0; i < found.foot_count; i++)
            json_append(b, feet, json_new_text(b, m->nodes[found.foot[i]].name));
        json_put(b, o, "feet", feet);
        json_put(b, object, "from_feet", o);
    }
    arena_finish(&scratch);
}

/// Appends to `notes` what is left out.
static json_value *describe_clips(json_builder *b, const zt_model *m, json_value *notes)
{
    json_value *list = json_new(b, JSON_KIND_ARRAY);
    uint64_t steps = 0;
    uint32_t left_out = 0;
    for (uint32_t i = 0; i < m->clip_count; i++) {
        const model_clip *clip = &m->clips[i];
        int64_t keys = 0;
        for (uint32_t k = 0; k < clip->channel_count; k++)
            keys += clip->channels[k].key_count;
        for (uint32_t k = 0; k < clip->property_channel_count; k++)
            keys += clip->property_channels[k].keys.key_count;
        json_value *o = json_new(b, JSON_KIND_OBJECT);
        json_put_text(b, o, "name", clip->name);
        json_put_real(b, o, "start", (double)clip->start_s);
        json_put_real(b, o, "end", (double)clip->end_s);
        json_put_real(b, o, "duration", (double)clip->end_s - (double)clip->start_s);
        json_put_int(b, o, "channels", (int64_t)clip->channel_count + clip->property_channel_count);
        json_put_int(b, o, "keys", keys);
        steps += model_foot_speed_steps(m, clip, (double)clip->start_s, (double)clip->end_s);
        if (steps <= FOOT_SPEED_STEPS)
            add_foot_speed(b, o, m, clip);
        else
            left_out++;
        json_append(b, list, o);
    }
    if (left_out > 0) {
        char note[160];
        snprintf(note, sizeof note,
                 "the last %u clips are not examined for the speeds of their feet: the clips have "
                 "too many poses and joints in all",
                 left_out);
        json_append(b, notes, json_new_text(b, note));
    }
    return list;
}

// ---- Materials ----------------------------------------------------------------------------------

static void add_map(json_builder *b, json_value *maps, const zt_model *m, const char *what,
                    const model_slot *slot)
{
    if (slot->texture >= 0)
        json_put(b, maps, what, json_new_text(b, m->textures[slot->texture].name));
}

static json_value *describe_maps(json_builder *b, const zt_model *m, const model_material *x)
{
    json_value *maps = json_new(b, JSON_KIND_OBJECT);
    add_map(b, maps, m, "base_color", &x->base_map);
    add_map(b, maps, m, "metal_rough", &x->metal_rough_map);
    add_map(b, maps, m, "normal", &x->normal_map);
    add_map(b, maps, m, "occlusion", &x->occlusion_map);
    add_map(b, maps, m, "emissive", &x->emissive_map);
    add_map(b, maps, m, "specular", &x->specular_map);
    add_map(b, maps, m, x->glossy ? "specular_glossiness" : "specular_color",
            &x->specular_color_map);
    return maps;
}

static json_value *extension_field(json_builder *b, const material_extensions *values,
                                   size_t offset, uint32_t width)
{
    const float *value = (const float *)(const void *)((const char *)values + offset);
    return width > 1 ? json_new_floats(b, value, width) : json_new_real(b, (double)*value);
}

static json_value *describe_extension(json_builder *b, const zt_model *m,
                                      const material_extensions *values,
                                      const material_extension_row *row)
{
    json_value *o = json_new(b, JSON_KIND_OBJECT);
    for (const material_field *f = row->fields; f->key; f++)
        json_put(b, o, f->key, extension_field(b, values, f->offset, f->width));
    for (const material_map *map = row->maps; map->key; map++)
        if (map->scale_key && values->map[map->map].texture >= 0)
            json_put(b, o, map->scale_key, extension_field(b, values, map->scale_offset, 1));
    for (const material_map *map = row->maps; map->key; map++)
        add_map(b, o, m, map->key, &values->map[map->map]);
    return o;
}

static json_value *describe_extensions(json_builder *b, const zt_model *m,
                                       const material_extensions *values)
{
    json_value *o = json_new(b, JSON_KIND_OBJECT);
    for (int i = 0; i < MATERIAL_EXTENSION_COUNT; i++)
        if (values->present >> i & 1u) {
            const material_extension_row *row = &material_extension_table[i];
            json_put(b, o, row->name, describe_extension(b, m, values, row));
        }
    return o;
}

static json_value *describe_material(json_builder *b, const zt_model *m, uint32_t index)
{
    const model_material *x = &m->materials[index];
    static const char *const alphas[] = {"opaque", "mask", "blend"};
    json_value *o = json_new(b, JSON_KIND_OBJECT);
    json_put_text(b, o, "name", x->name);
    json_put_bool(b, o, "unlit", x->unlit);
    json_put(b, o, "base_color", json_new_floats(b, x->base_color, 4));
    json_put_real(b, o, "metallic", (double)x->metallic);
    json_put_real(b, o, "roughness", (double)x->roughness);
    json_put(b, o, "f0", json_new_floats(b, x->f0, 3));
    json_put_real(b, o, "specular", (double)x->specular);
    json_put(b, o, "emissive", json_new_floats(b, x->emissive, 3));
    json_put_text(b, o, "alpha", alphas[x->alpha]);
    if (x->alpha == MODEL_MASK)
        json_put_real(b, o, "alpha_cutoff", (double)x->alpha_cutoff);
    json_put_bool(b, o, "double_sided", x->double_sided);
    json_put_bool(b, o, "vertex_colors", x->vertex_color);
    json_put(b, o, "maps", describe_maps(b, m, x));
    // The key is older than the word: "layer" means one of animation elsewhere.
    json_put(b, o, "layers", describe_extensions(b, m, &x->extensions));
    return o;
}

// ---- Meshes, textures, cameras, lights ----------------------------------------------------------

/// The morph targets of a mesh by name, with their default weights.
static json_value *describe_morphs(json_builder *b, const model_mesh *mesh)
{
    json_value *object = json_new(b, JSON_KIND_OBJECT);
    for (uint32_t i = 0; i < mesh->morph_count; i++)
        json_add_named(b, object, mesh->morphs[i].name ? mesh->morphs[i].name : "",
                       json_new_real(b, (double)mesh->morphs[i].weight));
    json_unite_members(b, object);
    return object;
}

static json_value *describe_mesh(json_builder *b, const zt_model *m, uint32_t index)
{
    const model_mesh *mesh = &m->meshes[index];
    json_value *o = json_new(b, JSON_KIND_OBJECT);
    float min[3], max[3];
    bounds_in_file(mesh, min, max);
    json_put_text(b, o, "name", mesh->name);
    json_put_int(b, o, "vertices", mesh->vertex_count);
    json_put_int(b, o, "triangles", mesh->triangle_count - mesh->line_count - mesh->point_count);
    json_put_int(b, o, "lines", mesh->line_count);
    json_put_int(b, o, "points", mesh->point_count);
    json_put_int(b, o, "meshlets", mesh->meshlet_count);
    json_put_bool(b, o, "skinned", mesh->joints != NULL);
    json_put_bool(b, o, "colors_or_uv1", mesh->extra != NULL);
    json_put(b, o, "min", json_new_floats(b, min, 3));
    json_put(b, o, "max", json_new_floats(b, max, 3));
    json_put(b, o, "morphs", describe_morphs(b, mesh));
    return o;
}

/// One entry for each use of an image: an image used as colours and as numbers is two textures.
static json_value *describe_texture(json_builder *b, const zt_model *m, uint32_t index)
{
    const model_texture *texture = &m->textures[index];
    const mipmap *map = &texture->mipmap;
    json_value *o = json_new(b, JSON_KIND_OBJECT);
    json_put_text(b, o, "name", texture->name);
    json_put_text(b, o, "format", texture->format);
    json_put_text(b, o, "content",
                  texture->is_normal_map      ? "normal"
                  : map->format == MIPMAP_U15 ? "color"
                                              : "numbers");
    json_put_int(b, o, "width", map->level[0].width);
    json_put_int(b, o, "height", map->level[0].height);
    json_put_int(b, o, "levels", map->level_count);
    return o;
}

static json_value *describe_cameras(json_builder *b, const zt_model *m)
{
    json_value *list = json_new(b, JSON_KIND_ARRAY);
    for (uint32_t i = 0; i < m->node_count; i++) {
        if (m->nodes[i].camera < 0)
            continue;
        const model_camera *c = &m->cameras[m->nodes[i].camera];
        const double fov = (double)c->fov_y_rad * MATHS_DEG_FROM_RAD;
        json_value *o = json_new(b, JSON_KIND_OBJECT);
        json_put_text(b, o, "name", c->name);
        json_put_text(b, o, "node", m->nodes[i].name);
        json_put_text(b, o, "kind", c->orthographic ? "orthographic" : "perspective");
        json_put_real(b, o, c->orthographic ? "height" : "fov",
                      c->orthographic ? 2.0 * (double)c->y_mag : fov);
        json_append(b, list, o);
    }
    return list;
}

static json_value *describe_light(json_builder *b, const zt_model *m, uint32_t index)
{
    static const char *const kinds[] = {"directional", "point", "spot", "unknown"};
    const model_light *light = &m->lights[index];
    json_value *o = json_new(b, JSON_KIND_OBJECT);
    json_put_text(b, o, "name", light->name);
    json_put_text(b, o, "kind", kinds[light->kind]);
    json_put(b, o, "color", json_new_floats(b, light->color, 3));
    json_put_real(b, o, "intensity", (double)light->intensity);
    return o;
}

/// A chain of bones that swings.
static json_value *describe_spring(json_builder *b, const zt_model *m, uint32_t index)
{
    const spring_chain *chain = &m->springs->chains[index];
    json_value *o = json_new(b, JSON_KIND_OBJECT);
    json_put_text(b, o, "name", chain->name);
    json_put_text(b, o, "root", chain->link_count ? m->nodes[chain->root].name : "");
    json_put_int(b, o, "bones", chain->link_count);
    json_put_int(b, o, "colliders", chain->collider_count);
    return o;
}

// ---- Model --------------------------------------------------------------------------------------

static void add_bounds(json_builder *b, json_value *object, const zt_model *m)
{
    float min[3] = {INFINITY, INFINITY, INFINITY}, max[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < m->mesh_count; i++) {
        float low[3], high[3];
        bounds_in_file(&m->meshes[i], low, high);
        for (int k = 0; k < 3; k++) {
            min[k] = low[k] < min[k] ? low[k] : min[k];
            max[k] = high[k] > max[k] ? high[k] : max[k];
        }
    }
    if (min[0] <= max[0]) {
        json_put(b, object, "mesh_min", json_new_floats(b, min, 3));
        json_put(b, object, "mesh_max", json_new_floats(b, max, 3));
    }
}

json_value *inspect_model(json_builder *b, const zt_model *m)
{
    json_value *o = json_new(b, JSON_KIND_OBJECT), *notes = json_new(b, JSON_KIND_ARRAY);
    for (uint32_t i = 0; i < m->note_count; i++)
        json_append(b, notes, json_new_text(b, m->notes[i]));
    json_put_text(b, o, "file", m->path);
    json_put_text(b, o, "format", m->format->name);
    add_asset_info(b, o, m);
    json_put_int(b, o, "triangles", (int64_t)m->triangle_count);
    json_put_int(b, o, "lines", (int64_t)m->line_count);
    json_put_int(b, o, "points", (int64_t)m->point_count);
    json_put_int(b, o, "vertices", (int64_t)m->vertex_count);
    json_put_int(b, o, "nodes", m->node_count);
    json_put(b, o, "node_list", describe_each(b, m, m->node_count, describe_node));
    add_bounds(b, o, m);
    json_put(b, o, "meshes", describe_each(b, m, m->mesh_count, describe_mesh));
    json_put(b, o, "materials", describe_each(b, m, m->material_count, describe_material));
    json_put(b, o, "textures", describe_each(b, m, m->texture_count, describe_texture));
    json_put(b, o, "skins", describe_each(b, m, m->skin_count, describe_skin));
    json_put(b, o, "clips", describe_clips(b, m, notes));
    json_put(b, o, "cameras", describe_cameras(b, m));
    json_put(b, o, "lights", describe_each(b, m, m->light_count, describe_light));
    if (m->springs)
        json_put(b, o, "springs", describe_each(b, m, m->springs->chain_count, describe_spring));
    json_value *vrm = inspect_vrm(b, m);
    if (vrm)
        json_put(b, o, "vrm", vrm);
    json_put(b, o, "notes", notes);
    return o;
}
