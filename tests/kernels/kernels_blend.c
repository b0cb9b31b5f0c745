// SPDX-License-Identifier: MIT
/// Fragments against the coverage of each triangle drawn alone; blending against double sums.
#include "film/film.h"
#include "kernels/kernels.h"
#include "raster/fragments.h"
#include "raster/tile.h"
#include "raster_stage.h"
#include "testing.h"

#include <criterion/logging.h>
#include <inttypes.h>

// ---- Fragments ----------------------------------------------------------------------------------

enum { BLENDED = 24, OPAQUE = 6, FIRST_ID = 3 };

/// All fragments of the kernel, in its order.
typedef struct found_fragments {
    raster_fragment list[BLENDED * TILE_PIXELS];
    uint32_t count;
} found_fragments;

/// Triangles of a tile: some opaque ones, and blended ones with ids above and below theirs.
typedef struct blend_scene {
    int32_t tile_x, tile_y, samples, width, height;
    setup_triangle opaque[OPAQUE], blended[BLENDED];
    corner_fx8 corners[BLENDED][3];
    const setup_triangle *list[BLENDED];
    uint32_t opaque_count, count;
    tile_memory behind; ///< the opaque ones
} blend_scene;

static void build_scene(random_state *r, const kernel_table *k, int32_t samples, blend_scene *s)
{
    s->samples = samples;
    s->tile_x = random_int(r, 0, 200) * 64;
    s->tile_y = random_int(r, 0, 200) * 64;
    s->width = random_u32(r) % 2 ? 64 : random_int(r, 1, 64);
    s->height = random_u32(r) % 2 ? 64 : random_int(r, 1, 64);
    s->opaque_count = s->count = 0;
    for (uint32_t i = 0; i < OPAQUE + BLENDED; i++) {
        corner_fx8 c[3];
        random_triangle(r, (s->tile_x + random_int(r, 0, 63)) * 256,
                        (s->tile_y + random_int(r, 0, 63)) * 256, c);
        if (i % 5 == 4) // ties in depth
            for (int j = 0; j < 3; j++)
                c[j].z = 0.5f;
        const uint32_t id = FIRST_ID + i * 7 % (OPAQUE + BLENDED);
        setup_triangle *to = i < OPAQUE ? &s->opaque[s->opaque_count] : &s->blended[s->count];
        if (!set_up(k, c, SETUP_CULL_NONE, samples, id, to))
            continue;
        s->opaque_count += i < OPAQUE;
        if (i >= OPAQUE) {
            memcpy(s->corners[s->count], c, sizeof c);
            s->list[s->count] = to;
            s->count++;
        }
    }
    tile_clear(&s->behind, samples);
    for (uint32_t i = 0; i < s->opaque_count; i++) {
        const setup_triangle *one = &s->opaque[i];
        draw(k, &s->behind, s->tile_x, s->tile_y, samples, &one, 1);
    }
}

/// All fragments, in as many calls as the minimum capacity needs.
static void find(const kernel_table *k, blend_scene *s, found_fragments *out)
{
    static raster_fragment chunk[FRAGMENTS_MIN_CAPACITY];
    fragment_job job = {
        .raster = {.tile = {s->behind.depth, s->behind.id},
                   .tile_x = s->tile_x,
                   .tile_y = s->tile_y,
                   .sample_count = s->samples,
                   .sample = sample_pattern(s->samples),
                   .triangles = s->list,
                   .count = s->count},
        .width = s->width,
        .height = s->height,
        .end_block = TILE_BLOCK_COUNT,
        .out = chunk,
        .capacity = FRAGMENTS_MIN_CAPACITY,
    };
    out->count = 0;
    for (uint32_t calls = 0; job.next < s->count; calls++) {
        const uint32_t count = k->raster->fragments(&job);
        cr_assert(count <= FRAGMENTS_MIN_CAPACITY && calls <= s->count);
        memcpy(out->list + out->count, chunk, count * sizeof *chunk);
        out->count += count;
    }
}

/// A pixel's samples at which a triangle, drawn into `alone`, is not behind opaque ones.
static uint32_t samples_shown(const blend_scene *s, const tile_memory *alone, size_t pixel)
{
    uint32_t bits = 0;
    for (int32_t k = 0; k < s->samples; k++) {
        const size_t at = pixel * (size_t)s->samples + (size_t)k;
        const bool near = alone->depth[at] >= s->behind.depth[at];
        bits |= (alone->id[at] != ID_NONE && near ? 1u : 0u) << k;
    }
    return bits;
}

