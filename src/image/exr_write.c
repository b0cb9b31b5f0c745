// SPDX-License-Identifier: MIT
/// Planes -> OpenEXR files: one part of scan lines, whose header and table OpenEXRCore writes.
/// Chunks are packed here, by runs alone as PNG is (level 1 of libdeflate takes twice the time and
/// gains 1 %), and raw where that gains nothing: OpenEXRCore 3.1.5 itself writes a broken chunk
/// where both sizes are equal (openexr#2306). Reference: OpenEXR, "OpenEXR File Layout".
#include "base/bytes.h"
#include "base/error.h"
#include "base/hash.h"
#include "image/deflate_tokens.h"
#include "image/file_key.h"
#include "image/hdr_picture.h"
#include "image/library_memory.h"
#include "image/picture_encoders.h"
#include "image/png_text.h"

#include <libdeflate.h>
#include <openexr.h>
#include <stdio.h>
#include <string.h>

enum {
    CHANNELS_MAX = PLANE_COUNT * ZT_PLANE_CHANNELS_MAX,
    HEADER_BYTES = 64 << 10, // at least those of all attributes but texts, and OpenEXRCore's own
    ATTRIBUTE_BYTES = 512,   // besides its value, in memory and in the file
    PIECE_BYTES = 1 << 18,   // of a chunk: one block of DEFLATE
    ZLIB_BYTES = 6,          // around them
    KEY_AT = 60,             // the text of the key: only the type of the part comes before it
};

/// A channel of the file.
typedef struct exr_output {
    const char *name;
    const uint32_t *numbers; ///< of the first pixel
    size_t step, stride;     ///< in numbers: from pixel to pixel and from row to row
    exr_pixel_type_t type;
} exr_output;

typedef struct exr_writer {
    const picture_planes *frame;
    const zt_encode_def *encoding;
    const char *xmp; ///< NULL: none
    exr_context_t context;
    exr_output channel[CHANNELS_MAX]; ///< by name
    size_t channel_count;
    int32_t lines;                 ///< of a chunk
    size_t line_bytes;             ///< unpacked
    uint8_t *raw, *split, *packed; ///< a chunk
    void *tokens;                  ///< of a piece
    uint8_t *out;
    size_t size, capacity;
} exr_writer;

// ---- the library --------------------------------------------------------------------------------

static int64_t write_bytes(exr_const_context_t context, void *user, const void *buffer,
                           uint64_t size, uint64_t offset, exr_stream_error_func_ptr_t error)
{
    exr_writer *w = user;
    (void)context, (void)error;
    if (offset > w->capacity || size > w->capacity - offset)
        return -1;
    memcpy(w->out + offset, buffer, size);
    if (offset + size > w->size)
        w->size = (size_t)(offset + size);
    return (int64_t)size;
}

/// The results say enough. No call is possible here: the context is locked while it reports.
static void drop_message(exr_const_context_t context, exr_result_t code, const char *message)
{
    (void)context, (void)code, (void)message;
}

static zt_result check(exr_result_t result, zt_error *err)
{
    if (result == EXR_ERR_SUCCESS)
        return ZT_OK;
    if (result == EXR_ERR_OUT_OF_MEMORY || !library_has_memory(HEADER_BYTES))
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for an OpenEXR encoder");
    return zt_fail(err, ZT_ERR_ARGUMENT, "OpenEXRCore cannot write the texts of a picture: %s",
                   exr_get_default_error_message(result));
}

// ---- header -------------------------------------------------------------------------------------

/// Lists the channels of all planes that are present, by name as readers expect them.
static void list_channels(exr_writer *w)
{
    for (int p = 0; p < PLANE_COUNT; p++) {
        const zt_plane_kind *kind = &picture_plane_table[p].kind;
        const plane_memory *m = &w->frame->plane[p];
        for (int c = 0; m->data && c < kind->channels && kind->channel[c]; c++) {
            size_t at = w->channel_count++;
            for (; at > 0 && strcmp(w->channel[at - 1].name, kind->channel[c]) > 0; at--)
                w->channel[at] = w->channel[at - 1];
            w->channel[at] = (exr_output){.name = kind->channel[c],
                                          .numbers = (const uint32_t *)m->data + c,
                                          .step = (size_t)kind->channels,
                                          .stride = m->stride / sizeof(uint32_t),
                                          .type = kind->half      ? EXR_PIXEL_HALF
                                                  : kind->integer ? EXR_PIXEL_UINT
                                                                  : EXR_PIXEL_FLOAT};
            w->line_bytes += (size_t)w->frame->width * (kind->half ? 2 : 4);
        }
    }
}

