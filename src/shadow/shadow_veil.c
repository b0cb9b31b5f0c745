// SPDX-License-Identifier: MIT
// Surfaces in a shadow map that let a part of the light pass: those that blend or transmit. Each
// texel knows what share of the light they block together, and the depths of the nearest and the
// farthest, between which the share grows.
#include "raster/fragments.h"
#include "shadow/shadow_pass.h"

#include <string.h>

enum { PIECE_FRAGMENTS = 1 << 14 }; ///< multiplied before the caller is asked again

/// The fragments of a tile by number.
typedef struct veil_fragments {
    float *alpha, *depth; ///< [tile_fragments.count]
} veil_fragments;

/// Fills the alphas and depths of one chunk, a tile's worth at a time.
static void chunk_alphas(const shadow_pass *pass, const tile_buffers *tile, tile_rect rect,
                         const fragment_chunk *chunk, const visible_samples *visible, float *alpha,
                         const veil_fragments *out)
{
    enum { PART = TILE_SIZE * TILE_SIZE };
    for (uint32_t begin = 0; begin < chunk->count; begin += PART) {
        const uint32_t left = chunk->count - begin, count = left < PART ? left : PART;
        tile_fragments_visible(tile, chunk, begin, begin + count, visible);
        pass->caster.alpha(&(caster_alpha_job){.frame = pass->caster.test.user,
                                               .visible = visible,
                                               .count = count,
                                               .tile_x = rect.x,
                                               .tile_y = rect.y,
                                               .alpha = alpha});
        memcpy(out->alpha + chunk->first + begin, alpha, count * sizeof *alpha);
        for (uint32_t i = 0; i < count; i++)
            out->depth[chunk->first + begin + i] = chunk->fragment[begin + i].depth;
    }
}

/// Column and row of pixel `pixel` in block order; see raster_tile.
static void texel_of(tile_rect rect, uint32_t pixel, int32_t *x, int32_t *y)
{
    *x = rect.x + (int32_t)((pixel >> 2 & 60u) | (pixel & 3u));
    *y = rect.y + (int32_t)((pixel >> 6 & 60u) | (pixel >> 2 & 3u));
}

/// The fragments sorted[begin] .. sorted[end - 1] of a texel, the farthest first, in this order:
/// the product has one result. False when the work is cancelled.
static bool store_texel(const shadow_veil *veil, size_t texel, const sorted_fragment *sorted,
                        uint32_t begin, uint32_t end, const veil_fragments *all, float *cell,
                        arena *a)
{
    float open = 1.0f;
    for (uint32_t i = begin; i < end; i++) {
        if ((i + 1) % PIECE_FRAGMENTS == 0 && arena_cancelled(a))
            return false;
        open = open * (1.0f - all->alpha[sorted[i].fragment]);
    }
    veil->near[texel] = all->depth[sorted[end - 1].fragment];
    veil->far[texel] = all->depth[sorted[begin].fragment];
    veil->share[texel] = 1.0f - open;
    if (cell && veil->near[texel] > *cell)
        *cell = veil->near[texel];
    return true;
}

/// The texels of a piece of a tile's fragments. Allocates in `a`, the memory of the piece.
static bool store_piece(const shadow_pass *pass, tile_rect rect, const tile_buffers *tile,
                        const tile_fragments *f, arena *a)
{
    const shadow_veil *veil = &pass->veil;
    const shadow_map *map = pass->map;
    const size_t part = TILE_SIZE * TILE_SIZE + VISIBLE_PADDING;
    const visible_samples visible = {.id = ARENA_ARRAY_RAW(a, uint32_t, part),
                                     .position = ARENA_ARRAY_RAW(a, uint32_t, part)};
    const veil_fragments all = {ARENA_ARRAY_RAW(a, float, f->count),
                                ARENA_ARRAY_RAW(a, float, f->count)};
    float *alpha = ARENA_ARRAY_RAW(a, float, part);
    if (!visible.id || !visible.position || !all.alpha || !all.depth || !alpha)
        return false;
    for (const fragment_chunk *c = f->chunks; c; c = c->next) {
        if (arena_cancelled(a))
            return false;
        chunk_alphas(pass, tile, rect, c, &visible, alpha, &all);
    }
    const uint32_t end = 16 * (uint32_t)f->end_block;
    for (uint32_t p = 16 * (uint32_t)f->first_block; p < end; p++) {
        int32_t x, y;
        if (f->first[p + 1] == f->first[p])
            continue;
        texel_of(rect, p, &x, &y);
        if (!store_texel(veil, (size_t)y * (size_t)map->stride + (size_t)x, f->sorted, f->first[p],
                         f->first[p + 1], &all, shadow_cell(map, x, y), a))
            return false;
    }
    return true;
}

/// The fragments from *block on, which becomes the end of those that are stored.
static bool next_piece(const shadow_pass *pass, tile_rect rect, const tile_input *input,
                       const tile_buffers *tile, int32_t *block, arena *a)
{
    tile_fragments f;
    if (!tile_fragments_build(tile, pass->view.shared->raster_loops, rect, input, pass->caster.test,
                              *block, a, &f))
        return false;
    *block = f.end_block;
    return f.count == 0 || store_piece(pass, rect, tile, &f, a);
}

bool shadow_veil_tile(const shadow_pass *pass, tile_rect rect, const tile_input *input,
                      const tile_buffers *tile, arena *a)
{
    const shadow_veil *veil = &pass->veil;
    const shadow_map *map = pass->map;
    for (int32_t y = 0; y < rect.height; y++)
        for (int32_t x = 0; x < rect.width; x++)
            veil->near[(size_t)(rect.y + y) * (size_t)map->stride + (size_t)(rect.x + x)] = -1.0f;
    int32_t block = 0;
    if (!next_piece(pass, rect, input, tile, &block, a))
        return false;
    if (block == TILE_BLOCK_COUNT)
        return true;
    bool stored = true;
    arena pieces;
    arena_init(&pieces, a->budget);
    while (stored && block < TILE_BLOCK_COUNT) {
        arena_reset(&pieces);
        stored = next_piece(pass, rect, input, tile, &block, &pieces);
    }
    if (!stored)
        a->failed = pieces.failed;
    arena_finish(&pieces);
    return stored;
}

zt_result shadow_veil_allocate(shadow_map *map, arena *a, shadow_veil *out, zt_error *err)
{
    const size_t border = SHADOW_BORDER, stride = (size_t)map->stride;
    const size_t count = stride * ((size_t)map->height + 2 * border);
    float *planes[3];
    for (int k = 0; k < 3; k++) {
        ZT_TRY(ARENA_TAKE(a, &planes[k], count, "shadow maps", err));
    }
    for (size_t i = 0; i < count; i++)
        planes[0][i] = -1.0f;
    const size_t first = border * stride + border;
    *out = (shadow_veil){planes[0] + first, planes[1] + first, planes[2] + first};
    map->veil_near = out->near;
    map->veil_far = out->far;
    map->veil_share = out->share;
    return ZT_OK;
}
