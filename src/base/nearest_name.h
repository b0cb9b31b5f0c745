// SPDX-License-Identifier: MIT
/// The name that a misspelt one probably means.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// The nearest of `names` to `word`; else the only one that begins with it; else NULL.
const char *nearest_name(const char *word, const char *const *names, size_t count);

/// The end of a message: "; did you mean 'NAME'?", nothing for NULL. As nearest_hint(name).text.
typedef struct name_hint {
    char text[96];
} name_hint;
name_hint nearest_hint(const char *nearest);

enum { NAME_LIST_LIMIT = 10 };

/// The names nearest to a word, nearest first, of equally near ones the first.
typedef struct name_list {
    const char *word;
    uint32_t count; ///< of `name`
    const char *name[NAME_LIST_LIMIT];
    uint32_t distance[NAME_LIST_LIMIT];
    uint32_t total; ///< names added, at most one beyond the limit
} name_list;

/// Adds a name that stays at its address; none for no text and for one that is in the list.
void name_list_add(name_list *list, const char *name);
/// A hint for a message: "did you mean 'A'? There are A, B, C, ...", or, when no name is near,
/// "expected one of A, B, C, ..."; `none` without names.
void name_list_hint(const name_list *list, const char *none, char *out, size_t size);
