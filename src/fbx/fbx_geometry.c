// SPDX-License-Identifier: MIT
/// See fbx_geometry.h. A layer maps its values to corners, points, polygons or the whole
/// (MappingInformationType), directly or by indices (ReferenceInformationType).
#include "fbx/fbx_geometry.h"

#include "mesh/far_points.h"

#include <math.h>
#include <string.h>

/// Layers that names are looked for in, at most; the work of a colour.
enum { UV_LAYERS = 64, COLOR_STEPS = 64 };

typedef enum layer_mapping { BY_CORNER, BY_POINT, BY_POLYGON, ALL_SAME, BY_OTHER } layer_mapping;

/// The polygons that are kept, and their places in the file.
typedef struct outline {
    uint32_t *corner, *first;
    uint32_t *file_corner;  ///< [corner_count]
    uint32_t *file_polygon; ///< [polygon_count]
    uint32_t corner_count, polygon_count;
} outline;

typedef struct layer {
    layer_mapping mapping;
    const double *value;
    uint32_t value_count; ///< numbers
    const int32_t *index; ///< NULL: direct
    uint32_t index_count;
} layer;

static bool is_text(const fbx_node *node, const char *text)
{
    return fbx_has_text(node, 0, text, strlen(text));
}

static layer_mapping mapping_of(const fbx_node *element)
{
    const fbx_node *mapping = fbx_child(element, "MappingInformationType");
    return is_text(mapping, "ByPolygonVertex")                             ? BY_CORNER
           : is_text(mapping, "ByVertice") || is_text(mapping, "ByVertex") ? BY_POINT
           : is_text(mapping, "ByPolygon")                                 ? BY_POLYGON
           : is_text(mapping, "AllSame")                                   ? ALL_SAME
                                                                           : BY_OTHER;
}

static zt_result layer_read(const fbx_file *f, const fbx_node *element, const char *values,
                            const char *indices, layer *out, zt_error *err)
{
    const fbx_node *reference = fbx_child(element, "ReferenceInformationType");
    *out = (layer){.mapping = element ? mapping_of(element) : BY_OTHER};
    if (out->mapping == BY_OTHER)
        return ZT_OK;
    ZT_TRY(fbx_doubles(&f->tree, fbx_child(element, values), &out->value, &out->value_count, err));
    if (indices && (is_text(reference, "IndexToDirect") || is_text(reference, "Index")))
        ZT_TRY(
            fbx_ints(&f->tree, fbx_child(element, indices), &out->index, &out->index_count, err));
    if (out->index_count == 0)
        out->index = NULL;
    return ZT_OK;
}

/// The entry of a layer at a kept corner; -1: it has none.
static int64_t layer_entry(const layer *l, const outline *o, uint32_t corner, uint32_t polygon)
{
    const uint32_t key = l->mapping == BY_CORNER    ? o->file_corner[corner]
                         : l->mapping == BY_POINT   ? o->corner[corner]
                         : l->mapping == BY_POLYGON ? o->file_polygon[polygon]
                                                    : 0;
    if (!l->index)
        return key;
    return key < l->index_count ? l->index[key] : -1;
}

/// `width` numbers of each corner -> out[corner * stride]; zeros where there are none.
static void layer_expand(const layer *l, const outline *o, uint32_t width, float *out)
{
    for (uint32_t p = 0; p < o->polygon_count; p++)
        for (uint32_t c = o->first[p]; c < o->first[p + 1]; c++) {
            const int64_t entry = layer_entry(l, o, c, p);
            const bool there = entry >= 0 && (entry + 1) * width <= (int64_t)l->value_count;
            for (uint32_t k = 0; k < width; k++) {
                const double value = there ? l->value[entry * width + k] : 0.0;
                out[(size_t)c * width + k] = fabs(value) < 1e30 ? (float)value : 0.0f;
            }
        }
}

// ---- Polygons -----------------------------------------------------------------------------------

static zt_result read_points(fbx_file *f, fbx_geometry *g, zt_error *err)
{
    const double *v;
    uint32_t count;
    vertex_position *point;
    ZT_TRY(fbx_doubles(&f->tree, fbx_child(g->node, "Vertices"), &v, &count, err));
    count /= 3;
    ZT_TRY(ARENA_TAKE_RAW(f->scratch, &point, count, "vertices", err));
    far_points_load(v, count, point, f->source->at_origin ? &f->middle : NULL);
    g->polygons.middle = f->middle;
    g->polygons.point = point;
    g->polygons.point_count = count;
    return ZT_OK;
}

static bool is_hole(const layer *holes, uint32_t polygon)
{
    return holes->mapping == BY_POLYGON && polygon < holes->value_count &&
           holes->value[polygon] != 0.0;
}

