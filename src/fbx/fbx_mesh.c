// SPDX-License-Identifier: MIT
/// Meshes of a model: each geometry once for each list of materials of its users.
#include "fbx/fbx_blend.h"
#include "fbx/fbx_skin.h"
#include "mesh/mesh_build.h"
#include "mesh/tangents.h"

#include <string.h>

enum { MESH_STEPS = 64 };

/// A mesh that was built, for further users.
typedef struct built_mesh {
    int32_t geometry;
    int32_t mesh; ///< -1: it has no triangles
    uint32_t slot_count;
    const uint32_t *slots;
    fbx_blend_list blends;
    fbx_skin skin;
} built_mesh;

typedef struct mesh_maker {
    fbx_file *f;
    model_mesh *meshes;
    model_skin *skins;
    built_mesh *built;
    uint32_t built_count;
    hash_table slots; ///< of `built`, by geometry and materials
    zt_error *err;
} mesh_maker;

/// The materials of a model, by slot.
static zt_result slots_of(fbx_file *f, int32_t model, uint32_t **out, uint32_t *out_count,
                          zt_error *err)
{
    uint32_t at = 0;
    const uint32_t *first = &f->scene.first_link[model];
    ZT_TRY(ARENA_TAKE(f->lasting, out, first[1] - first[0], "materials", err));
    *out_count = 0;
    for (int32_t m; (m = fbx_next_child(&f->scene, model, FBX_MATERIAL, NULL, &at, NULL)) >= 0;)
        (*out)[(*out_count)++] = (uint32_t)f->material_of[m];
    return ZT_OK;
}

/// Materials of the model in place of slots.
static void resolve_slots(const fbx_file *f, const built_mesh *b, const fbx_geometry *g)
{
    for (uint32_t i = 0; i < g->polygons.polygon_count; i++)
        g->slot[i] =
            g->slot[i] < b->slot_count ? b->slots[g->slot[i]] : (uint32_t)f->plain_material;
}

/// Colours of vertices are shown where no map of colours covers them.
static void show_colors(const fbx_file *f, const built_mesh *b, const fbx_geometry *g)
{
    if (!g->polygons.color)
        return;
    for (uint32_t i = 0; i <= b->slot_count; i++) {
        const uint32_t m = i < b->slot_count ? b->slots[i] : (uint32_t)f->plain_material;
        f->materials[m].vertex_color = !f->has_color_map[m];
    }
}

static bool wants_tangents(const fbx_file *f, const built_mesh *b)
{
    bool wanted = f->source->tangents;
    for (uint32_t i = 0; i < b->slot_count; i++)
        wanted = wanted || model_tangent_uv_set(&f->materials[b->slots[i]]) >= 0;
    return wanted;
}

static zt_result build(mesh_maker *m, fbx_geometry *g, built_mesh *b)
{
    fbx_file *f = m->f;
    mesh_source source;
    f->lost_polygons += g->lost;
    ZT_TRY(fbx_skin_read(f, g, &b->skin, m->err));
    ZT_TRY(fbx_blends_read(f, g, &b->blends, m->err));
    resolve_slots(f, b, g);
    ZT_TRY(polygon_mesh_build(f->source->pool, f->scratch, &g->polygons, &source, m->err));
    show_colors(f, b, g);
    source.morphs = b->blends.target_count > 0;
    if (wants_tangents(f, b))
        ZT_TRY(tangents_generate(f->source->pool, f->scratch, &source, m->err));
    ZT_TRY(ARENA_TEXT(f->keep, &source.name, source.name, "a name", m->err));
    if (source.triangle_count == 0)
        return ZT_OK;
    model_mesh *mesh = &m->meshes[f->model->mesh_count];
    ZT_TRY(mesh_build(f->source->pool, f->keep, f->scratch, &source, mesh, m->err));
    ZT_TRY(fbx_blends_keep(f, &b->blends, g, &source, mesh, m->err));
    f->model->triangle_count += mesh->triangle_count;
    f->model->vertex_count += mesh->vertex_count;
    if (f->model->triangle_count > MODEL_TRIANGLE_LIMIT)
        return zt_fail(m->err, ZT_ERR_LIMIT, "%s: more than %u triangles", f->tree.path,
                       MODEL_TRIANGLE_LIMIT);
    b->mesh = (int32_t)f->model->mesh_count++;
    return ZT_OK;
}

/// Memory for one mesh at a time.
static zt_result build_apart(mesh_maker *m, built_mesh *b)
{
    fbx_file *f = m->f;
    fbx_geometry g;
    arena work;
    arena_init(&work, f->lasting->budget);
    f->scratch = f->tree.a = &work;
    zt_result result = fbx_geometry_read(f, b->geometry, b->slots, b->slot_count, &g, m->err);
    if (result == ZT_OK)
        result = build(m, &g, b);
    f->scratch = f->tree.a = f->lasting;
    arena_finish(&work);
    return result;
}

