// SPDX-License-Identifier: MIT
// Grouping by material is a counting sort that keeps the order of visible samples; colours are
// stored by visible sample, so the order of shading never reaches a pixel. Costs grow with what a
// tile shows, not with how many materials there are.
#include "shade/tile_shade.h"

#include <string.h>

enum { TILE_PIXELS = TILE_SIZE * TILE_SIZE, SAMPLE_PADDING = 16 };

zt_result shade_buffers_init(shade_buffers *s, arena *a, int32_t sample_count,
                             uint32_t material_count, zt_error *err)
{
    const size_t visible = (size_t)sample_count * TILE_PIXELS;
    // A tile shows at most as many materials as it has samples, and a group grows by 15 at most
    // when padded.
    const size_t groups = material_count < visible ? material_count : visible;
    s->color.r = ARENA_ARRAY_RAW(a, float, visible + SAMPLE_PADDING);
    s->color.g = ARENA_ARRAY_RAW(a, float, visible + SAMPLE_PADDING);
    s->color.b = ARENA_ARRAY_RAW(a, float, visible + SAMPLE_PADDING);
    s->index = ARENA_ARRAY_RAW(a, uint32_t, visible + groups * 15);
    s->material_count = ARENA_ARRAY(a, uint32_t, (size_t)material_count);
    s->material_start = ARENA_ARRAY_RAW(a, uint32_t, (size_t)material_count);
    s->shown = ARENA_ARRAY_RAW(a, uint32_t, (size_t)material_count);
    s->material_limit = material_count;
    if (!s->color.r || !s->color.g || !s->color.b || !s->index || !s->material_count ||
        !s->material_start || !s->shown)
        return arena_fail(a, err, "shading buffers");
    return ZT_OK;
}

/// What is shaded at a time: the visible samples that a tile shows, or fragments.
typedef struct shade_group {
    const visible_samples *visible;
    uint32_t count;
    shade_colors color;
    uint32_t *index; ///< room for shade_buffers.index
} shade_group;

/// Walks over runs of visible samples of one meshlet: the material of the visible sample at `i`,
/// and in `end` the first visible sample that may have another one.
static uint32_t material_run(const shade_frame *frame, const shade_group *l, uint32_t i,
                             uint32_t *end)
{
    const uint32_t *id = l->visible->id, number = primitive_meshlet(id[i]);
    uint32_t at = i + 1;
    while (at < l->count && primitive_meshlet(id[at]) == number)
        at++;
    *end = at;
    return frame->meshlets[number].material;
}

/// Counts the visible samples of each material. Returns the number of materials.
static uint32_t count_materials(shade_buffers *s, const shade_group *l, const shade_frame *frame)
{
    uint32_t shown = 0;
    for (uint32_t i = 0, end; i < l->count; i = end) {
        const uint32_t m = material_run(frame, l, i, &end);
        if (s->material_count[m] == 0)
            s->shown[shown++] = m;
        s->material_count[m] += end - i;
    }
    return shown;
}

/// count_materials for a frame of one material.
static uint32_t count_single_material(shade_buffers *s, const shade_group *l)
{
    s->shown[0] = 0;
    s->material_count[0] = l->count;
    return l->count > 0 ? 1 : 0;
}

static void group_samples(shade_buffers *s, const shade_group *l, const shade_frame *frame,
                          uint32_t shown)
{
    uint32_t at = 0;
    for (uint32_t k = 0; k < shown; k++) {
        s->material_start[s->shown[k]] = at;
        at += (s->material_count[s->shown[k]] + 15u) & ~15u;
    }
    for (uint32_t i = 0, end; i < l->count; i = end) {
        uint32_t *start = &s->material_start[material_run(frame, l, i, &end)];
        for (uint32_t sample = i; sample < end; sample++)
            l->index[(*start)++] = sample;
    }
}

