// SPDX-License-Identifier: MIT
/// Buffers of a glTF file, from its BIN chunk, from files or from URIs: base64 data (RFC 2397,
/// RFC 4648) or relative paths with %xx escapes (RFC 3986). The fallback buffers of compression
/// extensions have no data on purpose, so a buffer is loaded only when something refers to it.
#include "base/number.h"
#include "base/utf8.h"
#include "gltf/gltf_parts.h"

#include <string.h>

/// Compares the start of `text` with a lower-case `prefix` without regard to case (ASCII).
static bool starts_with(const char *text, const char *prefix)
{
    for (; *prefix; text++, prefix++) {
        const char lower = *text >= 'A' && *text <= 'Z' ? (char)(*text - 'A' + 'a') : *text;
        if (lower != *prefix)
            return false;
    }
    return true;
}

bool gltf_uri_is_data(const char *uri) { return starts_with(uri, "data:"); }

zt_result gltf_uri_decode(gltf_file *file, const json_pointer *json, const char *uri,
                          file_bytes *out)
{
    const char *comma = strchr(uri, ',');
    if (!comma || comma - uri < 7 || !starts_with(comma - 7, ";base64"))
        return gltf_fail(file->log, json, ZT_ERR_FORMAT,
                         "the data URI is not base64 (expected data:TYPE;base64,...)");
    const uint8_t *digits = (const uint8_t *)comma + 1;
    size_t digit_count = strlen(comma + 1);
    while (digit_count > 0 && digits[digit_count - 1] == '=')
        digit_count--;
    uint8_t *data;
    ZT_TRY(ARENA_TAKE_RAW(file->scratch, &data, digit_count / 4 * 3 + 4, "a data URI",
                          file->log->err));
    size_t size;
    const size_t read = base64_decode(digits, digit_count, data, &size);
    if (read < digit_count)
        return gltf_fail(file->log, json, ZT_ERR_FORMAT,
                         "character %zu of the data URI is not a base64 digit",
                         (size_t)(comma + 1 - uri) + read + 1);
    if (digit_count % 4 == 1)
        return gltf_fail(file->log, json, ZT_ERR_FORMAT,
                         "the base64 data of the data URI is cut short");
    data[size] = 0;
    *out = (file_bytes){data, size};
    return ZT_OK;
}

