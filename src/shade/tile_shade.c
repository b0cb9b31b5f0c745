// SPDX-License-Identifier: MIT
// A counting sort groups visible samples by material and keeps their order. Colours are stored by
// visible sample, so the order of shading never reaches a pixel. The cost grows with the visible
// samples of a tile and the materials that they show, not with the materials of the frame.
#include "shade/tile_shade.h"

#include <string.h>

enum {
    TILE_PIXELS = TILE_SIZE * TILE_SIZE,
    PIECE_FRAGMENTS = 1 << 18, ///< blended before the caller is asked again
};

zt_result shade_buffers_init(shade_buffers *s, arena *a, int32_t sample_count,
                             uint32_t material_count, zt_error *err)
{
    const size_t visible = (size_t)sample_count * TILE_PIXELS;
    // A tile shows at most as many materials as it has samples. Padding adds at most 15 to a group.
    const size_t groups = material_count < visible ? material_count : visible;
    s->color.r = ARENA_ARRAY_RAW(a, float, visible + VISIBLE_PADDING);
    s->color.g = ARENA_ARRAY_RAW(a, float, visible + VISIBLE_PADDING);
    s->color.b = ARENA_ARRAY_RAW(a, float, visible + VISIBLE_PADDING);
    s->unlit = ARENA_ARRAY_RAW(a, uint8_t, visible + VISIBLE_PADDING);
    s->index = ARENA_ARRAY_RAW(a, uint32_t, visible + groups * 15);
    s->material_count = ARENA_ARRAY(a, uint32_t, (size_t)material_count);
    s->material_start = ARENA_ARRAY_RAW(a, uint32_t, (size_t)material_count);
    s->shown = ARENA_ARRAY_RAW(a, uint32_t, (size_t)material_count);
    s->material_limit = material_count;
    if (!s->color.r || !s->color.g || !s->color.b || !s->unlit || !s->index || !s->material_count ||
        !s->material_start || !s->shown)
        return arena_fail(a, err, "shading buffers");
    return ZT_OK;
}

/// What is shaded at a time: the visible samples of a tile, or a run of fragments.
typedef struct shade_input {
    const visible_samples *visible;
    uint32_t count;
    shade_colors color;
    uint32_t *index; ///< scratch for shade_buffers.index
    float *arriving; ///< scratch for shade_job.arriving
} shade_input;

/// Memory for the shadows of a run of visible samples. False when it ran out.
static bool arriving_init(const shade_frame *frame, arena *a, shade_input *out)
{
    if (frame->shadow_count == 0)
        return true;
    out->arriving = ARENA_ARRAY_RAW(a, float, (size_t)frame->shadow_count *SHADE_RUN);
    return out->arriving != NULL;
}

/// The material of visible sample `i`; in `end` the first one after it that is of another meshlet,
/// and so may have another material.
static uint32_t material_run(const shade_frame *frame, const shade_input *input, uint32_t i,
                             uint32_t *end)
{
    const uint32_t *id = input->visible->id, number = primitive_meshlet(id[i]);
    uint32_t at = i + 1;
    while (at < input->count && primitive_meshlet(id[at]) == number)
        at++;
    *end = at;
    return frame->meshlets[number].material;
}

/// Counts the visible samples of each material. Returns the number of materials.
static uint32_t count_materials(shade_buffers *s, const shade_input *input,
                                const shade_frame *frame)
{
    uint32_t shown = 0;
    for (uint32_t i = 0, end; i < input->count; i = end) {
        const uint32_t m = material_run(frame, input, i, &end);
        if (s->material_count[m] == 0)
            s->shown[shown++] = m;
        s->material_count[m] += end - i;
    }
    return shown;
}

/// count_materials for a frame of one material.
static uint32_t count_single_material(shade_buffers *s, const shade_input *input)
{
    s->shown[0] = 0;
    s->material_count[0] = input->count;
    return input->count > 0 ? 1 : 0;
}

static void group_samples(shade_buffers *s, const shade_input *input, const shade_frame *frame,
                          uint32_t shown)
{
    uint32_t at = 0;
    for (uint32_t k = 0; k < shown; k++) {
        s->material_start[s->shown[k]] = at;
        at += (s->material_count[s->shown[k]] + 15u) & ~15u;
    }
    for (uint32_t i = 0, end; i < input->count; i = end) {
        uint32_t *start = &s->material_start[material_run(frame, input, i, &end)];
        for (uint32_t sample = i; sample < end; sample++)
            input->index[(*start)++] = sample;
    }
}

