// SPDX-License-Identifier: MIT
/// JSON text -> tree: RFC 8259 to the letter. No comments, no byte order mark, no trailing commas,
/// no unpaired surrogates, no name twice in one object, nothing after the value.
#pragma once

#include "json/json.h"

/// The fault of a text, and where.
typedef struct json_problem {
    zt_result code;  ///< ZT_OK; ZT_ERR_FORMAT; ZT_ERR_LIMIT and ZT_ERR_MEMORY of the arena
    uint32_t line;   ///< from 1
    uint32_t column; ///< in bytes, from 1
    bool too_deep;
    char message[128]; ///< "a string is not closed"; what arena_fail() says of memory
} json_problem;

/// Any value may stand at the root. Integers that do not fit int64_t become reals; a real that does
/// not fit a double is an error. NULL: *problem says why, and its code is not ZT_OK. `b` is
/// {.a = an arena}, which holds what was read so far after a problem, too.
json_value *json_parse(json_builder *b, const char *text, size_t size, uint32_t depth_limit,
                       json_problem *problem);
