// SPDX-License-Identifier: MIT
/// Code lengths by Huffman's algorithm with two queues over sorted counts (van Leeuwen 1976; in
/// place: Moffat and Katajainen, "In-place calculation of minimum-redundancy codes", 1995), limited
/// by moving leaves. Integers, equal counts in the alphabet's order: the same everywhere.
#include "image/deflate_huffman.h"

#include <string.h>

enum { LENGTH_MAX = 15, KEY_SYMBOL_BITS = 9, DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS };

/// Sorts keys = count << 9 | symbol by a stable radix sort, lowest digit first. The symbols are in
/// order already, so only the 23 bits of the counts are sorted.
static void sort_keys(uint32_t *keys, uint32_t *scratch, size_t size)
{
    uint32_t all = 0;
    for (size_t i = 0; i < size; i++)
        all |= keys[i];
    for (uint32_t shift = KEY_SYMBOL_BITS; shift < 32 && all >> shift; shift += DIGIT_BITS) {
        uint32_t start[DIGITS + 1] = {0};
        for (size_t i = 0; i < size; i++)
            start[(keys[i] >> shift & (DIGITS - 1)) + 1]++;
        for (size_t d = 1; d < DIGITS; d++)
            start[d] += start[d - 1];
        for (size_t i = 0; i < size; i++)
            scratch[start[keys[i] >> shift & (DIGITS - 1)]++] = keys[i];
        memcpy(keys, scratch, size * sizeof *keys);
    }
}

/// Replaces n >= 2 rising counts in `node` by the falling depths of their leaves.
static void depths_in_place(uint32_t *node, size_t n)
{
    size_t leaf = 0, root = 0;
    for (size_t next = 0; next < n - 1; next++) { // counts of inner nodes, parents of merged ones
        uint32_t sum = 0;
        for (int child = 0; child < 2; child++) {
            if (leaf >= n || (root < next && node[root] < node[leaf])) {
                sum += node[root];
                node[root++] = (uint32_t)next;
            } else {
                sum += node[leaf++];
            }
        }
        node[next] = sum;
    }
    node[n - 2] = 0;
    for (size_t i = n - 2; i-- > 0;) // depths of inner nodes, from the root down
        node[i] = node[node[i]] + 1;
    size_t inner = n - 1, at = n;
    uint32_t depth = 0;
    for (size_t open = 1; open > 0; depth++) { // nodes at a depth that are not inner are leaves
        size_t used = 0;
        for (; inner > 0 && node[inner - 1] == depth; inner--)
            used++;
        for (; open > used; open--)
            node[--at] = depth;
        open = 2 * used;
    }
}

/// Moves leaves until the code is complete with no length above `limit`: each step removes a leaf
/// of full length and replaces one above by two a level lower, which lowers the sum by one.
static void limit_depths(uint32_t count[LENGTH_MAX + 1], uint32_t limit)
{
    uint32_t total = 0;
    for (uint32_t k = 1; k <= limit; k++)
        total += count[k] << (limit - k);
    for (; total > 1u << limit; total--) {
        uint32_t k = limit - 1;
        while (count[k] == 0)
            k--;
        count[limit]--;
        count[k]--;
        count[k + 1] += 2;
    }
}

void huffman_lengths(const uint32_t *counts, size_t size, uint32_t limit, uint8_t *lengths)
{
    uint32_t keys[HUFFMAN_SYMBOLS], node[HUFFMAN_SYMBOLS];
    size_t n = 0;
    memset(lengths, 0, size);
    for (size_t s = 0; s < size; s++)
        if (counts[s] > 0)
            keys[n++] = counts[s] << KEY_SYMBOL_BITS | (uint32_t)s;
    if (n < 2) {
        const size_t only = n ? keys[0] & ((1u << KEY_SYMBOL_BITS) - 1) : 0;
        lengths[only] = 1;
        lengths[only ? 0 : 1] = 1;
        return;
    }
    sort_keys(keys, node, n);
    for (size_t i = 0; i < n; i++)
        node[i] = keys[i] >> KEY_SYMBOL_BITS;
    depths_in_place(node, n);
    uint32_t count[LENGTH_MAX + 1] = {0};
    for (size_t i = 0; i < n; i++)
        count[node[i] < limit ? node[i] : limit]++;
    limit_depths(count, limit);
    size_t i = 0;
    for (uint32_t k = limit; k > 0; k--) // the rarest get the longest codes
        for (uint32_t left = count[k]; left > 0; left--)
            lengths[keys[i++] & ((1u << KEY_SYMBOL_BITS) - 1)] = (uint8_t)k;
}

static uint16_t reversed(uint32_t code, uint32_t length)
{
    uint32_t out = 0;
    for (uint32_t i = 0; i < length; i++)
        out |= (code >> i & 1) << (length - 1 - i);
    return (uint16_t)out;
}

void huffman_codes(const uint8_t *lengths, size_t size, uint16_t *codes)
{
    uint32_t count[LENGTH_MAX + 1] = {0}, next[LENGTH_MAX + 2] = {0};
    for (size_t s = 0; s < size; s++)
        count[lengths[s]]++;
    count[0] = 0;
    for (uint32_t k = 1; k <= LENGTH_MAX; k++)
        next[k + 1] = (next[k] + count[k]) << 1;
    for (size_t s = 0; s < size; s++)
        codes[s] = lengths[s] ? reversed(next[lengths[s]]++, lengths[s]) : 0;
}
