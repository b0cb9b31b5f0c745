// SPDX-License-Identifier: MIT
/// A glTF primitive -> triangles with their attributes, in bind space. Reference: glTF 2.0, 3.7.2.
#include "gltf/gltf_parts.h"
#include "gltf/gltf_triangles.h"
#include "mesh/point_line_mesh.h"
#include "mesh/tangents.h"

#include <math.h>
#include <string.h>

// The records of vertex.h as arrays of floats, for converting straight into them.
enum {
    POSITION_FLOATS = sizeof(vertex_position) / sizeof(float),
    ATTRIBUTE_FLOATS = sizeof(vertex_attributes) / sizeof(float),
    EXTRA_FLOATS = sizeof(vertex_extra) / sizeof(float),
    TANGENT_OFFSET = offsetof(vertex_attributes, tx) / sizeof(float),
    NORMALIZE_BLOCK = 64,
    SECOND_UV_OFFSET = offsetof(vertex_extra, u1) / sizeof(float),
};

// Vertices that a file may ask to read, for each triangle that it may have.
enum { READS_PER_TRIANGLE = 8 };

/// Directions among a mesh's attributes.
typedef struct direction_loop {
    float *direction;
    const float *fallback;
    _Atomic uint32_t lost;
} direction_loop;

/// vec3_normalize() of up to NORMALIZE_BLOCK directions, bit for bit, in steps that vectorise.
static uint32_t normalize_block(float *direction, size_t count, const float fallback[3])
{
    double v[3][NORMALIZE_BLOCK], length[NORMALIZE_BLOCK];
    uint32_t lost = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 3; k++)
            v[k][i] = (double)direction[i * ATTRIBUTE_FLOATS + k];
    for (size_t i = 0; i < count; i++)
        length[i] = sqrt((v[0][i] * v[0][i] + v[1][i] * v[1][i]) + v[2][i] * v[2][i]);
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < count; i++)
            v[k][i] = v[k][i] / length[i];
    for (size_t i = 0; i < count; i++) {
        const bool usable = length[i] > 0.0;
        for (size_t k = 0; k < 3; k++)
            direction[i * ATTRIBUTE_FLOATS + k] = usable ? (float)v[k][i] : fallback[k];
        lost += !usable;
    }
    return lost;
}

static void normalize_range(void *user, size_t first, size_t count)
{
    direction_loop *l = user;
    uint32_t lost = 0;
    for (size_t at = 0; at < count; at += NORMALIZE_BLOCK) {
        const size_t rest = count - at;
        lost += normalize_block(l->direction + (first + at) * ATTRIBUTE_FLOATS,
                                rest < NORMALIZE_BLOCK ? rest : NORMALIZE_BLOCK, l->fallback);
    }
    l->lost += lost;
}

/// Gives directions unit length; those that have none, `*out_lost`, become `fallback`.
static zt_result normalize_directions(const gltf_file *file, float *direction, size_t count,
                                      const float fallback[3], uint32_t *out_lost)
{
    direction_loop loop = {direction, fallback, 0};
    ZT_TRY(gltf_run_ranges(file, count, normalize_range, &loop));
    *out_lost = loop.lost;
    return ZT_OK;
}

static zt_result read_normals(gltf_file *file, const gltf_meshes *meshes,
                              const json_pointer *attributes, uint32_t first, uint32_t file_count,
                              mesh_source *mesh, bool *out_found)
{
    static const float up[3] = {0.0f, 0.0f, 1.0f};
    const json_pointer json = json_member(attributes, "NORMAL");
    gltf_accessor a;
    ZT_TRY(gltf_open_attribute(file, meshes->decoded, &json, 3, 3, file_count, &a, out_found));
    if (!*out_found)
        return ZT_OK;
    float *out = (float *)mesh->attributes;
    ZT_TRY(gltf_read_floats(file, &json, &a, first, mesh->vertex_count, out, ATTRIBUTE_FLOATS));
    uint32_t lost;
    ZT_TRY(normalize_directions(file, out, mesh->vertex_count, up, &lost));
    return lost == 0 ? ZT_OK : gltf_warn(file->log, &json, "%u normals have no length", lost);
}

static void take_handedness(void *user, size_t first, size_t count)
{
    const mesh_source *mesh = user;
    for (size_t i = first; i < first + count; i++)
        mesh->tangent_w[i] = mesh->attributes[i].v < 0.0f ? -1.0f : 1.0f;
}

