// SPDX-License-Identifier: MIT
/// See xfile_tree.h. MSZIP: blocks of up to 32 KiB with their sizes, each "CK" and a DEFLATE stream
/// that may refer to the block before. That block is put in front of the stream, stored as it is.
#include "xfile/xfile_tree.h"

#include "base/bytes.h"
#include "base/inflate.h"

#include <math.h>
#include <string.h>

enum { HEADER = 16, BLOCK = 32768, STORED_HEAD = 5, BLOCK_HEAD = 6 };

typedef struct unpacker {
    const xfile_tree *tree;
    uint8_t *out; ///< [size]
    size_t size, made;
    uint8_t *stream; ///< a stored block, then what the file has
    uint8_t *window; ///< the block before, then the new one
    zt_error *err;
} unpacker;

/// One block, `size` bytes that begin with "CK", into `out`.
static zt_result unpack_block(unpacker *u, const uint8_t *block, size_t size, size_t unpacked,
                              size_t at)
{
    const size_t before = u->made < BLOCK ? u->made : BLOCK;
    size_t length = 0;
    if (before > 0) {
        u->stream[length++] = 0; // not the last block, stored
        u->stream[length++] = (uint8_t)before;
        u->stream[length++] = (uint8_t)(before >> 8);
        u->stream[length++] = (uint8_t)~before;
        u->stream[length++] = (uint8_t)(~before >> 8);
        memcpy(u->stream + length, u->out + u->made - before, before);
        length += before;
    }
    memcpy(u->stream + length, block + 2, size - 2);
    length += size - 2;
    const zt_result r = inflate_exactly(INFLATE_PLAIN, (file_bytes){u->stream, length}, u->window,
                                        before + unpacked);
    if (r == ZT_ERR_MEMORY)
        return zt_fail(u->err, r, "a block: the system has no memory left");
    if (r != ZT_OK)
        return zt_fail(u->err, ZT_ERR_FORMAT, "%s:%zu: a broken MSZIP block (expected %zu bytes)",
                       u->tree->path, at, unpacked);
    memcpy(u->out + u->made, u->window + before, unpacked);
    u->made += unpacked;
    return ZT_OK;
}

static zt_result unpack_blocks(unpacker *u, file_bytes file)
{
    size_t at = HEADER + 4;
    while (u->made < u->size) {
        if (file.size - at < BLOCK_HEAD)
            break;
        const size_t unpacked = bytes_load_le(file.data + at, 2);
        const size_t size = bytes_load_le(file.data + at + 2, 2);
        if (unpacked > BLOCK || unpacked > u->size - u->made || size < 2 ||
            size > file.size - at - 4 || memcmp(file.data + at + 4, "CK", 2) != 0)
            return zt_fail(u->err, ZT_ERR_FORMAT, "%s:%zu: a broken MSZIP block", u->tree->path,
                           at);
        ZT_TRY(arena_go_on(u->tree->a, "the unpacked file", u->err));
        ZT_TRY(unpack_block(u, file.data + at + 4, size, unpacked, at));
        at += 4 + size;
        if (unpacked == 0)
            break;
    }
    return u->made == u->size ? ZT_OK
                              : zt_fail(u->err, ZT_ERR_FORMAT,
                                        "%s:%zu: the file ends early (expected %zu bytes unpacked)",
                                        u->tree->path, at, u->size);
}

static zt_result unpack(xfile_tree *tree, file_bytes file, zt_error *err)
{
    unpacker u = {.tree = tree, .err = err};
    const uint64_t whole = file.size >= HEADER + 4 ? bytes_u32_le(file.data + HEADER) : 0;
    // A block of 32 KiB takes at least its head.
    if (whole < HEADER || (whole - HEADER) / BLOCK > file.size / BLOCK_HEAD)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%d: a size of %llu bytes unpacked", tree->path,
                       (int)HEADER, (unsigned long long)whole);
    u.size = (size_t)whole - HEADER;
    ZT_TRY(ARENA_TAKE_RAW(tree->a, &u.out, u.size + 1, "the unpacked file", err));
    ZT_TRY(ARENA_TAKE_RAW(tree->a, &u.stream, STORED_HEAD + BLOCK + 65536, "a block", err));
    ZT_TRY(ARENA_TAKE_RAW(tree->a, &u.window, 2 * BLOCK, "a block", err));
    const zt_result result = unpack_blocks(&u, file);
    u.out[u.size] = 0;
    tree->bytes = (file_bytes){u.out, u.size};
    tree->begin = 0;
    return result;
}

zt_result xfile_open(xfile_tree *tree, file_bytes file, zt_error *err)
{
    if (file.size < HEADER || memcmp(file.data, "xof ", 4) != 0)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:1:1: no header (expected 'xof 0303txt 0032')",
                       tree->path);
    const char *kind = (const char *)file.data + 8;
    tree->is_text = memcmp(kind, "txt ", 4) == 0 || memcmp(kind, "tzip", 4) == 0;
    tree->is_packed = memcmp(kind, "tzip", 4) == 0 || memcmp(kind, "bzip", 4) == 0;
    if (!tree->is_text && !tree->is_packed && memcmp(kind, "bin ", 4) != 0)
        return zt_fail(err, ZT_ERR_UNSUPPORTED,
                       "%s:1:9: the form '%.4s' is not known (expected txt, bin, tzip or bzip)",
                       tree->path, kind);
    tree->wide = memcmp(kind + 4, "0064", 4) == 0;
    tree->begin = HEADER;
    tree->bytes = (file_bytes){file.data + HEADER, file.size - HEADER};
    return tree->is_packed ? unpack(tree, file, err) : ZT_OK;
}

static const xfile_object *find(const xfile_object *object, const char *type)
{
    while (object && strcmp(object->type, type) != 0)
        object = object->next;
    return object;
}

const xfile_object *xfile_child(const xfile_object *object, const char *type)
{
    return object ? find(object->child, type) : NULL;
}

const xfile_object *xfile_next(const xfile_object *object)
{
    return find(object->next, object->type);
}

double xfile_number(const xfile_object *object, uint32_t index, double fallback)
{
    return object && index < object->number_count && isfinite(object->number[index])
               ? object->number[index]
               : fallback;
}

uint32_t xfile_count(const xfile_object *object, uint32_t index, uint32_t limit, uint32_t fallback)
{
    const double value = xfile_number(object, index, -1.0);
    return value >= 0.0 && value <= (double)limit ? (uint32_t)value : fallback;
}
