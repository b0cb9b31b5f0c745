// SPDX-License-Identifier: MIT
/// JSON text -> tree: RFC 8259 to the letter. No comments, no byte order mark, no trailing commas,
/// no unpaired surrogates, no name twice in one object, nothing after the value. Two oddities that
/// programs do write can be let pass.
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

/// Something that JSON does not have: how often, and where first.
typedef struct json_oddity {
    uint32_t count, line, column; ///< line and column from 1, in bytes
} json_oddity;

typedef struct json_oddities {
    json_oddity characters; ///< not UTF-8, half a surrogate pair, or \\u0000: read as '?'
    json_oddity numbers;    ///< bare nan or inf: 0 in an array; in an object the member is left out
} json_oddities;

/// Any value may stand at the root. Integers that do not fit int64_t become reals; a real that does
/// not fit a double is an error. NULL: *problem says why, and its code is not ZT_OK. `b` is
/// {.a = an arena}, which holds what was read so far after a problem, too. `oddities` counts those
/// that were let pass; NULL: each is a problem.
json_value *json_parse(json_builder *b, const char *text, size_t size, uint32_t depth_limit,
                       json_oddities *oddities, json_problem *problem);