/// Tangents are read to tx, ty, tz, and their fourth number, the handedness, temporarily to v.
static zt_result read_tangents(gltf_file *file, const gltf_meshes *meshes,
                               const json_pointer *attributes, uint32_t first, uint32_t file_count,
                               mesh_source *mesh, bool *out_found)
{
    static const float right[3] = {1.0f, 0.0f, 0.0f};
    const json_pointer json = json_member(attributes, "TANGENT");
    gltf_accessor a;
    ZT_TRY(gltf_open_attribute(file, meshes->decoded, &json, 4, 4, file_count, &a, out_found));
    float *out = (float *)mesh->attributes + TANGENT_OFFSET;
    if (!*out_found)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE_RAW(meshes->work, &mesh->tangent_w, mesh->vertex_count, "tangents",
                          file->log->err));
    ZT_TRY(gltf_read_floats(file, &json, &a, first, mesh->vertex_count, out, ATTRIBUTE_FLOATS));
    uint32_t lost;
    ZT_TRY(gltf_run_ranges(file, mesh->vertex_count, take_handedness, mesh));
    return normalize_directions(file, out, mesh->vertex_count, right, &lost);
}

static void clear_uv(void *user, size_t first, size_t count)
{
    vertex_attributes *attributes = user;
    for (size_t i = first; i < first + count; i++)
        attributes[i].u = attributes[i].v = 0.0f;
}

typedef struct uv_loop {
    vertex_attributes *attributes;
    const float *uv;
} uv_loop;

static void put_uv(void *user, size_t first, size_t count)
{
    const uv_loop *l = user;
    for (size_t i = first; i < first + count; i++) {
        l->attributes[i].u = l->uv[2 * i];
        l->attributes[i].v = l->uv[2 * i + 1];
    }
}

static zt_result read_uv(gltf_file *file, const gltf_meshes *meshes, const json_pointer *attributes,
                         uint32_t first, uint32_t file_count, const model_material *material,
                         mesh_source *mesh, bool *out_found)
{
    const json_pointer json = json_member(attributes, gltf_uv_names[material->uv_from[0]]);
    gltf_accessor a;
    ZT_TRY(gltf_open_attribute(file, meshes->decoded, &json, 2, 2, file_count, &a, out_found));
    const size_t count = mesh->vertex_count;
    float *uv;
    if (!*out_found) // v may be a handedness
        return gltf_run_ranges(file, count, clear_uv, mesh->attributes);

    ZT_TRY(ARENA_TAKE_RAW(meshes->work, &uv, 2 * count, "texture coordinates", file->log->err));
    ZT_TRY(gltf_read_floats(file, &json, &a, first, mesh->vertex_count, uv, 2));
    return gltf_run_ranges(file, count, put_uv, &(uv_loop){mesh->attributes, uv});
}

/// Whole numbers that the file does not call normalized, which is invalid, mean shares all the
/// same.
static zt_result normalize_color(gltf_file *file, const json_pointer *json, gltf_accessor *a)
{
    if (a->base.component == GLTF_F32 || a->base.normalized)
        return ZT_OK;
    a->base.normalized = a->sparse_value.normalized = true;
    return gltf_warn(file->log, json,
                     "accessor %d: colours in whole numbers without 'normalized' (expected it) are "
                     "read as with it",
                     a->index);
}

/// Colours, and the second texture coordinates when the material wants them.
static zt_result read_extra(gltf_file *file, const gltf_meshes *meshes,
                            const json_pointer *attributes, uint32_t first, uint32_t file_count,
                            const model_material *material, mesh_source *mesh, bool *out_second_uv)
{
    const json_pointer color = json_member(attributes, "COLOR_0");
    const json_pointer uv = json_member(attributes, gltf_uv_names[material->uv_from[1]]);
    gltf_accessor color_accessor, uv_accessor;
    bool has_color;
    ZT_TRY(gltf_open_attribute(file, meshes->decoded, &color, 3, 4, file_count, &color_accessor,
                               &has_color));
    ZT_TRY(gltf_open_attribute(file, meshes->decoded, &uv, 2, 2, file_count, &uv_accessor,
                               out_second_uv));
    if (!has_color && !gltf_uses_second_uv(material))
        return ZT_OK;
    ZT_TRY(ARENA_TAKE(meshes->work, &mesh->extra, mesh->vertex_count, "vertex colours",
                      file->log->err));
    for (size_t i = 0; i < mesh->vertex_count; i++)
        mesh->extra[i] = (vertex_extra){.r = 1.0f, .g = 1.0f, .b = 1.0f, .a = 1.0f};
    float *out = (float *)mesh->extra;
    if (has_color)
        ZT_TRY(normalize_color(file, &color, &color_accessor));
    if (has_color)
        ZT_TRY(gltf_read_floats(file, &color, &color_accessor, first, mesh->vertex_count, out,
                                EXTRA_FLOATS));
    if (*out_second_uv)
        ZT_TRY(gltf_read_floats(file, &uv, &uv_accessor, first, mesh->vertex_count,
                                out + SECOND_UV_OFFSET, EXTRA_FLOATS));
    return ZT_OK;
}

