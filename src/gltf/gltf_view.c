// SPDX-License-Identifier: MIT
/// Buffer views and images. EXT_meshopt_compression and KHR_meshopt_compression differ in their
/// names and in what their encoders write; both are decoded by the rules of the later one.
#include "gltf/gltf_parts.h"
#include "mesh/meshopt.h"

#include <string.h>

/// Reads one of `count` words: its index.
static zt_result read_word(gltf_log *log, const json_pointer *object, const char *key,
                           const char *const *words, size_t count, const char *fallback, int *out)
{
    const char *text;
    ZT_TRY(gltf_text(log, object, key, &text));
    text = text ? text : fallback;
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], text) == 0) {
            *out = (int)i;
            return ZT_OK;
        }
    return gltf_fail(log, object, ZT_ERR_FORMAT, "%s '%.40s' does not exist", key, text);
}

static zt_result read_layout(gltf_log *log, const json_pointer *object, meshopt_layout *out)
{
    static const char *const modes[] = {
        [MESHOPT_ATTRIBUTES] = "ATTRIBUTES",
        [MESHOPT_TRIANGLES] = "TRIANGLES",
        [MESHOPT_INDICES] = "INDICES",
    };
    static const char *const filters[] = {
        [MESHOPT_NONE] = "NONE",
        [MESHOPT_OCTAHEDRAL] = "OCTAHEDRAL",
        [MESHOPT_QUATERNION] = "QUATERNION",
        [MESHOPT_EXPONENTIAL] = "EXPONENTIAL",
        [MESHOPT_COLOR] = "COLOR",
    };
    int mode = 0, filter = 0;
    int64_t count, stride;
    ZT_TRY(read_word(log, object, "mode", modes, 3, "", &mode));
    ZT_TRY(read_word(log, object, "filter", filters, 5, "NONE", &filter));
    ZT_TRY(gltf_member_integer(log, object, "count", -1, &count));
    ZT_TRY(gltf_member_integer(log, object, "byteStride", -1, &stride));
    if (count < 0 || stride < 0)
        return gltf_fail(log, object, ZT_ERR_FORMAT, "has no count or no byteStride");
    *out =
        (meshopt_layout){(meshopt_mode)mode, (meshopt_filter)filter, (size_t)count, (size_t)stride};
    if (!meshopt_layout_valid(out))
        return gltf_fail(log, object, ZT_ERR_FORMAT,
                         "elements of %lld bytes, %lld of them, do not fit mode %s and filter "
                         "%s",
                         (long long)stride, (long long)count, modes[mode], filters[filter]);
    return ZT_OK;
}

static zt_result decode_view(gltf_file *file, const json_pointer *view, const json_pointer *object,
                             file_bytes *out)
{
    meshopt_layout layout;
    file_bytes stream;
    int64_t length;
    ZT_TRY(read_layout(file->log, object, &layout));
    ZT_TRY(gltf_buffer_range(file, object, &stream));
    ZT_TRY(gltf_member_integer(file->log, view, "byteLength", -1, &length));
    // Also limits the allocation to a multiple of the file's data.
    if (layout.count > stream.size * 1024 || meshopt_min_size(&layout) > stream.size)
        return gltf_fail(file->log, object, ZT_ERR_FORMAT,
                         "%zu bytes are too few for %zu elements of %zu bytes", stream.size,
                         layout.count, layout.stride);
    const size_t size = layout.count * layout.stride;
    if (length < 0 || (uint64_t)length > size)
        return gltf_fail(file->log, view, ZT_ERR_FORMAT,
                         "has a byteLength of %lld, but its compressed data has %zu bytes",
                         (long long)length, size);
    uint8_t *bytes;
    ZT_TRY(ARENA_TAKE_RAW(file->scratch, &bytes, size, "compressed data", file->log->err));
    if (!meshopt_decode(&layout, stream.data, stream.size, bytes))
        return gltf_fail(file->log, object, ZT_ERR_FORMAT, "the compressed data cannot be decoded");
    meshopt_unfilter(&layout, bytes);
    *out = (file_bytes){bytes, size};
    return ZT_OK;
}

static zt_result decompress(gltf_file *file, int32_t index, const json_pointer *view,
                            file_bytes *out, bool *out_found)
{
    static const char *const names[] = {"KHR_meshopt_compression", "EXT_meshopt_compression"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        json_extension extension;
        ZT_TRY(gltf_extension(file->log, view, names[i], &extension));
        *out_found = extension.object.value != NULL;
        if (!*out_found)
            continue;
        if (!file->decoded_view) {
            ZT_TRY(ARENA_TAKE(file->scratch, &file->decoded_view, file->list[GLTF_VIEWS].count,
                              "buffer views", file->log->err));
        }
        if (!file->decoded_view[index].data)
            ZT_TRY(decode_view(file, view, &extension.object, &file->decoded_view[index]));
        *out = file->decoded_view[index];
        return ZT_OK;
    }
    return ZT_OK;
}

zt_result gltf_view_bytes(gltf_file *file, int32_t view, file_bytes *out, int64_t *out_stride)
{
    json_pointer json;
    bool compressed;
    ZT_TRY(gltf_list_entry(file, GLTF_VIEWS, (size_t)view, &json));
    ZT_TRY(gltf_member_integer(file->log, &json, "byteStride", 0, out_stride));
    ZT_TRY(decompress(file, view, &json, out, &compressed));
    return compressed ? ZT_OK : gltf_buffer_range(file, &json, out);
}

zt_result gltf_image_bytes(gltf_file *file, const json_pointer *json, const char **out_path,
                           file_bytes *out)
{
    const char *uri;
    int32_t view;
    int64_t stride;
    *out_path = NULL;
    *out = (file_bytes){NULL, 0};
    const json_pointer member = json_member(json, "uri");
    ZT_TRY(gltf_text(file->log, json, "uri", &uri));
    ZT_TRY(gltf_member_index(file, json, "bufferView", GLTF_VIEWS, &view));
    if (uri && !gltf_uri_is_data(uri))
        return gltf_uri_path(file, &member, uri, out_path);
    if (uri)
        return gltf_uri_decode(file, &member, uri, out);
    if (view >= 0)
        return gltf_view_bytes(file, view, out, &stride);
    return gltf_fail(file->log, json, ZT_ERR_FORMAT, "has neither a uri nor a bufferView");
}
