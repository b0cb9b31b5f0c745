// SPDX-License-Identifier: MIT
/// See comparison_pack.h: the members as they are in memory, then each text behind its length.
#include "report/comparison_pack.h"

#include <stddef.h>
#include <string.h>

#define NO_TEXT UINT32_MAX

/// The texts are the first members.
enum { TEXTS_END = offsetof(comparison, document) };

static const size_t switches_at[] = {offsetof(comparison, measured), offsetof(comparison, blank),
                                     offsetof(comparison, golden_blank)};

void comparison_pack(const comparison *c, FILE *out)
{
    fwrite(c, sizeof *c, 1, out);
    for (size_t at = 0; at < TEXTS_END; at += sizeof(const char *)) {
        const char *text;
        memcpy(&text, (const char *)c + at, sizeof text);
        const uint32_t length = text ? (uint32_t)strlen(text) : NO_TEXT;
        fwrite(&length, sizeof length, 1, out);
        if (text)
            fwrite(text, 1, length, out);
    }
}

static bool take(const char **bytes, size_t *size, void *out, size_t count)
{
    if (*size < count)
        return false;
    memcpy(out, *bytes, count);
    *bytes += count;
    *size -= count;
    return true;
}

/// True when members whose type does not have all values have one of theirs.
static bool is_valid(const char *bytes)
{
    unsigned class;
    for (size_t i = 0; i < sizeof switches_at / sizeof *switches_at; i++)
        if ((unsigned char)bytes[switches_at[i]] > 1)
            return false;
    memcpy(&class, bytes + offsetof(comparison, class), sizeof class);
    return class < COMPARISON_CLASS_COUNT;
}

bool comparison_unpack(const char **bytes, size_t *size, comparison_list *texts, comparison *out)
{
    if (*size < sizeof *out || !is_valid(*bytes) || !take(bytes, size, out, sizeof *out))
        return false;
    for (size_t at = 0; at < TEXTS_END; at += sizeof(const char *)) {
        const char *text = NULL;
        uint32_t length;
        if (!take(bytes, size, &length, sizeof length))
            return false;
        if (length != NO_TEXT) {
            if (length > *size || length > INT32_MAX)
                return false;
            text = comparison_text(texts, "%.*s", (int)length, *bytes);
            if (!text)
                return false;
            *bytes += length;
            *size -= length;
        }
        memcpy((char *)out + at, &text, sizeof text);
    }
    return true;
}
