// SPDX-License-Identifier: MIT
/// JSON -> stream, value by value, for texts that need no tree before. Whoever closes the stream
/// asks whether all was written.
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json_stream {
    FILE *out;
    bool spaced;  ///< a space follows commas and colons
    bool follows; ///< the next value comes after another one of its list or object
} json_stream;

/// A string with its quotes. Bytes that are not UTF-8 become U+FFFD.
void json_stream_string(FILE *out, const char *text);

// Below, `key` is the name of a member; NULL: the value is an element of a list.

/// Begins an object, '{', or a list, '['.
void json_stream_open(json_stream *s, const char *key, char bracket);
/// Ends it by '}' or ']'.
void json_stream_close(json_stream *s, char bracket);
/// A string, or null for NULL.
void json_stream_text(json_stream *s, const char *key, const char *text);
void json_stream_bool(json_stream *s, const char *key, bool truth);
/// Nine significant digits; null for infinity and NaN, which JSON does not have.
void json_stream_real(json_stream *s, const char *key, double real);
/// A string of 16 hexadecimal digits.
void json_stream_hash(json_stream *s, const char *key, uint64_t hash);
/// Several whole numbers: JSON_STREAM_INTEGERS(&s, {"width", 640}, {"height", 480}).
#define JSON_STREAM_INTEGERS(s, ...)                                                               \
    json_stream_integers(s, (const json_integer[]){__VA_ARGS__, {NULL, 0}})
typedef struct json_integer {
    const char *key;
    int64_t value;
} json_integer;
/// Up to the one without a key.
void json_stream_integers(json_stream *s, const json_integer *list);
/// JSON as printf() writes it: numbers in another form, or several values at once.
void json_stream_print(json_stream *s, const char *key, const char *format, ...) ZT_PRINTF(3, 4);
/// The next value begins a line.
void json_stream_line(json_stream *s);
