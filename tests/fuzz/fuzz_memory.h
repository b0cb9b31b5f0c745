// SPDX-License-Identifier: MIT
/// Fuzz targets without memory. Each input runs while all allocations are counted. For every other
/// input, by a hash of its bytes, it runs again while one of them is refused, or all from one on:
/// the same input always does the same, and a corpus keeps its meaning.
#pragma once

#include <zoetrope/zoetrope.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// A target defines this. It aborts when something is wrong.
void fuzz_input(const uint8_t *data, size_t size);

/// A broken promise aborts, so that it is found without a sanitizer too.
static inline void require(bool condition)
{
    if (!condition)
        abort();
}

/// A copy with the 0 behind it that file_read promises; NULL: no memory.
static inline uint8_t *fuzz_copy(const uint8_t *data, size_t size)
{
    uint8_t *bytes = malloc(size + 1);
    if (bytes && size > 0)
        memcpy(bytes, data, size);
    if (bytes)
        bytes[size] = 0;
    return bytes;
}

/// A zt_cancel of time counted in questions, `user` a long of how many: the same on every machine.
static inline bool fuzz_asked_enough(void *user)
{
    long *left = user;
    return --*left < 0;
}

/// True once an allocation of the run at hand has been refused: ZT_ERR_MEMORY is an answer then.
bool fuzz_refused(void);

/// What a target checks results with gets all its memory while this is on.
void fuzz_pause(bool paused);

/// A target tells each of its results. A run without memory has those of the run before, up to one
/// that is ZT_ERR_MEMORY; aborts otherwise. So what is whole is never called broken.
void fuzz_result(zt_result result);

/// Runs the target with each of at most `limit` allocations refused alone, then all that follow.
void fuzz_refuse_each(const uint8_t *data, size_t size, long limit);

/// The function that libFuzzer, AFL++ and fuzz_replay.c call.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
