// SPDX-License-Identifier: MIT
/// The search in tables whose rows begin with a name, and in lists of names.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// The first of `count` rows, each `size` bytes, that begins with a `const char *` equal to `name`;
/// -1: none, or `name` is NULL.
int32_t row_find(const void *rows, size_t count, size_t size, const char *name);
/// The same in all of an array.
#define ROW_FIND(table, name)                                                                      \
    row_find((table), sizeof(table) / sizeof *(table), sizeof *(table), (name))
