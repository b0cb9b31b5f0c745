// SPDX-License-Identifier: MIT
/// See picture_streams.h. Frames wait as PNG files. Sums of colours are whole numbers, whose order
/// does not matter.
#include "base/bytes.h"
#include "base/color_text.h"
#include "image/picture_streams.h"
#include "image/png_plain.h"
#include "image/png_write.h"

#include <gif_lib.h>
#include <string.h>

enum { OPAQUE_MIN = 128, DELAY_MAX = 65535, COLORS_MAX = 256, TABLE_SIZE = 1 << 24, SEEN = 256 };
enum { GIFLIB_BYTES = 64 << 10 }; ///< giflib 5.2 allocates 32 KiB for codes, a buffer, the palette

/// The frames so far, and what follows from all of them.
typedef struct gif_film {
    file_bytes *frame; ///< [frame_count]
    uint32_t *table;   ///< by colour, red lowest: its pixels; with a palette: its index, and SEEN
    uint32_t used;     ///< colours
    GifColorType palette[COLORS_MAX];
    int palette_count, transparent; ///< the index of no colour; NO_TRANSPARENT_COLOR: no pixel is
    const picture_stream *stream;
    arena *a, *scratch; ///< of the file; of a frame
    GifFileType *gif;
    uint8_t *out, *row;
    uint32_t size, capacity;
} gif_film;

zt_result gif_encode(const picture_planes *frame, const zt_encode_def *encoding, arena *a,
                     file_bytes *out, zt_error *err)
{
    const zt_image *from = &frame->color8;
    const size_t stride = (size_t)from->width * 4;
    double matte[3];
    uint8_t *to;
    (void)color_from_text(encoding->matte ? encoding->matte : "white", matte); // is checked before
    for (int k = 0; k < 3; k++)
        matte[k] = 255.0 * srgb_encode(matte[k]);
    ZT_TRY(ARENA_TAKE(a, &to, stride * (size_t)from->height, "a frame of a GIF", err));
    const zt_image flat = {to, from->width, from->height, stride, true, NULL, NULL, NULL};
    for (size_t i = 0; i < stride * (size_t)from->height; i++) {
        const uint8_t *pixel = from->rgba8 + i / stride * from->stride + i % stride / 4 * 4;
        const double share = pixel[3] / 255.0, code = pixel[i % 4];
        if (pixel[3] >= OPAQUE_MIN)
            to[i] = i % 4 == 3 ? 255 : (uint8_t)(code * share + matte[i % 4] * (1.0 - share) + 0.5);
    }
    return png_encode(&flat, ZT_PNG_FAST, a, out, err);
}

zt_result gif_join(picture_stream *stream, file_bytes frame, arena *a, file_bytes *out,
                   zt_error *err)
{
    static const char what[] = "the frames of a GIF";
    gif_film *film = stream->state;
    png_plain_picture rows;
    uint8_t *copy;
    if (!film) {
        ZT_TRY(ARENA_TAKE(&stream->kept, &film, 1, what, err));
        ZT_TRY(ARENA_TAKE(&stream->kept, &film->frame, (size_t)stream->frame_count, what, err));
        ZT_TRY(ARENA_TAKE(&stream->kept, &film->table, TABLE_SIZE, what, err));
        film->transparent = NO_TRANSPARENT_COLOR;
        stream->state = film;
    }
    if (png_plain_rows(a, frame, &rows) != ZT_OK)
        return a->failed != ZT_OK ? arena_fail(a, err, what)
                                  : zt_fail(err, ZT_ERR_MEMORY, "no memory for %s", what);
    ZT_TRY(ARENA_TAKE_RAW(&stream->kept, &copy, frame.size, what, err));
    memcpy(copy, frame.data, frame.size);
    film->frame[stream->joined] = (file_bytes){copy, frame.size};
    for (int32_t y = 0; y < stream->height; y++)
        for (size_t x = 0; x < (size_t)stream->width; x++) {
            const uint32_t pixel = bytes_u32_le(rows.first + (size_t)y * rows.pitch + 4 * x);
            uint32_t *count = &film->table[pixel & 0xffffff];
            if (pixel == 0)
                film->transparent = 0;
            film->used += pixel != 0 && *count == 0;
            *count += pixel != 0 && *count < UINT32_MAX;
        }
    *out = (file_bytes){copy, 0};
    return ZT_OK;
}

