// SPDX-License-Identifier: MIT
/// Parallel loops: each index once, workers in range, nested loops, floating-point state. Callers
/// that share a pool are in jobs_stress.c.
#include "base/trace.h"
#include "test_memory.h"

#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT_MAX = 5000 };

typedef struct loop {
    _Atomic int32_t seen[COUNT_MAX];
    _Atomic int64_t sum;
    _Atomic int32_t wrong_worker;
    int32_t workers;
} loop;

static void mark(void *user, int64_t index, int32_t worker)
{
    loop *l = user;
    atomic_fetch_add(&l->seen[index], 1);
    atomic_fetch_add(&l->sum, index);
    if (worker < 0 || worker >= l->workers)
        atomic_fetch_add(&l->wrong_worker, 1);
}

static void expect_each_once(const loop *l, int64_t count)
{
    for (int64_t i = 0; i < COUNT_MAX; i++)
        cr_assert_eq(l->seen[i], i < count, "index %d", (int)i);
    cr_assert_eq(l->wrong_worker, 0);
}

Test(jobs, each_index_once)
{
    static const int64_t counts[] = {0, 1, 2, 3, 7, 64, 1000, COUNT_MAX, -3};
    static loop l;
    for (int32_t threads = 1; threads <= 7; threads++) {
        OWN_POOL *pool = make_pool(threads);
        cr_assert_eq(job_pool_workers(pool), threads);
        for (int repeat = 0; repeat < 20; repeat++) {
            for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
                memset(&l, 0, sizeof l);
                l.workers = threads;
                if (repeat % 2 == 0)
                    job_pool_run(pool, counts[c], mark, &l);
                else
                    job_pool_run_split(pool, counts[c], mark, &l);
                expect_each_once(&l, counts[c]);
            }
        }
    }
}

enum { SPLIT_WORKERS = 4, SPLIT_COUNT = 4 * 25 + 3 };

/// Who ran an index. The first indices take longest, so that workers finish at different times.
static void note_worker(void *user, int64_t index, int32_t worker)
{
    int32_t *ran = user;
    volatile int64_t spin = (SPLIT_COUNT - index) * 400;
    while (spin > 0)
        spin--;
    ran[index] = worker;
}

/// Others take indices of a worker's part from the back only: its own are the first ones.
Test(jobs, parts_of_a_split_loop_begin_with_their_worker)
{
    OWN_POOL *pool = make_pool(SPLIT_WORKERS);
    int32_t own = 0, stolen = 0;
    for (int repeat = 0; repeat < 200; repeat++) {
        int32_t ran[SPLIT_COUNT];
        job_pool_run_split(pool, SPLIT_COUNT, note_worker, ran);
        int64_t index = 0;
        for (int32_t part = 0; part < SPLIT_WORKERS; part++) {
            const int64_t end =
                index + SPLIT_COUNT / SPLIT_WORKERS + (part < SPLIT_COUNT % SPLIT_WORKERS);
            bool others = false;
            for (; index < end; index++) {
                const bool is_own = ran[index] == part;
                cr_assert(!(is_own && others),
                          "index %d was stolen before its part's worker ran %d", (int)index - 1,
                          (int)index);
                others = !is_own;
                own += is_own;
                stolen += !is_own;
            }
        }
    }
    cr_assert_gt(own, 0);
    cr_assert_gt(stolen, 0);
}

static void expect_order(void *user, int64_t index, int32_t worker)
{
    int64_t *next = user;
    cr_assert_eq(index, (*next)++);
    cr_assert_eq(worker, 0);
}

Test(jobs, split_loops_of_one_worker_run_in_order)
{
    int64_t next = 0;
    OWN_POOL *pool = make_pool(1);
    job_pool_run_split(pool, 100, expect_order, &next);
    cr_assert_eq(next, 100);
}

typedef struct begun_order {
    _Atomic int64_t begun;
    _Atomic int32_t early;
} begun_order;

