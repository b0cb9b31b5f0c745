// SPDX-License-Identifier: MIT
/// A record of the pieces of work of all threads, for viewers of Chrome's trace event format
/// (chrome://tracing, Perfetto). Whoever has a budget can add to its record.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct trace_event {
    const char *name; ///< of the piece of work; lives on
    uint64_t begin_ns, end_ns;
    uint64_t thread;
} trace_event;

typedef struct trace_log {
    trace_event *events; ///< [capacity] owned
    uint32_t capacity;
    _Atomic uint32_t count; ///< of all that were added: more than `capacity` are not kept
    uint64_t start_ns;
} trace_log;

/// Begins a record of at most `capacity` pieces. False: no memory.
bool trace_init(trace_log *t, uint32_t capacity);
void trace_finish(trace_log *t);
/// Adds what this thread has done, by job_clock_ns(). NULL: nobody records.
void trace_add(trace_log *t, const char *name, uint64_t begin_ns, uint64_t end_ns);
/// Writes the record as JSON, in the order of its ends; threads are numbered as they appear.
void trace_write(const trace_log *t, FILE *out);
