// SPDX-License-Identifier: MIT
/// Builds the vertices and triangles of an .m3d: a subset for each material, with the meshes in the
/// order of their nodes. Texture coordinates are those of the material's maps, transformed.
#include "convert/m3d_builder.h"

/// A meshlet at a node.
typedef struct bake_item {
    uint32_t draw, meshlet;
} bake_item;

/// The vertex of the file for one of the mesh; valid if its stamp is the current material and draw.
typedef struct baked_vertex {
    uint32_t stamp, index;
} baked_vertex;

typedef struct baker {
    m3d_builder *m;
    bake_item *items;      ///< by material, then by draw
    uint32_t *first;       ///< [material_count + 1] into items
    baked_vertex *copy[2]; ///< by vertex of the mesh, for right- and left-handed tangents
    uint32_t stamp;
    uint64_t reduced; ///< vertices that lost influences
} baker;

/// Sorts meshlets by material. `out_vertices`: at most; `out_largest`: the largest mesh's vertices.
static zt_result sort_items(baker *b, uint64_t *out_vertices, uint32_t *out_largest)
{
    m3d_builder *m = b->m;
    uint64_t count = 0;
    ZT_TRY(ARENA_TAKE(m->job->a, &b->first, (size_t)m->model->material_count + 2, "materials",
                      m->job->err));
    for (uint32_t d = 0; d < m->draw_count; d++) {
        const model_mesh *mesh = m->draws[d].mesh;
        *out_largest = mesh->vertex_count > *out_largest ? mesh->vertex_count : *out_largest;
        count += mesh->meshlet_count;
        for (uint32_t i = 0; i < mesh->meshlet_count; i++) {
            b->first[mesh->meshlets[i].material + 2]++;
            *out_vertices += mesh->meshlets[i].vertex_count;
        }
    }
    ZT_TRY(ARENA_TAKE_RAW(m->job->a, &b->items, count, "meshlets", m->job->err));
    for (uint32_t i = 2; i < m->model->material_count + 2; i++)
        b->first[i] += b->first[i - 1];
    for (uint32_t d = 0; d < m->draw_count; d++)
        for (uint32_t i = 0; i < m->draws[d].mesh->meshlet_count; i++)
            b->items[b->first[m->draws[d].mesh->meshlets[i].material + 1]++] = (bake_item){d, i};
    return ZT_OK;
}

static void transform_vector(const dmat3 *m, float *v)
{
    dvec3_to_floats(dmat3_transform(m, dvec3_from_floats(v)), v);
}

static void normalize(float *v)
{
    dvec3 unit = dvec3_from_floats(v);
    if (dvec3_normalize(&unit, 1e-30))
        dvec3_to_floats(unit, v);
}

/// Transforms positions and tangents by the matrix and normals by its cofactors: its inverse
/// transpose up to a factor, whose sign is that of the determinant.
static void transform_vertex(const affine *world, m3d_out_vertex *v)
{
    const double sign = affine_determinant(world) < 0.0 ? -1.0 : 1.0;
    const dmat3 cofactor = dmat3_cofactor(&world->m);
    const dmat3 normal = {dvec3_scale(cofactor.x, sign), dvec3_scale(cofactor.y, sign),
                          dvec3_scale(cofactor.z, sign)};
    vertex_attributes *a = &v->attributes;
    transform_vector(&world->m, &v->position.x);
    dvec3_to_floats(dvec3_add(dvec3_from_floats(&v->position.x), world->t), &v->position.x);
    transform_vector(&normal, &a->nx);
    normalize(&a->nx);
    transform_vector(&world->m, &a->tx);
    normalize(&a->tx);
    v->tangent_w = sign < 0.0 ? 0.0f - v->tangent_w : v->tangent_w;
}

