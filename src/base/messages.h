// SPDX-License-Identifier: MIT
/// Messages stored until the caller's thread sends them, in an order that threads do not affect.
#pragma once

#include "base/arena.h"

typedef struct message_line {
    struct message_line *next;
    zt_severity severity;
    const char *text;
} message_line;

typedef struct message_list {
    arena *a; ///< memory of the lines; arena.failed is set when one was lost
    message_line *first, *last;
} message_list;

/// A sink that appends to `list`, as strict as `like`.
message_sink message_list_sink(message_list *list, const message_sink *like);
void message_list_send(const message_list *list, const message_sink *sink);
