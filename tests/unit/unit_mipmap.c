// SPDX-License-Identifier: MIT
/// Mip chains against naive oracles in double: the transfer function by libm, boxes by area.
#include "mipmap_fixture.h"
#include "random_numbers.h"
#include "test_memory.h"
#include "texture/mipmap_pack.h"

static double texel(const mipmap *m, int level, int x, int y, int c)
{
    const mipmap_level *l = &m->level[level];
    const size_t at = 4 * ((size_t)y * (size_t)l->stride + (size_t)x) + (size_t)c;
    return m->format == MIPMAP_U15 ? ((const uint16_t *)l->texels)[at]
                                   : ((const uint8_t *)l->texels)[at];
}

Test(mipmap, srgb_matches_the_definition)
{
    for (int i = 0; i <= 65535; i++) {
        const double encoded = i / 65535.0;
        const double want =
            encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4);
        // 3 roundings in x^2 * r and a root good to 1 ulp: well below 1e-15 of 1
        NEAR(srgb_decode(encoded), want, 1e-15, "%d", i);
        cr_assert(i == 0 || srgb_decode(encoded) > srgb_decode((i - 1) / 65535.0));
    }
    cr_expect(srgb_decode(0.0) == 0.0 && srgb_decode(1.0) == 1.0);
    cr_expect(srgb_decode(-1.0) == 0.0 && srgb_decode(2.0) == 1.0 &&
              srgb_decode((double)NAN) == 0.0);
}

Test(mipmap, level_zero_holds_the_picture)
{
    PICTURE_CASE(f, 0);
    const picture p = mipmap_random_picture(&f, 37, 19, PICTURE_RGBA8, true, 3);
    const uint8_t *in = p.level[0];
    mipmap color, linear;
    MUST(mipmap_build(&f.a, &p, MIPMAP_COLOR, MIPMAP_REPEAT, MIPMAP_CLAMP, false, &color, &f.err),
         f.err);
    MUST(mipmap_build(&f.a, &p, MIPMAP_LINEAR, MIPMAP_REPEAT, MIPMAP_CLAMP, false, &linear, &f.err),
         f.err);
    cr_expect(color.level_count == 1 && linear.level_count == 1);
    cr_expect(color.format == MIPMAP_U15 && linear.format == MIPMAP_U8);
    cr_expect_eq(color.level[0].stride, 38);
    for (int y = 0; y < 19; y++)
        for (int x = 0; x < 37; x++)
            for (int c = 0; c < 4; c++) {
                const uint8_t code = in[4 * (y * 37 + x) + c];
                const double light = c == 3 ? code / 255.0 : srgb_decode(code / 255.0);
                cr_assert(texel(&color, 0, x, y, c) == floor(light * MIPMAP_U15_ONE + 0.5));
                cr_assert(texel(&linear, 0, x, y, c) == code);
            }
}

Test(mipmap, sixteen_bit_pictures)
{
    PICTURE_CASE(f, 0);
    const picture p = mipmap_random_picture(&f, 16, 16, PICTURE_RGBA16, true, 4);
    const uint16_t *in = p.level[0];
    mipmap color = mipmap_of(&f, &p, MIPMAP_COLOR, MIPMAP_CLAMP, MIPMAP_CLAMP);
    mipmap normal = mipmap_of(&f, &p, MIPMAP_NORMAL, MIPMAP_CLAMP, MIPMAP_CLAMP);
    for (int i = 0; i < 16 * 16 * 4; i++) {
        const double encoded = in[i] / 65535.0;
        const double light = i % 4 == 3 ? encoded : srgb_decode(encoded);
        const int x = i / 4 % 16, y = i / 64, c = i % 4;
        cr_assert(fabs(texel(&color, 0, x, y, c) - light * MIPMAP_U15_ONE) <= 0.5 + 1e-9);
        // rounded twice: to 1/32640, then to 1/255
        cr_assert(fabs(texel(&normal, 0, x, y, c) - encoded * 255) <= 0.5 + 0.5 / 128 + 1e-9);
    }
}

