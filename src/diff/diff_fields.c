// SPDX-License-Identifier: MIT
/// Nodes, materials, cameras and lights by tables of their members; texels.
#include "base/maths.h"
#include "diff/diff_parts.h"

#include <stdio.h>
#include <string.h>

typedef enum field_kind { NUMBERS, ANGLE, MAP, SWITCH, ALPHA, LIGHT, LINE, WRAP, MIP } field_kind;

static const char *const words[][4] = {
    [SWITCH] = {"no", "yes"},
    [ALPHA] = {"opaque", "mask", "blend"},
    [LIGHT] = {"directional", "point", "spot", "unknown"},
    [LINE] = {"none", "world", "screen"},
    [WRAP] = {"repeat", "clamp", "mirror"},
    [MIP] = {"none", "nearest", "linear"},
};

/// A member of a struct.
typedef struct diff_field {
    const char *name;
    field_kind kind;
    size_t offset, size;
} diff_field;

#define FIELD(type, name, kind, member)                                                            \
    {                                                                                              \
        name, kind, offsetof(type, member), sizeof(((type *)NULL)->member)                         \
    }
#define COUNT(list) (sizeof(list) / sizeof *(list))

static const diff_field node_fields[] = {
    FIELD(model_node, "rotation", NUMBERS, rest.r), FIELD(model_node, "scale", NUMBERS, rest.s),
    FIELD(model_node, "matrix", NUMBERS, matrix), // of nodes that have one
};
static const diff_field camera_fields[] = {
    FIELD(model_camera, "orthographic", SWITCH, orthographic),
    FIELD(model_camera, "fov", ANGLE, fov_y_rad),
    FIELD(model_camera, "aspect", NUMBERS, aspect),
    FIELD(model_camera, "ymag", NUMBERS, y_mag),
    FIELD(model_camera, "near", NUMBERS, near_m),
    FIELD(model_camera, "far", NUMBERS, far_m),
};
static const diff_field light_fields[] = {
    FIELD(model_light, "kind", LIGHT, kind),
    FIELD(model_light, "color", NUMBERS, color),
    FIELD(model_light, "intensity", NUMBERS, intensity),
    FIELD(model_light, "range", NUMBERS, range_m),
    FIELD(model_light, "inner cone", ANGLE, inner_rad),
    FIELD(model_light, "outer cone", ANGLE, outer_rad),
};
static const diff_field slot_fields[] = {
    FIELD(model_slot, "second coordinates", SWITCH, uv_set),
    FIELD(model_slot, "offset", NUMBERS, offset),
    FIELD(model_slot, "rotation", ANGLE, uv_rotation_rad),
    FIELD(model_slot, "scale", NUMBERS, scale),
};
static const diff_field sampler_fields[] = {
    FIELD(model_texture, "wrap u", WRAP, mipmap.wrap_u),
    FIELD(model_texture, "wrap v", WRAP, mipmap.wrap_v),
    FIELD(model_texture, "smooth magnification", SWITCH, mag),
    FIELD(model_texture, "smooth minification", SWITCH, min),
    FIELD(model_texture, "mipmaps", MIP, mip),
};
/// As shading uses them: the numbers of glTF that they follow from would say the same twice.
static const diff_field material_fields[] = {
    FIELD(model_material, "base_color", NUMBERS, base_color),
    FIELD(model_material, "metallic", NUMBERS, metallic),
    FIELD(model_material, "roughness", NUMBERS, roughness),
    FIELD(model_material, "f0", NUMBERS, f0),
    FIELD(model_material, "specular", NUMBERS, specular),
    FIELD(model_material, "glossiness", NUMBERS, glossiness),
    FIELD(model_material, "emissive", NUMBERS, emissive),
    FIELD(model_material, "normal_scale", NUMBERS, normal_scale),
    FIELD(model_material, "occlusion_strength", NUMBERS, occlusion_strength),
    FIELD(model_material, "alpha", ALPHA, alpha),
    FIELD(model_material, "double_sided", SWITCH, double_sided),
    FIELD(model_material, "unlit", SWITCH, unlit),
    FIELD(model_material, "outline", LINE, extensions.toon.outline),
    FIELD(model_material, "base_color map", MAP, base_map),
    FIELD(model_material, "metal_rough map", MAP, metal_rough_map),
    FIELD(model_material, "normal map", MAP, normal_map),
    FIELD(model_material, "occlusion map", MAP, occlusion_map),
    FIELD(model_material, "emissive map", MAP, emissive_map),
    FIELD(model_material, "specular map", MAP, specular_map),
    FIELD(model_material, "specular_color map", MAP, specular_color_map),
    FIELD(model_material, "alpha_cutoff", NUMBERS, alpha_cutoff), // of masks alone
};

