// SPDX-License-Identifier: MIT
/// Pictures of the public API: sizes, the pixel hash against its definition, and comparison.
#include "testing.h"

Test(image, init_is_zeroed_and_checked)
{
    zt_image image = make_image(5, 3);
    cr_assert_eq(image.stride, 20);
    for (size_t i = 0; i < 60; i++)
        cr_assert_eq(image.rgba8[i], 0);
    zt_image_finish(&image);
    cr_assert_null(image.rgba8);
    zt_image_finish(&image);
    zt_image_finish(NULL);

    static const struct {
        int32_t width, height;
        zt_result result;
    } bad[] = {
        {0, 1, ZT_ERR_ARGUMENT},  {1, -1, ZT_ERR_ARGUMENT},         {INT32_MIN, 1, ZT_ERR_ARGUMENT},
        {16385, 1, ZT_ERR_LIMIT}, {INT32_MAX, 16385, ZT_ERR_LIMIT},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        zt_error err;
        memset(&image, 0xa5, sizeof image);
        cr_expect_eq(zt_image_init(&image, bad[i].width, bad[i].height, NULL, &err), bad[i].result);
        cr_expect_eq(err.code, bad[i].result);
        cr_expect_null(image.rgba8);
    }
}

Test(image, pixels_begin_with_a_cache_line)
{
    const int32_t sides[] = {1, 5, 64, 700, 1500}; // from 4 bytes to several huge pages
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        OWN_IMAGE image = make_image(sides[i], sides[i]);
        const size_t size = (size_t)image.height * image.stride;
        cr_expect_eq((uintptr_t)image.rgba8 % 64, 0);
        cr_expect_eq(image.rgba8[0] | image.rgba8[size / 2] | image.rgba8[size - 1], 0);
        memset(image.rgba8, 0xa5, size);
    }
}

Test(image, finish_frees_pixels_of_the_caller)
{
    zt_image image = {.rgba8 = malloc(4), .width = 1, .height = 1, .stride = 4};
    zt_image_finish(&image);
    cr_assert_null(image.rgba8);
}

Test(image, pixels_can_be_passed_on)
{
    zt_image image = make_image(5, 3), other = image;
    image.rgba8 = NULL;
    zt_image_finish(&image);
    memset(other.rgba8, 0xa5, 60); // still there
    zt_image_finish(&other);
}

/// FNV-1a of the bytes 01 00 00 00 01 00 00 00 0a 14 1e ff, worked out apart from this code.
Test(image, hash_of_one_pixel_is_the_published_fnv)
{
    OWN_IMAGE image = make_image(1, 1);
    memcpy(image.rgba8, (uint8_t[]){10, 20, 30, 255}, 4);
    cr_assert_eq(zt_image_hash(&image), UINT64_C(0x25906d9665ead320));
}

Test(image, hash_ignores_stride_and_sees_everything_else)
{
    OWN_IMAGE a = make_image(4, 3);
    for (size_t i = 0; i < 48; i++)
        a.rgba8[i] = (uint8_t)(i * 7);
    uint8_t wide[3][40];
    memset(wide, 0xcc, sizeof wide);
    for (size_t y = 0; y < 3; y++)
        memcpy(wide[y], a.rgba8 + 16 * y, 16);
    const zt_image b = {.rgba8 = wide[0], .width = 4, .height = 3, .stride = 40};
    const uint64_t hash = zt_image_hash(&a);
    cr_assert_eq(zt_image_hash(&b), hash);
    const zt_image turned = {.rgba8 = a.rgba8, .width = 3, .height = 4, .stride = 12};
    cr_expect_neq(zt_image_hash(&turned), hash);
    for (size_t i = 0; i < 48; i++) {
        a.rgba8[i] ^= 1;
        cr_expect_neq(zt_image_hash(&a), hash, "byte %zu", i);
        a.rgba8[i] ^= 1;
    }
}

static zt_result compare(const zt_image *a, const zt_image *b, zt_metrics *out, zt_image *out_diff,
                         zt_error *err)
{
    zt_metrics_def def = zt_default_metrics_def();
    def.straight = true;
    return zt_image_measure(a, b, &def, out, out_diff, err);
}

Test(compare, equal_pictures)
{
    OWN_IMAGE a = make_image(7, 5), b = make_image(7, 5), diff = {0};
    memset(a.rgba8, 200, 7 * 5 * 4);
    memset(b.rgba8, 200, 7 * 5 * 4);
    zt_metrics d;
    cr_assert_eq(compare(&a, &b, &d, &diff, NULL), ZT_OK);
    cr_expect_eq(d.pixels, 0);
    cr_expect_eq(d.max, 0);
    cr_expect(d.mean == 0.0);
    cr_expect(d.first_x == -1 && d.first_y == -1);
    cr_expect(diff.width == 7 && diff.height == 5);
    for (int i = 0; i < 35; i++) // dim grey, opaque
        cr_expect(diff.rgba8[4 * i] == diff.rgba8[4 * i + 1] && diff.rgba8[4 * i] < 100 &&
                  diff.rgba8[4 * i + 3] == 255);
}

Test(compare, counts_every_channel)
{
    for (size_t c = 0; c < 4; c++) {
        OWN_IMAGE a = make_image(6, 4), b = make_image(6, 4);
        a.rgba8[(2 * 6 + 5) * 4 + c] = 10;  // x 5, y 2
        b.rgba8[(3 * 6 + 1) * 4 + c] = 250; // x 1, y 3
        b.rgba8[(3 * 6 + 4) * 4 + c] = 30;  // x 4, y 3: after the largest
        zt_metrics d;
        cr_assert_eq(compare(&a, &b, &d, NULL, NULL), ZT_OK);
        cr_expect_eq(d.pixels, 3);
        cr_expect_eq(d.max, 250);
        cr_expect(d.mean == 290.0 / 96.0);
        cr_expect(d.first_x == 5 && d.first_y == 2);
    }
}

Test(compare, refuses_pictures_that_cannot_be_compared)
{
    OWN_IMAGE a = make_image(4, 4), b = make_image(4, 5), diff = {0};
    zt_error err;
    cr_expect_eq(compare(&a, &b, NULL, &diff, &err), ZT_ERR_DIFFERENT);
    cr_expect(strstr(err.message, "4 x 4") && strstr(err.message, "4 x 5"), "%s", err.message);
    cr_expect_null(diff.rgba8);
    cr_expect_eq(compare(NULL, &b, NULL, NULL, &err), ZT_ERR_ARGUMENT);
    const zt_image narrow = {.rgba8 = a.rgba8, .width = 4, .height = 4, .stride = 15};
    cr_expect_eq(compare(&a, &narrow, NULL, NULL, &err), ZT_ERR_ARGUMENT);
    const zt_image empty = {.rgba8 = a.rgba8, .width = 0, .height = 4, .stride = 16};
    cr_expect_eq(compare(&empty, &a, NULL, NULL, &err), ZT_ERR_ARGUMENT);
}
