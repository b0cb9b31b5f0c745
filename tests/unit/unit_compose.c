// SPDX-License-Identifier: MIT
/// Pictures made of channels of others: of every format, and of several sizes.
#include "testing.h"
#include "texture/picture_compose.h"

#include <math.h>

/// A step of heights from 0 to 255, to the right or to the top, of 64 x 64: half of it over a texel
/// is a slope of 0.5 * 64 / 50, which leans away from what is higher.
Test(compose, normals_of_heights)
{
    enum { SIDE = 64 };
    static uint8_t heights[SIDE * SIDE * 3];
    const picture source = {
        .width = SIDE, .height = SIDE, .format = PICTURE_RGB8, .level = {heights}};
    const double slope = 0.5 * SIDE / 50.0, length = sqrt(slope * slope + 1.0);
    const int leaning = (int)((0.5 - 0.5 * slope / length) * 255.0 + 0.5);
    const int rest = (int)((0.5 + 0.5 / length) * 255.0 + 0.5);
    picture none = {0}, out;
    OWN_MEMORY(keep, 1 << 20);
    for (int top = 0; top < 2; top++) {
        for (int i = 0; i < SIDE * SIDE; i++)
            memset(heights + 3 * i, (top ? i / SIDE < 32 : i % SIDE >= 32) ? 255 : 0, 3);
        cr_assert_eq(picture_compose_plan(&keep, TEXTURE_BUMP, &source, &none, &out, NULL), ZT_OK);
        const uint8_t *step = (const uint8_t *)out.level[0] + 4 * (31 + 32 * SIDE);
        const uint8_t *flat = (const uint8_t *)out.level[0] + 4 * (10 + 10 * SIDE);
        cr_expect(step[top] == leaning && step[1 - top] == 128 && step[2] == rest, "%d: %d %d %d",
                  top, step[0], step[1], step[2]);
        cr_expect(memcmp(flat, (const uint8_t[]){128, 128, 255, 255}, 4) == 0);
    }
    for (int i = 0; i < SIDE * SIDE; i++)
        memcpy(heights + 3 * i, (const uint8_t[]){120, 130, 250}, 3);
    cr_assert_eq(picture_compose_plan(&keep, TEXTURE_BUMP, &source, &none, &out, NULL), ZT_OK);
    cr_expect(out.level[0] == heights, "normals stay as they are");
}

Test(compose, channels_of_other_formats_and_sizes)
{
    static const uint8_t rgb[3 * 2] = {10, 20, 30, 40, 50, 60};
    static const uint8_t rgba[2][12] = {{1, 2, 3, 4, 5, 6, 7, 8}, {9, 10, 11, 12, 13, 14, 15, 16}};
    static const uint16_t wide[4] = {0x1234, 0x5678, 0x9abc, 0xdef0};
    const picture a = {.width = 2, .height = 1, .format = PICTURE_RGB8, .level = {rgb}};
    const picture b = {
        .width = 2, .height = 2, .format = PICTURE_RGBA8, .pitch = 12, .level = {rgba}};
    const picture c = {.width = 1, .height = 1, .format = PICTURE_RGBA16, .level = {wide}};
    const picture_channel all[4] = {{&a, 1}, {&b, 3}, {&c, 2}, {&a, 3}};
    const picture_channel one[4] = {{NULL, 0}, {&a, 0}, {NULL, 0}, {NULL, 0}};
    static const uint8_t want[16] = {20, 4,  0x9a, 255, 50, 8,  0x9a, 255,
                                     20, 12, 0x9a, 255, 50, 16, 0x9a, 255};
    OWN_MEMORY(keep, 1 << 20);
    OWN_MEMORY(tight, 8);
    picture out;
    cr_assert_eq(picture_compose(&keep, all, &out, NULL), ZT_OK);
    cr_assert(out.width == 2 && out.height == 2 && out.has_alpha && out.level_count == 1);
    cr_expect(memcmp(out.level[0], want, sizeof want) == 0);
    cr_assert_eq(picture_compose(&keep, one, &out, NULL), ZT_OK);
    cr_assert(out.width == 2 && out.height == 1 && !out.has_alpha);
    cr_expect(memcmp(out.level[0], (const uint8_t[]){255, 10, 255, 255, 255, 40, 255, 255}, 8) ==
              0);
    cr_expect(!picture_is_clear(&a) && !picture_is_clear(&b), "b has no alpha that counts");
    picture counts = b;
    counts.has_alpha = true;
    cr_expect(picture_is_clear(&counts));
    cr_expect_eq(picture_compose(&tight, all, &out, NULL), ZT_ERR_LIMIT);
}
