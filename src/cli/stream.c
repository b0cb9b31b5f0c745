// SPDX-License-Identifier: MIT
/// -o -: one PNG, raw RGBA frames, or YUV4MPEG2 on standard output.
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/option_value.h"

#include <inttypes.h>
#include <stdlib.h>

static zt_result write_bytes(const void *bytes, size_t size, zt_error *err)
{
    if (fwrite(bytes, 1, size, stdout) == size)
        return ZT_OK;
    snprintf(err->message, sizeof err->message, "standard output: the data could not be written");
    return ZT_ERR_OUTPUT;
}

static zt_result write_png(const options *o, const zt_image *image, zt_error *err)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    zt_result result = zt_png_encode(image, o->sequence.png, &bytes, &size, err);
    if (result == ZT_OK)
        result = write_bytes(bytes, size, err);
    zt_bytes_free(bytes);
    return result;
}

static zt_result write_rgba(const zt_image *image, zt_error *err)
{
    zt_result result = ZT_OK;
    for (int32_t y = 0; y < image->height && result == ZT_OK; y++)
        result =
            write_bytes(image->rgba8 + (size_t)y * image->stride, (size_t)image->width * 4, err);
    return result;
}

// One plane of studio-range Y'CbCr, 4:4:4, over black: ITU-R BT.601 in 16-bit fixed point.
static void fill_plane(const zt_image *image, int plane, uint8_t *out)
{
    static const int32_t weights[3][4] = {
        {16829, 33039,  6416,  16 },
        {-9714, -19070, 28784, 128},
        {28784, -24103, -4681, 128}
    };
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
}

static zt_result write_y4m(const zt_image *image, zt_error *err)
{
    const size_t size = (size_t)image->width * (size_t)image->height;
    uint8_t *plane = malloc(size);
    if (!plane) {
        snprintf(err->message, sizeof err->message, "no memory for a frame of %zu bytes", size);
        return ZT_ERR_MEMORY;
    }
    zt_result result = write_bytes("FRAME\n", 6, err);
    for (int i = 0; i < 3 && result == ZT_OK; i++) {
        fill_plane(image, i, plane);
        result = write_bytes(plane, size, err);
    }
    free(plane);
    return result;
}

static zt_result write_frame(const options *o, const zt_image *image, zt_error *err)
{
    switch (o->format) {
    case STREAM_RGBA:
        return write_rgba(image, err);
    case STREAM_Y4M:
        return write_y4m(image, err);
    case STREAM_PNG:
        break;
    }
    return write_png(o, image, err);
}

int stream_frames(const options *o, zt_renderer *renderer, const zt_scene *scene)
{
    zt_error err = {0};
    zt_image image = {0};
    progress bar;
    int32_t width, height, fps_numerator, fps_denominator;
    const int64_t count = zt_scene_frame_count(scene);
    zt_scene_size(scene, &width, &height);
    zt_scene_fps(scene, &fps_numerator, &fps_denominator);
    if (o->format == STREAM_PNG && count != 1)
        return console_fail(usage_error(&err,
                                        "%" PRId64 " frames as one PNG (expected one frame, or "
                                        "--format y4m or rgba)",
                                        count),
                            err.message);
    zt_result result = init_picture(o, scene, &image, &err);
    image.keep_alpha = zt_scene_transparent(scene);
    if (result == ZT_OK && o->format == STREAM_Y4M)
        printf("YUV4MPEG2 W%d H%d F%d:%d Ip A1:1 C444\n", (int)width, (int)height,
               (int)fps_numerator, (int)fps_denominator);
    progress_begin(&bar, o);
    for (int64_t i = 0, done = 0; i < count && result == ZT_OK; i++) {
        const int64_t frame = zt_scene_frame(scene, i);
        result = zt_render(renderer, scene, frame, &image, &err);
        if (result == ZT_OK)
            result = write_frame(o, &image, &err);
        const zt_frame_report report = {++done, count, frame, "-", false, 0};
        if (result == ZT_OK && count > 1)
            progress_frame(&bar, &report);
    }
    progress_end(&bar);
    zt_image_finish(&image);
    return result == ZT_OK ? (int)ZT_OK : console_fail(result, err.message);
}
