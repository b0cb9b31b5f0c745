// SPDX-License-Identifier: MIT
// Tiles: clear, raster kernel, and the list of items, in the block order of the visibility.
#include "raster/tile.h"

#include "kernels/sample_pattern.h"

#include <string.h>

enum { TILE_PIXELS = TILE_SIZE * TILE_SIZE, BLOCK_PIXELS = 16, ITEM_PADDING = 16 };

zt_result tile_buffers_init(tile_buffers *t, arena *a, int32_t sample_count, zt_error *err)
{
    const size_t samples = (size_t)sample_count * TILE_PIXELS;
    t->sample_count = sample_count;
    t->visibility.depth = ARENA_ARRAY_RAW(a, float, samples);
    t->visibility.id = ARENA_ARRAY_RAW(a, uint32_t, samples);
    t->items.id = ARENA_ARRAY_RAW(a, uint32_t, samples + ITEM_PADDING);
    t->items.place = ARENA_ARRAY_RAW(a, uint32_t, samples + ITEM_PADDING);
    t->items.count = ARENA_ARRAY_RAW(a, uint8_t, samples + ITEM_PADDING);
    t->first = ARENA_ARRAY_RAW(a, uint32_t, TILE_FIRST_COUNT);
    if (!t->visibility.depth || !t->visibility.id || !t->items.id || !t->items.place ||
        !t->items.count || !t->first)
        return arena_fail(a, err, "tile buffers");
    return ZT_OK;
}

void tile_raster(tile_buffers *t, const kernel_table *kernels, tile_rect rect,
                 const tile_input *input, const struct shade_frame *frame)
{
    t->touched = input->count > 0 || input->small_runs > 0;
    if (!t->touched)
        return; // nothing to clear for: no list will be made either
    const size_t samples = (size_t)t->sample_count * TILE_PIXELS;
    for (size_t i = 0; i < samples; i++)
        t->visibility.depth[i] = -1.0f;
    memset(t->visibility.id, 0, samples * sizeof *t->visibility.id);
    const raster_job job = {
        .tile = t->visibility,
        .tile_x = rect.x,
        .tile_y = rect.y,
        .sample_count = t->sample_count,
        .sample = tile_sample_pattern(t->sample_count),
        .triangles = input->triangles,
        .count = input->count,
        .small = input->small,
        .small_runs = input->small_runs,
        .frame = frame,
    };
    kernels->raster(&job);
}

/// What stays the same over the blocks of a tile.
typedef struct tile_lister {
    tile_buffers *tile;
    const int8_t (*sample)[2];
    uint32_t centre[BLOCK_PIXELS]; ///< places of the pixel centres of the tile's first block
    uint32_t count;
} tile_lister;

static void list_item(tile_lister *l, uint32_t id, uint32_t place, int32_t samples)
{
    l->tile->items.id[l->count] = id;
    l->tile->items.place[l->count] = place;
    l->tile->items.count[l->count] = (uint8_t)samples;
    l->count++;
}

/// Appends the items of the `at`-th pixel in block order, whose samples differ.
static void list_mixed_pixel(tile_lister *l, size_t at, uint32_t centre)
{
    const shade_items *items = &l->tile->items;
    const uint32_t start = l->count;
    for (int32_t s = 0; s < l->tile->sample_count; s++) {
        const uint32_t id = l->tile->visibility.id[(size_t)s * TILE_PIXELS + at];
        if (id == ID_NONE)
            continue;
        uint32_t known = start;
        while (known < l->count && items->id[known] != id)
            known++;
        if (known < l->count) {
            items->count[known]++;
            continue;
        }
        // Samples lie less than half a pixel from the centre: neither half of a place overflows.
        const uint32_t dx = (uint32_t)l->sample[s][0], dy = (uint32_t)l->sample[s][1];
        list_item(l, id, ((centre + dx) & 0xffff) | ((centre & 0xffff0000u) + (dy << 16)), 1);
    }
}