/// The last corner of a polygon is stored as its complement.
static zt_result read_outline(fbx_file *f, fbx_geometry *g, outline *o, zt_error *err)
{
    const int32_t *index;
    uint32_t count, file_polygon = 0, begin = 0;
    layer holes;
    bool good = true;
    ZT_TRY(layer_read(f, fbx_child(g->node, "LayerElementHole"), "Hole", NULL, &holes, err));
    ZT_TRY(fbx_ints(&f->tree, fbx_child(g->node, "PolygonVertexIndex"), &index, &count, err));
    ZT_TRY(ARENA_TAKE_RAW(f->scratch, &o->corner, count, "polygons", err));
    ZT_TRY(ARENA_TAKE_RAW(f->scratch, &o->file_corner, count, "polygons", err));
    ZT_TRY(ARENA_TAKE_RAW(f->scratch, &o->first, (size_t)count + 1, "polygons", err));
    ZT_TRY(ARENA_TAKE_RAW(f->scratch, &o->file_polygon, count, "polygons", err));
    o->first[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        const bool last = index[i] < 0;
        const uint32_t point = (uint32_t)(last ? ~index[i] : index[i]);
        good = good && point < g->polygons.point_count && !isnan(g->polygons.point[point].x);
        o->corner[o->corner_count] = point;
        o->file_corner[o->corner_count++] = i;
        if (!last)
            continue;
        if (!good || is_hole(&holes, file_polygon)) {
            g->lost += !good;
            o->corner_count = begin;
        } else {
            o->file_polygon[o->polygon_count++] = file_polygon;
            o->first[o->polygon_count] = begin = o->corner_count;
        }
        file_polygon++;
        good = true;
    }
    g->polygons.corner_count = begin;
    g->polygons.corner = o->corner;
    g->polygons.first = o->first;
    g->polygons.polygon_count = o->polygon_count;
    return ZT_OK;
}

// ---- Layers -------------------------------------------------------------------------------------

static zt_result expand(fbx_file *f, const layer *l, const outline *o, uint32_t width, float **out,
                        zt_error *err)
{
    if (!*out)
        ZT_TRY(ARENA_TAKE_RAW(f->scratch, out, (size_t)o->corner_count * width, "a layer", err));
    layer_expand(l, o, width, *out);
    return arena_work(f->scratch, width * (uint64_t)o->corner_count, "a layer", err);
}

static zt_result read_normals(fbx_file *f, fbx_geometry *g, const outline *o, zt_error *err)
{
    layer l;
    float *normal = NULL;
    ZT_TRY(layer_read(f, fbx_child(g->node, "LayerElementNormal"), "Normals", "NormalsIndex", &l,
                      err));
    if (l.value_count < 3)
        return ZT_OK;
    ZT_TRY(expand(f, &l, o, 3, &normal, err));
    for (uint32_t c = 0; c < o->corner_count; c++)
        if (!vec3_normalize(normal + 3 * (size_t)c))
            memset(normal + 3 * (size_t)c, 0, 3 * sizeof *normal);
    g->polygons.normal = normal;
    return ZT_OK;
}

static zt_result read_uv(fbx_file *f, const fbx_node *element, const outline *o, const float **out,
                         zt_error *err)
{
    layer l;
    float *uv = NULL;
    ZT_TRY(layer_read(f, element, "UV", "UVIndex", &l, err));
    if (l.value_count < 2)
        return ZT_OK;
    ZT_TRY(expand(f, &l, o, 2, &uv, err));
    for (uint32_t c = 0; c < o->corner_count; c++)
        uv[2 * (size_t)c + 1] = 1.0f - uv[2 * (size_t)c + 1];
    *out = uv;
    return ZT_OK;
}

/// The layer of a geometry's set `number` for a material, among the first `count`. A name
/// that no layer has is the first.
static uint32_t uv_layer(const fbx_file *f, const fbx_node *const *element, uint32_t count,
                         uint32_t material, uint32_t number)
{
    const fbx_value *wanted = f->uv_names[material][number];
    for (uint32_t i = 0; wanted && wanted->count > 0 && i < count; i++) {
        arena_count(f->scratch, 1 + wanted->count / 16);
        if (fbx_has_text(fbx_child(element[i], "Name"), 0, wanted->bytes, wanted->count))
            return i;
    }
    return wanted ? 0 : number;
}

