// SPDX-License-Identifier: MIT
/// See utf8.h. RFC 3629, section 4 has the ranges of the second byte.
#include "json/utf8.h"

#include <stdbool.h>

static bool follows(uint8_t byte)
{
    return (byte & 0xC0) == 0x80;
}

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