static exr_result_t add_attributes(exr_writer *w)
{
    static const exr_compression_t compressions[] = {[ZT_EXR_ZIPS] = EXR_COMPRESSION_ZIPS,
                                                     [ZT_EXR_ZIP] = EXR_COMPRESSION_ZIP,
                                                     [ZT_EXR_NONE] = EXR_COMPRESSION_NONE};
    static const exr_attr_chromaticities_t srgb = {0.64f, 0.33f, 0.30f,   0.60f,
                                                   0.15f, 0.06f, 0.3127f, 0.3290f};
    const exr_attr_rational_t fps = {w->frame->fps_numerator, (uint32_t)w->frame->fps_denominator};
    exr_result_t result = exr_initialize_required_attr_simple(
        w->context, 0, w->frame->width, w->frame->height, compressions[w->encoding->exr]);
    for (size_t i = 0; i < w->channel_count && !result; i++)
        result = exr_add_channel(w->context, 0, w->channel[i].name, w->channel[i].type,
                                 EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1);
    if (!result)
        result = exr_attr_set_chromaticities(w->context, 0, "chromaticities", &srgb);
    if (!result && fps.denom)
        result = exr_attr_set_rational(w->context, 0, "framesPerSecond", &fps);
    if (!result && w->xmp)
        result = exr_attr_set_string(w->context, 0, "xmp", w->xmp);
    for (int32_t i = 0; i < w->encoding->text_count && !result; i++)
        result = exr_attr_set_string(w->context, 0, w->encoding->texts[i].keyword,
                                     w->encoding->texts[i].text);
    return result;
}

static zt_result write_header(exr_writer *w, zt_error *err)
{
    exr_context_initializer_t init = EXR_DEFAULT_CONTEXT_INITIALIZER;
    char key[FILE_KEY_BYTES + 1] = {0};
    int part = 0;
    init.error_handler_fn = drop_message;
    init.user_data = w;
    init.write_fn = write_bytes;
    ZT_TRY(check(exr_start_write(&w->context, "memory", EXR_WRITE_FILE_DIRECTLY, &init), err));
    if (w->encoding->text_count > 0)
        ZT_TRY(check(exr_set_longname_support(w->context, 1), err));
    ZT_TRY(check(exr_add_part(w->context, NULL, EXR_STORAGE_SCANLINE, &part), err));
    memset(key, ' ', FILE_KEY_BYTES);
    if (w->encoding->has_key) // attributes are written in this order
        ZT_TRY(check(exr_attr_set_string(w->context, 0, "zoetropeKey", key), err));
    ZT_TRY(check(add_attributes(w), err));
    ZT_TRY(check(exr_write_header(w->context), err));
    return !w->encoding->has_key || memcmp(w->out + KEY_AT, key, FILE_KEY_BYTES) == 0
               ? ZT_OK
               : zt_fail(err, ZT_ERR_INTERNAL, "OpenEXRCore sorts the attributes");
}

// ---- chunks -------------------------------------------------------------------------------------

/// Rounds to the nearest half, ties to even. What a half cannot hold becomes its largest number, as
/// an infinity would spread wherever a compositor blurs; NaN stays NaN.
static inline uint16_t half_of(uint32_t bits)
{
    const uint32_t largest = 0x477fe000, min_normal = 0x38800000, infinity = 0x7f800000;
    const uint32_t magnitude = bits & 0x7fffffff;
    const uint32_t f = magnitude > largest ? largest : magnitude;
    const uint32_t normal = (f - 0x38000000 + 0xfff + (f >> 13 & 1)) >> 13;
    const float one_half = 0.5f; // the last place of numbers from 0.5 to 1 is the least half
    float sum;
    uint32_t small;
    memcpy(&sum, &f, 4);
    sum += one_half;
    memcpy(&small, &sum, 4);
    const uint32_t half = f < min_normal ? small - 0x3f000000 : normal;
    return (uint16_t)((bits >> 16 & 0x8000) | (magnitude > infinity ? 0x7e00 : half));
}

