// SPDX-License-Identifier: MIT
#include "raster/tile_cover.h"

#include <string.h>

/// The values of the edges of a triangle, positive inside, at (x, y) in fx8: c + a x + b y.
typedef struct edge_set {
    int64_t a[3], b[3], c[3];
} edge_set;

static edge_set edges_of(const setup_triangle *t)
{
    edge_set e;
    const int64_t x[3] = {t->x[0], t->x[1], t->x[2]}, y[3] = {t->y[0], t->y[1], t->y[2]};
    const int64_t area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    const int64_t sign = area < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        e.a[i] = sign * (y[i] - y[j]);
        e.b[i] = sign * (x[j] - x[i]);
        e.c[i] = -(e.a[i] * x[i] + e.b[i] * y[i]);
    }
    return e;
}

/// True when a square is inside all edges.
static bool contains(const edge_set *e, int64_t x, int64_t y, int64_t side)
{
    for (int i = 0; i < 3; i++) {
        const int64_t least =
            (e->a[i] < 0 ? e->a[i] * side : 0) + (e->b[i] < 0 ? e->b[i] * side : 0);
        if (e->c[i] + e->a[i] * x + e->b[i] * y + least < (side > 0))
            return false;
    }
    return true;
}

/// Marks the blocks that a triangle's box touches.
static void mark_box(const setup_triangle *t, tile_rect rect, bool marks[TILE_BLOCK_COUNT])
{
    const int32_t min_x = (t->min_x - rect.x) >> 2, max_x = (t->max_x - rect.x) >> 2;
    const int32_t min_y = (t->min_y - rect.y) >> 2, max_y = (t->max_y - rect.y) >> 2;
    for (int32_t y = min_y > 0 ? min_y : 0; y <= max_y && y < TILE_BLOCKS; y++)
        for (int32_t x = min_x > 0 ? min_x : 0; x <= max_x && x < TILE_BLOCKS; x++)
            marks[y * TILE_BLOCKS + x] = true;
}

static void add_triangle(const block_samples *blocks, tile_rect rect, const setup_triangle *s,
                         const bool others[TILE_BLOCK_COUNT], tile_cover *out)
{
    const edge_set edges = edges_of(s);
    const int64_t left = (int64_t)rect.x * SUBPIXEL_ONE, top = (int64_t)rect.y * SUBPIXEL_ONE;
    const bool whole = contains(&edges, left, top, TILE_SIZE * SUBPIXEL_ONE);
    for (int32_t i = 0; i < TILE_BLOCK_COUNT; i++) {
        const int32_t x = i % TILE_BLOCKS * 4, y = i / TILE_BLOCKS * 4;
        if (others[i] || (blocks && blocks[i].kind != BLOCK_EMPTY) || x >= rect.width ||
            y >= rect.height || out->is_covered[i] ||
            (!whole &&
             !contains(&edges, left + x * SUBPIXEL_ONE, top + y * SUBPIXEL_ONE, 4 * SUBPIXEL_ONE)))
            continue;
        out->is_covered[i] = true;
        out->block[out->count] = (uint16_t)i;
        out->id[out->count++] = s->id;
    }
}

void tile_cover_find(const block_samples *blocks, tile_rect rect, const tile_input *input,
                     uint32_t first_id, tile_cover *out)
{
    bool others[TILE_BLOCK_COUNT] = {false};
    out->count = 0;
    memset(out->is_covered, 0, sizeof out->is_covered);
    for (uint32_t i = 0; i < input->blended_count; i++)
        if (input->blended[i]->id < first_id)
            mark_box(input->blended[i], rect, others);
    for (uint32_t i = 0; i < input->blended_count; i++)
        if (input->blended[i]->id >= first_id)
            add_triangle(blocks, rect, input->blended[i], others, out);
}

bool tile_is_inside(tile_rect rect, const tile_input *input, uint32_t first_id)
{
    unsigned inside = 0; // bits of corners
    for (uint32_t i = 0; i < input->blended_count; i++) {
        if (input->blended[i]->id < first_id)
            continue;
        const edge_set edges = edges_of(input->blended[i]);
        for (int k = 0; k < 4; k++) {
            const int64_t x = (int64_t)(rect.x + (k & 1 ? TILE_SIZE : 0)) * SUBPIXEL_ONE;
            const int64_t y = (int64_t)(rect.y + (k & 2 ? TILE_SIZE : 0)) * SUBPIXEL_ONE;
            inside |= contains(&edges, x, y, 0) ? 1u << k : 0u;
        }
    }
    return inside == 0xf;
}

bool tile_cover_is_whole(const tile_cover *cover, tile_rect rect)
{
    return cover->count == (uint32_t)((rect.width + 3) / 4 * ((rect.height + 3) / 4));
}
