// SPDX-License-Identifier: MIT
/// See ply_mesh.h. Elements may come in any order, so that vertices of polygons are checked later.
#include "ply/ply_mesh.h"

#include "base/row_find.h"
#include "image/picture.h"

#include <float.h>
#include <math.h>
#include <string.h>

/// The values that are read of a vertex or of a polygon.
typedef enum slot {
    SLOT_X,
    SLOT_Y,
    SLOT_Z,
    SLOT_NX,
    SLOT_NY,
    SLOT_NZ,
    SLOT_U,
    SLOT_V,
    SLOT_RED,
    SLOT_GREEN,
    SLOT_BLUE,
    SLOT_ALPHA,
    SLOT_TEXTURE,
    SLOT_COUNT,
    SLOT_NONE
} slot;

static const struct {
    const char *name;
    slot slot;
} names[] = {
    {"x", SLOT_X},
    {"y", SLOT_Y},
    {"z", SLOT_Z},
    {"nx", SLOT_NX},
    {"ny", SLOT_NY},
    {"nz", SLOT_NZ},
    {"normal_x", SLOT_NX},
    {"normal_y", SLOT_NY},
    {"normal_z", SLOT_NZ},
    {"u", SLOT_U},
    {"v", SLOT_V},
    {"s", SLOT_U},
    {"t", SLOT_V},
    {"texture_u", SLOT_U},
    {"texture_v", SLOT_V},
    {"red", SLOT_RED},
    {"green", SLOT_GREEN},
    {"blue", SLOT_BLUE},
    {"alpha", SLOT_ALPHA},
    {"r", SLOT_RED},
    {"g", SLOT_GREEN},
    {"b", SLOT_BLUE},
    {"a", SLOT_ALPHA},
    {"diffuse_red", SLOT_RED},
    {"diffuse_green", SLOT_GREEN},
    {"diffuse_blue", SLOT_BLUE},
    {"diffuse_alpha", SLOT_ALPHA},
    {"texnumber", SLOT_TEXTURE},
};

static slot slot_of(const ply_property *p)
{
    const int32_t i = p->is_list ? -1 : ROW_FIND(names, p->name);
    return i >= 0 ? names[i].slot : SLOT_NONE;
}

/// Which values an element has, and what colours they are parts of.
typedef struct slots {
    slot slot[PLY_PROPERTIES_MAX];
    double one[SLOT_COUNT]; ///< of a colour
    bool has[SLOT_COUNT];
} slots;

static void find_slots(const ply_element *element, slots *out)
{
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < element->property_count; i++) {
        const slot s = slot_of(&element->properties[i]);
        const bool first = s != SLOT_NONE && !out->has[s];
        out->slot[i] = first ? s : SLOT_NONE;
        if (!first)
            continue;
        out->has[s] = true;
        out->one[s] = ply_type_one(element->properties[i].type);
    }
}

static bool has_all(const slots *s, slot first, int count)
{
    bool all = true;
    for (int i = 0; i < count; i++)
        all = all && s->has[(int)first + i];
    return all;
}

static float finite_or(double value, float other)
{
    return value >= -(double)FLT_MAX && value <= (double)FLT_MAX ? (float)value : other;
}

/// A part of a colour, 0 to 1.
static double part_of(const double value[SLOT_COUNT], const slots *s, slot at)
{
    const double part = value[at] / s->one[at];
    return part >= 0.0 ? part <= 1.0 ? part : 1.0 : 0.0;
}

static void set_vertex(ply_mesh *m, uint32_t v, const slots *s, const double value[SLOT_COUNT])
{
    memcpy(m->place[v], &value[SLOT_X], sizeof *m->place);
    m->attributes[v] = (vertex_attributes){.nx = finite_or(value[SLOT_NX], 0.0f),
                                           .ny = finite_or(value[SLOT_NY], 0.0f),
                                           .nz = finite_or(value[SLOT_NZ], 0.0f),
                                           .u = finite_or(value[SLOT_U], 0.0f),
                                           .v = 1.0f - finite_or(value[SLOT_V], 0.0f)};
    if (!m->extra)
        return;
    m->extra[v] =
        (vertex_extra){.r = (float)srgb_decode(part_of(value, s, SLOT_RED)),
                       .g = (float)srgb_decode(part_of(value, s, SLOT_GREEN)),
                       .b = (float)srgb_decode(part_of(value, s, SLOT_BLUE)),
                       .a = s->has[SLOT_ALPHA] ? (float)part_of(value, s, SLOT_ALPHA) : 1.0f};
}

