// SPDX-License-Identifier: MIT
/// Prefix codes of BasisLZ: reads tables of code lengths, which are themselves coded, and symbols.
/// Reference: KTX 2.0 specification, "BasisLZ/ETC1S Bitstream".
#include "texture/basis_huffman.h"

#include <string.h>

enum {
    LENGTH_SYMBOLS = 21,
    SHORT_ZEROS = 17,
    LONG_ZEROS = 18,
    SHORT_REPEAT = 19,
    LONG_REPEAT = 20,
};

basis_bits basis_section(const char *name, file_bytes bytes, size_t offset, size_t size)
{
    return (basis_bits){.name = name, .bytes = bytes, .first = offset, .end = offset + size};
}

zt_result basis_fail(const basis_bits *b, const char *what, zt_error *err)
{
    const uint64_t byte = b->first + b->at / 8;
    return zt_fail(err, ZT_ERR_FORMAT, "%s:%llu: broken BasisLZ data: %s", b->name,
                   (unsigned long long)(byte < b->end ? byte : b->end), what);
}

/// Sorts symbols by code length. Codes must be complete, but a single one may be short.
static zt_result build(const basis_bits *b, arena *a, const uint8_t *length, uint32_t count,
                       basis_huffman *out, zt_error *err)
{
    uint32_t used = 0, space = 0;
    memset(out->count, 0, sizeof out->count);
    for (uint32_t i = 0; i < count; i++)
        if (length[i]) {
            out->count[length[i]]++;
            space += 1u << (BASIS_CODE_BITS - length[i]);
            used++;
        }
    if (space > 1u << BASIS_CODE_BITS || (used > 1 && space != 1u << BASIS_CODE_BITS))
        return basis_fail(b, "the lengths of a table of codes do not fit", err);
    ZT_TRY(ARENA_TAKE_RAW(a, &out->symbol, used, "a table of codes", err));
    uint32_t at = 0;
    for (uint32_t bits = 1; bits <= BASIS_CODE_BITS; bits++)
        for (uint32_t i = 0; i < count && out->count[bits]; i++)
            if (length[i] == bits)
                out->symbol[at++] = (uint16_t)i;
    return ZT_OK;
}

uint32_t basis_symbol(basis_bits *b, const basis_huffman *h)
{
    // `code` counts from the first code of this length, `index` symbols of shorter ones.
    uint32_t code = 0, index = 0;
    for (uint32_t bits = 1; bits <= BASIS_CODE_BITS; bits++) {
        code = code << 1 | basis_take(b, 1);
        if (code < h->count[bits])
            return h->symbol[index + code];
        code -= h->count[bits];
        index += h->count[bits];
    }
    b->overrun = true;
    return 0;
}

/// Decodes a symbol of lengths: `*out_run` codes of `*out_length` bits. False: no length to repeat.
static bool read_run(basis_bits *b, uint32_t symbol, uint8_t last, uint8_t *out_length,
                     uint32_t *out_run)
{
    static const struct {
        uint8_t bits, min;
    } runs[] = {{3, 3}, {7, 11}, {2, 3}, {7, 7}};
    *out_length = (uint8_t)symbol;
    *out_run = 1;
    if (symbol < SHORT_ZEROS)
        return true;
    *out_run = runs[symbol - SHORT_ZEROS].min + basis_take(b, runs[symbol - SHORT_ZEROS].bits);
    *out_length = symbol < SHORT_REPEAT ? 0 : last;
    return symbol < SHORT_REPEAT || last != 0;
}

zt_result basis_huffman_read(basis_bits *b, arena *a, basis_huffman *out, zt_error *err)
{
    static const uint8_t order[LENGTH_SYMBOLS] = {
        SHORT_ZEROS, LONG_ZEROS, SHORT_REPEAT, LONG_REPEAT, 0,  8, 7,  9, 6,  10, 5,
        11,          4,          12,           3,           13, 2, 14, 1, 15, 16};
    uint8_t length[BASIS_SYMBOLS_MAX], code_length[LENGTH_SYMBOLS] = {0};
    basis_huffman lengths;
    *out = (basis_huffman){{0}, NULL};
    const uint32_t count = basis_take(b, 14);
    if (count == 0)
        return b->overrun ? basis_fail(b, "it ends early", err) : ZT_OK;
    const uint32_t code_count = basis_take(b, 5);
    if (code_count < 1 || code_count > LENGTH_SYMBOLS)
        return basis_fail(b, "a table of codes has not 1 to 21 lengths", err);
    for (uint32_t i = 0; i < code_count; i++)
        code_length[order[i]] = (uint8_t)basis_take(b, 3);
    ZT_TRY(build(b, a, code_length, LENGTH_SYMBOLS, &lengths, err));
    for (uint32_t i = 0; i < count;) {
        uint8_t value;
        uint32_t run;
        const uint32_t symbol = basis_symbol(b, &lengths);
        const bool valid = read_run(b, symbol, i ? length[i - 1] : 0, &value, &run);
        if (b->overrun)
            return basis_fail(b, "it ends early", err);
        if (!valid || run > count - i)
            return basis_fail(b, "a run of lengths of codes does not fit", err);
        memset(length + i, value, run);
        i += run;
    }
    return build(b, a, length, count, out, err);
}
