// SPDX-License-Identifier: MIT
/// See utf8.h. RFC 3629, section 4 has the ranges of the second byte.
#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

static bool follows(uint8_t byte) { return (byte & 0xC0) == 0x80; }

size_t utf8_length(const char *text, const char *end)
{
    const uint8_t *c = (const uint8_t *)text;
    const size_t left = (size_t)(end - text);
    if (c[0] < 0x80)
        return 1;
    if (c[0] >= 0xC2 && c[0] <= 0xDF)
        return left >= 2 && follows(c[1]) ? 2 : 0;
    if ((c[0] & 0xF0) == 0xE0) {
        const uint8_t low = c[0] == 0xE0 ? 0xA0 : 0x80, high = c[0] == 0xED ? 0x9F : 0xBF;
        return left >= 3 && c[1] >= low && c[1] <= high && follows(c[2]) ? 3 : 0;
    }
    if (c[0] >= 0xF0 && c[0] <= 0xF4) {
        const uint8_t low = c[0] == 0xF0 ? 0x90 : 0x80, high = c[0] == 0xF4 ? 0x8F : 0xBF;
        return left >= 4 && c[1] >= low && c[1] <= high && follows(c[2]) && follows(c[3]) ? 4 : 0;
    }
    return 0;
}

size_t utf8_encode(uint32_t code, char out[4])
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    const size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const uint8_t lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = length; i-- > 1; code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3F));
    out[0] = (char)(lead[length] | code);
    return length;
}

uint32_t utf8_decode(const char *text, size_t length)
{
    static const uint8_t masks[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t code = (uint8_t)text[0] & masks[length];
    for (size_t i = 1; i < length; i++)
        code = code << 6 | ((uint8_t)text[i] & 0x3F);
    return code;
}

bool utf8_is_harmful(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C || code == 0x200E ||
           code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

/// The bytes at `c` that stay as they are, or 0; *out_length: how many bytes to pass over.
static size_t harmless_length(const char *c, const char *end, size_t *out_length)
{
    const size_t length = utf8_length(c, end);
    *out_length = length ? length : 1;
    return length && !utf8_is_harmful(utf8_decode(c, length)) ? length : 0;
}

void utf8_make_harmless(char *text)
{
    const char *end = text + strlen(text);
    char *out = text;
    for (size_t length; text < end; text += length) {
        const size_t kept = harmless_length(text, end, &length);
        if (kept == 0)
            *out++ = '?';
        memmove(out, text, kept);
        out += kept;
    }
    *out = 0;
}

void utf8_write_harmless(FILE *out, const char *text)
{
    const char *end = text + strlen(text);
    for (size_t length; text < end; text += length) {
        const size_t kept = harmless_length(text, end, &length);
        if (kept == 0)
            fputc('?', out);
        fwrite(text, 1, kept, out);
    }
}

void utf8_write_json(FILE *out, const char *text)
{
    static const char names[] = "\"\\bfnrt", values[] = "\"\\\b\f\n\r\t";
    const char *end = text + strlen(text);
    for (size_t length; text < end; text += length) {
        const size_t whole = utf8_length(text, end);
        const char *special = strchr(values, *text);
        length = whole ? whole : 1;
        if (whole == 0)
            fputs("\\ufffd", out);
        else if (special)
            fprintf(out, "\\%c", names[special - values]);
        else if (utf8_is_harmful(utf8_decode(text, whole)) || *text == '>')
            fprintf(out, "\\u%04X", (unsigned)utf8_decode(text, whole));
        else
            fwrite(text, 1, whole, out);
    }
}