/// Gives `count` colours a share of `room` places in the palette: splits them at the mean of the
/// channel that varies most, and shares the room by their numbers, down to a mean for one place.
static void cut(gif_film *film, uint32_t *colors, uint32_t count, uint32_t room)
{
    double mean[3], widest = -1.0;
    int channel = 0;
    for (int k = 0; k < 3; k++) {
        uint64_t pixels = 0, sum = 0, squares = 0;
        for (uint32_t i = 0; i < count; i++) {
            const uint64_t n = film->table[colors[i]], v = colors[i] >> (8 * k) & 255u;
            pixels += n;
            sum += n * v;
            squares += n * v * v;
        }
        mean[k] = (double)sum / (double)pixels;
        const double spread = (double)squares - (double)sum * mean[k];
        channel = spread > widest ? k : channel;
        widest = spread > widest ? spread : widest;
    }
    uint32_t low = 0; // the colours up to the mean move to the front
    for (uint32_t i = 0; i < count; i++)
        if ((colors[i] >> (8 * channel) & 255u) <= mean[channel]) {
            const uint32_t moved = colors[i];
            colors[i] = colors[low];
            colors[low++] = moved;
        }
    if (room == 1 || low == count) {
        for (uint32_t i = 0; i < count; i++)
            film->table[colors[i]] = SEEN | (uint32_t)film->palette_count;
        film->palette[film->palette_count++] = (GifColorType){
            (uint8_t)(mean[0] + 0.5), (uint8_t)(mean[1] + 0.5), (uint8_t)(mean[2] + 0.5)};
        return;
    }
    const uint32_t part = (uint32_t)((uint64_t)room * low / count);
    const uint32_t own = part > 0 ? part : 1;
    cut(film, colors, low, own);
    cut(film, colors + low, count - low, room - own);
}

static zt_result make_palette(gif_film *film, arena *a, zt_error *err)
{
    uint32_t *list, listed = 0;
    ZT_TRY(ARENA_TAKE(a, &list, film->used + 1, "the palette of a GIF", err));
    for (uint32_t i = 0; i < TABLE_SIZE; i++)
        if (film->table[i] > 0)
            list[listed++] = i;
    if (listed > 0)
        cut(film, list, listed, COLORS_MAX - (film->transparent >= 0));
    return ZT_OK;
}

static int on_write(GifFileType *gif, const GifByteType *bytes, int size)
{
    gif_film *w = gif->UserData;
    for (int i = 0; i < size; i++) {
        if (!arena_grow(w->a, &w->out, w->size, &w->capacity, 1))
            return 0;
        w->out[w->size++] = bytes[i];
    }
    return size;
}

/// The entry of a pixel, or to mix colours that of one by up to 8 codes lighter or darker, if the
/// film has it. Noise that is even over neighbours: interleaved gradient noise (Jimenez, "Next
/// Generation Post Processing in Call of Duty: Advanced Warfare", 2014).
static uint32_t entry_at(const gif_film *w, uint32_t pixel, uint32_t x, uint32_t y)
{
    const uint32_t gradient = x * 288237658u + y * 25070618u; // 0.06711056 x + 0.00583715 y
    const int step = (int)((uint32_t)((uint64_t)gradient * 52982919u / 1000000u) >> 28) - 8;
    uint32_t near = 0;
    for (int k = 0; k < 24; k += 8) {
        const int code = (int)(pixel >> k & 255u) + step;
        near |= (uint32_t)(code < 0 ? 0 : code > 255 ? 255 : code) << k;
    }
    const bool mixed = w->stream->encoding->dither && w->used > COLORS_MAX && w->table[near] & SEEN;
    return w->table[mixed ? near : pixel & 0xffffff];
}

