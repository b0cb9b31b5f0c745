// SPDX-License-Identifier: MIT
/// An allocator that counts what is asked of it and given back, from any thread.
#pragma once

#include "base/arena.h"

#include <zoetrope/zoetrope.h>

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct counted_memory {
    _Atomic int64_t allocations, frees, bytes; ///< `bytes`: in use
    int64_t most;                              ///< allocations; any more fails
} counted_memory;

static inline void *counted_alloc(void *user, size_t size, size_t align)
{
    counted_memory *m = user;
    if (m->allocations >= m->most)
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
    *m = (counted_memory){.most = INT64_MAX};
    return (zt_allocator){counted_alloc, counted_free, m};
}

/// Declares the arena `a`, of at most a gibibyte of memory that `c` counts.
#define COUNTED_ARENA(a, c)                                                                        \
    counted_memory c;                                                                              \
    const zt_allocator a##_allocator = counted_allocator(&c);                                      \
    budget a##_budget;                                                                             \
    arena a;                                                                                       \
    budget_init(&a##_budget, (uint64_t)1 << 30, &a##_allocator);                                   \
    arena_init(&a, &a##_budget)
