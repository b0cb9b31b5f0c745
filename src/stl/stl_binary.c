// SPDX-License-Identifier: MIT
/// Binary STL: 80 bytes of any text, the number of triangles, and for each 50 bytes: normal, three
/// corners and an attribute of 16 bits, all little-endian. Some programs put colours there:
/// VisCAM and SolidView set bit 15 where a triangle has one and have blue in the low bits; Magics
/// writes "COLOR=" with one for the object to the header, clears bit 15 where a triangle has its
/// own, and has red in the low bits.
#include "base/bytes.h"
#include "stl/stl_soup.h"

#include <stdatomic.h>
#include <string.h>

enum {
    HEADER = 80,
    RECORDS = HEADER + 4,
    RECORD = 50,
    CORNERS = 12,   // in a record, behind the normal
    ATTRIBUTE = 48, // in a record
};

static uint32_t count_in(file_bytes bytes) { return bytes_u32_le(bytes.data + HEADER); }

bool stl_is_binary(file_bytes bytes)
{
    return bytes.size >= RECORDS && count_in(bytes) > 0 &&
           bytes.size == RECORDS + RECORD * (uint64_t)count_in(bytes);
}

static void read_header(file_bytes bytes, stl_soup *out)
{
    static const char key[] = "COLOR=";
    const size_t length = sizeof key - 1;
    for (size_t i = 0; i + length + 4 <= HEADER && !out->has_object_color; i++)
        if (memcmp(bytes.data + i, key, length) == 0) {
            memcpy(out->object_color, bytes.data + i + length, 4);
            out->has_object_color = true;
        }
}

/// The triangles' attributes while it is not known whether one has a colour.
typedef struct color_loop {
    const uint8_t *attribute; ///< of the first triangle
    bool magics;
    atomic_bool any;
    uint32_t *color; ///< NULL: only `any` is wanted
} color_loop;

static void read_colors(void *user, size_t first, size_t count)
{
    color_loop *l = user;
    bool any = false;
    for (size_t i = first; i < first + count; i++) {
        const uint32_t attribute = (uint32_t)bytes_load_le(l->attribute + RECORD * i, 2);
        const uint32_t low = attribute & 31, middle = attribute >> 5 & 31;
        const uint32_t high = attribute >> 10 & 31;
        const bool is_own = (attribute >> 15 != 0) != l->magics;
        any = any || is_own;
        if (l->color && is_own)
            l->color[i] =
                1 + (l->magics ? low << 10 | middle << 5 | high : high << 10 | middle << 5 | low);
    }
    if (any)
        atomic_store_explicit(&l->any, true, memory_order_relaxed);
}

static zt_result find_colors(job_pool *pool, file_bytes bytes, stl_soup *soup, zt_error *err)
{
    budget *work = soup->a->budget;
    color_loop loop = {.attribute = bytes.data + RECORDS + ATTRIBUTE,
                       .magics = soup->has_object_color};
    ZT_TRY(job_pool_ranges(pool, work, soup->count, read_colors, &loop, err));
    if (!loop.any)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE(soup->a, &soup->color, soup->count, "colours", err));
    loop.color = soup->color;
    return job_pool_ranges(pool, work, soup->count, read_colors, &loop, err);
}

zt_result stl_read_binary(job_pool *pool, file_bytes bytes, stl_soup *out, zt_error *err)
{
    if (bytes.size < RECORDS)
        return zt_fail(err, ZT_ERR_FORMAT,
                       "%s:%zu: the file ends in its header (expected 84 bytes, or the word solid)",
                       out->path, bytes.size);
    uint64_t count = count_in(bytes);
    const uint64_t complete = (bytes.size - RECORDS) / RECORD;
    if (count == 0 && complete > 0 && (bytes.size - RECORDS) % RECORD == 0) {
        count = complete; // written before it was known
        out->header_says_none = true;
    }
    if (count > complete)
        return zt_fail(err, ZT_ERR_FORMAT,
                       "%s:%zu: the file ends in triangle %llu of %llu (expected 50 bytes for each "
                       "behind byte 84)",
                       out->path, bytes.size, (unsigned long long)complete + 1,
                       (unsigned long long)count);
    out->trailing = bytes.size - RECORDS - count * RECORD;
    read_header(bytes, out);
    ZT_TRY(stl_soup_check(out, count, err));
    out->count = (uint32_t)count;
    out->places.first = bytes.data + RECORDS + CORNERS;
    out->places.stride = RECORD;
    return find_colors(pool, bytes, out, err);
}
