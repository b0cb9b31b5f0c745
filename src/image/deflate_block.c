// SPDX-License-Identifier: MIT
/// A block of DEFLATE from tokens: counts -> codes -> header -> bits (RFC 1951, 3.2.3 to 3.2.7).
/// Literals take most of the time of a textured frame. Tried: a table of codes of pairs of literals
/// (256 KiB, codes of 13 bits), 5 % faster, files half a percent larger; BMI2, 5 % faster.
#include "image/deflate_block.h"

#include "image/deflate_bits.h"
#include "image/deflate_huffman.h"

#include <string.h>

enum {
    LITERALS = HUFFMAN_SYMBOLS,
    END_OF_BLOCK = 256,
    FIRST_LENGTH = 257,
    DISTANCES = 1, ///< 1 byte back is the only one, and its code is a bit 0
    PRECODES = 19,
    MATCH_LENGTH_MIN = 3,
    /// Four literals and the 7 bits that a flush leaves fit in one word: 4 x 14 + 7 = 63.
    LITERAL_BITS = 14,
    PRECODE_BITS = 7,
};

// RFC 1951, 3.2.5.
static const uint16_t length_base[29] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                         15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                         67, 83, 99, 115, 131, 163, 195, 227, 258};
static const uint8_t length_extra[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                         2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
// RFC 1951, 3.2.7.
static const uint8_t precode_order[PRECODES] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                11, 4,  12, 3, 13, 2, 14, 1, 15};

/// A code's bits above its 8-bit count. Shifts may use the whole word: counts are modulo 64.
typedef uint32_t packed_code;

static inline packed_code pack_code(uint32_t code, uint32_t length) { return code << 8 | length; }

static inline void put_code(bit_writer *w, packed_code code) { bits_put(w, code >> 8, code & 255); }

typedef struct block_codes {
    uint32_t literal_count[LITERALS], match_count;
    uint8_t length[LITERALS + DISTANCES]; ///< code lengths of `literals`, then of the distance
    size_t literals;                      ///< number of their code lengths in the header
    // The header: code lengths as symbols of the precode with their extra bits.
    uint8_t run_symbol[LITERALS + DISTANCES], run_extra[LITERALS + DISTANCES];
    size_t run_count, precodes;
    uint8_t precode_length[PRECODES];
    uint64_t bits; ///< size of the whole block
    uint16_t literal[LITERALS];
    packed_code match[MATCH_LENGTH_MAX + 1]; ///< by length, with its extra bits and its distance
} block_codes;

/// The symbol of a length, minus FIRST_LENGTH: 8 lengths have one each, then 4 per power of two.
static uint32_t length_symbol(uint32_t length)
{
    const uint32_t n = length - MATCH_LENGTH_MIN;
    if (length == MATCH_LENGTH_MAX)
        return 28;
    if (n < 8)
        return n;
    uint32_t power = 3;
    while (n >> (power + 1))
        power++;
    return 4 * (power - 1) + (n >> (power - 2) & 3);
}

/// The first match of a long one: 258 while enough remains, since no match may be shorter than 3.
static inline uint32_t first_part(uint32_t length)
{
    if (length <= MATCH_LENGTH_MAX)
        return length;
    return length >= MATCH_LENGTH_MAX + MATCH_LENGTH_MIN ? (uint32_t)MATCH_LENGTH_MAX
                                                         : length - MATCH_LENGTH_MIN;
}

static void count_symbols(const deflate_block *block, block_codes *c)
{
    uint32_t of_length[MATCH_LENGTH_MAX + 1] = {0};
    memcpy(c->literal_count, block->literal_count, sizeof block->literal_count);
    c->literal_count[END_OF_BLOCK] = 1;
    for (size_t i = 0; i < block->token_count; i++) {
        const deflate_token *t = &block->tokens[i];
        uint32_t left = t->length, parts = 0;
        if (left >= 2 * MATCH_LENGTH_MAX) { // many at once
            parts = left / MATCH_LENGTH_MAX - 1;
            of_length[MATCH_LENGTH_MAX] += parts;
            left -= parts * MATCH_LENGTH_MAX;
        }
        while (left > 0) {
            const uint32_t part = first_part(left);
            of_length[part]++;
            parts++;
            left -= part;
        }
        c->match_count += parts;
    }
    for (uint32_t k = MATCH_LENGTH_MIN; k <= MATCH_LENGTH_MAX; k++)
        c->literal_count[FIRST_LENGTH + length_symbol(k)] += of_length[k];
}

