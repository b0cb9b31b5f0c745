// SPDX-License-Identifier: MIT
/// A tile so full that it is drawn in pieces shows what one drawn at once does.
#include "raster/fragments.h"
#include "raster/tile.h"
#include "raster_stage.h"
#include "testing.h"

enum { SAMPLES = 16, WORDS = SAMPLES * TILE_PIXELS };

typedef struct piece_stage {
    budget memory;
    arena arena;
    tile_buffers tile;
} piece_stage;

static void stage_init(piece_stage *s)
{
    budget_init(&s->memory, 0, NULL);
    arena_init(&s->arena, &s->memory);
    cr_assert_eq(tile_buffers_init(&s->tile, &s->arena, SAMPLES, NULL), ZT_OK);
}

/// Any that depends on the triangle and the sample alone.
static unsigned survivors(const void *user, uint32_t id, int32_t block_x, int32_t block_y,
                          int32_t sample_dx, int32_t sample_dy, unsigned lanes)
{
    (void)user;
    const uint32_t place = id * 31u + (uint32_t)(block_x + block_y * 7 + sample_dx + sample_dy * 3);
    return lanes & (place * 2654435761u >> 16);
}

/// Large triangles by the tile at the origin, half with an alpha test. Returns their number.
static uint32_t large_triangles(random_state *r, const kernel_table *k, uint32_t count,
                                setup_triangle *out, const setup_triangle **list)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        corner_fx8 c[3];
        random_triangle(r, random_int(r, 0, 63) * 256, random_int(r, 0, 63) * 256, c);
        if (!set_up(k, c, SETUP_CULL_NONE, SAMPLES, i + 1, &out[kept]))
            continue;
        out[kept].masked = i % 2;
        list[kept] = &out[kept];
        kept++;
    }
    return kept;
}

static small_triangle small_one(random_state *r, uint32_t id)
{
    enum { SPAN = SMALL_SIDE / 2 };
    int32_t dx1, dy1, dx2, dy2, area;
    do {
        dx1 = random_int(r, -SPAN, SPAN) / 4;
        dy1 = random_int(r, -SPAN, SPAN) / 4;
        dx2 = random_int(r, -SPAN, SPAN) / 4;
        dy2 = random_int(r, -SPAN, SPAN) / 4;
        area = dx1 * dy2 - dy1 * dx2;
    } while (area <= 0);
    return (small_triangle){
        .x = random_int(r, 0, 63) * 256,
        .y = random_int(r, 0, 63) * 256,
        .dx1 = (int16_t)dx1,
        .dy1 = (int16_t)dy1,
        .dx2 = (int16_t)dx2,
        .dy2 = (int16_t)dy2,
        .z = {random_float(r, 0.1f, 2.0f), random_float(r, 0.1f, 2.0f),
              random_float(r, 0.1f, 2.0f)},
        .id = id,
    };
}

Test(pieces, samples_are_the_same)
{
    enum { LARGE = 300, RUNS = 150, IN_RUN = 5, BEHIND = 70 };
    static setup_triangle large[LARGE];
    static const setup_triangle *list[LARGE];
    static small_triangle small[RUNS * IN_RUN + 16];
    static small_triangle_run runs[RUNS];
    static tile_memory whole;
    static piece_stage s;
    random_state r = {17};
    stage_init(&s);
    for (uint32_t i = 0; i < RUNS * IN_RUN; i++)
        small[i] = small_one(&r, LARGE + 1 + i);
    for (uint32_t i = 0; i < RUNS; i++)
        runs[i] = (small_triangle_run){small + (size_t)i * IN_RUN, IN_RUN};
    const raster_alpha_test alpha_test = {survivors, NULL};
    EACH_KERNEL_TABLE (isa, k) {
        const uint32_t count = large_triangles(&r, k, LARGE, large, list);
        const tile_input input = {.triangles = list,
                                  .count = count,
                                  .small = runs,
                                  .small_runs = RUNS,
                                  .small_behind = BEHIND};
        tile_clear(&whole, SAMPLES);
        k->raster->draw(&(raster_job){.tile = {whole.depth, whole.id},
                                      .sample_count = SAMPLES,
                                      .sample = sample_pattern(SAMPLES),
                                      .triangles = list,
                                      .count = count,
                                      .small = runs,
                                      .small_runs = RUNS,
                                      .small_behind = BEHIND,
                                      .alpha_test = alpha_test});
        cr_assert(tile_raster(&s.tile, k->raster, (tile_rect){0, 0, 64, 64}, &input, alpha_test,
                              &s.arena));
        cr_assert(memcmp(s.tile.visibility.depth, whole.depth, WORDS * sizeof(float)) == 0, "%s",
                  k->name);
        cr_assert(memcmp(s.tile.visibility.id, whole.id, WORDS * sizeof(uint32_t)) == 0, "%s",
                  k->name);
    }
    arena_finish(&s.arena);
}

