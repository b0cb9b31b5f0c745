// SPDX-License-Identifier: MIT
/// Pools of tests, and suites that have an arena.
#pragma once

#include "testing.h"

static inline job_pool *make_pool(int32_t threads)
{
    job_pool *pool = NULL;
    zt_error error;
    MUST(job_pool_create(threads, &pool, &error), error);
    return pool;
}

/// A suite of tests that have the arena `a`, empty at first, of at most `limit` bytes.
#define ARENA_SUITE(suite, a, limit)                                                               \
    static budget a##_budget;                                                                      \
    static arena a;                                                                                \
    static void suite##_begin(void)                                                                \
    {                                                                                              \
        budget_init(&a##_budget, (limit), NULL);                                                   \
        arena_init(&a, &a##_budget);                                                               \
    }                                                                                              \
    static void suite##_end(void) { arena_finish(&a); }                                            \
    TestSuite(suite, .init = suite##_begin, .fini = suite##_end)
