// SPDX-License-Identifier: MIT
/// OpenEXR pictures by OpenEXRCore. The library parses headers and undoes compression; its memory,
/// whose size follows from the header, is reserved from the arena first. Layout of decompressed
/// chunks and all conversions are ours. Reference: OpenEXR, "OpenEXR File Layout".
#include "base/bytes.h"
#include "base/error.h"
#include "image/exr_colors.h"
#include "image/exr_header.h"
#include "image/hdr_picture.h"
#include "image/library_memory.h"

#include <openexr.h>
#include <stdlib.h>
#include <string.h>

enum {
    LIBRARY_BYTES = 3 << 20, // tables of the decompressors, mostly those of PIZ
    COMPONENTS = 3,
};

/// Where the values of one channel of the file go.
typedef struct exr_target {
    float *values;                    ///< NULL: nowhere
    size_t pixel_stride, line_stride; ///< in floats
    size_t x_step, y_step;
} exr_target;

typedef struct exr_reader {
    const char *name;
    arena *temporary;
    file_bytes bytes;
    size_t readable;   ///< bytes that the library may read: the header, then all
    char message[128]; ///< the first that the library reported
    bool no_memory;    ///< of which one was that it got none
    exr_context_t context;
    exr_attr_box2i_t data, display;
    int32_t side_limit;   ///< pixels
    size_t width, height; ///< of the data window
    const exr_attr_chlist_t *channels;
    int component[COMPONENTS]; ///< channels of R, G, B or of Y, RY, BY; -1: none
    bool chroma;               ///< Y, RY, BY
    exr_compression_t compression;
    exr_primaries primaries;
    float *rgb;                   ///< [height][width][3] of the data window
    exr_plane planes[COMPONENTS]; ///< of RY and BY, the last two
} exr_reader;

// ---- the library -------------------------------------------------------------------------------

static int64_t read_bytes(exr_const_context_t context, void *user, void *buffer, uint64_t size,
                          uint64_t offset, exr_stream_error_func_ptr_t error)
{
    const exr_reader *r = user;
    (void)context, (void)error;
    if (offset >= r->readable)
        return 0;
    const uint64_t left = r->readable - offset, count = size < left ? size : left;
    memcpy(buffer, r->bytes.data + offset, count);
    return (int64_t)count;
}

static int64_t count_bytes(exr_const_context_t context, void *user)
{
    (void)context;
    return (int64_t)((const exr_reader *)user)->bytes.size;
}

/// Keeps the first message: later ones say where it was passed on.
static void take_message(exr_const_context_t context, exr_result_t code, const char *message)
{
    void *user = NULL;
    if (!context || exr_get_user_data(context, &user) != EXR_ERR_SUCCESS || !user)
        return;
    exr_reader *r = user;
    r->no_memory = r->no_memory || code == EXR_ERR_OUT_OF_MEMORY;
    const size_t length = strlen(message), limit = sizeof r->message - 1;
    if (r->message[0] == 0)
        memcpy(r->message, message, length < limit ? length : limit);
}

static zt_result fail(const exr_reader *r, uint64_t at, const char *what, zt_error *err)
{
    return zt_fail(err, ZT_ERR_FORMAT, "%s:%llu: broken OpenEXR: %s", r->name,
                   (unsigned long long)at, what);
}

static zt_result refuse(const exr_reader *r, const char *what, const char *expected, zt_error *err)
{
    return zt_fail(err, ZT_ERR_UNSUPPORTED, "%s: OpenEXR with %s is not supported (expected %s)",
                   r->name, what, expected);
}

/// Reports what the library found near byte `at`.
static zt_result check(const exr_reader *r, exr_result_t result, uint64_t at, zt_error *err)
{
    if (result == EXR_ERR_SUCCESS)
        return ZT_OK;
    // Decompressors give the same code when a chunk's bytes do not suffice: then the first message
    // says so. Without memory there is none, or one about that, and some functions' codes differ.
    if ((result == EXR_ERR_OUT_OF_MEMORY && r->message[0] == 0) ||
        strncmp(r->message, "Unable to allocate", 18) == 0)
        return zt_fail(err, ZT_ERR_MEMORY, "%s: no memory for an OpenEXR decoder", r->name);
    return fail(r, at, r->message[0] ? r->message : exr_get_default_error_message(result), err);
}

// ---- header ------------------------------------------------------------------------------------

