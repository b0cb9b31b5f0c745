// SPDX-License-Identifier: MIT
/// See hash.h.
#include "base/hash.h"

#include <string.h>

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const uint8_t *p = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ p[i]) * HASH_PRIME;
    return hash;
}

uint64_t hash_text(uint64_t hash, const char *text)
{
    return hash_bytes(hash, text, strlen(text));
}

uint64_t hash_words(uint64_t hash, const void *bytes, size_t size)
{
    const uint8_t *p = bytes;
    uint32_t word;
    for (; size >= sizeof word; p += sizeof word, size -= sizeof word) {
        memcpy(&word, p, sizeof word);
        hash = hash_word(hash, word);
    }
    for (; size > 0; p++, size--)
        hash = hash_word(hash, *p);
    return hash;
}

bool hash_table_init(hash_table *table, arena *a, size_t capacity)
{
    size_t size = 16;
    while (size < 2 * capacity)
        size *= 2;
    table->mask = size - 1;
    table->slot = ARENA_ARRAY(a, uint32_t, size);
    return table->slot != NULL;
}