enum { ORDERED_WORKERS = 4 };

/// An index may be overtaken by those that the other workers have in hand, and by no more.
static void expect_turn(void *user, int64_t index, int32_t worker)
{
    begun_order *o = user;
    (void)worker;
    if (index - atomic_fetch_add(&o->begun, 1) >= ORDERED_WORKERS)
        atomic_fetch_add(&o->early, 1);
}

/// Sequences report their frames in order, so these have to begin in order.
Test(jobs, loops_that_are_not_split_begin_in_order)
{
    OWN_POOL *pool = make_pool(ORDERED_WORKERS);
    for (int repeat = 0; repeat < 200; repeat++) {
        begun_order o = {0, 0};
        if (repeat % 2 == 0)
            job_pool_run(pool, 1000, expect_turn, &o);
        else
            job_pool_run_on(pool, ORDERED_WORKERS, 1000, expect_turn, &o);
        cr_assert_eq(o.begun, 1000);
        cr_assert_eq(o.early, 0);
    }
}

typedef struct range_count {
    uint8_t *seen;
    _Atomic uint32_t wrong;
} range_count;

static void mark_range(void *user, size_t first, size_t count)
{
    range_count *r = user;
    if (first % JOB_RANGE != 0 || count == 0 || count > JOB_RANGE)
        atomic_fetch_add(&r->wrong, 1);
    for (size_t i = first; i < first + count; i++)
        r->seen[i]++;
}

Test(jobs, ranges_cover_each_element_once)
{
    static const size_t counts[] = {
        0, 1, JOB_RANGE - 1, JOB_RANGE, JOB_RANGE + 1, 9 * JOB_RANGE + 5};
    enum { MOST = 10 * JOB_RANGE };
    OWN_BLOCK uint8_t *seen = malloc(MOST);
    cr_assert(seen != NULL);
    for (int32_t threads = 0; threads <= 7; threads++) {
        OWN_POOL *pool = threads > 0 ? make_pool(threads) : NULL;
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            range_count r = {seen, 0};
            memset(seen, 0, MOST);
            cr_assert_eq(job_pool_ranges(pool, NULL, counts[c], mark_range, &r, NULL), ZT_OK);
            cr_assert_eq(r.wrong, 0u);
            for (size_t i = 0; i < MOST; i++)
                cr_assert(seen[i] == (i < counts[c]), "element %zu of %zu", i, counts[c]);
        }
    }
}

typedef struct cancelled_ranges {
    budget work;
    size_t seen, last;
} cancelled_ranges;

static void cancel_at_last(void *user, size_t first, size_t count)
{
    cancelled_ranges *c = user;
    (void)count;
    if (++c->seen > c->last)
        cancel_raise(&c->work.cancel);
    cr_assert_eq(first, (c->seen - 1) * JOB_RANGE);
}

Test(jobs, ranges_end_when_the_work_is_cancelled)
{
    enum { RANGES = 5 };
    for (size_t last = 0; last < RANGES; last++) {
        cancelled_ranges c = {.last = last};
        budget_init(&c.work, 1 << 20, NULL);
        const zt_result result =
            job_pool_ranges(NULL, &c.work, RANGES * JOB_RANGE, cancel_at_last, &c, NULL);
        cr_assert_eq(result, last + 1 < RANGES ? ZT_ERR_CANCELLED : ZT_OK);
        cr_assert_eq(c.seen, last + 1);
    }
}

/// Many short loops in a row: a worker that wakes late must not run into the next one.
Test(jobs, short_loops_in_a_row)
{
    OWN_POOL *pool = make_pool(4);
    static loop l;
    l.workers = 4;
    int64_t want = 0;
    for (int i = 0; i < 5000; i++) {
        const int64_t count = i % 6;
        job_pool_run(pool, count, mark, &l);
        want += count * (count - 1) / 2;
        cr_assert_eq(l.sum, want, "loop %d", i);
    }
}

