// SPDX-License-Identifier: MIT
/// Writes .glb and .gltf files; see gltf_package.h. Reference: glTF 2.0, section 4 (GLB container).
#include "convert/gltf_package.h"

#include "base/bytes.h"
#include "base/picture_kind.h"
#include "json/json_write.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t glb_version = 2, chunk_json = 0x4E4F534A, chunk_bin = 0x004E4942;
static const uint8_t zeros[8], spaces[4] = {' ', ' ', ' ', ' '};

/// True when values could be added.
static zt_result check_values(convert_job *job, const gltf_package *p)
{
    return p->values.failed ? arena_fail(job->a, job->err, "the JSON of a glTF") : ZT_OK;
}

/// The first offset from `offset` on that is `remainder` modulo 8.
static uint64_t next_offset(uint64_t offset, uint32_t remainder)
{
    return offset + (8 + remainder - (uint32_t)(offset % 8)) % 8;
}

zt_result gltf_package_append(convert_job *job, gltf_package *p, const void *data, size_t size,
                              uint32_t remainder, uint64_t *out_offset)
{
    ZT_TRY(ARENA_GROW(job->a, p->pieces, p->piece_count, p->piece_capacity, "the buffer of a glTF",
                      job->err));
    *out_offset = next_offset(p->bin_size, remainder);
    p->pieces[p->piece_count++] = (package_piece){data, size, *out_offset};
    p->bin_size = *out_offset + size;
    return ZT_OK;
}

json_value *gltf_package_array(gltf_package *p, const char *key)
{
    return json_require(&p->values, p->json, key, JSON_KIND_ARRAY);
}

zt_result gltf_package_add_view(convert_job *job, gltf_package *p, const void *data, size_t size,
                                int target, int64_t *out_view)
{
    json_builder *b = &p->values;
    uint64_t offset = 0;
    ZT_TRY(gltf_package_append(job, p, data, size, 0, &offset));
    json_value *views = gltf_package_array(p, "bufferViews");
    json_value *view = json_new(b, JSON_KIND_OBJECT);
    json_put_int(b, view, "buffer", 0);
    json_put_int(b, view, "byteOffset", (int64_t)offset);
    json_put_int(b, view, "byteLength", (int64_t)size);
    if (target)
        json_put_int(b, view, "target", target);
    *out_view = json_length(views);
    json_append(b, views, view);
    return check_values(job, p);
}

static json_value *uri_of(const convert_job *job, gltf_package *p, const char *name)
{
    const char *uri = convert_uri(job, name);
    return uri ? json_new_text(&p->values, uri) : NULL;
}

static zt_result store_image(convert_job *job, gltf_package *p, json_value *image,
                             const gltf_document_image *source)
{
    const picture_kind *kind = picture_kind_of(source->bytes);
    if (job->format == CONVERT_GLB) {
        int64_t view;
        ZT_TRY(gltf_package_add_view(job, p, source->bytes.data, source->bytes.size, 0, &view));
        json_remove(image, "uri");
        json_put_int(&p->values, image, "bufferView", view);
        if (kind->mime)
            json_put_text(&p->values, image, "mimeType", kind->mime);
        return check_values(job, p);
    }
    const char *name, *path;
    const char *suffix = kind->mime ? kind->suffixes[0] + 1 : "bin";
    ZT_TRY(convert_side_file(job, source->name, suffix, &name, &path));
    json_remove(image, "bufferView");
    json_put(&p->values, image, "uri", uri_of(job, p, name));
    ZT_TRY(check_values(job, p));
    return output_whole(&job->files, job->a, path, source->bytes, job->err);
}

static zt_result write_pieces(convert_job *job, const gltf_package *p, output_file *file)
{
    uint64_t written = 0;
    for (uint32_t i = 0; i < p->piece_count; i++) {
        const package_piece *piece = &p->pieces[i];
        ZT_TRY(output_write(file, zeros, (size_t)(piece->offset - written), job->err));
        ZT_TRY(output_write(file, piece->data, piece->size, job->err));
        written = piece->offset + piece->size;
    }
    return ZT_OK;
}