static int find_channel(const exr_reader *r, const char *prefix, size_t length, const char *name)
{
    for (int i = 0; i < r->channels->num_channels; i++) {
        const char *channel = r->channels->entries[i].name.str;
        if (strncmp(channel, prefix, length) == 0 && strcmp(channel + length, name) == 0)
            return i;
    }
    return -1;
}

/// Finds all of `names` with one prefix (that of a layer ends with a dot).
static bool find_channels(exr_reader *r, const char *prefix, size_t length,
                          const char *const names[COMPONENTS])
{
    for (int i = 0; i < COMPONENTS; i++) {
        r->component[i] = find_channel(r, prefix, length, names[i]);
        if (r->component[i] < 0)
            return false;
    }
    return true;
}

/// R, G, B, or Y alone or with RY and BY, or R, G, B of the first layer that has them.
static zt_result choose_channels(exr_reader *r, zt_error *err)
{
    static const char *const rgb[COMPONENTS] = {"R", "G", "B"}, *const yc[COMPONENTS] = {"Y", "RY",
                                                                                         "BY"};
    if (find_channels(r, "", 0, rgb))
        return ZT_OK;
    r->chroma = true;
    if (find_channels(r, "", 0, yc))
        return ZT_OK;
    r->component[1] = r->component[2] = -1;
    if ((r->component[0] = find_channel(r, "", 0, "Y")) >= 0)
        return ZT_OK;
    r->chroma = false;
    for (int i = 0; i < r->channels->num_channels; i++) {
        const exr_attr_string_t *name = &r->channels->entries[i].name;
        if (name->length >= 2 && memcmp(name->str + name->length - 2, ".R", 2) == 0 &&
            find_channels(r, name->str, (size_t)name->length - 1, rgb))
            return ZT_OK;
    }
    return refuse(r, "other channels", "R, G and B, or Y", err);
}

/// Chroma may have every second pixel of an axis; everything else has all of them.
static zt_result check_sampling(const exr_reader *r, zt_error *err)
{
    for (int i = 0; i < COMPONENTS; i++) {
        if (r->component[i] < 0)
            continue;
        const exr_attr_chlist_entry_t *e = &r->channels->entries[r->component[i]];
        const int32_t limit = r->chroma && i > 0 ? 2 : 1;
        if (e->x_sampling < 1 || e->y_sampling < 1 || e->x_sampling > limit ||
            e->y_sampling > limit)
            return refuse(r, "coarsely sampled channels", "RY and BY at half of the size", err);
        if (r->data.min.x % e->x_sampling != 0 || r->data.min.y % e->y_sampling != 0)
            return refuse(r, "chroma between the pixels of its data window", "an even corner", err);
    }
    return ZT_OK;
}

static zt_result check_window(const exr_reader *r, const char *what, exr_attr_box2i_t window,
                              zt_error *err)
{
    const int64_t width = (int64_t)window.max.x - window.min.x + 1;
    const int64_t height = (int64_t)window.max.y - window.min.y + 1;
    if (width < 1 || height < 1)
        return zt_fail(err, ZT_ERR_FORMAT, "%s: broken OpenEXR: %s window of %lld x %lld pixels",
                       r->name, what, (long long)width, (long long)height);
    if (width > r->side_limit || height > r->side_limit)
        return zt_fail(err, ZT_ERR_LIMIT,
                       "%s: OpenEXR with a %s window of %lld x %lld pixels (at most %d a side)",
                       r->name, what, (long long)width, (long long)height, r->side_limit);
    return ZT_OK;
}

static zt_result check_kind(exr_reader *r, zt_error *err)
{
    exr_storage_t storage;
    const exr_attribute_t *map = NULL;
    ZT_TRY(check(r, exr_get_storage(r->context, 0, &storage), 0, err));
    ZT_TRY(check(r, exr_get_compression(r->context, 0, &r->compression), 0, err));
    if (storage != EXR_STORAGE_SCANLINE && storage != EXR_STORAGE_TILED)
        return refuse(r, "deep data", "scan lines or tiles", err);
    if (r->compression == EXR_COMPRESSION_DWAA || r->compression == EXR_COMPRESSION_DWAB)
        return refuse(
            r, r->compression == EXR_COMPRESSION_DWAA ? "DWAA compression" : "DWAB compression",
            "none, RLE, ZIP, ZIPS, PIZ, PXR24, B44 or B44A", err);
    if (exr_get_attribute_by_name(r->context, 0, "envmap", &map) == EXR_ERR_SUCCESS &&
        map->type == EXR_ATTR_ENVMAP && map->uc != EXR_ENVMAP_LATLONG)
        return refuse(r, "the faces of a cube", "an equirectangular picture", err);
    return ZT_OK;
}

