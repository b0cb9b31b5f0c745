// SPDX-License-Identifier: MIT
/// A pool of threads for parallel loops. Which worker runs which index is not defined, so a job
/// must write only what belongs to its index or to its worker.
#ifndef ZT_BASE_JOBS_H
#define ZT_BASE_JOBS_H

#include "base/error.h"

typedef struct job_pool job_pool;

/// `worker` is in [0, job_pool_workers): scratch memory is indexed by it.
typedef void (*job_fn)(void *user, int64_t index, int32_t worker);

/// `threads` >= 1, the caller's included. Threads start at the first loop that needs them.
zt_result job_pool_create(int32_t threads, job_pool **out_pool, zt_error *err);
void job_pool_destroy(job_pool *pool);
int32_t job_pool_workers(const job_pool *pool);
/// Runs fn(user, i, worker) for i in [0, count), each once, begun in that order, and returns when
/// all are done. The calling thread is worker 0 and takes part. Every
/// worker runs in round-to-nearest without flush-to-zero, whatever the process has set.
void job_pool_run(job_pool *pool, int64_t count, job_fn fn, void *user);
/// The same with at most `workers` of the pool's, the caller's included: numbers below `workers`.
void job_pool_run_on(job_pool *pool, int32_t workers, int64_t count, job_fn fn, void *user);
/// Works on elements [first, first + count) of an array.
typedef void (*job_range_fn)(void *user, size_t first, size_t count);
/// Elements of a range: enough that handing one out costs nothing beside the work on it.
enum { JOB_RANGE = 1 << 14 };
/// Runs fn over [0, count) in ranges of JOB_RANGE that begin at its multiples. Without a pool, and
/// when there is one range only, on the calling thread.
void job_pool_ranges(job_pool *pool, size_t count, job_range_fn fn, void *user);
/// Cores that this process may use.
int32_t job_core_count(void);
/// A monotonic clock.
uint64_t job_clock_ns(void);

/// Puts the floating-point unit of the calling thread in the state our results are defined in, and
/// back (IEEE 754 round-to-nearest, subnormals kept).
uint64_t float_state_enter(void);
void float_state_leave(uint64_t saved);

/// A pool for loops over one model, NULL for one thread; 0: one per core. Its threads start when a
/// loop first needs them: most models are too small for that.
zt_result job_pool_create_optional(int32_t threads, job_pool **out_pool, zt_error *err);

#endif
