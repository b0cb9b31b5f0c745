// SPDX-License-Identifier: MIT
/// peak_memory LIMIT COMMAND...: runs a command, prints the most memory that it held in bytes, and
/// exits as it did; with 99 when that was above 1.15 x LIMIT + 16 MiB. LIMIT 0: none.
#define _DEFAULT_SOURCE // wait4
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TOO_MUCH = 99, NOT_RUN = 98 };

int main(int argc, char **argv)
{
    struct rusage usage;
    int status = 0;
    if (argc < 3)
        return NOT_RUN;
    const int64_t limit = strtoll(argv[1], NULL, 10);
    const pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        _exit(NOT_RUN);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        return NOT_RUN;
    const int64_t peak = (int64_t)usage.ru_maxrss * 1024; // Linux counts KiB
    fprintf(stderr, "peak %" PRId64 "\n", peak);
    if (limit > 0 && peak > limit + limit / 20 * 3 + ((int64_t)16 << 20))
        return TOO_MUCH;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
