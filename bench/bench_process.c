// SPDX-License-Identifier: MIT
// Times whole processes against each other, in turns:
//
//     bench_process --case NAME [--repeat N] [--json] [--before COMMAND] -- WHO COMMAND
//     [ARGUMENT]...
//         [-- WHO ...]...
//
// --before: for the shell before each run, outside of its time.
// Each contestant gets one run to warm up (files come into the cache of the system: what is cold
// is the process, not the disk) and N that count. Reported are the time from fork to the end, the
// processor time and the peak of memory, all three of the process and what it waited for (wait4).
// Standard output and error of the commands are thrown away; one that fails is left out from then
// on and makes the exit code 1.
#define _DEFAULT_SOURCE // wait4
#include "bench_timing.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CONTESTANTS_MAX = 8 };

typedef struct contestant {
    const char *who;
    char **command; ///< ends with NULL
    bench_series clock, cpu, memory;
    bool failed;
} contestant;

static uint64_t ns_of(struct timeval t)
{
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_usec * 1000u;
}

static bool run_once(contestant *c, bool timed)
{
    struct rusage used;
    int status = 0;
    const uint64_t start = bench_now_ns();
    const pid_t child = fork();
    if (child == 0) {
        const int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, 1);
        dup2(nothing, 2);
        execvp(c->command[0], c->command);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child)
        return false;
    const uint64_t end = bench_now_ns();
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "bench_process: %s: %s ended with %d\n", c->who, c->command[0],
                WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
        return false;
    }
    if (timed) {
        bench_add(&c->clock, end - start);
        bench_add(&c->cpu, ns_of(used.ru_utime) + ns_of(used.ru_stime));
        bench_add(&c->memory, (uint64_t)used.ru_maxrss * 1024u);
    }
    return true;
}

/// Cuts the arguments from the first "--" on into contestants, each "-- WHO COMMAND...". Returns
/// how many; 0 when there is something wrong.
static int read_contestants(int argc, char **argv, int at, contestant *all)
{
    int count = 0;
    while (at < argc && count < CONTESTANTS_MAX) {
        argv[at] = NULL; // ends the command before
        if (at + 2 >= argc)
            return 0;
        all[count++] = (contestant){.who = argv[at + 1], .command = argv + at + 2};
        for (at += 2; at < argc && strcmp(argv[at], "--") != 0; at++) {
        }
    }
    return at < argc ? 0 : count;
}

int main(int argc, char **argv)
{
    static contestant all[CONTESTANTS_MAX];
    bench_options options = {.repeats = 10};
    const char *name = NULL, *before = NULL;
    bool failed = false;
    int at = 1;
    for (; at < argc && strcmp(argv[at], "--") != 0; at++) {
        if (strcmp(argv[at], "--json") == 0)
            options.json = true;
        else if (at + 1 < argc && strcmp(argv[at], "--case") == 0)
            name = argv[++at];
        else if (at + 1 < argc && strcmp(argv[at], "--before") == 0)
            before = argv[++at];
        else if (at + 1 < argc && strcmp(argv[at], "--repeat") == 0)
            options.repeats = atoi(argv[++at]);
        else
            break;
    }
    const int count = read_contestants(argc, argv, at, all);
    if (!name || count == 0 || options.repeats < 1 || options.repeats > BENCH_REPEATS_MAX) {
        fprintf(stderr, "usage: bench_process --case NAME [--repeat N] [--json] [--before COMMAND] "
                        "-- WHO COMMAND [ARGUMENT]... [-- WHO COMMAND...]...\n");
        return 2;
    }
    for (int32_t round = -1; round < options.repeats; round++)
        for (int i = 0; i < count; i++)
            if (!all[i].failed)
                failed |= all[i].failed =
                    (before && system(before) != 0) || !run_once(&all[i], round >= 0);
    for (int i = 0; i < count; i++) {
        char line[96];
        if (all[i].failed)
            continue;
        bench_report(&options, name, all[i].who, "ms", 1e-6, &all[i].clock, 0);
        snprintf(line, sizeof line, "%s_cpu", name);
        bench_report(&options, line, all[i].who, "ms", 1e-6, &all[i].cpu, 0);
        snprintf(line, sizeof line, "%s_memory", name);
        bench_report(&options, line, all[i].who, "MiB", 1.0 / 1048576.0, &all[i].memory, 0);
    }
    return failed ? 1 : 0;
}
