// SPDX-License-Identifier: MIT
/// Tokens of an .m3d text: labels, names and section titles, besides those of text_scan.h. Every
/// call skips white space first and fails with ZT_ERR_FORMAT at the token it met.
#pragma once

#include "base/arena.h"
#include "base/text_scan.h"

/// The token must be `label`; one that ends with a colon may be followed by its value directly.
zt_result m3d_text_label(text_scan *text, const char *label);
/// `label` + decimal `index` + `tail`, as in "ParentIndexOfBone12:".
zt_result m3d_text_indexed(text_scan *text, const char *label, uint32_t index, const char *tail);
/// A title: asterisks around `name`.
zt_result m3d_text_section(text_scan *text, const char *name);
/// True when the next token is the title `name`; moves nothing.
bool m3d_text_at_section(text_scan *text, const char *name);
/// The rest of the line without blanks at its ends, up to `stop` (the next label, for files without
/// line breaks) if that comes first as a token of its own. May be empty. Copied into `keep`.
zt_result m3d_text_name(text_scan *text, const char *what, const char *stop, arena *keep,
                        const char **out_name);