Test(mipmap, padding_matches_wrapping)
{
    static const int32_t sizes[][2] = {{8, 4}, {5, 7}, {1, 1}, {1, 6}, {16384, 1}};
    PICTURE_CASE(f, 0);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int content = MIPMAP_COLOR; content <= MIPMAP_NORMAL; content++)
            for (int wrap = 0; wrap < 9; wrap++) {
                const picture p =
                    mipmap_random_picture(&f, sizes[s][0], sizes[s][1], PICTURE_RGBA8, false, 11);
                const mipmap_wrap u = (mipmap_wrap)(wrap % 3), v = (mipmap_wrap)(wrap / 3);
                mipmap m = mipmap_of(&f, &p, (mipmap_content)content, u, v);
                cr_expect(m.wrap_u == u && m.wrap_v == v);
                int width = sizes[s][0], height = sizes[s][1];
                for (int level = 0; level < m.level_count; level++) {
                    const mipmap_level *l = &m.level[level];
                    cr_assert(l->width == width && l->height == height && l->stride == width + 1);
                    for (int c = 0; c < 4; c++) {
                        const int from_x = u == MIPMAP_REPEAT ? 0 : width - 1;
                        const int from_y = v == MIPMAP_REPEAT ? 0 : height - 1;
                        for (int y = 0; y < height; y++)
                            cr_assert(texel(&m, level, width, y, c) ==
                                      texel(&m, level, from_x, y, c));
                        for (int x = 0; x < width; x++)
                            cr_assert(texel(&m, level, x, height, c) ==
                                      texel(&m, level, x, from_y, c));
                        cr_assert(texel(&m, level, width, height, c) ==
                                  texel(&m, level, from_x, from_y, c));
                    }
                    width = width > 1 ? width / 2 : 1;
                    height = height > 1 ? height / 2 : 1;
                }
                cr_expect(m.level[m.level_count - 1].width == 1);
                cr_expect(m.level[m.level_count - 1].height == 1);
                arena_reset(&f.a);
            }
}

/// The part of [0, side) that texel i of `out` covers, from texel k: the definition of the box.
static double cover(int side, int out, int i, int k)
{
    const double from = (double)i * side / out, to = (double)(i + 1) * side / out;
    const double low = fmax(from, k), high = fmin(to, k + 1);
    return high > low ? high - low : 0.0;
}

/// Averages level `level - 1` of `m` as it was stored and compares with level `level`.
static void check_reduction(const mipmap *m, int level, bool by_alpha, double tolerance)
{
    const mipmap_level *in = &m->level[level - 1], *out = &m->level[level];
    for (int y = 0; y < out->height; y++)
        for (int x = 0; x < out->width; x++) {
            double sum[4] = {0}, weighted[3] = {0}, total = 0;
            for (int j = 0; j < in->height; j++)
                for (int i = 0; i < in->width; i++) {
                    const double w =
                        cover(in->width, out->width, x, i) * cover(in->height, out->height, y, j);
                    if (w == 0.0)
                        continue;
                    const double alpha = texel(m, level - 1, i, j, 3);
                    total += w;
                    for (int c = 0; c < 4; c++)
                        sum[c] += w * texel(m, level - 1, i, j, c);
                    for (int c = 0; c < 3; c++)
                        weighted[c] += w * alpha * texel(m, level - 1, i, j, c);
                }
            for (int c = 0; c < 4; c++) {
                const bool alpha = by_alpha && c < 3 && sum[3] > 0;
                const double want = alpha ? weighted[c] / sum[3] : sum[c] / total;
                NEAR(texel(m, level, x, y, c), want, tolerance, "level %d at %d,%d channel %d",
                     level, x, y, c);
            }
        }
}