/// "http://", "file:/": letters, digits, + - . before a colon (RFC 3986, 3.1).
static bool has_scheme(const char *uri)
{
    const size_t length =
        strspn(uri, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.");
    return length > 1 && strcspn(uri, "0123456789+-.") > 0 && uri[length] == ':';
}

zt_result gltf_uri_path(gltf_file *file, const json_pointer *json, const char *uri,
                        const char **out_path)
{
    if (has_scheme(uri) || uri[0] == '/')
        return gltf_fail(file->log, json, ZT_ERR_INPUT,
                         "'%.200s' is not in the folder of the file (expected a relative path)",
                         uri);
    if (!*uri)
        return gltf_fail(file->log, json, ZT_ERR_FORMAT, "is empty (expected a file name)");
    const size_t size = strlen(uri);
    char *path;
    ZT_TRY(ARENA_TAKE(file->scratch, &path, size + 1, "a file name", file->log->err));
    size_t length = 0;
    for (size_t i = 0; i < size; i++) {
        // A stray % is kept: file names contain them more often than escapes are wrong.
        const int32_t high = uri[i] == '%' ? ascii_hex_digit(uri[i + 1]) : -1;
        const int32_t low = high >= 0 ? ascii_hex_digit(uri[i + 2]) : -1;
        path[length++] = low >= 0 ? (char)(uint8_t)(high * 16 + low) : uri[i];
        i += low >= 0 ? 2 : 0;
        if (!path[length - 1])
            return gltf_fail(file->log, json, ZT_ERR_FORMAT, "the file name contains a zero byte");
    }
    if (path[0] == '/')
        return gltf_fail(file->log, json, ZT_ERR_INPUT,
                         "'%.200s' is not in the folder of the file (expected a relative path)",
                         path);
    *out_path = path;
    return ZT_OK;
}

/// Reads the file `name` of the model's folder; ZT_ERR_INPUT: there is none.
static zt_result read_from_folder(gltf_file *file, const char *name, file_bytes *out, zt_error *err)
{
    const model_source *source = file->source;
    if (source->supply)
        return file_supply_read(source->supply, file->scratch, name, out, err);
    const char *path = path_sibling(file->scratch, source->path, name);
    return path ? file_read_below(file->pool, file->scratch, path, source->root_length, out, err)
                : arena_fail(file->scratch, err, "a file name");
}

/// With the slashes of Windows as those of URIs, which glTF asks for; NULL: there are none.
static zt_result with_slashes(gltf_file *file, const char *name, const char **out)
{
    *out = NULL;
    if (!strchr(name, '\\'))
        return ZT_OK;
    char *changed;
    ZT_TRY(ARENA_TEXT(file->scratch, &changed, name, "a file name", file->log->err));
    for (char *c = changed; *c; c++)
        if (*c == '\\')
            *c = '/';
    *out = changed;
    return ZT_OK;
}

static zt_result load_external(gltf_file *file, const json_pointer *json, const char *uri,
                               file_bytes *out)
{
    const json_pointer member = json_member(json, "uri");
    const char *name;
    ZT_TRY(gltf_uri_path(file, &member, uri, &name));
    if (!path_stays_inside(name))
        return gltf_fail(file->log, &member, ZT_ERR_INPUT,
                         "'%.200s' lies outside the model's folder (expected a file in it)", name);
    zt_error error = {ZT_OK, ""};
    zt_result result = read_from_folder(file, name, out, &error);
    const char *changed = NULL;
    if (result == ZT_ERR_INPUT)
        ZT_TRY(with_slashes(file, name, &changed));
    if (changed && read_from_folder(file, changed, out, &(zt_error){ZT_OK, ""}) == ZT_OK) {
        result = ZT_OK;
        ZT_TRY(gltf_warn(file->log, &member, "'%.200s' is read as '%.200s'", name, changed));
        name = changed;
    }
    if (result != ZT_OK)
        return gltf_fail(file->log, &member, result, "the buffer cannot be read: %s",
                         error.message);
    hash_sum_add(file->source->inputs, name, out->data, out->size);
    return ZT_OK;
}

static zt_result load_buffer(gltf_file *file, uint32_t index, gltf_buffer *buffer)
{
    json_pointer json;
    const char *uri;
    int64_t length;
    ZT_TRY(gltf_list_entry(file, GLTF_BUFFERS, index, &json));
    ZT_TRY(gltf_text(file->log, &json, "uri", &uri));
    ZT_TRY(gltf_member_integer(file->log, &json, "byteLength", -1, &length));
    if (length < 0)
        return gltf_fail(file->log, &json, ZT_ERR_FORMAT, "has no byteLength");
    const json_pointer member = json_member(&json, "uri");
    if (uri && gltf_uri_is_data(uri))
        ZT_TRY(gltf_uri_decode(file, &member, uri, &buffer->bytes));
    else if (uri)
        ZT_TRY(load_external(file, &json, uri, &buffer->bytes));
    else if (index == 0 && file->chunk.data)
        buffer->bytes = file->chunk;
    else
        return gltf_fail(file->log, &json, ZT_ERR_FORMAT,
                         "has no data (neither a uri nor the BIN chunk of a GLB)");
    if ((uint64_t)length > buffer->bytes.size)
        return gltf_fail(file->log, &json, ZT_ERR_FORMAT,
                         "has %zu bytes, fewer than its byteLength %lld", buffer->bytes.size,
                         (long long)length);
    buffer->bytes.size = (size_t)length;
    buffer->loaded = true;
    return ZT_OK;
}

zt_result gltf_buffer_bytes(gltf_file *file, uint32_t index, file_bytes *out)
{
    if (!file->buffer[index].loaded)
        ZT_TRY(load_buffer(file, index, &file->buffer[index]));
    *out = file->buffer[index].bytes;
    return ZT_OK;
}

zt_result gltf_buffer_range(gltf_file *file, const json_pointer *json, file_bytes *out)
{
    int32_t index;
    int64_t offset, length;
    ZT_TRY(gltf_member_index(file, json, "buffer", GLTF_BUFFERS, &index));
    ZT_TRY(gltf_member_integer(file->log, json, "byteOffset", 0, &offset));
    ZT_TRY(gltf_member_integer(file->log, json, "byteLength", -1, &length));
    if (index < 0)
        return gltf_fail(file->log, json, ZT_ERR_FORMAT, "names no buffer");
    if (length < 0)
        return gltf_fail(file->log, json, ZT_ERR_FORMAT, "has no byteLength");
    file_bytes buffer;
    ZT_TRY(gltf_buffer_bytes(file, (uint32_t)index, &buffer));
    const int64_t size = (int64_t)buffer.size;
    if (offset > size || length > size - offset)
        return gltf_fail(file->log, json, ZT_ERR_FORMAT,
                         "ends at byte %lld, past the end of buffer %d (%lld bytes)",
                         (long long)(offset + length), index, (long long)size);
    *out = (file_bytes){buffer.data + offset, (size_t)length};
    return ZT_OK;
}
