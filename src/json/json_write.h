// SPDX-License-Identifier: MIT
/// JSON tree -> text.
#ifndef ZT_JSON_JSON_WRITE_H
#define ZT_JSON_JSON_WRITE_H

#include "json/json.h"

/// How a text looks.
typedef struct json_style {
    int indent; ///< spaces of each level; 0: everything on one line, without spaces
    int digits; ///< significant digits of reals; 0: 17, which give the same double back
} json_style;

/// The text of a value, in malloc'ed memory. NULL: no memory.
char *json_write(const json_value *value, json_style style);

#endif
