// SPDX-License-Identifier: MIT
/// Parallel loops: atomic counters hand out indices; workers join a loop while it is open and the
/// caller returns when the last one that joined has left. Who waits for a loop's end helps in loops
/// within it that may be helped. Threads start when a loop first needs them, yield for up to a
/// tenth of a millisecond between loops, then sleep.
///
/// A split loop gives each worker a part of the indices, the same part in each loop of that length.
/// Workers without indices steal from the back of the others' parts: what a worker runs of its own
/// part begins at the front, and its end moves little. With one common counter a worker would find
/// half of its data in the cache of another core, and the more cores, the more of it.
#define _GNU_SOURCE // sched_getcpu, pthread_attr_setaffinity_np
#include "base/jobs.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    THREADS_LIMIT = 1024,
    THREADS_SHARE = 8 // of a budget's limit: the threads' own memory
};

enum {
    YIELD_NS = 100000,    // who sleeps takes 25 to 60 microseconds to wake
    STACK_SIZE = 4 << 20, // bytes; the smallest default of known systems is 128 KiB
    CACHE_LINE = 64
};

typedef struct job_loop {
    job_fn fn;
    void *user;
    int64_t count;
    int32_t workers;    ///< those with a smaller index may join
    int32_t part_count; ///< 1: indices start in order; `workers`: each has a part of its own
    bool helped;        ///< within another loop, workers without indices help
} job_loop;

/// A loop within a loop, on the stack of its job.
typedef struct inner_loop {
    const job_loop *loop;
    _Atomic int64_t taken; ///< indices, and at most one more for each worker that found none left
    int32_t helpers;       ///< at work in it; under the mutex
    struct inner_loop *next;
} inner_loop;

/// A part of a loop's indices. `front` + `back` <= `count`: who takes one counts in `taken` first.
typedef struct loop_part {
    int64_t first, count;
    _Atomic int64_t taken; ///< and at most one more for each worker that found nothing left
    _Atomic int64_t front; ///< taken from the front
    _Atomic int64_t back;  ///< stolen from the back
} loop_part;

typedef struct worker {
    _Alignas(CACHE_LINE) loop_part part;
    job_pool *pool;
    int32_t index;
    pthread_t thread;
} worker;

struct job_pool {
    int32_t worker_count; ///< including the caller's
    pid_t process;        ///< that has the threads
    pthread_mutex_t mutex;
    pthread_cond_t work;   ///< a loop has opened, or the pool is being destroyed
    pthread_cond_t finish; ///< the last worker has left, or the pool is free again

    // Under the mutex.
    int32_t started; ///< threads running: workers 1..started
    bool running;    ///< a loop of `owner`
    bool open;       ///< workers may join it
    bool ending;
    pthread_t owner;
    job_loop loop;
    inner_loop *inner; ///< those that may be helped
#if defined(__GLIBC__)
    bool starts_elsewhere; ///< new threads have begun on other cores than their creator's
    cpu_set_t cores;       ///< then those that they may run on
#endif

    _Atomic uint32_t generation; ///< loops opened so far; written under the mutex, read without it
    _Atomic int32_t active;      ///< workers inside the loop; the same
    worker workers[];            ///< [worker_count]; the first one is the caller's, without thread
};

static void split_indices(job_pool *pool, const job_loop *loop)
{
    const int64_t parts = loop->part_count, each = loop->count / parts, rest = loop->count % parts;
    int64_t first = 0;
    for (int32_t i = 0; i < loop->part_count; i++) {
        loop_part *part = &pool->workers[i].part;
        part->first = first;
        part->count = each + (i < rest);
        first += part->count;
        atomic_store_explicit(&part->taken, 0, memory_order_relaxed);
        atomic_store_explicit(&part->front, 0, memory_order_relaxed);
        atomic_store_explicit(&part->back, 0, memory_order_relaxed);
    }
}

/// Takes the next index of a part, or steals its last one. False when none is left.
static bool take_index(loop_part *part, bool steals, int64_t *out_index)
{
    // Loaded first: lines of empty parts stay shared by the workers that look for something left.
    if (atomic_load_explicit(&part->taken, memory_order_relaxed) >= part->count ||
        atomic_fetch_add_explicit(&part->taken, 1, memory_order_relaxed) >= part->count)
        return false;
    const int64_t before =
        atomic_fetch_add_explicit(steals ? &part->back : &part->front, 1, memory_order_relaxed);
    *out_index = part->first + (steals ? part->count - 1 - before : before);
    return true;
}

