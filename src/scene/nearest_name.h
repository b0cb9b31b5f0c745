// SPDX-License-Identifier: MIT
/// What a misspelt name probably means.
#ifndef ZT_SCENE_NEAREST_NAME_H
#define ZT_SCENE_NEAREST_NAME_H

#include <stddef.h>

/// The nearest of `names` to `word` by edit distance, or NULL when none is near.
const char *scene_nearest_name(const char *word, const char *const *names, size_t count);

#endif
