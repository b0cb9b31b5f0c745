// SPDX-License-Identifier: MIT
/// KHR_draco_mesh_compression: a primitive's Draco stream is decoded to elements in memory in place
/// of its accessors. Dequantisation is done here, not in the library, to round alike everywhere.
/// Reference: Draco bitstream specification 2.2, "Dequantize" and "Octahedral" transforms.

#include "gltf/gltf_parts.h"
#ifdef ZT_DRACO
#include "mesh/draco_stream.h"
#endif

#include <math.h>
#include <string.h>

#ifdef ZT_DRACO

/// minimum[c] + q * range / (2^bits - 1), in place: the floats replace the integers.
static void dequantize(const draco_attribute *a, uint32_t count, float *value)
{
    const float step = a->range / (float)(int32_t)((1u << a->bits) - 1u);
    for (size_t i = 0; i < count; i++)
        for (uint32_t c = 0; c < a->components; c++) {
            float *at = &value[i * a->components + c];
            int32_t q;
            memcpy(&q, at, sizeof q);
            *at = (float)q * step + a->minimum[c];
        }
}

/// Unit vectors from points of the unfolded octahedron. `in` holds two integers in [0, 2^bits - 2]
/// each; s is along y, t is along z, and |x| = 1 - |y| - |z|.
static void unfold(uint32_t bits, uint32_t count, const int32_t *in, float *out)
{
    const float scale = 2.0f / (float)(int32_t)((1u << bits) - 2u);
    for (size_t i = 0; i < count; i++) {
        float y = (float)in[2 * i] * scale - 1.0f;
        float z = (float)in[2 * i + 1] * scale - 1.0f;
        const float x = 1.0f - fabsf(y) - fabsf(z);
        const float back = x < 0.0f ? -x : 0.0f;
        y += y < 0.0f ? back : -back;
        z += z < 0.0f ? back : -back;
        float unit[3] = {x, y, z};
        if (!vec3_normalize(unit))
            memcpy(unit, (float[3]){1.0f, 0.0f, 0.0f}, sizeof unit);
        memcpy(out + 3 * i, unit, sizeof unit);
    }
}

/// Integers become the component type of their accessor, in place: little-endian, the lower bytes.
/// The first one needs no move, and no other overlaps its target.
static void narrow(int32_t *value, size_t count, uint32_t size)
{
    for (size_t i = 1; i < count; i++)
        memcpy((uint8_t *)value + i * size, &value[i], size);
}

static zt_result describe_mismatch(gltf_log *log, const json_pointer *json, const char *what)
{
    return gltf_fail(log, json, ZT_ERR_FORMAT, "the Draco data has no %s attribute of this id",
                     what);
}

/// Integers as they are. `shape` has the type of the accessor.
static zt_result read_integers(gltf_log *log, arena *work, const json_pointer *json,
                               const draco_stream *stream, uint32_t id, const draco_attribute *a,
                               gltf_elements *shape)
{
    const size_t count = (size_t)draco_stream_points(stream) * a->components;
    int32_t *value;
    ZT_TRY(ARENA_TAKE_RAW(work, &value, count, "Draco data", log->err));
    if (!draco_stream_integers(stream, id, value))
        return describe_mismatch(log, json, "readable");
    shape->data = (const uint8_t *)value;
    if (shape->component == GLTF_F32) {
        for (size_t i = 0; i < count; i++) {
            const float number = (float)value[i];
            memcpy(&value[i], &number, sizeof number);
        }
        return ZT_OK;
    }
    const uint32_t size = gltf_component_size(shape->component);
    if (size < sizeof *value)
        narrow(value, count, size);
    return ZT_OK;
}

