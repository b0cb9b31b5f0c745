// SPDX-License-Identifier: MIT
/// Planes -> NumPy's .npz: a ZIP of arrays, which are stored as they are, so that other programs
/// have little to read. References: NumPy, "numpy.lib.format" (NPY 1.0); PKWARE, APPNOTE 6.3.10,
/// 4.3.7 (an entry), 4.3.12 (in the directory), 4.3.16 (the end).
#include "base/error.h"
#include "image/picture_encoders.h"

#include <libdeflate.h>
#include <stdio.h>
#include <string.h>

enum {
    NAME_SIZE = 32,
    ARRAY_HEADER_BYTES = 128, // NumPy fills it up to whole 64 bytes
    ENTRY_BYTES = 30,         // besides name and array
    LISTED_BYTES = 46,        // of an entry, in the directory
    END_BYTES = 22,
    ZIP_VERSION = 20,
    NEW_YEAR_1980 = 1 << 5 | 1, // the first day that a ZIP can say
};

typedef struct npz_entry {
    char name[NAME_SIZE];
    const char *type; ///< as NumPy writes it
    const uint8_t *pixels;
    size_t row_bytes, stride;
    int32_t channels;
    uint32_t crc;
    uint64_t size, offset; ///< of the array with its header; in the file
} npz_entry;

typedef struct npz_file {
    npz_entry entry[PLANE_COUNT + 1];
    uint32_t count;
    uint64_t size;
} npz_file;

static void add_entry(npz_file *f, const picture_planes *frame, npz_entry entry, const char *plane)
{
    snprintf(entry.name, sizeof entry.name, "%s.npy", plane);
    entry.size = ARRAY_HEADER_BYTES + entry.row_bytes * (uint64_t)frame->height;
    f->size += ENTRY_BYTES + LISTED_BYTES + 2 * strlen(entry.name) + entry.size;
    f->entry[f->count++] = entry;
}

static void list_entries(npz_file *f, const picture_planes *frame)
{
    const size_t width = (size_t)frame->width;
    f->size = END_BYTES;
    if (frame->color8.rgba8)
        add_entry(f, frame,
                  (npz_entry){.type = "|u1",
                              .pixels = frame->color8.rgba8,
                              .row_bytes = 4 * width,
                              .stride = frame->color8.stride,
                              .channels = 4},
                  "color");
    for (int p = 0; p < PLANE_COUNT; p++) {
        const zt_plane_kind *kind = &picture_plane_table[p].kind;
        if (frame->plane[p].data)
            add_entry(f, frame,
                      (npz_entry){.type = kind->integer ? "<u4" : "<f4",
                                  .pixels = frame->plane[p].data,
                                  .row_bytes = 4 * width * (size_t)kind->channels,
                                  .stride = frame->plane[p].stride,
                                  .channels = kind->channels},
                      kind->name);
    }
}

static uint8_t *put(uint8_t *out, uint64_t number, size_t size)
{
    for (; size > 0; size--, number >>= 8)
        *out++ = (uint8_t)number;
    return out;
}

static uint8_t *put_array(uint8_t *out, const npz_entry *e, const picture_planes *frame)
{
    enum { BEGIN = 10, TEXT = ARRAY_HEADER_BYTES - BEGIN };
    char text[TEXT + 1], channels[16] = "";
    if (e->channels > 1)
        snprintf(channels, sizeof channels, ", %d", (int)e->channels);
    snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d%s), }",
             e->type, (int)frame->height, (int)frame->width, channels);
    memcpy(out, "\x93NUMPY\1\0", 8);
    out = put(out + 8, TEXT, 2);
    memset(out, ' ', TEXT);
    memcpy(out, text, strlen(text));
    out[TEXT - 1] = '\n';
    out += TEXT;
    for (int32_t y = 0; y < frame->height; y++, out += e->row_bytes)
        memcpy(out, e->pixels + (size_t)y * e->stride, e->row_bytes);
    return out;
}

/// The members that an entry and its place in the directory share: from the version that reads it
/// to the length of more members, which are none. It is stored.
static uint8_t *put_members(uint8_t *out, const npz_entry *e)
{
    out = put(out, ZIP_VERSION, 8); // no flags, not packed, midnight
    out = put(out, NEW_YEAR_1980, 2);
    out = put(out, e->crc, 4);
    out = put(out, e->size, 4);
    out = put(out, e->size, 4);
    return put(out, strlen(e->name), 4);
}

static uint8_t *put_entry(uint8_t *out, npz_entry *e, const picture_planes *frame)
{
    uint8_t *array = out + ENTRY_BYTES + strlen(e->name), *end = put_array(array, e, frame);
    e->crc = libdeflate_crc32(0, array, (size_t)(end - array));
    out = put_members(put(out, 0x04034b50, 4), e);
    memcpy(out, e->name, strlen(e->name));
    return end;
}

static uint8_t *put_directory(uint8_t *out, const npz_file *f, uint64_t at)
{
    const uint8_t *start = out;
    for (uint32_t i = 0; i < f->count; i++) {
        const npz_entry *e = &f->entry[i];
        out = put_members(put(put(out, 0x02014b50, 4), ZIP_VERSION, 2), e);
        out = put(out, 0, 10); // no comment, disk or attributes
        out = put(out, e->offset, 4);
        memcpy(out, e->name, strlen(e->name));
        out += strlen(e->name);
    }
    const uint64_t size = (uint64_t)(out - start);
    out = put(put(out, 0x06054b50, 4), 0, 4);
    out = put(put(out, f->count, 2), f->count, 2);
    return put(put(put(out, size, 4), at, 4), 0, 2);
}

zt_result npz_encode(const picture_planes *frame, const zt_encode_def *encoding, arena *a,
                     file_bytes *out, zt_error *err)
{
    (void)encoding;
    npz_file f = {0};
    uint8_t *bytes;
    list_entries(&f, frame);
    if (f.size > UINT32_MAX)
        return zt_fail(err, ZT_ERR_LIMIT, "planes of %llu bytes as NumPy (expected at most 4 GiB)",
                       (unsigned long long)f.size);
    ZT_TRY(ARENA_TAKE_RAW(a, &bytes, (size_t)f.size, "the planes of a NumPy file", err));
    uint8_t *at = bytes;
    for (uint32_t i = 0; i < f.count; i++) {
        ZT_TRY(arena_go_on(a, "the planes of a NumPy file", err));
        f.entry[i].offset = (uint64_t)(at - bytes);
        at = put_entry(at, &f.entry[i], frame);
    }
    put_directory(at, &f, (uint64_t)(at - bytes));
    *out = (file_bytes){bytes, (size_t)f.size};
    return ZT_OK;
}