/// The mesh of a geometry with a model's materials, which are `slots`.
static zt_result find_or_build(mesh_maker *m, int32_t geometry, const uint32_t *slots,
                               uint32_t count, built_mesh **out)
{
    const uint64_t start = hash_number(HASH_START, (uint32_t)geometry);
    uint32_t *slot = hash_table_first(&m->slots, hash_bytes(start, slots, count * sizeof *slots));
    for (; *slot != 0; slot = hash_table_next(&m->slots, slot)) {
        *out = &m->built[*slot - 1];
        ZT_TRY(arena_work(m->f->lasting, 1 + (uint64_t)count, "materials", m->err));
        if ((*out)->geometry == geometry && (*out)->slot_count == count &&
            (count == 0 || memcmp((*out)->slots, slots, count * sizeof *slots) == 0))
            return ZT_OK;
    }
    *out = &m->built[m->built_count++];
    **out = (built_mesh){.geometry = geometry, .mesh = -1, .slot_count = count, .slots = slots};
    *slot = m->built_count;
    const size_t steps = 1 + count + strlen(m->f->scene.object[geometry].name); // which is copied
    ZT_TRY(arena_work(m->f->lasting, MESH_STEPS * (uint64_t)steps, "meshes", m->err));
    return build_apart(m, *out);
}

static zt_result use_mesh(mesh_maker *m, fbx_placed *p, const built_mesh *b)
{
    fbx_file *f = m->f;
    fbx_transform geometric = fbx_geometry_transform(&f->scene, p->object);
    const affine own = fbx_transform_affine(&geometric);
    int32_t node = p->scale_node;
    if (b->mesh < 0)
        return ZT_OK;
    const bool is_far = dvec3_length(m->meshes[b->mesh].middle) > 0.0;
    geometric.t = affine_point(&own, m->meshes[b->mesh].middle);
    if (f->nodes[node].mesh >= 0 || !fbx_transform_is_identity(&geometric)) {
        node = fbx_add_model_node(f, p->scale_node, f->nodes[p->node].name, &geometric);
        f->exact[node].far |= is_far;
    }
    f->nodes[node].mesh = b->mesh;
    if (b->skin.joint_count > 0) {
        const uint32_t skin = f->model->skin_count++;
        ZT_TRY(
            fbx_skin_keep(f, &b->skin, p, is_far ? node : -1, &geometric, &m->skins[skin], m->err));
        f->nodes[node].skin = (int32_t)skin;
    }
    if (b->blends.target_count > 0)
        f->uses[f->use_count++] = (fbx_mesh_use){.node = node,
                                                 .mesh = b->mesh,
                                                 .model = p->object,
                                                 .blend_count = b->blends.blend_count,
                                                 .target_count = b->blends.target_count,
                                                 .blends = b->blends.blends};
    return ZT_OK;
}

/// Geometries of a model from *at on; before version 7 the model itself is one. -1: no more.
static int32_t next_geometry(const fbx_file *f, int32_t model, uint32_t *at)
{
    if (*at == 0 && fbx_child(f->scene.object[model].node, "Vertices")) {
        *at = UINT32_MAX;
        return model;
    }
    return *at == UINT32_MAX ? FBX_NONE
                             : fbx_next_child(&f->scene, model, FBX_GEOMETRY, "Mesh", at, NULL);
}

static zt_result make_meshes_of(mesh_maker *m, fbx_placed *p)
{
    uint32_t at = 0, count, *slots;
    built_mesh *b;
    ZT_TRY(slots_of(m->f, p->object, &slots, &count, m->err));
    for (int32_t g; (g = next_geometry(m->f, p->object, &at)) >= 0;) {
        if (m->f->node_count + 2 >= m->f->node_capacity)
            break; // many geometries of one model: there are nodes for two
        ZT_TRY(find_or_build(m, g, slots, count, &b));
        ZT_TRY(use_mesh(m, p, b));
    }
    return ZT_OK;
}

zt_result fbx_make_meshes(fbx_file *f, zt_error *err)
{
    mesh_maker m = {.f = f, .err = err};
    size_t count = 0;
    ZT_TRY(fbx_bind_poses_read(f, err));
    for (uint32_t i = 0; i < f->placed_count; i++) {
        uint32_t at = 0;
        while (next_geometry(f, f->placed[i].object, &at) >= 0)
            count++;
    }
    ZT_TRY(ARENA_TAKE(f->keep, &m.meshes, count, "meshes", err));
    ZT_TRY(ARENA_TAKE(f->keep, &m.skins, count, "skins", err));
    ZT_TRY(ARENA_TAKE(f->lasting, &m.built, count, "meshes", err));
    ZT_TRY(ARENA_TAKE(f->lasting, &f->uses, count, "meshes", err));
    if (!hash_table_init(&m.slots, f->lasting, count))
        return arena_fail(f->lasting, err, "meshes");
    for (uint32_t i = 0; i < f->placed_count; i++)
        ZT_TRY(make_meshes_of(&m, &f->placed[i]));
    f->model->meshes = m.meshes;
    f->model->skins = m.skins;
    return ZT_OK;
}