static void shade_visible(shade_buffers *s, const shade_group *l, const shade_loops *loops,
                          tile_rect rect, const shade_frame *frame)
{
    shade_job job = {.frame = frame,
                     .visible = l->visible,
                     .tile_x = rect.x,
                     .tile_y = rect.y,
                     .color = l->color};
    const uint32_t shown =
        s->material_limit == 1 ? count_single_material(s, l) : count_materials(s, l, frame);
    if (shown > 1)
        group_samples(s, l, frame, shown);
    uint32_t begin = 0;
    for (uint32_t k = 0; k < shown; k++) {
        const uint32_t m = s->shown[k];
        job.material = &frame->materials[m];
        job.count = s->material_count[m];
        s->material_count[m] = 0;
        if (shown > 1) {
            const uint32_t padded = (job.count + 15u) & ~15u;
            for (uint32_t i = job.count; i < padded; i++)
                l->index[begin + i] = l->index[begin + job.count - 1];
            job.index = l->index + begin;
            begin += padded;
        }
        loops->shade(&job);
    }
}

void shade_tile(shade_buffers *s, const tile_buffers *t, const shade_loops *loops, tile_rect rect,
                const shade_frame *frame)
{
    const shade_group all = {&t->visible, t->visible_count, s->color, s->index};
    shade_visible(s, &all, loops, rect, frame);
}

/// Shades the fragments of one chunk, a tile's worth at a time.
static void shade_chunk(shade_buffers *s, const tile_buffers *t, const fragment_chunk *chunk,
                        const shade_loops *loops, tile_rect rect, const shade_frame *frame,
                        const shade_group *run, float (*out)[4])
{
    for (uint32_t begin = 0; begin < chunk->count; begin += TILE_PIXELS) {
        const uint32_t left = chunk->count - begin;
        shade_group list = *run;
        list.count = left < TILE_PIXELS ? left : TILE_PIXELS;
        tile_fragments_visible(t, chunk, begin, begin + list.count, list.visible);
        shade_visible(s, &list, loops, rect, frame);
        loops->premultiply(&(premultiply_job){list.color, list.count, out + chunk->first + begin});
    }
}

/// Buffers for a run of fragments in `a`; false when memory ran out. What opaque visible samples
/// need is still needed.
static bool fragment_run_init(uint32_t material_limit, arena *a, visible_samples *visible,
                              shade_group *out)
{
    const size_t padded = TILE_PIXELS + SAMPLE_PADDING;
    const size_t groups = material_limit < TILE_PIXELS ? material_limit : TILE_PIXELS;
    *visible = (visible_samples){.id = ARENA_ARRAY_RAW(a, uint32_t, padded),
                                 .position = ARENA_ARRAY_RAW(a, uint32_t, padded)};
    float *color = ARENA_ARRAY_RAW(a, float, 4 * padded);
    *out = (shade_group){.visible = visible,
                         .index = ARENA_ARRAY_RAW(a, uint32_t, TILE_PIXELS + groups * 15)};
    if (!visible->id || !visible->position || !color || !out->index)
        return false;
    out->color = (shade_colors){color, color + padded, color + 2 * padded, color + 3 * padded};
    return true;
}

bool shade_fragments(shade_buffers *s, const tile_buffers *t, const tile_fragments *f,
                     const shade_loops *loops, tile_rect rect, const shade_frame *frame, arena *a,
                     tile_blend *out)
{
    *out = (tile_blend){0};
    if (f->count == 0)
        return true;
    visible_samples visible;
    shade_group run;
    float(*color)[4] = arena_alloc_raw(a, (size_t)f->count + SAMPLE_PADDING, sizeof *color);
    const tile_blend blend = {arena_alloc_raw(a, TILE_PIXELS, sizeof *blend.color),
                              ARENA_ARRAY_RAW(a, uint16_t, TILE_PIXELS / 16)};
    if (!color || !blend.color || !blend.pixels ||
        !fragment_run_init(s->material_limit, a, &visible, &run))
        return false;
    for (const fragment_chunk *c = f->chunks; c; c = c->next)
        shade_chunk(s, t, c, loops, rect, frame, &run, color);
    *out = blend;
    loops->blend(&(blend_job){.tile = t->visibility,
                              .sample_count = t->sample_count,
                              .visible = &t->visible,
                              .color = s->color,
                              .blocks = t->blocks,
                              .layers = f->layers,
                              .first_layer = f->first,
                              .fragment_color = (const float(*)[4])color,
                              .out = blend.color,
                              .pixels = blend.pixels});
    return true;
}
