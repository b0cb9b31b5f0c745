// SPDX-License-Identifier: MIT
/// Buffers and buffer views of a glTF file. A buffer is loaded when something first refers to it,
/// so that a file whose unused buffer is missing still loads (the fallback buffers of compression
/// extensions have no data on purpose).

#include "gltf/gltf_reader.h"

#include <string.h>

static zt_result load_external(gltf_reader *g, const json_place *place, const char *uri,
                               file_bytes *out)
{
    const json_place member = json_member(place, "uri");
    const char *name;
    ZT_TRY(gltf_uri_path(g, &member, uri, &name));
    if (!path_stays_inside(name))
        return gltf_fail(g, &member, ZT_ERR_INPUT,
                         "'%.200s' lies outside the model's folder (expected a file in it)", name);
    const char *path = path_beside(g->scratch, g->source->path, name);
    if (!path)
        return arena_fail(g->scratch, g->err, "a file name");
    if (strcmp(path, "-") == 0)
        path = "./-"; // not standard input
    if (file_is_device(path))
        return gltf_fail(g, &member, ZT_ERR_INPUT,
                         "%.200s is a pipe or device (expected a regular file)", path);
    zt_error error = {ZT_OK, ""};
    const zt_result result = file_read(g->scratch, path, out, &error);
    if (result != ZT_OK)
        return gltf_fail(g, &member, result, "the buffer cannot be read: %s", error.message);
    return ZT_OK;
}

static zt_result load_buffer(gltf_reader *g, uint32_t index, gltf_buffer *buffer)
{
    json_place place;
    const char *uri;
    int64_t length;
    ZT_TRY(gltf_entry(g, &g->buffers, index, &place));
    ZT_TRY(gltf_text(g, &place, "uri", &uri));
    ZT_TRY(gltf_member_integer(g, &place, "byteLength", -1, &length));
    if (length < 0)
        return gltf_fail(g, &place, ZT_ERR_FORMAT, "has no byteLength");
    const json_place member = json_member(&place, "uri");
    if (uri && gltf_uri_is_data(uri))
        ZT_TRY(gltf_uri_decode(g, &member, uri, &buffer->bytes));
    else if (uri)
        ZT_TRY(load_external(g, &place, uri, &buffer->bytes));
    else if (index == 0 && g->has_chunk)
        buffer->bytes = g->chunk;
    else
        return gltf_fail(g, &place, ZT_ERR_FORMAT,
                         "has no data (neither a uri nor the BIN chunk of a GLB)");
    if ((uint64_t)length > buffer->bytes.size)
        return gltf_fail(g, &place, ZT_ERR_FORMAT, "holds %zu bytes, less than its byteLength %lld",
                         buffer->bytes.size, (long long)length);
    buffer->bytes.size = (size_t)length;
    buffer->loaded = true;
    return ZT_OK;
}

static const json_t *entry_of(const json_place *array, const json_t *index)
{
    return json_is_integer(index) && json_integer_value(index) >= 0
               ? json_array_get(array->value, (size_t)json_integer_value(index))
               : NULL;
}

bool gltf_lacks_data(const gltf_reader *g, const json_t *accessor)
{
    const json_t *view =
        entry_of(&g->views, json_object_get(entry_of(&g->accessors, accessor), "bufferView"));
    const json_t *index = json_object_get(view, "buffer");
    const json_t *buffer = entry_of(&g->buffers, index);
    const json_t *extensions = json_object_get(view, "extensions");
    return buffer && !json_object_get(buffer, "uri") &&
           !(g->is_glb && json_integer_value(index) == 0) &&
           !json_object_get(extensions, "EXT_meshopt_compression") &&
           !json_object_get(extensions, "KHR_meshopt_compression");
}

zt_result gltf_buffer_bytes(gltf_reader *g, uint32_t index, file_bytes *out)
{
    if (!g->buffer[index].loaded)
        ZT_TRY(load_buffer(g, index, &g->buffer[index]));
    *out = g->buffer[index].bytes;
    return ZT_OK;
}

zt_result gltf_buffer_range(gltf_reader *g, const json_place *place, file_bytes *out)
{
    int32_t index;
    int64_t offset, length;
    ZT_TRY(gltf_member_index(g, place, "buffer", g->buffer_count, "buffer", &index));
    ZT_TRY(gltf_member_integer(g, place, "byteOffset", 0, &offset));
    ZT_TRY(gltf_member_integer(g, place, "byteLength", -1, &length));
    if (index < 0)
        return gltf_fail(g, place, ZT_ERR_FORMAT, "names no buffer");
    if (length < 0)
        return gltf_fail(g, place, ZT_ERR_FORMAT, "has no byteLength");
    file_bytes buffer;
    ZT_TRY(gltf_buffer_bytes(g, (uint32_t)index, &buffer));
    const int64_t size = (int64_t)buffer.size;
    if (offset > size || length > size - offset)
        return gltf_fail(g, place, ZT_ERR_FORMAT,
                         "ends at byte %lld, past the end of buffer %d (%lld bytes)",
                         (long long)(offset + length), index, (long long)size);
    *out = (file_bytes){buffer.data + offset, (size_t)length};
    return ZT_OK;
}

zt_result gltf_view_bytes(gltf_reader *g, int32_t view, file_bytes *out, int64_t *out_stride)
{
    json_place place;
    bool compressed;
    ZT_TRY(gltf_entry(g, &g->views, (size_t)view, &place));
    ZT_TRY(gltf_member_integer(g, &place, "byteStride", 0, out_stride));
    ZT_TRY(gltf_meshopt_view(g, view, &place, out, &compressed));
    return compressed ? ZT_OK : gltf_buffer_range(g, &place, out);
}
