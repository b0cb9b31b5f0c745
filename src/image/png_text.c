// SPDX-License-Identifier: MIT
#include "image/png_text.h"

#include "base/bytes.h"
#include "base/file_open.h"

#include <libdeflate.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIGNATURE = 8, FRAME = 12, KEYWORD_MAX = 79, TEXT_MAX = 1 << 20 };

static const uint8_t signature[SIGNATURE] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};

/// The offset of the first chunk of pixels.
static size_t pixels_at(file_bytes png)
{
    size_t at = SIGNATURE;
    while (at + FRAME <= png.size && memcmp(png.data + at + 4, "IDAT", 4) != 0)
        at += (size_t)bytes_u32_be(png.data + at) + FRAME;
    return at < png.size ? at : png.size;
}

static uint8_t *write_text(const zt_picture_text *text, uint8_t *out)
{
    const size_t keyword = strlen(text->keyword) + 1, length = strlen(text->text);
    bytes_store_u32_be(out, (uint32_t)(keyword + length));
    memcpy(out + 4, "tEXt", 4);
    memcpy(out + 8, text->keyword, keyword);
    memcpy(out + 8 + keyword, text->text, length);
    out += 8 + keyword + length;
    bytes_store_u32_be(out, libdeflate_crc32(0, out - keyword - length - 4, 4 + keyword + length));
    return out + 4;
}

zt_result png_text_insert(file_bytes png, const zt_picture_text *texts, int32_t count, arena *a,
                          file_bytes *out, zt_error *err)
{
    size_t size = 0;
    for (int32_t i = 0; i < count; i++) {
        const size_t keyword = texts[i].keyword ? strlen(texts[i].keyword) : 0;
        const size_t length = texts[i].text ? strlen(texts[i].text) : SIZE_MAX;
        if (keyword < 1 || keyword > KEYWORD_MAX || length > TEXT_MAX)
            return zt_fail(err, ZT_ERR_ARGUMENT,
                           "a text of a PNG file (expected a keyword of 1 to %d bytes and at most "
                           "%d bytes of text)",
                           KEYWORD_MAX, TEXT_MAX);
        size += FRAME + keyword + 1 + length;
    }
    const size_t head = pixels_at(png);
    uint8_t *bytes = arena_alloc_raw(a, png.size + size + 1, 1); // file_bytes end with a 0
    if (!bytes)
        return arena_fail(a, err, "texts of a PNG");
    memcpy(bytes, png.data, head);
    uint8_t *next = bytes + head;
    for (int32_t i = 0; i < count; i++)
        next = write_text(&texts[i], next);
    memcpy(next, png.data + head, png.size - head);
    bytes[png.size + size] = 0;
    *out = (file_bytes){bytes, png.size + size};
    return ZT_OK;
}

/// Looks for the text in the chunks before the pixels. The checksum has to be right.
static bool find_text(FILE *file, const char *keyword, char *out, size_t size)
{
    uint8_t head[8], bytes[KEYWORD_MAX + 1 + 16384 + 4];
    const size_t length = strlen(keyword) + 1;
    if (fread(head, 1, SIGNATURE, file) != SIGNATURE || memcmp(head, signature, SIGNATURE) != 0)
        return false;
    while (fread(head, 1, sizeof head, file) == sizeof head && memcmp(head + 4, "IDAT", 4) != 0) {
        const uint32_t data = bytes_u32_be(head);
        if (memcmp(head + 4, "tEXt", 4) != 0 || (size_t)data + 4 > sizeof bytes) {
            if (data > INT32_MAX - 4 || fseek(file, (long)data + 4, SEEK_CUR) != 0)
                return false;
            continue;
        }
        if (fread(bytes, 1, (size_t)data + 4, file) != (size_t)data + 4)
            return false;
        if (data < length || memcmp(bytes, keyword, length) != 0)
            continue;
        const uint32_t crc = libdeflate_crc32(libdeflate_crc32(0, head + 4, 4), bytes, data);
        if (crc != bytes_u32_be(bytes + data) || data - length >= size)
            return false;
        memcpy(out, bytes + length, data - length);
        out[data - length] = '\0';
        return true;
    }
    return false;
}

bool zt_png_read_text(const char *path, const char *keyword, char *out, size_t size)
{
    struct stat status;
    const int descriptor =
        path && keyword && out && size > 0 ? file_open_below(path, FILE_ANYWHERE, 0) : -1;
    const bool regular =
        descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    FILE *file = regular ? fdopen(descriptor, "rb") : NULL; // a pipe could wait for ever
    if (!file) {
        if (descriptor >= 0)
            close(descriptor);
        return false;
    }
    const bool found = find_text(file, keyword, out, size);
    fclose(file);
    return found;
}
