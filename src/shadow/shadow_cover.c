// SPDX-License-Identifier: MIT
// The cells of shadow maps of lights with an extent: what may block their light.
#include "base/maths.h"
#include "shadow/shadow_pass.h"
enum {
    CELL_SHIFT_MIN = SHADOW_COVER_SHIFT,
    CELL_SHIFT_MAX = 6, ///< a tile
    COVER_AFTER = 16,   ///< cells after the last one, which loops may read
};

/// Cells leave no gaps between a disc's samples, about this part of its radius apart.
#define CELL_OF_SEARCH 0.5f

static int32_t cover_cells(int32_t texels) { return ((texels - 1) >> SHADOW_COVER_SHIFT) + 1; }

zt_result shadow_cover_allocate(shadow_map *map, arena *a, zt_error *err)
{
    while (map->cell_shift < CELL_SHIFT_MAX &&
           (float)(1 << map->cell_shift) < CELL_OF_SEARCH * map->search)
        map->cell_shift++;
    map->cell_shift = map->cell_shift < CELL_SHIFT_MIN ? CELL_SHIFT_MIN : map->cell_shift;
    map->cells_wide = ((map->width - 1) >> map->cell_shift) + 1;
    map->cells_high = ((map->height - 1) >> map->cell_shift) + 1;
    map->cover_wide = cover_cells(map->width);
    const size_t count = (size_t)map->cells_wide * (size_t)map->cells_high;
    const size_t covers = (size_t)map->cover_wide * (size_t)cover_cells(map->height) + COVER_AFTER;
    float *cells = ARENA_ARRAY_RAW(a, float, count), *cover = ARENA_ARRAY_RAW(a, float, covers);
    if (!cells || !cover)
        return arena_fail(a, err, "shadow maps");
    shadow_clear(cover + covers - COVER_AFTER, COVER_AFTER); // the others are of tiles
    map->cells = cells;
    map->cover = cover;
    return ZT_OK;
}

void shadow_cover_tile(const shadow_map *map, tile_rect rect, const tile_buffers *tile)
{
    const int32_t wide = ((rect.width - 1) >> SHADOW_COVER_SHIFT) + 1;
    for (int32_t y = 0; y < rect.height; y += SHADOW_COVER_CELL)
        shadow_clear(shadow_cell(map, rect.x, rect.y + y), (size_t)wide);
    if (!tile->touched)
        return;
    for (int32_t block = 0; block < TILE_BLOCK_COUNT; block++) {
        const int32_t x = rect.x + block % TILE_BLOCKS * 4, y = rect.y + block / TILE_BLOCKS * 4;
        const float *depth = tile->visibility.depth + (ptrdiff_t)block * 16;
        if (x >= map->width || y >= map->height)
            continue; // samples outside of the map may have any values
        float highest[4], *cell = shadow_cell(map, x, y);
        for (int32_t i = 0; i < 4; i++)
            highest[i] = maths_maxf(maths_maxf(depth[i], depth[i + 4]),
                                    maths_maxf(depth[i + 8], depth[i + 12]));
        *cell = maths_maxf(*cell, maths_maxf(maths_maxf(highest[0], highest[1]),
                                             maths_maxf(highest[2], highest[3])));
    }
}

/// The cells of the search for what blocks the light, from finer ones.
static void reduce_cells(const shadow_map *map)
{
    const int32_t shift = map->cell_shift - SHADOW_COVER_SHIFT, wide = map->cover_wide;
    float *cells = (float *)(uintptr_t)map->cells;
    for (int32_t y = 0; y < cover_cells(map->height); y++) {
        const float *from = map->cover + (ptrdiff_t)y * wide;
        float *to = cells + (ptrdiff_t)(y >> shift) * map->cells_wide;
        const bool first = y == (y >> shift) << shift;
        for (int32_t cell = 0; cell << shift < wide; cell++) {
            const int32_t end = (cell + 1) << shift < wide ? (cell + 1) << shift : wide;
            float highest = first ? -1.0f : to[cell];
            for (int32_t x = cell << shift; x < end; x++)
                highest = maths_maxf(highest, from[x]);
            to[cell] = highest;
        }
    }
}

/// The largest of three adjacent values along a row.
static void widen_row(float *row, int32_t width)
{
    float before = row[0];
    for (int32_t x = 0; x < width; x++) {
        const float own = row[x], after = x + 1 < width ? row[x + 1] : own;
        row[x] = maths_maxf(maths_maxf(before, after), own);
        before = own;
    }
}

/// Raises `to` [width] to `from`.
static void raise_to(float *restrict to, const float *restrict from, int32_t width)
{
    for (int32_t x = 0; x < width; x++)
        to[x] = maths_maxf(to[x], from[x]);
}

/// Raises `to` [width] to neighbours in the row `from`, less what the cone of light rises between.
static void raise_row(float *restrict to, const float *restrict from, int32_t width, float side,
                      float diagonal)
{
    for (int32_t x = 0; x < width; x++) {
        const float left = from[x > 0 ? x - 1 : 0], right = from[x + 1 < width ? x + 1 : x];
        to[x] = maths_maxf(maths_maxf(to[x], from[x] - side), maths_maxf(left, right) - diagonal);
    }
}

/// Raises each cell to the highest surface that reaches into the cone above it: a neighbour counts
/// in full, a cell farther off less what the cone rises on the way (a distance transform in two
/// passes; Borgefors, "Distance transformations in digital images", 1986).
static void spread_cover(const shadow_map *map)
{
    const int32_t wide = map->cover_wide, high = cover_cells(map->height);
    const float side = (float)SHADOW_COVER_CELL * SHADOW_CONE / map->spread;
    const float diagonal = 1.4f * side;
    float *cover = (float *)(uintptr_t)map->cover;
    for (int32_t y = 0; y < high; y++)
        widen_row(cover + (ptrdiff_t)y * wide, wide);
    // The largest of three along columns: first that of two, then that of two of these.
    for (int32_t y = 0; y + 1 < high; y++)
        raise_to(cover + (ptrdiff_t)y * wide, cover + (ptrdiff_t)(y + 1) * wide, wide);
    for (int32_t y = high - 1; y > 0; y--)
        raise_to(cover + (ptrdiff_t)y * wide, cover + (ptrdiff_t)(y - 1) * wide, wide);
    for (int32_t y = 0; y < high; y++) {
        float *row = cover + (ptrdiff_t)y * wide;
        if (y > 0)
            raise_row(row, row - wide, wide, side, diagonal);
        for (int32_t x = 1; x < wide; x++)
            row[x] = maths_maxf(row[x], row[x - 1] - side);
    }
    for (int32_t y = high - 1; y >= 0; y--) {
        float *row = cover + (ptrdiff_t)y * wide;
        if (y + 1 < high)
            raise_row(row, row + wide, wide, side, diagonal);
        for (int32_t x = wide - 2; x >= 0; x--)
            row[x] = maths_maxf(row[x], row[x + 1] - side);
    }
}

void shadow_cover_finish(const shadow_map *map)
{
    reduce_cells(map);
    spread_cover(map);
}