/// The fragment of `id` in `pixel`; NULL if there is none. There must not be two.
static const raster_fragment *fragment_of(const found_fragments *f, size_t pixel, uint32_t id)
{
    const raster_fragment *found = NULL;
    for (uint32_t i = 0; i < f->count; i++)
        if (f->list[i].pixel == pixel && f->list[i].id == id) {
            cr_assert(!found, "a pixel has two fragments of one triangle");
            found = &f->list[i];
        }
    return found;
}

/// The depth of the plane of `t` at the centre of a pixel, limited by FRAGMENT_BEYOND.
static double depth_at_centre(const blend_scene *s, const setup_triangle *t, int32_t x, int32_t y)
{
    const double beyond = 0.25 * ((double)t->z_max - (double)t->z_min);
    const double z = (double)t->z0 + (double)t->zx * (s->tile_x + x - t->rx) +
                     (double)t->zy * (s->tile_y + y - t->ry);
    return fmin(fmax(z, (double)t->z_min - beyond), (double)t->z_max + beyond);
}

/// Its error bound: the terms of the plane are large for steep triangles.
static double most_wrong(const setup_triangle *t)
{
    return 1e-6 + 4e-7 * (fabs((double)t->z0) + 64.0 * (fabs((double)t->zx) + fabs((double)t->zy)));
}

/// Compares triangle `t`'s fragments with its picture by the raster. Returns their number.
static uint32_t check_triangle(const kernel_table *k, const blend_scene *s, uint32_t t,
                               const found_fragments *f, tile_memory *alone, tile_memory *centres)
{
    const setup_triangle *one = s->list[t];
    static found_fragments own[1];
    uint32_t expected = 0;
    own->count = 0;
    for (uint32_t i = 0; i < f->count; i++)
        if (f->list[i].id == one->id)
            own->list[own->count++] = f->list[i];
    tile_clear(alone, s->samples);
    tile_clear(centres, 1);
    draw(k, alone, s->tile_x, s->tile_y, s->samples, &one, 1);
    draw(k, centres, s->tile_x, s->tile_y, 1, &one, 1);
    for (int32_t y = 0; y < TILE_SIZE; y++)
        for (int32_t x = 0; x < TILE_SIZE; x++) {
            const size_t pixel = block_linear(x, y);
            const uint32_t shown = samples_shown(s, alone, pixel);
            if (!shown || x >= s->width || y >= s->height)
                continue;
            const raster_fragment *g = fragment_of(own, pixel, one->id);
            cr_assert(g != NULL, "%s: pixel %d %d lacks a fragment", k->name, x, y);
            cr_assert_eq(g->samples, shown, "%s: pixel %d %d", k->name, x, y);
            const bool whole = shown == (1u << s->samples) - 1u;
            if (whole)
                cr_assert_eq(g->depth, centres->depth[pixel], "%s: pixel %d %d", k->name, x, y);
            cr_assert_lt(fabs((double)g->depth - depth_at_centre(s, one, x, y)), most_wrong(one),
                         "%s: pixel %d %d", k->name, x, y);
            expected++;
        }
    cr_assert_eq(own->count, expected, "%s: fragments of invisible samples", k->name);
    return expected;
}

Test(blend, fragments_match_the_triangles)
{
    static blend_scene s[1];
    static tile_memory alone[1], centres[1];
    static found_fragments want[1], got[1];
    const kernel_table *scalar = kernels_for(ZT_ISA_SCALAR);
    uint64_t checked = 0;
    for (uint32_t seed = 1; seed <= 60 / ZT_RANDOM_SHARE; seed++) {
        random_state r = {seed * 0x9e3779b97f4a7c15ULL};
        build_scene(&r, scalar, 1 << (seed % 5), s);
        find(scalar, s, want);
        for (uint32_t t = 0; t < s->count; t++)
            checked += check_triangle(scalar, s, t, want, alone, centres);
        EACH_KERNEL_TABLE (isa, k) {
            find(k, s, got);
            cr_assert_eq(got->count, want->count, "%s", k->name);
            cr_assert(memcmp(got->list, want->list, got->count * sizeof *got->list) == 0, "%s",
                      k->name);
        }
    }
    cr_log_info("%" PRIu64 " fragments", checked);
    cr_assert_gt(checked, 100000u / ZT_RANDOM_SHARE);
}

