// SPDX-License-Identifier: MIT
/// Fuzz target: the writers of many frames in one file. The first bytes say the pictures
/// (fuzz_pixels.h), the next format, number of frames and rate. Each frame is found again: of an
/// APNG by its chunks and png_oracle.h, of a WebP by libwebp's player, of a y4m by ITU-R BT.709, of
/// a GIF by giflib.
#include "../unit/png_oracle.h"
#include "base/bytes.h"
#include "fuzz_pixels.h"

#include <math.h>
#include <stdio.h>
#include <webp/demux.h>
#include <zlib.h>

enum {
    HEADER = FUZZ_PIXELS_HEADER + 6,
    FRAMES_MAX = 4,
    FEW_PIXELS = 1 << 8,
    MANY_PIXELS = 1 << 12,
    FILE_MAX = 1 << 20,
    FORMATS = 3 + ZT_GIF,
    DITHER = 64,      // a bit of the kind of pixels
    COLORS_MAX = 256, // of a GIF
    RATE_MAX = 65535, // of 16 bits, which an APNG holds
};

typedef struct clip {
    picture_stream stream;
    zt_image frames[FRAMES_MAX];
    uint8_t *file; ///< [FILE_MAX]
    size_t size;
} clip;

/// Puts a chunk at `out`; returns its end.
static uint8_t *put_chunk(uint8_t *out, const char *type, const uint8_t *data, size_t size)
{
    bytes_store_u32_be(out, (uint32_t)size);
    memcpy(out + 4, type, 4);
    memcpy(out + 8, data, size);
    bytes_store_u32_be(out + 8 + size, (uint32_t)crc32(0, out + 4, (uInt)size + 4));
    return out + 12 + size;
}

/// The frame alone, as a PNG with the header of the animation.
static void check_png(const clip *c, const uint8_t *data, size_t size, int64_t index)
{
    png_facts facts;
    uint8_t *file = malloc(size + 64);
    require(file != NULL);
    memcpy(file, c->file, 33);
    uint8_t *end = put_chunk(put_chunk(file + 33, "IDAT", data, size), "IEND", data, 0);
    const char *fault =
        png_oracle((file_bytes){file, (size_t)(end - file)}, &c->frames[index], &facts);
    require(fault == NULL);
    free(file);
}

/// APNG (PNG, third edition, 11.3.6): whole, in order, each frame the whole picture at its rate.
static void check_apng(const clip *c)
{
    uint8_t *data = malloc(c->size);
    uint32_t number = 0;
    size_t data_size = 0;
    int64_t frame = -1;
    bool ended = false;
    require(data != NULL);
    for (size_t at = 8; at < c->size;) {
        const uint8_t *chunk = c->file + at;
        require(!ended && c->size - at >= 12 && bytes_u32_be(chunk) <= c->size - at - 12);
        const uint32_t length = bytes_u32_be(chunk);
        const bool control = memcmp(chunk + 4, "fcTL", 4) == 0;
        const bool later = memcmp(chunk + 4, "fdAT", 4) == 0;
        ended = memcmp(chunk + 4, "IEND", 4) == 0;
        require(crc32(0, chunk + 4, length + 4) == bytes_u32_be(chunk + 8 + length));
        require(!(control || later) || bytes_u32_be(chunk + 8) == number++);
        if (memcmp(chunk + 4, "acTL", 4) == 0)
            require(bytes_u32_be(chunk + 8) == c->stream.frame_count &&
                    bytes_u32_be(chunk + 12) == 0);
        if ((control || ended) && frame >= 0)
            check_png(c, data, data_size, frame);
        if (control) {
            const double ms = 1000.0 * (chunk[28] << 8 | chunk[29]) / (chunk[30] << 8 | chunk[31]);
            require(bytes_u32_be(chunk + 12) == (uint32_t)c->stream.width &&
                    bytes_u32_be(chunk + 16) == (uint32_t)c->stream.height &&
                    bytes_u32_be(chunk + 20) == 0 && bytes_u32_be(chunk + 24) == 0 &&
                    chunk[32] == 0 && chunk[33] == 0);
            require(fabs(ms * c->stream.fps_numerator / c->stream.fps_denominator - 1000) < 1);
            require(++frame < c->stream.frame_count);
            data_size = 0;
        } else if (later || memcmp(chunk + 4, "IDAT", 4) == 0) {
            require(later ? frame > 0 : frame == 0);
            const uint32_t skip = later ? 4 : 0;
            memcpy(data + data_size, chunk + 8 + skip, length - skip);
            data_size += length - skip;
        }
        at += 12 + length;
    }
    require(ended && frame == c->stream.frame_count - 1);
    free(data);
}

