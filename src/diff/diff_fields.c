// SPDX-License-Identifier: MIT
/// Nodes, materials, cameras and lights by tables of their members; texels.
#include "base/maths.h"
#include "diff/diff_parts.h"

#include <stdio.h>
#include <string.h>

/// A member of a struct. `words`: the names of its values, `width` bytes; NULL: `width` floats.
typedef struct diff_field {
    const char *name;
    size_t offset, width;
    double factor; ///< that floats are shown with
    const char *const *words;
} diff_field;

#define WIDTH(type, member) sizeof(((type *)NULL)->member)
#define FLOATS(type, name, member)                                                                 \
    {                                                                                              \
        name, offsetof(type, member), WIDTH(type, member) / 4, 1.0, NULL                           \
    }
#define ANGLE(type, name, member)                                                                  \
    {                                                                                              \
        name, offsetof(type, member), 1, MATHS_DEG_FROM_RAD, NULL                                  \
    }
#define WORD(type, name, member, w)                                                                \
    {                                                                                              \
        name, offsetof(type, member), WIDTH(type, member), 1.0, w                                  \
    }
#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char *const alphas[] = {"opaque", "mask", "blend"}, *const switches[] = {"no", "yes"};
static const char *const lights[] = {"directional", "point", "spot", "unknown"};

static const diff_field node_fields[] = {
    FLOATS(model_node, "rotation", rest.r),
    FLOATS(model_node, "scale", rest.s),
    FLOATS(model_node, "matrix", matrix),
};
static const diff_field camera_fields[] = {
    WORD(model_camera, "orthographic", orthographic, switches),
    ANGLE(model_camera, "fov", fov_y_rad),
    FLOATS(model_camera, "aspect", aspect),
    FLOATS(model_camera, "ymag", y_mag),
    FLOATS(model_camera, "near", near_m),
    FLOATS(model_camera, "far", far_m),
};
static const diff_field light_fields[] = {
    WORD(model_light, "kind", kind, lights),     FLOATS(model_light, "color", color),
    FLOATS(model_light, "intensity", intensity), FLOATS(model_light, "range", range_m),
    ANGLE(model_light, "inner cone", inner_rad), ANGLE(model_light, "outer cone", outer_rad),
};
/// As shading uses them: the numbers of glTF that they follow from would say the same twice.
static const diff_field material_fields[] = {
    FLOATS(model_material, "base_color", base_color),
    FLOATS(model_material, "metallic", metallic),
    FLOATS(model_material, "roughness", roughness),
    FLOATS(model_material, "f0", f0),
    FLOATS(model_material, "specular", specular),
    FLOATS(model_material, "glossiness", glossiness),
    FLOATS(model_material, "emissive", emissive),
    FLOATS(model_material, "normal_scale", normal_scale),
    FLOATS(model_material, "occlusion_strength", occlusion_strength),
    WORD(model_material, "alpha", alpha, alphas),
    WORD(model_material, "double_sided", double_sided, switches),
    WORD(model_material, "unlit", unlit, switches),
    FLOATS(model_material, "alpha_cutoff", alpha_cutoff), // of masks alone
};
static const diff_field slot_fields[] = {
    WORD(model_slot, "second coordinates", uv_set, switches),
    FLOATS(model_slot, "offset", offset),
    ANGLE(model_slot, "rotation", uv_rotation_rad),
    FLOATS(model_slot, "scale", scale),
};
static const diff_field map_fields[] = {
    WORD(model_material, "base_color map", base_map, NULL),
    WORD(model_material, "metal_rough map", metal_rough_map, NULL),
    WORD(model_material, "normal map", normal_map, NULL),
    WORD(model_material, "occlusion map", occlusion_map, NULL),
    WORD(model_material, "emissive map", emissive_map, NULL),
    WORD(model_material, "specular map", specular_map, NULL),
    WORD(model_material, "specular_color map", specular_color_map, NULL),
};

/// The value as text; `out` has 100 bytes.
static void print_value(char *out, const char *at, const diff_field *f)
{
    uint32_t word = 0;
    size_t used = 0;
    if (f->words)
        snprintf(out, 100, "%s", f->words[memcpy(&word, at, f->width) ? word : 0]);
    for (size_t k = 0; !f->words && k < f->width && used < 80; k++)
        used += (size_t)snprintf(out + used, 100 - used, "%s%.6g", k ? " " : "",
                                 (double)((const float *)(const void *)at)[k] * f->factor);
}

