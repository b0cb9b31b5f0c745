// SPDX-License-Identifier: MIT
/// An allocator that counts what is asked of it and given back, from any thread.
#pragma once

#include <zoetrope/zoetrope.h>

#include <stdatomic.h>
#include <stdlib.h>

typedef struct counted_memory {
    _Atomic int64_t allocations, frees, bytes; ///< `bytes`: in use
    int64_t fail_after;                        ///< allocations; 0: none fails
} counted_memory;

static inline void *counted_alloc(void *user, size_t size, size_t align)
{
    counted_memory *m = user;
    if (m->fail_after > 0 && m->allocations >= m->fail_after)
        return NULL;
    m->allocations++;
    m->bytes += (int64_t)size;
    return aligned_alloc(align, (size + align - 1) / align * align);
}

static inline void counted_free(void *user, void *pointer, size_t size)
{
    counted_memory *m = user;
    if (!pointer)
        return;
    m->frees++;
    m->bytes -= (int64_t)size;
    free(pointer);
}

static inline zt_allocator counted_allocator(counted_memory *m)
{
    *m = (counted_memory){0};
    return (zt_allocator){counted_alloc, counted_free, m};
}