/// The block whose first pixel is the `at`-th, of which bits of `visible` lie in the picture.
static void list_block(tile_lister *l, size_t at, uint32_t place, unsigned visible)
{
    const tile_buffers *t = l->tile;
    const uint32_t *id = t->visibility.id + at;
    uint32_t differs[BLOCK_PIXELS] = {0}, all = 0,
             none = 0; // compilers make vectors of these loops
    for (int32_t s = 1; s < t->sample_count; s++)
        for (int32_t i = 0; i < BLOCK_PIXELS; i++)
            differs[i] |= id[(size_t)s * TILE_PIXELS + (size_t)i] ^ id[i];
    for (int32_t i = 0; i < BLOCK_PIXELS; i++) {
        all |= differs[i] | id[i];
        none |= differs[i] | (id[i] == ID_NONE ? 1u : 0u);
    }
    uint32_t *first = t->first + at;
    if (!all) {
        for (uint32_t i = 0; i < BLOCK_PIXELS; i++)
            first[i] = l->count;
        return;
    }
    if (!none && visible == 0xffff) { // most blocks: one primitive in every pixel
        uint32_t *out_id = t->items.id + l->count, *out_place = t->items.place + l->count;
        for (uint32_t i = 0; i < BLOCK_PIXELS; i++) {
            out_id[i] = id[i];
            out_place[i] = l->centre[i] + place;
            first[i] = l->count + i;
        }
        memset(t->items.count + l->count, t->sample_count, BLOCK_PIXELS);
        l->count += BLOCK_PIXELS;
        return;
    }
    for (size_t i = 0; i < BLOCK_PIXELS; i++) {
        first[i] = l->count;
        if (!(visible >> i & 1u))
            continue;
        if (differs[i])
            list_mixed_pixel(l, at + i, l->centre[i] + place);
        else if (id[i] != ID_NONE)
            list_item(l, id[i], l->centre[i] + place, t->sample_count);
    }
}

/// Bits of the pixels of the block at (x, y) that lie in the picture.
static unsigned visible_pixels(tile_rect rect, int32_t x, int32_t y)
{
    if (x + 4 <= rect.width && y + 4 <= rect.height)
        return 0xffff;
    unsigned bits = 0;
    for (int32_t i = 0; i < BLOCK_PIXELS; i++)
        bits |= (x + i % 4 < rect.width && y + i / 4 < rect.height ? 1u : 0u) << i;
    return bits;
}

void tile_list_items(tile_buffers *t, tile_rect rect)
{
    tile_lister l = {.tile = t, .sample = tile_sample_pattern(t->sample_count)};
    t->item_count = 0;
    if (!t->touched)
        return;
    for (uint32_t i = 0; i < BLOCK_PIXELS; i++)
        l.centre[i] = (i % 4 * SUBPIXEL_ONE + SUBPIXEL_ONE / 2) |
                      (i / 4 * SUBPIXEL_ONE + SUBPIXEL_ONE / 2) << 16;
    for (int32_t y = 0, block = 0; y < TILE_SIZE; y += 4) {
        for (int32_t x = 0; x < TILE_SIZE; x += 4, block++) {
            const uint32_t place = (uint32_t)(x * SUBPIXEL_ONE) | (uint32_t)(y * SUBPIXEL_ONE)
                                                                      << 16;
            list_block(&l, (size_t)block * BLOCK_PIXELS, place, visible_pixels(rect, x, y));
        }
    }
    t->first[TILE_PIXELS] = t->item_count = l.count;
    for (uint32_t i = 0; i < ITEM_PADDING && l.count > 0; i++) {
        t->items.id[l.count + i] = t->items.id[l.count - 1];
        t->items.place[l.count + i] = t->items.place[l.count - 1];
    }
}

const int8_t (*tile_sample_pattern(int32_t sample_count))[2]
{
    return sample_pattern(sample_count);
}
