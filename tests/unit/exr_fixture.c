// SPDX-License-Identifier: MIT
#include "exr_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct memory_file {
    uint8_t *bytes;
    size_t size, capacity;
} memory_file;

static int64_t write_bytes(exr_const_context_t context, void *user, const void *buffer,
                           uint64_t size, uint64_t offset, exr_stream_error_func_ptr_t error)
{
    memory_file *f = user;
    (void)context, (void)error;
    if (offset + size > f->capacity) {
        const size_t capacity = 2 * (size_t)(offset + size);
        uint8_t *grown = realloc(f->bytes, capacity);
        if (!grown)
            return -1;
        memset(grown + f->capacity, 0, capacity - f->capacity);
        f->bytes = grown;
        f->capacity = capacity;
    }
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
    uint32_t bits;
    memcpy(&bits, &value, 4);
    const uint32_t sign = bits >> 16 & 0x8000, exponent = bits >> 23 & 255;
    if (exponent == 255)
        return (uint16_t)(sign | 0x7c00 | (bits >> 13 & 1023));
    if (exponent > 112)
        return (uint16_t)(sign | (exponent - 112) << 10 | (bits >> 13 & 1023));
    return (uint16_t)(sign | (uint32_t)((value < 0.0f ? -value : value) * 0x1p24f));
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
    memory_file file = {0};
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
