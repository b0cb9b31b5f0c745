// SPDX-License-Identifier: MIT
/// Proves that every element lies inside its buffer view before anything is read. Every product is
/// taken in 64 bits from numbers whose size was checked first.
/// Reference: glTF 2.0, sections 3.6.2 (accessors) and 3.6.2.3 (sparse accessors).
#include "gltf/gltf_accessor.h"

#include "base/row_find.h"
#include "gltf/gltf_parts.h"
#include "model/model.h"

#include <stdio.h>
#include <string.h>

typedef struct element_type {
    const char *name;
    uint32_t rows, columns;
} element_type;

static const element_type element_types[] = {
    {"SCALAR", 1, 1}, {"VEC2", 2, 1}, {"VEC3", 3, 1}, {"VEC4", 4, 1},
    {"MAT2", 2, 2},   {"MAT3", 3, 3}, {"MAT4", 4, 4},
};

static zt_result read_component(gltf_log *log, const json_pointer *object, gltf_component *out)
{
    int64_t value;
    const json_pointer member = json_member(object, "componentType");
    ZT_TRY(gltf_integer(log, &member, -1, &value));
    if (value < 0)
        return gltf_fail(log, object, ZT_ERR_FORMAT, "has no componentType");
    if (value < GLTF_I8 || value > GLTF_F32 || value == 5124)
        return gltf_fail(log, &member, ZT_ERR_FORMAT,
                         "component type %lld does not exist (expected 5120 to 5123, 5125 or 5126)",
                         (long long)value);
    *out = (gltf_component)value;
    return ZT_OK;
}

static zt_result read_type(gltf_log *log, const json_pointer *object, gltf_elements *e)
{
    const char *name;
    ZT_TRY(gltf_text(log, object, "type", &name));
    if (!name)
        return gltf_fail(log, object, ZT_ERR_FORMAT, "has no type");
    const int32_t i = ROW_FIND(element_types, name);
    if (i >= 0) {
        e->rows = element_types[i].rows;
        e->columns = element_types[i].columns;
        return ZT_OK;
    }
    const json_pointer member = json_member(object, "type");
    return gltf_fail(log, &member, ZT_ERR_FORMAT,
                     "element type '%.40s' does not exist (expected SCALAR, VEC2, VEC3, VEC4, "
                     "MAT2, MAT3 or MAT4)",
                     name);
}

/// Finds `count` elements at `object`'s byteOffset in its bufferView: data, stride. `what`: of it.
static zt_result place_elements(gltf_file *file, const json_pointer *referrer, const char *what,
                                const json_pointer *object, uint32_t count, gltf_elements *e)
{
    const uint32_t column_size = e->rows * gltf_component_size(e->component);
    e->column_stride = e->columns > 1 ? (column_size + 3) & ~3u : column_size;
    const uint32_t size = (e->columns - 1) * e->column_stride + column_size;
    e->stride = (size_t)e->columns * e->column_stride;

    int32_t view;
    int64_t offset, stride;
    file_bytes bytes;
    ZT_TRY(gltf_member_integer(file->log, object, "byteOffset", 0, &offset));
    ZT_TRY(gltf_member_index(file, object, "bufferView", GLTF_VIEWS, &view));
    if (view < 0 || count == 0)
        return ZT_OK;
    ZT_TRY(gltf_view_bytes(file, view, &bytes, &stride));
    if (stride > INT32_MAX)
        return gltf_fail(file->log, referrer, ZT_ERR_FORMAT,
                         "%s: the byteStride %lld is out of range", what, (long long)stride);
    // Some exporters write 0 for tightly packed, as glTF 1.0 did.
    if (stride > 0 && stride < size)
        return gltf_fail(file->log, referrer, ZT_ERR_FORMAT,
                         "%s: elements of %u bytes overlap with a byteStride of %lld", what, size,
                         (long long)stride);
    if (stride > 0)
        e->stride = (size_t)stride;
    // offset <= 2^53, count < 2^32, stride < 2^31: no overflow.
    const uint64_t end = (uint64_t)offset + (uint64_t)(count - 1) * e->stride + size;
    if (end > bytes.size)
        return gltf_fail(file->log, referrer, ZT_ERR_FORMAT,
                         "%s ends at byte %llu, past the end of its buffer view (%zu bytes)", what,
                         (unsigned long long)end, bytes.size);
    e->data = bytes.data + offset;
    return ZT_OK;
}