Test(mipmap, every_level_is_an_exact_box)
{
    static const int32_t sizes[][2] = {{8, 8}, {7, 5}, {9, 4}, {4, 9}, {1, 13}, {13, 1}, {31, 33}};
    PICTURE_CASE(f, 0);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int has_alpha = 0; has_alpha < 2; has_alpha++) {
            const picture p = mipmap_random_picture(&f, sizes[s][0], sizes[s][1], PICTURE_RGBA8,
                                                    has_alpha, 21 + (uint32_t)s);
            mipmap m = mipmap_of(&f, &p, MIPMAP_COLOR, MIPMAP_REPEAT, MIPMAP_REPEAT);
            for (int level = 1; level < m.level_count; level++)
                check_reduction(&m, level, has_alpha, 0.5 + 1e-6);
            m = mipmap_of(&f, &p, MIPMAP_LINEAR, MIPMAP_REPEAT, MIPMAP_REPEAT);
            for (int level = 1; level < m.level_count; level++) // stored values are rounded
                check_reduction(&m, level, false, level == 1 ? 0.51 : 1.02);
        }
}

static picture plain_picture(int32_t side, const uint8_t *data)
{
    return (picture){.width = side, .height = side, .level_count = 1, .level = {data}};
}

/// Rounding must not drift: every fourth column is 201, so level 1 holds 200 and 200.5, and from
/// level 2 on all is 200.25. Rounding level 1 to 8 bits first would make it 201.
Test(mipmap, eight_bit_chains_keep_their_mean)
{
    PICTURE_CASE(f, 0);
    uint8_t *data = arena_alloc(&f.a, 1024 * 1024, 4);
    for (size_t i = 0; i < (size_t)4 << 20; i++)
        data[i] = (uint8_t)(200 + (i / 4 % 4 == 3));
    const picture p = plain_picture(1024, data);
    mipmap m = mipmap_of(&f, &p, MIPMAP_LINEAR, MIPMAP_CLAMP, MIPMAP_CLAMP);
    cr_assert_eq(m.level_count, 11);
    cr_expect(texel(&m, 1, 0, 0, 0) == 200 && texel(&m, 1, 1, 0, 0) == 201);
    for (int level = 2; level < 11; level++)
        cr_expect(texel(&m, level, 0, 0, 0) == 200, "level %d", level);
}

/// 255 - v gives 255 - v at levels with exact sums, but for means of exactly 127.5.
Test(mipmap, eight_bit_levels_are_symmetric)
{
    PICTURE_CASE(f, 0);
    static uint8_t data[64 * 64 * 4], turned[64 * 64 * 4];
    uint32_t seed = 8;
    for (size_t i = 0; i < sizeof data; i++) {
        data[i] = (uint8_t)(next_random(&seed) >> 9);
        turned[i] = (uint8_t)(255 - data[i]);
    }
    const picture p = plain_picture(64, data), q = plain_picture(64, turned);
    mipmap a = mipmap_of(&f, &p, MIPMAP_NORMAL, MIPMAP_CLAMP, MIPMAP_CLAMP);
    mipmap b = mipmap_of(&f, &q, MIPMAP_NORMAL, MIPMAP_CLAMP, MIPMAP_CLAMP);
    for (int level = 0; level < 4; level++)
        for (int i = 0; i < (64 >> level) * (64 >> level) * 4; i++) {
            const int y = i / 4 / (64 >> level), x = i / 4 % (64 >> level);
            const double v = texel(&a, level, x, y, i % 4), w = texel(&b, level, x, y, i % 4);
            cr_assert(v + w == 255 || (v == 128 && w == 128), "level %d: %g and %g", level, v, w);
        }
}

Test(mipmap, averages_in_linear_light)
{
    PICTURE_CASE(f, 0);
    uint8_t data[16] = {0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 255};
    const picture p = {.width = 2, .height = 2, .level_count = 1, .level = {data}};
    mipmap m = mipmap_of(&f, &p, MIPMAP_COLOR, MIPMAP_CLAMP, MIPMAP_CLAMP);
    cr_expect(texel(&m, 1, 0, 0, 0) == MIPMAP_U15_ONE / 2);
}

