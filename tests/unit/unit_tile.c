// SPDX-License-Identifier: MIT
/// Lists of visible items against a direct count over every sample of every pixel.
#include "../kernels/random_inputs.h"
#include "base/def_fields.h"
#include "kernels/kernels.h"
#include "raster/tile.h"
#include "test_memory.h"

enum { PIXELS = TILE_SIZE * TILE_SIZE };

static void init(tile_buffers *t, arena *a, int32_t samples)
{
    memset(t, 0, sizeof *t);
    cr_assert_eq(tile_buffers_init(t, a, samples, NULL), ZT_OK);
}

/// Surface at sample s of pixel (x, y), by the layout that raster_loops.h states.
static uint32_t id_at(const tile_buffers *t, int32_t s, int32_t x, int32_t y)
{
    const int32_t pixel = (y / 4 * 16 + x / 4) * 16 + y % 4 * 4 + x % 4;
    return t->visibility.id[pixel * t->sample_count + s];
}

/// Ids that repeat within pixels, with holes; beyond the picture too, where nobody may look.
static void fill(random_state *r, tile_buffers *t)
{
    const uint32_t kinds = 1 + random_u32(r) % 6;
    for (int32_t p = 0; p < PIXELS; p++) {
        const bool uniform = random_u32(r) % 2 == 0;
        const uint32_t one = random_u32(r) % kinds;
        for (int32_t s = 0; s < t->sample_count; s++)
            t->visibility.id[p * t->sample_count + s] = uniform ? one : random_u32(r) % kinds;
    }
    t->touched = true;
}

/// Pixel (x, y) and its items.
static void check_pixel(const tile_buffers *t, int32_t x, int32_t y)
{
    const int8_t(*sample)[2] = sample_pattern(t->sample_count);
    const int32_t pixel = (y / 4 * 16 + x / 4) * 16 + y % 4 * 4 + x % 4;
    const uint32_t *first = &t->blocks[pixel / 16].first[pixel % 16];
    uint32_t at = first[0];
    uint32_t covered = 0, listed = 0;
    for (int32_t s = 0; s < t->sample_count; s++) {
        const uint32_t id = id_at(t, s, x, y);
        covered += id != ID_NONE;
        bool is_first = id != ID_NONE;
        uint32_t same = 0;
        for (int32_t k = 0; k < t->sample_count; k++) {
            same += id_at(t, k, x, y) == id;
            is_first = is_first && (k >= s || id_at(t, k, x, y) != id);
        }
        if (!is_first)
            continue;
        cr_assert_lt(at, first[1], "pixel %d %d lacks an item", x, y);
        const uint32_t item = at++, position = t->visible.position[item];
        const bool whole = same == (uint32_t)t->sample_count;
        const int32_t dx = whole ? 0 : sample[s][0], dy = whole ? 0 : sample[s][1];
        cr_assert(t->visible.id[item] == id && t->visible.count[item] == same, "pixel %d %d", x, y);
        cr_assert_eq((int32_t)(position & 0xffff), x * 256 + 128 + dx, "pixel %d %d", x, y);
        cr_assert_eq((int32_t)(position >> 16), y * 256 + 128 + dy, "pixel %d %d", x, y);
        listed += same;
    }
    cr_assert_eq(at, first[1], "pixel %d %d has an item too many", x, y);
    cr_assert_eq(listed, covered, "pixel %d %d", x, y);
}

/// Pixels of the tile beyond the picture have no items.
static void check_outside(const tile_buffers *t, tile_rect rect)
{
    for (int32_t p = 0; p < PIXELS; p++) {
        const int32_t x = p / 16 % 16 * 4 + p % 4, y = p / 256 * 4 + p % 16 / 4;
        if (x >= rect.width || y >= rect.height)
            cr_assert_eq(t->blocks[p / 16].first[p % 16], t->blocks[p / 16].first[p % 16 + 1],
                         "pixel %d %d", x, y);
    }
}

/// The kernels read whole vectors: 16 more items are as the last one.
static void check_padding(const tile_buffers *t)
{
    const uint32_t n = t->visible_count;
    for (uint32_t i = n; i < n + 16 && n > 0; i++)
        cr_assert(t->visible.id[i] == t->visible.id[n - 1] &&
                  t->visible.position[i] == t->visible.position[n - 1]);
}

static void check_kinds(const tile_buffers *t)
{
    for (int32_t block = 0; block < PIXELS / 16; block++) {
        const uint32_t *first = t->blocks[block].first, count = first[16] - first[0];
        bool whole = count == 16;
        for (int32_t i = 0; i < 16 && whole; i++)
            whole = first[i + 1] == first[i] + 1 && t->visible.count[first[i]] == t->sample_count;
        cr_assert_eq(t->blocks[block].kind, count == 0 ? BLOCK_EMPTY
                                            : whole    ? BLOCK_PLAIN
                                                       : BLOCK_MIXED);
    }
}

