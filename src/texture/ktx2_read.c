// SPDX-License-Identifier: MIT
/// KTX2 files in memory -> pictures with the mip levels of the file; of an array or a cube map the
/// first image. Levels may be plain or supercompressed with Zstandard, zlib or BasisLZ.
#include "base/inflate.h"
#include "texture/etc1s.h"
#include "texture/texel_format.h"
#include "texture/texture_codecs.h"

#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

/// Memory that zstd takes to unpack a level in one call, rounded up; libdeflate takes less.
enum { UNPACKER_BYTES = 256 << 10 };

static zt_result unpack_zstd(const ktx2_file *f, const ktx2_level *level, uint8_t *out,
                             zt_error *err)
{
    const size_t size =
        ZSTD_decompress(out, level->full_size, f->bytes.data + level->offset, level->size);
    if (ZSTD_getErrorCode(size) == ZSTD_error_memory_allocation)
        return zt_fail(err, ZT_ERR_MEMORY, "%s: no memory for a Zstandard decoder", f->name);
    if (ZSTD_isError(size))
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: broken Zstandard data: %s", f->name,
                       level->offset, ZSTD_getErrorName(size));
    if (size != level->full_size)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: Zstandard data of %zu bytes (expected %llu)",
                       f->name, level->offset, size, (unsigned long long)level->full_size);
    return ZT_OK;
}

static zt_result fail_zlib(const ktx2_file *f, const ktx2_level *level, zt_error *err)
{
    return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: broken zlib data (expected %llu bytes of it)",
                   f->name, level->offset, (unsigned long long)level->full_size);
}

static zt_result unpack_zlib(const ktx2_file *f, const ktx2_level *level, uint8_t *out,
                             zt_error *err)
{
    const file_bytes packed = {f->bytes.data + level->offset, level->size};
    const zt_result result = inflate_exactly(INFLATE_ZLIB, packed, out, (size_t)level->full_size);
    if (result == ZT_ERR_MEMORY)
        return zt_fail(err, result, "%s: no memory for a zlib decoder", f->name);
    return result == ZT_OK ? ZT_OK : fail_zlib(f, level, err);
}

/// The texels of a level without supercompression: in the file, or unpacked to `temporary`.
static zt_result level_bytes(const ktx2_file *f, uint32_t index, arena *temporary,
                             const uint8_t **out, zt_error *err)
{
    const ktx2_level *level = &f->level[index];
    *out = f->bytes.data + level->offset;
    if (f->scheme == KTX2_PLAIN)
        return ZT_OK;
    if (f->scheme != KTX2_ZSTD && !inflate_is_possible(level->size, level->full_size))
        return fail_zlib(f, level, err);
    uint8_t *data;
    ZT_TRY(ARENA_TAKE_RAW(temporary, &data, level->full_size, "a level of a KTX2", err));
    *out = data;
    if (!arena_charge(temporary, UNPACKER_BYTES))
        return arena_fail(temporary, err, "unpacking a KTX2");
    return f->scheme == KTX2_ZSTD ? unpack_zstd(f, level, data, err)
                                  : unpack_zlib(f, level, data, err);
}

static uint32_t swizzled(char from, const uint32_t pixel[4], uint32_t one)
{
    switch (from) {
    case 'r': return pixel[0];
    case 'g': return pixel[1];
    case 'b': return pixel[2];
    case 'a': return pixel[3];
    default: return from == '1' ? one : 0;
    }
}

/// Rearranges channels in place. Returns whether any pixel is not opaque.
static bool apply_swizzle(const char swizzle[4], bool wide, void *pixels, size_t count)
{
    const uint32_t one = wide ? 65535 : 255;
    uint16_t *wide_pixel = pixels;
    uint8_t *narrow_pixel = pixels;
    bool transparent = false;
    for (size_t i = 0; i < count; i++) {
        uint32_t pixel[4];
        for (size_t c = 0; c < 4; c++)
            pixel[c] = wide ? wide_pixel[4 * i + c] : narrow_pixel[4 * i + c];
        for (size_t c = 0; c < 4; c++) {
            const uint32_t value = swizzled(swizzle[c], pixel, one);
            if (wide)
                wide_pixel[4 * i + c] = (uint16_t)value;
            else
                narrow_pixel[4 * i + c] = (uint8_t)value;
            transparent |= c == 3 && value != one;
        }
    }
    return transparent;
}

