// SPDX-License-Identifier: MIT
// Fragments of a tile: shaded, then blended over its opaque samples.
#include "film/film.h"

#include <string.h>

enum {
    TILE_PIXELS = TILE_SIZE * TILE_SIZE,
    PIECE_FRAGMENTS = 1 << 18, ///< blended before the caller is asked again
};

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
        if (stage->crypto_set)
            shade_fill_crypto(&input, stage->frame);
        for (int p = 0; p < PLANE_COUNT; p++)
            if (out->id[p])
                memcpy(out->id[p] + chunk->first + begin, input.color.planes->channel[p],
                       input.count * sizeof *out->id[p]);
        film_look_samples(stage, s->part, &input.color, input.count);
        stage->loops->premultiply(
            &(premultiply_job){input.color, input.count, out->color + chunk->first + begin,
                               out->lens ? out->lens + chunk->first + begin : NULL});
    }
    return true;
}

/// Buffers for a run of fragments in `a`: the opaque samples' are in use. False: no memory.
static bool fragment_buffers_init(const film_stage *stage, uint32_t material_limit, arena *a,
                                  visible_samples *visible, shade_input *out)
{
    const shade_frame *frame = stage->frame;
    const size_t padded = TILE_PIXELS + VISIBLE_PADDING;
    const size_t groups = material_limit < TILE_PIXELS ? material_limit : TILE_PIXELS;
    *visible = (visible_samples){.id = ARENA_ARRAY_RAW(a, uint32_t, padded),
                                 .position = ARENA_ARRAY_RAW(a, uint32_t, padded)};
    float *color = ARENA_ARRAY_RAW(a, float, 4 * padded);
    *out = (shade_input){.visible = visible,
                         .only_material = frame->only_blended,
                         .index = ARENA_ARRAY_RAW(a, uint32_t, TILE_PIXELS + groups * 15)};
    if (!visible->id || !visible->position || !color || !out->index)
        return false;
    out->color = (shade_colors){
        .r = color, .g = color + padded, .b = color + 2 * padded, .a = color + 3 * padded};
    if (frame->transmits) {
        out->color.lens = ARENA_ARRAY_RAW(a, float, FRAGMENT_LENS_COUNT *padded);
        out->color.lens_stride = padded;
    }
    return (!frame->transmits || out->color.lens) &&
           shade_planes_init(film_look_planes(stage->settings->look.kind) | stage->crypto_set,
                             padded, a, &out->color.planes) &&
           shade_arriving_init(frame, a, out);
}

/// Blends some blocks at a time: they may have any number of fragments. False: cancelled.
static bool blend_blocks(const film_loops *loops, const tile_fragments *f, blend_job *job, arena *a)
{
    for (int32_t block = f->first_block; block < f->end_block; block = job->end_block) {
        job->first_block = job->end_block = block;
        const uint32_t first = job->first_sorted[block * 16];
        do
            job->end_block++;
        while (job->end_block < f->end_block &&
               job->first_sorted[job->end_block * 16 + 16] - first <= PIECE_FRAGMENTS);
        if (block > f->first_block && arena_cancelled(a))
            return false;
        loops->blend(job);
    }
    return true;
}

bool film_blend_begin(const film_stage *stage, bool light, arena *a, tile_blend *out)
{
    const shade_frame *frame = stage->frame;
    const bool display = stage->srgb != NULL, through = frame->transmits;
    *out = (tile_blend){.pixels = ARENA_ARRAY(a, uint16_t, TILE_BLOCK_COUNT)};
    if (frame->any_unlit)
        out->unlit = arena_alloc_raw(a, TILE_PIXELS, sizeof *out->unlit);
    if (light)
        out->color = arena_alloc_raw(a, TILE_PIXELS, sizeof *out->color);
    if (light && through)
        out->through = arena_alloc_raw(a, TILE_PIXELS, sizeof *out->through);
    if (display)
        out->display = arena_alloc_raw(a, TILE_PIXELS, sizeof *out->display);
    if (display && through)
        out->display_through = arena_alloc_raw(a, TILE_PIXELS, sizeof *out->display_through);
    return out->pixels && (out->unlit || !frame->any_unlit) && (out->color || !light) &&
           (out->through || !light || !through) && (out->display || !display) &&
           (out->display_through || !display || !through);
}

/// The colours of the fragments of a piece. False when memory ran out or the work is cancelled.
static bool shade_fragments(shade_buffers *s, const tile_buffers *t, const tile_fragments *f,
                            const film_stage *stage, tile_rect rect, arena *a, fragment_colors *out)
{
    const shade_frame *frame = stage->frame;
    visible_samples visible;
    shade_input buffers;
    const size_t padded = (size_t)f->count + VISIBLE_PADDING;
    *out = (fragment_colors){.color = arena_alloc_raw(a, padded, sizeof *out->color)};
    if (frame->any_unlit)
        out->unlit = ARENA_ARRAY_RAW(a, uint8_t, padded);
    if (frame->transmits)
        out->lens = arena_alloc_raw(a, padded, sizeof *out->lens);
    for (int p = 0; p < PLANE_COUNT; p++)
        if (stage->crypto_set >> p & 1u && !(out->id[p] = ARENA_ARRAY_RAW(a, uint32_t, padded)))
            return false;
    if (!out->color || (frame->any_unlit && !out->unlit) || (frame->transmits && !out->lens) ||
        !fragment_buffers_init(stage, s->material_limit, a, &visible, &buffers))
        return false;
    for (const fragment_chunk *c = f->chunks; c; c = c->next)
        if (!shade_chunk(s, t, c, stage, rect, &buffers, a, out))
            return false;
    return true;
}