static zt_result open_sparse(gltf_file *file, const json_pointer *referrer,
                             const json_pointer *object, gltf_accessor *out)
{
    json_pointer sparse, indices, values;
    int64_t count;
    char what[64];
    ZT_TRY(gltf_object(file->log, object, "sparse", &sparse));
    if (!sparse.value)
        return ZT_OK;
    ZT_TRY(gltf_member_integer(file->log, &sparse, "count", 0, &count));
    ZT_TRY(gltf_object(file->log, &sparse, "indices", &indices));
    ZT_TRY(gltf_object(file->log, &sparse, "values", &values));
    if (count > out->count)
        return gltf_fail(file->log, &sparse, ZT_ERR_FORMAT,
                         "replaces %lld elements of an accessor that has %u", (long long)count,
                         out->count);
    if (!json_get(indices.value, "bufferView") || !json_get(values.value, "bufferView"))
        return gltf_fail(file->log, &sparse, ZT_ERR_FORMAT,
                         "has no bufferView for its indices or its values");
    out->sparse_count = (uint32_t)count;
    out->sparse_index.rows = out->sparse_index.columns = 1;
    ZT_TRY(read_component(file->log, &indices, &out->sparse_index.component));
    if (out->sparse_index.component != GLTF_U8 && out->sparse_index.component != GLTF_U16 &&
        out->sparse_index.component != GLTF_U32)
        return gltf_fail(file->log, &indices, ZT_ERR_FORMAT,
                         "sparse indices must be unsigned (component type 5121, 5123 or 5125)");
    snprintf(what, sizeof what, "the sparse indices of accessor %d", out->index);
    ZT_TRY(place_elements(file, referrer, what, &indices, out->sparse_count, &out->sparse_index));
    out->sparse_value = out->base;
    out->sparse_value.data = NULL;
    snprintf(what, sizeof what, "the sparse values of accessor %d", out->index);
    return place_elements(file, referrer, what, &values, out->sparse_count, &out->sparse_value);
}

// Elements without data: without a limit, a small file could ask for gigabytes of zeros.
static const uint64_t zero_element_limit = 16000000;

static zt_result count_zeros(gltf_file *file, const json_pointer *json, const gltf_accessor *a)
{
    file->zero_elements += a->count;
    if (file->zero_elements > zero_element_limit)
        return gltf_fail(file->log, json, ZT_ERR_LIMIT,
                         "accessor %d: more than %llu elements without a bufferView in all",
                         a->index, (unsigned long long)zero_element_limit);
    return ZT_OK;
}

zt_result gltf_accessor_describe(gltf_file *file, const json_pointer *json, int32_t index,
                                 gltf_accessor *out)
{
    json_pointer object;
    int64_t count;
    *out = (gltf_accessor){.index = index};
    ZT_TRY(gltf_list_entry(file, GLTF_ACCESSORS, (size_t)index, &object));
    ZT_TRY(read_component(file->log, &object, &out->base.component));
    ZT_TRY(read_type(file->log, &object, &out->base));
    ZT_TRY(gltf_flag(file->log, &object, "normalized", false, &out->base.normalized));
    ZT_TRY(gltf_member_integer(file->log, &object, "count", -1, &count));
    if (count < 0)
        return gltf_fail(file->log, &object, ZT_ERR_FORMAT, "has no count");
    // More than a mesh of the largest size can refer to; also keeps later products small.
    if (count > 4 * (int64_t)MODEL_TRIANGLE_LIMIT)
        return gltf_fail(file->log, json, ZT_ERR_LIMIT,
                         "accessor %d has %lld elements (at most %lld)", index, (long long)count,
                         4 * (long long)MODEL_TRIANGLE_LIMIT);
    out->count = (uint32_t)count;
    return ZT_OK;
}

zt_result gltf_accessor_open(gltf_file *file, const json_pointer *json, int32_t index,
                             gltf_accessor *out)
{
    json_pointer object;
    char what[32];
    ZT_TRY(gltf_accessor_describe(file, json, index, out));
    ZT_TRY(gltf_list_entry(file, GLTF_ACCESSORS, (size_t)index, &object));
    snprintf(what, sizeof what, "accessor %d", index);
    ZT_TRY(place_elements(file, json, what, &object, out->count, &out->base));
    if (!out->base.data)
        ZT_TRY(count_zeros(file, json, out));
    return open_sparse(file, json, &object, out);
}

