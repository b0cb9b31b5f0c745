// SPDX-License-Identifier: MIT
/// Libraries without memory: libwebp 1.2.4 reads through a bad pointer when there is none for its
/// tables, calls data broken or a file whole, and reads beyond a buffer that could not grow;
/// OpenEXR calls data broken.
#pragma once

#include <stdbool.h>
#include <stdlib.h>

/// True when the system has as much. Asked where a library does not say that it lacks memory.
static inline bool library_has_memory(size_t size)
{
    void *volatile probe = malloc(size);
    free(probe);
    return probe != NULL;
}