/// Fragment number `n`.
static const raster_fragment *fragment_at(const tile_fragments *f, uint32_t n)
{
    const fragment_chunk *c = f->chunks;
    while (n - c->first >= c->count)
        c = c->next;
    return &c->fragment[n - c->first];
}

/// Every fragment is one of the kernel, and its visible sample is at the position for shading.
static void check_listed(const blend_scene *s, const tile_buffers *tile, const tile_fragments *f)
{
    static uint32_t id[TILE_PIXELS + 16], position[TILE_PIXELS + 16];
    const int8_t(*pattern)[2] = sample_pattern(s->samples);
    const visible_samples visible = {.id = id, .position = position};
    for (const fragment_chunk *c = f->chunks; c; c = c->next) {
        for (uint32_t begin = 0; begin < c->count; begin += TILE_PIXELS) {
            const uint32_t end = c->count - begin < TILE_PIXELS ? c->count : begin + TILE_PIXELS;
            tile_fragments_visible(tile, c, begin, end, &visible);
            for (uint32_t i = 0; i < end - begin + 16; i++) {
                const raster_fragment *g = &c->fragment[begin + i < end ? begin + i : end - 1];
                const uint32_t p = g->pixel;
                const uint32_t x = p / 16 % 16 * 4 + p % 4, y = p / 256 * 4 + p % 16 / 4;
                const bool whole = g->samples == (1u << s->samples) - 1u;
                const int8_t *from = pattern[__builtin_ctz(g->samples)];
                cr_assert_eq(id[i], g->id);
                cr_assert_eq((int32_t)(position[i] & 0xffffu),
                             (int32_t)x * 256 + 128 + (whole ? 0 : from[0]));
                cr_assert_eq((int32_t)(position[i] >> 16),
                             (int32_t)y * 256 + 128 + (whole ? 0 : from[1]));
            }
        }
    }
}

/// The sorted fragments of a tile: all of them, in an order that depends only on their values.
static void check_sorted(const found_fragments *found, const tile_fragments *f)
{
    cr_assert_eq(f->count, found->count);
    cr_assert_eq(f->first[TILE_PIXELS], f->count);
    for (uint32_t p = 0; p < TILE_PIXELS; p++)
        for (uint32_t i = f->first[p]; i < f->first[p + 1]; i++) {
            const sorted_fragment *sorted = &f->sorted[i];
            const raster_fragment *g = fragment_at(f, sorted->fragment);
            cr_assert(sorted->pixel == p && g->pixel == p && sorted->samples == g->samples);
            if (i == f->first[p])
                continue;
            const raster_fragment *behind = fragment_at(f, sorted[-1].fragment);
            cr_assert(behind->depth < g->depth ||
                      (behind->depth == g->depth && behind->id < g->id));
        }
}

Test(blend, the_order_of_triangles_does_not_matter)
{
    static blend_scene s[1];
    static found_fragments found[1];
    const kernel_table *k = kernels_best(ZT_ISA_BEST);
    OWN_MEMORY(tile_arena, 0);
    for (uint32_t seed = 1; seed <= 20; seed++) {
        random_state r = {seed * 104729};
        build_scene(&r, k, 1 << (seed % 5), s);
        find(k, s, found);
        tile_buffers tile = {.sample_count = s->samples,
                             .visibility = {s->behind.depth, s->behind.id}};
        const tile_rect rect = {s->tile_x, s->tile_y, s->width, s->height};
        tile_fragments first, again;
        for (int iteration = 0; iteration < 3; iteration++) {
            const tile_input input = {.blended = s->list, .blended_count = s->count};
            tile_fragments *to = iteration == 0 ? &first : &again;
            cr_assert(tile_fragments_build(&tile, k->raster, rect, &input, (raster_alpha_test){0},
                                           0, &tile_arena, to));
            check_listed(s, &tile, to);
            check_sorted(found, to);
            cr_assert(memcmp(first.sorted, to->sorted, to->count * sizeof *to->sorted) == 0);
            shuffle(&r, s->list, s->count);
        }
        arena_reset(&tile_arena);
    }
}

