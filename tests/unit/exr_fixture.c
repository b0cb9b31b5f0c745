// SPDX-License-Identifier: MIT
#include "exr_fixture.h"

#include "base/bytes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 16 << 20 };

typedef struct memory_file {
    uint8_t *bytes;
    size_t size;
} memory_file;

static int64_t write_bytes(exr_const_context_t context, void *user, const void *buffer,
                           uint64_t size, uint64_t offset, exr_stream_error_func_ptr_t error)
{
    memory_file *f = user;
    (void)context, (void)error;
    if (offset + size > LIMIT)
        return -1;
    memcpy(f->bytes + offset, buffer, size);
    f->size = offset + size > f->size ? (size_t)(offset + size) : f->size;
    return (int64_t)size;
}

float exr_sample_value(const char *channel, int32_t x, int32_t y)
{
    const size_t length = strlen(channel);
    return (float)((x * 3 + y * 5 + channel[length - 1] * 7) & 255) / 16.0f;
}

uint16_t exr_half(float value)
{
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    const double magnitude = fabs((double)value);
    const int exponent = magnitude < 0x1p-14 ? -14 : ilogb(magnitude);
    if (!isfinite(value))
        return sign | (isnan(value) ? 0x7e00 : 0x7c00);
    return (uint16_t)(sign + ((exponent + 14) << 10) + (int)rint(ldexp(magnitude, 10 - exponent)));
}

/// Fills the values of one channel of a chunk at pixel x, y.
static uint8_t *channel_bytes(const exr_recipe *r, const exr_coding_channel_info_t *c, int32_t x,
                              int32_t y)
{
    const size_t size = (size_t)c->bytes_per_element;
    uint8_t *out = calloc((size_t)c->width * (size_t)c->height + 1, size);
    for (int32_t j = 0; j < c->height; j++)
        for (int32_t i = 0; i < c->width; i++) {
            const float v = (r->value ? r->value : exr_sample_value)(
                c->channel_name, x + i * c->x_samples, y + j * c->y_samples);
            uint8_t *to = out + ((size_t)j * (size_t)c->width + (size_t)i) * size;
            if (c->data_type == EXR_PIXEL_HALF)
                memcpy(to, &(uint16_t){exr_half(v)}, 2);
            else if (c->data_type == EXR_PIXEL_UINT)
                memcpy(to, &(uint32_t){(uint32_t)v}, 4);
            else
                memcpy(to, &v, 4);
        }
    return out;
}

static exr_result_t write_chunk(exr_context_t context, int part, const exr_recipe *r,
                                const exr_chunk_info_t *chunk, int32_t x, int32_t y)
{
    exr_encode_pipeline_t e = EXR_ENCODE_PIPELINE_INITIALIZER;
    uint8_t *values[EXR_CHANNELS_MAX] = {0};
    exr_result_t result = exr_encoding_initialize(context, part, chunk, &e);
    for (int i = 0; i < e.channel_count && !result; i++) {
        exr_coding_channel_info_t *c = &e.channels[i];
        values[i] = channel_bytes(r, c, x, y);
        c->encode_from_ptr = values[i];
        c->user_pixel_stride = c->bytes_per_element;
        c->user_line_stride = c->width * c->bytes_per_element;
        c->user_bytes_per_element = c->bytes_per_element;
        c->user_data_type = c->data_type;
    }
    if (!result)
        result = exr_encoding_choose_default_routines(context, part, &e);
    if (!result)
        result = exr_encoding_run(context, part, &e);
    exr_encoding_destroy(context, &e);
    for (int i = 0; i < EXR_CHANNELS_MAX; i++)
        free(values[i]);
    return result;
}

static exr_result_t write_lines(exr_context_t context, int part, const exr_recipe *r)
{
    int32_t step = 0;
    exr_result_t result = exr_get_scanlines_per_chunk(context, part, &step);
    for (int32_t y = r->data[1]; y <= r->data[3] && !result; y += step) {
        exr_chunk_info_t chunk;
        result = exr_write_scanline_chunk_info(context, part, y, &chunk);
        if (!result)
            result = write_chunk(context, part, r, &chunk, r->data[0], y);
    }
    return result;
}

static exr_result_t write_tiles(exr_context_t context, int part, const exr_recipe *r)
{
    int32_t levels = 1, unused, width, height;
    exr_result_t result = exr_get_tile_levels(context, part, &levels, &unused);
    for (int level = 0; level < levels && !result; level++) {
        result = exr_get_level_sizes(context, part, level, level, &width, &height);
        for (int32_t y = 0; y < height && !result; y += r->tile[1])
            for (int32_t x = 0; x < width && !result; x += r->tile[0]) {
                exr_chunk_info_t chunk;
                result = exr_write_tile_chunk_info(context, part, x / r->tile[0], y / r->tile[1],
                                                   level, level, &chunk);
                if (!result)
                    result = write_chunk(context, part, r, &chunk, r->data[0] + x + 1000 * level,
                                         r->data[1] + y);
            }
    }
    return result;
}

