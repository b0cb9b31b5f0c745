// SPDX-License-Identifier: MIT
#include "texture/picture_compose.h"

#include <math.h>
#include <string.h>

/// A value of level 0 as 8 bits; 255 for the alpha of a picture without.
static uint8_t value_at(const picture *p, int32_t x, int32_t y, int channel)
{
    const uint8_t *pixel =
        picture_row(p, 0, (size_t)y) + picture_pixel_bytes(p->format) * (size_t)x;
    uint16_t wide;
    if (channel == 3 && p->format == PICTURE_RGB8)
        return 255;
    if (p->format != PICTURE_RGBA16)
        return pixel[channel];
    memcpy(&wide, pixel + 2 * channel, sizeof wide);
    return (uint8_t)(wide >> 8);
}

bool picture_is_clear(const picture *p)
{
    if (p->has_alpha)
        for (int32_t y = 0; y < p->height; y++)
            for (int32_t x = 0; x < p->width; x++)
                if (value_at(p, x, y, 3) < 255)
                    return true;
    return false;
}

static void fill_channel(const picture_channel *c, int channel, int32_t width, int32_t height,
                         uint8_t *pixels)
{
    const picture *p = c->from;
    for (int32_t y = 0; y < height; y++) {
        uint8_t *to = pixels + 4 * (size_t)y * (size_t)width + channel;
        const int32_t row = p ? (int32_t)((int64_t)y * p->height / height) : 0;
        for (int32_t x = 0; x < width; x++, to += 4) {
            const int32_t at =
                !p || p->width == width ? x : (int32_t)((int64_t)x * p->width / width);
            *to = p ? value_at(p, at, row, c->channel) : 255;
        }
    }
}

zt_result picture_compose(arena *a, const picture_channel channels[4], picture *out, zt_error *err)
{
    picture all = {0};
    for (int i = 0; i < 4; i++) {
        const picture *from = channels[i].from;
        if (!from)
            continue;
        all.width = from->width > all.width ? from->width : all.width;
        all.height = from->height > all.height ? from->height : all.height;
        all.codec = from->codec;
        all.srgb_declared = all.srgb_declared || from->srgb_declared;
    }
    uint8_t *pixels;
    ZT_TRY(picture_take(a, all.width, all.height, "a picture", out, &pixels, err));
    out->codec = all.codec;
    out->srgb_declared = all.srgb_declared;
    out->has_alpha = channels[3].from;
    for (int i = 0; i < 4; i++) {
        if (budget_cancelled(a->budget))
            return cancel_fail(err);
        fill_channel(&channels[i], i, out->width, out->height, pixels);
    }
    return ZT_OK;
}

static const float bump_depth = 0.02f; // between black and white; sides of the picture are 1

/// True for a picture that is bluish, as normals are: files call those heights as well.
static bool has_normals(const picture *p)
{
    enum { SIDE = 64 };
    const int32_t columns = p->width < SIDE ? p->width : SIDE;
    const int32_t rows = p->height < SIDE ? p->height : SIDE;
    int64_t red = 0, blue = 0;
    for (int32_t j = 0; j < rows; j++)
        for (int32_t i = 0; i < columns; i++) {
            const int32_t x = (int32_t)((int64_t)i * p->width / columns);
            const int32_t y = (int32_t)((int64_t)j * p->height / rows);
            red += value_at(p, x, y, 0);
            blue += value_at(p, x, y, 2);
        }
    const int64_t count = (int64_t)columns * rows;
    return blue > 160 * count && blue > red + 32 * count;
}

/// 0 to 1; the picture repeats.
static float height_at(const picture *p, int32_t x, int32_t y)
{
    x = x < 0 ? p->width - 1 : x == p->width ? 0 : x;
    y = y < 0 ? p->height - 1 : y == p->height ? 0 : y;
    return (float)(value_at(p, x, y, 0) + value_at(p, x, y, 1) + value_at(p, x, y, 2)) / 765.0f;
}

/// (-dh/du, -dh/dv, 1) by differences over two texels, made unit; v grows upwards.
static void bump_normal(const picture *p, int32_t x, int32_t y, uint8_t out[4])
{
    const float u = height_at(p, x - 1, y) - height_at(p, x + 1, y);
    const float v = height_at(p, x, y + 1) - height_at(p, x, y - 1);
    const float n[3] = {u * 0.5f * (float)p->width * bump_depth,
                        v * 0.5f * (float)p->height * bump_depth, 1.0f};
    const float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; k++)
        out[k] = (uint8_t)((n[k] / length * 0.5f + 0.5f) * 255.0f + 0.5f);
    out[3] = 255;
}

static zt_result make_normals(arena *a, const picture *heights, picture *out, zt_error *err)
{
    if (has_normals(heights))
        return ZT_OK;
    picture normals;
    uint8_t *pixels;
    ZT_TRY(picture_take(a, heights->width, heights->height, "a picture", &normals, &pixels, err));
    normals.codec = heights->codec;
    for (int32_t y = 0; y < heights->height; y++) {
        if (budget_cancelled(a->budget))
            return cancel_fail(err);
        for (int32_t x = 0; x < heights->width; x++)
            bump_normal(heights, x, y,
                        pixels + 4 * ((size_t)y * (size_t)heights->width + (size_t)x));
    }
    *out = normals;
    return ZT_OK;
}

zt_result picture_compose_plan(arena *a, texture_plan plan, const picture *one, const picture *two,
                               picture *out, zt_error *err)
{
    *out = *one;
    if (plan == TEXTURE_WHOLE)
        return ZT_OK;
    if (plan == TEXTURE_BUMP)
        return make_normals(a, one, out, err);
    const picture_channel alpha = {two, picture_is_clear(two) ? 3 : 0};
    const picture *first = one->width ? one : NULL;
    const picture_channel color[4] = {{first, 0}, {first, 1}, {first, 2}, alpha};
    const picture_channel rough_metal[4] = {
        {NULL, 0}, {first, 0}, {two->width ? two : NULL, 0}, {NULL, 0}};
    return picture_compose(a, plan == TEXTURE_ALPHA ? color : rough_metal, out, err);
}