Test(mipmap, transparent_texels_lend_no_colour)
{
    PICTURE_CASE(f, 0);
    uint8_t data[16] = {255, 0, 0, 255, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0};
    picture p = {.width = 2, .height = 2, .level_count = 1, .has_alpha = true, .level = {data}};
    mipmap m = mipmap_of(&f, &p, MIPMAP_COLOR, MIPMAP_CLAMP, MIPMAP_CLAMP);
    cr_expect(texel(&m, 1, 0, 0, 0) == MIPMAP_U15_ONE && texel(&m, 1, 0, 0, 1) == 0);
    cr_expect(texel(&m, 1, 0, 0, 3) == MIPMAP_U15_ONE / 4);
    data[3] = 0; // all transparent: the plain average, not black
    m = mipmap_of(&f, &p, MIPMAP_COLOR, MIPMAP_CLAMP, MIPMAP_CLAMP);
    cr_expect(texel(&m, 1, 0, 0, 0) == MIPMAP_U15_ONE / 4 && texel(&m, 1, 0, 0, 3) == 0);
}

/// An alpha channel that is 1 everywhere is none; a single texel counts.
Test(mipmap, transparency_is_known)
{
    PICTURE_CASE(f, 0);
    for (int form = 0; form < 4; form++) {
        const picture_format format = form < 2 ? PICTURE_RGBA8 : PICTURE_RGBA16;
        picture p = mipmap_random_picture(&f, 9, 7, format, false, 3);
        p.has_alpha = true;
        if (form % 2)
            ((uint8_t *)(uintptr_t)p.level[0])[format == PICTURE_RGBA8 ? 251 : 503] = 127;
        for (int content = MIPMAP_COLOR; content <= MIPMAP_NORMAL; content++) {
            mipmap m = mipmap_of(&f, &p, (mipmap_content)content, MIPMAP_REPEAT, MIPMAP_REPEAT);
            cr_assert_eq(m.has_alpha, form % 2 && content == MIPMAP_COLOR, "%d %d", form, content);
        }
    }
}

Test(mipmap, levels_of_the_file_are_used)
{
    PICTURE_CASE(f, 0);
    uint8_t level0[8 * 4 * 4], level1[4 * 2 * 4];
    memset(level0, 10, sizeof level0);
    memset(level1, 200, sizeof level1);
    const picture p = {.width = 8, .height = 4, .level_count = 2, .level = {level0, level1}};
    mipmap m = mipmap_of(&f, &p, MIPMAP_LINEAR, MIPMAP_CLAMP, MIPMAP_CLAMP);
    cr_assert_eq(m.level_count, 4);
    cr_expect(texel(&m, 0, 0, 0, 0) == 10);
    for (int level = 1; level < 4; level++) // the rest follows from the last one of the file
        cr_expect(texel(&m, level, 0, 0, 0) == 200, "level %d", level);
}

Test(mipmap, two_channel_normals_have_full_blue)
{
    PICTURE_CASE(f, 0);
    uint8_t data[4 * 4 * 4];
    memset(data, 9, sizeof data);
    const picture p = {
        .width = 4, .height = 4, .level_count = 1, .two_channel = true, .level = {data}};
    mipmap m = mipmap_of(&f, &p, MIPMAP_NORMAL, MIPMAP_CLAMP, MIPMAP_CLAMP);
    for (int level = 0; level < 3; level++)
        cr_expect(texel(&m, level, 0, 0, 2) == 255 && texel(&m, level, 0, 0, 0) == 9);
}

Test(mipmap, too_little_memory_is_an_error)
{
    PICTURE_CASE(f, 0);
    const picture p = mipmap_random_picture(&f, 64, 64, PICTURE_RGBA8, false, 1);
    budget small;
    arena a;
    int failures = 0;
    for (uint64_t limit = 1; limit < 150000; limit += 1500) {
        budget_init(&small, limit, NULL);
        arena_init(&a, &small);
        mipmap m;
        const zt_result result =
            mipmap_build(&a, &p, MIPMAP_COLOR, MIPMAP_CLAMP, MIPMAP_CLAMP, true, &m, &f.err);
        cr_expect(result == ZT_OK || result == ZT_ERR_LIMIT);
        failures += result != ZT_OK;
        arena_finish(&a);
        cr_expect_eq(small.used, 0);
    }
    cr_expect(failures > 10 && failures < 99, "%d", failures);
}