// Sparse elements that may be read in all. Every reader of a sparse accessor reads all of them, so
// without a limit many small primitives could make a small file take hours.
static const uint64_t sparse_read_limit = 1000000000;

/// Counts one more reading of the sparse elements of `a`.
static zt_result count_sparse(gltf_file *file, const json_pointer *json, const gltf_accessor *a)
{
    file->sparse_reads += a->sparse_count;
    if (file->sparse_reads > sparse_read_limit)
        return gltf_fail(file->log, json, ZT_ERR_LIMIT,
                         "accessor %d: too many sparse elements in all", a->index);
    return ZT_OK;
}

/// Index of sparse element k, proven to be inside the accessor.
static zt_result sparse_target(gltf_log *log, const json_pointer *json, const gltf_accessor *a,
                               uint32_t k, uint32_t *out)
{
    gltf_convert_uints(&a->sparse_index, k, 1, out);
    if (*out >= a->count)
        return gltf_fail(log, json, ZT_ERR_FORMAT,
                         "accessor %d: sparse index %u is %u (the accessor has %u elements)",
                         a->index, k, *out, a->count);
    return ZT_OK;
}

/// True when none of the numbers is infinite or not a number.
static bool all_finite(const float *out, size_t count, size_t width, size_t stride)
{
    uint32_t largest = 0; // the exponent of neither is below 255
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < width; c++) {
            uint32_t bits;
            memcpy(&bits, &out[i * stride + c], sizeof bits);
            bits &= 0x7f800000u;
            largest = bits > largest ? bits : largest;
        }
    return largest < 0x7f800000u;
}

/// Replaces NaN and infinities by 0; returns how many there were.
static size_t clear_non_finite(float *out, size_t count, size_t width, size_t stride)
{
    size_t cleared = 0;
    if (all_finite(out, count, width, stride))
        return 0;
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < width; c++) {
            uint32_t bits;
            memcpy(&bits, &out[i * stride + c], sizeof bits);
            if ((bits & 0x7f800000u) == 0x7f800000u) {
                out[i * stride + c] = 0.0f;
                cleared++;
            }
        }
    return cleared;
}

/// Where elements of an accessor go.
typedef struct float_loop {
    const gltf_accessor *a;
    uint32_t first;
    float *out;
    size_t stride;
    _Atomic size_t cleared;
} float_loop;

static void convert_range(void *user, size_t at, size_t count)
{
    float_loop *l = user;
    float *out = l->out + at * l->stride;
    gltf_convert_floats(&l->a->base, l->first + at, count, out, l->stride);
    if (l->a->base.component == GLTF_F32 && l->a->sparse_count == 0)
        l->cleared += clear_non_finite(out, count, gltf_width(l->a), l->stride);
}

/// Callers have compared counts already; what they missed would be read from anywhere in memory.
static zt_result check_range(gltf_log *log, const json_pointer *json, const gltf_accessor *a,
                             uint32_t first, uint32_t count)
{
    if (first <= a->count && count <= a->count - first)
        return ZT_OK;
    return gltf_fail(log, json, ZT_ERR_FORMAT,
                     "accessor %d has %u elements (expected at least %llu)", a->index, a->count,
                     (unsigned long long)first + count);
}

zt_result gltf_read_floats(gltf_file *file, const json_pointer *json, const gltf_accessor *a,
                           uint32_t first, uint32_t count, float *out, size_t stride)
{
    ZT_TRY(check_range(file->log, json, a, first, count));
    ZT_TRY(arena_work(file->scratch, count, "accessors", file->log->err));
    float_loop loop = {.a = a, .first = first, .out = out, .stride = stride};
    ZT_TRY(count_sparse(file, json, a));
    ZT_TRY(gltf_run_ranges(file, count, convert_range, &loop));
    for (uint32_t k = 0; k < a->sparse_count; k++) {
        uint32_t target;
        ZT_TRY(sparse_target(file->log, json, a, k, &target));
        if (target >= first && target - first < count)
            gltf_convert_floats(&a->sparse_value, k, 1, out + (target - first) * stride, stride);
    }
    if (a->base.component == GLTF_F32 && a->sparse_count > 0)
        loop.cleared = clear_non_finite(out, count, gltf_width(a), stride);
    const size_t cleared = loop.cleared;
    if (cleared == 0)
        return ZT_OK;
    return gltf_warn(file->log, json, "accessor %d: %zu %s infinite or not a number and become 0",
                     a->index, cleared, cleared == 1 ? "value is" : "values are");
}