/// More fragments in a pixel than are sorted by insertion, and no memory for them.
Test(blend, deep_pixels_and_too_deep_ones)
{
    enum { DEEP = 300 };
    static setup_triangle triangles[DEEP];
    const setup_triangle *list[DEEP];
    static tile_memory behind[1];
    const kernel_table *k = kernels_best(ZT_ISA_BEST);
    random_state r = {1};
    tile_clear(behind, 1);
    for (uint32_t i = 0; i < DEEP; i++) {
        const float z = random_float(&r, 0.1f, 1.0f);
        const corner_fx8 c[3] = {
            {-64 * 256, 0, z},
            {128 * 256, 0, z},
            {32 * 256, 9 * 256, z},
        };
        cr_assert_eq(set_up(k, c, SETUP_CULL_NONE, 1, i + 1, &triangles[i]), 1u);
        list[i] = &triangles[i];
    }
    const tile_buffers tile = {.sample_count = 1, .visibility = {behind->depth, behind->id}};
    const tile_input input = {.blended = list, .blended_count = DEEP};
    for (int small = 0; small < 2; small++) {
        OWN_MEMORY(tile_arena, small ? 2 << 20 : 0);
        tile_fragments f;
        const bool fits = tile_fragments_build(&tile, k->raster, (tile_rect){0, 0, 64, 64}, &input,
                                               (raster_alpha_test){0}, 0, &tile_arena, &f);
        cr_assert_eq(fits, !small);
        cr_assert(fits || tile_arena.failed == ZT_ERR_LIMIT);
        for (uint32_t p = 0; p < TILE_PIXELS && fits; p++)
            for (uint32_t i = f.first[p] + 1; i < f.first[p + 1]; i++)
                cr_assert_lt(fragment_at(&f, f.sorted[i - 1].fragment)->depth,
                             fragment_at(&f, f.sorted[i].fragment)->depth);
        cr_assert(!fits || f.first[1] - f.first[0] == DEEP);
    }
}

// ---- Blending -----------------------------------------------------------------------------------

enum {
    FRAGMENTS_PER_PIXEL = 5,
    FRAGMENTS = TILE_PIXELS * FRAGMENTS_PER_PIXEL,
    VISIBLE_MAX = TILE_PIXELS * SAMPLES_MAX
};

/// A tile of random visible samples and fragments.
typedef struct blend_stage {
    _Alignas(64) uint32_t id[VISIBLE_MAX];
    uint32_t visible_id[VISIBLE_MAX + 16], first_sorted[TILE_FIRST_COUNT];
    block_samples blocks[TILE_BLOCK_COUNT];
    uint8_t count[VISIBLE_MAX + 16], unlit[VISIBLE_MAX + 16], fragment_unlit[FRAGMENTS];
    float color[3][VISIBLE_MAX + 16], fragment_color[4][FRAGMENTS + 16];
    _Alignas(64) float premultiplied[FRAGMENTS + 16][4];
    sorted_fragment sorted[FRAGMENTS];
    visible_samples visible;
    _Alignas(64) float out[TILE_PIXELS][4], out_unlit[TILE_PIXELS][4];
    uint16_t pixels[TILE_PIXELS / 16];
    blend_job job;
} blend_stage;

/// The visible samples of one pixel, whose samples show up to `kinds` different ids or nothing.
static uint32_t fill_pixel(random_state *r, blend_stage *s, int32_t samples, uint32_t pixel,
                           uint32_t sample)
{
    const bool whole = random_u32(r) % 2 == 0;
    const uint32_t kinds = random_u32(r) % 4, start = sample;
    for (int32_t k = 0; k < samples; k++) {
        const bool same = whole && k > 0;
        uint32_t *id = &s->id[pixel * (uint32_t)samples + (uint32_t)k];
        *id = same ? id[-k] : kinds ? random_u32(r) % (kinds + 1) : ID_NONE;
        uint32_t found = start;
        while (found < sample && s->visible_id[found] != *id)
            found++;
        if (*id == ID_NONE)
            continue;
        if (found == sample) {
            s->visible_id[sample] = *id;
            s->count[sample] = 0;
            for (int c = 0; c < 3; c++)
                s->color[c][sample] = random_float(r, 0.0f, 4.0f);
            s->unlit[sample] = random_u32(r) % 2 == 0;
            sample++;
        }
        s->count[found]++;
    }
    return sample;
}

