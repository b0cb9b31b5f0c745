// SPDX-License-Identifier: MIT
#include "writers.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void buffer_append(byte_buffer *buffer, const void *data, size_t size)
{
    array_reserve((void **)&buffer->data, &buffer->capacity, buffer->size + size, 1);
    memcpy(buffer->data + buffer->size, data, size);
    buffer->size += size;
}

void buffer_text(byte_buffer *buffer, const char *format, ...)
{
    char line[512]; // the longest piece printed at once is a material of some 300 characters
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (length < 0 || (size_t)length >= sizeof line) {
        fprintf(stderr, "generate_models: text piece too long\n");
        exit(1);
    }
    buffer_append(buffer, line, (size_t)length);
}

void buffer_align4(byte_buffer *buffer, uint8_t fill)
{
    while (buffer->size % 4 != 0)
        buffer_append(buffer, &fill, 1);
}

void buffer_float(byte_buffer *buffer, float value)
{
    // Nine significant digits always round-trip a binary32; most values here need fewer.
    char text[32];
    for (int digits = 1; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value)
            break;
    }
    buffer_text(buffer, "%s", value == 0.0f ? "0" : text); // no "-0": its sign means nothing here
}

void buffer_u32(byte_buffer *buffer, uint32_t value)
{
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                              (uint8_t)(value >> 24)};
    buffer_append(buffer, bytes, sizeof bytes);
}

bool buffer_save(const byte_buffer *buffer, const char *folder, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    bool ok = file && fwrite(buffer->data, 1, buffer->size, file) == buffer->size;
    if (file && fclose(file) != 0)
        ok = false;
    if (!ok)
        fprintf(stderr, "generate_models: %s: cannot write\n", path);
    return ok;
}
