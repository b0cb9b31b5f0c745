// SPDX-License-Identifier: MIT
/// Packing, trimming and drawing of sheets, and the letters of captions.
#include "cli/sheet.h"
#include "testing.h"

static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

Test(sheet, packed_rectangles_do_not_overlap)
{
    enum { COUNT = 60, SIDE = 400 };
    uint32_t state = 7;
    for (int round = 0; round < 50; round++) {
        static uint8_t used[SIDE][SIDE];
        sheet_rect rects[COUNT] = {{0}};
        int32_t order[COUNT], height, area = 0;
        const int count = 1 + (int)(next(&state) % COUNT);
        for (int i = 0; i < count; i++) {
            rects[i].width = 1 + (int32_t)(next(&state) % 40);
            rects[i].height = 1 + (int32_t)(next(&state) % 40);
            area += rects[i].width * rects[i].height;
        }
        const int32_t width = sheet_pack(rects, count, SIDE, SIDE, order, &height);
        cr_assert(width > 0 && width <= SIDE && height <= SIDE, "%d x %d", width, height);
        cr_expect(count < 20 || width * height < 2 * area, "%d of %d", area, width * height);
        memset(used, 0, sizeof used);
        for (int i = 0; i < count; i++)
            for (int32_t y = rects[i].y; y < rects[i].y + rects[i].height; y++)
                for (int32_t x = rects[i].x; x < rects[i].x + rects[i].width; x++) {
                    cr_assert(x < width && y < height && !used[y][x], "%d at %d,%d", i, x, y);
                    used[y][x] = 1;
                }
    }
    sheet_rect wide[2] = {{0, 0, 50, 50}, {0, 0, 50, 50}};
    int32_t order[2], height;
    cr_expect_eq(sheet_pack(wide, 2, 60, 60, order, &height), 0, "two of 50 in 60 x 60");
    cr_expect_eq(sheet_pack(wide, 1, 60, 60, order, &height), 50, "one of 50");
    cr_expect_eq(sheet_pack(wide, 2, 60, 200, order, &height), 50, "one below the other");
}

/// A picture of 9 x 7 whose pixels say where they are; transparent outside of a rectangle.
static zt_image picture_with(sheet_rect kept)
{
    zt_image image = make_image(9, 7);
    for (int32_t y = kept.y; y < kept.y + kept.height; y++)
        for (int32_t x = kept.x; x < kept.x + kept.width; x++) {
            const uint8_t pixel[4] = {(uint8_t)(x * 20), (uint8_t)(y * 20), 9, 255};
            memcpy(image.rgba8 + (size_t)y * image.stride + (size_t)x * 4, pixel, 4);
        }
    return image;
}

Test(sheet, trimmed_pictures_keep_their_pixels)
{
    static const sheet_rect kept[] = {
        {0, 0, 9, 7}, {3, 2, 4, 5}, {8, 6, 1, 1}, {0, 0, 0, 0}, {2, 0, 3, 1}};
    enum { COUNT = sizeof kept / sizeof *kept, EDGE = 2, GAP = 3 };
    options o = {.limits = {.picture_side = 100},
                 .sheet = {.trim = true, .extrude = EDGE, .padding = GAP}};
    static sheet_cell cells[COUNT];
    sheet s = {.o = &o, .count = COUNT, .cells = cells, .cell_width = 9, .cell_height = 7};
    zt_error err;
    OWN_IMAGE image = {0};
    for (int i = 0; i < COUNT; i++)
        cells[i].image = picture_with(kept[i]);
    cr_assert_eq(sheet_place(&s, &err), ZT_OK);
    cr_assert_eq(sheet_draw(&s, &image, &err), ZT_OK);
    for (int i = 0; i < COUNT; i++) {
        const sheet_rect *k = &cells[i].kept, *slot = &cells[i].slot;
        if (kept[i].width > 0)
            cr_expect(memcmp(k, &kept[i], sizeof *k) == 0, "%d", i);
        else
            cr_expect(k->width == 1 && k->height == 1 && k->x == 0 && k->y == 0);
        cr_expect(slot->width == k->width + 2 * EDGE && slot->x + slot->width <= s.width &&
                  slot->y + slot->height <= s.height);
        for (int32_t y = 0; y < slot->height; y++)
            for (int32_t x = 0; x < slot->width; x++) {
                const int32_t from_x = k->x + (x < EDGE               ? 0
                                               : x - EDGE >= k->width ? k->width - 1
                                                                      : x - EDGE);
                const int32_t from_y = k->y + (y < EDGE                ? 0
                                               : y - EDGE >= k->height ? k->height - 1
                                                                       : y - EDGE);
                const uint8_t *a =
                    image.rgba8 + (size_t)(slot->y + y) * image.stride + (size_t)(slot->x + x) * 4;
                const uint8_t *b = cells[i].image.rgba8 + (size_t)from_y * cells[i].image.stride +
                                   (size_t)from_x * 4;
                cr_assert(memcmp(a, b, 4) == 0, "picture %d at %d,%d", i, x, y);
            }
        zt_image_finish(&cells[i].image);
    }
}

