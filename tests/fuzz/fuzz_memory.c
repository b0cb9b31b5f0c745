// SPDX-License-Identifier: MIT
/// The allocator of fuzz targets. It stands in front of the one of the sanitizer, or else of the
/// next one (the C library, valgrind), and is compiled without sanitizers: it runs before they
/// start.
#define _GNU_SOURCE // dladdr, RTLD_NEXT
#include "fuzz_memory.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#pragma GCC visibility push(default)
// AddressSanitizer's names of its allocator; NULL without it.
void *__interceptor_malloc(size_t size) __attribute__((weak));
void *__interceptor_calloc(size_t count, size_t size) __attribute__((weak));
void *__interceptor_realloc(void *block, size_t size) __attribute__((weak));
void *__interceptor_aligned_alloc(size_t align, size_t size) __attribute__((weak));
int __interceptor_posix_memalign(void **out, size_t align, size_t size) __attribute__((weak));
#pragma GCC visibility pop

enum { RESULTS = 32 };

static struct {
    bool counting;
    atomic_long count; ///< allocations of the run at hand
    long refused_at;   ///< from 1; 0: none
    bool all;          ///< and every later one
    atomic_bool refused;
    zt_result results[RESULTS]; ///< of the run without refusals
    int result_count, results_told;
    bool results_end; ///< the run at hand has left the way of the first one
} state;

bool fuzz_refused(void) { return atomic_load(&state.refused); }

void fuzz_pause(bool paused) { state.counting = !paused; }

/// True for what pthread_getattr_np allocates, in one function that has no name outside of the C
/// library: AddressSanitizer ends the program when it cannot ask for the stack of a new thread.
static bool is_thread_attribute(const Dl_info *library, size_t size)
{
    enum { ATTRIBUTE_EXTENSION = 152 };
    if (!strstr(library->dli_fname, "libc.so"))
        return false;
    return library->dli_sname ? strcmp(library->dli_sname, "pthread_getattr_np") == 0 ||
                                    strcmp(library->dli_sname, "pthread_attr_setaffinity_np") == 0
                              : size == ATTRIBUTE_EXTENSION;
}

/// Faults of other libraries. libwebp 1.2.4 crashes when a table of a lossless picture gets no
/// memory; writing one, it calls a file whole that lacks a table, and reads beyond a buffer that
/// could not grow. src/image makes sure that there is enough.
static bool must_not_fail(const void *caller, size_t size)
{
    Dl_info library;
    if (!dladdr(caller, &library) || !library.dli_fname)
        return false;
    return strstr(library.dli_fname, "libwebp.so") || is_thread_attribute(&library, size);
}

static bool refuse(const void *caller, size_t size)
{
    if (!state.counting)
        return false;
    const long number = atomic_fetch_add(&state.count, 1) + 1;
    if (state.refused_at == 0 || number < state.refused_at ||
        (!state.all && (number > state.refused_at || fuzz_refused())) ||
        must_not_fail(caller, size))
        return false;
    atomic_store(&state.refused, true);
    errno = ENOMEM;
    return true;
}

/// The allocator behind this one: of the sanitizer, or the next in the order of libraries.
#define NEXT(function, type)                                                                       \
    type next = (type)&__interceptor_##function;                                                   \
    if (!next) {                                                                                   \
        void *found = dlsym(RTLD_NEXT, #function);                                                 \
        memcpy(&next, &found, sizeof next);                                                        \
    }

typedef void *(*malloc_fn)(size_t);
typedef void *(*calloc_fn)(size_t, size_t);
typedef void *(*realloc_fn)(void *, size_t);
typedef void *(*aligned_fn)(size_t, size_t);
typedef int (*memalign_fn)(void **, size_t, size_t);

#pragma GCC visibility push(default)
void *malloc(size_t size)
{
    NEXT(malloc, malloc_fn)
    return refuse(__builtin_return_address(0), size) ? NULL : next(size);
}

void *calloc(size_t count, size_t size)
{
    NEXT(calloc, calloc_fn)
    return refuse(__builtin_return_address(0), count * size) ? NULL : next(count, size);
}

void *realloc(void *block, size_t size)
{
    NEXT(realloc, realloc_fn)
    return refuse(__builtin_return_address(0), size) ? NULL : next(block, size);
}

void *aligned_alloc(size_t align, size_t size)
{
    NEXT(aligned_alloc, aligned_fn)
    return refuse(__builtin_return_address(0), size) ? NULL : next(align, size);
}

int posix_memalign(void **out, size_t align, size_t size)
{
    NEXT(posix_memalign, memalign_fn)
    return refuse(__builtin_return_address(0), size) ? ENOMEM : next(out, align, size);
}
#pragma GCC visibility pop

void fuzz_result(zt_result result)
{
    const int i = state.results_told++;
    if (i >= RESULTS || state.results_end)
        return;
    if (state.refused_at == 0) {
        state.results[i] = result;
        state.result_count = i + 1;
        if (result != ZT_ERR_MEMORY)
            return;
    } else {
        state.results_end = fuzz_refused() && result == ZT_ERR_MEMORY;
        if (state.results_end || (i < state.result_count && result == state.results[i]))
            return;
    }
    fprintf(stderr, "fuzz: %s, where it was %s, while allocation %ld%s is refused\n",
            zt_result_name(result), i < state.result_count ? zt_result_name(state.results[i]) : "-",
            state.refused_at, state.all ? " and every later one" : "");
    state.counting = false; // memory for those who write down the input
    abort();
}

static void run(const uint8_t *data, size_t size, long refused_at, bool all)
{
    atomic_store(&state.count, 0);
    atomic_store(&state.refused, false);
    state.refused_at = refused_at;
    state.all = all;
    state.results_told = 0;
    state.results_end = false;
    state.counting = true;
    fuzz_input(data, size);
    state.counting = false;
    atomic_store(&state.refused, false);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t seed = 0xcbf29ce484222325u; // FNV-1a
    for (size_t i = 0; i < size; i++)
        seed = (seed ^ data[i]) * 0x100000001b3u;
    seed ^= seed >> 32;
    run(data, size, 0, false);
    const long count = atomic_load(&state.count);
    if (count > 0 && (seed & 1) == 0)
        run(data, size, 1 + (long)((seed >> 2) % (unsigned long)count), (seed & 2) != 0);
    return 0;
}

void fuzz_refuse_each(const uint8_t *data, size_t size, long limit)
{
    run(data, size, 0, false);
    const long count = atomic_load(&state.count), step = (count + limit - 1) / limit;
    for (long at = 1; at <= count; at += step) {
        run(data, size, at, false);
        run(data, size, at, true);
    }
}
