// SPDX-License-Identifier: MIT
/// JSON trees as text.
#ifndef ZT_BASE_JSON_TEXT_H
#define ZT_BASE_JSON_TEXT_H

#include <jansson.h>

/// `value` as jansson writes it with `flags` (JSON_COMPACT and such), in malloc'ed memory:
/// jansson's own texts come from whatever allocator the program has given it. NULL: no memory.
char *json_text(const json_t *value, size_t flags);

#endif
