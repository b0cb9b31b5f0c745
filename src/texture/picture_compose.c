// SPDX-License-Identifier: MIT
/// See picture_compose.h.
#include "texture/picture_compose.h"

#include <string.h>

static size_t pixel_size(picture_format format)
{
    return format == PICTURE_RGB8 ? 3 : format == PICTURE_RGBA8 ? 4 : 8;
}

/// A value of level 0 as 8 bits; 255 for the alpha of a picture without.
static uint8_t value_at(const picture *p, int32_t x, int32_t y, int channel)
{
    const size_t size = pixel_size(p->format);
    const size_t pitch = p->pitch ? p->pitch : size * (size_t)p->width;
    const uint8_t *pixel = (const uint8_t *)p->level[0] + pitch * (size_t)y + size * (size_t)x;
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
    for (int32_t y = 0; y < p->height && p->has_alpha; y++)
        for (int32_t x = 0; x < p->width; x++)
            if (value_at(p, x, y, 3) < 255)
                return true;
    return false;
}

static void fill_channel(const picture_channel *c, int channel, int32_t width, int32_t height,
                         uint8_t *pixels)
{
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++) {
            uint8_t *to = pixels + 4 * ((size_t)y * (size_t)width + (size_t)x) + channel;
            *to = c->from ? value_at(c->from, (int32_t)((int64_t)x * c->from->width / width),
                                     (int32_t)((int64_t)y * c->from->height / height), c->channel)
                          : 255;
        }
}

zt_result picture_compose(arena *a, const picture_channel channels[4], picture *out, zt_error *err)
{
    *out = (picture){.level_count = 1, .format = PICTURE_RGBA8, .has_alpha = channels[3].from};
    for (int i = 0; i < 4; i++) {
        const picture *from = channels[i].from;
        if (!from)
            continue;
        out->width = from->width > out->width ? from->width : out->width;
        out->height = from->height > out->height ? from->height : out->height;
        out->codec = from->codec;
        out->srgb_declared = out->srgb_declared || from->srgb_declared;
    }
    const size_t count = (size_t)out->width * (size_t)out->height;
    uint8_t *pixels = arena_alloc_raw(a, count, 4);
    if (!pixels)
        return arena_fail(a, err, "a picture");
    for (int i = 0; i < 4; i++) {
        if (budget_cancelled(a->budget))
            return cancel_fail(err);
        fill_channel(&channels[i], i, out->width, out->height, pixels);
    }
    out->level[0] = pixels;
    return ZT_OK;
}

zt_result picture_compose_plan(arena *a, texture_plan plan, const picture *one, const picture *two,
                               picture *out, zt_error *err)
{
    *out = *one;
    if (plan == TEXTURE_WHOLE)
        return ZT_OK;
    const picture_channel alpha = {two, picture_is_clear(two) ? 3 : 0};
    const picture_channel color[4] = {{one, 0}, {one, 1}, {one, 2}, alpha};
    const picture_channel rough_metal[4] = {
        {NULL, 0}, {one->width ? one : NULL, 0}, {two->width ? two : NULL, 0}, {NULL, 0}};
    return picture_compose(a, plan == TEXTURE_ALPHA ? color : rough_metal, out, err);
}