/// The worker's own part, then those of the others, beginning with its neighbour.
static void run_indices(job_pool *pool, const job_loop *loop, int32_t self)
{
    for (int32_t i = 0; i < loop->part_count; i++) {
        loop_part *part = &pool->workers[(self + i) % loop->part_count].part;
        int64_t index;
        while (take_index(part, i > 0, &index))
            loop->fn(loop->user, index, self);
    }
}

static void run_inner_indices(inner_loop *inner, int32_t self)
{
    int64_t index;
    while ((index = atomic_fetch_add_explicit(&inner->taken, 1, memory_order_relaxed)) <
           inner->loop->count)
        inner->loop->fn(inner->loop->user, index, self);
}

/// Works on a loop within a loop. False: there is none with an index left. Under the mutex, which
/// is given up meanwhile.
static bool help_inner_loop(job_pool *pool, int32_t self)
{
    inner_loop *inner = pool->inner;
    while (inner && atomic_load_explicit(&inner->taken, memory_order_relaxed) >= inner->loop->count)
        inner = inner->next;
    if (!inner)
        return false;
    inner->helpers++;
    pthread_mutex_unlock(&pool->mutex);
    run_inner_indices(inner, self);
    pthread_mutex_lock(&pool->mutex);
    if (--inner->helpers == 0)
        pthread_cond_broadcast(&pool->finish);
    return true;
}