/// Moves the four largest of eight influences to the front and scales them to a sum of 1.
static void reduce_influences(const model_mesh *mesh, uint32_t vertex, float weight[8],
                              uint32_t joint[8])
{
    for (int k = 0; k < 4; k++) {
        weight[4 + k] = mesh->weights_more[vertex].weight[k];
        joint[4 + k] = mesh->joints_more[vertex].joint[k];
    }
    float sum = 0.0f;
    for (int k = 0; k < 4; k++) {
        int largest = k;
        for (int i = k + 1; i < 8; i++)
            largest = weight[i] > weight[largest] ? i : largest;
        const float w = weight[largest];
        const uint32_t j = joint[largest];
        weight[largest] = weight[k];
        joint[largest] = joint[k];
        weight[k] = w;
        joint[k] = j;
        sum += w;
    }
    if (sum > 0.0f)
        for (int k = 0; k < 4; k++)
            weight[k] /= sum;
}

static void bind_vertex(baker *b, const m3d_draw *draw, uint32_t vertex, m3d_out_vertex *out)
{
    if (!draw->bone_of_joint) {
        out->weight[0] = 1.0f;
        out->bone[0] = draw->bone;
        return;
    }
    float weight[8];
    uint32_t joint[8];
    for (int k = 0; k < 4; k++) {
        weight[k] = draw->mesh->weights[vertex].weight[k];
        joint[k] = draw->mesh->joints[vertex].joint[k];
    }
    if (draw->mesh->joints_more && draw->mesh->weights_more[vertex].weight[0] > 0.0f) {
        reduce_influences(draw->mesh, vertex, weight, joint);
        b->reduced++;
    }
    for (int k = 0; k < 4; k++) {
        out->weight[k] = weight[k];
        out->bone[k] = weight[k] > 0.0f ? draw->bone_of_joint[joint[k]] : 0;
    }
}

/// Applies the set and transform of texture coordinates of the base map, or else of the normal map.
static void apply_uv_transform(const model_material *material, const model_mesh *mesh,
                               uint32_t vertex, vertex_attributes *a)
{
    const model_slot *slot =
        material->base_map.texture >= 0 ? &material->base_map : &material->normal_map;
    if (slot->texture < 0)
        return;
    if (slot->uv_set == 1 && mesh->extra) {
        a->u = mesh->extra[vertex].u1;
        a->v = mesh->extra[vertex].v1;
    }
    if (!slot->transformed)
        return;
    const float *t = slot->uv_from_uv, u = a->u, v = a->v;
    a->u = t[0] * u + t[1] * v + t[2];
    a->v = t[3] * u + t[4] * v + t[5];
}

static uint32_t bake_vertex(baker *b, const m3d_draw *draw, const meshlet *let, uint32_t vertex)
{
    m3d_builder *m = b->m;
    baked_vertex *copy = &b->copy[let->left_handed][vertex];
    if (copy->stamp == b->stamp)
        return copy->index;
    *copy = (baked_vertex){b->stamp, m->vertex_count++};
    m3d_out_vertex *v = &m->vertices[copy->index];
    *v = (m3d_out_vertex){.position = draw->mesh->position[vertex],
                          .attributes = draw->mesh->attributes[vertex],
                          .tangent_w = let->left_handed ? -1.0f : 1.0f};
    apply_uv_transform(&m->model->materials[let->material], draw->mesh, vertex, &v->attributes);
    if (m->bone_count > 0)
        bind_vertex(b, draw, vertex, v);
    if (draw->baked && !affine_is_identity(&draw->world))
        transform_vertex(&draw->world, v);
    return copy->index;
}

/// Front faces of the file are clockwise; a mirroring transform reverses the winding once more.
static void bake_meshlet(baker *b, const m3d_draw *draw, const meshlet *let, uint32_t *triangle)
{
    const bool mirrored = draw->baked && affine_determinant(&draw->world) < 0.0;
    for (uint32_t t = 0; t < let->triangle_count; t++) {
        uint32_t corner[3];
        for (int k = 0; k < 3; k++) {
            const uint32_t local = draw->mesh->meshlet_corner[k][let->triangle_first + t];
            corner[k] =
                bake_vertex(b, draw, let, draw->mesh->meshlet_vertex[let->vertex_first + local]);
        }
        uint32_t *out = &b->m->corners[3 * (size_t)(*triangle)++];
        out[0] = corner[0];
        out[1] = corner[mirrored ? 1 : 2];
        out[2] = corner[mirrored ? 2 : 1];
    }
}

