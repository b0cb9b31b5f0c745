// SPDX-License-Identifier: MIT
// Binning by bounding box; a triangle over many tiles is tested against each of them.
#include "geometry/bins.h"

#include <string.h>

/// A triangle over at most this many tiles is listed in all of them: testing would cost more.
enum { TILES_WITHOUT_TEST = 4 };

zt_result bins_init(bins *b, arena *a, int32_t width, int32_t height, zt_error *err)
{
    *b = (bins){.arena = a,
                .columns = (width + TILE_SIZE - 1) / TILE_SIZE,
                .rows = (height + TILE_SIZE - 1) / TILE_SIZE};
    const size_t tiles = (size_t)b->columns * (size_t)b->rows;
    for (int list = 0; list < BIN_LISTS; list++) {
        ZT_TRY(ARENA_TAKE(a, &b->head[list], tiles, "tile lists", err));
    }
    for (int list = 0; list < BIN_SMALL_LISTS; list++) {
        ZT_TRY(ARENA_TAKE(a, &b->small[list], tiles, "tile lists", err));
    }
    return ZT_OK;
}

static bool bin_append(bins *b, bin_list list, int32_t tile, const setup_triangle *triangle)
{
    bin_chunk *chunk = b->head[list][tile];
    if (!chunk || chunk->count == BIN_CHUNK) {
        bin_chunk *added = ARENA_ARRAY_RAW(b->arena, bin_chunk, 1);
        if (!added)
            return false;
        added->next = chunk;
        added->count = 0;
        b->head[list][tile] = chunk = added;
    }
    chunk->triangle[chunk->count++] = triangle;
    return true;
}

/// False when the tile lies wholly outside one edge. Tests the corner of the tile that is farthest
/// inside the edge. The corners of whole pixels, not pixel centres, suit every sample pattern.
static bool tile_may_touch(const setup_triangle *t, int32_t column, int32_t row)
{
    const int64_t left = (int64_t)column * TILE_SIZE * SUBPIXEL_ONE;
    const int64_t top = (int64_t)row * TILE_SIZE * SUBPIXEL_ONE;
    const int64_t side = (int64_t)TILE_SIZE * SUBPIXEL_ONE;
    for (int k = 0; k < 3; k++) {
        const int next = k == 2 ? 0 : k + 1;
        const int64_t dx = t->x[next] - t->x[k], dy = t->y[next] - t->y[k];
        const int64_t px = dy < 0 ? left + side : left; // E grows with -dy x and dx y
        const int64_t py = dx > 0 ? top + side : top;
        if (dx * (py - t->y[k]) - dy * (px - t->x[k]) < 0)
            return false;
    }
    return true;
}

/// A bound of the pixels that a triangle covers: of its bounding box, and of its area and a pixel
/// on each side of its edges, which are at most twice as long as the box is wide and high.
static uint64_t pixels_below(const setup_triangle *t)
{
    const int64_t wide = t->max_x - t->min_x + 1, high = t->max_y - t->min_y + 1;
    const int64_t cross = (int64_t)(t->x[1] - t->x[0]) * (t->y[2] - t->y[0]) -
                          (int64_t)(t->x[2] - t->x[0]) * (t->y[1] - t->y[0]);
    const int64_t area = cross / (2 * SUBPIXEL_ONE * SUBPIXEL_ONE) + 4 * (wide + high);
    if (wide <= 0 || high <= 0)
        return 0;
    return (uint64_t)(area < wide * high ? area : wide * high);
}

bool bins_add(bins *b, bin_list list, const setup_triangle *triangles, uint32_t count)
{
    if (count == 0)
        return true;
    setup_triangle *copies = ARENA_ARRAY_RAW(b->arena, setup_triangle, count);
    if (!copies)
        return false;
    memcpy(copies, triangles, count * sizeof *copies);
    b->triangle_count += count;
    for (uint32_t i = 0; i < count; i++) {
        const setup_triangle *t = &copies[i];
        if (list == BIN_BLENDED || t->masked)
            b->fragment_count += pixels_below(t);
        const int32_t first_column = t->min_x / TILE_SIZE, last_column = t->max_x / TILE_SIZE;
        const int32_t first_row = t->min_y / TILE_SIZE, last_row = t->max_y / TILE_SIZE;
        const int64_t tiles =
            (int64_t)(last_column - first_column + 1) * (last_row - first_row + 1);
        for (int32_t row = first_row; row <= last_row; row++) {
            for (int32_t column = first_column; column <= last_column; column++) {
                if (tiles > TILES_WITHOUT_TEST && !tile_may_touch(t, column, row))
                    continue;
                if (!bin_append(b, list, row * b->columns + column, t))
                    return false;
            }
        }
    }
    return true;
}

static bin_small_chunk *small_chunk_new(bins *b, bin_small_list list, int32_t tile)
{
    bin_small_chunk *added = ARENA_ARRAY_RAW(b->arena, bin_small_chunk, 1);
    if (!added)
        return NULL;
    added->next = b->small[list][tile];
    added->count = 0;
    b->small[list][tile] = added;
    return added;
}

static inline bool small_append(bins *b, bin_small_list list, int32_t tile,
                                const small_triangle *triangle)
{
    bin_small_chunk *chunk = b->small[list][tile];
    if (!chunk || chunk->count == BIN_SMALL_CHUNK) {
        chunk = small_chunk_new(b, list, tile);
        if (!chunk)
            return false;
    }
    chunk->triangle[chunk->count++] = *triangle;
    return true;
}

bool bins_add_small(bins *b, bin_small_list list, const small_triangle *triangles,
                    const uint32_t *tiles, uint32_t count)
{
    b->triangle_count += count;
    for (uint32_t i = 0; i < count; i++) {
        const int32_t first_column = tiles[i] & 0xff, first_row = tiles[i] >> 8 & 0xff;
        if ((tiles[i] & 0xffff) == tiles[i] >> SMALL_TILES_LAST_COLUMN) { // most are in one tile
            if (!small_append(b, list, first_row * b->columns + first_column, &triangles[i]))
                return false;
            continue;
        }
        const int32_t last_column = tiles[i] >> SMALL_TILES_LAST_COLUMN & 0xff;
        const int32_t last_row = (int32_t)(tiles[i] >> SMALL_TILES_LAST_ROW);
        for (int32_t row = first_row; row <= last_row; row++)
            for (int32_t column = first_column; column <= last_column; column++)
                if (!small_append(b, list, row * b->columns + column, &triangles[i]))
                    return false;
    }
    return true;
}
