// SPDX-License-Identifier: MIT
/// Linked to every program of the build that `sample` makes. ZT_MUTANT: the fault that is on.
/// ZT_MUTANTS_REACHED: a file of a byte for each number, which becomes 1 where its place is passed;
/// programs that run at the same time, and those that end by a signal, write to the same file.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NUMBERS = 4096 };

static unsigned char nowhere[NUMBERS];

int zt_mutant;
unsigned char *zt_mutants_reached = nowhere;

__attribute__((constructor(101))) static void read_environment(void)
{
    const char *number = getenv("ZT_MUTANT"), *path = getenv("ZT_MUTANTS_REACHED");
    zt_mutant = number ? (int)strtol(number, NULL, 10) : 0;
    const int file = path ? open(path, O_RDWR) : -1;
    if (file < 0)
        return;
    void *bytes = mmap(NULL, NUMBERS, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (bytes != MAP_FAILED)
        zt_mutants_reached = bytes;
    close(file);
}
