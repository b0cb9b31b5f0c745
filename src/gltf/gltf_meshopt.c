// SPDX-License-Identifier: MIT
/// Buffer views that EXT_meshopt_compression or KHR_meshopt_compression holds: decoded when
/// something first refers to them, once each. The two extensions differ in their names and in what
/// their encoders write; both are read by the rules of the later one.

#include "gltf/gltf_reader.h"
#include "mesh/meshopt.h"

#include <string.h>

/// One of a few words, by its place in the list; -1 with an error.
static zt_result read_word(gltf_reader *g, const json_place *object, const char *key,
                           const char *const *words, size_t count, const char *fallback, int *out)
{
    const char *text;
    ZT_TRY(gltf_text(g, object, key, &text));
    text = text ? text : fallback;
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], text) == 0) {
            *out = (int)i;
            return ZT_OK;
        }
    return gltf_fail(g, object, ZT_ERR_FORMAT, "%s '%.40s' does not exist", key, text);
}

static zt_result read_layout(gltf_reader *g, const json_place *object, meshopt_layout *out)
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
    ZT_TRY(read_word(g, object, "mode", modes, 3, "", &mode));
    ZT_TRY(read_word(g, object, "filter", filters, 5, "NONE", &filter));
    ZT_TRY(gltf_member_integer(g, object, "count", -1, &count));
    ZT_TRY(gltf_member_integer(g, object, "byteStride", -1, &stride));
    if (count < 0 || stride < 0)
        return gltf_fail(g, object, ZT_ERR_FORMAT, "has no count or no byteStride");
    *out =
        (meshopt_layout){(meshopt_mode)mode, (meshopt_filter)filter, (size_t)count, (size_t)stride};
    if (!meshopt_layout_valid(out))
        return gltf_fail(g, object, ZT_ERR_FORMAT,
                         "elements of %lld bytes, %lld of them, do not go with mode %s and filter "
                         "%s",
                         (long long)stride, (long long)count, modes[mode], filters[filter]);
    return ZT_OK;
}

static zt_result decode_view(gltf_reader *g, const json_place *view, const json_place *object,
                             file_bytes *out)
{
    meshopt_layout layout;
    file_bytes stream;
    int64_t length;
    ZT_TRY(read_layout(g, object, &layout));
    ZT_TRY(gltf_buffer_range(g, object, &stream));
    ZT_TRY(gltf_member_integer(g, view, "byteLength", -1, &length));
    // Also bounds what is allocated by a multiple of what the file has.
    if (layout.count > stream.size * 1024 || meshopt_least_size(&layout) > stream.size)
        return gltf_fail(g, object, ZT_ERR_FORMAT,
                         "%zu bytes are too few for %zu elements of %zu bytes", stream.size,
                         layout.count, layout.stride);
    const size_t size = layout.count * layout.stride;
    if (length < 0 || (uint64_t)length > size)
        return gltf_fail(g, view, ZT_ERR_FORMAT,
                         "has a byteLength of %lld, but its compressed data holds %zu bytes",
                         (long long)length, size);
    uint8_t *bytes = arena_alloc_raw(g->scratch, size, 1);
    if (!bytes)
        return arena_fail(g->scratch, g->err, "compressed data");
    if (!meshopt_decode(&layout, stream.data, stream.size, bytes))
        return gltf_fail(g, object, ZT_ERR_FORMAT, "the compressed data cannot be decoded");
    meshopt_unfilter(&layout, bytes);
    *out = (file_bytes){bytes, size};
    return ZT_OK;
}

zt_result gltf_meshopt_view(gltf_reader *g, int32_t index, const json_place *view, file_bytes *out,
                            bool *out_found)
{
    static const char *const names[] = {"KHR_meshopt_compression", "EXT_meshopt_compression"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        json_extension extension;
        ZT_TRY(gltf_extension(g, view, names[i], &extension));
        *out_found = extension.object.value != NULL;
        if (!*out_found)
            continue;
        if (!g->unpacked_view) {
            g->unpacked_view = ARENA_ARRAY(g->scratch, file_bytes, g->view_count);
            if (!g->unpacked_view)
                return arena_fail(g->scratch, g->err, "buffer views");
        }
        if (!g->unpacked_view[index].data)
            ZT_TRY(decode_view(g, view, &extension.object, &g->unpacked_view[index]));
        *out = g->unpacked_view[index];
        return ZT_OK;
    }
    return ZT_OK;
}
