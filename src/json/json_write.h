// SPDX-License-Identifier: MIT
/// JSON tree -> text.
#pragma once

#include "json/json.h"

/// The layout of a text.
typedef struct json_style {
    int indent; ///< spaces of each level; 0: everything on one line, without spaces
    int digits; ///< significant digits of reals; 0: 17, which give the same double back
} json_style;

/// An upper bound of the bytes that making the text of a value takes.
uint64_t json_write_bytes(const json_value *value, json_style style);
/// The text of a value, malloc'ed and charged to `charged`. NULL: no memory, or charged->failed.
char *json_write(arena *charged, const json_value *value, json_style style);
