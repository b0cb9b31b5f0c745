// SPDX-License-Identifier: MIT
#include "report/report_text.h"

#include "base/utf8.h"

#include <string.h>

/// Also what XML does not have, but not the two controls that it does.
static bool is_banned(uint32_t code)
{
    return (utf8_is_harmful(code) && code != '\n' && code != '\t') || code == 0xFFFE ||
           code == 0xFFFF;
}

void report_markup(FILE *out, const char *before, const char *text, const char *after)
{
    static const char special[] = "&<>\"'";
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    const char *end = text ? text + strlen(text) : text;
    fputs(before, out);
    while (text && *text) {
        const size_t length = utf8_length(text, end);
        const char *found = strchr(special, *text);
        if (length == 0 || is_banned(utf8_decode(text, length)))
            fputs("\xEF\xBF\xBD", out);
        else if (found)
            fputs(names[found - special], out);
        else
            fwrite(text, 1, length, out);
        text += length ? length : 1;
    }
    fputs(after, out);
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