/// The largest number of vertices: each may be a point, which is a triangle.
static zt_result check_count(const ply_values *v, const ply_element *element, int32_t limit)
{
    ZT_TRY(ply_check_room(v, element));
    if (element->count > 3 * (uint64_t)limit)
        return zt_fail(v->text.err, ZT_ERR_LIMIT, "%s: %llu of '%.40s' (at most %llu)",
                       v->text.path, (unsigned long long)element->count, element->name,
                       3 * (unsigned long long)limit);
    return ZT_OK;
}

static zt_result read_vertices(ply_values *v, const ply_element *element, ply_mesh *m)
{
    slots s;
    find_slots(element, &s);
    if (!has_all(&s, SLOT_X, 3))
        return zt_fail(v->text.err, ZT_ERR_FORMAT, "%s: vertices have no x, y and z", v->text.path);
    ZT_TRY(check_count(v, element, m->limits->triangles));
    m->vertex_count = (uint32_t)element->count;
    m->has_normals = has_all(&s, SLOT_NX, 3);
    m->has_uv = has_all(&s, SLOT_U, 2);
    ZT_TRY(ARENA_TAKE_RAW(m->a, &m->place, element->count, "vertices", v->text.err));
    ZT_TRY(ARENA_TAKE_RAW(m->a, &m->attributes, element->count, "vertices", v->text.err));
    if (has_all(&s, SLOT_RED, 3))
        ZT_TRY(ARENA_TAKE_RAW(m->a, &m->extra, element->count, "vertices", v->text.err));
    for (uint32_t i = 0; i < m->vertex_count; i++) {
        double value[SLOT_COUNT] = {0.0}, unused;
        ZT_TRY(arena_go_on_at(m->a, i, "vertices", v->text.err));
        ZT_TRY(ply_begin_instance(v, element));
        for (uint32_t k = 0; k < element->property_count; k++) {
            const ply_property *p = &element->properties[k];
            if (p->is_list)
                ZT_TRY(ply_skip(v, p));
            else
                ZT_TRY(ply_read(v, p->type, s.slot[k] != SLOT_NONE ? &value[s.slot[k]] : &unused));
        }
        ply_end_instance(v);
        set_vertex(m, i, &s, value);
    }
    return ZT_OK;
}

/// A copy of an array with room for `capacity`.
static zt_result grow(arena *a, void **array, size_t size, uint32_t used, uint32_t capacity,
                      zt_error *err)
{
    void *larger = arena_alloc_raw(a, capacity, size);
    if (!larger)
        return arena_fail(a, err, "polygons");
    if (used > 0)
        memcpy(larger, *array, used * size);
    *array = larger;
    return ZT_OK;
}

static zt_result reserve_corners(ply_mesh *m, uint64_t count, bool has_uv, zt_error *err)
{
    const uint64_t wanted = m->corner_count + count, most = 3 * (uint64_t)m->limits->triangles;
    void *corner = m->corner, *uv = m->corner_uv;
    if (wanted > most)
        return zt_fail(err, ZT_ERR_LIMIT, "polygons have more than %llu corners",
                       (unsigned long long)most);
    if (wanted <= m->corner_capacity)
        return ZT_OK;
    const uint64_t capacity = 2 * wanted < most ? 2 * wanted : most;
    ZT_TRY(grow(m->a, &corner, sizeof *m->corner, m->corner_count, (uint32_t)capacity, err));
    if (has_uv)
        ZT_TRY(grow(m->a, &uv, sizeof *m->corner_uv, m->corner_count, (uint32_t)capacity, err));
    m->corner = corner;
    m->corner_uv = uv;
    m->corner_capacity = (uint32_t)capacity;
    return ZT_OK;
}