static zt_result read_floats(gltf_log *log, arena *work, const json_pointer *json,
                             const draco_stream *stream, uint32_t id, const draco_attribute *a,
                             gltf_elements *shape)
{
    const uint32_t points = draco_stream_points(stream);
    const uint32_t width = a->form == DRACO_OCTAHEDRAL ? 3 : a->components;
    float *value;
    ZT_TRY(ARENA_TAKE_RAW(work, &value, (size_t)points * width, "Draco data", log->err));
    shape->data = (const uint8_t *)value;
    shape->component = GLTF_F32;
    shape->normalized = false;
    bool read = false;
    if (a->form == DRACO_FLOATS) {
        read = draco_stream_floats(stream, id, value);
    } else if (a->form == DRACO_QUANTIZED) {
        read = draco_stream_integers(stream, id, (int32_t *)(void *)value);
        if (read)
            dequantize(a, points, value);
    } else {
        int32_t *folded;
        ZT_TRY(ARENA_TAKE_RAW(work, &folded, (size_t)points * 2, "Draco data", log->err));
        read = draco_stream_integers(stream, id, folded);
        if (read)
            unfold(a->bits, points, folded, value);
    }
    return read ? ZT_OK : describe_mismatch(log, json, "readable");
}

/// An attribute of the extension: `json` is its id in the stream, `attributes` has the accessor.
static zt_result read_attribute(gltf_file *file, arena *work, const json_pointer *json,
                                const json_pointer *attributes, const draco_stream *stream,
                                gltf_decoded_attribute *out)
{
    const json_pointer member = json_member(attributes, json->key);
    int32_t accessor;
    int64_t id;
    draco_attribute a;
    gltf_accessor shape;
    ZT_TRY(gltf_index(file, &member, GLTF_ACCESSORS, &accessor));
    ZT_TRY(gltf_integer(file->log, json, -1, &id));
    if (accessor < 0)
        return gltf_fail(file->log, json, ZT_ERR_FORMAT,
                         "the primitive has no attribute of this name");
    const draco_status described =
        id < 0 || id > UINT32_MAX ? DRACO_BROKEN : draco_stream_attribute(stream, (uint32_t)id, &a);
    if (described == DRACO_NO_MEMORY)
        return gltf_fail(file->log, json, ZT_ERR_MEMORY, "no memory for the Draco data");
    if (described != DRACO_DONE)
        return describe_mismatch(file->log, json, "usable");
    ZT_TRY(gltf_accessor_describe(file, &member, accessor, &shape));
    const uint32_t points = draco_stream_points(stream);
    const uint32_t width = a.form == DRACO_OCTAHEDRAL ? 3 : a.components;
    if (shape.base.columns != 1 || shape.base.rows != width)
        return gltf_fail(file->log, json, ZT_ERR_FORMAT,
                         "the Draco data has %u numbers for each vertex (accessor %d has %u)",
                         width, accessor, gltf_width(&shape));
    if (shape.count != points)
        ZT_TRY(gltf_warn(file->log, json, "the Draco data has %u vertices (accessor %d has %u)",
                         points, accessor, shape.count));
    out->name = json->key;
    out->elements = shape.base;
    if (a.form == DRACO_INTEGERS)
        ZT_TRY(read_integers(file->log, work, json, stream, (uint32_t)id, &a, &out->elements));
    else
        ZT_TRY(read_floats(file->log, work, json, stream, (uint32_t)id, &a, &out->elements));
    out->elements.column_stride = width * gltf_component_size(out->elements.component);
    out->elements.stride = out->elements.column_stride;
    return ZT_OK;
}

static zt_result read_all(gltf_file *file, arena *work, const json_pointer *extension,
                          const json_pointer *attributes, const draco_stream *stream,
                          gltf_decoded *out)
{
    json_pointer ids;
    ZT_TRY(gltf_object(file->log, extension, "attributes", &ids));
    const uint32_t count = ids.value ? ids.value->count : 0;
    out->vertex_count = draco_stream_points(stream);
    out->triangle_count = draco_stream_faces(stream);
    ZT_TRY(ARENA_TAKE_RAW(work, &out->corner, 3 * (size_t)out->triangle_count, "Draco data",
                          file->log->err));
    ZT_TRY(ARENA_TAKE(work, &out->attribute, count, "Draco data", file->log->err));
    if (!draco_stream_corners(stream, out->corner))
        return gltf_fail(file->log, extension, ZT_ERR_FORMAT,
                         "triangles of the Draco data name vertices "
                         "that it does not have");
    for (uint32_t i = 0; i < count; i++) {
        const json_pointer id = json_member(&ids, ids.value->item[i]->key);
        ZT_TRY(read_attribute(file, work, &id, attributes, stream,
                              &out->attribute[out->attribute_count]));
        out->attribute_count++;
    }
    return ZT_OK;
}

