// SPDX-License-Identifier: MIT
/// Binary STL: 80 bytes of any text, the number of triangles, and for each 50 bytes: normal, three
/// corners and an attribute of 16 bits, all little-endian. Some programs put colours there:
/// VisCAM and SolidView set bit 15 where a triangle has one and have blue in the low bits; Magics
/// writes "COLOR=" with one for the object to the header, clears bit 15 where a triangle has its
/// own, and has red in the low bits.
#include "base/bytes.h"
#include "stl/stl_soup.h"

#include <math.h>
#include <string.h>

enum {
    HEADER = 80,
    RECORDS = HEADER + 4,
    RECORD = 50,
    CORNERS = 12,   // in a record, behind the normal
    ATTRIBUTE = 48, // in a record
    AHEAD = 64,     // triangles whose points are on their way from memory
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

/// Fills soup->color from the first triangle with a colour on.
static zt_result add_color(stl_soup *soup, uint32_t attribute, zt_error *err)
{
    const uint32_t low = attribute & 31, middle = attribute >> 5 & 31, high = attribute >> 10 & 31;
    const bool magics = soup->has_object_color, is_own = (attribute >> 15 != 0) != magics;
    if (!is_own)
        return ZT_OK;
    if (!soup->color)
        ZT_TRY(ARENA_TAKE(soup->a, &soup->color, soup->capacity, "colours", err));
    soup->color[soup->count] =
        1 + (magics ? low << 10 | middle << 5 | high : high << 10 | middle << 5 | low);
    return ZT_OK;
}

/// False for a corner that is not finite.
static bool load_corners(const uint8_t *record, float out[3][3])
{
    bool finite = true;
    for (int i = 0; i < 9; i++) {
        const uint32_t bits = bytes_u32_le(record + CORNERS + 4 * i);
        memcpy(&out[i / 3][i % 3], &bits, sizeof bits);
        finite = finite && isfinite(out[i / 3][i % 3]);
    }
    return finite;
}

static zt_result add_some(const uint8_t *record, uint32_t count, stl_soup *soup, zt_error *err)
{
    float corner[AHEAD][3][3];
    uint64_t hash[AHEAD][3];
    bool finite[AHEAD];
    for (uint32_t i = 0; i < count; i++) {
        finite[i] = load_corners(record + (size_t)RECORD * i, corner[i]);
        for (int k = 0; k < 3 && finite[i]; k++) {
            hash[i][k] = point_hash(corner[i][k]);
            point_table_prefetch(&soup->points, hash[i][k]);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *to = soup->corner + 3 * (size_t)soup->count;
        soup->dropped += !finite[i];
        if (!finite[i])
            continue;
        for (int k = 0; k < 3; k++)
            if (!point_table_add(&soup->points, corner[i][k], hash[i][k], &to[k]))
                return arena_fail(soup->a, err, "points");
        ZT_TRY(add_color(soup, (uint32_t)bytes_load_le(record + (size_t)RECORD * i + ATTRIBUTE, 2),
                         err));
        soup->count++;
    }
    return ZT_OK;
}

zt_result stl_read_binary(file_bytes bytes, stl_soup *out, zt_error *err)
{
    if (bytes.size < RECORDS)
        return zt_fail(err, ZT_ERR_FORMAT,
                       "%s:%zu: the file ends in its header (expected 84 bytes, or the word solid)",
                       out->path, bytes.size);
    uint64_t count = count_in(bytes);
    const uint64_t there = (bytes.size - RECORDS) / RECORD;
    if (count == 0 && there > 0 && (bytes.size - RECORDS) % RECORD == 0) {
        count = there; // written before it was known
        out->counted = true;
    }
    if (count > there)
        return zt_fail(err, ZT_ERR_FORMAT,
                       "%s:%zu: the file ends in triangle %llu of %llu (expected 50 bytes for each "
                       "behind byte 84)",
                       out->path, bytes.size, (unsigned long long)there + 1,
                       (unsigned long long)count);
    out->trailing = bytes.size - RECORDS - count * RECORD;
    read_header(bytes, out);
    ZT_TRY(stl_soup_reserve(out, count, err));
    for (uint64_t i = 0; i < count; i += AHEAD) {
        if (arena_cancelled(out->a))
            return arena_fail(out->a, err, "triangles");
        ZT_TRY(add_some(bytes.data + RECORDS + RECORD * i,
                        (uint32_t)(count - i < AHEAD ? count - i : AHEAD), out, err));
    }
    return ZT_OK;
}