static void swap_uv_sets(mesh_source *mesh)
{
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        vertex_attributes *a = &mesh->attributes[i];
        vertex_extra *e = &mesh->extra[i];
        const float u = a->u, v = a->v;
        a->u = e->u1;
        a->v = e->v1;
        e->u1 = u;
        e->v1 = v;
    }
}

/// Makes tangents along one set of texture coordinates.
static zt_result make_tangents(gltf_log *log, job_pool *pool, arena *work, bool second,
                               mesh_source *mesh)
{
    const uint64_t start = job_clock_ns();
    if (second)
        swap_uv_sets(mesh);
    ZT_TRY(tangents_generate(pool, work, mesh, log->err));
    trace_add(work->budget->trace, "tangents", start, job_clock_ns());
    if (second)
        swap_uv_sets(mesh);
    return ZT_OK;
}

static void begin_attributes(void *user, size_t first, size_t count)
{
    vertex_attributes *attributes = user;
    for (size_t i = first; i < first + count; i++)
        attributes[i] = (vertex_attributes){.tx = 1.0f}; // never read, but a direction
}

/// Everything but positions and triangles. Makes normals and tangents that the file does not have.
static zt_result read_attributes(gltf_file *file, const gltf_meshes *meshes,
                                 const json_pointer *attributes, uint32_t first,
                                 uint32_t file_count, const model_material *material,
                                 gltf_primitive *p)
{
    mesh_source *mesh = &p->mesh;
    memcpy(p->uv_from, material->uv_from, sizeof p->uv_from);
    bool normals, tangents, uv, second_uv;
    ZT_TRY(ARENA_TAKE_RAW(meshes->work, &mesh->attributes, mesh->vertex_count, "vertices",
                          file->log->err));
    ZT_TRY(gltf_run_ranges(file, mesh->vertex_count, begin_attributes, mesh->attributes));
    ZT_TRY(read_normals(file, meshes, attributes, first, file_count, mesh, &normals));
    ZT_TRY(read_tangents(file, meshes, attributes, first, file_count, mesh, &tangents));
    ZT_TRY(read_uv(file, meshes, attributes, first, file_count, material, mesh, &uv));
    ZT_TRY(read_extra(file, meshes, attributes, first, file_count, material, mesh, &second_uv));
    ZT_TRY(
        gltf_read_influences(file, meshes, attributes, first, file_count, mesh, &p->joint_limit));
    if (p->kind != PRIMITIVE_TRIANGLE) // neither normals nor tangents follow from them
        return ZT_OK;
    p->flat = !normals;
    if (p->mode < GLTF_TRIANGLES && !meshes->decoded) {
        const bool points = p->mode == GLTF_POINTS;
        ZT_TRY(gltf_note(file->log, attributes, "%s here",
                         points ? "points become octahedra" : "lines become bars"));
        ZT_TRY(point_line_mesh_build(meshes->work, points, mesh, file->log->err));
    }
    if (!normals)
        ZT_TRY(mesh_source_flatten(meshes->work, mesh, file->log->err));
    const int set = model_tangent_uv_set(material);
    const bool needed = set >= 0 || file->source->tangents;
    const bool has_uv = set == 1 ? second_uv : uv;
    if (needed && has_uv && (!tangents || !normals))
        ZT_TRY(make_tangents(file->log, file->pool, meshes->work, set == 1, mesh));
    return ZT_OK;
}

static void set_ones(void *user, size_t first, size_t count)
{
    vertex_position *position = user;
    for (size_t i = first; i < first + count; i++)
        position[i].one = 1.0f;
}

static zt_result read_positions(gltf_file *file, arena *work, const json_pointer *json,
                                const gltf_accessor *a, uint32_t first, mesh_source *mesh)
{
    ZT_TRY(ARENA_TAKE_RAW(work, &mesh->position, mesh->vertex_count, "vertices", file->log->err));
    ZT_TRY(gltf_read_floats(file, json, a, first, mesh->vertex_count, (float *)mesh->position,
                            POSITION_FLOATS));
    return gltf_run_ranges(file, mesh->vertex_count, set_ones, mesh->position);
}

