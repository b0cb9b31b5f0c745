// SPDX-License-Identifier: MIT
/// Meshes of .x: points and faces, then normals with faces of their own, texture coordinates and
/// colours of points, materials of faces, and the weights of bones. Exporters of DirectX 9 put
/// normals and texture coordinates into DeclData or FVFData, floats as whole numbers (Microsoft,
/// D3DVERTEXELEMENT9, D3DFVF).
#include "mesh/far_points.h"
#include "mesh/mesh_build.h"
#include "mesh/point_weights.h"
#include "mesh/tangents.h"
#include "xfile/xfile_parts.h"

#include <math.h>
#include <string.h>

typedef struct mesh_reader {
    xfile_reader *r;
    const xfile_object *object;
    polygon_mesh mesh;
    uint32_t *corner, *first, *face, *material; ///< of mesh; `face`: in the file
    uint32_t *file_corner;                      ///< [corner_count] place in the face
    uint32_t face_count;                        ///< of the file
    float *normal, *uv, *color;                 ///< by corner
    uint32_t joint_count;
    arena *work; ///< of this mesh
    zt_error *err;
} mesh_reader;

enum { COUNT_MAX = 1 << 30 };

static zt_result fail_count(const mesh_reader *m, const xfile_object *o, const char *what)
{
    return xfile_fail(&m->r->tree, ZT_ERR_FORMAT, o->at, m->err,
                      "%s with fewer numbers than it says", what);
}

// ---- Faces --------------------------------------------------------------------------------------

static zt_result read_points(mesh_reader *m, uint32_t *out_at)
{
    const xfile_object *o = m->object;
    const uint32_t count = xfile_count(o, 0, COUNT_MAX, UINT32_MAX);
    vertex_position *point;
    if (o->number_count == 0 || (o->number_count - 1) / 3 < count)
        return fail_count(m, o, "a Mesh");
    ZT_TRY(ARENA_TAKE_RAW(m->work, &point, count, "vertices", m->err));
    far_points_load(o->number + 1, count, point, m->r->source->at_origin ? &m->r->middle : NULL);
    for (uint32_t i = 0; i < count; i++)
        point[i].z = -point[i].z;
    m->mesh.middle = (dvec3){m->r->middle.x, m->r->middle.y, -m->r->middle.z};
    m->mesh.point = point;
    m->mesh.point_count = count;
    *out_at = 1 + 3 * count;
    return ZT_OK;
}

/// The corners of a face at *at, and its end. False: the numbers end.
static bool next_face(const xfile_object *o, uint32_t *at, uint32_t *out_count)
{
    if (*at >= o->number_count)
        return false;
    *out_count = xfile_count(o, *at, COUNT_MAX, COUNT_MAX);
    ++*at;
    return *out_count <= o->number_count - *at;
}

/// Faces in the reverse order of their corners: the mirrored file shows its fronts so.
static zt_result read_faces(mesh_reader *m, uint32_t at)
{
    const xfile_object *o = m->object;
    const uint32_t left = at < o->number_count ? o->number_count - at : 0;
    uint32_t corners = 0, polygons = 0;
    m->face_count = xfile_count(o, at++, COUNT_MAX, UINT32_MAX);
    if (m->face_count > left)
        return fail_count(m, o, "a Mesh");
    ZT_TRY(ARENA_TAKE_RAW(m->work, &m->corner, left, "faces", m->err));
    ZT_TRY(ARENA_TAKE_RAW(m->work, &m->file_corner, left, "faces", m->err));
    ZT_TRY(ARENA_TAKE_RAW(m->work, &m->first, (size_t)m->face_count + 1, "faces", m->err));
    ZT_TRY(ARENA_TAKE_RAW(m->work, &m->face, m->face_count, "faces", m->err));
    m->first[0] = 0;
    for (uint32_t i = 0; i < m->face_count; i++) {
        uint32_t count;
        bool good = true;
        ZT_TRY(arena_go_on_at(m->work, i, "faces", m->err));
        if (!next_face(o, &at, &count))
            return fail_count(m, o, "a Mesh");
        for (uint32_t k = count; k-- > 0;) {
            const uint32_t point = xfile_count(o, at + k, COUNT_MAX, UINT32_MAX);
            good = good && point < m->mesh.point_count && !isnan(m->mesh.point[point].x);
            m->corner[corners] = point;
            m->file_corner[corners++] = k;
        }
        at += count;
        if (good) {
            m->face[polygons++] = i;
            m->first[polygons] = corners;
        } else {
            corners = m->first[polygons];
            m->r->lost_faces++;
        }
    }
    m->mesh.corner = m->corner;
    m->mesh.first = m->first;
    m->mesh.corner_count = corners;
    m->mesh.polygon_count = polygons;
    return ZT_OK;
}

