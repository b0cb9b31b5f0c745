// SPDX-License-Identifier: MIT
/// See comparison_pack.h: the members as they are in memory, then each text behind its length.
#include "report/comparison_pack.h"

#include <stddef.h>
#include <string.h>

#define NO_TEXT UINT32_MAX

static const size_t texts_at[] = {
    offsetof(comparison, name),           offsetof(comparison, golden_path),
    offsetof(comparison, picture_path),   offsetof(comparison, diff_path),
    offsetof(comparison, mask_path),      offsetof(comparison, rule),
    offsetof(comparison, message),        offsetof(comparison, render_command),
    offsetof(comparison, accept_command), offsetof(comparison, objects[0]),
    offsetof(comparison, objects[1]),     offsetof(comparison, objects[2]),
    offsetof(comparison, objects[3]),     offsetof(comparison, objects[4]),
    offsetof(comparison, objects[5]),     offsetof(comparison, objects[6]),
    offsetof(comparison, objects[7]),
};

static const size_t switches_at[] = {offsetof(comparison, measured), offsetof(comparison, blank),
                                     offsetof(comparison, golden_blank)};

enum { TEXTS = sizeof texts_at / sizeof *texts_at };

void comparison_pack(const comparison *c, FILE *out)
{
    fwrite(c, sizeof *c, 1, out);
    for (size_t i = 0; i < TEXTS; i++) {
        const char *text;
        memcpy(&text, (const char *)c + texts_at[i], sizeof text);
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
    for (size_t i = 0; i < TEXTS; i++) {
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
        memcpy((char *)out + texts_at[i], &text, sizeof text);
    }
    return true;
}