static void add_run(block_codes *c, uint32_t symbol, size_t extra)
{
    c->run_symbol[c->run_count] = (uint8_t)symbol;
    c->run_extra[c->run_count++] = (uint8_t)extra;
}

/// Writes code lengths as runs: 16 repeats 3..6 times, 17 and 18 are 3..10 and 11..138 zeros.
static void find_runs(block_codes *c)
{
    const size_t size = c->literals + DISTANCES;
    for (size_t at = 0; at < size;) {
        const uint8_t value = c->length[at];
        size_t run = 1;
        while (at + run < size && c->length[at + run] == value)
            run++;
        at += run;
        if (value != 0) {
            add_run(c, value, 0);
            run--;
        }
        while (run >= 3) {
            const size_t max = value != 0 ? 6 : run > 10 ? 138 : 10;
            const size_t part = run < max ? run : max;
            if (value != 0)
                add_run(c, 16, part - 3);
            else
                add_run(c, part > 10 ? 18 : 17, part - (part > 10 ? 11 : 3));
            run -= part;
        }
        for (; run > 0; run--)
            add_run(c, value, 0);
    }
}

static uint32_t precode_extra(uint32_t symbol)
{
    return symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
}

/// Chooses all code lengths and computes the size of the block.
static void choose_codes(block_codes *c)
{
    uint32_t precode_count[PRECODES] = {0};
    huffman_lengths(c->literal_count, LITERALS, LITERAL_BITS, c->length);
    c->literals = LITERALS;
    while (c->literals > FIRST_LENGTH && c->length[c->literals - 1] == 0)
        c->literals--;
    c->length[c->literals] = c->match_count > 0; // the other code of one bit stays unused
    c->bits = 3 + 5 + 5 + 4 + c->match_count;
    for (size_t i = 0; i < c->literals; i++)
        c->bits += (uint64_t)c->literal_count[i] *
                   (c->length[i] + (i >= FIRST_LENGTH ? length_extra[i - FIRST_LENGTH] : 0u));
    find_runs(c);
    for (size_t i = 0; i < c->run_count; i++)
        precode_count[c->run_symbol[i]]++;
    huffman_lengths(precode_count, PRECODES, PRECODE_BITS, c->precode_length);
    c->precodes = PRECODES;
    while (c->precodes > 4 && c->precode_length[precode_order[c->precodes - 1]] == 0)
        c->precodes--;
    c->bits += 3 * c->precodes;
    for (uint32_t i = 0; i < PRECODES; i++)
        c->bits += (uint64_t)precode_count[i] * (c->precode_length[i] + precode_extra(i));
}

static void write_header(const block_codes *c, bool last, bit_writer *w)
{
    uint16_t code[PRECODES];
    huffman_codes(c->precode_length, PRECODES, code);
    bits_put(w, (last ? 1u : 0u) | 2u << 1, 3); // BFINAL, BTYPE 10
    bits_put(w, c->literals - 257, 5);
    bits_put(w, DISTANCES - 1, 5);
    bits_put(w, c->precodes - 4, 4);
    bits_flush(w);
    for (size_t i = 0; i < c->precodes; i++) {
        bits_put(w, c->precode_length[precode_order[i]], 3);
        bits_flush(w);
    }
    for (size_t i = 0; i < c->run_count; i++) {
        const uint32_t symbol = c->run_symbol[i];
        bits_put(w, code[symbol], c->precode_length[symbol]);
        bits_put(w, c->run_extra[i], precode_extra(symbol));
        bits_flush(w);
    }
}

static void pack_codes(block_codes *c)
{
    uint16_t *const code = c->literal;
    huffman_codes(c->length, c->literals, code);
    for (uint32_t k = MATCH_LENGTH_MIN; k <= MATCH_LENGTH_MAX; k++) {
        const uint32_t s = length_symbol(k), bits = c->length[FIRST_LENGTH + s];
        if (FIRST_LENGTH + s < c->literals && bits > 0)
            c->match[k] = pack_code(code[FIRST_LENGTH + s] | (k - length_base[s]) << bits,
                                    bits + length_extra[s] + 1);
    }
}

