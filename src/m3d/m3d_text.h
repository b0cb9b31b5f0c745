// SPDX-License-Identifier: MIT
/// Tokens of an .m3d text: labels, numbers, names and section titles, separated by any white space.
/// Lines are not counted while parsing; an error, which is rare, counts them from the beginning.
#pragma once

#include "base/error.h"
#include "base/file.h"

typedef struct m3d_text {
    const char *path; ///< for messages
    const char *begin, *at, *end;
    zt_error *err;
} m3d_text;

/// Every call below skips white space first and fails with ZT_ERR_FORMAT at the token it met:
/// "PATH:LINE:COL: what (what was expected)". Columns count bytes from 1.
zt_result m3d_text_fail(const m3d_text *text, zt_result code, const char *at, const char *format,
                        ...) ZT_PRINTF(4, 5);
/// Moves to the next token; false at the end of the file.
bool m3d_text_next(m3d_text *text);
/// "found 'TOKEN'" (shortened) or "the file ends here", for messages about the token at `at`.
const char *m3d_text_found(const m3d_text *text, char out[64]);
/// The token must be `label`; one that ends with a colon may be followed by its value directly.
zt_result m3d_text_label(m3d_text *text, const char *label);
/// `label` + decimal `index` + `tail`, as in "ParentIndexOfBone12:".
zt_result m3d_text_indexed(m3d_text *text, const char *label, uint32_t index, const char *tail);
/// A title: asterisks around `name`.
zt_result m3d_text_section(m3d_text *text, const char *name);
/// True when the next token is the title `name`; moves nothing.
bool m3d_text_at_section(m3d_text *text, const char *name);
/// `count` finite numbers in the range of a float.
zt_result m3d_text_floats(m3d_text *text, const char *what, uint32_t count, float *out);
/// An integer in [low, high].
zt_result m3d_text_integer(m3d_text *text, const char *what, int64_t low, int64_t high,
                           int64_t *out);
/// The rest of the line without blanks at its ends, up to `stop` (the next label, for files without
/// line breaks) if that comes first as a token of its own. May be empty. Copied into `keep`.
zt_result m3d_text_name(m3d_text *text, const char *what, const char *stop, arena *keep,
                        const char **out_name);
/// Fails when the rest of the text is too short for `count` entries of at least `bytes_each` bytes.
zt_result m3d_text_room(const m3d_text *text, const char *what, uint64_t count,
                        uint64_t bytes_each);