/// Counts the vertices between the lowest and the highest index of a primitive, all of which are
/// read: many primitives of few triangles may span one long accessor.
static zt_result count_reads(const gltf_file *file, gltf_meshes *meshes, const json_pointer *json,
                             uint32_t range_count)
{
    const uint64_t limit = READS_PER_TRIANGLE * (uint64_t)file->keep->budget->limits->triangles;
    meshes->reads += range_count;
    if (meshes->reads > limit)
        return gltf_fail(file->log, json, ZT_ERR_LIMIT,
                         "the vertices between the lowest and the highest index of each primitive "
                         "are more than %llu in all",
                         (unsigned long long)limit);
    return ZT_OK;
}

/// Remembers the vertices that a primitive uses, for morph targets that are read after splits.
static zt_result note_origin(gltf_log *log, arena *work, const json_pointer *json, uint32_t first,
                             uint32_t file_count, gltf_primitive *out)
{
    json_pointer targets;
    ZT_TRY(gltf_array(log, json, "targets", &targets, &out->target_count));
    out->first = first;
    out->file_count = file_count;
    out->range_count = out->mesh.vertex_count;
    if (out->target_count == 0)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE_RAW(work, &out->mesh.origin, out->range_count, "morph targets", log->err));
    for (uint32_t i = 0; i < out->range_count; i++)
        out->mesh.origin[i] = i;
    return ZT_OK;
}

/// The name of an attribute, or "indices", whose content the file leaves undefined; NULL for none.
static const char *undefined_part(const gltf_file *file, const gltf_meshes *meshes,
                                  const json_pointer *primitive)
{
    const json_value *attributes = json_get(primitive->value, "attributes");
    if (meshes->decoded)
        return NULL;
    if (gltf_accessor_undefined(file, json_get(primitive->value, "indices")))
        return "indices";
    for (uint32_t i = 0; json_is(attributes, JSON_KIND_OBJECT) && i < attributes->count; i++) {
        const json_value *value = attributes->item[i];
        if (value->key[0] != '_' && gltf_accessor_undefined(file, value))
            return value->key;
    }
    return NULL;
}

zt_result gltf_read_primitive(gltf_file *file, const gltf_materials *materials, gltf_meshes *meshes,
                              const json_pointer *json, gltf_primitive *out)
{
    json_pointer attributes;
    gltf_accessor position;
    int32_t material;
    uint32_t first = 0;
    bool skip, found;
    *out = (gltf_primitive){0};
    ZT_TRY(gltf_member_integer(file->log, json, "mode", GLTF_TRIANGLES, &out->mode));
    if (out->mode > GLTF_TRIANGLE_FAN)
        return gltf_fail(file->log, json, ZT_ERR_FORMAT,
                         "mode %lld does not exist (expected 0 to 6)", (long long)out->mode);
    ZT_TRY(gltf_draco_decode(file, meshes, json, &skip));
    if (skip)
        return ZT_OK;
    const char *absent = undefined_part(file, meshes, json);
    if (absent)
        return gltf_unsupported(file->log, json,
                                "is not shown: the data of its %.40s is absent "
                                "(its buffer has neither a uri nor the BIN chunk of a GLB)",
                                absent);
    ZT_TRY(gltf_object(file->log, json, "attributes", &attributes));
    const json_pointer member = json_member(&attributes, "POSITION");
    // The corners of compressed triangles refer to compressed vertices, wherever positions are.
    const uint32_t vertices = meshes->decoded ? meshes->decoded->vertex_count : 0;
    ZT_TRY(gltf_open_attribute(file, meshes->decoded, &member, 3, 3, vertices, &position, &found));
    if (!found)
        return gltf_warn(file->log, json, "has no positions and is not shown");
    ZT_TRY(gltf_primitive_material(file, materials, json, &material));
    out->material = gltf_material_index(materials, material, gltf_primitive_use(file, json->value));
    if (!gltf_draws_triangles(file, json->value))
        out->kind = out->mode == GLTF_POINTS ? PRIMITIVE_POINT : PRIMITIVE_LINE;
    ZT_TRY(gltf_read_triangles(file, meshes, json, position.count, &out->mesh, &first));
    if (out->mesh.triangle_count == 0)
        return gltf_warn(file->log, json, "has no triangles");
    ZT_TRY(count_reads(file, meshes, json, out->mesh.vertex_count));
    ZT_TRY(read_positions(file, meshes->work, &member, &position, first, &out->mesh));
    ZT_TRY(note_origin(file->log, meshes->work, json, first, position.count, out));
    return read_attributes(file, meshes, &attributes, first, position.count,
                           &materials->material[out->material], out);
}