/// The bytes of `lines` lines, each with its channels one after the other.
static void store_lines(const exr_writer *w, int32_t y, int32_t lines)
{
    const size_t width = (size_t)w->frame->width;
    uint8_t *out = w->raw;
    for (const int32_t end = y + lines; y < end; y++)
        for (const exr_output *c = w->channel; c < w->channel + w->channel_count; c++) {
            const uint32_t *row = c->numbers + (size_t)y * c->stride;
            const size_t size = c->type == EXR_PIXEL_HALF ? 2 : 4, step = c->step;
            uint32_t last = 0; // many neighbours are equal, as where nothing is shown
            uint16_t half = 0;
            for (size_t x = 0; x < width; x++, row += step, out += size)
                if (size == 2) {
                    if (*row != last)
                        half = half_of(last = *row);
                    out[0] = (uint8_t)half;
                    out[1] = (uint8_t)(half >> 8);
                } else {
                    bytes_store_u32_le(out, *row);
                }
        }
}

/// As OpenEXR packs bytes: all even ones, then all odd ones, each less the one before.
static void split_bytes(const uint8_t *restrict raw, size_t size, uint8_t *restrict out)
{
    const size_t half = size / 2;
    out[0] = raw[0];
    out[half] = (uint8_t)(raw[1] - raw[size - 2] + 128);
    for (size_t i = 1; i < half; i++) {
        out[i] = (uint8_t)(raw[2 * i] - raw[2 * i - 2] + 128);
        out[half + i] = (uint8_t)(raw[2 * i + 1] - raw[2 * i - 1] + 128);
    }
}

/// Writes a chunk to w->packed as a zlib stream (RFC 1950); returns its size.
static size_t pack(exr_writer *w, size_t raw)
{
    uint8_t *out = w->packed;
    split_bytes(w->raw, raw, w->split);
    *out++ = 0x78; // a window of 32 KiB
    *out++ = 1;    // level 0, check bits
    for (size_t at = 0; at < raw; at += PIECE_BYTES) {
        const size_t size = raw - at < PIECE_BYTES ? raw - at : PIECE_BYTES;
        token_stream s;
        tokens_init(&s, size, 0, w->tokens);
        memcpy(s.end, w->split + at, size);
        s.start[-1] = (uint8_t)~s.start[0]; // no run begins before the piece
        tokens_scan(&s, s.end + size);
        tokens_finish(&s);
        out = deflate_block_write(&s.block, at + size == raw, out);
    }
    bytes_store_u32_be(out, libdeflate_adler32(1, w->split, raw));
    return (size_t)(out + ZLIB_BYTES - 2 - w->packed);
}

static exr_result_t write_chunk(exr_writer *w, int32_t y)
{
    const int32_t left = w->frame->height - y, lines = left < w->lines ? left : w->lines;
    const size_t raw = w->line_bytes * (size_t)lines;
    store_lines(w, y, lines);
    const size_t size = w->encoding->exr == ZT_EXR_NONE ? raw : pack(w, raw);
    return exr_write_scanline_chunk(w->context, 0, y, size < raw ? w->packed : w->raw,
                                    size < raw ? size : raw);
}

// ---- the file -----------------------------------------------------------------------------------