static bool is_same(const char *a, const char *b, const diff_field *f)
{
    const float *p = (const void *)a, *q = (const void *)b;
    size_t k = 0;
    if (f->words)
        return memcmp(a, b, f->width) == 0;
    while (k < f->width &&
           (p[k] == q[k] || fabs((double)p[k] - (double)q[k]) <= 1e-5 * fabs((double)p[k]) + 1e-6))
        k++;
    return k == f->width;
}

/// `of`: what has the members; "": the thing itself.
static void diff_fields(differ *d, const diff_field *fields, size_t count, const char *of,
                        const void *a, const void *b)
{
    for (const diff_field *f = fields; f < fields + count; f++) {
        const char *x = (const char *)a + f->offset, *y = (const char *)b + f->offset;
        char from[100], to[100];
        if (is_same(x, y, f))
            continue;
        print_value(from, x, f);
        print_value(to, y, f);
        diff_say(d, "%s%s%s %s -> %s", of, of[0] ? " " : "", f->name, from, to);
    }
}

// ---- Nodes and what they show -------------------------------------------------------------------

static const char *const parts[] = {"mesh", "skin", "camera", "light"};

static int32_t part_of(const model_node *node, int part)
{
    return (const int32_t[]){node->mesh, node->skin, node->camera, node->light}[part];
}

static const char *part_name(const zt_model *m, const model_node *node, int part)
{
    const int32_t i = part_of(node, part);
    const char *name = part == 0   ? m->meshes[i].name
                       : part == 1 ? m->skins[i].name
                       : part == 2 ? m->cameras[i].name
                                   : m->lights[i].name;
    return name && name[0] ? name : node->name;
}

/// Both nodes show one, which is compared once. Of a skin the mesh says what differs.
static zt_result diff_part(differ *d, int part, const model_node *const nodes[2],
                           const affine world[2])
{
    const zt_model *x = d->model[0], *y = d->model[1];
    const int32_t a = part_of(nodes[0], part), b = part_of(nodes[1], part);
    const char *name = part_name(y, nodes[1], part), *before = part_name(x, nodes[0], part);
    if (d->told[part][a] == 1 + (uint32_t)b)
        return ZT_OK;
    d->told[part][a] = 1 + (uint32_t)b;
    const bool named = before != nodes[0]->name || name != nodes[1]->name;
    if (named && d->same_format && strcmp(before, name) != 0) // other formats have other names
        diff_say(d, "renamed from '%.100s'", before);
    if (part == 0)
        return diff_mesh(d, nodes, world, name);
    if (part == 1 && x->skins[a].joint_count != y->skins[b].joint_count)
        diff_say(d, "%u -> %u joints", x->skins[a].joint_count, y->skins[b].joint_count);
    if (part == 2)
        diff_fields(d, camera_fields, COUNT(camera_fields), "", &x->cameras[a], &y->cameras[b]);
    if (part == 3)
        diff_fields(d, light_fields, COUNT(light_fields), "", &x->lights[a], &y->lights[b]);
    return diff_tell(d, parts[part], name, MODEL_CHANGED);
}

zt_result diff_node(differ *d, uint32_t a, uint32_t b)
{
    const model_node *const nodes[2] = {&d->model[0]->nodes[a], &d->model[1]->nodes[b]};
    const affine local = model_rest_step(nodes[0]), other = model_rest_step(nodes[1]);
    const affine world[2] = {d->world[0][a], d->world[1][b]};
    const double moved = dvec3_length(dvec3_sub(local.t, other.t));
    // A node that others carry along, or that is where it was in another unit, is not moved itself.
    if (!diff_same_place(d, &local, &other) && !diff_same_place(d, &world[0], &world[1])) {
        if (moved > 1e-6 * d->size)
            diff_say(d, "moved by %.4g", moved);
        diff_fields(d, node_fields, nodes[0]->has_matrix || nodes[1]->has_matrix ? 3 : 2, "",
                    nodes[0], nodes[1]);
    }
    if ((nodes[0]->shown > 0.0f) != (nodes[1]->shown > 0.0f))
        diff_say(d, "now %s", nodes[1]->shown > 0.0f ? "shown" : "hidden");
    ZT_TRY(diff_tell(d, "node", nodes[1]->name, MODEL_CHANGED));
    for (int part = 0; part < 4; part++) {
        const bool had = part_of(nodes[0], part) >= 0, has = part_of(nodes[1], part) >= 0;
        if (had && has)
            ZT_TRY(diff_part(d, part, nodes, world));
        else if (had || has)
            ZT_TRY(diff_tell(d, parts[part], part_name(d->model[has], nodes[has], part),
                             has ? MODEL_NEW : MODEL_GONE));
    }
    return ZT_OK;
}

