// SPDX-License-Identifier: MIT
// See report_text.h.
#include "report/report_text.h"

#include "base/utf8.h"

#include <string.h>

/// C0, C1, U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069, U+FFFE, U+FFFF.
static int is_banned(const unsigned char *s, size_t length)
{
    if (length == 1)
        return (s[0] < 0x20 && s[0] != '\n' && s[0] != '\t') || s[0] == 0x7F;
    if (length == 2)
        return (s[0] == 0xC2 && s[1] < 0xA0) || (s[0] == 0xD8 && s[1] == 0x9C);
    if (length != 3)
        return 0;
    if (s[0] == 0xE2 && s[1] == 0x80)
        return s[2] == 0x8E || s[2] == 0x8F || (s[2] >= 0xAA && s[2] <= 0xAE);
    if (s[0] == 0xE2 && s[1] == 0x81)
        return s[2] >= 0xA6 && s[2] <= 0xA9;
    return s[0] == 0xEF && s[1] == 0xBF && s[2] >= 0xBE;
}

void report_markup_text(FILE *out, const char *text)
{
    if (!text)
        return;
    const char *end = text + strlen(text);
    while (*text) {
        const size_t length = utf8_length(text, end);
        if (length == 0 || is_banned((const unsigned char *)text, length))
            fputs("\xEF\xBF\xBD", out);
        else if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '>')
            fputs("&gt;", out);
        else if (*text == '"')
            fputs("&quot;", out);
        else if (*text == '\'')
            fputs("&#39;", out);
        else
            fwrite(text, 1, length, out);
        text += length ? length : 1;
    }
}

void report_base64(FILE *out, const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[4096];
    size_t used = 0;
    for (size_t i = 0; i < size; i += 3) {
        const size_t rest = size - i;
        const unsigned word = (unsigned)bytes[i] << 16 |
                              (rest > 1 ? (unsigned)bytes[i + 1] << 8 : 0u) |
                              (rest > 2 ? (unsigned)bytes[i + 2] : 0u);
        text[used++] = digits[word >> 18];
        text[used++] = digits[word >> 12 & 63];
        text[used++] = rest > 1 ? digits[word >> 6 & 63] : '=';
        text[used++] = rest > 2 ? digits[word & 63] : '=';
        if (used == sizeof text) {
            fwrite(text, 1, used, out);
            used = 0;
        }
    }
    fwrite(text, 1, used, out);
}

int report_base64_file(FILE *out, const char *path)
{
    unsigned char bytes[3 * 4096];
    FILE *in = fopen(path, "rb");
    if (!in)
        return 0;
    for (size_t size; (size = fread(bytes, 1, sizeof bytes, in)) > 0;)
        report_base64(out, bytes, size);
    const int whole = !ferror(in);
    fclose(in);
    return whole;
}