typedef struct nested {
    job_pool *pool;
    _Atomic int32_t seen[40][40];
    _Atomic int32_t moved;
    int64_t outer;
} nested;

typedef struct inner_loop {
    nested *n;
    int64_t outer;
    int32_t worker;
} inner_loop;

static void inner(void *user, int64_t index, int32_t worker)
{
    inner_loop *i = user;
    atomic_fetch_add(&i->n->seen[i->outer][index], 1);
    if (worker != i->worker)
        atomic_fetch_add(&i->n->moved, 1);
}

static void outer(void *user, int64_t index, int32_t worker)
{
    inner_loop i = {.n = user, .outer = index, .worker = worker};
    if (index % 2 == 0)
        job_pool_run(i.n->pool, 40, inner, &i);
    else
        job_pool_run_split(i.n->pool, 40, inner, &i);
}

Test(jobs, loops_within_loops_stay_on_their_worker)
{
    for (int32_t threads = 1; threads <= 5; threads++) {
        static nested n;
        memset(&n, 0, sizeof n);
        OWN_POOL *pool = n.pool = make_pool(threads);
        if (threads % 2 == 0)
            job_pool_run(pool, 40, outer, &n);
        else
            job_pool_run_split(pool, 40, outer, &n);
        for (int i = 0; i < 40; i++)
            for (int k = 0; k < 40; k++)
                cr_assert_eq(n.seen[i][k], 1, "%d %d", i, k);
        cr_assert_eq(n.moved, 0);
    }
}

typedef struct helped {
    job_pool *pool;
    int32_t owner; ///< the worker whose job has a loop within
    _Atomic int32_t present, met, seen[100];
} helped;

/// Waits until all workers have come, or ten seconds.
static bool meet(_Atomic int32_t *count, int32_t workers)
{
    atomic_fetch_add(count, 1);
    const uint64_t end = job_clock_ns() + 10000000000u;
    while (atomic_load(count) < workers && job_clock_ns() < end)
        sched_yield();
    return atomic_load(count) >= workers;
}

enum { HELPED_WORKERS = 4 };

static void helped_inner(void *user, int64_t index, int32_t worker)
{
    helped *h = user;
    (void)worker;
    atomic_fetch_add(&h->seen[index], 1);
    if (index < HELPED_WORKERS && meet(&h->met, HELPED_WORKERS))
        atomic_fetch_add(&h->seen[index], 1);
}

static void helped_outer(void *user, int64_t index, int32_t worker)
{
    helped *h = user;
    (void)index;
    if (meet(&h->present, HELPED_WORKERS) && worker == h->owner)
        job_pool_run_helped(h->pool, 100, helped_inner, h);
}

/// Each worker in turn has a loop that all others help in: they meet there.
Test(jobs, who_has_nothing_left_helps_in_loops_within, .timeout = 120)
{
    helped h;
    OWN_POOL *pool = make_pool(HELPED_WORKERS);
    for (int round = 0; round < 200; round++) {
        h = (helped){.pool = pool, .owner = round % HELPED_WORKERS};
        if (round % 8 < 4)
            job_pool_run(pool, HELPED_WORKERS, helped_outer, &h);
        else
            job_pool_run_split(pool, HELPED_WORKERS, helped_outer, &h);
        for (int i = 0; i < 100; i++)
            cr_assert_eq(h.seen[i], i < HELPED_WORKERS ? 2 : 1, "round %d, index %d", round, i);
    }
    job_pool_run_helped(pool, 100, helped_inner, &h); // a loop of its own
    cr_assert_eq(h.seen[99], 2);
}

