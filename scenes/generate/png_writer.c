// SPDX-License-Identifier: MIT
#include "writers.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

static void append_bytes(png_structp png, png_bytep data, png_size_t size)
{
    buffer_append(png_get_io_ptr(png), data, size);
}

static void flush_nothing(png_structp png) { (void)png; }

static bool is_opaque(const built_image *image)
{
    for (size_t i = 0; i < (size_t)image->width * (size_t)image->height; i++)
        if (image->rgba8[i * 4 + 3] != 255)
            return false;
    return true;
}

void png_append(byte_buffer *buffer, const built_image *image)
{
    const volatile bool opaque = is_opaque(image); // libpng may longjmp past it
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        fprintf(stderr, "generate_models: libpng failed\n");
        exit(1);
    }
    png_set_write_fn(png, buffer, append_bytes, flush_nothing);
    png_set_IHDR(png, info, (png_uint_32)image->width, (png_uint_32)image->height, 8,
                 opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    // All settings that affect the bytes are set here; none has its default.
    png_set_compression_level(png, 9);
    png_set_compression_mem_level(png, 9);
    png_set_compression_window_bits(png, 15);
    png_set_compression_strategy(png, Z_FILTERED);
    png_set_filter(png, 0, PNG_ALL_FILTERS);
    png_write_info(png, info);
    if (opaque)
        png_set_filler(png, 0, PNG_FILLER_AFTER);
    for (int y = 0; y < image->height; y++)
        png_write_row(png, image->rgba8 + (size_t)y * (size_t)image->width * 4);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
}

bool png_save(const built_image *image, const char *folder, const char *name)
{
    byte_buffer buffer = {0};
    png_append(&buffer, image);
    const bool ok = buffer_save(&buffer, folder, name);
    free(buffer.data);
    return ok;
}
