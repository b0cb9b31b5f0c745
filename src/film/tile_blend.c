// SPDX-License-Identifier: MIT
// Fragments of a tile: shaded, then blended over its opaque samples.
#include "film/film.h"

#include <string.h>

enum {
    TILE_PIXELS = TILE_SIZE * TILE_SIZE,
    PIECE_FRAGMENTS = 1 << 18, ///< blended before the caller is asked again
};

/// The colours of all fragments of a tile, as blend_job reads them.
typedef struct fragment_colors {
    float (*color)[4];
    float (*lens)[FRAGMENT_LENS_COUNT]; ///< NULL: the frame has no transmissive materials
    uint8_t *unlit;                     ///< NULL: the frame has no unlit materials
} fragment_colors;

/// Shades the fragments of one chunk, a tile's worth at a time. False when the work is cancelled.
static bool shade_chunk(shade_buffers *s, const tile_buffers *t, const fragment_chunk *chunk,
                        const film_stage *stage, tile_rect rect, const shade_input *buffers,
                        arena *a, const fragment_colors *out)
{
    for (uint32_t begin = 0; begin < chunk->count; begin += TILE_PIXELS) {
        if (arena_cancelled(a))
            return false;
        const uint32_t left = chunk->count - begin;
        shade_input input = *buffers;
        input.count = left < TILE_PIXELS ? left : TILE_PIXELS;
        if (out->unlit)
            input.color.unlit = out->unlit + chunk->first + begin;
        tile_fragments_visible(t, chunk, begin, begin + input.count, input.visible);
        if (input.color.lens)
            memset(input.color.lens, 0,
                   FRAGMENT_LENS_COUNT * input.color.lens_stride * sizeof *input.color.lens);
        shade_samples(s, &input, stage->shade_loops, rect, stage->frame);
        stage->loops->premultiply(
            &(premultiply_job){input.color, input.count, out->color + chunk->first + begin,
                               out->lens ? out->lens + chunk->first + begin : NULL});
    }
    return true;
}

/// Buffers for a run of fragments in `a`: the opaque samples' are in use. False: no memory.
static bool fragment_buffers_init(const shade_frame *frame, uint32_t material_limit, arena *a,
                                  visible_samples *visible, shade_input *out)
{
    const size_t padded = TILE_PIXELS + VISIBLE_PADDING;
    const size_t groups = material_limit < TILE_PIXELS ? material_limit : TILE_PIXELS;
    *visible = (visible_samples){.id = ARENA_ARRAY_RAW(a, uint32_t, padded),
                                 .position = ARENA_ARRAY_RAW(a, uint32_t, padded)};
    float *color = ARENA_ARRAY_RAW(a, float, 4 * padded);
    *out = (shade_input){.visible = visible,
                         .index = ARENA_ARRAY_RAW(a, uint32_t, TILE_PIXELS + groups * 15)};
    if (!visible->id || !visible->position || !color || !out->index)
        return false;
    out->color = (shade_colors){
        .r = color, .g = color + padded, .b = color + 2 * padded, .a = color + 3 * padded};
    if (frame->transmits) {
        out->color.lens = ARENA_ARRAY_RAW(a, float, FRAGMENT_LENS_COUNT *padded);
        out->color.lens_stride = padded;
    }
    return (!frame->transmits || out->color.lens) && shade_arriving_init(frame, a, out);
}

/// Blends a tile by some blocks at a time: it may have any number of fragments. False: cancelled.
static bool blend_pieces(const film_loops *loops, blend_job *job, arena *a)
{
    for (int32_t block = 0; block < TILE_BLOCK_COUNT; block = job->end_block) {
        job->first_block = job->end_block = block;
        const uint32_t first = job->first_sorted[block * 16];
        do
            job->end_block++;
        while (job->end_block < TILE_BLOCK_COUNT &&
               job->first_sorted[job->end_block * 16 + 16] - first <= PIECE_FRAGMENTS);
        if (block > 0 && arena_cancelled(a))
            return false;
        loops->blend(job);
    }
    return true;
}

/// Blends into `color` and `through`: light, or display colours if `film` is set.
static bool blend_into(const blend_job *inputs, const film_stage *stage, const film_job *film,
                       arena *a, float (**color)[4], float (**through)[4])
{
    blend_job job = *inputs;
    job.film = film;
    job.out = *color = arena_alloc_raw(a, TILE_PIXELS, sizeof **color);
    if (stage->frame->transmits)
        job.out_through = *through = arena_alloc_raw(a, TILE_PIXELS, sizeof **through);
    return job.out && (job.out_through || !stage->frame->transmits) &&
           blend_pieces(stage->loops, &job, a);
}

bool film_blend_tile(shade_buffers *s, const tile_buffers *t, const tile_fragments *f,
                     const film_stage *stage, bool light, tile_rect rect, arena *a, tile_blend *out)
{
    const shade_frame *frame = stage->frame;
    *out = (tile_blend){0};
    if (f->count == 0)
        return true;
    visible_samples visible;
    shade_input buffers;
    const size_t padded = (size_t)f->count + VISIBLE_PADDING;
    fragment_colors colors = {.color = arena_alloc_raw(a, padded, sizeof *colors.color)};
    tile_blend blend = {.pixels = ARENA_ARRAY_RAW(a, uint16_t, TILE_PIXELS / 16)};
    if (frame->any_unlit) {
        colors.unlit = ARENA_ARRAY_RAW(a, uint8_t, (size_t)f->count);
        blend.unlit = arena_alloc_raw(a, TILE_PIXELS, sizeof *blend.unlit);
        if (!colors.unlit || !blend.unlit)
            return false;
    }
    if (!colors.color || !blend.pixels ||
        !fragment_buffers_init(frame, s->material_limit, a, &visible, &buffers))
        return false;
    if (frame->transmits) {
        colors.lens = arena_alloc_raw(a, padded, sizeof *colors.lens);
        if (!colors.lens)
            return false;
    }
    for (const fragment_chunk *c = f->chunks; c; c = c->next)
        if (!shade_chunk(s, t, c, stage, rect, &buffers, a, &colors))
            return false;
    const blend_job job = {.tile = t->visibility,
                           .sample_count = t->sample_count,
                           .visible = &t->visible,
                           .color = s->color,
                           .blocks = t->blocks,
                           .sorted = f->sorted,
                           .first_sorted = f->first,
                           .fragment_color = (const float(*)[4])colors.color,
                           .fragment_unlit = colors.unlit,
                           .out_unlit = blend.unlit,
                           .pixels = blend.pixels,
                           .fragment_lens = (const float(*)[FRAGMENT_LENS_COUNT])colors.lens,
                           .behind = stage->settings->behind,
                           .environment_behind = frame->environment_behind,
                           .layers_behind = stage->settings->layers_behind,
                           .draws_behind = stage->settings->draws_behind,
                           .tile_x = rect.x,
                           .tile_y = rect.y};
    const film_job film = {.exposure = stage->settings->exposure,
                           .tone_map = stage->settings->tone_map,
                           .srgb = stage->srgb};
    if ((light && !blend_into(&job, stage, NULL, a, &blend.color, &blend.through)) ||
        (film.srgb && !blend_into(&job, stage, &film, a, &blend.display, &blend.display_through)))
        return false;
    *out = blend;
    return true;
}
