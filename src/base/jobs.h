// SPDX-License-Identifier: MIT
/// Threads for parallel loops. Any worker may run any index: a job writes data of its own only.
#pragma once

#include "base/budget.h"

typedef struct job_pool job_pool;

/// `worker`: in [0, job_pool_workers()), an index for scratch memory.
typedef void (*job_fn)(void *user, int64_t index, int32_t worker);

/// `threads`: at least 1, including the caller's. Threads start at the first loop that needs them.
zt_result job_pool_create(int32_t threads, job_pool **out_pool, zt_error *err);
void job_pool_destroy(job_pool *pool);
int32_t job_pool_workers(const job_pool *pool);
/// Runs fn(user, i, worker) once for each i in [0, count), started in that order, and returns when
/// all are done. The caller is worker 0. Workers round to nearest without flush-to-zero, always.
/// Without a pool (NULL) the caller does all; the three below need one.
void job_pool_run(job_pool *pool, int64_t count, job_fn fn, void *user);
/// The same on at most `workers` workers, including the caller's: indices below `workers`.
void job_pool_run_on(job_pool *pool, int32_t workers, int64_t count, job_fn fn, void *user);
/// As job_pool_run(), but not in order: each worker starts with its part of the indices, and takes
/// from the others' parts when it is done. It then gets nearly the same indices in loop after loop
/// of one length: for loops in which an index reads what that index wrote in the one before.
void job_pool_run_split(job_pool *pool, int64_t count, job_fn fn, void *user);
/// As job_pool_run(), and where it is run by a job of another loop of the pool, workers that find
/// nothing left in that loop help. Other loops within loops stay on their worker.
void job_pool_run_helped(job_pool *pool, int64_t count, job_fn fn, void *user);
/// Works on elements [first, first + count) of an array.
typedef void (*job_range_fn)(void *user, size_t first, size_t count);
/// Elements of a range: enough that handing it out costs nothing compared with the work on it.
enum { JOB_RANGE = 1 << 12 };
/// Runs fn over [0, count) in ranges from multiples of JOB_RANGE, on the calling thread without a
/// pool or with one range. Asks `work` before each (NULL: nobody); ZT_ERR_CANCELLED: some left out.
zt_result job_pool_ranges(job_pool *pool, budget *work, size_t count, job_range_fn fn, void *user,
                          zt_error *err);
/// The number of cores that this process may use.
int32_t job_core_count(void);
/// Starts a thread with a stack of one size everywhere and without signals. `pool`: NULL outside.
bool job_thread_start(job_pool *pool, pthread_t *out_thread, void *(*run)(void *), void *user);
/// A monotonic clock.
uint64_t job_clock_ns(void);

/// Sets the floating-point state of the calling thread that results are defined in (IEEE 754, round
/// to nearest, subnormals kept), and restores the one before.
uint64_t float_state_enter(void);
void float_state_leave(uint64_t saved);

/// Threads for a budget: at most `wanted` (0: one per core), as many as an eighth of the limit
/// suffices for. Not charged, so that the number of threads never decides what fits.
int32_t job_threads_within(const budget *b, int32_t wanted);
/// A pool for loops over one model; NULL: one thread, or a small model. `threads` 0: one per core.
zt_result job_pool_create_optional(const budget *b, int32_t threads, job_pool **out_pool,
                                   zt_error *err);
