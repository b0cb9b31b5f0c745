// SPDX-License-Identifier: MIT
/// Integers in files, whatever the byte order of the machine. Sizes are constants in practice, so
/// that compilers turn the loops into single loads and stores.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// The little-endian number in `size` <= 8 bytes.
static inline uint64_t bytes_load_le(const uint8_t *p, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)p[i] << (8 * i);
    return value;
}

/// The big-endian number in `size` <= 8 bytes.
static inline uint64_t bytes_load_be(const uint8_t *p, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value = value << 8 | p[i];
    return value;
}

static inline uint32_t bytes_u32_le(const uint8_t *p) { return (uint32_t)bytes_load_le(p, 4); }

static inline uint32_t bytes_u32_be(const uint8_t *p) { return (uint32_t)bytes_load_be(p, 4); }

static inline void bytes_store_u32_le(uint8_t *out, uint32_t value)
{
    for (size_t i = 0; i < 4; i++)
        out[i] = (uint8_t)(value >> (8 * i));
}

static inline void bytes_store_u32_be(uint8_t *out, uint32_t value)
{
    for (size_t i = 0; i < 4; i++)
        out[i] = (uint8_t)(value >> (24 - 8 * i));
}
