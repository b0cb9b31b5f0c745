// SPDX-License-Identifier: MIT
/// Reference: OpenEXR, "OpenEXR File Layout": a header is a list of attributes (name, type, size,
/// value) that ends with a zero byte; so does the list of headers when there may be several.
#include "image/exr_header.h"

#include "base/bytes.h"
#include "base/hash.h"

#include <string.h>

enum {
    FIRST_HEADER = 8,        // after the magic number and the version
    SEVERAL_PARTS = 1 << 12, // a flag of the version
    NAME_LENGTH_MAX = 255,
    CHANNEL_BYTES = 16, // type, linearity, sampling
    PIXEL_TYPES = 3,
    // Memory that OpenEXRCore holds besides texts and values: structs, and lists while they grow.
    PART_COST = 2 << 10,
    NAME_COST = 512,
    VECTOR_STRING_COST = 96,
};

/// The names of a part, or of a list of channels.
typedef struct name_set {
    uint64_t hash[EXR_NAMES_MAX];
    size_t count;
} name_set;

typedef struct header_walk {
    const char *name;
    file_bytes bytes;
    size_t at;
    size_t name_count; ///< of all parts
    name_set attributes, channels;
    exr_header *out;
    zt_error *err;
} header_walk;

static zt_result fail(const header_walk *w, const char *what)
{
    return zt_fail(w->err, ZT_ERR_FORMAT, "%s:%zu: broken OpenEXR: %s", w->name, w->at, what);
}

/// A text that ends with a zero byte, before `end` bytes of the file.
static zt_result read_text(header_walk *w, size_t end, file_bytes *out)
{
    const size_t left = end - w->at, limit = NAME_LENGTH_MAX + 1;
    const uint8_t *text = w->bytes.data + w->at;
    const uint8_t *zero = memchr(text, 0, left < limit ? left : limit);
    if (!zero)
        return fail(w, left < limit ? "its header ends early"
                                    : "a name in its header is too long (expected at most 255)");
    *out = (file_bytes){text, (size_t)(zero - text)};
    w->at += out->size + 1;
    return ZT_OK;
}

/// Repeated names are refused: OpenEXRCore keeps the first and would go on within the second.
static zt_result add_name(header_walk *w, name_set *names, file_bytes name, const char *what)
{
    if (names->count == EXR_NAMES_MAX || w->name_count == EXR_NAMES_TOTAL)
        return zt_fail(w->err, ZT_ERR_LIMIT, "%s:%zu: OpenEXR with too many %s (at most %d)",
                       w->name, w->at, what,
                       names->count == EXR_NAMES_MAX ? EXR_NAMES_MAX : EXR_NAMES_TOTAL);
    const uint64_t hash = hash_bytes(HASH_START, name.data, name.size);
    for (size_t i = 0; i < names->count; i++)
        if (names->hash[i] == hash)
            return fail(w, "a name in its header is there twice");
    names->hash[names->count++] = hash;
    w->name_count++;
    w->out->library_bytes += NAME_COST + name.size;
    return ZT_OK;
}

/// Channels up to an empty name.
static zt_result walk_channels(header_walk *w, size_t end)
{
    w->channels.count = 0;
    while (w->at < end) {
        file_bytes name = {0};
        ZT_TRY(read_text(w, end, &name));
        if (name.size == 0)
            break;
        if (end - w->at < CHANNEL_BYTES)
            return fail(w, "a list of channels ends early");
        const uint8_t *p = w->bytes.data + w->at;
        const int32_t x_step = (int32_t)bytes_u32_le(p + 8), y_step = (int32_t)bytes_u32_le(p + 12);
        if (bytes_u32_le(p) >= PIXEL_TYPES || p[4] > 1 || x_step < 1 || y_step < 1)
            return fail(w, "a channel of an unknown kind");
        ZT_TRY(add_name(w, &w->channels, name, "channels"));
        w->at += CHANNEL_BYTES;
    }
    return w->at == end ? ZT_OK : fail(w, "a list of channels has another size than its channels");
}

