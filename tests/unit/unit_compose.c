// SPDX-License-Identifier: MIT
/// Pictures made of channels of others: of every format, and of several sizes.
#include "testing.h"
#include "texture/picture_compose.h"

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
    budget memory;
    arena keep;
    picture out;
    budget_init(&memory, 1 << 20, NULL);
    arena_init(&keep, &memory);
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
    arena_finish(&keep);
    budget_init(&memory, 8, NULL);
    arena_init(&keep, &memory);
    cr_expect_eq(picture_compose(&keep, all, &out, NULL), ZT_ERR_LIMIT);
    arena_finish(&keep);
}