/// Each pixel of a letter is 2 x 2 of the sheet; the line is in the middle, 6 below the picture.
Test(sheet, captions_stand_below_their_pictures)
{
    static const char *const rows[] = {
        "#.... #####", "#.... ....#", "#.... ...#.", "#.... ..#..",
        "#.... ..#..", "#.... .#...", "##### .#...",
    };
    enum { LEFT = 3 + (41 - 24) / 2, TOP = 2 + 7 + 6 };
    options o = {.limits = {.picture_side = 100}};
    sheet_cell cell = {.caption = "L7", .kept = {0, 0, 9, 7}, .slot = {3, 2, 41, 7 + 24}};
    const sheet s = {
        .o = &o, .count = 1, .cells = &cell, .caption_scale = 2, .width = 50, .height = 40};
    OWN_IMAGE image = {0};
    cell.image = make_image(9, 7);
    cr_assert_eq(sheet_draw(&s, &image, NULL), ZT_OK);
    for (int32_t y = 0; y < s.height; y++)
        for (int32_t x = 0; x < s.width; x++) {
            const bool inside = x >= LEFT && x < LEFT + 22 && y >= TOP && y < TOP + 14;
            const bool inked = inside && rows[(y - TOP) / 2][(x - LEFT) / 2] == '#';
            const uint8_t *pixel = image.rgba8 + (size_t)y * image.stride + (size_t)x * 4;
            cr_assert(pixel[3] == (inked ? 255 : 0) && pixel[0] == (inked ? 128 : 0), "%d,%d", x,
                      y);
        }
    zt_image_finish(&cell.image);
}

/// A frame and a cross within the edge, in the grey that is read better on the background.
Test(sheet, pictures_that_lack_are_crossed_out)
{
    static const char *const rows[] = {"########", "#.#..#.#", "#..##..#", "########"};
    static const uint8_t inks[][4] = {{255, 255, 255, 0x18}, {0, 0, 0, 0xe8},   {255, 0, 0, 0xe8},
                                      {0, 255, 0, 0x18},     {0, 0, 255, 0xe8}, {255, 80, 0, 0x18}};
    options o = {
        .limits = {.picture_side = 100}, .shot = {.background = "white"}, .sheet = {.extrude = 1}};
    sheet_cell cells[2] = {{.kept = {0, 0, 1, 1}, .slot = {0, 0, 3, 3}}, {.slot = {3, 1, 10, 6}}};
    const sheet s = {.o = &o,
                     .count = 2,
                     .cells = cells,
                     .width = 13,
                     .height = 7,
                     .cell_width = 8,
                     .cell_height = 4};
    cells[0].image = make_image(1, 1);
    for (size_t i = 0; i < sizeof inks / sizeof *inks; i++) {
        OWN_IMAGE image = {0};
        memcpy(cells[0].image.rgba8, (const uint8_t[]){inks[i][0], inks[i][1], inks[i][2], 255}, 4);
        cr_assert_eq(sheet_draw(&s, &image, NULL), ZT_OK);
        for (int32_t y = 0; y < 7; y++)
            for (int32_t x = 0; x < 13; x++) {
                const bool inked = x >= 4 && x < 12 && y >= 2 && y < 6 && rows[y - 2][x - 4] == '#';
                const uint8_t *pixel = image.rgba8 + (size_t)y * image.stride + (size_t)x * 4;
                for (int c = 0; c < 3; c++)
                    cr_assert_eq(pixel[c], inks[i][inked ? 3 : c], "%zu: %d,%d", i, x, y);
            }
    }
    zt_image_finish(&cells[0].image);
}

Test(sheet, letters)
{
    char text[64];
    static const char *const others[][2] = {{"T\xc3\xbcr", "TU+00FCr"},
                                            {"\xe6\x97\xa5\xf0\x9f\x98\x80", "U+65E5U+1F600"},
                                            {"robot_arm", "robot_arm"},
                                            {"бег_лево", "U+0431..U+0432U+043E"},
                                            {"a{\xff", "aU+007B%FF"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        sheet_font_fit(others[i][0], 20, text, sizeof text);
        cr_expect_str_eq(text, others[i][1]);
    }
    sheet_font_fit("robot_arm_of_the_left", 10, text, sizeof text);
    cr_expect_str_eq(text, "robo..left");
    sheet_font_fit("abcdef", 3, text, sizeof text);
    cr_expect_eq(strlen(text), 3);
    sheet_font_fit("abc", 0, text, sizeof text);
    cr_expect_str_eq(text, "");
    // No two letters look the same, and each stays in its five columns.
    uint64_t shapes[128] = {0};
    for (int c = '0'; c <= 'z'; c++) {
        for (int32_t y = 0; y < SHEET_LETTER_HEIGHT; y++)
            for (int32_t x = 0; x < SHEET_LETTER_WIDTH; x++)
                shapes[c] = shapes[c] * 2 + sheet_font_pixel((char)c, x, y);
        for (int before = '0'; before < c; before++)
            cr_expect((c > '9' && c < 'A') || (c > 'Z' && c < 'a') || shapes[c] != shapes[before],
                      "%c is %c", c, before);
        cr_expect(!sheet_font_pixel((char)c, 5, 3));
    }
}