Test(jobs, counts_of_threads)
{
    OWN_POOL *pool;
    zt_error err;
    cr_assert_eq(job_pool_create(0, &pool, &err), ZT_ERR_ARGUMENT);
    cr_assert_null(pool);
    cr_assert_eq(job_pool_create(-1, &pool, &err), ZT_ERR_ARGUMENT);
    cr_assert_eq(job_pool_create(INT32_MAX, &pool, &err), ZT_ERR_ARGUMENT);
    cr_assert_eq(job_pool_create(64, &pool, &err), ZT_OK); // never runs: starts no thread
    job_pool_destroy(NULL);
    cr_assert_geq(job_core_count(), 1);
}

static volatile double third_divisor = 3.0;
static volatile float tiny = 1.0e-38f, small = 0.25f;

static void arithmetic(void *user, int64_t index, int32_t worker)
{
    (void)worker;
    double *out = user;
    out[2 * index] = 1.0 / third_divisor;
    out[2 * index + 1] = (double)(tiny * small); // subnormal
}

Test(jobs, rounding_of_the_process_does_not_matter)
{
    OWN_POOL *pool = make_pool(3);
    double want[2];
    arithmetic(want, 0, 0);
    cr_assert_gt(want[1], 0.0);
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (int m = 0; m < 3; m++) {
        cr_assert_eq(fesetround(modes[m]), 0);
        static double got[2 * 200];
        job_pool_run(pool, 200, arithmetic, got);
        cr_assert_eq(fegetround(), modes[m], "the caller's state was not put back");
        const uint64_t saved = float_state_enter();
        double entered[2]; // fegetround would tell the state of the x87 unit
        arithmetic(entered, 0, 0);
        float_state_leave(saved);
        cr_assert_eq(fegetround(), modes[m]);
        double left[2];
        arithmetic(left, 0, 0);
        fesetround(FE_TONEAREST);
        cr_assert(memcmp(entered, want, sizeof want) == 0, "mode %d", m);
        cr_assert_eq(left[0] == want[0], modes[m] != FE_UPWARD, "mode %d was not put back", m);
        for (int i = 0; i < 200; i++)
            cr_assert(memcmp(got + 2 * i, want, sizeof want) == 0, "mode %d index %d", m, i);
    }
}

#if defined(__x86_64__)
Test(jobs, flush_to_zero_of_the_process_does_not_matter)
{
    OWN_POOL *pool = make_pool(3);
    const unsigned saved = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(saved | 0x8040u); // FTZ and DAZ
    static double got[2 * 200];
    job_pool_run(pool, 200, arithmetic, got);
    __builtin_ia32_ldmxcsr(saved);
    for (int i = 0; i < 200; i++)
        cr_assert_gt(got[2 * i + 1], 0.0, "index %d was flushed", i);
}
#endif

Test(jobs, clock_does_not_run_backwards)
{
    uint64_t last = job_clock_ns();
    cr_assert_gt(last, 0);
    for (int i = 0; i < 1000; i++) {
        const uint64_t now = job_clock_ns();
        cr_assert_geq(now, last);
        last = now;
    }
}

/// A forked child has none of the threads and waits for none: it destroys the pool at once.
Test(jobs, a_forked_child_destroys_the_pool, .timeout = 60)
{
    static loop l = {.workers = 4};
    OWN_POOL *pool = make_pool(4);
    job_pool_run(pool, 100, mark, &l);
    const pid_t child = fork();
    if (child == 0) {
        job_pool_destroy(pool);
        _exit(7);
    }
    int status = 0;
    for (int i = 0; i < 500 && waitpid(child, &status, WNOHANG) == 0; i++)
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    kill(child, SIGKILL);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

/// Chrome's trace event format: "ts" and "dur" are microseconds, here since the record began.
Test(jobs, trace_is_in_microseconds)
{
    trace_log t;
    char text[200] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    cr_assert(out && trace_init(&t, 1));
    trace_add(&t, "work", t.start_ns + 7000, t.start_ns + 2007000);
    trace_write(&t, out);
    fclose(out);
    trace_finish(&t);
    cr_expect(strstr(text, "\"ts\":7.000,\"dur\":2000.000,\"name\":\"work\"}\n]}"), "%s", text);
}