// ---- Values -------------------------------------------------------------------------------------

static void set_normal(mesh_reader *m, uint32_t corner, double x, double y, double z)
{
    float *n = m->normal + 3 * (size_t)corner;
    n[0] = (float)x;
    n[1] = (float)y;
    n[2] = -(float)z;
    if (!vec3_normalize(n))
        memset(n, 0, 3 * sizeof *n);
}

static zt_result take_normals(mesh_reader *m)
{
    ZT_TRY(ARENA_TAKE(m->work, &m->normal, 3 * (size_t)m->mesh.corner_count, "normals", m->err));
    m->mesh.normal = m->normal;
    return ZT_OK;
}

/// Normals, and faces that say which. Those that do not fit leave all to be made.
static zt_result read_normals(mesh_reader *m)
{
    const xfile_object *o = xfile_child(m->object, "MeshNormals");
    const uint32_t count = xfile_count(o, 0, COUNT_MAX, 0);
    uint32_t *start, at = 1 + 3 * count;
    if (!o || count == 0 || (o->number_count - 1) / 3 < count ||
        xfile_count(o, at++, COUNT_MAX, 0) != m->face_count)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE_RAW(m->work, &start, m->face_count, "normals", m->err));
    for (uint32_t i = 0; i < m->face_count; i++) {
        uint32_t corners;
        if (!next_face(o, &at, &corners))
            return ZT_OK;
        start[i] = at;
        at += corners;
    }
    ZT_TRY(take_normals(m));
    for (uint32_t p = 0; p < m->mesh.polygon_count; p++)
        for (uint32_t c = m->first[p]; c < m->first[p + 1]; c++) {
            const uint32_t n =
                xfile_count(o, start[m->face[p]] + m->file_corner[c], count - 1, UINT32_MAX);
            const double *v = n == UINT32_MAX ? NULL : o->number + 1 + 3 * (size_t)n;
            if (v)
                set_normal(m, c, v[0], v[1], v[2]);
        }
    return ZT_OK;
}

static float finite(double x) { return fabs(x) < 1e30 ? (float)x : 0.0f; }

static zt_result take_uv(mesh_reader *m)
{
    ZT_TRY(ARENA_TAKE(m->work, &m->uv, 2 * (size_t)m->mesh.corner_count, "texture coordinates",
                      m->err));
    m->mesh.uv = m->uv;
    return ZT_OK;
}

static zt_result read_uv(mesh_reader *m)
{
    const xfile_object *o = xfile_child(m->object, "MeshTextureCoords");
    const uint32_t count = xfile_count(o, 0, COUNT_MAX, 0);
    if (!o || count == 0 || (o->number_count - 1) / 2 < count)
        return ZT_OK;
    ZT_TRY(take_uv(m));
    for (uint32_t c = 0; c < m->mesh.corner_count; c++)
        for (uint32_t k = 0; k < 2 && m->corner[c] < count; k++)
            m->uv[2 * (size_t)c + k] = finite(o->number[1 + 2 * (size_t)m->corner[c] + k]);
    return ZT_OK;
}

/// A point's number and its colour, sRGB with alpha.
static zt_result read_colors(mesh_reader *m)
{
    const xfile_object *o = xfile_child(m->object, "MeshVertexColors");
    const uint32_t count = xfile_count(o, 0, COUNT_MAX, 0);
    float *point;
    if (!o || count == 0 || (o->number_count - 1) / 5 < count)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE(m->work, &point, 4 * (size_t)m->mesh.point_count, "colours", m->err));
    ZT_TRY(ARENA_TAKE(m->work, &m->color, 4 * (size_t)m->mesh.corner_count, "colours", m->err));
    for (uint32_t i = 0; i < 4 * m->mesh.point_count; i++)
        point[i] = 1.0f;
    for (uint32_t i = 0; i < count; i++) {
        const double *v = o->number + 1 + 5 * (size_t)i;
        const uint32_t p = xfile_count(o, 1 + 5 * i, COUNT_MAX, UINT32_MAX);
        if (p < m->mesh.point_count)
            for (int k = 0; k < 4; k++)
                point[4 * (size_t)p + (size_t)k] = (float)(k < 3 ? srgb_decode(v[1 + k]) : v[4]);
    }
    for (uint32_t c = 0; c < m->mesh.corner_count; c++)
        memcpy(m->color + 4 * (size_t)c, point + 4 * (size_t)m->corner[c], 4 * sizeof *point);
    m->mesh.color = m->color;
    return ZT_OK;
}