typedef struct uint_loop {
    const gltf_accessor *a;
    uint32_t first, *out;
} uint_loop;

static void convert_uint_range(void *user, size_t at, size_t count)
{
    const uint_loop *l = user;
    gltf_convert_uints(&l->a->base, l->first + at, count, l->out + at * gltf_width(l->a));
}

zt_result gltf_read_uints(gltf_file *file, const json_pointer *json, const gltf_accessor *a,
                          uint32_t first, uint32_t count, uint32_t *out)
{
    ZT_TRY(check_range(file->log, json, a, first, count));
    ZT_TRY(arena_work(file->scratch, count, "accessors", file->log->err));
    const size_t width = gltf_width(a);
    if (a->base.component != GLTF_U8 && a->base.component != GLTF_U16 &&
        a->base.component != GLTF_U32)
        return gltf_fail(file->log, json, ZT_ERR_FORMAT,
                         "accessor %d must hold unsigned integers (component type 5121, 5123 or "
                         "5125, here %d)",
                         a->index, (int)a->base.component);
    uint_loop loop = {a, first, out};
    ZT_TRY(count_sparse(file, json, a));
    ZT_TRY(gltf_run_ranges(file, count, convert_uint_range, &loop));
    for (uint32_t k = 0; k < a->sparse_count; k++) {
        uint32_t target;
        ZT_TRY(sparse_target(file->log, json, a, k, &target));
        if (target >= first && target - first < count)
            gltf_convert_uints(&a->sparse_value, k, 1, out + (target - first) * width);
    }
    return ZT_OK;
}

static const gltf_elements *decoded_elements(const gltf_decoded *packed,
                                             const json_pointer *attribute)
{
    for (uint32_t i = 0; packed && i < packed->attribute_count; i++)
        if (strcmp(packed->attribute[i].name, attribute->key) == 0)
            return &packed->attribute[i].elements;
    return NULL;
}

zt_result gltf_open_attribute(gltf_file *file, const gltf_decoded *packed, const json_pointer *json,
                              uint32_t width_min, uint32_t width_max, uint32_t vertex_count,
                              gltf_accessor *out, bool *out_found)
{
    int32_t index;
    ZT_TRY(gltf_index(file, json, GLTF_ACCESSORS, &index));
    *out_found = index >= 0;
    if (index < 0)
        return ZT_OK;
    const gltf_elements *elements = decoded_elements(packed, json);
    if (elements)
        *out = (gltf_accessor){.index = index, .count = packed->vertex_count, .base = *elements};
    else
        ZT_TRY(gltf_accessor_open(file, json, index, out));
    const uint32_t width = gltf_width(out);
    if (out->base.columns != 1 || width < width_min || width > width_max)
        return gltf_fail(file->log, json, ZT_ERR_FORMAT,
                         "accessor %d has elements of %u numbers (expected %u)", index, width,
                         width_max);
    if (out->count < vertex_count)
        return gltf_fail(file->log, json, ZT_ERR_FORMAT,
                         "accessor %d has %u elements, but there are %u vertices", index,
                         out->count, vertex_count);
    if (vertex_count > 0 && out->count > vertex_count)
        return gltf_warn(file->log, json, "accessor %d has %u elements for %u vertices", index,
                         out->count, vertex_count);
    return ZT_OK;
}

static const json_value *entry_of(const json_pointer *array, const json_value *index)
{
    return json_is(index, JSON_KIND_INTEGER) && json_int(index) >= 0
               ? json_at(array->value, (size_t)json_int(index))
               : NULL;
}

bool gltf_accessor_undefined(const gltf_file *file, const json_value *accessor)
{
    const json_value *view =
        entry_of(&file->list[GLTF_VIEWS].json,
                 json_get(entry_of(&file->list[GLTF_ACCESSORS].json, accessor), "bufferView"));
    const json_value *index = json_get(view, "buffer");
    const json_value *buffer = entry_of(&file->list[GLTF_BUFFERS].json, index);
    const json_value *extensions = json_get(view, "extensions");
    return buffer && !json_get(buffer, "uri") && !(file->is_glb && json_int(index) == 0) &&
           !json_get(extensions, "EXT_meshopt_compression") &&
           !json_get(extensions, "KHR_meshopt_compression");
}