/// Runs a loop within the loop that worker `self` is in.
static void run_inner_loop(job_pool *pool, const job_loop *loop, int32_t self)
{
    inner_loop inner = {.loop = loop};
    pthread_mutex_lock(&pool->mutex);
    inner.next = pool->inner;
    pool->inner = &inner;
    atomic_fetch_add_explicit(&pool->generation, 1, memory_order_relaxed);
    pthread_cond_broadcast(&pool->work);
    pthread_cond_broadcast(&pool->finish);
    pthread_mutex_unlock(&pool->mutex);
    run_inner_indices(&inner, self);
    pthread_mutex_lock(&pool->mutex);
    inner_loop **at = &pool->inner;
    while (*at != &inner)
        at = &(*at)->next;
    *at = inner.next;
    while (inner.helpers > 0)
        pthread_cond_wait(&pool->finish, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

static void wait_for_generation_after(job_pool *pool, uint32_t seen)
{
    const uint64_t end = job_clock_ns() + YIELD_NS;
    while (atomic_load_explicit(&pool->generation, memory_order_relaxed) == seen &&
           job_clock_ns() < end)
        sched_yield();
}

/// Under the mutex.
static bool may_join(const job_pool *pool, const worker *self)
{
    return pool->open && self->index < pool->loop.workers;
}

#if defined(__GLIBC__)

/// Linux may start a thread on its creator's core, where it waits up to 4 ms for its first turn, in
/// three of four starts on two idle cores: a third of a small picture's time. Under the mutex.
static void start_elsewhere(job_pool *pool, pthread_attr_t *attributes)
{
    const int core = sched_getcpu();
    pool->starts_elsewhere = false;
    if (core < 0 || sched_getaffinity(0, sizeof pool->cores, &pool->cores) != 0)
        return;
    cpu_set_t others = pool->cores;
    CPU_CLR((size_t)core, &others);
    pool->starts_elsewhere = CPU_COUNT(&others) > 0 &&
                             pthread_attr_setaffinity_np(attributes, sizeof others, &others) == 0;
}

/// Lets a thread that has started run on all cores. Under the mutex.
static void run_anywhere(const job_pool *pool)
{
    if (pool->starts_elsewhere)
        (void)sched_setaffinity(0, sizeof pool->cores, &pool->cores);
}

#else

static void start_elsewhere(job_pool *pool, pthread_attr_t *attributes)
{
    (void)pool;
    (void)attributes;
}

static void run_anywhere(const job_pool *pool) { (void)pool; }

#endif

static void *worker_main(void *argument)
{
    const worker *self = argument;
    job_pool *pool = self->pool;
    float_state_enter();
    pthread_mutex_lock(&pool->mutex);
    run_anywhere(pool);
    while (!pool->ending) {
        const uint32_t seen = atomic_load_explicit(&pool->generation, memory_order_relaxed);
        if (may_join(pool, self)) {
            const job_loop loop = pool->loop;
            atomic_fetch_add_explicit(&pool->active, 1, memory_order_relaxed);
            pthread_mutex_unlock(&pool->mutex);
            run_indices(pool, &loop, self->index);
            pthread_mutex_lock(&pool->mutex);
            pool->open = false; // no index is left
            if (atomic_fetch_sub_explicit(&pool->active, 1, memory_order_release) == 1)
                pthread_cond_broadcast(&pool->finish);
        }
        while (help_inner_loop(pool, self->index)) {
        }
        pthread_mutex_unlock(&pool->mutex);
        wait_for_generation_after(pool, seen);
        pthread_mutex_lock(&pool->mutex);
        // A loop that opened meanwhile, and may have closed again, is followed by others: no sleep.
        while (!may_join(pool, self) && !pool->ending &&
               atomic_load_explicit(&pool->generation, memory_order_relaxed) == seen)
            pthread_cond_wait(&pool->work, &pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

zt_result job_pool_create(int32_t threads, job_pool **out_pool, zt_error *err)
{
    *out_pool = NULL;
    if (threads < 1 || threads > 1 << 16)
        return zt_fail(err, ZT_ERR_ARGUMENT, "%d threads (1 to 65536 were expected)", threads);
    // A multiple of the alignment: that of `workers`.
    job_pool *pool =
        aligned_alloc(_Alignof(job_pool), sizeof *pool + (size_t)threads * sizeof(worker));
    if (!pool)
        return zt_fail(err, ZT_ERR_MEMORY, "thread pool: the system has no memory left");
    *pool = (job_pool){.worker_count = threads, .process = getpid()};
    for (int32_t i = 0; i < threads; i++)
        pool->workers[i] = (worker){.pool = pool, .index = i};
    if (pthread_mutex_init(&pool->mutex, NULL) != 0)
        goto no_mutex;
    if (pthread_cond_init(&pool->work, NULL) != 0)
        goto no_work;
    if (pthread_cond_init(&pool->finish, NULL) != 0)
        goto no_finish;
    *out_pool = pool;
    return ZT_OK;
no_finish:
    pthread_cond_destroy(&pool->work);
no_work:
    pthread_mutex_destroy(&pool->mutex);
no_mutex:
    free(pool);
    return zt_fail(err, ZT_ERR_MEMORY, "thread pool: the system has no locks left");
}

void job_pool_destroy(job_pool *pool)
{
    if (!pool)
        return;
    if (getpid() != pool->process) { // a forked child has none of the threads, and waits for none
        free(pool);
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    pool->ending = true;
    atomic_fetch_add_explicit(&pool->generation, 1, memory_order_relaxed);
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->mutex);
    for (int32_t i = 1; i <= pool->started; i++)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->finish);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

int32_t job_pool_workers(const job_pool *pool) { return pool->worker_count; }

bool job_thread_start(job_pool *pool, pthread_t *out_thread, void *(*run)(void *), void *user)
{
    pthread_attr_t attributes;
    sigset_t all, old; // the program's own threads handle signals
    if (pthread_attr_init(&attributes) != 0)
        return false;
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    if (pool)
        start_elsewhere(pool, &attributes);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    const bool started = pthread_create(out_thread, &attributes, run, user) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

/// Starts threads until `wanted` run besides the caller's. When the system refuses, the loop runs
/// on those that exist: results do not depend on their number. Under the mutex.
static void start_threads(job_pool *pool, int64_t wanted)
{
    if (wanted > pool->worker_count - 1)
        wanted = pool->worker_count - 1;
    while (pool->started < wanted) {
        worker *w = &pool->workers[pool->started + 1];
        if (!job_thread_start(pool, &w->thread, worker_main, w))
            break;
        pool->started++;
    }
}

/// The calling thread's worker in the running loop, or -1 when it has none. Under the mutex.
static int32_t worker_of_this_thread(const job_pool *pool)
{
    const pthread_t self = pthread_self();
    if (pthread_equal(self, pool->owner))
        return 0;
    for (int32_t i = 1; i <= pool->started; i++) {
        if (pthread_equal(self, pool->workers[i].thread))
            return i;
    }
    return -1;
}

static void wait_until_left(job_pool *pool)
{
    const uint64_t end = job_clock_ns() + YIELD_NS;
    while (atomic_load_explicit(&pool->active, memory_order_relaxed) > 0 && job_clock_ns() < end)
        sched_yield();
    pthread_mutex_lock(&pool->mutex);
    pool->open = false;
    while (atomic_load_explicit(&pool->active, memory_order_acquire) > 0)
        if (!help_inner_loop(pool, 0))
            pthread_cond_wait(&pool->finish, &pool->mutex);
    pool->running = false;
    pthread_cond_broadcast(&pool->finish); // another owner may wait for the pool
    pthread_mutex_unlock(&pool->mutex);
}

/// Opens the loop, or returns the worker that runs it alone: inner loops stay on their thread.
static int32_t open_loop(job_pool *pool, const job_loop *loop)
{
    pthread_mutex_lock(&pool->mutex);
    while (pool->running) {
        const int32_t index = worker_of_this_thread(pool);
        if (index >= 0) {
            pthread_mutex_unlock(&pool->mutex);
            return index;
        }
        pthread_cond_wait(&pool->finish, &pool->mutex);
    }
    pool->running = true;
    pool->owner = pthread_self();
    pool->loop = *loop;
    split_indices(pool, loop);
    pool->open = loop->count > 1 && loop->workers > 1;
    if (pool->open) {
        start_threads(pool, loop->count < loop->workers ? loop->count - 1 : loop->workers - 1);
        atomic_fetch_add_explicit(&pool->generation, 1, memory_order_relaxed);
        pthread_cond_broadcast(&pool->work);
    }
    pthread_mutex_unlock(&pool->mutex);
    return -1;
}

static void run_loop(job_pool *pool, const job_loop *loop)
{
    if (loop->count <= 0)
        return;
    const int32_t alone = pool ? open_loop(pool, loop) : 0;
    if (alone >= 0 && pool && loop->helped) {
        run_inner_loop(pool, loop, alone);
        return;
    }
    if (alone >= 0) {
        for (int64_t i = 0; i < loop->count; i++)
            loop->fn(loop->user, i, alone);
        return;
    }
    const uint64_t saved = float_state_enter();
    run_indices(pool, loop, 0);
    float_state_leave(saved);
    wait_until_left(pool);
}

void job_pool_run(job_pool *pool, int64_t count, job_fn fn, void *user)
{
    run_loop(pool, &(job_loop){fn, user, count, pool ? pool->worker_count : 1, 1, false});
}

void job_pool_run_on(job_pool *pool, int32_t workers, int64_t count, job_fn fn, void *user)
{
    workers = workers < pool->worker_count ? workers : pool->worker_count;
    run_loop(pool, &(job_loop){fn, user, count, workers, 1, false});
}

void job_pool_run_helped(job_pool *pool, int64_t count, job_fn fn, void *user)
{
    run_loop(pool, &(job_loop){fn, user, count, pool ? pool->worker_count : 1, 1, true});
}

void job_pool_run_split(job_pool *pool, int64_t count, job_fn fn, void *user)
{
    run_loop(pool, &(job_loop){fn, user, count, pool->worker_count, pool->worker_count, false});
}

typedef struct range_loop {
    job_range_fn fn;
    void *user;
    size_t count;
    budget *work;
    atomic_bool left_out; ///< a range, since the work is cancelled
} range_loop;

static void run_range(void *user, int64_t index, int32_t who)
{
    range_loop *loop = user;
    const size_t first = (size_t)index * JOB_RANGE, rest = loop->count - first;
    (void)who;
    if (budget_cancelled(loop->work))
        loop->left_out = true;
    else
        loop->fn(loop->user, first, rest < JOB_RANGE ? rest : JOB_RANGE);
}

zt_result job_pool_ranges(job_pool *pool, budget *work, size_t count, job_range_fn fn, void *user,
                          zt_error *err)
{
    range_loop loop = {fn, user, count, work, false};
    const size_t ranges = count / JOB_RANGE + (count % JOB_RANGE != 0);
    if (pool && ranges > 1)
        job_pool_run_split(pool, (int64_t)ranges, run_range, &loop);
    else
        for (size_t i = 0; i < ranges; i++)
            run_range(&loop, (int64_t)i, 0);
    return loop.left_out ? cancel_fail(err) : ZT_OK;
}

int32_t job_threads_within(const budget *b, int32_t wanted)
{
    const uint64_t fit = budget_whole_limit(b) / THREADS_SHARE / BUDGET_THREAD_BYTES;
    int32_t threads = wanted > 0 ? wanted : job_core_count();
    threads = threads > THREADS_LIMIT ? THREADS_LIMIT : threads;
    return fit < 1 ? 1 : fit < (uint64_t)threads ? (int32_t)fit : threads;
}

zt_result job_pool_create_optional(const budget *b, int32_t threads, job_pool **out_pool,
                                   zt_error *err)
{
    *out_pool = NULL;
    threads = job_threads_within(b, threads);
    return threads > 1 ? job_pool_create(threads, out_pool, err) : ZT_OK;
}
