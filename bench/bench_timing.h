// SPDX-License-Identifier: MIT
/// Shared by the benchmarks: a clock, the options of the command line, and one way of reporting.
/// Every case is run twice to warm up and then `repeats` times; the minimum says what the code
/// costs, its distance from the median how quiet the machine was.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { BENCH_WARM_UP = 2, BENCH_REPEATS_MAX = 1000 };

typedef struct bench_options {
    int32_t repeats;
    bool json;          ///< one JSON object a line instead of a table
    const char *filter; ///< cases whose name contains it; NULL for all
    const char *isa;    ///< "all", or the name of one
    const char *model;  ///< first free argument; NULL when there is none
    const char *name;   ///< what a case shall be called; NULL: as the program does
    int32_t threads;    ///< 0: as the program does
} bench_options;

/// Reads --repeat N, --threads N, --json, --filter TEXT, --isa NAME, --case NAME and a free
/// argument; prints what is wrong and returns false on anything else.
bool bench_options_read(int argc, char **argv, bench_options *out);
bool bench_selected(const bench_options *options, const char *name);

uint64_t bench_now_ns(void);

/// The next of a series of random numbers (xorshift64*, Vigna 2016), the same in every run.
uint64_t bench_random(uint64_t *state);

/// Times of one case.
typedef struct bench_series {
    double ns[BENCH_REPEATS_MAX];
    int32_t count;
} bench_series;

void bench_add(bench_series *s, uint64_t ns);
/// Adds the time since `start`, unless this turn is one to warm up, which empties the series.
void bench_add_since(bench_series *s, int32_t turn, uint64_t start);
double bench_min(const bench_series *s);
double bench_median(const bench_series *s);

/// One line: the case, who ran it (an instruction set, an encoder), min and median in `unit`, that
/// is nanoseconds times `scale`, and a hash of the result, which keeps the work alive and must
/// be the same for all that do the same work.
void bench_report(const bench_options *options, const char *name, const char *who, const char *unit,
                  double scale, const bench_series *s, uint64_t checksum);

/// FNV-1a 64.
uint64_t bench_hash(const void *bytes, uint64_t size);
