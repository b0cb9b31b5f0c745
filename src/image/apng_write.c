// SPDX-License-Identifier: MIT
/// See apng_write.h. Reference: Portable Network Graphics, third edition (W3C 2025), 11.3.6: acTL
/// says how many frames there are; each has an fcTL, and its data in IDAT chunks if it is the first
/// and in fdAT chunks otherwise. fcTL and fdAT are numbered together.
#include "image/apng_write.h"

#include "base/bytes.h"

#include <libdeflate.h>
#include <string.h>

enum {
    SIGNATURE_BYTES = 8,
    FRAME_BYTES = 12, // of a chunk: length, type, checksum
    IHDR_BYTES = 13,
    ACTL_BYTES = 8,
    FCTL_BYTES = 26,
    COLOR_TYPE_RGB = 2,
    COLOR_TYPE_RGBA = 6,
    DELAY_LIMIT = 65535,
};

static const uint8_t signature[SIGNATURE_BYTES] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};

/// A chunk begins at `out`; its data follow at the address returned.
static uint8_t *chunk_begin(uint8_t *out, const char *type, size_t size)
{
    bytes_store_u32_be(out, (uint32_t)size);
    memcpy(out + 4, type, 4);
    return out + 8;
}

/// Writes the checksum of the chunk that begins at `chunk`; returns its end.
static uint8_t *chunk_end(uint8_t *chunk)
{
    const size_t size = bytes_u32_be(chunk);
    bytes_store_u32_be(chunk + 8 + size, libdeflate_crc32(0, chunk + 4, 4 + size));
    return chunk + FRAME_BYTES + size;
}

zt_result apng_begin(const picture_stream *stream, arena *a, file_bytes *out, zt_error *err)
{
    const size_t size = SIGNATURE_BYTES + 3 * FRAME_BYTES + IHDR_BYTES + 1 + ACTL_BYTES;
    uint8_t *bytes;
    ZT_TRY(ARENA_TAKE(a, &bytes, size + 1, "the header of an animation", err));
    if (stream->frame_count < 1 || stream->frame_count > INT32_MAX)
        return zt_fail(err, ZT_ERR_LIMIT, "an APNG of %lld frames (expected at most 2^31 - 1)",
                       (long long)stream->frame_count);
    memcpy(bytes, signature, sizeof signature);
    uint8_t *chunk = bytes + sizeof signature;
    uint8_t *data = chunk_begin(chunk, "IHDR", IHDR_BYTES);
    bytes_store_u32_be(data, (uint32_t)stream->width);
    bytes_store_u32_be(data + 4, (uint32_t)stream->height);
    data[8] = 8; // bits
    data[9] = stream->alpha ? COLOR_TYPE_RGBA : COLOR_TYPE_RGB;
    chunk = chunk_end(chunk);
    chunk_begin(chunk, "sRGB", 1); // perceptual, as PNG files have it
    chunk = chunk_end(chunk);
    data = chunk_begin(chunk, "acTL", ACTL_BYTES);
    bytes_store_u32_be(data, (uint32_t)stream->frame_count); // 0 plays: for ever
    chunk_end(chunk);
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
    uint8_t *data = chunk_begin(chunk, "fcTL", FCTL_BYTES);
    memset(data, 0, FCTL_BYTES); // at (0, 0), dispose none, blend source
    bytes_store_u32_be(data, stream->chunks++);
    bytes_store_u32_be(data + 4, (uint32_t)stream->width);
    bytes_store_u32_be(data + 8, (uint32_t)stream->height);
    store_delay(stream, data + 20);
    return chunk_end(chunk);
}

/// The next IDAT chunk of a PNG from `*at` on, which moves behind it; size 0: none.
static file_bytes next_data(file_bytes png, size_t *at)
{
    while (png.size - *at >= FRAME_BYTES) {
        const uint8_t *chunk = png.data + *at;
        const size_t size = bytes_u32_be(chunk);
        if (size > png.size - *at - FRAME_BYTES)
            break;
        *at += FRAME_BYTES + size;
        if (memcmp(chunk + 4, "IDAT", 4) == 0)
            return (file_bytes){chunk, FRAME_BYTES + size};
    }
    return (file_bytes){0};
}

static bool is_frame(const picture_stream *stream, file_bytes png)
{
    const uint8_t *header = png.data + SIGNATURE_BYTES + 8;
    return png.size > SIGNATURE_BYTES + FRAME_BYTES + IHDR_BYTES &&
           memcmp(png.data, signature, sizeof signature) == 0 &&
           bytes_u32_be(header) == (uint32_t)stream->width &&
           bytes_u32_be(header + 4) == (uint32_t)stream->height &&
           header[9] == (stream->alpha ? COLOR_TYPE_RGBA : COLOR_TYPE_RGB);
}

zt_result apng_join(picture_stream *stream, file_bytes frame, arena *a, file_bytes *out,
                    zt_error *err)
{
    size_t size = FRAME_BYTES + FCTL_BYTES, at = SIGNATURE_BYTES;
    if (!is_frame(stream, frame))
        return zt_fail(err, ZT_ERR_INTERNAL, "a frame of an APNG of another kind than the first");
    for (file_bytes data; (data = next_data(frame, &at)).size > 0;)
        size += data.size + 4; // the number of an fdAT
    uint8_t *bytes;
    ZT_TRY(ARENA_TAKE_RAW(a, &bytes, size + 1, "a frame of an APNG", err));
    uint8_t *chunk = put_control(stream, bytes);
    at = SIGNATURE_BYTES;
    for (file_bytes data; (data = next_data(frame, &at)).size > 0;) {
        if (stream->joined == 0) {
            memcpy(chunk, data.data, data.size);
            chunk += data.size;
            continue;
        }
        const size_t length = data.size - FRAME_BYTES;
        uint8_t *to = chunk_begin(chunk, "fdAT", length + 4);
        bytes_store_u32_be(to, stream->chunks++);
        memcpy(to + 4, data.data + 8, length);
        chunk = chunk_end(chunk);
    }
    *chunk = 0;
    *out = (file_bytes){bytes, (size_t)(chunk - bytes)};
    return ZT_OK;
}

zt_result apng_end(const picture_stream *stream, arena *a, file_bytes *out, zt_error *err)
{
    (void)stream;
    uint8_t *bytes;
    ZT_TRY(ARENA_TAKE(a, &bytes, FRAME_BYTES + 1, "the end of an animation", err));
    chunk_begin(bytes, "IEND", 0);
    chunk_end(bytes);
    *out = (file_bytes){bytes, FRAME_BYTES};
    return ZT_OK;
}
