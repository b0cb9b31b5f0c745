// SPDX-License-Identifier: MIT
/// The parts of zt_inspect: descriptions as JSON trees, and their text form.
#ifndef ZT_RENDER_INSPECT_H
#define ZT_RENDER_INSPECT_H

#include "scene/scene.h"

#include <jansson.h>

/// A JSON string, with '?' for bytes that are not valid UTF-8; "" for NULL.
json_t *inspect_string(const char *value);
/// Describes everything in a model.
json_t *inspect_model(const zt_model *m);
/// The tree as indented "key: value" lines, one for each object of a list. The caller frees it with
/// free(). NULL: no memory.
char *inspect_text(json_t *tree);

#endif