static bool put_row(gif_film *w, const uint8_t *rgba, uint32_t y)
{
    for (uint32_t x = 0; x < (uint32_t)w->stream->width; x++) {
        const uint32_t pixel = bytes_u32_le(rgba + 4 * (size_t)x);
        w->row[x] = (uint8_t)(pixel == 0 ? (uint32_t)w->transparent : entry_at(w, pixel, x, y));
    }
    return EGifPutLine(w->gif, w->row, w->stream->width) == GIF_OK;
}

static bool put_header(gif_film *w)
{
    int size = 2;
    while (size < w->palette_count + (w->transparent >= 0))
        size *= 2;
    ColorMapObject *map = GifMakeMapObject(size, w->palette);
    EGifSetGifVersion(w->gif, true);
    const bool put =
        map && EGifPutScreenDesc(w->gif, w->stream->width, w->stream->height, 8, 0, map) == GIF_OK;
    GifFreeMapObject(map);
    return put && (w->stream->frame_count == 1 || // else for ever
                   (EGifPutExtensionLeader(w->gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
                    EGifPutExtensionBlock(w->gif, 11, "NETSCAPE2.0") == GIF_OK &&
                    EGifPutExtensionBlock(w->gif, 3, "\1\0\0") == GIF_OK &&
                    EGifPutExtensionTrailer(w->gif) == GIF_OK));
}

/// Each frame replaces the one before: it is opaque, or players clear that one.
static bool put_frame(gif_film *w, int64_t index)
{
    const picture_stream *s = w->stream;
    const int64_t delay =
        picture_stream_time(s, index + 1, 100.0) - picture_stream_time(s, index, 100.0);
    const GraphicsControlBlock control = {w->transparent >= 0 ? DISPOSE_BACKGROUND : DISPOSE_DO_NOT,
                                          false, delay < DELAY_MAX ? (int)delay : DELAY_MAX,
                                          w->transparent};
    GifByteType bytes[4];
    png_plain_picture rows;
    arena_reset(w->scratch);
    EGifGCBToExtension(&control, bytes);
    bool put = png_plain_rows(w->scratch, w->frame[index], &rows) == ZT_OK &&
               EGifPutExtension(w->gif, GRAPHICS_EXT_FUNC_CODE, 4, bytes) == GIF_OK &&
               EGifPutImageDesc(w->gif, 0, 0, s->width, s->height, false, NULL) == GIF_OK;
    for (int32_t y = 0; put && y < s->height; y++)
        put =
            !arena_cancelled(w->a) && put_row(w, rows.first + (size_t)y * rows.pitch, (uint32_t)y);
    return put;
}

zt_result gif_end(const picture_stream *stream, arena *a, file_bytes *out, zt_error *err)
{
    gif_film *w = stream->state;
    arena scratch;
    ZT_TRY(make_palette(w, a, err));
    w->transparent = w->transparent < 0 ? NO_TRANSPARENT_COLOR : w->palette_count;
    ZT_TRY(ARENA_TAKE_RAW(a, &w->row, (size_t)stream->width, "a GIF", err));
    w->stream = stream;
    w->a = a;
    w->scratch = &scratch;
    arena_init(&scratch, a->budget);
    bool put = arena_charge(a, GIFLIB_BYTES) && (w->gif = EGifOpen(w, on_write, NULL)) != NULL;
    put = put && put_header(w);
    for (int64_t i = 0; put && i < stream->joined; i++)
        put = put_frame(w, i);
    if (w->gif)
        put = EGifCloseFile(w->gif, NULL) == GIF_OK && put;
    const arena failed = scratch.failed != ZT_OK ? scratch : *a;
    arena_finish(&scratch);
    *out = (file_bytes){w->out, w->size};
    if (!put && failed.failed != ZT_OK)
        return arena_fail(&failed, err, "a GIF");
    return put ? ZT_OK : zt_fail(err, ZT_ERR_MEMORY, "no memory to write a GIF"); // of giflib
}
