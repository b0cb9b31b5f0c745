// SPDX-License-Identifier: MIT
/// The text form of what zt_inspect finds.
#ifndef ZT_RENDER_INSPECT_H
#define ZT_RENDER_INSPECT_H

#include <jansson.h>

/// Indented "key: value" lines; lists of objects as one line each. malloc'd, or NULL.
char *inspect_text(json_t *tree);

#endif
