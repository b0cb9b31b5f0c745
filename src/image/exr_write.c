// SPDX-License-Identifier: MIT
/// Planes -> OpenEXR files: one part of scan lines, whose header and table OpenEXRCore writes.
/// Chunks are packed here, by runs alone as PNG is (level 1 of libdeflate takes twice the time and
/// gains 1 %), and raw where packing does not gain: OpenEXRCore 3.1.5 itself writes a
/// broken chunk where both sizes are equal (github.com/AcademySoftwareFoundation/openexr, issue
/// 2306). Reference: OpenEXR, "OpenEXR File Layout".
#include "base/bytes.h"
#include "base/error.h"
#include "image/deflate_tokens.h"
#include "image/exr_colors.h"
#include "image/file_key.h"
#include "image/library_memory.h"
#include "image/picture_encoders.h"

#include <libdeflate.h>
#include <openexr.h>
#include <string.h>

enum {
    CHANNELS_MAX = PLANE_COUNT * ZT_PLANE_CHANNELS_MAX,
    HEADER_BYTES = 64 << 10, // at least those of all attributes but texts, and OpenEXRCore's own
    ATTRIBUTE_BYTES = 512,   // besides its value, in memory and in the file
    PIECE_BYTES = 1 << 18,   // of a chunk: one block of DEFLATE
    ZLIB_BYTES = 6,          // around them
    SHORT_NAME_MAX = 31,     // longer names need a flag in the file
    KEY_FIRST = 8,           // after the magic number and the version
    KEY_LAST = 256,          // only the type of the part comes before the key
};

/// "zoetropeKey", its type, and the size of the text of the key.
static const char key_head[] = "zoetropeKey\0string\0\x22\0\0";
_Static_assert(FILE_KEY_BYTES == 0x22, "the size in key_head");

/// A channel of the file.
typedef struct exr_output {
    const char *name;
    picture_plane plane;
    size_t component; ///< of the plane
    exr_pixel_type_t type;
    size_t at; ///< units before it in a line
} exr_output;