static zt_result read_primaries(exr_reader *r, zt_error *err)
{
    const exr_attribute_t *attribute = NULL;
    double weights[3];
    dmat3 matrix;
    r->primaries = exr_primaries_srgb;
    if (exr_get_attribute_by_name(r->context, 0, "chromaticities", &attribute) != EXR_ERR_SUCCESS ||
        attribute->type != EXR_ATTR_CHROMATICITIES)
        return ZT_OK;
    const exr_attr_chromaticities_t *c = attribute->chromaticities;
    r->primaries = (exr_primaries){{{(double)c->red_x, (double)c->red_y},
                                    {(double)c->green_x, (double)c->green_y},
                                    {(double)c->blue_x, (double)c->blue_y},
                                    {(double)c->white_x, (double)c->white_y}}};
    if (exr_primaries_differ(&r->primaries) &&
        (!exr_srgb_from(&r->primaries, &matrix) || !exr_luminance_weights(&r->primaries, weights)))
        return zt_fail(err, ZT_ERR_FORMAT, "%s: broken OpenEXR: its chromaticities span no colours",
                       r->name);
    return ZT_OK;
}

static zt_result read_header(exr_reader *r, zt_error *err)
{
    ZT_TRY(check_kind(r, err));
    ZT_TRY(check(r, exr_get_data_window(r->context, 0, &r->data), 0, err));
    ZT_TRY(check(r, exr_get_display_window(r->context, 0, &r->display), 0, err));
    ZT_TRY(check_window(r, "data", r->data, err));
    ZT_TRY(check_window(r, "display", r->display, err));
    r->width = (size_t)(r->data.max.x - r->data.min.x) + 1;
    r->height = (size_t)(r->data.max.y - r->data.min.y) + 1;
    ZT_TRY(check(r, exr_get_channels(r->context, 0, &r->channels), 0, err));
    ZT_TRY(choose_channels(r, err));
    ZT_TRY(check_sampling(r, err));
    return read_primaries(r, err);
}

// ---- chunks ------------------------------------------------------------------------------------