static void shade_visible(shade_buffers *s, const shade_input *input, const shade_loops *loops,
                          tile_rect rect, const shade_frame *frame)
{
    shade_job job = {.frame = frame,
                     .visible = input->visible,
                     .tile_x = rect.x,
                     .tile_y = rect.y,
                     .color = input->color,
                     .arriving = input->arriving};
    const uint32_t shown =
        s->material_limit == 1 ? count_single_material(s, input) : count_materials(s, input, frame);
    if (shown > 1)
        group_samples(s, input, frame, shown);
    uint32_t begin = 0;
    for (uint32_t k = 0; k < shown; k++) {
        const uint32_t m = s->shown[k];
        job.material = &frame->materials[m];
        job.count = s->material_count[m];
        s->material_count[m] = 0;
        if (shown > 1) {
            const uint32_t padded = (job.count + 15u) & ~15u;
            for (uint32_t i = job.count; i < padded; i++)
                input->index[begin + i] = input->index[begin + job.count - 1];
            job.index = input->index + begin;
            begin += padded;
        }
        (job.material->ground ? loops->ground : loops->shade)(&job);
        if (!job.material->ground)
            s->model_samples += job.count;
    }
}

bool shade_tile(shade_buffers *s, const tile_buffers *t, const shade_loops *loops, tile_rect rect,
                const shade_frame *frame, arena *a)
{
    s->color.unlit = frame->any_unlit ? s->unlit : NULL;
    shade_input all = {&t->visible, t->visible_count, s->color, s->index, NULL};
    if (!arriving_init(frame, a, &all))
        return false;
    shade_visible(s, &all, loops, rect, frame);
    return true;
}

/// The colours of all fragments of a tile, as blend_job reads them.
typedef struct fragment_colors {
    float (*color)[4];
    float (*lens)[FRAGMENT_LENS_COUNT]; ///< NULL: the frame has no transmissive materials
    uint8_t *unlit;                     ///< NULL: the frame has no unlit materials
} fragment_colors;

/// Shades the fragments of one chunk, a tile's worth at a time. False when the work is cancelled.
static bool shade_chunk(shade_buffers *s, const tile_buffers *t, const fragment_chunk *chunk,
                        const shade_loops *loops, tile_rect rect, const shade_frame *frame,
                        const shade_input *buffers, arena *a, const fragment_colors *out)
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
        shade_visible(s, &input, loops, rect, frame);
        loops->premultiply(&(premultiply_job){input.color, input.count,
                                              out->color + chunk->first + begin,
                                              out->lens ? out->lens + chunk->first + begin : NULL});
    }
    return true;
}

/// Buffers for a run of fragments in `a`, because those of the opaque samples are still in use.
/// False when memory ran out.
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
    return (!frame->transmits || out->color.lens) && arriving_init(frame, a, out);
}

/// Blends the blocks of a tile, some at a time, because any number of fragments may lie in it.
/// False when the work is cancelled.
static bool blend_pieces(const shade_loops *loops, blend_job *job, arena *a)
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

bool shade_fragments(shade_buffers *s, const tile_buffers *t, const tile_fragments *f,
                     const shade_loops *loops, tile_rect rect, const shade_frame *frame, arena *a,
                     tile_blend *out)
{
    *out = (tile_blend){0};
    if (f->count == 0)
        return true;
    visible_samples visible;
    shade_input buffers;
    const size_t padded = (size_t)f->count + VISIBLE_PADDING;
    fragment_colors colors = {.color = arena_alloc_raw(a, padded, sizeof *colors.color)};
    tile_blend blend = {.color = arena_alloc_raw(a, TILE_PIXELS, sizeof *blend.color),
                        .pixels = ARENA_ARRAY_RAW(a, uint16_t, TILE_PIXELS / 16)};
    if (frame->any_unlit) {
        colors.unlit = ARENA_ARRAY_RAW(a, uint8_t, (size_t)f->count);
        blend.unlit = arena_alloc_raw(a, TILE_PIXELS, sizeof *blend.unlit);
        if (!colors.unlit || !blend.unlit)
            return false;
    }
    if (!colors.color || !blend.color || !blend.pixels ||
        !fragment_buffers_init(frame, s->material_limit, a, &visible, &buffers))
        return false;
    if (frame->transmits) {
        colors.lens = arena_alloc_raw(a, padded, sizeof *colors.lens);
        blend.through = arena_alloc_raw(a, TILE_PIXELS, sizeof *blend.through);
        if (!colors.lens || !blend.through)
            return false;
    }
    for (const fragment_chunk *c = f->chunks; c; c = c->next)
        if (!shade_chunk(s, t, c, loops, rect, frame, &buffers, a, &colors))
            return false;
    *out = blend;
    blend_job job = {.tile = t->visibility,
                     .sample_count = t->sample_count,
                     .visible = &t->visible,
                     .color = s->color,
                     .blocks = t->blocks,
                     .sorted = f->sorted,
                     .first_sorted = f->first,
                     .fragment_color = (const float(*)[4])colors.color,
                     .fragment_unlit = colors.unlit,
                     .out = blend.color,
                     .out_unlit = blend.unlit,
                     .pixels = blend.pixels,
                     .fragment_lens = (const float(*)[FRAGMENT_LENS_COUNT])colors.lens,
                     .behind = frame->behind,
                     .environment_behind = frame->environment_behind,
                     .layers_behind = frame->layers_behind,
                     .draws_behind = frame->draws_behind,
                     .tile_x = rect.x,
                     .tile_y = rect.y,
                     .out_through = blend.through};
    return blend_pieces(loops, &job, a);
}