// ---- Materials and textures ---------------------------------------------------------------------

/// Texels differ, or the size does: a change of its own, once for two textures.
static zt_result diff_texture(differ *d, const model_texture *p, const model_texture *q,
                              const char *key, const char *material)
{
    const mipmap_level *x = &p->mipmap.level[0], *y = &q->mipmap.level[0];
    const size_t size = p->mipmap.format == MIPMAP_U15 ? 8 : 4;
    const bool sized =
        x->width == y->width && x->height == y->height && p->mipmap.format == q->mipmap.format;
    uint32_t *told = &d->texture[p - d->model[0]->textures];
    const uint32_t other = 1 + (uint32_t)(q - d->model[1]->textures);
    char said[sizeof d->text];
    int64_t differing = 0;
    if (*told == other)
        return ZT_OK;
    *told = other;
    for (int32_t row = 0; sized && x->texels && y->texels && row < x->height; row++) {
        const char *a = (const char *)x->texels + (size_t)row * (size_t)x->stride * size;
        const char *b = (const char *)y->texels + (size_t)row * (size_t)y->stride * size;
        ZT_TRY(arena_work(d->a, (uint64_t)x->width, "textures", d->err));
        for (size_t i = 0; i < (size_t)x->width; i++)
            differing += memcmp(a + i * size, b + i * size, size) != 0;
    }
    if (sized && differing == 0)
        return ZT_OK;
    memcpy(said, d->text, sizeof said);
    d->text[0] = '\0';
    diff_say(d, "%s of '%.100s'", key, material);
    if (sized)
        diff_say(d, "%lld of %d x %d texels differ", (long long)differing, x->width, x->height);
    else
        diff_say(d, "%d x %d -> %d x %d", x->width, x->height, y->width, y->height);
    ZT_TRY(diff_tell(d, "texture", q->name && q->name[0] ? q->name : key, MODEL_CHANGED));
    memcpy(d->text, said, sizeof said);
    return ZT_OK;
}

/// `offset`: of the slot in the materials.
static zt_result diff_map(differ *d, const model_material *x, const model_material *y,
                          const char *key, size_t offset)
{
    const model_slot *s = (const void *)((const char *)x + offset);
    const model_slot *t = (const void *)((const char *)y + offset);
    if (s->texture < 0 && t->texture < 0)
        return ZT_OK;
    if (s->texture < 0 || t->texture < 0) {
        diff_say(d, "%s %s", key, s->texture < 0 ? "is new" : "is gone");
        return ZT_OK;
    }
    diff_fields(d, slot_fields, COUNT(slot_fields), key, s, t);
    return diff_texture(d, &d->model[0]->textures[s->texture], &d->model[1]->textures[t->texture],
                        key, y->name ? y->name : "");
}

zt_result diff_material(differ *d, uint32_t a, uint32_t b)
{
    const model_material *x = &d->model[0]->materials[a], *y = &d->model[1]->materials[b];
    const size_t base = offsetof(model_material, extensions);
    const bool masks = x->alpha == MODEL_MASK && y->alpha == MODEL_MASK;
    diff_fields(d, material_fields, COUNT(material_fields) - !masks, "", x, y);
    for (const diff_field *f = map_fields; f < map_fields + COUNT(map_fields); f++)
        ZT_TRY(diff_map(d, x, y, f->name, f->offset));
    for (int i = 0; i < MATERIAL_EXTENSION_COUNT; i++) {
        const material_extension_row *row = &material_extension_table[i];
        for (const material_field *f = row->fields; f->key; f++)
            diff_fields(d, &(diff_field){f->key, base + f->offset, f->width, 1.0, NULL}, 1, "", x,
                        y);
        for (const material_map *m = row->maps; m->key; m++)
            ZT_TRY(
                diff_map(d, x, y, m->key,
                         base + offsetof(material_extensions, map) + m->map * sizeof(model_slot)));
    }
    return ZT_OK;
}