static void check_webp(const clip *c)
{
    const WebPData file = {c->file, c->size};
    WebPAnimDecoderOptions options;
    WebPAnimInfo info;
    require(bytes_u32_be(c->file + 4) == __builtin_bswap32((uint32_t)c->size - 8));
    if (!WebPAnimDecoderOptionsInit(&options))
        abort();
    options.color_mode = MODE_RGBA;
    WebPAnimDecoder *player = WebPAnimDecoderNew(&file, &options);
    require(player != NULL);
    require(WebPAnimDecoderGetInfo(player, &info) && info.loop_count == 0 &&
            info.frame_count == c->stream.frame_count &&
            info.canvas_width == (uint32_t)c->stream.width &&
            info.canvas_height == (uint32_t)c->stream.height);
    const size_t row = 4 * (size_t)c->stream.width;
    const double frame_ms = // 24 bits
        fmin(1000.0 * c->stream.fps_denominator / c->stream.fps_numerator, 0xFFFFFF);
    for (int i = 0; i < c->stream.frame_count; i++) {
        uint8_t *pixels = NULL;
        int end_ms = 0;
        require(WebPAnimDecoderGetNext(player, &pixels, &end_ms));
        require(fabs(end_ms - (i + 1) * frame_ms) <= 0.5 + 1e-6);
        for (size_t y = 0; y < (size_t)c->stream.height; y++)
            require(memcmp(pixels + y * row, c->frames[i].rgba8 + y * c->frames[i].stride, row) ==
                    0);
    }
    WebPAnimDecoderDelete(player);
}

/// Studio range of 8 bits (ITU-R BT.709-6, 3 and 4), of a pixel over black.
static double component(const uint8_t *pixel, int plane)
{
    const double alpha = pixel[3] / 255.0 / 255.0;
    const double r = pixel[0] * alpha, g = pixel[1] * alpha, b = pixel[2] * alpha;
    const double luma = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    return plane == 0   ? 16 + 219 * luma
           : plane == 1 ? 128 + 224 * (b - luma) / 1.8556
                        : 128 + 224 * (r - luma) / 1.5748;
}

static void check_y4m(const clip *c)
{
    char text[128];
    const size_t width = (size_t)c->stream.width, height = (size_t)c->stream.height;
    const int length =
        snprintf(text, sizeof text, "YUV4MPEG2 W%zu H%zu F%d:%d Ip A1:1 C444 ", width, height,
                 (int)c->stream.fps_numerator, (int)c->stream.fps_denominator);
    require(c->size > (size_t)length && memcmp(c->file, text, (size_t)length) == 0);
    const uint8_t *at = memchr(c->file, '\n', c->size);
    require(at != NULL && (size_t)(c->file + c->size - ++at) ==
                              (size_t)c->stream.frame_count * (6 + 3 * width * height));
    for (int i = 0; i < c->stream.frame_count; i++) {
        require(memcmp(at, "FRAME\n", 6) == 0);
        at += 6;
        for (int plane = 0; plane < 3; plane++)
            for (size_t y = 0; y < height; y++)
                for (size_t x = 0; x < width; x++) {
                    const uint8_t *p = c->frames[i].rgba8 + y * c->frames[i].stride + 4 * x;
                    require(fabs(*at++ - component(p, plane)) <= 1.1); // colour over black, sum
                }
    }
}

#if ZT_GIF
#include <gif_lib.h>
static int read_gif(GifFileType *gif, GifByteType *out, int size)
{
    file_bytes *left = gif->UserData;
    const size_t given = left->size < (size_t)size ? left->size : (size_t)size;
    memcpy(out, left->data, given);
    *left = (file_bytes){left->data + given, left->size - given};
    return (int)given;
}

/// Puts a frame over white, as a GIF shows it, with no gaps between rows. Adds its colours to
/// `seen` until there are too many.
static int flatten(const zt_image *frame, uint8_t seen[][4], int count)
{
    for (int p = 0, at = 0; p < frame->width * frame->height; p++, at = 0) {
        uint8_t *pixel = frame->rgba8 + (size_t)p * 4;
        const uint8_t *from =
            frame->rgba8 + (size_t)(p / frame->width) * frame->stride + p % frame->width * 4;
        const int alpha = from[3], shown = alpha >= 128;
        for (int k = 0; k < 3; k++)
            pixel[k] = (uint8_t)(shown * ((from[k] * alpha + 255 * (255 - alpha) + 127) / 255));
        pixel[3] = (uint8_t)(255 * shown);
        while (at < count && memcmp(seen[at], pixel, 4) != 0)
            at++;
        if (at == count && count <= COLORS_MAX)
            memcpy(seen[count++], pixel, 4);
    }
    return count;
}