static float load_value(const uint8_t *p, exr_pixel_type_t type)
{
    if (type == EXR_PIXEL_HALF)
        return exr_float_of_half((uint32_t)bytes_load_le(p, 2));
    const uint32_t bits = bytes_u32_le(p);
    if (type == EXR_PIXEL_UINT)
        return (float)bits;
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

/// The target of channel `index` of the file.
static exr_target target_of(const exr_reader *r, int index)
{
    for (size_t i = 0; i < COMPONENTS; i++) {
        if (r->component[i] != index)
            continue;
        const exr_plane *p = &r->planes[i];
        if (p->values)
            return (exr_target){p->values, 1, p->width, p->x_step, p->y_step};
        return (exr_target){r->rgb + i, 3, 3 * r->width, 1, 1};
    }
    return (exr_target){0};
}

static int64_t divide_up(int64_t number, int32_t step)
{
    return number > 0 ? (number - 1) / step + 1 : number / step;
}

/// The number of multiples of `step` from `first` to `first + count - 1`.
static size_t samples_of(int64_t first, size_t count, int32_t step)
{
    return (size_t)(divide_up(first + (int64_t)count, step) - divide_up(first, step));
}

/// Stores the lines of a decompressed chunk at pixel x, y of the data window. A chunk has its lines
/// one after another, and a line all channels of the file, in the order of the header.
static zt_result store_chunk(const exr_reader *r, const exr_chunk_info_t *chunk,
                             const uint8_t *data, size_t x, size_t y, zt_error *err)
{
    size_t left = chunk->unpacked_size;
    for (size_t line = y; line < y + (size_t)chunk->height; line++) {
        ZT_TRY(arena_go_on(r->temporary, "the lines of an OpenEXR", err));
        for (int c = 0; c < r->channels->num_channels; c++) {
            const exr_attr_chlist_entry_t *e = &r->channels->entries[c];
            if ((r->data.min.y + (int64_t)line) % e->y_sampling != 0)
                continue;
            const size_t bytes = e->pixel_type == EXR_PIXEL_HALF ? 2 : 4;
            const size_t count =
                samples_of(r->data.min.x + (int64_t)x, (size_t)chunk->width, e->x_sampling);
            if (count * bytes > left)
                return fail(r, chunk->data_offset, "a chunk is smaller than its lines", err);
            const exr_target to = target_of(r, c);
            if (to.values) {
                float *out =
                    to.values + line / to.y_step * to.line_stride + x / to.x_step * to.pixel_stride;
                for (size_t i = 0; i < count; i++)
                    out[i * to.pixel_stride] = load_value(data + i * bytes, e->pixel_type);
            }
            data += count * bytes;
            left -= count * bytes;
        }
    }
    return ZT_OK;
}

static zt_result decompress(const exr_reader *r, exr_decode_pipeline_t *p,
                            const exr_chunk_info_t *chunk, size_t x, size_t y, zt_error *err)
{
    const bool first = !p->context;
    ZT_TRY(check(r,
                 first ? exr_decoding_initialize(r->context, 0, chunk, p)
                       : exr_decoding_update(r->context, 0, chunk, p),
                 chunk->data_offset, err));
    if (first) {
        ZT_TRY(check(r, exr_decoding_choose_default_routines(r->context, 0, p), chunk->data_offset,
                     err));
        p->unpack_and_convert_fn = NULL;
    }
    exr_result_t run = exr_decoding_run(r->context, 0, p);
    if (run != EXR_ERR_SUCCESS) {
        if (!library_has_memory(LIBRARY_BYTES))
            return zt_fail(err, ZT_ERR_MEMORY, "%s: no memory for an OpenEXR decoder", r->name);
        run = exr_decoding_run(r->context, 0, p);
    }
    ZT_TRY(check(r, run, chunk->data_offset, err));
    const void *data = p->unpacked_buffer ? p->unpacked_buffer : p->packed_buffer;
    if (!data)
        return fail(r, chunk->data_offset, "a chunk without data", err);
    return store_chunk(r, chunk, data, x, y, err);
}

/// Checks a chunk's header, for `width` x `height` pixels: each pixel of the window is written.
static zt_result check_chunk(const exr_reader *r, const exr_chunk_info_t *c, size_t width,
                             size_t height, uint64_t unpacked_max, zt_error *err)
{
    if (c->height < 1 || c->width < 1 || (size_t)c->height != height || (size_t)c->width != width)
        return fail(r, c->data_offset, "a chunk lies outside the data window", err);
    if (c->packed_size == 0 || c->unpacked_size == 0 || c->unpacked_size > unpacked_max)
        return fail(r, c->data_offset, "a chunk has another size than its lines", err);
    if (c->packed_size > c->unpacked_size ||
        (r->compression == EXR_COMPRESSION_NONE && c->packed_size != c->unpacked_size))
        return fail(r, c->data_offset, "a chunk is larger than its lines", err);
    if (c->data_offset > r->bytes.size || c->packed_size > r->bytes.size - c->data_offset)
        return fail(r, r->bytes.size, "its chunks end early", err);
    return ZT_OK;
}

static zt_result read_chunks(const exr_reader *r, exr_decode_pipeline_t *p, uint64_t unpacked_max,
                             zt_error *err)
{
    exr_storage_t storage;
    int32_t step_x = (int32_t)r->width, step_y = 1;
    ZT_TRY(check(r, exr_get_storage(r->context, 0, &storage), 0, err));
    const bool tiled = storage == EXR_STORAGE_TILED;
    ZT_TRY(check(r,
                 tiled ? exr_get_tile_sizes(r->context, 0, 0, 0, &step_x, &step_y)
                       : exr_get_scanlines_per_chunk(r->context, 0, &step_y),
                 0, err));
    if (step_x < 1 || step_y < 1)
        return zt_fail(err, ZT_ERR_FORMAT, "%s: broken OpenEXR: tiles of %d x %d pixels", r->name,
                       (int)step_x, (int)step_y);
    for (size_t y = 0; y < r->height; y += (size_t)step_y)
        for (size_t x = 0; x < r->width; x += (size_t)step_x) {
            exr_chunk_info_t chunk;
            const size_t width = (size_t)step_x < r->width - x ? (size_t)step_x : r->width - x;
            const size_t height = (size_t)step_y < r->height - y ? (size_t)step_y : r->height - y;
            ZT_TRY(check(
                r,
                tiled ? exr_read_tile_chunk_info(r->context, 0, (int)(x / (size_t)step_x),
                                                 (int)(y / (size_t)step_y), 0, 0, &chunk)
                      : exr_read_scanline_chunk_info(r->context, 0, r->data.min.y + (int)y, &chunk),
                r->bytes.size, err));
            ZT_TRY(check_chunk(r, &chunk, width, height, unpacked_max, err));
            ZT_TRY(decompress(r, p, &chunk, x, y, err));
        }
    return ZT_OK;
}

// ---- the picture -------------------------------------------------------------------------------

/// In place: what the channels hold becomes linear sRGB.
static zt_result finish_colors(const exr_reader *r, zt_error *err)
{
    double weights[3];
    dmat3 to;
    const bool convert = exr_primaries_differ(&r->primaries) && exr_srgb_from(&r->primaries, &to);
    exr_luminance_weights(&r->primaries, weights);
    for (size_t y = 0; y < r->height; y++) {
        float *row = r->rgb + 3 * r->width * y;
        ZT_TRY(arena_go_on(r->temporary, "the lines of an OpenEXR", err));
        if (r->chroma && r->component[1] >= 0)
            exr_rgb_from_chroma(&r->planes[1], &r->planes[2], weights, y, r->width, row);
        else if (r->chroma)
            for (size_t x = 0; x < r->width; x++)
                row[3 * x + 1] = row[3 * x + 2] = row[3 * x];
        exr_finish_row(convert ? &to : NULL, r->width, row);
    }
    return ZT_OK;
}

/// Copies what the data window and the display window share; the rest becomes black.
static zt_result place(const exr_reader *r, hdr_picture size, float *out, zt_error *err)
{
    const int32_t min_x = r->data.min.x > r->display.min.x ? r->data.min.x : r->display.min.x;
    const int32_t max_x = r->data.max.x < r->display.max.x ? r->data.max.x : r->display.max.x;
    const size_t width = 3 * (size_t)size.width;
    for (int32_t y = r->display.min.y; y <= r->display.max.y; y++, out += width) {
        ZT_TRY(arena_go_on(r->temporary, "the lines of an OpenEXR", err));
        if (min_x > max_x || y < r->data.min.y || y > r->data.max.y) {
            memset(out, 0, width * sizeof *out);
            continue;
        }
        const size_t from =
            (size_t)(y - r->data.min.y) * r->width + (size_t)(min_x - r->data.min.x);
        const size_t first = 3 * (size_t)(min_x - r->display.min.x);
        const size_t count = 3 * ((size_t)(max_x - min_x) + 1);
        memset(out, 0, first * sizeof *out);
        memcpy(out + first, r->rgb + 3 * from, count * sizeof *out);
        memset(out + first + count, 0, (width - first - count) * sizeof *out);
    }
    return ZT_OK;
}

static zt_result allocate_planes(exr_reader *r, zt_error *err)
{
    if (!r->chroma || r->component[1] < 0)
        return ZT_OK;
    for (int i = 1; i < COMPONENTS; i++) {
        const exr_attr_chlist_entry_t *e = &r->channels->entries[r->component[i]];
        exr_plane *p = &r->planes[i];
        p->x_step = (size_t)e->x_sampling;
        p->y_step = (size_t)e->y_sampling;
        p->width = (r->width + p->x_step - 1) / p->x_step;
        p->height = (r->height + p->y_step - 1) / p->y_step;
        ZT_TRY(ARENA_TAKE(r->temporary, &p->values, p->width * p->height,
                          "the chroma of an OpenEXR", err));
    }
    return ZT_OK;
}

/// The library's own memory: a table of chunks; per chunk packed, unpacked and two more buffers.
static zt_result reserve_library(const exr_reader *r, uint64_t *out_unpacked, zt_error *err)
{
    int32_t chunks = 0;
    ZT_TRY(check(r, exr_get_chunk_count(r->context, 0, &chunks), 0, err));
    ZT_TRY(check(r, exr_get_chunk_unpacked_size(r->context, 0, out_unpacked), 0, err));
    if (chunks < 1 || (uint64_t)chunks > r->bytes.size / 8)
        return fail(r, r->bytes.size, "its table of chunks ends early", err);
    if (*out_unpacked > (uint64_t)INT32_MAX)
        return zt_fail(err, ZT_ERR_LIMIT, "%s: OpenEXR with chunks of %llu bytes (at most %d)",
                       r->name, (unsigned long long)*out_unpacked, INT32_MAX);
    const size_t bytes = (size_t)*out_unpacked * 4 + (size_t)chunks * 8 + LIBRARY_BYTES;
    if (!arena_alloc_raw(r->temporary, bytes, 1))
        return arena_fail(r->temporary, err, "the chunks of an OpenEXR");
    return ZT_OK;
}

static zt_result decode_part(exr_reader *r, arena *a, hdr_picture *out, zt_error *err)
{
    uint64_t unpacked_max = 0;
    ZT_TRY(read_header(r, err));
    hdr_picture size = {.width = r->display.max.x - r->display.min.x + 1,
                        .height = r->display.max.y - r->display.min.y + 1};
    const bool whole = memcmp(&r->data, &r->display, sizeof r->data) == 0;
    ZT_TRY(reserve_library(r, &unpacked_max, err));
    float *pixels;
    ZT_TRY(ARENA_TAKE_RAW(a, &pixels, 3 * (size_t)size.width * (size_t)size.height,
                          "the pixels of an OpenEXR", err));
    r->rgb = pixels;
    if (!whole)
        ZT_TRY(ARENA_TAKE_RAW(r->temporary, &r->rgb, 3 * r->width * r->height,
                              "the data window of an OpenEXR", err));
    ZT_TRY(allocate_planes(r, err));
    exr_decode_pipeline_t pipeline = EXR_DECODE_PIPELINE_INITIALIZER;
    const zt_result result = read_chunks(r, &pipeline, unpacked_max, err);
    if (pipeline.context)
        exr_decoding_destroy(r->context, &pipeline);
    ZT_TRY(result);
    ZT_TRY(finish_colors(r, err));
    if (!whole)
        ZT_TRY(place(r, size, pixels, err));
    size.rgb = pixels;
    *out = size;
    return ZT_OK;
}

static exr_result_t open_context(exr_reader *r, exr_context_t *out)
{
    exr_context_initializer_t init = EXR_DEFAULT_CONTEXT_INITIALIZER;
    init.error_handler_fn = take_message;
    init.user_data = r;
    init.read_fn = read_bytes;
    init.size_fn = count_bytes;
    init.flags = EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
    return exr_start_read(out, "memory", &init);
}

/// True when a second look at the header finds the same number of attributes: the library leaves
/// out, at times without a word, those for which it got no memory.
static bool has_all_attributes(exr_reader *r)
{
    exr_context_t again = NULL;
    int32_t first = -1, second = -2;
    if (open_context(r, &again) == EXR_ERR_SUCCESS &&
        exr_get_attribute_count(r->context, 0, &first) == EXR_ERR_SUCCESS)
        exr_get_attribute_count(again, 0, &second);
    if (again)
        exr_finish(&again);
    return first == second;
}

static zt_result open_file(exr_reader *r, zt_error *err)
{
    exr_header header;
    ZT_TRY(exr_header_walk(r->temporary, r->name, r->bytes, &header, err));
    if (!arena_charge(r->temporary, 2 * header.library_bytes)) // twice to compare
        return arena_fail(r->temporary, err, "the header of an OpenEXR");
    r->readable = header.end;
    exr_result_t opened = open_context(r, &r->context);
    // Without memory some attributes are called broken, and others are left out.
    if (opened != EXR_ERR_SUCCESS || r->no_memory) {
        if (r->no_memory || !library_has_memory(LIBRARY_BYTES))
            return zt_fail(err, ZT_ERR_MEMORY, "%s: no memory for an OpenEXR decoder", r->name);
        r->message[0] = 0;
        opened = open_context(r, &r->context);
    }
    ZT_TRY(check(r, opened, 0, err));
    if (!has_all_attributes(r))
        return zt_fail(err, ZT_ERR_MEMORY, "%s: no memory for an OpenEXR decoder", r->name);
    r->readable = r->bytes.size;
    r->message[0] = 0; // it was about something that can be done without
    return ZT_OK;
}

zt_result exr_decode(arena *a, const char *name, file_bytes bytes, hdr_picture *out, zt_error *err)
{
    arena temporary;
    exr_reader r = {.name = name,
                    .temporary = &temporary,
                    .bytes = bytes,
                    .side_limit = a->budget->limits->texture_side};
    *out = (hdr_picture){0};
    if (!file_starts_with(bytes, 0, EXR_MAGIC))
        return zt_fail(err, ZT_ERR_FORMAT, "%s:0: not an OpenEXR file", name);
    arena_init(&temporary, a->budget);
    zt_result result = open_file(&r, err);
    if (result == ZT_OK)
        result = decode_part(&r, a, out, err);
    if (r.context)
        exr_finish(&r.context);
    arena_finish(&temporary);
    return result;
}