static exr_result_t declare_part(exr_context_t context, int part, const exr_recipe *r)
{
    char name[] = "part 0";
    int index = 0;
    name[5] = (char)('0' + part);
    exr_result_t result = exr_add_part(context, name, r->storage, &index);
    const exr_attr_box2i_t display = {{{{r->display[0], r->display[1]}}},
                                      {{{r->display[2], r->display[3]}}}};
    const exr_attr_box2i_t data = {{{{r->data[0], r->data[1]}}}, {{{r->data[2], r->data[3]}}}};
    const exr_attr_v2f_t centre = {{{0.0f, 0.0f}}};
    if (!result)
        result = exr_initialize_required_attr(context, index, &display, &data, 1.0f, &centre, 1.0f,
                                              EXR_LINEORDER_INCREASING_Y, r->compression);
    if (!result && r->storage == EXR_STORAGE_TILED)
        result = exr_set_tile_descriptor(context, index, (uint32_t)r->tile[0], (uint32_t)r->tile[1],
                                         r->mipmap ? EXR_TILE_MIPMAP_LEVELS : EXR_TILE_ONE_LEVEL,
                                         EXR_TILE_ROUND_DOWN);
    for (int i = 0; i < EXR_CHANNELS_MAX && r->channel[i].name && !result; i++)
        result = exr_add_channel(context, index, r->channel[i].name, r->channel[i].type,
                                 EXR_PERCEPTUALLY_LOGARITHMIC, r->channel[i].sampling,
                                 r->channel[i].sampling);
    if (!result && r->chromaticities)
        result = exr_attr_set_chromaticities(context, index, "chromaticities", r->chromaticities);
    if (!result && r->cube)
        result = exr_attr_set_envmap(context, index, "envmap", EXR_ENVMAP_CUBE);
    return result;
}

uint8_t *exr_encode(const exr_recipe *r, size_t *out_size)
{
    memory_file file = {.bytes = calloc(LIMIT, 1)};
    exr_context_t context = NULL;
    exr_context_initializer_t init = EXR_DEFAULT_CONTEXT_INITIALIZER;
    init.user_data = &file;
    init.write_fn = write_bytes;
    exr_result_t result = exr_start_write(&context, "memory", EXR_WRITE_FILE_DIRECTLY, &init);
    const int parts = r->parts ? r->parts : 1;
    for (int part = 0; part < parts && !result; part++)
        result = declare_part(context, part, r);
    if (!result)
        result = exr_write_header(context);
    for (int part = 0; part < parts && !result; part++)
        result = r->storage == EXR_STORAGE_TILED ? write_tiles(context, part, r)
                                                 : write_lines(context, part, r);
    if (exr_finish(&context) || result) {
        fprintf(stderr, "exr_encode: %s\n", exr_get_default_error_message(result));
        free(file.bytes);
        return NULL;
    }
    *out_size = file.size;
    return file.bytes;
}

static int64_t read_bytes(exr_const_context_t context, void *user, void *buffer, uint64_t size,
                          uint64_t offset, exr_stream_error_func_ptr_t error)
{
    const file_bytes *f = user;
    (void)context, (void)error;
    const uint64_t left = offset < f->size ? f->size - offset : 0,
                   count = size < left ? size : left;
    memcpy(buffer, f->data + offset, count);
    return (int64_t)count;
}

exr_context_t exr_open(const file_bytes *file)
{
    exr_context_t context = NULL;
    exr_context_initializer_t init = EXR_DEFAULT_CONTEXT_INITIALIZER;
    init.user_data = (void *)(uintptr_t)file;
    init.read_fn = read_bytes;
    exr_start_read(&context, "memory", &init);
    return context;
}

/// A line of the channels A, B, G, R, Z and id.object.
static bool is_line(const uint8_t *at, const picture_planes *planes, int32_t y)
{
    const size_t size = 4 * (size_t)planes->width;
    const float *color = picture_plane_at(planes, PLANE_COLOR, 0, y);
    for (int c = 3; c >= 0; c--)
        for (int32_t x = 0; x < planes->width; x++, at += 2) {
            const float v = color[4 * x + c], most = copysignf(65504.0f, v);
            if (bytes_load_le(at, 2) != exr_half(fabsf(v) > 65504.0f ? most : v))
                return false;
        }
    return memcmp(at, picture_plane_at(planes, PLANE_DEPTH, 0, y), size) == 0 &&
           memcmp(at + size, picture_plane_at(planes, PLANE_OBJECT, 0, y), size) == 0;
}

bool exr_shows(file_bytes file, const picture_planes *planes)
{
    exr_context_t context = exr_open(&file);
    exr_decode_pipeline_t p = EXR_DECODE_PIPELINE_INITIALIZER;
    exr_chunk_info_t chunk;
    bool shows = context != NULL;
    for (int32_t y = 0; shows && y < planes->height; y += chunk.height) {
        shows = !exr_read_scanline_chunk_info(context, 0, y, &chunk) &&
                !(y ? exr_decoding_update(context, 0, &chunk, &p)
                    : exr_decoding_initialize(context, 0, &chunk, &p)) &&
                (y || !exr_decoding_choose_default_routines(context, 0, &p));
        p.unpack_and_convert_fn = NULL;
        shows = shows && !exr_decoding_run(context, 0, &p) &&
                chunk.unpacked_size == (uint64_t)(16 * planes->width * chunk.height);
        const uint8_t *at = p.unpacked_buffer ? p.unpacked_buffer : p.packed_buffer;
        for (int32_t i = 0; shows && i < chunk.height; i++)
            shows = is_line(at + 16 * i * planes->width, planes, y + i);
    }
    exr_decoding_destroy(context, &p);
    exr_finish(&context);
    return shows;
}