static void check_gif(const clip *c)
{
    uint8_t seen[COLORS_MAX + 1][4];
    int count = 0;
    double end_cs = 0.0;
    const double frame_cs = // 16 bits
        fmin(100.0 * c->stream.fps_denominator / c->stream.fps_numerator, 0xFFFF);
    file_bytes left = {c->file, c->size};
    GifFileType *gif = DGifOpen(&left, read_gif, NULL);
    require(gif && DGifSlurp(gif) == GIF_OK && left.size == 0 && gif->SWidth == c->stream.width &&
            gif->SHeight == c->stream.height && gif->ImageCount == c->stream.frame_count);
    require(gif->SavedImages[0].ExtensionBlockCount == (gif->ImageCount > 1 ? 3 : 1)); // it loops
    for (int i = 0; i < gif->ImageCount; i++)
        count = flatten(&c->frames[i], seen, count);
    for (int i = 0; i < gif->ImageCount; i++) {
        const SavedImage *image = &gif->SavedImages[i];
        GraphicsControlBlock control;
        require(DGifSavedExtensionToGCB(gif, i, &control) == GIF_OK && !image->ImageDesc.ColorMap &&
                image->ImageDesc.Width == gif->SWidth && image->ImageDesc.Height == gif->SHeight);
        end_cs += control.DelayTime;
        require(fabs(end_cs - (i + 1) * frame_cs) <= 0.5 + 1e-6);
        for (int p = 0; p < gif->SWidth * gif->SHeight; p++) {
            const uint8_t *pixel = c->frames[i].rgba8 + (size_t)p * 4, index = image->RasterBits[p];
            const bool same = memcmp(&gif->SColorMap->Colors[index], pixel, 3) == 0;
            const bool clear = index == control.TransparentColor;
            require(clear == (pixel[3] == 0) && (same || clear || count > COLORS_MAX));
            require(!clear || control.DisposalMode == DISPOSE_BACKGROUND);
        }
    }
    DGifCloseFile(gif, NULL);
}
#else
static void check_gif(const clip *c) { (void)c; }
#endif

static void append(clip *c, file_bytes bytes)
{
    require(bytes.size <= FILE_MAX - c->size);
    memcpy(c->file + c->size, bytes.data, bytes.size);
    c->size += bytes.size;
    c->stream.size = c->size;
}

static zt_result add_frame(clip *c, const picture_writer *writer, int64_t index, arena *a)
{
    const zt_image *image = &c->frames[index];
    const picture_planes planes = {
        .width = image->width, .height = image->height, .color8 = *image};
    file_bytes bytes;
    ZT_TRY(writer->encode(&planes, c->stream.encoding, a, &bytes, NULL));
    if (writer->join)
        ZT_TRY(writer->join(&c->stream, bytes, a, &bytes, NULL));
    c->stream.joined++;
    append(c, bytes);
    return ZT_OK;
}

/// As src/render/animation.c does it.
static zt_result write_clip(clip *c, const picture_writer *writer, arena *a)
{
    file_bytes bytes;
    if (writer->begin) {
        ZT_TRY(writer->begin(&c->stream, a, &bytes, NULL));
        append(c, bytes);
    }
    for (int64_t i = 0; i < c->stream.frame_count; i++)
        ZT_TRY(add_frame(c, writer, i, a));
    if (writer->end) {
        ZT_TRY(writer->end(&c->stream, a, &bytes, NULL));
        append(c, bytes);
    }
    if (writer->begins_with_size) {
        ZT_TRY(writer->begin(&c->stream, a, &bytes, NULL));
        memcpy(c->file, bytes.data, bytes.size);
    }
    return ZT_OK;
}

static void run(clip *c, int format)
{
    static const char *const names[] = {"apng", "webp", "y4m", "gif"};
    static void (*const checks[])(const clip *) = {check_apng, check_webp, check_y4m, check_gif};
    const picture_writer *writer = NULL;
    budget memory;
    arena a;
    budget_init(&memory, (uint64_t)128 << 20, NULL);
    arena_init(&a, &memory);
    arena_init(&c->stream.kept, &memory);
    require(picture_writer_find(names[format], &writer, NULL) == ZT_OK);
    const zt_result r = write_clip(c, writer->many ? writer->many : writer, &a);
    fuzz_result(r);
    require(r == ZT_OK || r == ZT_ERR_MEMORY);
    fuzz_pause(true);
    if (r == ZT_OK)
        checks[format](c);
    fuzz_pause(false);
    arena_finish(&c->stream.kept);
    arena_finish(&a);
    require(memory.used == 0);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    if (size < HEADER + FRAMES_MAX)
        return;
    const uint8_t *choice = data + FUZZ_PIXELS_HEADER;
    const zt_encode_def encoding = {.dither = (data[4] & DITHER) != 0};
    clip c = {.stream = {.fps_numerator = 1 + (choice[2] | choice[3] << 8) % RATE_MAX,
                         .fps_denominator = 1 + (choice[4] | choice[5] << 8) % RATE_MAX,
                         .frame_count = 1 + choice[1] % FRAMES_MAX,
                         .alpha = (data[4] & 2) == 0,
                         .encoding = &encoding}};
    bool made = (c.file = malloc(FILE_MAX)) != NULL;
    for (int64_t i = 0; made && i < c.stream.frame_count; i++) {
        zt_image *frame = &c.frames[i];
        *frame = fuzz_pixels(data, size, FEW_PIXELS, MANY_PIXELS);
        made = frame->rgba8 != NULL;
        if (made) // each frame has its own pixels
            fuzz_fill(frame, data + HEADER + i, size - HEADER - (size_t)i, data[4],
                      (size_t)data[5] + 1);
        frame->keep_alpha = c.stream.alpha;
        c.stream.width = frame->width;
        c.stream.height = frame->height;
    }
    if (made)
        run(&c, choice[0] % FORMATS);
    for (int i = 0; i < FRAMES_MAX; i++)
        free(c.frames[i].rgba8);
    free(c.file);
}
