// SPDX-License-Identifier: MIT
/// Tokens of a text: words and numbers, separated by any white space. Lines are not counted while
/// parsing; an error, which is rare, counts them from the beginning.
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct text_scan {
    const char *path; ///< for messages
    const char *begin, *at, *end;
    zt_error *err;
} text_scan;

static inline bool text_is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static inline bool text_is_line_end(char c) { return c == '\n' || c == '\r'; }

/// Every call below skips white space first and fails with ZT_ERR_FORMAT at the token it met:
/// "PATH:LINE:COL: what (what was expected)". Columns count bytes from 1.
zt_result text_scan_fail(const text_scan *text, zt_result code, const char *at, const char *format,
                         ...) ZT_PRINTF(4, 5);
/// A file that may be text or not, for messages about a place in it.
typedef struct file_place {
    const char *path;
    const char *text; ///< the first byte of a text; NULL: not text
    bool unpacked;    ///< places are those of unpacked bytes
} file_place;

/// Fails at a byte of a file: with line and column where it is text.
zt_result file_place_fail(const file_place *file, zt_result code, size_t at, zt_error *err,
                          const char *format, ...) ZT_PRINTF(5, 6);
/// Moves to the next token; false at the end of the file.
bool text_scan_next(text_scan *text);
/// "found 'TOKEN'" (shortened) or "the file ends here", for messages about the token at `at`.
const char *text_scan_found(const text_scan *text, char out[64]);
/// Fails with what is at `at`: "found 'TOKEN' (expected ...)". `in_line`: the end of a line is
/// named.
zt_result text_scan_unexpected(const text_scan *text, bool in_line, const char *expected);
/// `count` finite numbers in the range of a float.
zt_result text_scan_floats(text_scan *text, const char *what, uint32_t count, float *out);
/// An integer in [low, high].
zt_result text_scan_integer(text_scan *text, const char *what, int64_t low, int64_t high,
                            int64_t *out);
/// Fails when the rest of the text is too short for `count` entries of at least `bytes_each` bytes.
zt_result text_scan_room(const text_scan *text, const char *what, uint64_t count,
                         uint64_t bytes_each);