static zt_result walk_strings(header_walk *w, size_t end)
{
    while (w->at < end) {
        if (end - w->at < 4 || bytes_u32_le(w->bytes.data + w->at) > end - w->at - 4)
            return fail(w, "a list of strings has another size than its strings");
        w->at += 4 + bytes_u32_le(w->bytes.data + w->at);
        w->out->library_bytes += VECTOR_STRING_COST;
    }
    return ZT_OK;
}

/// True when an attribute without parts has the size of its type; unknown types may have any.
static bool has_size_of_type(file_bytes type, const uint8_t *value, size_t size)
{
    static const struct {
        const char *type;
        uint8_t size;
    } known[] = {
        {"box2f", 16},
        {"box2i", 16},
        {"chromaticities", 32},
        {"compression", 1},
        {"deepImageState", 1},
        {"double", 8},
        {"envmap", 1},
        {"float", 4},
        {"int", 4},
        {"keycode", 28},
        {"lineOrder", 1},
        {"m33d", 72},
        {"m33f", 36},
        {"m44d", 128},
        {"m44f", 64},
        {"rational", 8},
        {"tiledesc", 9},
        {"timecode", 8},
        {"v2d", 16},
        {"v2f", 8},
        {"v2i", 8},
        {"v3d", 24},
        {"v3f", 12},
        {"v3i", 12},
    };
    const char *text = (const char *)type.data;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(text, known[i].type) == 0)
            return size == known[i].size;
    if (strcmp(text, "floatvector") == 0)
        return size % 4 == 0;
    if (strcmp(text, "preview") == 0)
        return size >= 8 && size % 4 == 0 &&
               (uint64_t)bytes_u32_le(value) * bytes_u32_le(value + 4) == (size - 8) / 4;
    return true;
}

static zt_result walk_attribute(header_walk *w)
{
    file_bytes name = {0}, type = {0};
    ZT_TRY(read_text(w, w->bytes.size, &name));
    ZT_TRY(read_text(w, w->bytes.size, &type));
    if (type.size == 0)
        return ZT_OK; // OpenEXRCore does not read its size either
    ZT_TRY(add_name(w, &w->attributes, name, "attributes"));
    if (w->bytes.size - w->at < 4)
        return fail(w, "its header ends early");
    const uint8_t *value = w->bytes.data + w->at + 4;
    const size_t size = bytes_u32_le(value - 4);
    if (size > (size_t)INT32_MAX || size > w->bytes.size - w->at - 4)
        return fail(w, "an attribute is larger than the file");
    if (!has_size_of_type(type, value, size))
        return fail(w, "an attribute of another size than its type has");
    w->at += 4;
    w->out->library_bytes += type.size + size;
    const size_t end = w->at + size;
    if (strcmp((const char *)type.data, "chlist") == 0)
        return walk_channels(w, end);
    if (strcmp((const char *)type.data, "stringvector") == 0)
        return walk_strings(w, end);
    w->at = end;
    return ZT_OK;
}

static zt_result walk_part(header_walk *w)
{
    w->attributes.count = 0;
    w->out->library_bytes += PART_COST;
    while (w->at < w->bytes.size && w->bytes.data[w->at] != 0)
        ZT_TRY(walk_attribute(w));
    if (w->at == w->bytes.size)
        return fail(w, "its header ends early");
    w->at++;
    return ZT_OK;
}

zt_result exr_header_walk(arena *temporary, const char *name, file_bytes bytes, exr_header *out,
                          zt_error *err)
{
    header_walk *w = ARENA_ARRAY(temporary, header_walk, 1);
    *out = (exr_header){0};
    if (!w)
        return arena_fail(temporary, err, "the header of an OpenEXR");
    w->name = name;
    w->bytes = bytes;
    w->out = out;
    w->err = err;
    w->at = bytes.size < FIRST_HEADER ? bytes.size : FIRST_HEADER;
    ZT_TRY(walk_part(w));
    while (bytes_u32_le(bytes.data + 4) & SEVERAL_PARTS) {
        if (w->at == bytes.size)
            return fail(w, "its header ends early");
        if (bytes.data[w->at] == 0) {
            w->at++;
            break;
        }
        ZT_TRY(walk_part(w));
    }
    out->end = w->at;
    return ZT_OK;
}
