// SPDX-License-Identifier: MIT
/// Arenas and pools of tests, which end with their block.
#pragma once

#include "base/arena.h"
#include "base/jobs.h"
#include "testing.h"

static inline job_pool *make_pool(int32_t threads)
{
    job_pool *pool = NULL;
    zt_error error;
    MUST(job_pool_create(threads, &pool, &error), error);
    return pool;
}

static inline void own_pool_end(job_pool **own) { job_pool_destroy(*own); }

/// OWN_ARENA a; OWN_POOL *pool = make_pool(3);
#define OWN_ARENA __attribute__((cleanup(arena_finish))) arena
#define OWN_POOL  __attribute__((cleanup(own_pool_end))) job_pool

/// Declares the arena `a` with a budget of its own of `limit` bytes; 0: as many as a program gets.
#define OWN_MEMORY(a, limit)                                                                       \
    budget a##_budget;                                                                             \
    OWN_ARENA a;                                                                                   \
    budget_init(&a##_budget, (limit), NULL);                                                       \
    arena_init(&a, &a##_budget)

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
