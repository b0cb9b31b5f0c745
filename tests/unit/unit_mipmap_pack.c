// SPDX-License-Identifier: MIT
/// Interleaved chains straight from pictures: the same texels as from chains.
#include "mipmap_fixture.h"
#include "random_numbers.h"
#include "test_memory.h"
#include "texture/mipmap_pack.h"

static const mipmap_content packed_contents[MIPMAP_PACK_COUNT] = {
    MIPMAP_COLOR, MIPMAP_LINEAR, MIPMAP_NORMAL, MIPMAP_COLOR, MIPMAP_LINEAR};

/// Equal texels in all levels, with the column and row that wrapping fetches.
static void expect_same_packed(const mipmap *like, const mipmap_packed *a, const mipmap_packed *b)
{
    cr_assert_arr_eq(a->first, b->first, sizeof a->first);
    cr_assert_eq(!a->emissive_occlusion, !b->emissive_occlusion);
    for (int32_t l = 0; l < like->level_count; l++)
        for (int32_t y = 0; y <= like->level[l].height; y++) {
            const size_t width = (size_t)like->level[l].width;
            const size_t at = (size_t)a->first[l] + (size_t)y * (width + MIPMAP_PACKED_PADDING);
            cr_assert_arr_eq(a->texels + at * 8, b->texels + at * 8, (width + 1) * 16,
                             "%d x %d, level %d, row %d", like->level[0].width,
                             like->level[0].height, l, y);
            if (a->emissive_occlusion)
                cr_assert_arr_eq(a->emissive_occlusion + at * 4, b->emissive_occlusion + at * 4,
                                 (width + 1) * 8, "level %d, row %d", l, y);
        }
}

static int32_t halved(int32_t side, int32_t times)
{
    for (int32_t i = 0; i < times; i++)
        side = side > 1 ? side / 2 : 1;
    return side;
}

static void check_packed_pictures(picture_case *f, int32_t width, int32_t height, uint32_t key)
{
    static const picture_format formats[] = {PICTURE_RGBA8, PICTURE_RGB8, PICTURE_RGBA16};
    const mipmap_wrap wrap_u = (mipmap_wrap)(key % 3), wrap_v = (mipmap_wrap)(key / 3 % 3);
    const bool all_levels = key % 5 != 0;
    uint32_t seed = key;
    picture made[MIPMAP_PACK_COUNT];
    mipmap chain[MIPMAP_PACK_COUNT], like;
    const picture *source[MIPMAP_PACK_COUNT] = {NULL};
    const mipmap *chains[MIPMAP_PACK_COUNT] = {NULL};
    mipmap_packed expected, got;
    for (int k = 0; k < MIPMAP_PACK_COUNT; k++) {
        if (k != (int)(key % 3) && (next_random(&seed) & 3) == 0)
            continue; // not all are there
        const bool same = k == MIPMAP_PACK_OCCLUSION && source[1] && key % 2 == 0;
        const int32_t skip = key % 7 == 0 && all_levels && height >= 256 ? 2 : 0;
        const int32_t reduced = skip == 0 ? 0 : (int32_t)(next_random(&seed) % 3); // by a decoder
        made[k] = mipmap_random_picture(f, halved(width, reduced), halved(height, reduced),
                                        formats[next_random(&seed) % 3],
                                        next_random(&seed) % 4 == 0, next_random(&seed) | 1u);
        made[k].two_channel = k == MIPMAP_PACK_NORMAL && key % 4 == 0;
        made[k].skip = skip - reduced;
        source[k] = same ? source[1] : &made[k];
    }
    for (int k = 0; k < MIPMAP_PACK_COUNT; k++)
        if (source[k]) {
            MUST(mipmap_build(&f->a, source[k], packed_contents[k], wrap_u, wrap_v, all_levels,
                              &chain[k], &f->err),
                 f->err);
            chains[k] = &chain[k];
            mipmap_measure(source[k], packed_contents[k], wrap_u, wrap_v, all_levels, &like);
            cr_assert(mipmap_fits(&like, &chain[k]));
        }
    cr_assert_eq(mipmap_pack(NULL, &f->a, chains, &expected, &f->err), ZT_OK);
    OWN_POOL *pool = make_pool(3);
    for (int threads = 0; threads < 2; threads++) {
        MUST(mipmap_pack_pictures(threads ? pool : NULL, &f->a, source, &like, &got, &f->err),
             f->err);
        expect_same_packed(&like, &expected, &got);
    }
}

Test(mipmap_pack, from_pictures_as_from_chains)
{
    static const int32_t sizes[][2] = {{1, 1},    {3, 2},    {64, 16}, {37, 64},   {16, 257},
                                       {64, 256}, {20, 304}, {8, 520}, {300, 512}, {2, 768}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t seed = 1; seed < 8; seed++) {
            PICTURE_CASE(f, 0);
            check_packed_pictures(&f, sizes[i][0], sizes[i][1], 7919u * seed + (uint32_t)i);
        }
}

/// Sides that are halved to the same one from different ones.
Test(mipmap_pack, pictures_that_fit)
{
    const picture large = {.width = 101, .height = 64, .level_count = 1, .skip = 2};
    const struct {
        int32_t width, height, levels, skip;
        bool fits;
    } rows[] = {{101, 64, 1, 2, true},  {100, 64, 1, 2, false}, {50, 32, 1, 1, true},
                {51, 32, 1, 1, false},  {50, 33, 1, 1, false},  {25, 16, 1, 0, true},
                {101, 64, 1, 0, false}, {50, 32, 2, 1, false},  {202, 128, 1, 3, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const picture p = {.width = rows[i].width,
                           .height = rows[i].height,
                           .level_count = rows[i].levels,
                           .skip = rows[i].skip};
        cr_expect_eq(mipmap_picture_fits(&large, &p), rows[i].fits, "row %zu", i);
    }
}