// ---- Packed vertices ----------------------------------------------------------------------------

/// Where normals and texture coordinates are among the words of a point; -1: nowhere.
typedef struct packed_layout {
    uint32_t first, words; ///< of all points; of one
    int32_t normal, uv;
} packed_layout;

static double packed_float(const xfile_object *o, uint32_t index)
{
    const uint32_t word = xfile_count(o, index, UINT32_MAX, 0);
    float value;
    memcpy(&value, &word, sizeof value);
    return isfinite(value) ? (double)value : 0.0;
}

/// Elements of four numbers: type, method, usage and which of a usage.
static packed_layout declaration_layout(const xfile_object *o)
{
    static const uint32_t words[] = {1, 2, 3, 4, 1, 1, 1, 2, 1, 1, 2, 1, 2, 1, 1, 1, 2};
    enum { FLOAT2 = 1, FLOAT3 = 2, NORMAL = 3, TEXCOORD = 5 };
    packed_layout l = {.normal = -1, .uv = -1};
    const uint32_t elements = xfile_count(o, 0, 64, 0);
    for (uint32_t i = 0; i < elements; i++) {
        const uint32_t type = xfile_count(o, 1 + 4 * i, 16, 0);
        const uint32_t usage = xfile_count(o, 3 + 4 * i, 255, 255);
        if (usage == NORMAL && type == FLOAT3 && l.normal < 0)
            l.normal = (int32_t)l.words;
        if (usage == TEXCOORD && type == FLOAT2 && l.uv < 0)
            l.uv = (int32_t)l.words;
        l.words += words[type];
    }
    l.first = 2 + 4 * elements;
    return l;
}

/// Bits say which parts there are, in this order.
static packed_layout fvf_layout(const xfile_object *o)
{
    enum { NORMAL = 0x10, POINT_SIZE = 0x20, DIFFUSE = 0x40, SPECULAR = 0x80, TEXTURES = 8 };
    const uint32_t fvf = xfile_count(o, 0, UINT32_MAX, 0);
    packed_layout l = {.normal = -1, .uv = -1, .first = 2};
    if (fvf & NORMAL) {
        l.normal = 0;
        l.words = 3;
    }
    l.words += (uint32_t)((fvf & POINT_SIZE) != 0) + (uint32_t)((fvf & DIFFUSE) != 0) +
               (uint32_t)((fvf & SPECULAR) != 0);
    const uint32_t sets = fvf >> TEXTURES & 15;
    if (sets > 0 && fvf >> 16 == 0) // sets of two coordinates
        l.uv = (int32_t)l.words;
    l.words += 2 * sets;
    return l;
}

static zt_result read_packed(mesh_reader *m, const xfile_object *o, packed_layout l)
{
    const bool normals = l.normal >= 0 && !m->normal, uv = l.uv >= 0 && !m->uv;
    if (l.words == 0 || l.first > o->number_count ||
        (o->number_count - l.first) / l.words < m->mesh.point_count)
        return ZT_OK;
    if (normals)
        ZT_TRY(take_normals(m));
    if (uv)
        ZT_TRY(take_uv(m));
    for (uint32_t c = 0; c < m->mesh.corner_count; c++) {
        const uint32_t at = l.first + l.words * m->corner[c];
        const uint32_t n = at + (uint32_t)l.normal, t = at + (uint32_t)l.uv;
        if (normals)
            set_normal(m, c, packed_float(o, n), packed_float(o, n + 1), packed_float(o, n + 2));
        for (uint32_t k = 0; uv && k < 2; k++)
            m->uv[2 * (size_t)c + k] = finite(packed_float(o, t + k));
    }
    return ZT_OK;
}

