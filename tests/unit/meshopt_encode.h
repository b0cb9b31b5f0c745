// SPDX-License-Identifier: MIT
/// An encoder of version 1 attributes by KHR_meshopt_compression: the library has version 0.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct meshopt_choice {
    uint8_t channel; ///< the mode byte of every channel: 0, 1, or 2 with a rotation above
    int control;     ///< 0 to 3 for every byte position, -1: the smallest that fits
} meshopt_choice;

/// The stream of `count` elements of `stride` bytes in malloc'ed memory.
uint8_t *meshopt_encode_1(const void *elements, size_t count, size_t stride, meshopt_choice choice,
                          size_t *out_size);