static zt_result write_glb(convert_job *job, const gltf_package *p, const char *text, size_t size)
{
    const uint64_t json_size = (size + 3) / 4 * 4, bin_size = (p->bin_size + 3) / 4 * 4;
    const uint64_t length = 12 + 8 + json_size + (p->bin_size ? 8 + bin_size : 0);
    uint8_t header[20], chunk[8];
    output_file *file = NULL;
    if (length > UINT32_MAX)
        return zt_fail(job->err, ZT_ERR_LIMIT,
                       "%s: a GLB of %llu bytes (the limit is 4294967295; a .gltf can hold it)",
                       job->out_path, (unsigned long long)length);
    memcpy(header, "glTF", 4);
    bytes_store_u32_le(header + 4, glb_version);
    bytes_store_u32_le(header + 8, (uint32_t)length);
    bytes_store_u32_le(header + 12, (uint32_t)json_size);
    bytes_store_u32_le(header + 16, chunk_json);
    bytes_store_u32_le(chunk, (uint32_t)bin_size);
    bytes_store_u32_le(chunk + 4, chunk_bin);
    ZT_TRY(output_open(&job->files, job->a, job->out_path, &file, job->err));
    ZT_TRY(output_write(file, header, sizeof header, job->err));
    ZT_TRY(output_write(file, text, size, job->err));
    ZT_TRY(output_write(file, spaces, (size_t)(json_size - size), job->err));
    if (p->bin_size == 0)
        return ZT_OK;
    ZT_TRY(output_write(file, chunk, sizeof chunk, job->err));
    ZT_TRY(write_pieces(job, p, file));
    return output_write(file, zeros, (size_t)(bin_size - p->bin_size), job->err);
}

/// Writes buffer 0 as a side file of the .gltf.
static zt_result write_bin(convert_job *job, gltf_package *p, json_value *buffer)
{
    const char *name, *path;
    output_file *file = NULL;
    ZT_TRY(convert_side_file(job, "", "bin", &name, &path));
    json_put(&p->values, buffer, "uri", uri_of(job, p, name));
    ZT_TRY(check_values(job, p));
    ZT_TRY(output_open(&job->files, job->a, path, &file, job->err));
    ZT_TRY(write_pieces(job, p, file));
    return ZT_OK;
}

static zt_result write_text(convert_job *job, const char *text, size_t size)
{
    output_file *file = NULL;
    ZT_TRY(output_open(&job->files, job->a, job->out_path, &file, job->err));
    ZT_TRY(output_write(file, text, size, job->err));
    return output_write(file, "\n", 1, job->err);
}

zt_result gltf_package_write(convert_job *job, gltf_package *p, const gltf_document_image *images,
                             uint32_t image_count)
{
    json_value *list = json_get(p->json, "images");
    const bool binary = job->format == CONVERT_GLB;
    for (uint32_t i = 0; i < image_count; i++) {
        if (images[i].bytes.data)
            ZT_TRY(store_image(job, p, json_at(list, i), &images[i]));
        else
            ZT_TRY(convert_report_loss(job, "image %u is missing: only its reference is kept", i));
    }
    if (p->bin_size > 0) {
        json_value *buffers = gltf_package_array(p, "buffers");
        if (json_length(buffers) == 0)
            json_append(&p->values, buffers, json_new(&p->values, JSON_KIND_OBJECT));
        json_value *buffer = json_at(buffers, 0);
        json_put_int(&p->values, buffer, "byteLength", (int64_t)p->bin_size);
        ZT_TRY(check_values(job, p));
        if (!binary)
            ZT_TRY(write_bin(job, p, buffer));
    }
    char *text = json_write(job->a, p->json, (json_style){.indent = binary ? 0 : 2});
    if (!text && job->a->failed != ZT_OK)
        return arena_fail(job->a, job->err, job->out_path);
    if (!text)
        return zt_fail(job->err, ZT_ERR_MEMORY, "%s: the system has no memory left", job->out_path);
    const zt_result result =
        binary ? write_glb(job, p, text, strlen(text)) : write_text(job, text, strlen(text));
    free(text);
    return result;
}
