// SPDX-License-Identifier: MIT
/// libwebp 1.2.4 without memory: its decoder reads through a bad pointer when there is
/// none for its tables, and calls data broken when there is none for other things; its encoder
/// calls a file whole that lacks a table, and reads beyond a buffer that could not grow.
#pragma once

#include <stdbool.h>
#include <stdlib.h>

/// True when the system has as much, which is found out before libwebp is called.
static inline bool webp_has_memory(size_t size)
{
    void *volatile probe = malloc(size);
    free(probe);
    return probe != NULL;
}
