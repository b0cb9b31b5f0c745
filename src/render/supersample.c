// SPDX-License-Identifier: MIT
/// See supersample.h.
#include "render/supersample.h"

/// The first of the fine pixels of a pixel.
static size_t first_pixel(const picture_planes *from, int32_t factor, int32_t x, int32_t y)
{
    return (size_t)y * (size_t)factor * (size_t)from->width + (size_t)x * (size_t)factor;
}

static void reduce_color8(const zt_image *from, size_t first, int32_t factor, uint8_t out[4])
{
    const uint32_t count = (uint32_t)(factor * factor);
    uint32_t sum[3] = {0}, alpha = 0;
    for (int32_t i = 0; i < factor * factor; i++) {
        const uint8_t *pixel =
            from->rgba8 + (size_t)(i / factor) * from->stride + 4 * (first + (size_t)(i % factor));
        for (int c = 0; c < 3; c++)
            sum[c] += (uint32_t)pixel[c] * pixel[3];
        alpha += pixel[3];
    }
    for (int c = 0; c < 3; c++)
        out[c] = (uint8_t)(alpha > 0 ? (sum[c] + alpha / 2) / alpha : 0);
    out[3] = (uint8_t)((alpha + count / 2) / count);
}

static void reduce_color(const picture_planes *from, size_t first, int32_t factor, float out[4])
{
    const float share = 1.0f / (float)(factor * factor);
    for (int c = 0; c < 4; c++) {
        float sum = 0.0f;
        for (int32_t i = 0; i < factor * factor; i++) {
            const size_t at = first + (size_t)(i / factor) * (size_t)from->width;
            sum = sum + from->color[4 * (at + (size_t)(i % factor)) + (size_t)c];
        }
        out[c] = sum * share;
    }
}

static float reduce_depth(const picture_planes *from, size_t first, int32_t factor)
{
    float nearest = from->depth[first];
    for (int32_t i = 1; i < factor * factor; i++) {
        const float depth =
            from->depth[first + (size_t)(i / factor) * (size_t)from->width + (size_t)(i % factor)];
        nearest = depth < nearest ? depth : nearest;
    }
    return nearest;
}

void supersample_reduce(const picture_planes *from, int32_t factor, const picture_planes *out)
{
    for (int32_t y = 0; y < out->height; y++)
        for (int32_t x = 0; x < out->width; x++) {
            const size_t first = first_pixel(from, factor, x, y);
            const size_t at = (size_t)y * (size_t)out->width + (size_t)x;
            if (out->color8.rgba8)
                reduce_color8(&from->color8, first, factor,
                              out->color8.rgba8 + (size_t)y * out->color8.stride + 4 * (size_t)x);
            if (out->color)
                reduce_color(from, first, factor, out->color + 4 * at);
            if (out->depth)
                out->depth[at] = reduce_depth(from, first, factor);
        }
}