/// True once for each pair.
static bool begins(differ *d, int part, int32_t a, int32_t b)
{
    const uint64_t pair = (uint64_t)a << 34 | (uint64_t)b << 2 | (uint64_t)part;
    uint32_t *slot = hash_table_first(&d->told, hash_bytes(HASH_START, &pair, sizeof pair));
    while (*slot != 0 && d->pairs[slot - d->told.slot] != pair)
        slot = hash_table_next(&d->told, slot);
    const bool told = *slot != 0;
    d->pairs[slot - d->told.slot] = pair;
    *slot = 1;
    return !told;
}

// ---- Textures -----------------------------------------------------------------------------------

/// Texels differ, or the size does: a change of its own.
static zt_result diff_texture(differ *d, const model_texture *p, const model_texture *q,
                              const char *key, const char *material)
{
    const mipmap_level *x = &p->mipmap.level[0], *y = &q->mipmap.level[0];
    const size_t size = p->mipmap.format == MIPMAP_U15 ? 8 : 4;
    const bool sized =
        x->width == y->width && x->height == y->height && p->mipmap.format == q->mipmap.format;
    char said[sizeof d->text];
    int64_t differing = 0;
    for (int32_t row = 0; sized && x->texels && y->texels && row < x->height; row++) {
        const char *a = (const char *)x->texels + (size_t)row * (size_t)x->stride * size;
        const char *b = (const char *)y->texels + (size_t)row * (size_t)y->stride * size;
        ZT_TRY(arena_work(d->a, (uint64_t)x->width, "textures", d->err));
        for (size_t i = 0; i < (size_t)x->width; i++)
            differing += memcmp(a + i * size, b + i * size, size) != 0;
    }
    if (sized && differing == 0)
        return ZT_OK;
    memcpy(said, d->text, sizeof said); // of the material
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

// ---- Members ------------------------------------------------------------------------------------

static bool is_same(const void *a, const void *b, const diff_field *f)
{
    const float *p = a, *q = b;
    size_t k = 0;
    if (f->kind > ANGLE)
        return memcmp(a, b, f->size) == 0;
    while (k < f->size / sizeof *p &&
           (p[k] == q[k] || fabs((double)p[k] - (double)q[k]) <= 1e-5 * fabs((double)p[k]) + 1e-6))
        k++;
    return k == f->size / sizeof *p;
}

/// The value as text; `out` has 100 bytes.
static void print_value(char *out, const void *at, const diff_field *f)
{
    const double factor = f->kind == ANGLE ? MATHS_DEG_FROM_RAD : 1.0;
    size_t used = 0;
    if (f->kind >= SWITCH)
        snprintf(out, 100, "%s",
                 words[f->kind][f->size == 1 ? *(const uint8_t *)at : *(const uint32_t *)at]);
    for (size_t k = 0; f->kind < SWITCH && k < f->size / sizeof(float) && used < 80; k++)
        used += (size_t)snprintf(out + used, 100 - used, "%s%.6g", k ? " " : "",
                                 (double)((const float *)at)[k] * factor);
}

/// `of`: what has the members; "": the thing itself.
static zt_result diff_fields(differ *d, const diff_field *fields, size_t count, const char *of,
                             const void *a, const void *b)
{
    for (const diff_field *f = fields; f < fields + count; f++) {
        const void *x = (const char *)a + f->offset, *y = (const char *)b + f->offset;
        const model_slot *s = x, *t = y;
        char from[100], to[100];
        if (f->kind != MAP && !is_same(x, y, f)) {
            print_value(from, x, f);
            print_value(to, y, f);
            diff_say(d, "%s%s%s %s -> %s", of, of[0] ? " " : "", f->name, from, to);
        }
        if (f->kind != MAP || (s->texture < 0 && t->texture < 0))
            continue;
        if (s->texture < 0 || t->texture < 0) {
            diff_say(d, "%s %s", f->name, s->texture < 0 ? "is new" : "is gone");
            continue;
        }
        ZT_TRY(diff_fields(d, slot_fields, COUNT(slot_fields), f->name, s, t));
        const model_texture *p = &d->model[0]->textures[s->texture];
        const model_texture *q = &d->model[1]->textures[t->texture];
        ZT_TRY(diff_fields(d, sampler_fields, COUNT(sampler_fields), f->name, p, q));
        if (begins(d, PART_TEXTURE, s->texture, t->texture))
            ZT_TRY(diff_texture(d, p, q, f->name,
                                *(const char *const *)b ? *(const char *const *)b : ""));
    }
    return ZT_OK;
}

zt_result diff_material(differ *d, uint32_t a, uint32_t b)
{
    const model_material *x = &d->model[0]->materials[a], *y = &d->model[1]->materials[b];
    const size_t base = offsetof(model_material, extensions);
    const size_t maps = base + offsetof(material_extensions, map);
    const bool masks = x->alpha == MODEL_MASK && y->alpha == MODEL_MASK;
    if (!d->same_format && d->things[DIFF_MATERIALS].list[1][b].silent)
        return ZT_OK;
    ZT_TRY(diff_fields(d, material_fields, COUNT(material_fields) - !masks, "", x, y));
    for (int i = 0; i < MATERIAL_EXTENSION_COUNT; i++) {
        const material_extension_row *row = &material_extension_table[i];
        for (const material_field *f = row->fields; f->key; f++) {
            const diff_field field = {f->key, NUMBERS, base + f->offset, f->width * sizeof(float)};
            ZT_TRY(diff_fields(d, &field, 1, "", x, y));
        }
        for (const material_map *m = row->maps; m->key; m++) {
            const diff_field fields[] = {
                {m->key, MAP, maps + m->map * sizeof(model_slot), sizeof(model_slot)},
                {m->scale_key, NUMBERS, base + m->scale_offset, sizeof(float)}};
            ZT_TRY(diff_fields(d, fields, m->scale_key ? 2 : 1, "", x, y));
        }
    }
    return ZT_OK;
}

// ---- Nodes and what they show -------------------------------------------------------------------

static const char *const parts[] = {"mesh", "camera", "light"};

static int32_t part_of(const model_node *node, int part)
{
    return (const int32_t[]){node->mesh, node->camera, node->light}[part];
}

static const char *part_name(const zt_model *m, const model_node *node, int part)
{
    const int32_t i = part_of(node, part);
    const char *name = i < 0                 ? NULL
                       : part == PART_MESH   ? m->meshes[i].name
                       : part == PART_CAMERA ? m->cameras[i].name
                                             : m->lights[i].name;
    return name && name[0] ? name : node->name;
}

static zt_result diff_part(differ *d, int part, const model_node *const nodes[2],
                           const affine world[2])
{
    const zt_model *x = d->model[0], *y = d->model[1];
    const int32_t a = part_of(nodes[0], part), b = part_of(nodes[1], part);
    const char *before = part_name(x, nodes[0], part), *name = part_name(y, nodes[1], part);
    if (a < 0 || b < 0)
        return a < 0 && b < 0 ? ZT_OK
                              : diff_tell(d, parts[part], a < 0 ? name : before,
                                          a < 0 ? MODEL_NEW : MODEL_GONE);
    if (!begins(d, part, a, b))
        return ZT_OK;
    const bool named = before != nodes[0]->name || name != nodes[1]->name;
    if (named && d->same_format && strcmp(before, name) != 0) // other formats have other names
        diff_say(d, "renamed from '%.100s'", before);
    if (part == PART_MESH)
        return diff_mesh(d, nodes, world, name);
    ZT_TRY(part == PART_CAMERA ? diff_fields(d, camera_fields, COUNT(camera_fields), "",
                                             &x->cameras[a], &y->cameras[b])
                               : diff_fields(d, light_fields, COUNT(light_fields), "",
                                             &x->lights[a], &y->lights[b]));
    return diff_tell(d, parts[part], name, MODEL_CHANGED);
}

/// At rest, where a node has its own: those of meshes are compared with the morph targets.
static zt_result diff_weights(differ *d, const model_node *const nodes[2])
{
    const float *own[2] = {nodes[0]->morph_weights, nodes[1]->morph_weights};
    if (nodes[0]->mesh < 0 || nodes[1]->mesh < 0 || (!own[0] && !own[1]))
        return ZT_OK;
    const model_mesh *x = &d->model[0]->meshes[nodes[0]->mesh];
    const model_mesh *y = &d->model[1]->meshes[nodes[1]->mesh];
    ZT_TRY(arena_work(d->a, x->morph_count, "morph targets", d->err));
    for (uint32_t k = 0; k < x->morph_count && k < y->morph_count; k++) {
        const model_morph *p = &x->morphs[k], *q = &y->morphs[k];
        const float from = own[0] ? own[0][k] : p->weight, to = own[1] ? own[1][k] : q->weight;
        if (fabs((double)from - (double)to) > 1e-5 && strcmp(p->name, q->name) == 0)
            diff_say(d, "weight of '%.100s' %.4g -> %.4g", p->name, (double)from, (double)to);
    }
    return ZT_OK;
}

static const char *parent_name(const zt_model *m, const model_node *node)
{
    const char *name = node->parent < 0 ? "(none)" : m->nodes[node->parent].name;
    return name[0] ? name : "(no name)";
}

zt_result diff_node(differ *d, uint32_t a, uint32_t b)
{
    const model_node *const nodes[2] = {&d->model[0]->nodes[a], &d->model[1]->nodes[b]};
    const affine local = model_rest_step(nodes[0]), other = model_rest_step(nodes[1]);
    const affine world[2] = {d->world[0][a], d->world[1][b]};
    const int32_t above[2] = {nodes[0]->parent, nodes[1]->parent};
    const bool same = above[0] < 0 || above[1] < 0
                          ? above[0] == above[1]
                          : d->things[DIFF_NODES].list[0][above[0]].partner == (uint32_t)above[1];
    const double moved =
        dvec3_length(same ? dvec3_sub(local.t, other.t) : dvec3_sub(world[0].t, world[1].t));
    // A node that others carry along, or that is where it was in another unit, is not moved itself.
    if ((!same || diff_distance(d, &local, &other) > DIFF_SAME_PLACE) &&
        diff_distance(d, &world[0], &world[1]) > DIFF_SAME_PLACE) {
        if (!same)
            diff_say(d, "under '%.100s', was under '%.100s'", parent_name(d->model[1], nodes[1]),
                     parent_name(d->model[0], nodes[0]));
        if (moved > 1e-6 * d->size)
            diff_say(d, "moved by %.4g", moved);
        ZT_TRY(diff_fields(d, node_fields, nodes[0]->has_matrix || nodes[1]->has_matrix ? 3 : 2, "",
                           nodes[0], nodes[1]));
    }
    const bool shown = nodes[1]->in_scene && nodes[1]->shown > 0.0f;
    // Nodes below one that leaves the scene leave it, too.
    if ((nodes[0]->in_scene && nodes[0]->shown > 0.0f) != shown &&
        (!same || above[0] < 0 ||
         d->model[0]->nodes[above[0]].in_scene == d->model[1]->nodes[above[1]].in_scene))
        diff_say(d, "now %s", shown ? "shown" : "hidden");
    ZT_TRY(diff_weights(d, nodes));
    ZT_TRY(diff_tell(d, "node", nodes[1]->name, MODEL_CHANGED));
    for (int part = 0; part <= PART_LIGHT; part++)
        ZT_TRY(diff_part(d, part, nodes, world));
    return ZT_OK;
}
