// SPDX-License-Identifier: MIT
/// Runs a fuzz target without libFuzzer: each file given, then N mutations of it that follow from
/// a seed, so that a failure can be repeated. Usage: fuzz_replay N FILE... (folders are read too).
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SIZE_LIMIT = 1 << 20, ROOM = 64, SECONDS_PER_INPUT = 20 };

/// What is being run, for the report when it crashes.
static struct {
    char path[1024];
    long mutation;
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
    write_text("\n");
    _exit(1);
}

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
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

static void run(const uint8_t *data, size_t size)
{
    alarm(SECONDS_PER_INPUT);
    LLVMFuzzerTestOneInput(data, size);
    alarm(0);
    runs++;
}

static void run_file(const char *path, long mutations)
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
    run(original, size);
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
        run(changed, length);
    }
}

static void run_path(const char *path, long mutations)
{
    DIR *folder = opendir(path);
    if (!folder) {
        run_file(path, mutations);
        return;
    }
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char inside[1024];
        struct stat status;
        if (snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name) < (int)sizeof inside &&
            stat(inside, &status) == 0 && S_ISREG(status.st_mode))
            run_file(inside, mutations);
    }
    closedir(folder);
}

int main(int count, char **arguments)
{
    if (count < 3) {
        fprintf(stderr, "usage: %s MUTATIONS FILE|FOLDER...\n", arguments[0]);
        return 2;
    }
    signal(SIGALRM, on_crash);
    signal(SIGABRT, on_crash);
    signal(SIGSEGV, on_crash);
    signal(SIGFPE, on_crash);
    const long mutations = strtol(arguments[1], NULL, 10);
    for (int i = 2; i < count; i++)
        run_path(arguments[i], mutations);
    printf("%d inputs\n", runs);
    return failures || runs == 0 ? 1 : 0;
}
