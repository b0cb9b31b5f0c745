// SPDX-License-Identifier: MIT
/// Hashes of bytes, and one hash table over entries that the caller keeps.
#pragma once

#include "base/arena.h"

#include <string.h>

/// FNV-1a, 64 bits (Fowler, Noll, Vo): start with HASH_START, hand each result to the next call.
#define HASH_START UINT64_C(0xcbf29ce484222325)
#define HASH_PRIME UINT64_C(0x100000001b3)

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size);
/// The characters of `text` without its final zero.
uint64_t hash_text(uint64_t hash, const char *text);
/// A variant of FNV-1a that takes four or eight bytes at a time and rotates high bits down: for
/// large arrays. Not for hash_table: the last word does not reach the low bits.
static inline uint64_t hash_word(uint64_t hash, uint64_t word)
{
    hash ^= word;
    return (hash << 23 | hash >> 41) * HASH_PRIME;
}

/// A CRC-32 of a row of RGBA8 pixels, which is made while the row is encoded; and hash_words() of
/// those of all rows. A pixel hash takes as long as encoding does.
uint32_t hash_pixel_row(const uint8_t *row, size_t width);
uint64_t hash_pixel_rows(const zt_image *image);
/// The same of rows of `size` bytes, `stride` bytes apart.
uint64_t hash_byte_rows(const uint8_t *rows, size_t stride, size_t size, int32_t height);

/// MurmurHash3_x86_32 (Appleby), which files of other programs have.
uint32_t hash_murmur3(const void *bytes, size_t size, uint32_t seed);

/// hash_word() of an array; bytes after the last whole word are taken one by one.
uint64_t hash_words(uint64_t hash, const void *bytes, size_t size);

/// A sum over the names and contents of files: any threads may add, in any order.
typedef _Atomic uint64_t hash_sum;

/// Adds a file to `sum`, unless it is NULL.
void hash_sum_add(hash_sum *sum, const char *name, const void *bytes, size_t size);

/// Mixes one word into the hash of a table's key, in fewer steps than hash_bytes().
static inline uint64_t hash_number(uint64_t hash, uint32_t number)
{
    hash = (hash ^ number) * UINT64_C(0x9E3779B97F4A7C15); // 2^64 / golden ratio
    return hash ^ hash >> 32;                              // brings high bits down
}
/// The same of floats by their bits; -0 counts as 0, because the two compare equal.
static inline uint64_t hash_floats(uint64_t hash, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const float value = values[i] + 0.0f;
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        hash = hash_number(hash, bits);
    }
    return hash;
}

/// An open-addressing table of numbers. A slot is 0 while it is free; the caller stores 1 + the
/// index of an entry, keeps the entries and compares them:
///
///     uint32_t *slot = hash_table_first(&table, hash);
///     while (*slot != 0 && !equal(&entries[*slot - 1], key))
///         slot = hash_table_next(&table, slot);
///     if (*slot == 0)
///         *slot = ++entry_count; // new
typedef struct hash_table {
    uint32_t *slot; ///< [mask + 1]
    size_t mask;    ///< the number of slots is a power of two
    budget *memory; ///< of the arena: counts texts that meet in a slot
} hash_table;

/// Slots for `capacity` entries, at most half full. False: no memory in `a`.
bool hash_table_init(hash_table *table, arena *a, size_t capacity);

static inline uint32_t *hash_table_first(const hash_table *table, uint64_t hash)
{
    return &table->slot[(size_t)hash & table->mask];
}

static inline uint32_t *hash_table_next(const hash_table *table, const uint32_t *slot)
{
    return &table->slot[(size_t)(slot - table->slot + 1) & table->mask];
}

/// The slot of a text, or the free one for it: the text of entry i, a const char *, is at
/// `texts` + i * `stride` bytes.
uint32_t *hash_table_text(const hash_table *table, const void *texts, size_t stride,
                          const char *text);
