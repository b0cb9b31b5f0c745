// SPDX-License-Identifier: MIT
/// Runs a fuzz target without libFuzzer: each file given; the same while one after the other of its
/// allocations is refused, REFUSALS of them; then mutations of it that follow from a seed, so that
/// a failure can be repeated. Usage: fuzz_replay MUTATIONS REFUSALS FILE... (folders are read too).
#define _POSIX_C_SOURCE 200809L
#include "../unit/random_numbers.h"
#include "fuzz_memory.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIZE_LIMIT = 1 << 20, ROOM = 64, SECONDS_PER_INPUT = 20 };

/// The input that is being run, for the report when it crashes and for the file finding.
static struct {
    char path[1024];
    long mutation;
    const uint8_t *data;
    size_t size;
} current;

static int failures, runs;

static void write_text(const char *text)
{
    const ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

static void on_crash(int number)
{
    char digits[24] = {0};
    int at = 22;
    long n = current.mutation;
    do {
        digits[at--] = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    write_text(number == SIGALRM ? "too slow: " : "crashed: ");
    write_text(current.path);
    write_text(" mutation ");
    write_text(digits + at + 1);
    write_text(", kept as finding\n");
    const int file = open("finding", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    const ssize_t kept = file < 0 ? 0 : write(file, current.data, current.size);
    (void)kept;
    _exit(1);
}

/// Values that sizes and counts are broken with.
static const uint32_t edges[] = {0,      1,      0x7f,       0x80,       0xff,       0x7fff,
                                 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x10000};

static size_t mutate_once(uint8_t *data, size_t size, uint32_t *random)
{
    const size_t at = size ? next_random(random) % size : 0;
    switch (next_random(random) % 7) {
    case 0: // a bit
        data[at] ^= (uint8_t)(1u << next_random(random) % 8);
        return size;
    case 1: // a byte
        data[at] = (uint8_t)next_random(random);
        return size;
    case 2: // cut
        return at;
    case 3: // a number of 1, 2 or 4 bytes, in either order
    case 4: {
        const uint32_t value = edges[next_random(random) % (sizeof edges / sizeof *edges)];
        const size_t length = (size_t)1 << next_random(random) % 3;
        const bool big = next_random(random) % 2;
        for (size_t i = 0; i < length && at + i < size; i++)
            data[at + i] = (uint8_t)(value >> 8 * (big ? length - 1 - i : i));
        return size;
    }
    case 5: { // some bytes go
        const size_t length = next_random(random) % 16;
        if (at + length >= size)
            return size;
        memmove(data + at, data + at + length, size - at - length);
        return size - length;
    }
    default: { // some bytes come twice
        const size_t length = next_random(random) % 16;
        if (at + length > size || size + length > SIZE_LIMIT)
            return size;
        memmove(data + at + length, data + at, size - at);
        return size + length;
    }
    }
}

/// `refusals`: 0 for a run as by libFuzzer.
static void run(const uint8_t *data, size_t size, long refusals)
{
    current.data = data;
    current.size = size;
    alarm(SECONDS_PER_INPUT);
    if (refusals > 0)
        fuzz_refuse_each(data, size, refusals);
    else
        LLVMFuzzerTestOneInput(data, size);
    alarm(0);
    runs++;
}

static void run_file(const char *path, long mutations, long refusals)
{
    static uint8_t original[SIZE_LIMIT], changed[SIZE_LIMIT + ROOM];
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "%s: cannot open\n", path);
        failures++;
        return;
    }
    const size_t size = fread(original, 1, sizeof original, file);
    fclose(file);
    snprintf(current.path, sizeof current.path, "%s", path);
    current.mutation = 0;
    run(original, size, 0);
    run(original, size, refusals);
    // The seed follows from the bytes, not from the name or the order of files.
    uint32_t seed = 0x811c9dc5u;
    for (size_t i = 0; i < size; i++)
        seed = (seed ^ original[i]) * 0x01000193u;
    seed |= 1;
    for (current.mutation = 1; current.mutation <= mutations; current.mutation++) {
        memcpy(changed, original, size);
        size_t length = size;
        const uint32_t steps = 1 + next_random(&seed) % 4;
        for (uint32_t i = 0; i < steps && length > 0; i++)
            length = mutate_once(changed, length, &seed);
        run(changed, length, 0);
    }
}

static void run_path(const char *path, long mutations, long refusals)
{
    DIR *folder = opendir(path);
    if (!folder) {
        run_file(path, mutations, refusals);
        return;
    }
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char inside[1024];
        struct stat status;
        if (snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name) < (int)sizeof inside &&
            stat(inside, &status) == 0 && S_ISREG(status.st_mode))
            run_file(inside, mutations, refusals);
    }
    closedir(folder);
}

int main(int count, char **arguments)
{
    if (count < 4) {
        fprintf(stderr, "usage: %s MUTATIONS REFUSALS FILE|FOLDER...\n", arguments[0]);
        return 2;
    }
    signal(SIGALRM, on_crash);
    signal(SIGABRT, on_crash);
    signal(SIGSEGV, on_crash);
    signal(SIGFPE, on_crash);
    const long mutations = strtol(arguments[1], NULL, 10),
               refusals = strtol(arguments[2], NULL, 10);
    for (int i = 3; i < count; i++)
        run_path(arguments[i], mutations, refusals);
    printf("%d inputs\n", runs);
    return failures || runs == 0 ? 1 : 0;
}