/// Each polygon has the layer that its material's maps name.
static zt_result read_uv_set(fbx_file *f, const fbx_geometry *g, const outline *o,
                             const uint32_t *slots, uint32_t slot_count, uint32_t number,
                             const float **out, zt_error *err)
{
    const fbx_node *element[UV_LAYERS], *at = fbx_child(g->node, "LayerElementUV");
    uint32_t *of_slot, count = 0;
    bool used[UV_LAYERS + 1] = {false};
    float *uv;
    for (; at && count < UV_LAYERS; at = fbx_next(g->node, at))
        element[count++] = at;
    if (count == 0)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE_RAW(f->scratch, &of_slot, (size_t)slot_count + 1, "a layer", err));
    ZT_TRY(ARENA_TAKE(f->scratch, &uv, 2 * (size_t)o->corner_count, "a layer", err));
    for (uint32_t i = 0; i <= slot_count; i++) {
        const uint32_t material = i < slot_count ? slots[i] : (uint32_t)f->plain_material;
        ZT_TRY(arena_work(f->scratch, 1, "a layer", err));
        of_slot[i] = uv_layer(f, element, count, material, number);
        used[of_slot[i]] = true;
    }
    for (uint32_t k = 0; k < count; k++) {
        const float *own = NULL;
        if (used[k])
            ZT_TRY(read_uv(f, element[k], o, &own, err));
        for (uint32_t p = 0; own && p < o->polygon_count; p++) {
            const size_t first = 2 * (size_t)o->first[p], end = 2 * (size_t)o->first[p + 1];
            if (of_slot[g->slot[p] < slot_count ? g->slot[p] : slot_count] == k)
                memcpy(uv + first, own + first, (end - first) * sizeof *uv);
        }
        *out = own ? uv : *out;
    }
    return ZT_OK;
}

/// sRGB, as Blender writes them. Colours that are black everywhere are a set that nobody has
/// filled.
static zt_result read_colors(fbx_file *f, fbx_geometry *g, const outline *o, zt_error *err)
{
    const fbx_node *element = fbx_child(g->node, "LayerElementColor");
    float *color = NULL;
    for (; element && !g->polygons.color; element = fbx_next(g->node, element)) {
        layer l;
        ZT_TRY(layer_read(f, element, "Colors", "ColorIndex", &l, err));
        if (l.value_count < 4)
            continue;
        ZT_TRY(expand(f, &l, o, 4, &color, err));
        ZT_TRY(arena_work(f->scratch, COLOR_STEPS * (uint64_t)o->corner_count, "a layer", err));
        for (size_t c = 0; c < 4 * (size_t)o->corner_count; c++) {
            if (c % 4 == 3)
                continue;
            color[c] = (float)srgb_decode((double)color[c]);
            if (color[c] > 0.0f)
                g->polygons.color = color;
        }
    }
    return ZT_OK;
}

/// A number for each polygon that is kept.
static zt_result read_polygon_numbers(fbx_file *f, const layer *l, const outline *o, uint32_t **out,
                                      zt_error *err)
{
    ZT_TRY(ARENA_TAKE_RAW(f->scratch, out, o->polygon_count, "a layer", err));
    for (uint32_t p = 0; p < o->polygon_count; p++) {
        const uint32_t key = l->mapping == BY_POLYGON ? o->file_polygon[p] : 0;
        const double value = key < l->value_count ? l->value[key] : 0.0;
        (*out)[p] = value >= 0.0 && value < 4294967295.0 ? (uint32_t)value : 0;
    }
    return ZT_OK;
}

/// Groups whose edges are smooth; what is in none has a number of its own.
static zt_result read_smoothing(fbx_file *f, fbx_geometry *g, const outline *o, zt_error *err)
{
    layer l;
    uint32_t *part;
    ZT_TRY(layer_read(f, fbx_child(g->node, "LayerElementSmoothing"), "Smoothing", NULL, &l, err));
    if (l.mapping != BY_POLYGON || l.value_count == 0)
        return ZT_OK;
    ZT_TRY(read_polygon_numbers(f, &l, o, &part, err));
    for (uint32_t p = 0; p < o->polygon_count; p++)
        part[p] = part[p] ? part[p] : UINT32_MAX - p;
    g->polygons.part = part;
    return ZT_OK;
}

static zt_result read_slots(fbx_file *f, fbx_geometry *g, const outline *o, zt_error *err)
{
    layer l;
    ZT_TRY(layer_read(f, fbx_child(g->node, "LayerElementMaterial"), "Materials", NULL, &l, err));
    ZT_TRY(read_polygon_numbers(f, &l, o, &g->slot, err));
    g->polygons.material = g->slot;
    return ZT_OK;
}

zt_result fbx_geometry_read(fbx_file *f, int32_t object, const uint32_t *slots, uint32_t slot_count,
                            fbx_geometry *out, zt_error *err)
{
    outline o = {0};
    *out = (fbx_geometry){.object = object, .node = f->scene.object[object].node};
    out->polygons.name = f->scene.object[object].name;
    ZT_TRY(read_points(f, out, err));
    ZT_TRY(read_outline(f, out, &o, err));
    ZT_TRY(read_normals(f, out, &o, err));
    ZT_TRY(read_slots(f, out, &o, err));
    ZT_TRY(read_uv_set(f, out, &o, slots, slot_count, 0, &out->polygons.uv, err));
    ZT_TRY(read_uv_set(f, out, &o, slots, slot_count, 1, &out->polygons.uv1, err));
    ZT_TRY(read_colors(f, out, &o, err));
    return read_smoothing(f, out, &o, err);
}