typedef struct exr_writer {
    const picture_planes *frame;
    const zt_encode_def *encoding;
    exr_context_t context;
    bool no_memory;                   ///< the library reported that it got none
    exr_output channel[CHANNELS_MAX]; ///< by name
    size_t channel_count;
    int32_t lines;     ///< of a chunk
    size_t line_units; ///< 16-bit units of a line: a half, or half of a number
    uint16_t *units;   ///< of a chunk
    uint16_t *halves;  ///< a line of a plane
    uint8_t *split, *packed;
    void *tokens; ///< of a piece
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

static void take_message(exr_const_context_t context, exr_result_t code, const char *message)
{
    void *user = NULL;
    (void)message;
    if (context && exr_get_user_data(context, &user) == EXR_ERR_SUCCESS && user)
        ((exr_writer *)user)->no_memory |= code == EXR_ERR_OUT_OF_MEMORY;
}

static zt_result check(const exr_writer *w, exr_result_t result, zt_error *err)
{
    if (result == EXR_ERR_SUCCESS && !w->no_memory)
        return ZT_OK;
    if (w->no_memory || result == EXR_ERR_OUT_OF_MEMORY || !library_has_memory(HEADER_BYTES))
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for an OpenEXR encoder");
    return zt_fail(err, ZT_ERR_INTERNAL, "OpenEXRCore cannot write: %s",
                   exr_get_default_error_message(result));
}

// ---- header -------------------------------------------------------------------------------------

/// Lists the channels of all planes that are present, by name as readers expect them.
static void list_channels(exr_writer *w)
{
    for (int p = 0; p < PLANE_COUNT; p++) {
        const zt_plane_kind *kind = &picture_plane_table[p].kind;
        const exr_pixel_type_t type = kind->half    ? EXR_PIXEL_HALF
                                      : kind->whole ? EXR_PIXEL_UINT
                                                    : EXR_PIXEL_FLOAT;
        for (int c = 0; w->frame->plane[p].data && c < kind->channels && kind->channel[c]; c++) {
            size_t at = w->channel_count++;
            for (; at > 0 && strcmp(w->channel[at - 1].name, kind->channel[c]) > 0; at--)
                w->channel[at] = w->channel[at - 1];
            w->channel[at] = (exr_output){kind->channel[c], (picture_plane)p, (size_t)c, type, 0};
        }
    }
    for (size_t i = 0; i < w->channel_count; i++) {
        w->channel[i].at = w->line_units;
        w->line_units += (size_t)w->frame->width * (w->channel[i].type == EXR_PIXEL_HALF ? 1 : 2);
    }
}

static exr_result_t add_standard(exr_writer *w)
{
    static const exr_compression_t compressions[] = {[ZT_EXR_ZIPS] = EXR_COMPRESSION_ZIPS,
                                                     [ZT_EXR_ZIP] = EXR_COMPRESSION_ZIP,
                                                     [ZT_EXR_NONE] = EXR_COMPRESSION_NONE};
    const double(*xy)[2] = exr_primaries_srgb.xy;
    const exr_attr_chromaticities_t colors = {(float)xy[0][0], (float)xy[0][1], (float)xy[1][0],
                                              (float)xy[1][1], (float)xy[2][0], (float)xy[2][1],
                                              (float)xy[3][0], (float)xy[3][1]};
    const exr_attr_rational_t fps = {w->frame->fps_numerator, (uint32_t)w->frame->fps_denominator};
    exr_result_t result = exr_initialize_required_attr_simple(
        w->context, 0, w->frame->width, w->frame->height, compressions[w->encoding->exr]);
    for (size_t i = 0; i < w->channel_count && !result; i++)
        result = exr_add_channel(w->context, 0, w->channel[i].name, w->channel[i].type,
                                 EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1);
    if (!result)
        result = exr_attr_set_chromaticities(w->context, 0, "chromaticities", &colors);
    if (!result && fps.denom)
        result = exr_attr_set_rational(w->context, 0, "framesPerSecond", &fps);
    return result;
}

static zt_result add_texts(exr_writer *w, zt_error *err)
{
    for (int32_t i = 0; i < w->encoding->text_count; i++) {
        const zt_picture_text *t = &w->encoding->texts[i];
        const exr_result_t result = exr_attr_set_string(w->context, 0, t->keyword, t->text);
        if (result != EXR_ERR_SUCCESS && check(w, result, err) != ZT_ERR_MEMORY)
            return zt_fail(err, ZT_ERR_ARGUMENT, "the text '%.40s' of an OpenEXR: %s", t->keyword,
                           exr_get_default_error_message(result));
        ZT_TRY(check(w, result, err));
    }
    return ZT_OK;
}

static zt_result write_header(exr_writer *w, zt_error *err)
{
    exr_context_initializer_t init = EXR_DEFAULT_CONTEXT_INITIALIZER;
    char key[FILE_KEY_BYTES + 1] = {0};
    int part = 0;
    init.error_handler_fn = take_message;
    init.user_data = w;
    init.write_fn = write_bytes;
    ZT_TRY(check(w, exr_start_write(&w->context, "memory", EXR_WRITE_FILE_DIRECTLY, &init), err));
    for (int32_t i = 0; i < w->encoding->text_count; i++)
        if (strlen(w->encoding->texts[i].keyword) > SHORT_NAME_MAX)
            ZT_TRY(check(w, exr_set_longname_support(w->context, 1), err));
    ZT_TRY(check(w, exr_add_part(w->context, NULL, EXR_STORAGE_SCANLINE, &part), err));
    memset(key, ' ', FILE_KEY_BYTES);
    if (w->encoding->has_key) // the first, where exr_key_at looks for it
        ZT_TRY(check(w, exr_attr_set_string(w->context, 0, key_head, key), err));
    ZT_TRY(check(w, add_standard(w), err));
    ZT_TRY(add_texts(w, err));
    return check(w, exr_write_header(w->context), err);
}

/// The byte at which the text of the key is; 0: there is none.
static size_t key_at(file_bytes bytes)
{
    for (size_t at = KEY_FIRST; at < KEY_LAST; at++)
        if (at + sizeof key_head + FILE_KEY_BYTES <= bytes.size &&
            memcmp(bytes.data + at, key_head, sizeof key_head) == 0)
            return at + sizeof key_head;
    return 0;
}

// ---- chunks -------------------------------------------------------------------------------------

/// Rounds to the nearest half, ties to even. What a half cannot hold becomes its largest number, as
/// an infinity would spread wherever a compositor blurs; NaN stays NaN.
static inline uint16_t half_of(uint32_t bits)
{
    const uint32_t largest = 0x477fe000, least_normal = 0x38800000, infinity = 0x7f800000;
    const uint32_t magnitude = bits & 0x7fffffff;
    const uint32_t f = magnitude > largest ? largest : magnitude;
    const uint32_t normal = (f - 0x38000000 + 0xfff + (f >> 13 & 1)) >> 13;
    const float one_half = 0.5f; // the last place of numbers from 0.5 to 1 is the least half
    float sum;
    uint32_t small;
    memcpy(&sum, &f, 4);
    sum += one_half;
    memcpy(&small, &sum, 4);
    const uint32_t half = f < least_normal ? small - 0x3f000000 : normal;
    return (uint16_t)((bits >> 16 & 0x8000) | (magnitude > infinity ? 0x7e00 : half));
}

/// Stores a line of a plane's channels, the low unit of a number first.
static void store_plane(const exr_writer *w, picture_plane plane, int32_t y, uint16_t *line)
{
    const size_t width = (size_t)w->frame->width;
    const size_t step = (size_t)picture_plane_table[plane].kind.channels;
    const uint32_t *row = (const uint32_t *)(const void *)picture_plane_at(w->frame, plane, 0, y);
    const bool half = picture_plane_table[plane].kind.half;
    for (size_t i = 0; half && i < width * step; i++)
        w->halves[i] = half_of(row[i]);
    for (size_t i = 0; i < w->channel_count; i++) {
        const exr_output *c = &w->channel[i];
        uint16_t *to = line + c->at;
        if (c->plane != plane)
            continue;
        for (size_t x = 0; x < width && half; x++)
            to[x] = w->halves[x * step + c->component];
        for (size_t x = 0; x < width && !half; x++) {
            to[2 * x] = (uint16_t)row[x * step + c->component];
            to[2 * x + 1] = (uint16_t)(row[x * step + c->component] >> 16);
        }
    }
}

/// The bytes as OpenEXR packs them: all low ones, then all high ones, each less the one before.
static void split_bytes(const uint16_t *restrict units, size_t count, uint8_t *restrict out)
{
    uint8_t *restrict high = out + count;
    out[0] = (uint8_t)units[0];
    high[0] = (uint8_t)((units[0] >> 8) - units[count - 1] + 128);
    for (size_t i = 1; i < count; i++) {
        out[i] = (uint8_t)(units[i] - units[i - 1] + 128);
        high[i] = (uint8_t)((units[i] >> 8) - (units[i - 1] >> 8) + 128);
    }
}

/// Writes the chunk in w->units to w->packed as a zlib stream (RFC 1950); returns its size.
static size_t pack(exr_writer *w, size_t raw)
{
    uint8_t *out = w->packed;
    split_bytes(w->units, raw / 2, w->split);
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
    const size_t count = w->line_units * (size_t)lines, raw = 2 * count;
    for (int p = 0; p < PLANE_COUNT; p++)
        for (int32_t i = 0; w->frame->plane[p].data && i < lines; i++)
            store_plane(w, (picture_plane)p, y + i, w->units + w->line_units * (size_t)i);
    size_t size = raw;
    if (w->encoding->exr != ZT_EXR_NONE)
        size = pack(w, raw);
    for (size_t i = 0; size >= raw && i < count; i++) {
        w->packed[2 * i] = (uint8_t)w->units[i];
        w->packed[2 * i + 1] = (uint8_t)(w->units[i] >> 8);
    }
    return exr_write_scanline_chunk(w->context, 0, y, w->packed, size < raw ? size : raw);
}

// ---- the file -----------------------------------------------------------------------------------

/// The memory of a file, which is at most as large as its header, its table and all raw chunks.
static zt_result allocate(exr_writer *w, arena *a, zt_error *err)
{
    const size_t chunk = 2 * w->line_units * (size_t)w->lines;
    const size_t pieces = (chunk - 1) / PIECE_BYTES + 1;
    const size_t piece = chunk < PIECE_BYTES ? chunk : PIECE_BYTES;
    const size_t chunks = ((size_t)w->frame->height - 1) / (size_t)w->lines + 1;
    size_t header = HEADER_BYTES + 16 * chunks;
    for (int32_t i = 0; i < w->encoding->text_count; i++)
        header += ATTRIBUTE_BYTES + strlen(w->encoding->texts[i].text);
    w->capacity = header + 2 * w->line_units * (size_t)w->frame->height;
    w->out = arena_alloc_raw(a, w->capacity + 1, 1);
    w->units = arena_alloc_raw(a, chunk, 1);
    w->halves =
        arena_alloc_raw(a, (size_t)w->frame->width * ZT_PLANE_CHANNELS_MAX, sizeof *w->halves);
    w->split = arena_alloc_raw(a, chunk, 1);
    w->packed = arena_alloc_raw(a, pieces * deflate_block_bound(piece) + ZLIB_BYTES, 1);
    w->tokens = arena_alloc_raw(a, tokens_size(piece, 0), 1);
    if (!w->out || !w->units || !w->halves || !w->split || !w->packed || !w->tokens ||
        !arena_charge(a, header))
        return arena_fail(a, err, "encoding an OpenEXR");
    return ZT_OK;
}

static zt_result write_file(exr_writer *w, arena *a, zt_error *err)
{
    ZT_TRY(write_header(w, err));
    for (int32_t y = 0; y < w->frame->height; y += w->lines) {
        ZT_TRY(arena_go_on(a, "the lines of an OpenEXR", err));
        ZT_TRY(check(w, write_chunk(w, y), err));
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
    zt_result result = allocate(&w, a, err);
    if (result == ZT_OK)
        result = write_file(&w, a, err);
    if (w.context) {
        const exr_result_t finished = exr_finish(&w.context);
        result = result == ZT_OK ? check(&w, finished, err) : result;
    }
    ZT_TRY(result);
    w.out[w.size] = 0;
    *out = (file_bytes){w.out, w.size};
    const size_t at = encoding->has_key ? key_at(*out) : 0;
    if (at)
        file_key_write(encoding->key, (file_bytes){w.out, at},
                       (file_bytes){w.out + at + FILE_KEY_BYTES, w.size - at - FILE_KEY_BYTES},
                       w.out + at);
    return ZT_OK;
}

bool exr_key_matches(file_bytes bytes, uint64_t key, int32_t width, int32_t height)
{
    (void)width;
    (void)height;
    const size_t at = key_at(bytes);
    return at > 0 && file_key_matches(bytes, at, key);
}
