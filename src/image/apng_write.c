// SPDX-License-Identifier: MIT
/// See picture_streams.h. Reference: Portable Network Graphics, third edition (W3C 2025), 11.3.6:
/// acTL says how many frames there are; each has an fcTL, and its data in IDAT chunks if it is the
/// first and in fdAT chunks otherwise. fcTL and fdAT are numbered together.
#include "image/picture_streams.h"
#include "image/png_chunk.h"

enum {
    ACTL_BYTES = 8,
    FCTL_BYTES = 26,
    COLOR_TYPE_RGB = 2,
    COLOR_TYPE_RGBA = 6,
    DELAY_LIMIT = 65535,
};

zt_result apng_begin(const picture_stream *stream, arena *a, file_bytes *out, zt_error *err)
{
    const size_t size = PNG_SIGNATURE_BYTES + 3 * PNG_CHUNK_BYTES + PNG_IHDR_BYTES + 1 + ACTL_BYTES;
    uint8_t *bytes;
    ZT_TRY(ARENA_TAKE(a, &bytes, size + 1, "the header of an animation", err));
    if (stream->frame_count < 1 || stream->frame_count > INT32_MAX)
        return zt_fail(err, ZT_ERR_LIMIT, "an APNG of %lld frames (expected at most 2^31 - 1)",
                       (long long)stream->frame_count);
    memcpy(bytes, PNG_SIGNATURE, PNG_SIGNATURE_BYTES);
    uint8_t *chunk = bytes + PNG_SIGNATURE_BYTES;
    uint8_t *data = png_chunk_begin(chunk, "IHDR", PNG_IHDR_BYTES);
    bytes_store_u32_be(data, (uint32_t)stream->width);
    bytes_store_u32_be(data + 4, (uint32_t)stream->height);
    data[8] = 8; // bits
    data[9] = stream->alpha ? COLOR_TYPE_RGBA : COLOR_TYPE_RGB;
    chunk = png_chunk_end(chunk);
    png_chunk_begin(chunk, "sRGB", 1); // perceptual, as PNG files have it
    chunk = png_chunk_end(chunk);
    data = png_chunk_begin(chunk, "acTL", ACTL_BYTES);
    bytes_store_u32_be(data, (uint32_t)stream->frame_count); // 0 plays: for ever
    png_chunk_end(chunk);
    *out = (file_bytes){bytes, size};
    return ZT_OK;
}

/// The last convergent of a continued fraction of 16-bit terms. Rates of 1/1000 to 1000: not 0.
static void approximate(uint64_t a, uint64_t b, uint32_t *numerator, uint32_t *denominator)
{
    uint64_t h[2] = {0, 1}, k[2] = {1, 0};
    while (b != 0) {
        const uint64_t whole = a / b, rest = a % b;
        const uint64_t next_h = whole * h[1] + h[0], next_k = whole * k[1] + k[0];
        if (next_h > DELAY_LIMIT || next_k > DELAY_LIMIT)
            break;
        h[0] = h[1];
        h[1] = next_h;
        k[0] = k[1];
        k[1] = next_k;
        a = b;
        b = rest;
    }
    *numerator = (uint32_t)h[1];
    *denominator = (uint32_t)k[1];
}

/// The time that a frame is shown, as a fraction of 16 bits each.
static void store_delay(const picture_stream *stream, uint8_t *out)
{
    uint32_t numerator = (uint32_t)stream->fps_denominator;
    uint32_t denominator = (uint32_t)stream->fps_numerator;
    if (numerator > DELAY_LIMIT || denominator > DELAY_LIMIT)
        approximate(numerator, denominator, &numerator, &denominator);
    out[0] = (uint8_t)(numerator >> 8);
    out[1] = (uint8_t)numerator;
    out[2] = (uint8_t)(denominator >> 8);
    out[3] = (uint8_t)denominator;
}

static uint8_t *put_control(picture_stream *stream, uint8_t *chunk)
{
    uint8_t *data = png_chunk_begin(chunk, "fcTL", FCTL_BYTES);
    memset(data, 0, FCTL_BYTES); // at (0, 0), dispose none, blend source
    bytes_store_u32_be(data, stream->chunks++);
    bytes_store_u32_be(data + 4, (uint32_t)stream->width);
    bytes_store_u32_be(data + 8, (uint32_t)stream->height);
    store_delay(stream, data + 20);
    return png_chunk_end(chunk);
}

/// The next IDAT chunk of a PNG from `*at` on, which moves behind it. False: none.
static bool next_data(file_bytes png, size_t *at, png_chunk *out)
{
    while (png_chunk_next(png, at, out))
        if (png_chunk_is(out, "IDAT"))
            return true;
    return false;
}

static bool is_frame(const picture_stream *stream, file_bytes png)
{
    const uint8_t *header = png.data + PNG_SIGNATURE_BYTES + 8;
    return png.size > PNG_SIGNATURE_BYTES + PNG_CHUNK_BYTES + PNG_IHDR_BYTES &&
           file_starts_with(png, 0, PNG_SIGNATURE) &&
           bytes_u32_be(header) == (uint32_t)stream->width &&
           bytes_u32_be(header + 4) == (uint32_t)stream->height &&
           header[9] == (stream->alpha ? COLOR_TYPE_RGBA : COLOR_TYPE_RGB);
}

zt_result apng_join(picture_stream *stream, file_bytes frame, arena *a, file_bytes *out,
                    zt_error *err)
{
    size_t size = PNG_CHUNK_BYTES + FCTL_BYTES, at = PNG_SIGNATURE_BYTES;
    if (!is_frame(stream, frame))
        return zt_fail(err, ZT_ERR_INTERNAL, "a frame of an APNG of another kind than the first");
    png_chunk data;
    while (next_data(frame, &at, &data))
        size += PNG_CHUNK_BYTES + data.size + 4; // the number of an fdAT
    uint8_t *bytes;
    ZT_TRY(ARENA_TAKE_RAW(a, &bytes, size + 1, "a frame of an APNG", err));
    uint8_t *chunk = put_control(stream, bytes);
    at = PNG_SIGNATURE_BYTES;
    while (next_data(frame, &at, &data)) {
        if (stream->joined == 0) {
            memcpy(chunk, data.data - 8, PNG_CHUNK_BYTES + data.size);
            chunk += PNG_CHUNK_BYTES + data.size;
            continue;
        }
        uint8_t *to = png_chunk_begin(chunk, "fdAT", data.size + 4);
        bytes_store_u32_be(to, stream->chunks++);
        memcpy(to + 4, data.data, data.size);
        chunk = png_chunk_end(chunk);
    }
    *chunk = 0;
    *out = (file_bytes){bytes, (size_t)(chunk - bytes)};
    return ZT_OK;
}

zt_result apng_end(const picture_stream *stream, arena *a, file_bytes *out, zt_error *err)
{
    (void)stream;
    uint8_t *bytes;
    ZT_TRY(ARENA_TAKE(a, &bytes, PNG_CHUNK_BYTES + 1, "the end of an animation", err));
    png_chunk_begin(bytes, "IEND", 0);
    png_chunk_end(bytes);
    *out = (file_bytes){bytes, PNG_CHUNK_BYTES};
    return ZT_OK;
}
