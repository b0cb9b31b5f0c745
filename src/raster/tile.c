// SPDX-License-Identifier: MIT
// Tiles: clear, raster kernel, and the walk from block-linear visibility to items in pixel order.
#include "raster/tile.h"

#include "kernels/sample_pattern.h"

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
    const size_t samples = (size_t)t->sample_count * TILE_PIXELS;
    for (size_t i = 0; i < samples; i++)
        t->visibility.depth[i] = -1.0f;
    for (size_t i = 0; i < samples; i++)
        t->visibility.id[i] = ID_NONE;
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
    if (count > 0)
        kernels->raster(&job);
}

static size_t block_index(int32_t x, int32_t y)
{
    return ((size_t)(y / 4) * TILE_BLOCKS + (size_t)(x / 4)) * 16 + (size_t)(y % 4 * 4 + x % 4);
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

void tile_list_items(tile_buffers *t, tile_rect rect)
{
    const int8_t(*sample)[2] = tile_sample_pattern(t->sample_count);
    const uint32_t *id = t->visibility.id;
    uint32_t count = 0, pixel = 0;
    for (int32_t y = 0; y < rect.height; y++) {
        for (int32_t x = 0; x < rect.width; x++) {
            const size_t at = block_index(x, y);
            const int32_t centre_x = (rect.x + x) * SUBPIXEL_ONE + SUBPIXEL_ONE / 2;
            const int32_t centre_y = (rect.y + y) * SUBPIXEL_ONE + SUBPIXEL_ONE / 2;
            bool uniform = true;
            for (int32_t s = 1; s < t->sample_count; s++)
                uniform = uniform && id[(size_t)s * TILE_PIXELS + at] == id[at];
            t->first[pixel++] = count;
            if (!uniform)
                count = list_mixed_pixel(t, sample, at, centre_x, centre_y, count);
            else if (id[at] != ID_NONE)
                t->items[count++] =
                    (shade_item){id[at], centre_x, centre_y, (uint32_t)t->sample_count};
        }
    }
    t->first[pixel] = count;
    t->item_count = count;
}

const int8_t (*tile_sample_pattern(int32_t sample_count))[2]
{
    return sample_pattern(sample_count);
}
