// SPDX-License-Identifier: MIT
/// glTF -> glTF: the same JSON, all buffers joined, images stored where the target keeps them.
/// Bytes of buffer views are copied as they are, compressed or not; those that no view covers are
/// dropped. Unknown extensions survive, unless they refer to buffers by keys of their own.
#include "convert/convert_directions.h"
#include "convert/gltf_indices.h"
#include "convert/gltf_package.h"

#include <stdlib.h>

/// The bytes of a buffer that `owner`, a buffer view or its compression extension, refers to.
typedef struct view_range {
    uint32_t buffer;
    uint64_t begin, end;
    json_value *owner;
} view_range;

typedef struct repack {
    convert_job *job;
    const gltf_document *document;
    gltf_package *package;
    bool drop_unused;
    json_value *views;
    uint32_t view_count;
    uint32_t *references; ///< [view_count] from anywhere in the JSON
    bool *dropped;        ///< [view_count] used by images only, which are stored anew
    int64_t *new_index;   ///< [view_count] in the new file
    view_range *ranges;
    uint32_t range_count;
    int64_t *fallback; ///< [buffer_count] new index of a buffer without data
} repack;

static uint32_t view_of(const json_value *index) { return (uint32_t)json_number(index); }

static bool is_view(const repack *r, const json_value *index)
{
    return json_number(index) >= 0.0 && json_number(index) < (double)r->view_count;
}

static void count_reference(void *user, gltf_index_kind kind, json_value *index)
{
    const repack *r = user;
    (void)kind;
    if (is_view(r, index))
        r->references[view_of(index)]++;
}

/// Drops the buffer views that only images with data use, and where asked for those of no use.
static void drop_image_views(repack *r)
{
    for (uint32_t i = 0; r->drop_unused && i < r->view_count; i++)
        r->dropped[i] = r->references[i] == 0;
    const json_value *images = json_get(r->document->json, "images");
    for (uint32_t i = 0; i < r->document->image_count; i++) {
        const json_value *view = json_get(json_at(images, i), "bufferView");
        if (!json_is_numeric(view) || !r->document->images[i].bytes.data)
            continue;
        if (--r->references[view_of(view)] == 0)
            r->dropped[view_of(view)] = true;
    }
}

static bool read_range(const repack *r, json_value *owner, view_range *out)
{
    const double buffer = json_number(json_get(owner, "buffer"));
    const double begin = json_number(json_get(owner, "byteOffset"));
    const double size = json_number(json_get(owner, "byteLength"));
    if (!(buffer >= 0.0 && buffer < (double)r->document->buffer_count) || !(begin >= 0.0) ||
        !(size >= 0.0) || !(begin + size < 9e15))
        return false;
    *out = (view_range){(uint32_t)buffer, (uint64_t)begin, (uint64_t)begin + (uint64_t)size, owner};
    const file_bytes *bytes = &r->document->buffers[out->buffer];
    return !bytes->data || out->end <= bytes->size;
}

/// Adds the range of a buffer view, or of its compression extension, unless its buffer has no data.
static zt_result add_range(repack *r, json_value *owner, uint32_t view)
{
    view_range range;
    if (!read_range(r, owner, &range))
        return zt_fail(r->job->err, ZT_ERR_FORMAT,
                       "%s:/bufferViews/%u: the range exceeds its buffer", r->job->source.path,
                       view);
    if (r->document->buffers[range.buffer].data)
        r->ranges[r->range_count++] = range;
    else
        json_put_int(&r->package->values, owner, "buffer", r->fallback[range.buffer]);
    return ZT_OK;
}

static zt_result collect_ranges(repack *r)
{
    static const char *const compressions[] = {"EXT_meshopt_compression",
                                               "KHR_meshopt_compression"};
    ZT_TRY(
        ARENA_TAKE(r->job->a, &r->ranges, 3 * (size_t)r->view_count, "buffer views", r->job->err));
    for (uint32_t i = 0; i < r->view_count; i++) {
        json_value *view = json_at(r->views, i);
        if (r->dropped[i])
            continue;
        ZT_TRY(add_range(r, view, i));
        for (size_t k = 0; k < sizeof compressions / sizeof *compressions; k++) {
            json_value *extension = json_get(json_get(view, "extensions"), compressions[k]);
            if (json_is(extension, JSON_KIND_OBJECT))
                ZT_TRY(add_range(r, extension, i));
        }
    }
    return ZT_OK;
}

static int compare_ranges(const void *left, const void *right)
{
    const view_range *a = left, *b = right;
    if (a->buffer != b->buffer)
        return a->buffer < b->buffer ? -1 : 1;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return 0;
}

