// SPDX-License-Identifier: MIT
#include "image/png_text.h"

#include "image/png_chunk.h"

#include <inttypes.h>
#include <stdio.h>

enum { KEYWORD_MAX = 79, TEXT_MAX = 1 << 20, ITXT_ZEROS = 4, READ_MAX = 1 << 30 };
#define XMP_KEYWORD "XML:com.adobe.xmp"

/// The offset of the first chunk of pixels.
static size_t pixels_at(file_bytes png)
{
    size_t at = PNG_SIGNATURE_BYTES, next = at;
    png_chunk c;
    while (png_chunk_next(png, &next, &c) && !png_chunk_is(&c, "IDAT"))
        at = next;
    return at;
}

static uint8_t *write_text(const char *keyword, const char *text, uint8_t *out)
{
    const bool international = strcmp(keyword, XMP_KEYWORD) == 0;
    const size_t named = strlen(keyword) + 1, length = strlen(text);
    const size_t zeros = international ? ITXT_ZEROS : 0;
    uint8_t *data = png_chunk_begin(out, international ? "iTXt" : "tEXt", named + zeros + length);
    memcpy(data, keyword, named);
    memset(data + named, 0, zeros); // not compressed, no language, no other keyword
    memcpy(data + named + zeros, text, length);
    return png_chunk_end(out);
}

uint8_t *png_key_write(uint64_t key, uint8_t *out)
{
    char digits[16 + 1];
    snprintf(digits, sizeof digits, "%016" PRIx64, key);
    return write_text("Zoetrope", digits, out);
}

bool png_key_matches(file_bytes bytes, uint64_t key, int32_t width, int32_t height)
{
    uint8_t wanted[PNG_KEY_CHUNK_BYTES];
    png_chunk c;
    size_t at = PNG_SIGNATURE_BYTES;
    bool known = false;
    png_key_write(key, wanted);
    if (!file_starts_with(bytes, 0, PNG_SIGNATURE) || !png_chunk_next(bytes, &at, &c) ||
        !png_chunk_is_intact(&c) || !png_chunk_is(&c, "IHDR") || c.size != PNG_IHDR_BYTES ||
        bytes_u32_be(c.data) != (uint32_t)width || bytes_u32_be(c.data + 4) != (uint32_t)height)
        return false;
    while (png_chunk_next(bytes, &at, &c) && png_chunk_is_intact(&c)) {
        if (png_chunk_is(&c, "IEND"))
            return known && at == bytes.size;
        known |= c.size == PNG_KEY_CHUNK_BYTES - PNG_CHUNK_BYTES &&
                 memcmp(c.type - 4, wanted, sizeof wanted) == 0;
    }
    return false;
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
        size += PNG_CHUNK_BYTES + keyword + 1 + ITXT_ZEROS + length;
    }
    const size_t head = pixels_at(png);
    uint8_t *bytes;
    ZT_TRY(ARENA_TAKE_RAW(a, &bytes, png.size + size + 1, "texts of a PNG", err)); // ends with a 0
    memcpy(bytes, png.data, head);
    uint8_t *next = bytes + head;
    for (int32_t i = 0; i < count; i++)
        next = write_text(texts[i].keyword, texts[i].text, next);
    memcpy(next, png.data + head, png.size - head);
    next += png.size - head;
    *next = 0;
    *out = (file_bytes){bytes, (size_t)(next - bytes)};
    return ZT_OK;
}

zt_result picture_xmp_make(uint64_t pixels, const char *planes, const zt_encode_def *def, arena *a,
                           const char **out, zt_error *err)
{
    const bool full = def->metadata == ZT_METADATA_FULL && def->settings;
    const size_t size = 1024 + (planes ? strlen(planes) : 0) + (full ? strlen(def->settings) : 0);
    char *xmp;
    *out = NULL;
    if (!def->has_key || def->scene_hash == 0)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE_RAW(a, &xmp, size, "the text of a picture", err));
    const int length = snprintf(
        xmp, size - 1,
        "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-"
        "syntax-ns#'><rdf:Description rdf:about='' xmlns:zoetrope='urn:zoetrope:1'>"
        "<zoetrope:picture><![CDATA[{\"version\":\"%.200s\",\"scene\":\"%016" PRIx64
        "\",\"frame\":%" PRId64 ",\"time\":%.9g,\"pixels\":\"%016" PRIx64
        "\"%s%s%s%s%s}]]></zoetrope:picture></rdf:Description>"
        "</rdf:RDF></x:xmpmeta>",
        zt_version(), def->scene_hash, def->frame, def->time_s, pixels,
        planes ? ",\"planes\":\"" : "", planes ? planes : "", planes ? "\"" : "",
        full ? ",\"settings\":" : "", full ? def->settings : "");
    memcpy(xmp + length, length % 2 ? "\n" : "", length % 2 ? 2 : 1);
    *out = xmp;
    return ZT_OK;
}

zt_result png_texts_add(uint64_t pixels, const char *plane, const zt_encode_def *def, arena *a,
                        file_bytes *png, zt_error *err)
{
    zt_picture_text own = {XMP_KEYWORD, NULL};
    ZT_TRY(picture_xmp_make(pixels, plane, def, a, &own.text, err));
    if (own.text)
        ZT_TRY(png_text_insert(*png, &own, 1, a, png, err));
    return def->texts ? png_text_insert(*png, def->texts, def->text_count, a, png, err) : ZT_OK;
}

bool zt_png_read_text(const char *path, const char *keyword, char *out, size_t size)
{
    budget memory;
    arena a;
    file_bytes png;
    png_chunk c;
    size_t at = PNG_SIGNATURE_BYTES, named = keyword ? strlen(keyword) + 1 : 0;
    bool found = false;
    budget_init_within(&memory, NULL, 0, NULL);
    arena_init(&a, &memory);
    if (path && keyword && out && size > 0 && file_read_own(&a, path, READ_MAX, &png) == ZT_OK &&
        file_starts_with(png, 0, PNG_SIGNATURE))
        while (!found && png_chunk_next(png, &at, &c) && !png_chunk_is(&c, "IDAT"))
            found =
                png_chunk_is(&c, "tEXt") && c.size >= named && memcmp(c.data, keyword, named) == 0;
    found = found && png_chunk_is_intact(&c) && c.size - named < size;
    if (found)
        memcpy(out, c.data + named, c.size - named);
    if (found)
        out[c.size - named] = '\0';
    arena_finish(&a);
    return found;
}
