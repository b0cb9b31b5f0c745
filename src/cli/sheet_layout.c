// SPDX-License-Identifier: MIT
/// Where the pictures of a sheet are: a grid, or packed when they are trimmed.
#include "cli/sheet.h"

#include <stdlib.h>

static bool row_is_empty(const zt_image *image, int32_t y)
{
    const uint8_t *row = image->rgba8 + (size_t)y * image->stride;
    for (int32_t x = 0; x < image->width; x++)
        if (row[4 * x + 3] != 0)
            return false;
    return true;
}

static bool column_is_empty(const zt_image *image, int32_t x)
{
    for (int32_t y = 0; y < image->height; y++)
        if (image->rgba8[(size_t)y * image->stride + (size_t)x * 4 + 3] != 0)
            return false;
    return true;
}

/// The smallest rectangle with all pixels that are not transparent; one pixel of an empty picture.
static sheet_rect trim(const zt_image *image)
{
    sheet_rect r = {0, 0, image->width, image->height};
    while (r.height > 1 && row_is_empty(image, r.y + r.height - 1))
        r.height--;
    for (; r.height > 1 && row_is_empty(image, r.y); r.height--)
        r.y++;
    while (r.width > 1 && column_is_empty(image, r.x + r.width - 1))
        r.width--;
    for (; r.width > 1 && column_is_empty(image, r.x); r.width--)
        r.x++;
    if (r.width == 1 && r.height == 1 && column_is_empty(image, r.x))
        r.x = r.y = 0;
    return r;
}

/// Higher first, then wider, then in order.
static bool comes_before(const sheet_rect *rects, int32_t a, int32_t b)
{
    if (rects[a].height != rects[b].height)
        return rects[a].height > rects[b].height;
    return rects[a].width != rects[b].width ? rects[a].width > rects[b].width : a < b;
}