static zt_result bake_subset(baker *b, uint32_t material, uint32_t *triangle)
{
    m3d_builder *m = b->m;
    m3d_out_subset *s = &m->subsets[m->subset_count];
    *s = (m3d_out_subset){.material = material,
                          .vertex_start = m->vertex_count,
                          .face_start = *triangle,
                          .diffuse_map = "",
                          .normal_map = ""};
    uint32_t last_draw = UINT32_MAX;
    for (uint32_t i = b->first[material]; i < b->first[material + 1]; i++) {
        const m3d_draw *draw = &m->draws[b->items[i].draw];
        if (budget_cancelled(m->job->a->budget))
            return cancel_fail(m->job->err);
        b->stamp += b->items[i].draw != last_draw;
        last_draw = b->items[i].draw;
        bake_meshlet(b, draw, &draw->mesh->meshlets[b->items[i].meshlet], triangle);
    }
    s->vertex_count = m->vertex_count - s->vertex_start;
    s->face_count = *triangle - s->face_start;
    m->subset_count += s->face_count > 0;
    return ZT_OK;
}

/// Counts the triangles that wind with their normals minus those against them, as readers do.
static int64_t winding_votes(const m3d_builder *m)
{
    int64_t votes = 0;
    for (size_t t = 0; t < m->triangle_count; t++) {
        dvec3 p[3], n = {0.0, 0.0, 0.0};
        for (int k = 0; k < 3; k++) {
            const m3d_out_vertex *v = &m->vertices[m->corners[3 * t + (size_t)k]];
            p[k] = dvec3_from_floats(&v->position.x);
            n = dvec3_add(n, dvec3_from_floats(&v->attributes.nx));
        }
        const double w = dvec3_dot(dvec3_cross(dvec3_sub(p[1], p[0]), dvec3_sub(p[2], p[0])), n);
        votes += (w > 0.0) - (w < 0.0);
    }
    return votes;
}

/// Readers infer the handedness of the file from its winding and its normals. This makes them infer
/// the right one: it flips the triangles if most are wound the wrong way.
static zt_result resolve_handedness(m3d_builder *m)
{
    const int64_t votes = winding_votes(m);
    m->mirrored = votes == 0; // readers take a tie for left-handed
    if (votes <= 0)
        return ZT_OK;
    for (size_t t = 0; t < m->triangle_count; t++) {
        uint32_t *c = &m->corners[3 * t], last = c[2];
        c[2] = c[1];
        c[1] = last;
    }
    return convert_report_loss(
        m->job, "most triangles face away from their normals: their winding is reversed");
}

zt_result m3d_builder_add_vertices(m3d_builder *m)
{
    baker b = {.m = m};
    uint64_t vertices = 0;
    uint32_t largest = 0, triangle = 0;
    ZT_TRY(sort_items(&b, &vertices, &largest));
    arena *a = m->job->a;
    m->vertices = ARENA_ARRAY_RAW(a, m3d_out_vertex, vertices);
    m->corners = ARENA_ARRAY_RAW(a, uint32_t, 3 * (size_t)m->triangle_count);
    m->subsets = ARENA_ARRAY(a, m3d_out_subset, m->model->material_count);
    for (int side = 0; side < 2; side++)
        b.copy[side] = ARENA_ARRAY(a, baked_vertex, largest);
    if (!m->vertices || !m->corners || !m->subsets || !b.copy[0] || !b.copy[1])
        return arena_fail(a, m->job->err, "vertices");
    for (uint32_t i = 0; i < m->model->material_count; i++)
        ZT_TRY(bake_subset(&b, i, &triangle));
    if (b.reduced > 0)
        ZT_TRY(convert_report_loss(
            m->job,
            "%llu vertices have more than four influences: only the four largest are "
            "kept",
            (unsigned long long)b.reduced));
    return resolve_handedness(m);
}
