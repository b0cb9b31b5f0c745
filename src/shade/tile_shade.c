// SPDX-License-Identifier: MIT
// Grouping by material is a counting sort that keeps pixel order; colours are stored by item, so
// the order of shading never reaches a pixel.
#include "shade/tile_shade.h"

#include <string.h>

enum { TILE_PIXELS = TILE_SIZE * TILE_SIZE };

zt_result shade_buffers_init(shade_buffers *s, arena *a, int32_t sample_count,
                             uint32_t material_count, zt_error *err)
{
    const size_t items = (size_t)sample_count * TILE_PIXELS;
    s->material_count = material_count;
    s->color = arena_alloc_raw(a, items, sizeof *s->color);
    // A tile shows at most `items` materials, and a group grows by 15 at most when padded.
    const size_t groups = material_count < items ? material_count : items;
    s->index = ARENA_ARRAY_RAW(a, uint32_t, items + groups * 15);
    s->material_start = ARENA_ARRAY_RAW(a, uint32_t, (size_t)material_count + 1);
    if (!s->color || !s->index || !s->material_start)
        return arena_fail(a, err, "shading buffers");
    return ZT_OK;
}

static uint32_t item_material(const shade_frame *frame, const shade_item *item)
{
    return frame->meshlets[(item->id - 1u) >> 7].material;
}

void shade_tile(shade_buffers *s, const tile_buffers *t, const kernel_table *kernels,
                const shade_frame *frame)
{
    uint32_t *start = s->material_start;
    memset(start, 0, ((size_t)s->material_count + 1) * sizeof *start);
    for (uint32_t i = 0; i < t->item_count; i++)
        start[item_material(frame, &t->items[i])]++;
    uint32_t at = 0;
    for (uint32_t m = 0; m < s->material_count; m++) {
        const uint32_t count = start[m];
        start[m] = at;
        at += (count + 15u) & ~15u;
    }
    for (uint32_t i = 0; i < t->item_count; i++)
        s->index[start[item_material(frame, &t->items[i])]++] = i;

    // start[m] is now the end of group m; group m begins at the padded end of the one before.
    uint32_t begin = 0;
    for (uint32_t m = 0; m < s->material_count; m++) {
        const uint32_t end = start[m], count = end - begin;
        if (count == 0)
            continue;
        const uint32_t padded = begin + ((count + 15u) & ~15u);
        for (uint32_t i = end; i < padded; i++)
            s->index[i] = s->index[end - 1];
        const shade_job job = {.frame = frame,
                               .material = &frame->materials[m],
                               .items = t->items,
                               .index = s->index + begin,
                               .count = count,
                               .color = s->color};
        kernels->shade(&job);
        begin = padded;
    }
}

void film_tile(const shade_buffers *s, const tile_buffers *t, const kernel_table *kernels,
               tile_rect rect, const film_settings *film, const film_srgb *srgb,
               const zt_image *target)
{
    film_job job = {
        .items = t->items,
        .color = (const float(*)[4])s->color,
        .first = t->first,
        .width = rect.width,
        .height = rect.height,
        .sample_count = t->sample_count,
        .exposure = film->exposure,
        .tone_map = film->tone_map,
        .transparent = film->transparent,
        .srgb = srgb,
        .out = target->rgba8 + (size_t)rect.y * target->stride + (size_t)rect.x * 4,
        .out_stride = target->stride,
    };
    memcpy(job.background, film->background, sizeof job.background);
    kernels->film(&job);
}
