// SPDX-License-Identifier: MIT
#include "base/message_kinds.h"

static bool is_number(char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+'; }

static bool same_kind(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        while (is_number(*a))
            a++;
        while (is_number(*b))
            b++;
        if (*a != *b || !*a)
            break;
    }
    return *a == *b;
}

bool message_kinds_first(message_kinds *kinds, const char *text, const char *line)
{
    uint32_t i = 0;
    while (i < kinds->count && !same_kind(kinds->kind[i].text, text))
        i++;
    if (i == MESSAGE_KIND_LIMIT)
        return true;
    if (i == kinds->count)
        kinds->kind[kinds->count++] = (message_kind){text, line, 0};
    return kinds->kind[i].count++ == 0;
}

void message_kinds_send(const message_kinds *kinds, const message_sink *sink, const char *path)
{
    for (uint32_t i = 0; i < kinds->count; i++) {
        const message_kind *k = &kinds->kind[i];
        if (k->count > 1)
            message_warn(sink, "%s: %u more like '%s'", path, k->count - 1, k->line);
    }
}