static zt_result add_polygon(ply_mesh *m, uint32_t size, zt_error *err)
{
    ZT_TRY(ARENA_GROW(m->a, m->size, m->polygon_count, m->polygon_capacity, "polygons", err));
    m->size[m->polygon_count++] = size;
    return ZT_OK;
}

/// A vertex of a polygon; UINT32_MAX, which none is, for a number that cannot be one.
static zt_result read_index(ply_values *v, ply_type type, uint32_t *out)
{
    double value;
    ZT_TRY(ply_read(v, type, &value));
    *out = value >= 0.0 && value < (double)UINT32_MAX && value == floor(value) ? (uint32_t)value
                                                                               : UINT32_MAX;
    return ZT_OK;
}

static bool is_index_list(const ply_property *p)
{
    return p->is_list &&
           (strcmp(p->name, "vertex_indices") == 0 || strcmp(p->name, "vertex_index") == 0 ||
            strcmp(p->name, "vertex_indicies") == 0);
}

static zt_result read_corners(ply_values *v, const ply_property *p, bool has_uv, ply_mesh *m)
{
    uint32_t count;
    ZT_TRY(ply_read_length(v, p, &count));
    ZT_TRY(reserve_corners(m, count, has_uv, v->text.err));
    if (has_uv && count > 0)
        memset(m->corner_uv + m->corner_count, 0, count * sizeof *m->corner_uv);
    for (uint32_t i = 0; i < count; i++)
        ZT_TRY(read_index(v, p->type, &m->corner[m->corner_count + i]));
    m->corner_count += count;
    return add_polygon(m, count, v->text.err);
}

/// Two values for each corner of the last polygon; a list of another length is not read.
static zt_result read_corner_uv(ply_values *v, const ply_property *p, uint32_t first, ply_mesh *m)
{
    uint32_t count;
    ZT_TRY(ply_read_length(v, p, &count));
    for (uint32_t i = 0; i < count; i++) {
        double value;
        ZT_TRY(ply_read(v, p->type, &value));
        if (count == 2 * (m->corner_count - first))
            m->corner_uv[first + i / 2][i % 2] =
                i % 2 ? 1.0f - finite_or(value, 0.0f) : finite_or(value, 0.0f);
    }
    return ZT_OK;
}

static uint32_t pack_color(const double value[SLOT_COUNT], const slots *s)
{
    uint32_t out = s->has[SLOT_ALPHA]
                       ? (uint32_t)(part_of(value, s, SLOT_ALPHA) * 255.0 + 0.5) << 24
                       : 0xff000000u;
    for (int k = 0; k < 3; k++)
        out |= (uint32_t)(part_of(value, s, (slot)(SLOT_RED + k)) * 255.0 + 0.5) << (8 * k);
    return out;
}

typedef struct face_layout {
    slots s;
    int32_t indices, uv; ///< properties; -1: none
    bool has_color;
} face_layout;

static zt_result read_face(ply_values *v, const ply_element *element, const face_layout *l,
                           ply_mesh *m)
{
    double value[SLOT_COUNT] = {0.0}, unused;
    const uint32_t first = m->corner_count;
    for (uint32_t k = 0; k < element->property_count; k++) {
        const ply_property *p = &element->properties[k];
        if ((int32_t)k == l->indices)
            ZT_TRY(read_corners(v, p, l->uv >= 0, m));
        else if ((int32_t)k == l->uv)
            ZT_TRY(read_corner_uv(v, p, first, m));
        else if (p->is_list)
            ZT_TRY(ply_skip(v, p));
        else
            ZT_TRY(
                ply_read(v, p->type, l->s.slot[k] != SLOT_NONE ? &value[l->s.slot[k]] : &unused));
    }
    if (m->color)
        m->color[m->polygon_count - 1] = pack_color(value, &l->s);
    if (m->texture)
        m->texture[m->polygon_count - 1] =
            value[SLOT_TEXTURE] >= 0.0 && value[SLOT_TEXTURE] < (double)m->texture_count
                ? (uint32_t)value[SLOT_TEXTURE]
                : m->texture_count;
    return ZT_OK;
}

