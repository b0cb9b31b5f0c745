// SPDX-License-Identifier: MIT
/// Memory of the handles of the public API (everything they own is in arenas), and the cookie of
/// its definition structs, which shows that a zt_default_*() function has filled them.
#pragma once

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define HANDLE_COOKIE 0x5a6f6574u

/// Refuses an allocator without its functions, and numbers of threads out of range.
static inline zt_result handle_check(const zt_allocator *allocator, int32_t threads,
                                     int32_t max_threads, zt_error *err)
{
    if (allocator && (!allocator->alloc || !allocator->free))
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "an allocator without its functions (expected both, or NULL for malloc)");
    if (threads < 0 || threads > max_threads)
        return zt_fail(err, ZT_ERR_ARGUMENT, "%d threads (expected 0 to %d)", (int)threads,
                       (int)max_threads);
    return ZT_OK;
}

/// `size` zeroed bytes, 64-byte aligned, or NULL. `allocator` may be NULL.
static inline void *handle_alloc(const zt_allocator *allocator, size_t size)
{
    const size_t rounded = (size + 63u) & ~(size_t)63u; // aligned_alloc needs a multiple
    void *memory =
        allocator ? allocator->alloc(allocator->user, rounded, 64) : aligned_alloc(64, rounded);
    return memory ? memset(memory, 0, rounded) : NULL;
}

static inline void handle_free(const zt_allocator *allocator, void *memory, size_t size)
{
    if (!memory)
        return;
    if (allocator)
        allocator->free(allocator->user, memory, (size + 63u) & ~(size_t)63u);
    else
        free(memory);
}
