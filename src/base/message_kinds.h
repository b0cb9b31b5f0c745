// SPDX-License-Identifier: MIT
/// Warnings of one kind: those whose texts differ by numbers only. The first is sent as a warning,
/// the others as notes, and their number in the end.
#pragma once

#include "base/error.h"

typedef struct message_kind {
    const char *text; ///< of the first one, without its place
    const char *line; ///< of the first one, without the file
    uint32_t count;
} message_kind;

enum { MESSAGE_KIND_LIMIT = 64 };

/// The weight of a message about a file.
typedef enum message_weight {
    MESSAGE_NOTE,        ///< only those see it who ask for notes
    MESSAGE_WARNING,     ///< sent once for each kind, then as notes
    MESSAGE_UNSUPPORTED, ///< left out or approximated: the same; under strictness an error
} message_weight;

typedef struct message_kinds {
    message_kind kind[MESSAGE_KIND_LIMIT]; ///< so far; further kinds are not counted
    uint32_t count;
} message_kinds;

/// Counts a warning, whose texts stay where they are; true for the first of its kind.
bool message_kinds_first(message_kinds *kinds, const char *text, const char *line);
/// Sends how many warnings of each kind were not sent as warnings.
void message_kinds_send(const message_kinds *kinds, const message_sink *sink, const char *path);