static void sort(const sheet_rect *rects, int32_t count, int32_t *order)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t at = i;
        for (; at > 0 && comes_before(rects, i, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/// Rows of at most `width`. Returns the height; places the rectangles where `place`.
static int64_t rows_in(sheet_rect *rects, int32_t count, const int32_t *order, int32_t width,
                       bool place)
{
    int64_t x = 0, y = 0, row = 0;
    for (int32_t i = 0; i < count; i++) {
        sheet_rect *r = &rects[order[i]];
        if (x > 0 && x + r->width > width) {
            y += row;
            x = row = 0;
        }
        if (place) {
            r->x = (int32_t)x;
            r->y = (int32_t)y;
        }
        x += r->width;
        row = r->height > row ? r->height : row; // the first of a row is the highest
    }
    return y + row;
}

int32_t sheet_pack(sheet_rect *rects, int32_t count, int32_t max_width, int32_t max_height,
                   int32_t *order, int32_t *out_height)
{
    int64_t area = 0, best = INT64_MAX;
    int32_t widest = 1, width = 0;
    sort(rects, count, order);
    for (int32_t i = 0; i < count; i++) {
        area += (int64_t)rects[i].width * rects[i].height;
        widest = rects[i].width > widest ? rects[i].width : widest;
    }
    // From as high as allowed to four times as wide as high.
    for (int64_t w = widest; w <= max_width; w += w / 32 + 1) {
        const int64_t h = rows_in(rects, count, order, (int32_t)w, false);
        const int64_t longer = w > h ? w : h;
        if (h <= max_height && w * h + longer * longer / 4 < best) {
            best = w * h + longer * longer / 4; // a little more area for a squarer sheet
            width = (int32_t)w;
        }
        if (w > 4 * h || w * w > 16 * area + 4 * (int64_t)max_width)
            break;
    }
    *out_height = width > 0 ? (int32_t)rows_in(rects, count, order, width, true) : 0;
    return width;
}

int32_t sheet_caption_height(const sheet *s)
{
    return s->caption_scale > 0 ? (SHEET_LETTER_HEIGHT + 4) * s->caption_scale : 0;
}

static int32_t max_width_of(const sheet *s)
{
    const int32_t width = s->o->sheet.max_width, side = s->o->limits.picture_side;
    return width > 0 && width < side ? width : side;
}

static zt_result fail_size(const sheet *s, int64_t width, int64_t height, zt_error *err)
{
    return zt_fail(
        err, ZT_ERR_LIMIT,
        "a sheet of %lldx%lld pixels (expected at most %dx%d: fewer or smaller pictures, or "
        "other --columns)",
        (long long)width, (long long)height, max_width_of(s), s->o->limits.picture_side);
}

/// Runs of several clips or directions begin a row each; one run, and other pictures, fill rows.
static const sheet_run *run_of(const sheet *s, int32_t cell)
{
    int32_t run = 0;
    while (run + 1 < s->run_count && s->runs[run + 1].first <= cell)
        run++;
    return s->run_count > 1 ? &s->runs[run] : NULL;
}

static int64_t column_of(const sheet *s, int32_t cell)
{
    const sheet_run *run = run_of(s, cell);
    return (cell - (run ? run->first : 0)) % s->columns;
}

static int64_t row_of(const sheet *s, int32_t cell)
{
    const sheet_run *run = run_of(s, cell);
    int64_t row = (cell - (run ? run->first : 0)) / s->columns;
    for (const sheet_run *r = s->runs; run && r < run; r++)
        row += (r->count + s->columns - 1) / s->columns;
    return row;
}

zt_result sheet_place_grid(sheet *s, zt_error *err)
{
    const int32_t edge = 2 * s->o->sheet.extrude, gap = s->o->sheet.padding;
    const int64_t width = s->cell_width + edge;
    const int64_t height = s->cell_height + edge + sheet_caption_height(s);
    const int64_t fit = (max_width_of(s) + gap) / (width + gap);
    if (s->o->sheet.columns == 0 && fit >= 1 && fit < s->columns)
        s->columns = (int32_t)fit;
    const int64_t rows = row_of(s, s->count - 1) + 1;
    const int64_t all_width = s->columns * (width + gap) - gap;
    const int64_t all_height = rows * (height + gap) - gap;
    if (all_width > max_width_of(s) || all_height > s->o->limits.picture_side)
        return fail_size(s, all_width, all_height, err);
    for (int32_t i = 0; i < s->count; i++)
        s->cells[i].slot =
            (sheet_rect){(int32_t)(column_of(s, i) * (width + gap)),
                         (int32_t)(row_of(s, i) * (height + gap)), (int32_t)width, (int32_t)height};
    s->width = (int32_t)all_width;
    s->height = (int32_t)all_height;
    return ZT_OK;
}

static zt_result place_packed(sheet *s, zt_error *err)
{
    const int32_t edge = 2 * s->o->sheet.extrude, gap = s->o->sheet.padding;
    const size_t count = s->count > 0 ? (size_t)s->count : 1;
    sheet_rect *rects = calloc(count, sizeof *rects);
    int32_t *order = calloc(count, sizeof *order);
    zt_result result = ZT_OK;
    for (int32_t i = 0; rects && i < s->count; i++) {
        rects[i].width = s->cells[i].kept.width + edge + gap;
        rects[i].height = s->cells[i].kept.height + edge + gap;
    }
    // The last gap of each row and column is outside.
    if (!rects || !order)
        result = zt_fail(err, ZT_ERR_MEMORY, "no memory for a sheet");
    else
        s->width = sheet_pack(rects, s->count, max_width_of(s) + gap,
                              s->o->limits.picture_side + gap, order, &s->height);
    if (result == ZT_OK && s->width == 0)
        result = fail_size(s, (int64_t)s->cell_width * s->count, s->cell_height, err);
    int32_t right = 0;
    for (int32_t i = 0; result == ZT_OK && i < s->count; i++) {
        s->cells[i].slot = rects[i];
        s->cells[i].slot.width -= gap;
        s->cells[i].slot.height -= gap;
        right = rects[i].x + rects[i].width > right ? rects[i].x + rects[i].width : right;
    }
    s->width = right - gap;
    s->height -= gap;
    free(order);
    free(rects);
    return result;
}

zt_result sheet_place(sheet *s, zt_error *err)
{
    for (int32_t i = 0; i < s->count; i++) {
        const zt_image *image = &s->cells[i].image;
        s->cells[i].kept = s->o->sheet.trim && image->rgba8
                               ? trim(image)
                               : (sheet_rect){0, 0, s->cell_width, s->cell_height};
    }
    return s->o->sheet.trim ? place_packed(s, err) : ZT_OK;
}