static bool charge_library(void *user, uint64_t bytes) { return arena_charge(user, bytes); }

/// `library` is charged for what libdraco takes until the stream is closed.
static zt_result open_stream(gltf_file *file, const gltf_meshes *meshes, const json_pointer *json,
                             arena *library, draco_stream **out)
{
    int32_t view;
    int64_t stride;
    file_bytes bytes;
    ZT_TRY(gltf_member_index(file, json, "bufferView", GLTF_VIEWS, &view));
    if (view < 0)
        return gltf_fail(file->log, json, ZT_ERR_FORMAT, "has no bufferView");
    ZT_TRY(gltf_view_bytes(file, view, &bytes, &stride));
    const uint64_t triangles = (uint64_t)file->keep->budget->limits->triangles;
    const draco_limits limits = {
        .faces = triangles - meshes->triangle_total,
        .points = 3 * triangles,
        .charge = charge_library,
        .charge_user = library,
    };
    switch (draco_stream_open(bytes.data, bytes.size, &limits, out)) {
    case DRACO_DONE: return ZT_OK;
    case DRACO_TOO_LARGE:
        return gltf_fail(file->log, json, ZT_ERR_LIMIT,
                         "the Draco data needs more triangles or memory than the limits "
                         "allow");
    case DRACO_NO_MEMORY:
        return gltf_fail(file->log, json, ZT_ERR_MEMORY, "no memory for the Draco data");
    case DRACO_BROKEN: break;
    }
    return gltf_fail(file->log, json, ZT_ERR_FORMAT,
                     "the Draco data cannot be decoded (expected a mesh of Draco 2.2)");
}

zt_result gltf_draco_decode(gltf_file *file, gltf_meshes *meshes, const json_pointer *primitive,
                            bool *out_skip)
{
    json_extension draco;
    json_pointer attributes;
    draco_stream *stream = NULL;
    meshes->decoded = NULL;
    *out_skip = false;
    ZT_TRY(gltf_extension(file->log, primitive, "KHR_draco_mesh_compression", &draco));
    if (!draco.object.value)
        return ZT_OK;
    ZT_TRY(gltf_object(file->log, primitive, "attributes", &attributes));
    gltf_decoded *packed;
    ZT_TRY(ARENA_TAKE(meshes->work, &packed, 1, "Draco data", file->log->err));
    arena library;
    arena_init(&library, meshes->work->budget);
    zt_result result = open_stream(file, meshes, &draco.object, &library, &stream);
    if (result == ZT_OK)
        result = read_all(file, meshes->work, &draco.object, &attributes, stream, packed);
    draco_stream_close(stream);
    arena_finish(&library);
    if (result == ZT_OK)
        meshes->decoded = packed;
    return result;
}

#else // without libdraco

zt_result gltf_draco_decode(gltf_file *file, gltf_meshes *meshes, const json_pointer *primitive,
                            bool *out_skip)
{
    json_extension draco;
    json_pointer attributes, position, object = {0};
    int32_t index;
    meshes->decoded = NULL;
    *out_skip = false;
    ZT_TRY(gltf_extension(file->log, primitive, "KHR_draco_mesh_compression", &draco));
    if (!draco.object.value)
        return ZT_OK;
    // A file that does not require the extension has the same data uncompressed.
    ZT_TRY(gltf_object(file->log, primitive, "attributes", &attributes));
    position = json_member(&attributes, "POSITION");
    ZT_TRY(gltf_index(file, &position, GLTF_ACCESSORS, &index));
    if (index >= 0)
        ZT_TRY(gltf_list_entry(file, GLTF_ACCESSORS, (size_t)index, &object));
    if (json_get(object.value, "bufferView"))
        return ZT_OK;
    *out_skip = true;
    return gltf_unsupported(file->log, primitive,
                            "triangles compressed with KHR_draco_mesh_compression are left out: "
                            "this program was built without libdraco");
}

#endif