bool film_blend_piece(shade_buffers *s, const tile_buffers *t, const tile_fragments *f,
                      const film_stage *stage, tile_rect rect, arena *a, const tile_blend *out)
{
    fragment_colors colors;
    if (f->count == 0)
        return true;
    if (!shade_fragments(s, t, f, stage, rect, a, &colors))
        return false;
    if (stage->crypto_set)
        film_crypto(s, t, f, &colors, out, stage, rect);
    blend_job job = {.tile = t->visibility,
                     .sample_count = t->sample_count,
                     .visible = &t->visible,
                     .color = s->color,
                     .blocks = t->blocks,
                     .sorted = f->sorted,
                     .first_sorted = f->first,
                     .fragment_color = (const float(*)[4])colors.color,
                     .fragment_unlit = colors.unlit,
                     .out_unlit = out->unlit,
                     .pixels = out->pixels,
                     .fragment_lens = (const float(*)[FRAGMENT_LENS_COUNT])colors.lens,
                     .behind = stage->settings->behind,
                     .environment_behind = stage->frame->environment_behind,
                     .layers_behind = stage->settings->layers_behind,
                     .draws_behind = stage->settings->draws_behind,
                     .only_behind = s->part == SHADE_BEHIND,
                     .tile_x = rect.x,
                     .tile_y = rect.y,
                     .out = out->color,
                     .out_through = out->through};
    if (job.out && !blend_blocks(stage->loops, f, &job, a))
        return false;
    const film_job film = {.exposure = stage->settings->exposure,
                           .tone_map = stage->settings->tone_map,
                           .transparent = stage->settings->transparent,
                           .srgb = stage->srgb};
    job.film = &film;
    job.out = out->display;
    job.out_through = out->display_through;
    return !job.out || blend_blocks(stage->loops, f, &job, a);
}

/// The centres of the pixels of all blocks of `cover`; returns their number.
static uint32_t cover_visible(const tile_cover *cover, visible_samples *out)
{
    uint32_t centers[16], count = 0;
    for (uint32_t p = 0; p < 16; p++)
        centers[p] = (p % 4 * SUBPIXEL_ONE + SUBPIXEL_ONE / 2) |
                     (p / 4 * SUBPIXEL_ONE + SUBPIXEL_ONE / 2) << 16;
    for (uint32_t i = 0; i < cover->count; i++, count += 16) {
        const uint32_t x = cover->block[i] % TILE_BLOCKS, y = cover->block[i] / TILE_BLOCKS;
        for (uint32_t p = 0; p < 16; p++) {
            out->id[count + p] = cover->id[i];
            out->position[count + p] =
                centers[p] + (x * 4 * SUBPIXEL_ONE | (y * 4 * SUBPIXEL_ONE) << 16);
        }
    }
    for (uint32_t i = 0; i < VISIBLE_PADDING; i++) {
        out->id[count + i] = out->id[count - 1];
        out->position[count + i] = out->position[count - 1];
    }
    return count;
}

/// Writes light that is black of some alphas.
static void set_black(const tile_blend *out, uint32_t block, const float alpha[16])
{
    out->pixels[block] = 0xffff;
    for (uint32_t p = 0; p < 16; p++) {
        const float black[4] = {0.0f, 0.0f, 0.0f, alpha[p]};
        memcpy(out->color[block * 16 + p], black, sizeof black);
        if (out->unlit)
            memset(out->unlit[block * 16 + p], 0, sizeof *out->unlit);
    }
}

bool film_blend_cover(shade_buffers *s, const tile_cover *cover, const film_stage *stage,
                      tile_rect rect, arena *a, tile_blend *out)
{
    visible_samples visible;
    shade_input input;
    if (cover->count == 0)
        return true;
    out->black_place = ARENA_ARRAY(a, uint16_t, TILE_BLOCK_COUNT);
    if (!out->black_place || !fragment_buffers_init(stage, s->material_limit, a, &visible, &input))
        return false;
    input.count = cover_visible(cover, &visible);
    const posed_meshlet *first = &stage->frame->surfaces.meshlets[primitive_meshlet(cover->id[0])];
    input.only_material = first->material + 1;
    shade_samples(s, &input, stage->shade_loops, rect, stage->frame);
    out->black = input.color.a;
    for (uint32_t i = 0; i < cover->count; i++) {
        out->black_place[cover->block[i]] = (uint16_t)(i + 1);
        if (out->color)
            set_black(out, cover->block[i], input.color.a + (size_t)i * 16);
    }
    return true;
}
