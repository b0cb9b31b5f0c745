// SPDX-License-Identifier: MIT
// Clock, options and reports of the benchmarks.
#include "bench_timing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool read_value(int argc, char **argv, int *at, const char *name, const char **out)
{
    if (strcmp(argv[*at], name) != 0)
        return false;
    if (*at + 1 >= argc)
        return false;
    *out = argv[++*at];
    return true;
}

bool bench_options_read(int argc, char **argv, bench_options *out)
{
    *out = (bench_options){.repeats = 20, .isa = "all"};
    for (int i = 1; i < argc; i++) {
        const char *repeats = NULL, *threads = NULL;
        if (strcmp(argv[i], "--json") == 0) {
            out->json = true;
        } else if (read_value(argc, argv, &i, "--filter", &out->filter) ||
                   read_value(argc, argv, &i, "--isa", &out->isa) ||
                   read_value(argc, argv, &i, "--case", &out->name)) {
            continue;
        } else if (read_value(argc, argv, &i, "--threads", &threads)) {
            out->threads = atoi(threads);
            if (out->threads < 1) {
                fprintf(stderr, "--threads %s (expected at least 1)\n", threads);
                return false;
            }
        } else if (read_value(argc, argv, &i, "--repeat", &repeats)) {
            out->repeats = atoi(repeats);
            if (out->repeats < 1 || out->repeats > BENCH_REPEATS_MAX) {
                fprintf(stderr, "--repeat %s (expected 1 to %d)\n", repeats, BENCH_REPEATS_MAX);
                return false;
            }
        } else if (argv[i][0] != '-' && !out->model) {
            out->model = argv[i];
        } else {
            fprintf(stderr,
                    "unknown argument %s (expected --repeat N, --threads N, --json, --filter TEXT, "
                    "--isa NAME, --case NAME or one file)\n",
                    argv[i]);
            return false;
        }
    }
    return true;
}

bool bench_selected(const bench_options *options, const char *name)
{
    return !options->filter || strstr(name, options->filter);
}

uint64_t bench_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1dULL;
}

uint64_t bench_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void bench_add(bench_series *s, uint64_t ns)
{
    if (s->count < BENCH_REPEATS_MAX)
        s->ns[s->count++] = (double)ns;
}

void bench_add_since(bench_series *s, int32_t turn, uint64_t start)
{
    const uint64_t took = bench_now_ns() - start;
    s->count = turn < BENCH_WARM_UP ? 0 : s->count;
    if (turn >= BENCH_WARM_UP)
        bench_add(s, took);
}

double bench_min(const bench_series *s)
{
    double least = s->count > 0 ? s->ns[0] : 0.0;
    for (int32_t i = 1; i < s->count; i++)
        least = s->ns[i] < least ? s->ns[i] : least;
    return least;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(const bench_series *s)
{
    bench_series sorted = *s;
    if (s->count == 0)
        return 0.0;
    qsort(sorted.ns, (size_t)sorted.count, sizeof sorted.ns[0], by_value);
    return sorted.ns[sorted.count / 2];
}

void bench_report(const bench_options *options, const char *name, const char *who, const char *unit,
                  double scale, const bench_series *s, uint64_t checksum)
{
    const double least = bench_min(s) * scale, median = bench_median(s) * scale;
    if (options->json)
        printf("{\"case\":\"%s\",\"who\":\"%s\",\"unit\":\"%s\",\"min\":%.4f,\"median\":%.4f,"
               "\"repeats\":%d,\"checksum\":\"%016" PRIx64 "\"}\n",
               name, who, unit, least, median, (int)s->count, checksum);
    else
        printf("%-30s %-16s %10.3f %10.3f %-12s x%-4d %016" PRIx64 "\n", name, who, least, median,
               unit, (int)s->count, checksum);
    fflush(stdout);
}

uint64_t bench_hash(const void *bytes, uint64_t size)
{
    const uint8_t *p = bytes;
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint64_t i = 0; i < size; i++)
        hash = (hash ^ p[i]) * 0x100000001b3u;
    return hash;
}
