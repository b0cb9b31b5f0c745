// SPDX-License-Identifier: MIT
/// Names in order, to be looked up among very many.
#pragma once

#include "base/arena.h"

typedef struct indexed_name {
    const char *name; ///< stays where it is
    uint32_t number;
} indexed_name;

typedef struct name_index {
    indexed_name *names;
    uint32_t count;
} name_index;

/// Room for `capacity` names. False: no memory.
bool name_index_init(name_index *index, arena *a, uint32_t capacity);
/// None for NULL.
void name_index_add(name_index *index, const char *name, uint32_t number);
/// After the last one was added.
void name_index_sort(name_index *index);
/// The least number of a name, or -1.
int32_t name_index_find(const name_index *index, const char *name);
