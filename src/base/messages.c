// SPDX-License-Identifier: MIT
/// Lists of messages in an arena.
#include "base/messages.h"

#include <string.h>

static void append(void *user, zt_severity severity, const char *text)
{
    message_list *list = user;
    message_line *line = ARENA_ARRAY(list->a, message_line, 1);
    const char *copy = line ? arena_text(list->a, text, strlen(text)) : NULL;
    if (!copy)
        return;
    *line = (message_line){NULL, severity, copy};
    if (list->last)
        list->last->next = line;
    else
        list->first = line;
    list->last = line;
}

message_sink message_list_sink(message_list *list, const message_sink *like)
{
    return (message_sink){append, list, like->strict};
}

void message_list_send(const message_list *list, const message_sink *sink)
{
    if (!sink->fn)
        return;
    for (const message_line *line = list->first; line; line = line->next)
        sink->fn(sink->user, line->severity, line->text);
}