/// Codes and lengths are in separate tables: splitting a combined word would cost instructions.
static inline void write_literals(bit_writer *writer, const uint16_t *code, const uint8_t *length,
                                  const uint8_t *p, size_t count)
{
    bit_writer w = *writer;
    for (; count >= 4; count -= 4, p += 4) {
        const uint32_t a = length[p[0]], ab = a + length[p[1]], c = length[p[2]],
                       cd = c + length[p[3]];
        const uint64_t first = code[p[0]] | (uint64_t)code[p[1]] << a;
        const uint64_t second = code[p[2]] | (uint64_t)code[p[3]] << c;
        w.bits |= (first | second << ab) << w.count;
        w.count += ab + cd;
        bits_flush(&w);
    }
    for (; count > 0; count--, p++)
        bits_put(&w, code[*p], length[*p]); // up to three: 3 x 14 + 7 bits
    bits_flush(&w);
    *writer = w;
}

/// Flushes once per part: at most 14 + 5 bits of length and 1 of distance.
static inline void write_match(bit_writer *w, const block_codes *c, uint32_t length)
{
    while (length > 0) {
        const uint32_t part = first_part(length);
        put_code(w, c->match[part]);
        bits_flush(w);
        length -= part;
    }
}

static void write_tokens(const deflate_block *block, const block_codes *c, bit_writer *w)
{
    const uint8_t *p = block->bytes;
    for (size_t i = 0; i < block->token_count; i++) {
        const deflate_token *t = &block->tokens[i];
        write_literals(w, c->literal, c->length, p, t->literals);
        p += t->literals + t->skip;
        if (t->length > 0)
            write_match(w, c, t->length);
    }
    bits_put(w, c->literal[END_OF_BLOCK], c->length[END_OF_BLOCK]);
    bits_flush(w);
}

size_t deflate_block_bound(size_t size)
{
    const size_t blocks = size / STORED_BLOCK_MAX + 2; // and an empty one
    return size + blocks * STORED_FRAME_BYTES + BIT_WRITER_SLACK + 1;
}

static uint8_t *write_stored_frame(bool last, size_t size, uint8_t *out)
{
    out[0] = last; // BTYPE 00
    out[1] = (uint8_t)size;
    out[2] = (uint8_t)(size >> 8);
    out[3] = (uint8_t)~out[1];
    out[4] = (uint8_t)~out[2];
    return out + STORED_FRAME_BYTES;
}

/// Writes stored blocks: a new one begins when the current one is full.
typedef struct stored_writer {
    uint8_t *out;
    size_t left, open; ///< bytes still to write, and those that fit in the current block
    bool last;
} stored_writer;

/// `bytes` NULL: zeros.
static void store_bytes(stored_writer *w, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        if (w->open == 0) {
            w->open = w->left < STORED_BLOCK_MAX ? w->left : STORED_BLOCK_MAX;
            w->out = write_stored_frame(w->last && w->open == w->left, w->open, w->out);
        }
        const size_t part = size < w->open ? size : w->open;
        if (bytes) {
            memcpy(w->out, bytes, part);
            bytes += part;
        } else {
            memset(w->out, 0, part);
        }
        w->out += part;
        w->open -= part;
        w->left -= part;
        size -= part;
    }
}

static uint8_t *write_stored(const deflate_block *block, bool last, uint8_t *out)
{
    stored_writer w = {.out = out, .left = block->size, .last = last};
    const uint8_t *p = block->bytes;
    for (size_t i = 0; i < block->token_count; i++) {
        const deflate_token *t = &block->tokens[i];
        store_bytes(&w, p, t->literals + t->skip);
        store_bytes(&w, NULL, t->length - t->skip);
        p += t->literals + t->skip;
    }
    return w.out;
}

uint8_t *deflate_block_write(const deflate_block *block, bool last, uint8_t *out)
{
    block_codes c;
    memset(&c, 0, sizeof c);
    count_symbols(block, &c);
    choose_codes(&c);
    const size_t stored = block->size + STORED_FRAME_BYTES * ((block->size + STORED_BLOCK_MAX - 1) /
                                                              STORED_BLOCK_MAX);
    // Stored blocks end at a byte boundary, so they need no empty block after them.
    if ((c.bits + 7) / 8 + (last ? 0 : STORED_FRAME_BYTES) >= stored)
        return write_stored(block, last, out);
    bit_writer w = {.out = out};
    write_header(&c, last, &w);
    pack_codes(&c);
    write_tokens(block, &c, &w);
    if (last) {
        bits_align(&w);
        return w.out;
    }
    bits_put(&w, 0, 3); // BFINAL 0, BTYPE 00; then the length 0 and its complement
    bits_align(&w);
    bits_put(&w, 0xffff0000u, 32);
    bits_flush(&w);
    return w.out;
}
