// SPDX-License-Identifier: MIT
// Tiles: clear, raster kernel, and the walk from block-linear visibility to items in pixel order.
#include "raster/tile.h"

#include "kernels/sample_pattern.h"

#include <string.h>

enum { TILE_PIXELS = TILE_SIZE * TILE_SIZE };

zt_result tile_buffers_init(tile_buffers *t, arena *a, int32_t sample_count, zt_error *err)
{
    const size_t samples = (size_t)sample_count * TILE_PIXELS;
    t->sample_count = sample_count;
    t->visibility.depth = ARENA_ARRAY_RAW(a, float, samples);
    t->visibility.id = ARENA_ARRAY_RAW(a, uint32_t, samples);
    t->items = ARENA_ARRAY_RAW(a, shade_item, samples);
    t->first = ARENA_ARRAY_RAW(a, uint32_t, TILE_PIXELS + 1);
    if (!t->visibility.depth || !t->visibility.id || !t->items || !t->first)
        return arena_fail(a, err, "tile buffers");
    return ZT_OK;
}

void tile_raster(tile_buffers *t, const kernel_table *kernels, tile_rect rect,
                 const setup_triangle *const *triangles, uint32_t count,
                 const struct shade_frame *frame)
{
    t->touched = count > 0;
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
        .triangles = triangles,
        .count = count,
        .frame = frame,
    };
    kernels->raster(&job);
}

/// Appends the items of a pixel whose samples differ. Returns the new item count.
static uint32_t list_mixed_pixel(tile_buffers *t, const int8_t (*sample)[2], size_t at, int32_t x,
                                 int32_t y, uint32_t count)
{
    const uint32_t start = count;
    for (int32_t s = 0; s < t->sample_count; s++) {
        const uint32_t id = t->visibility.id[(size_t)s * TILE_PIXELS + at];
        if (id == ID_NONE)
            continue;
        uint32_t known = start;
        while (known < count && t->items[known].id != id)
            known++;
        if (known < count)
            t->items[known].count++;
        else
            t->items[count++] = (shade_item){id, x + sample[s][0], y + sample[s][1], 1};
    }
    return count;
}

/// Four pixels of a block row from (x, y) of the tile. Returns the new item count.
static uint32_t list_quad(tile_buffers *t, const int8_t (*sample)[2], tile_rect rect, int32_t x,
                          int32_t y, uint32_t count)
{
    const size_t at = ((size_t)(y / 4) * TILE_BLOCKS + (size_t)(x / 4)) * 16 + (size_t)(y % 4 * 4);
    const int32_t width = rect.width - x < 4 ? rect.width - x : 4;
    uint32_t *first = t->first + (size_t)y * (size_t)rect.width + (size_t)x;
    const uint32_t *id = t->visibility.id + at;
    uint32_t differs[4] = {0}; // samples outside, pixels inside: compilers make vectors of the four
    for (int32_t s = 1; s < t->sample_count; s++)
        for (int32_t i = 0; i < 4; i++)
            differs[i] |= id[(size_t)s * TILE_PIXELS + (size_t)i] ^ id[i];
    for (int32_t i = 0; i < width; i++) {
        const int32_t centre_x = (rect.x + x + i) * SUBPIXEL_ONE + SUBPIXEL_ONE / 2;
        const int32_t centre_y = (rect.y + y) * SUBPIXEL_ONE + SUBPIXEL_ONE / 2;
        first[i] = count;
        if (differs[i])
            count = list_mixed_pixel(t, sample, at + (size_t)i, centre_x, centre_y, count);
        else if (id[i] != ID_NONE)
            t->items[count++] = (shade_item){id[i], centre_x, centre_y, (uint32_t)t->sample_count};
    }
    return count;
}

void tile_list_items(tile_buffers *t, tile_rect rect)
{
    const int8_t(*sample)[2] = tile_sample_pattern(t->sample_count);
    const size_t pixels = (size_t)rect.width * (size_t)rect.height;
    uint32_t count = 0;
    if (!t->touched) {
        memset(t->first, 0, (pixels + 1) * sizeof *t->first);
    } else {
        for (int32_t y = 0; y < rect.height; y++)
            for (int32_t x = 0; x < rect.width; x += 4)
                count = list_quad(t, sample, rect, x, y, count);
        t->first[pixels] = count;
    }
    t->item_count = count;
}

const int8_t (*tile_sample_pattern(int32_t sample_count))[2]
{
    return sample_pattern(sample_count);
}
