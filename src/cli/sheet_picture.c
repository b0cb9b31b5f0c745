// SPDX-License-Identifier: MIT
/// The picture of a sheet: cells with extruded edges, captions, and what stands for a failed cell.
#include "cli/sheet.h"

#include <string.h>

static int32_t clamp(int32_t value, int32_t low, int32_t high)
{
    return value < low ? low : value > high ? high : value;
}

static uint8_t *pixel_at(const zt_image *image, int32_t x, int32_t y)
{
    return image->rgba8 + (size_t)y * image->stride + (size_t)x * 4;
}

/// The background of the cells, if of one colour: the first pixel rendered. NULL: there is none.
static const uint8_t *background_of(const sheet *s)
{
    const char *background = s->o->shot.background;
    if (!background || strcmp(background, "environment") == 0)
        return NULL;
    for (int32_t i = 0; i < s->count; i++) {
        const uint8_t *color = s->cells[i].image.rgba8;
        if (color && !s->cells[i].from_file)
            return color[3] == 255 ? color : NULL;
    }
    return NULL;
}

/// A grey readable on the background; where that is not known, on white and on black.
static void choose_ink(const uint8_t *background, uint8_t ink[4])
{
    int grey = 0x80;
    if (background) // by its luma (ITU-R BT.709)
        grey = 2126 * background[0] + 7152 * background[1] + 722 * background[2] < 1100000 ? 0xe8
                                                                                           : 0x18;
    memset(ink, grey, 3);
    ink[3] = 0xff;
}

void sheet_draw_cell(const sheet *s, const sheet_cell *cell, const uint8_t *from,
                     size_t from_stride, uint8_t *to, size_t to_stride, size_t pixel)
{
    const int32_t edge = s->o->sheet.extrude;
    const sheet_rect *kept = &cell->kept;
    for (int32_t y = 0; y < kept->height + 2 * edge; y++) {
        const uint8_t *row =
            from + (size_t)(kept->y + clamp(y - edge, 0, kept->height - 1)) * from_stride;
        uint8_t *out = to + (size_t)(cell->slot.y + y) * to_stride + (size_t)cell->slot.x * pixel;
        for (int32_t x = 0; x < kept->width + 2 * edge; x++)
            memcpy(out + (size_t)x * pixel,
                   row + (size_t)(kept->x + clamp(x - edge, 0, kept->width - 1)) * pixel, pixel);
    }
}

/// A frame and a cross.
static void draw_missing(const sheet *s, const sheet_cell *cell, const uint8_t ink[4],
                         zt_image *out)
{
    const int32_t w = s->cell_width, h = s->cell_height, edge = s->o->sheet.extrude;
    for (int32_t y = 0; y < h; y++) {
        uint8_t *row = pixel_at(out, cell->slot.x + edge, cell->slot.y + edge + y);
        const int32_t across = (int32_t)((int64_t)y * w / h);
        memcpy(row + (size_t)across * 4, ink, 4);
        memcpy(row + (size_t)(w - 1 - across) * 4, ink, 4);
        for (int32_t x = 0; x < w; x += y == 0 || y == h - 1 || w == 1 ? 1 : w - 1)
            memcpy(row + (size_t)x * 4, ink, 4);
    }
}

/// One line below the picture, in the middle.
static void draw_caption(const sheet *s, const sheet_cell *cell, const uint8_t ink[4],
                         zt_image *out)
{
    const int32_t scale = s->caption_scale;
    char text[SHEET_NAME_SIZE];
    // One letter less than there is room for: captions of neighbours stay apart.
    sheet_font_fit(cell->caption, cell->slot.width / (SHEET_LETTER_WIDTH * scale) - 1, text,
                   sizeof text);
    const int32_t length = (int32_t)strlen(text);
    const int32_t left =
        cell->slot.x + (cell->slot.width - length * SHEET_LETTER_WIDTH * scale) / 2;
    const int32_t top = cell->slot.y + cell->slot.height - sheet_caption_height(s) + 3 * scale;
    for (int32_t y = 0; y < SHEET_LETTER_HEIGHT * scale; y++)
        for (int32_t x = 0; x < length * SHEET_LETTER_WIDTH * scale; x++) {
            const int32_t column = x / scale;
            if (sheet_font_pixel(text[column / SHEET_LETTER_WIDTH], column % SHEET_LETTER_WIDTH,
                                 y / scale))
                memcpy(pixel_at(out, left + x, top + y), ink, 4);
        }
}

zt_result sheet_draw(const sheet *s, zt_image *out, zt_error *err)
{
    ZT_TRY(zt_image_init(out, s->width, s->height, s->o->renderer.budget, err));
    out->keep_alpha = true;
    const uint8_t *background = background_of(s);
    uint8_t ink[4];
    choose_ink(background, ink);
    for (int32_t y = 0; background && y < out->height; y++) // also between cells
        for (int32_t x = 0; x < out->width; x++)
            memcpy(pixel_at(out, x, y), background, 4);
    for (int32_t i = 0; i < s->count; i++) {
        const sheet_cell *cell = &s->cells[i];
        if (cell->image.rgba8)
            sheet_draw_cell(s, cell, cell->image.rgba8, cell->image.stride, out->rgba8, out->stride,
                            4);
        else
            draw_missing(s, cell, ink, out);
        if (s->caption_scale > 0)
            draw_caption(s, cell, ink, out);
    }
    return ZT_OK;
}
