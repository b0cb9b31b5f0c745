// SPDX-License-Identifier: MIT
/// See picture_streams.h. Reference: WebP Image Format (RFC 9649), 2.7: RIFF, VP8X, ANIM, ANMF.
#include "image/picture_streams.h"
#include "image/webp_chunk.h"

#include <string.h>

enum {
    EXTENDED_BYTES = 10,
    ANIMATION_BYTES = 6,
    FRAME_BYTES = 16,
    FLAG_ANIMATION = 0x02,
    FLAG_ALPHA = 0x10,
    FRAME_NOT_BLENDED = 0x02,
    DURATION_LIMIT = 0xFFFFFF,
};

zt_result webp_animation_begin(const picture_stream *stream, arena *a, file_bytes *out,
                               zt_error *err)
{
    const size_t size = WEBP_RIFF_BYTES + 2 * WEBP_CHUNK_BYTES + EXTENDED_BYTES + ANIMATION_BYTES;
    uint8_t *bytes;
    ZT_TRY(ARENA_TAKE(a, &bytes, size + 1, "the header of an animation", err));
    if (stream->size > (uint64_t)UINT32_MAX - 10)
        return zt_fail(err, ZT_ERR_LIMIT, "an animated WebP of %llu bytes (expected below 2^32)",
                       (unsigned long long)stream->size);
    const uint64_t total = stream->size > size ? stream->size : size;
    uint8_t *at = webp_put_chunk(bytes, "RIFF", (size_t)total - WEBP_CHUNK_BYTES);
    memcpy(at, "WEBP", 4);
    at = webp_put_chunk(at + 4, "VP8X", EXTENDED_BYTES);
    at = webp_put(at, FLAG_ANIMATION | (stream->alpha ? FLAG_ALPHA : 0), 4);
    at = webp_put(at, (uint32_t)stream->width - 1, 3);
    at = webp_put(at, (uint32_t)stream->height - 1, 3);
    webp_put_chunk(at, "ANIM", ANIMATION_BYTES); // transparent around, plays for ever
    *out = (file_bytes){bytes, size};
    return ZT_OK;
}

zt_result webp_animation_join(picture_stream *stream, file_bytes frame, arena *a, file_bytes *out,
                              zt_error *err)
{
    const size_t at_pixels = webp_pixels_at(frame.data, frame.size);
    const size_t data = frame.size - at_pixels;
    const size_t size = WEBP_CHUNK_BYTES + FRAME_BYTES + data;
    const int64_t duration = picture_stream_time(stream, stream->joined + 1, 1000.0) -
                             picture_stream_time(stream, stream->joined, 1000.0);
    uint8_t *bytes;
    ZT_TRY(ARENA_TAKE_RAW(a, &bytes, size + 1, "a frame of an animated WebP", err));
    uint8_t *at = webp_put_chunk(bytes, "ANMF", FRAME_BYTES + data);
    at = webp_put(at, 0, 3); // x
    at = webp_put(at, 0, 3); // y
    at = webp_put(at, (uint32_t)stream->width - 1, 3);
    at = webp_put(at, (uint32_t)stream->height - 1, 3);
    at = webp_put(at, (uint32_t)(duration < DURATION_LIMIT ? duration : DURATION_LIMIT), 3);
    at = webp_put(at, FRAME_NOT_BLENDED, 1);
    memcpy(at, frame.data + at_pixels, data);
    bytes[size] = 0;
    *out = (file_bytes){bytes, size};
    return ZT_OK;
}