static void flip_rows(uint8_t *pixels, size_t row_size, size_t rows)
{
    for (size_t y = 0; y < rows / 2; y++) {
        uint8_t *a = pixels + y * row_size, *b = pixels + (rows - 1 - y) * row_size;
        for (size_t i = 0; i < row_size; i++) {
            const uint8_t swap = a[i];
            a[i] = b[i];
            b[i] = swap;
        }
    }
}

static bool any_transparent(const uint8_t *pixels, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (pixels[4 * i + 3] != 255)
            return true;
    return false;
}

/// The inputs of decoding a level from its file.
typedef struct level_reader {
    const ktx2_file *file;
    const etc1s_codebook *book; ///< of BasisLZ
    bool wide;
} level_reader;

/// Decodes a level into `out`; sets `transparent` when any pixel is not opaque.
static zt_result decode_level(const level_reader *r, uint32_t index, arena *temporary, uint8_t *out,
                              bool *transparent, zt_error *err)
{
    const ktx2_file *f = r->file;
    texel_level source = {NULL, picture_level_side(f->width, index),
                          picture_level_side(f->height, index)};
    const size_t count = (size_t)source.width * source.height;
    bool has_alpha;
    if (f->scheme == KTX2_BASIS_LZ) {
        ZT_TRY(etc1s_level_decode(f, r->book, index, temporary, out, err));
        has_alpha = any_transparent(out, count);
    } else {
        ZT_TRY(level_bytes(f, index, temporary, &source.data, err));
        ZT_TRY(texel_level_decode(&f->format, &source, temporary->budget, out, &has_alpha, err));
    }
    if (memcmp(f->swizzle, "rgba", 4) != 0)
        has_alpha = apply_swizzle(f->swizzle, r->wide, out, count);
    if (f->bottom_up)
        flip_rows(out, (size_t)source.width * (r->wide ? 8 : 4), source.height);
    *transparent |= has_alpha;
    return ZT_OK;
}

/// Decodes the levels from the first one that `need` asks for.
static zt_result decode_levels(arena *a, const level_reader *r, picture_need need, picture *out,
                               zt_error *err)
{
    const ktx2_file *f = r->file;
    const int32_t reduction =
        picture_reduction((int32_t)f->width, (int32_t)f->height, need.min_side);
    const int32_t last = (int32_t)f->level_count - 1;
    const int32_t first = reduction < last ? reduction : last;
    picture p = {.width = (int32_t)picture_level_side(f->width, (uint32_t)first),
                 .height = (int32_t)picture_level_side(f->height, (uint32_t)first),
                 .level_count = last - first + 1,
                 .format = r->wide ? PICTURE_RGBA16 : PICTURE_RGBA8,
                 .two_channel = f->format.two_channel,
                 .srgb_declared = f->srgb,
                 .skip = reduction - first};
    ZT_TRY(
        picture_note_first(a, &p, f->image_count, f->is_cube ? "cube faces" : "array layers", err));
    for (int32_t i = first; i <= last; i++) {
        const uint32_t index = (uint32_t)i;
        const size_t count =
            (size_t)picture_level_side(f->width, index) * picture_level_side(f->height, index);
        uint8_t *pixels = arena_alloc_raw(a, count, r->wide ? 8 : 4);
        if (!pixels)
            return arena_fail(a, err, "the pixels of a KTX2");
        arena temporary;
        arena_init(&temporary, a->budget);
        const zt_result result = decode_level(r, index, &temporary, pixels, &p.has_alpha, err);
        arena_finish(&temporary);
        if (result != ZT_OK)
            return result;
        p.level[i - first] = pixels;
    }
    *out = p;
    return ZT_OK;
}

zt_result ktx2_decode(arena *a, const char *name, file_bytes bytes, picture_need need, picture *out,
                      zt_error *err)
{
    *out = (picture){0};
    ktx2_file f;
    ZT_TRY(ktx2_open(name, bytes, &f, err));
    arena shared;
    etc1s_codebook book;
    arena_init(&shared, a->budget);
    zt_result result =
        f.scheme == KTX2_BASIS_LZ ? etc1s_codebook_read(&f, &shared, &book, err) : ZT_OK;
    if (result == ZT_OK)
        result = decode_levels(a, &(level_reader){&f, &book, texel_format_is_wide(&f.format)}, need,
                               out, err);
    arena_finish(&shared);
    return result;
}