static zt_result read_values(mesh_reader *m)
{
    const xfile_object *declared = xfile_child(m->object, "DeclData");
    const xfile_object *fvf = xfile_child(m->object, "FVFData");
    ZT_TRY(read_normals(m));
    ZT_TRY(read_uv(m));
    if (declared)
        ZT_TRY(read_packed(m, declared, declaration_layout(declared)));
    if (fvf)
        ZT_TRY(read_packed(m, fvf, fvf_layout(fvf)));
    return read_colors(m);
}

// ---- Materials and weights ----------------------------------------------------------------------

/// The number of a material in a list: of an object of its own, or one that is named.
static uint32_t material_number(const xfile_reader *r, const xfile_object *o)
{
    const uint32_t named = o->type[0] == '\0' ? *xfile_material_slot(r, o->name) : 0;
    return o->type[0] != '\0' ? o->material : named > 0 ? named - 1 : r->material_count;
}

static zt_result read_materials(mesh_reader *m)
{
    const xfile_object *o = xfile_child(m->object, "MeshMaterialList");
    const uint32_t faces = xfile_count(o, 1, COUNT_MAX, 0);
    uint32_t *list, count = 0;
    for (const xfile_object *c = o ? o->child : NULL; c; c = c->next)
        count++;
    ZT_TRY(ARENA_TAKE_RAW(m->work, &list, count, "materials", m->err));
    ZT_TRY(ARENA_TAKE_RAW(m->work, &m->material, m->mesh.polygon_count, "materials", m->err));
    ZT_TRY(arena_work(m->work, count, "materials", m->err));
    count = 0;
    for (const xfile_object *c = o ? o->child : NULL; c; c = c->next)
        if (strcmp(c->type, "Material") == 0 || c->type[0] == '\0')
            list[count++] = material_number(m->r, c);
    for (uint32_t p = 0; p < m->mesh.polygon_count; p++) {
        const uint32_t face = m->face[p]; // the last one stands for those after it
        const uint32_t at = faces == 0 ? UINT32_MAX : 2 + (face < faces ? face : faces - 1);
        const uint32_t slot = faces == 0 ? 0 : xfile_count(o, at, COUNT_MAX, 0);
        m->material[p] = slot < count ? list[slot] : m->r->material_count;
    }
    for (uint32_t i = 0; m->mesh.color && i <= count; i++) {
        model_material *material = &m->r->materials[i < count ? list[i] : m->r->material_count];
        material->vertex_color = material->base_map.texture < 0;
    }
    m->mesh.material = m->material;
    return ZT_OK;
}

/// "SkinWeights": a bone's name, a count, points, weights, and the matrix from mesh to bone.
static bool weights_fit(const xfile_object *o, uint32_t *out_count)
{
    *out_count = xfile_count(o, 0, COUNT_MAX, 0);
    return o->text_count > 0 && o->number_count >= 17 && *out_count <= (o->number_count - 17) / 2;
}

static zt_result read_weights(mesh_reader *m)
{
    uint32_t joints = 0, count;
    point_weights *points;
    for (const xfile_object *o = xfile_child(m->object, "SkinWeights"); o; o = xfile_next(o))
        joints += weights_fit(o, &count) && xfile_find_node(m->r, o->text[0]) >= 0;
    if (joints == 0)
        return ZT_OK;
    if (joints >= MODEL_JOINT_LIMIT)
        return zt_fail(m->err, ZT_ERR_LIMIT, "%s: a mesh has %u bones (expected below %u)",
                       m->r->tree.path, joints, MODEL_JOINT_LIMIT);
    ZT_TRY(ARENA_TAKE(m->work, &points, m->mesh.point_count, "weights", m->err));
    joints = 0;
    for (const xfile_object *o = xfile_child(m->object, "SkinWeights"); o; o = xfile_next(o)) {
        if (!weights_fit(o, &count) || xfile_find_node(m->r, o->text[0]) < 0)
            continue;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t point = xfile_count(o, 1 + i, COUNT_MAX, UINT32_MAX);
            ZT_TRY(arena_go_on_at(m->work, i, "weights", m->err));
            if (point < m->mesh.point_count)
                m->r->lost_weights += point_weights_add(&points[point], (uint16_t)joints,
                                                        (float)xfile_number(o, 1 + count + i, 0.0));
        }
        joints++;
    }
    m->joint_count = joints;
    return point_weights_finish(m->work, points, &m->joint_count, &m->mesh, m->err);
}

