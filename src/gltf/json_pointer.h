// SPDX-License-Identifier: MIT
/// A value of a JSON tree together with its path from the root, as a chain of values on the stack:
/// a message can name the JSON pointer (RFC 6901), and no text is built before there is a message.
#pragma once

#include "json/json.h"

/// A value and its parents, which must stay where they are while it is used.
typedef struct json_pointer {
    const json_value *value;           ///< NULL: absent
    const struct json_pointer *parent; ///< NULL for the root
    const char *key;                   ///< NULL for an element of an array
    size_t index;
} json_pointer;

/// An extension's object and the `extensions` that holds it. Not copied: one points to the other.
typedef struct json_extension {
    json_pointer holder, object;
} json_extension;

json_pointer json_member(const json_pointer *object, const char *key);
json_pointer json_element(const json_pointer *array, size_t index);

/// The path as text; "" for the root.
enum { JSON_POINTER_SIZE = 256 };
void json_pointer_text(const json_pointer *json, char out[JSON_POINTER_SIZE]);