/// Moves ranges that touch or overlap as one, so that no byte is copied twice and alignment stays.
static zt_result move_ranges(repack *r)
{
    if (r->range_count > 0)
        qsort(r->ranges, r->range_count, sizeof *r->ranges, compare_ranges);
    for (uint32_t i = 0, next; i < r->range_count; i = next) {
        const view_range *first = &r->ranges[i];
        uint64_t end = first->end, offset;
        for (next = i + 1; next < r->range_count && r->ranges[next].buffer == first->buffer &&
                           r->ranges[next].begin <= end;
             next++)
            end = r->ranges[next].end > end ? r->ranges[next].end : end;
        ZT_TRY(gltf_package_append(
            r->job, r->package, r->document->buffers[first->buffer].data + first->begin,
            (size_t)(end - first->begin), (uint32_t)(first->begin % 8), &offset));
        for (uint32_t k = i; k < next; k++) {
            const uint64_t moved = offset + (r->ranges[k].begin - first->begin);
            json_put_int(&r->package->values, r->ranges[k].owner, "buffer", 0);
            json_put_int(&r->package->values, r->ranges[k].owner, "byteOffset", (int64_t)moved);
        }
    }
    return ZT_OK;
}

static void renumber(void *user, gltf_index_kind kind, json_value *index)
{
    const repack *r = user;
    (void)kind;
    if (is_view(r, index))
        gltf_index_set(index, r->new_index[view_of(index)]);
}

/// Removes the dropped buffer views and renumbers the others.
static void drop_views(repack *r)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->view_count; i++)
        r->new_index[i] = r->dropped[i] ? -1 : (int64_t)kept++;
    for (uint32_t i = 0; i < r->view_count; i++)
        if (!r->dropped[i])
            r->views->item[r->new_index[i]] = r->views->item[i];
    if (r->views)
        r->views->count = kept;
    gltf_each_view_index(r->document->json, renumber, r);
    if (kept == 0)
        json_remove(r->document->json, "bufferViews");
}

/// Replaces the buffers by one with data, followed by those without.
static zt_result replace_buffers(repack *r)
{
    json_builder *b = &r->package->values;
    const json_value *old = json_get(r->document->json, "buffers");
    json_value *list = json_new(b, JSON_KIND_ARRAY);
    json_append(b, list, json_new(b, JSON_KIND_OBJECT));
    for (uint32_t i = 0; i < r->document->buffer_count; i++)
        if (!r->document->buffers[i].data) {
            r->fallback[i] = (int64_t)json_length(list);
            json_append(b, list, json_at(old, i));
        }
    const bool has_fallbacks = json_length(list) > 1;
    json_remove(r->document->json, "buffers");
    json_put(b, r->document->json, "buffers", list);
    if (b->failed)
        return arena_fail(r->job->a, r->job->err, "the buffers of a glTF");
    // Buffer 0 must exist for the indices of the buffers without data to hold.
    static const uint8_t zeros[4];
    uint64_t offset = 0;
    return has_fallbacks ? gltf_package_append(r->job, r->package, zeros, sizeof zeros, 0, &offset)
                         : ZT_OK;
}

static zt_result repack_document(repack *r)
{
    arena *a = r->job->a;
    r->package->json = r->document->json;
    r->views = json_get(r->document->json, "bufferViews");
    r->view_count = (uint32_t)json_length(r->views);
    ZT_TRY(ARENA_TAKE(a, &r->references, r->view_count, "buffer views", r->job->err));
    ZT_TRY(ARENA_TAKE(a, &r->dropped, r->view_count, "buffer views", r->job->err));
    ZT_TRY(ARENA_TAKE(a, &r->new_index, r->view_count, "buffer views", r->job->err));
    ZT_TRY(ARENA_TAKE(a, &r->fallback, r->document->buffer_count, "buffer views", r->job->err));
    gltf_each_view_index(r->document->json, count_reference, r);
    drop_image_views(r);
    ZT_TRY(replace_buffers(r));
    ZT_TRY(collect_ranges(r));
    ZT_TRY(move_ranges(r));
    drop_views(r);
    return ZT_OK;
}

zt_result gltf_repack(convert_job *job, const gltf_document *document, bool drop_unused,
                      gltf_package *package)
{
    repack r = {.job = job, .document = document, .package = package, .drop_unused = drop_unused};
    return repack_document(&r);
}

zt_result convert_gltf_to_gltf(convert_job *job)
{
    gltf_document document;
    gltf_package package = {.values = {.a = job->a}};
    ZT_TRY(gltf_document_open(&job->source, job->a, &document, job->err));
    ZT_TRY(gltf_repack(job, &document, false, &package));
    if (package.bin_size == 0)
        json_remove(document.json, "buffers");
    return gltf_package_write(job, &package, document.images, document.image_count);
}