static zt_result keep_skin(const mesh_reader *m, int32_t own_node, model_skin *out)
{
    arena *keep = m->r->keep;
    int32_t *node;
    mat4 *bind;
    uint32_t joints = 0, count;
    ZT_TRY(ARENA_TAKE(keep, &node, m->joint_count, "a skin", m->err));
    ZT_TRY(ARENA_TAKE_RAW(keep, &bind, m->joint_count, "a skin", m->err));
    for (const xfile_object *o = xfile_child(m->object, "SkinWeights"); o; o = xfile_next(o)) {
        affine bone_from_mesh = affine_identity();
        if (!weights_fit(o, &count) || xfile_find_node(m->r, o->text[0]) < 0)
            continue;
        if (!xfile_matrix(o, 1 + 2 * count, &bone_from_mesh))
            bone_from_mesh = affine_identity();
        bone_from_mesh.t = affine_point(&bone_from_mesh, m->mesh.middle);
        node[joints] = xfile_find_node(m->r, o->text[0]);
        affine_to_floats(&bone_from_mesh, bind[joints++][0]);
    }
    if (joints < m->joint_count) { // the mesh's own node, for points without weights
        const affine identity = affine_identity();
        node[joints] = own_node;
        affine_to_floats(&identity, bind[joints][0]);
    }
    *out = (model_skin){.name = "",
                        .joint_count = m->joint_count,
                        .joint_node = node,
                        .joint_from_bind = (const mat4 *)bind};
    return ZT_OK;
}

// ---- Meshes -------------------------------------------------------------------------------------

static zt_result build(mesh_reader *m, uint32_t number, model_mesh *meshes, model_skin *skins)
{
    xfile_reader *r = m->r;
    mesh_source source;
    uint32_t at = 0;
    m->mesh.name = m->object->name;
    ZT_TRY(read_points(m, &at));
    ZT_TRY(read_faces(m, at));
    ZT_TRY(read_values(m));
    ZT_TRY(read_materials(m));
    ZT_TRY(read_weights(m));
    ZT_TRY(polygon_mesh_build(r->source->pool, m->work, &m->mesh, &source, m->err));
    if (source.triangle_count == 0)
        return ZT_OK;
    if (r->source->tangents || model_wants_tangents(r->materials, r->material_count))
        ZT_TRY(tangents_generate(r->source->pool, m->work, &source, m->err));
    ZT_TRY(ARENA_TEXT(r->keep, &source.name, source.name, "a name", m->err));
    model_mesh *mesh = &meshes[r->model->mesh_count];
    int32_t at_node = r->mesh_node[number];
    if (dvec3_length(source.middle) > 0.0) {
        ZT_TRY(xfile_add_node(r, at_node, source.name, &at_node, m->err));
        model_place_middle(source.middle, &r->nodes[at_node], &r->exact[at_node]);
    }
    model_node *node = &r->nodes[at_node];
    ZT_TRY(mesh_build(r->source->pool, r->keep, m->work, &source, mesh, m->err));
    node->mesh = (int32_t)r->model->mesh_count++;
    if (m->joint_count > 0) {
        node->skin = (int32_t)r->model->skin_count;
        ZT_TRY(keep_skin(m, at_node, &skins[r->model->skin_count++]));
    }
    r->model->triangle_count += mesh->triangle_count;
    r->model->vertex_count += mesh->vertex_count;
    return r->model->triangle_count <= MODEL_TRIANGLE_LIMIT
               ? ZT_OK
               : zt_fail(m->err, ZT_ERR_LIMIT, "%s: more than %u triangles", r->tree.path,
                         MODEL_TRIANGLE_LIMIT);
}

zt_result xfile_make_meshes(xfile_reader *r, zt_error *err)
{
    model_mesh *meshes;
    model_skin *skins;
    ZT_TRY(ARENA_TAKE(r->keep, &meshes, r->mesh_count, "meshes", err));
    ZT_TRY(ARENA_TAKE(r->keep, &skins, r->mesh_count, "skins", err));
    for (uint32_t i = 0; i < r->mesh_count; i++) {
        arena work;
        arena_init(&work, r->scratch->budget);
        mesh_reader m = {.r = r, .object = r->mesh[i], .work = &work, .err = err};
        const zt_result result = build(&m, i, meshes, skins);
        arena_finish(&work);
        ZT_TRY(result);
    }
    r->model->meshes = meshes;
    r->model->skins = skins;
    return ZT_OK;
}