/// Blocks follow each other in a square as its quarters do: top left, top right, bottom left,
/// bottom right. `at`: where the first one's items begin; returns where the last one's end.
static uint32_t check_order(const tile_buffers *t, int32_t x, int32_t y, int32_t side, uint32_t at)
{
    if (side == 1) {
        const block_samples *block = &t->blocks[y * TILE_BLOCKS + x];
        cr_assert_eq(block->first[0], at, "block %d %d", x, y);
        return block->first[16];
    }
    for (int32_t quarter = 0; quarter < 4; quarter++)
        at = check_order(t, x + quarter % 2 * side / 2, y + quarter / 2 * side / 2, side / 2, at);
    return at;
}

static void check_list(const tile_buffers *t, tile_rect rect)
{
    cr_assert_eq(check_order(t, 0, 0, TILE_BLOCKS, 0), t->visible_count);
    for (int32_t y = 0; y < rect.height; y++)
        for (int32_t x = 0; x < rect.width; x++)
            check_pixel(t, x, y);
    check_outside(t, rect);
    check_padding(t);
    check_kinds(t);
}

Test(tile, samples_are_exactly_the_visible_ones)
{
    static const tile_rect rects[] = {{0, 0, 64, 64},   {64, 128, 1, 1},  {0, 64, 63, 1},
                                      {128, 0, 1, 63},  {64, 64, 37, 50}, {0, 0, 2, 3},
                                      {192, 192, 5, 6}, {0, 0, 64, 7}};
    for (int32_t samples = 1; samples <= 16; samples *= 2) {
        static tile_buffers t;
        OWN_MEMORY(a, 0);
        init(&t, &a, samples);
        for (uint64_t seed = 1; seed <= 24; seed++) {
            random_state r = {seed};
            const tile_rect rect = rects[seed % (sizeof rects / sizeof rects[0])];
            fill(&r, &t);
            EACH_KERNEL_TABLE (isa, k) {
                tile_compact(&t, k->raster, rect);
                check_list(&t, rect);
            }
        }
    }
}

Test(tile, nothing_drawn_gives_no_items)
{
    static tile_buffers t;
    OWN_MEMORY(a, 0);
    init(&t, &a, 4);
    random_state r = {1};
    fill(&r, &t); // what an earlier tile left must not be seen
    const tile_rect rect = {0, 0, 13, 9};
    cr_assert(tile_raster(&t, kernels_best(ZT_ISA_BEST)->raster, rect, &(tile_input){0},
                          (raster_alpha_test){0}, &a));
    tile_compact(&t, kernels_best(ZT_ISA_BEST)->raster, rect);
    cr_assert_eq(t.visible_count, 0);
    cr_assert_not(t.touched);
}

/// A triangle over part of a tile that was full before: the tile is cleared first.
Test(tile, raster_clears_the_tile)
{
    static tile_buffers t;
    OWN_MEMORY(a, 0);
    init(&t, &a, 4);
    random_state r = {7};
    const setup_triangle triangle = {.x = {0, 20 * 256, 0},
                                     .y = {0, 0, 20 * 256},
                                     .z0 = 0.5f,
                                     .z_min = 0.5f,
                                     .z_max = 0.5f,
                                     .id = 77,
                                     .max_x = 19,
                                     .max_y = 19};
    const setup_triangle *list[1] = {&triangle};
    const tile_rect rect = {0, 0, 64, 64};
    fill(&r, &t);
    cr_assert(tile_raster(&t, kernels_best(ZT_ISA_BEST)->raster, rect,
                          &(tile_input){.triangles = list, .count = 1}, (raster_alpha_test){0},
                          &a));
    tile_compact(&t, kernels_best(ZT_ISA_BEST)->raster, rect);
    uint32_t samples = 0;
    for (uint32_t i = 0; i < t.visible_count; i++) {
        cr_assert_eq(t.visible.id[i], 77);
        samples += t.visible.count[i];
    }
    cr_assert(samples > 4 * 180 && samples < 4 * 220, "%u samples of 200 pixels", samples);
}

/// The rule for scenes and the patterns of the raster name the same sample counts.
Test(tile, legal_sample_counts)
{
    const def_field *samples = def_find(&shot_table, "samples");
    for (int32_t count = -1; count <= 33; count++)
        cr_assert_eq(def_is_step(samples, count), sample_pattern(count) != NULL, "%d", (int)count);
}
