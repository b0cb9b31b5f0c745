// SPDX-License-Identifier: MIT
/// Pictures -> frames of YUV4MPEG2 (mjpegtools, yuv4mpeg(5)) and of plain RGBA; see
/// picture_streams.h.
#include "image/picture_streams.h"

#include <stdio.h>
#include <string.h>

static const char frame_line[] = "FRAME\n";

zt_result y4m_begin(const picture_stream *stream, arena *a, file_bytes *out, zt_error *err)
{
    char text[128];
    const int length =
        snprintf(text, sizeof text, "YUV4MPEG2 W%d H%d F%d:%d Ip A1:1 C444 XCOLORRANGE=LIMITED\n",
                 (int)stream->width, (int)stream->height, (int)stream->fps_numerator,
                 (int)stream->fps_denominator);
    const char *copy;
    ZT_TRY(ARENA_TEXT(a, &copy, text, "the header of a video", err));
    *out = (file_bytes){.data = (const uint8_t *)copy, .size = (size_t)length};
    return ZT_OK;
}

/// One plane of studio-range Y'CbCr over black: ITU-R BT.709 in 16-bit fixed point.
static uint8_t *fill_plane(const zt_image *image, int plane, uint8_t *out)
{
    static const int32_t weights[3][4] = {
        {11966, 40254, 4064, 16}, {-6596, -22188, 28784, 128}, {28784, -26145, -2639, 128}};
    const int32_t *w = weights[plane];
    for (int32_t y = 0; y < image->height; y++) {
        const uint8_t *row = image->rgba8 + (size_t)y * image->stride;
        for (int32_t x = 0; x < image->width; x++, row += 4) {
            int32_t sum = (w[3] << 16) + 32768;
            for (int c = 0; c < 3; c++)
                sum += w[c] * ((row[c] * row[3] + 127) / 255);
            *out++ = (uint8_t)(sum >> 16);
        }
    }
    return out;
}

zt_result y4m_encode(const picture_planes *frame, const zt_encode_def *encoding, arena *a,
                     file_bytes *out, zt_error *err)
{
    (void)encoding;
    const zt_image *image = &frame->color8;
    const size_t line = sizeof frame_line - 1;
    const size_t size = line + 3 * (size_t)image->width * (size_t)image->height;
    uint8_t *bytes;
    ZT_TRY(ARENA_TAKE_RAW(a, &bytes, size, "a frame of a video", err));
    memcpy(bytes, frame_line, line);
    uint8_t *next = bytes + line;
    for (int plane = 0; plane < 3; plane++)
        next = fill_plane(image, plane, next);
    *out = (file_bytes){.data = bytes, .size = size};
    return ZT_OK;
}

zt_result rgba_encode(const picture_planes *frame, const zt_encode_def *encoding, arena *a,
                      file_bytes *out, zt_error *err)
{
    (void)encoding;
    const zt_image *image = &frame->color8;
    const size_t row_size = (size_t)image->width * 4, rows = (size_t)image->height;
    *out = (file_bytes){.data = image->rgba8, .size = row_size * rows};
    if (image->stride == row_size)
        return ZT_OK;
    uint8_t *bytes;
    ZT_TRY(ARENA_TAKE_RAW(a, &bytes, rows * row_size, "a frame of a video", err));
    for (size_t y = 0; y < rows; y++)
        memcpy(bytes + y * row_size, image->rgba8 + y * image->stride, row_size);
    out->data = bytes;
    return ZT_OK;
}