static int by_pixel_and_id(const void *a, const void *b)
{
    const raster_fragment *x = a, *y = b;
    if (x->pixel != y->pixel)
        return x->pixel < y->pixel ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/// Fragments of a piece, whose pixels are in its blocks.
static void copy_piece(const tile_fragments *f, raster_fragment *out)
{
    uint32_t found = 0;
    for (const fragment_chunk *c = f->chunks; c; c = c->next) {
        cr_assert_eq(c->first, found);
        for (uint32_t i = 0; i < c->count; i++) {
            const int32_t block = c->fragment[i].pixel / 16;
            cr_assert(block >= f->first_block && block < f->end_block);
            out[found++] = c->fragment[i];
        }
    }
    cr_assert_eq(found, f->count);
}

Test(pieces, fragments_are_the_same)
{
    enum { BLENDED = 2600, HIDING = 3, MOST = 1 << 20, COPIES = 5 };
    static setup_triangle triangles[BLENDED], hiding[HIDING];
    static const setup_triangle *list[COPIES * BLENDED], *hiding_list[HIDING];
    static piece_stage s;
    OWN_BLOCK raster_fragment *whole = malloc(MOST * sizeof *whole);
    OWN_BLOCK raster_fragment *pieces = malloc(COPIES * MOST * sizeof *pieces);
    const kernel_table *k = kernels_best(ZT_ISA_BEST);
    const tile_rect rect = {0, 0, 60, 64};
    random_state r = {23};
    cr_assert(whole && pieces);
    stage_init(&s);
    const uint32_t hiding_count = large_triangles(&r, k, HIDING, hiding, hiding_list);
    uint32_t count = 0;
    for (uint32_t i = 0; i < BLENDED; i++) {
        const int32_t x = random_int(&r, 0, 63) * 256, y = random_int(&r, 0, 63) * 256;
        const float z = random_float(&r, 0.1f, 2.0f);
        const corner_fx8 c[3] = {
            {x, y, z},
            {x + random_int(&r, 256, 4000), y + random_int(&r, -1000, 256), z},
            {x + random_int(&r, -256, 1000), y + random_int(&r, 512, 4000), z + 0.1f},
        };
        count += set_up(k, c, SETUP_CULL_NONE, SAMPLES, HIDING + 1 + i, &triangles[count]);
    }
    for (uint32_t i = 0; i < COPIES * count; i++)
        list[i] = &triangles[i % count];
    const tile_input input = {
        .triangles = hiding_list, .count = hiding_count, .blended = list, .blended_count = count};
    cr_assert(tile_raster(&s.tile, k->raster, rect, &input, (raster_alpha_test){survivors, NULL},
                          &s.arena));
    fragment_job job = {
        .raster = {.tile = s.tile.visibility,
                   .sample_count = SAMPLES,
                   .sample = sample_pattern(SAMPLES),
                   .triangles = list,
                   .count = count},
        .width = rect.width,
        .height = rect.height,
        .end_block = TILE_BLOCK_COUNT,
        .out = whole,
        .capacity = MOST,
    };
    const uint32_t all = k->raster->fragments(&job);
    cr_assert(job.next == count && all > 20000, "%u fragments", all);
    qsort(whole, all, sizeof *whole, by_pixel_and_id);
    for (uint32_t copies = 1; copies <= COPIES; copies += COPIES - 1) {
        const tile_input layers = {.blended = list, .blended_count = copies * count};
        int32_t block = 0, calls = 0;
        uint32_t found = 0;
        for (; block < TILE_BLOCK_COUNT; calls++) {
            tile_fragments f;
            cr_assert(tile_fragments_build(&s.tile, k->raster, rect, &layers,
                                           (raster_alpha_test){0}, block, &s.arena, &f));
            cr_assert(f.first_block == block && f.end_block > block);
            cr_assert(found + f.count <= copies * all);
            copy_piece(&f, pieces + found);
            found += f.count;
            block = f.end_block;
        }
        cr_assert_eq(found, copies * all);
        cr_expect_eq(calls > 1, copies > 1, "%d pieces", calls);
        qsort(pieces, found, sizeof *pieces, by_pixel_and_id);
        for (uint32_t i = 0; i < found; i++)
            cr_assert(memcmp(&whole[i / copies], &pieces[i], sizeof *pieces) == 0);
    }
    arena_finish(&s.arena);
}
