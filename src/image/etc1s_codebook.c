// SPDX-License-Identifier: MIT
/// Global data of BasisLZ: endpoints, selectors and the tables of codes of the slices (KTX 2.0
/// specification, "BasisLZ Global Data" and "BasisLZ/ETC1S Bitstream").
#include "image/etc1s.h"

enum {
    HEADER_BYTES = 20,
    IMAGE_BYTES = 20,
    FIRST_COLOR = 16,
    LOW_COLOR_LAST = 9,
    MIDDLE_COLOR_LAST = 21,
};

typedef struct global_sizes {
    uint32_t endpoints, selectors, tables, extended;
} global_sizes;

static zt_result check_end(const basis_bits *b, zt_error *err)
{
    return b->overrun ? basis_fail(b, "it ends early", err) : ZT_OK;
}

/// Differences to the endpoint before, whose code depends on the value before.
static zt_result read_endpoints(basis_bits *b, arena *a, etc1s_codebook *book, zt_error *err)
{
    basis_huffman color[3], table;
    for (int i = 0; i < 3; i++)
        ZT_TRY(basis_huffman_read(b, a, &color[i], err));
    ZT_TRY(basis_huffman_read(b, a, &table, err));
    const uint32_t channels = basis_take(b, 1) ? 1 : 3;
    etc1s_endpoint *endpoints = ARENA_ARRAY_RAW(a, etc1s_endpoint, book->endpoint_count);
    if (!endpoints)
        return arena_fail(a, err, "endpoints");
    uint32_t last_table = 0, last[3] = {FIRST_COLOR, FIRST_COLOR, FIRST_COLOR};
    for (uint32_t i = 0; i < book->endpoint_count; i++) {
        last_table = (last_table + basis_symbol(b, &table)) & 7;
        endpoints[i].table = (uint8_t)last_table;
        for (uint32_t c = 0; c < channels; c++) {
            const int model = last[c] <= LOW_COLOR_LAST ? 0 : last[c] <= MIDDLE_COLOR_LAST ? 1 : 2;
            last[c] = (last[c] + basis_symbol(b, &color[model])) & 31;
        }
        for (uint32_t c = 0; c < 3; c++) {
            const uint32_t value = last[channels == 1 ? 0 : c];
            endpoints[i].color[c] = (uint8_t)(value << 3 | value >> 2);
        }
        ZT_TRY(check_end(b, err));
    }
    book->endpoints = endpoints;
    return ZT_OK;
}

static zt_result read_selectors(basis_bits *b, arena *a, etc1s_codebook *book, zt_error *err)
{
    basis_huffman delta = {{0}, NULL};
    if (basis_take(b, 2) != 0)
        return basis_fail(b, "reserved bits of the selectors are set", err);
    const bool raw = basis_take(b, 1) != 0;
    if (!raw)
        ZT_TRY(basis_huffman_read(b, a, &delta, err));
    uint8_t(*selectors)[4] = arena_alloc_raw(a, book->selector_count, sizeof *selectors);
    if (!selectors)
        return arena_fail(a, err, "selectors");
    for (uint32_t i = 0; i < book->selector_count; i++) {
        for (uint32_t k = 0; k < 4; k++)
            selectors[i][k] =
                (uint8_t)(raw || i == 0 ? basis_take(b, 8)
                                        : selectors[i - 1][k] ^ basis_symbol(b, &delta));
        ZT_TRY(check_end(b, err));
    }
    book->selectors = (const uint8_t(*)[4])selectors;
    return ZT_OK;
}

static zt_result read_tables(basis_bits *b, arena *a, etc1s_codebook *book, zt_error *err)
{
    ZT_TRY(basis_huffman_read(b, a, &book->endpoint_pred, err));
    ZT_TRY(basis_huffman_read(b, a, &book->endpoint_delta, err));
    ZT_TRY(basis_huffman_read(b, a, &book->selector, err));
    ZT_TRY(basis_huffman_read(b, a, &book->selector_run, err));
    book->history_size = basis_take(b, 13);
    return check_end(b, err);
}

/// Counts and sizes, which must add up to the global data. At most 15 x 2^33 images, so the sums
/// are below 2^64.
static zt_result read_sizes(const ktx2_file *f, etc1s_codebook *book, global_sizes *sizes,
                            zt_error *err)
{
    if (f->global_size < HEADER_BYTES)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: global data of %zu bytes (expected %d or more)",
                       f->name, f->global, f->global_size, HEADER_BYTES);
    const uint32_t counts = ktx2_u32(f->bytes, f->global);
    book->endpoint_count = counts & 0xffff;
    book->selector_count = counts >> 16;
    book->images = f->global + HEADER_BYTES;
    *sizes = (global_sizes){ktx2_u32(f->bytes, f->global + 4), ktx2_u32(f->bytes, f->global + 8),
                            ktx2_u32(f->bytes, f->global + 12), ktx2_u32(f->bytes, f->global + 16)};
    const uint64_t images = f->image_count * f->level_count;
    const uint64_t sum = HEADER_BYTES + IMAGE_BYTES * images + sizes->endpoints +
                         (uint64_t)sizes->selectors + sizes->tables + sizes->extended;
    if (sum != f->global_size)
        return zt_fail(err, ZT_ERR_FORMAT,
                       "%s:%zu: global data of %zu bytes (its parts and %llu images take %llu)",
                       f->name, f->global, f->global_size, (unsigned long long)images,
                       (unsigned long long)sum);
    if (book->endpoint_count == 0 || book->selector_count == 0)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: global data of %u endpoints and %u selectors",
                       f->name, f->global, book->endpoint_count, book->selector_count);
    return ZT_OK;
}

zt_result etc1s_codebook_read(const ktx2_file *f, arena *a, etc1s_codebook *out, zt_error *err)
{
    global_sizes sizes = {0, 0, 0, 0};
    *out = (etc1s_codebook){0};
    ZT_TRY(read_sizes(f, out, &sizes, err));
    size_t at = out->images + IMAGE_BYTES * (size_t)(f->image_count * f->level_count);
    basis_bits b = basis_section(f->name, f->bytes, at, sizes.endpoints);
    ZT_TRY(read_endpoints(&b, a, out, err));
    at += sizes.endpoints;
    b = basis_section(f->name, f->bytes, at, sizes.selectors);
    ZT_TRY(read_selectors(&b, a, out, err));
    at += sizes.selectors;
    b = basis_section(f->name, f->bytes, at, sizes.tables);
    return read_tables(&b, a, out, err);
}
