// SPDX-License-Identifier: MIT
#include "base/trace.h"

#include "base/jobs.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS_MAX = 1024 };

bool trace_init(trace_log *t, uint32_t capacity)
{
    *t = (trace_log){.events = calloc(capacity, sizeof *t->events), .capacity = capacity};
    t->start_ns = job_clock_ns();
    return t->events != NULL;
}

void trace_finish(trace_log *t)
{
    free(t->events);
    *t = (trace_log){0};
}

void trace_add(trace_log *t, const char *name, uint64_t begin_ns, uint64_t end_ns)
{
    if (!t)
        return;
    const uint32_t at = atomic_fetch_add_explicit(&t->count, 1, memory_order_relaxed);
    if (at < t->capacity)
        t->events[at] = (trace_event){name, begin_ns, end_ns, (uint64_t)(uintptr_t)pthread_self()};
    else
        atomic_store_explicit(&t->count, t->capacity, memory_order_relaxed);
}

/// The number of a thread among those that were seen; later ones share the last.
static int number_of(uint64_t thread, uint64_t *seen, int *count)
{
    for (int i = 0; i < *count; i++)
        if (seen[i] == thread)
            return i;
    if (*count == THREADS_MAX)
        return THREADS_MAX - 1;
    seen[(*count)++] = thread;
    return *count - 1;
}

void trace_write(const trace_log *t, FILE *out)
{
    uint64_t seen[THREADS_MAX];
    int threads = 0;
    const uint32_t all = atomic_load(&t->count), count = all < t->capacity ? all : t->capacity;
    fprintf(out, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[");
    for (uint32_t i = 0; i < count; i++) {
        const trace_event *e = &t->events[i];
        fprintf(out,
                "%s\n{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f,\"name\":\"%s\"}",
                i > 0 ? "," : "", number_of(e->thread, seen, &threads),
                (double)(e->begin_ns - t->start_ns) * 1e-3,
                (double)(e->end_ns - e->begin_ns) * 1e-3, e->name);
    }
    fprintf(out, "\n]}\n");
}