static void build_stage(random_state *r, blend_stage *s, int32_t samples)
{
    uint32_t sample = 0, fragment = 0;
    for (uint32_t p = 0; p < TILE_PIXELS; p++) {
        const uint32_t all = (1u << samples) - 1u;
        const bool bare = p / 16 % 3 == 0 || random_u32(r) % 3 == 0;
        const uint32_t layers = bare ? 0 : random_u32(r) % (FRAGMENTS_PER_PIXEL + 1);
        s->first_sorted[p] = fragment;
        s->blocks[p / 16].first[p % 16] = sample;
        s->blocks[p / 16].first[p % 16 + 1] = sample = fill_pixel(r, s, samples, p, sample);
        const bool whole = random_u32(r) % 2 == 0;
        for (uint32_t i = 0; i < layers; i++, fragment++) {
            const uint32_t some = 1u + random_u32(r) % all;
            s->sorted[fragment] =
                (sorted_fragment){0, fragment, (uint16_t)p, (uint16_t)(whole ? all : some)};
            for (int c = 0; c < 4; c++)
                s->fragment_color[c][fragment] = random_float(r, 0.0f, c < 3 ? 4.0f : 1.0f);
            s->fragment_unlit[fragment] = random_u32(r) % 2 == 0;
            if (random_u32(r) % 8 == 0)
                s->fragment_color[3][fragment] = (float)(random_u32(r) % 2);
        }
    }
    s->first_sorted[TILE_PIXELS] = fragment;
    for (uint32_t i = 0; i < fragment; i++) // numbers do not follow the order
        s->sorted[i].fragment = fragment - 1 - i;
    s->visible = (visible_samples){.id = s->visible_id, .count = s->count};
    s->job = (blend_job){
        .tile = {NULL, s->id},
        .sample_count = samples,
        .visible = &s->visible,
        .color = {.r = s->color[0], .g = s->color[1], .b = s->color[2]},
        .blocks = s->blocks,
        .sorted = s->sorted,
        .first_sorted = s->first_sorted,
        .fragment_color = (const float(*)[4])s->premultiplied,
        .fragment_unlit = s->fragment_unlit,
        .out = s->out,
        .out_unlit = s->out_unlit,
        .pixels = s->pixels,
    };
}

/// Runs both kernels, blending `piece` blocks at a time.
static void run(const kernel_table *k, blend_stage *s, int32_t piece)
{
    const uint32_t count = s->first_sorted[TILE_PIXELS];
    const shade_colors colors = {.r = s->fragment_color[0],
                                 .g = s->fragment_color[1],
                                 .b = s->fragment_color[2],
                                 .a = s->fragment_color[3]};
    k->film->premultiply(
        &(premultiply_job){.color = colors, .count = count, .out = s->premultiplied});
    blend_job job = s->job;
    for (int32_t block = 0; block < TILE_BLOCK_COUNT; block += piece) {
        const int32_t end = block + piece;
        job.first_block = block;
        job.end_block = end < TILE_BLOCK_COUNT ? end : TILE_BLOCK_COUNT;
        k->film->blend(&job);
    }
}

/// Light of a sample becomes its display colour: exposed and cut off at 1, then what is unlit.
static void reference_display(float exposure, double rgba[8])
{
    for (int c = 0; c < 3; c++) {
        const double straight = rgba[3] > 0.0 ? rgba[c] / rgba[3] * (double)exposure : 0.0;
        rgba[c] = fmin(straight, 1.0) * rgba[3] + fmin(rgba[4 + c], rgba[7]);
    }
    rgba[3] += rgba[7];
}

/// The mean of the samples of pixel p, each blended from behind: lit, then unlit.
static void reference_pixel(const blend_stage *s, uint32_t p, double out[8])
{
    const int32_t samples = s->job.sample_count;
    memset(out, 0, 8 * sizeof *out);
    for (int32_t k = 0; k < samples; k++) {
        double rgba[8] = {0};
        const uint32_t *first = &s->blocks[p / 16].first[p % 16];
        for (uint32_t i = first[0]; i < first[1]; i++)
            if (s->visible_id[i] == s->id[p * (uint32_t)samples + (uint32_t)k])
                for (int c = 0; c < 4; c++)
                    rgba[c + (s->job.color.unlit && s->unlit[i] ? 4 : 0)] =
                        c < 3 ? (double)s->color[c][i] : 1.0;
        for (uint32_t i = s->first_sorted[p]; i < s->first_sorted[p + 1]; i++) {
            const uint32_t n = s->sorted[i].fragment;
            const double a = (double)s->fragment_color[3][n];
            const int part = s->job.color.unlit && s->fragment_unlit[n] ? 4 : 0;
            if (!(s->sorted[i].samples >> k & 1))
                continue;
            for (int c = 0; c < 8; c++)
                rgba[c] *= 1.0 - a;
            for (int c = 0; c < 4; c++)
                rgba[c + part] += (c < 3 ? (double)s->fragment_color[c][n] : 1.0) * a;
        }
        if (s->job.film)
            reference_display(s->job.film->exposure, rgba);
        for (int c = 0; c < 8; c++)
            out[c] += rgba[c] / samples;
    }
}