static zt_result read_faces(ply_values *v, const ply_element *element, ply_mesh *m)
{
    face_layout l = {.indices = -1, .uv = ply_find(element, "texcoord")};
    find_slots(element, &l.s);
    for (uint32_t k = 0; k < element->property_count && l.indices < 0; k++)
        if (is_index_list(&element->properties[k]))
            l.indices = (int32_t)k;
    if (l.indices < 0 || m->polygon_count > 0)
        return ply_skip_element(v, element, m->a);
    if (l.uv >= 0 && (!element->properties[l.uv].is_list || l.uv < l.indices))
        l.uv = -1;
    ZT_TRY(check_count(v, element, m->limits->triangles));
    m->polygon_capacity = (uint32_t)element->count;
    m->color = m->texture = NULL; // of an element without faces before
    ZT_TRY(ARENA_TAKE_RAW(m->a, &m->size, element->count, "polygons", v->text.err));
    if (has_all(&l.s, SLOT_RED, 3))
        ZT_TRY(ARENA_TAKE_RAW(m->a, &m->color, element->count, "polygons", v->text.err));
    if (l.s.has[SLOT_TEXTURE] && m->texture_count > 0)
        ZT_TRY(ARENA_TAKE_RAW(m->a, &m->texture, element->count, "polygons", v->text.err));
    for (uint64_t i = 0; i < element->count; i++) {
        ZT_TRY(arena_go_on_at(m->a, i, "polygons", v->text.err));
        ZT_TRY(ply_begin_instance(v, element));
        ZT_TRY(read_face(v, element, &l, m));
        ply_end_instance(v);
    }
    return ZT_OK;
}

/// The triangles of a strip; -1 begins another strip in it.
static zt_result read_strip(ply_values *v, const ply_property *p, ply_mesh *m)
{
    uint32_t count, last[2] = {0, 0}, length = 0;
    ZT_TRY(ply_read_length(v, p, &count));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index;
        ZT_TRY(arena_go_on_at(m->a, i, "polygons", v->text.err));
        ZT_TRY(read_index(v, p->type, &index));
        length = index == UINT32_MAX ? 0 : length + 1;
        if (length > 2) {
            const uint32_t is_even = length % 2 == 0;
            ZT_TRY(reserve_corners(m, 3, false, v->text.err));
            uint32_t *to = m->corner + m->corner_count;
            to[0] = last[is_even];
            to[1] = last[!is_even];
            to[2] = index;
            m->corner_count += 3;
            ZT_TRY(add_polygon(m, 3, v->text.err));
        }
        last[0] = last[1];
        last[1] = index;
    }
    return ZT_OK;
}

static zt_result read_strips(ply_values *v, const ply_element *element, ply_mesh *m)
{
    if (element->property_count == 0)
        return ZT_OK;
    for (uint64_t i = 0; i < element->count; i++) {
        ZT_TRY(ply_begin_instance(v, element));
        for (uint32_t k = 0; k < element->property_count; k++) {
            const ply_property *p = &element->properties[k];
            ZT_TRY(is_index_list(p) && !m->color && !m->texture && !m->corner_uv
                       ? read_strip(v, p, m)
                       : ply_skip(v, p));
        }
        ply_end_instance(v);
    }
    return ZT_OK;
}

zt_result ply_mesh_read(const char *path, file_bytes bytes, const ply_header *header, ply_mesh *out,
                        zt_error *err)
{
    const char *begin = (const char *)bytes.data;
    ply_values v = {.text = {path, begin, begin + header->size, begin + bytes.size, err},
                    .encoding = header->encoding};
    out->texture_count = header->texture_count;
    for (uint32_t i = 0; i < header->element_count; i++) {
        const ply_element *element = &header->elements[i];
        const bool is_vertex = strcmp(element->name, "vertex") == 0 && !out->place;
        if (is_vertex)
            ZT_TRY(read_vertices(&v, element, out));
        else if (strcmp(element->name, "face") == 0)
            ZT_TRY(read_faces(&v, element, out));
        else if (strcmp(element->name, "tristrips") == 0)
            ZT_TRY(read_strips(&v, element, out));
        else
            ZT_TRY(ply_skip_element(&v, element, out->a));
    }
    out->long_lines = v.long_lines;
    return ZT_OK;
}