/// The text names the planes, and a hash of them.
static zt_result make_text(exr_writer *w, arena *a, zt_error *err)
{
    char planes[512] = "";
    uint64_t hash = HASH_START;
    for (int p = 0; p < PLANE_COUNT; p++) {
        const plane_memory *m = &w->frame->plane[p];
        const zt_plane_kind *kind = &picture_plane_table[p].kind;
        const size_t row = (size_t)w->frame->width * (size_t)kind->channels, end = strlen(planes);
        for (size_t y = 0; m->data && y < (size_t)w->frame->height; y++)
            hash = hash_word(hash, hash_pixel_row((uint8_t *)m->data + y * m->stride, row));
        if (m->data)
            snprintf(planes + end, sizeof planes - end, "%s,", kind->name);
    }
    planes[strlen(planes) - 1] = 0;
    return picture_xmp_make(hash, planes, w->encoding, a, &w->xmp, err);
}

/// The memory of a file, which is at most as large as its header, its table and all raw chunks.
static zt_result allocate(exr_writer *w, arena *a, zt_error *err)
{
    const size_t chunk = w->line_bytes * (size_t)w->lines;
    const size_t pieces = (chunk - 1) / PIECE_BYTES + 1;
    const size_t piece = chunk < PIECE_BYTES ? chunk : PIECE_BYTES;
    const size_t chunks = ((size_t)w->frame->height - 1) / (size_t)w->lines + 1;
    size_t header = HEADER_BYTES + 16 * chunks + (w->xmp ? strlen(w->xmp) : 0);
    for (int32_t i = 0; i < w->encoding->text_count; i++)
        header += ATTRIBUTE_BYTES + strlen(w->encoding->texts[i].text);
    w->capacity = header + w->line_bytes * (size_t)w->frame->height;
    w->out = arena_alloc_raw(a, w->capacity + 1, 1);
    w->raw = arena_alloc_raw(a, chunk, 1);
    w->split = arena_alloc_raw(a, chunk, 1);
    w->packed = arena_alloc_raw(a, pieces * deflate_block_bound(piece) + ZLIB_BYTES, 1);
    w->tokens = arena_alloc_raw(a, tokens_size(piece, 0), 1);
    if (!w->out || !w->raw || !w->split || !w->packed || !w->tokens || !arena_charge(a, header))
        return arena_fail(a, err, "encoding an OpenEXR");
    return ZT_OK;
}

static zt_result write_file(exr_writer *w, arena *a, zt_error *err)
{
    ZT_TRY(write_header(w, err));
    for (int32_t y = 0; y < w->frame->height; y += w->lines) {
        ZT_TRY(arena_go_on(a, "the lines of an OpenEXR", err));
        ZT_TRY(check(write_chunk(w, y), err));
    }
    return ZT_OK;
}

zt_result exr_planes_encode(const picture_planes *frame, const zt_encode_def *encoding, arena *a,
                            file_bytes *out, zt_error *err)
{
    exr_writer w = {
        .frame = frame, .encoding = encoding, .lines = encoding->exr == ZT_EXR_ZIP ? 16 : 1};
    *out = (file_bytes){0};
    list_channels(&w);
    if (w.channel_count == 0 || encoding->exr < ZT_EXR_ZIPS || encoding->exr > ZT_EXR_NONE)
        return zt_fail(err, ZT_ERR_ARGUMENT, "an OpenEXR of %d channels, packed as %d",
                       (int)w.channel_count, (int)encoding->exr);
    ZT_TRY(make_text(&w, a, err));
    zt_result result = allocate(&w, a, err);
    if (result == ZT_OK)
        result = write_file(&w, a, err);
    if (w.context) {
        const exr_result_t finished = exr_finish(&w.context);
        result = result == ZT_OK ? check(finished, err) : result;
    }
    ZT_TRY(result);
    w.out[w.size] = 0;
    *out = (file_bytes){w.out, w.size};
    if (encoding->has_key)
        file_key_write(
            encoding->key, (file_bytes){w.out, KEY_AT},
            (file_bytes){w.out + KEY_AT + FILE_KEY_BYTES, w.size - KEY_AT - FILE_KEY_BYTES},
            w.out + KEY_AT);
    return ZT_OK;
}

bool exr_key_matches(file_bytes bytes, uint64_t key, int32_t width, int32_t height)
{
    (void)width, (void)height;
    return file_starts_with(bytes, 0, EXR_MAGIC) && file_key_matches(bytes, KEY_AT, key);
}