Test(mipmap, reduction_depends_on_sizes_only)
{
    static const struct {
        int32_t width, height, smallest, halvings;
    } cases[] = {
        {2048, 2048, 512, 2},                       // a thumbnail of 256 keeps 512
        {2048, 2048, 513, 1}, {2047, 2047, 512, 1}, // 1023, 511
        {4096, 1024, 512, 1},                       // the shorter side decides
        {1024, 4096, 512, 1}, {512, 512, 512, 0},   {300, 300, 512, 0},
        {1, 1, 1, 0},         {8, 8, 1, 3},         {2048, 2048, 0, 0}, // nothing was asked for
        {2048, 2048, -2, 0},  {5, 7, 2, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_eq(picture_reduction(cases[i].width, cases[i].height, cases[i].smallest),
                     cases[i].halvings, "case %zu", i);
}

/// Skipping levels must not change those that are left, odd sides and wrapped borders included.
Test(mipmap, skipped_levels_change_no_other)
{
    static const int32_t sizes[][2] = {{64, 64}, {37, 53}, {96, 20}, {35, 16}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int content = MIPMAP_COLOR; content <= MIPMAP_NORMAL; content++)
            for (int32_t skip = 1; skip <= 3; skip++) {
                PICTURE_CASE(f, 0);
                const picture_format format = i % 2 ? PICTURE_RGBA16 : PICTURE_RGBA8;
                picture p = mipmap_random_picture(&f, sizes[i][0], sizes[i][1], format, i < 2, 7);
                mipmap all =
                    mipmap_of(&f, &p, (mipmap_content)content, MIPMAP_REPEAT, MIPMAP_CLAMP);
                p.skip = skip;
                mipmap rest =
                    mipmap_of(&f, &p, (mipmap_content)content, MIPMAP_REPEAT, MIPMAP_CLAMP);
                cr_assert_eq(rest.level_count, all.level_count - skip);
                for (int32_t k = 0; k < rest.level_count; k++) {
                    const mipmap_level *a = &all.level[k + skip], *b = &rest.level[k];
                    cr_assert(a->width == b->width && a->height == b->height);
                    const size_t texel_size = all.format == MIPMAP_U15 ? 8 : 4;
                    const size_t size = (size_t)a->stride * ((size_t)a->height + 1) * texel_size;
                    cr_expect(memcmp(a->texels, b->texels, size) == 0, "level %d", k);
                }
            }
}

/// Tall colours without alpha are made in bands; those with an alpha that is 1 are not, and have
/// the same means.
Test(mipmap, bands_are_the_rows_of_a_whole)
{
    static const int32_t sizes[][2] = {{6, 256}, {5, 320}, {40, 264}, {2, 768}, {33, 300}};
    OWN_POOL *pool = make_pool(3);
    for (size_t i = 0; i < 5 * 3 * sizeof sizes / sizeof *sizes; i++) {
        const int32_t *size = sizes[i / 15];
        PICTURE_CASE(f, 0);
        picture p = mipmap_random_picture(&f, size[0], size[1],
                                          i % 3 ? PICTURE_RGB8 : PICTURE_RGBA8, false, 5);
        for (size_t k = 0; i % 3 == 0 && k < (size_t)size[0] * (size_t)size[1]; k++)
            ((uint8_t *)(uintptr_t)p.level[0])[4 * k + 3] = 255;
        p.skip = (int32_t)(i / 3 % 5);
        picture whole = p;
        whole.has_alpha = true;
        mipmap bands, want;
        MUST(mipmap_build_shared(i % 3 == 1 ? NULL : pool, &f.a, &p, MIPMAP_COLOR, MIPMAP_REPEAT,
                                 MIPMAP_CLAMP, true, &bands, &f.err),
             f.err);
        want = mipmap_of(&f, &whole, MIPMAP_COLOR, MIPMAP_REPEAT, MIPMAP_CLAMP);
        cr_assert_eq(bands.level_count, want.level_count);
        for (int32_t k = 0; k < want.level_count; k++) {
            const mipmap_level *a = &want.level[k], *b = &bands.level[k];
            const size_t bytes = (size_t)a->stride * ((size_t)a->height + 1) * 8;
            cr_expect(memcmp(a->texels, b->texels, bytes) == 0, "%d x %d, skip %d, level %d",
                      size[0], size[1], p.skip, k);
        }
    }
}

/// Levels that the file brings are those that are kept.
Test(mipmap, skipped_levels_of_a_file_with_levels)
{
    PICTURE_CASE(f, 0);
    picture p = mipmap_random_picture(&f, 16, 16, PICTURE_RGBA8, false, 5);
    const picture half = mipmap_random_picture(&f, 8, 8, PICTURE_RGBA8, false, 6);
    const picture quarter = mipmap_random_picture(&f, 4, 4, PICTURE_RGBA8, false, 9);
    p.level_count = 3;
    p.level[1] = half.level[0];
    p.level[2] = quarter.level[0];
    mipmap m;
    for (p.skip = 1; p.skip <= 2; p.skip++) {
        m = mipmap_of(&f, &p, MIPMAP_LINEAR, MIPMAP_CLAMP, MIPMAP_CLAMP);
        cr_expect_eq(m.level_count, 5 - p.skip);
        const uint8_t *want = p.level[p.skip];
        cr_expect(texel(&m, 0, 3, 2, 1) == want[4 * (2 * m.level[0].width + 3) + 1]);
    }
    p.skip = 3; // beyond what the file has
    m = mipmap_of(&f, &p, MIPMAP_LINEAR, MIPMAP_CLAMP, MIPMAP_CLAMP);
    cr_expect(m.level_count == 2 && m.level[0].width == 2);
}

/// Values written to a separate channel are zero, so that whole blocks are compared.
Test(mipmap, packed_alike_on_any_number_of_threads)
{
    enum { WIDTH = 60, HEIGHT = 301, COUNT = 4 };
    PICTURE_CASE(f, 0);
    const picture p = mipmap_random_picture(&f, WIDTH, HEIGHT, PICTURE_RGBA8, false, 3);
    mipmap_packed packed[COUNT];
    mipmap color = mipmap_of(&f, &p, MIPMAP_COLOR, MIPMAP_REPEAT, MIPMAP_CLAMP);
    mipmap normal = mipmap_of(&f, &p, MIPMAP_NORMAL, MIPMAP_REPEAT, MIPMAP_CLAMP);
    const mipmap *const chain[MIPMAP_PACK_COUNT] = {[MIPMAP_PACK_BASE] = &color,
                                                    [MIPMAP_PACK_NORMAL] = &normal,
                                                    [MIPMAP_PACK_EMISSIVE] = &color};
    for (int32_t t = 0; t < COUNT; t++) {
        OWN_POOL *pool = t > 0 ? make_pool(t) : NULL;
        cr_assert_eq(mipmap_pack(pool, &f.a, chain, &packed[t], &f.err), ZT_OK);
    }
    const mipmap_level *last = &color.level[color.level_count - 1];
    const size_t texels = (size_t)packed[0].first[color.level_count - 1] +
                          (size_t)(last->width + MIPMAP_PACKED_PADDING) * 2;
    const int16_t *bottom = packed[0].texels + (size_t)(WIDTH + MIPMAP_PACKED_PADDING) *
                                                   (HEIGHT - 1) * MIPMAP_PACKED_CHANNELS;
    cr_assert(bottom[0] == (int16_t)texel(&color, 0, 0, HEIGHT - 1, 0));
    for (int32_t t = 1; t < COUNT; t++) {
        cr_assert(memcmp(packed[t].texels, packed[0].texels,
                         texels * MIPMAP_PACKED_CHANNELS * sizeof(int16_t)) == 0);
        cr_assert(memcmp(packed[t].emissive_occlusion, packed[0].emissive_occlusion,
                         texels * MIPMAP_EMISSIVE_OCCLUSION_CHANNELS * sizeof(int16_t)) == 0);
    }
}

/// Half of the rows are unit vectors, half are half as long; longer ones do not make up for it.
Test(mipmap, shortness_is_the_mean_of_short_vectors)
{
    enum { SIDE = 200 };
    static uint8_t rgb[SIDE][SIDE][3];
    static uint16_t rgba[SIDE][SIDE][4];
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const double z = y % 2 ? 1.0 : 0.5, tilt = x % 2 && y % 2 ? 0.5 : 0.0;
            const double v[3] = {tilt, 0.0, z};
            for (int c = 0; c < 3; c++) {
                rgb[y][x][c] = (uint8_t)((v[c] + 1.0) * 127.5 + 0.5);
                rgba[y][x][c] = (uint16_t)((v[c] + 1.0) * 32767.5 + 0.5);
            }
        }
    picture p = {.width = SIDE, .height = SIDE, .level_count = 1, .format = PICTURE_RGB8};
    p.level[0] = rgb;
    cr_expect_lt(fabs((double)mipmap_shortness(&p) - 0.375), 0.01);
    p.format = PICTURE_RGBA16;
    p.level[0] = rgba;
    cr_expect_lt(fabs((double)mipmap_shortness(&p) - 0.375), 0.01);
    p.two_channel = true;
    cr_expect_eq(mipmap_shortness(&p), 0.0f);
}

/// The share of a level that passes the test of a mask that is minified to it.
static double coverage(const mipmap *m, int level, double cutoff)
{
    const double spread = (double)mipmap_mask_spread((float)level + mipmap_skipped(m));
    const mipmap_level *l = &m->level[level];
    double sum = 0.0;
    for (int y = 0; y < l->height; y++)
        for (int x = 0; x < l->width; x++)
            sum += fmax(0.0, fmin(1.0, 1.0 + (texel(m, level, x, y, 3) / MIPMAP_U15_ONE - cutoff -
                                              (1.0 - cutoff) * spread) /
                                                 spread));
    return sum / (l->width * l->height);
}

/// Soft leaves, of which a cutoff away from a half makes more or less than their mean.
Test(mipmap, masks_keep_their_coverage)
{
    enum { SIDE = 512 };
    const double cutoff = 180.0 / 255.0;
    for (int share = 20; share <= 80; share += 10) {
        mipmap m;
        PICTURE_CASE(f, 0);
        picture p = mipmap_random_picture(&f, SIDE, SIDE, PICTURE_RGBA8, true, 7);
        uint8_t *pixels = (uint8_t *)(uintptr_t)p.level[0];
        uint32_t bits = (uint32_t)share * 7919u;
        double opaque = 0.0;
        for (int i = 0; i < SIDE * SIDE; i++) {
            const int is = (int)((bits = bits * 1664525u + 1013904223u) >> 16) % 100 < share;
            pixels[4 * i + 3] = (uint8_t)(is ? 200 + bits % 56 : bits % 100);
        }
        for (int i = 0; i < SIDE * SIDE; i++)
            opaque += pixels[4 * i + 3] >= 180 ? 1.0 / (SIDE * SIDE) : 0.0;
        p.skip = share % 20 ? 2 : 0; // also of a reduced texture
        m = mipmap_of(&f, &p, MIPMAP_COLOR, MIPMAP_REPEAT, MIPMAP_REPEAT);
        const double plain = coverage(&m, 3, cutoff);
        mipmap_keep_coverage(&m, (float)cutoff);
        cr_expect_eq(mipmap_skipped(&m), share % 20 ? 2.0f : 0.0f);
        for (int level = share % 20 ? 0 : 1; m.level[level].width >= 16; level++)
            NEAR(coverage(&m, level, cutoff), opaque, 0.005, "level %d of %d %%", level, share);
        cr_expect(fabs(plain - opaque) > 0.01, "%d %%: %g", share, plain);
    }
}