static void check_pixels(const blend_stage *s)
{
    for (uint32_t p = 0; p < TILE_PIXELS; p++) {
        const bool blended = s->first_sorted[p + 1] > s->first_sorted[p];
        double want[8];
        cr_assert_eq(s->pixels[p / 16] >> p % 16 & 1, blended, "pixel %u", p);
        reference_pixel(s, p, want);
        for (int c = 0; c < 4 && blended; c++)
            NEAR(s->out[p][c], want[c], 4e-6, "pixel %u", p);
        for (int c = 0; c < 4 && blended && s->job.color.unlit && !s->job.film; c++)
            NEAR(s->out_unlit[p][c], want[4 + c], 4e-6, "unlit of pixel %u", p);
    }
}

Test(blend, is_over_from_behind_sample_by_sample)
{
    static blend_stage s[1];
    static float first[TILE_PIXELS][4], first_unlit[TILE_PIXELS][4];
    static film_srgb srgb;
    film_srgb_init(&srgb);
    const film_job film = {.exposure = 0.4f, .tone_map = TONE_MAP_LINEAR, .srgb = &srgb};
    for (uint32_t seed = 1; seed <= 20; seed++) {
        random_state r = {seed * 7919};
        build_stage(&r, s, 1 << (seed % 5));
        s->job.color.unlit = seed % 2 ? s->unlit : NULL;
        s->job.film = seed > 10 ? &film : NULL;
        EACH_KERNEL_TABLE (isa, k) {
            memset(s->out, 0xa5, sizeof s->out);
            memset(s->out_unlit, 0xa5, sizeof s->out_unlit);
            memset(s->pixels, 0xa5, sizeof s->pixels);
            run(k, s, isa == (int)ZT_ISA_SCALAR ? TILE_BLOCK_COUNT : 1 + (int32_t)seed * 7);
            if (isa == (int)ZT_ISA_SCALAR) {
                check_pixels(s);
                memcpy(first, s->out, sizeof s->out);
                memcpy(first_unlit, s->out_unlit, sizeof s->out_unlit);
            }
            cr_assert(memcmp(first, s->out, sizeof s->out) == 0, "%s differs", k->name);
            cr_assert(memcmp(first_unlit, s->out_unlit, sizeof s->out_unlit) == 0, "%s differs",
                      k->name);
        }
    }
}

/// Fragments before an opaque one leave it so, to the bit; NaN has no effect at alpha 0.
Test(blend, opaque_stays_opaque_and_nothing_is_nothing)
{
    static blend_stage s[1];
    random_state r = {5};
    build_stage(&r, s, 1);
    for (uint32_t p = 0; p < TILE_PIXELS; p++) {
        s->id[p] = s->visible_id[p] = 1;
        s->blocks[p / 16].first[p % 16] = p;
        s->blocks[p / 16].first[p % 16 + 1] = p + 1;
        s->color[0][p] = s->color[1][p] = s->color[2][p] = 0.25f;
    }
    for (uint32_t i = 0; i < s->first_sorted[TILE_PIXELS]; i++)
        if (i % 7 == 0) {
            s->fragment_color[0][i] = i % 2 ? INFINITY : NAN;
            s->fragment_color[3][i] = 0.0f;
        }
    EACH_KERNEL_TABLE (isa, k) {
        run(k, s, TILE_BLOCK_COUNT);
        for (uint32_t p = 0; p < TILE_PIXELS; p++)
            if (s->pixels[p / 16] >> p % 16 & 1)
                cr_assert(s->out[p][3] == 1.0f && s->out[p][0] >= 0.0f && s->out[p][0] <= 4.0f,
                          "%s: pixel %u is %g, %g", k->name, p, (double)s->out[p][0],
                          (double)s->out[p][3]);
    }
}
