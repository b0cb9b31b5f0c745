// SPDX-License-Identifier: MIT
/// ETC1S in BasisLZ: the code book that all slices of a file share (endpoints, selectors, tables of
/// codes), and slices -> pixels. Each block refers to an endpoint, by prediction from its
/// neighbours or by difference, and to a selector, by number or by its index in a history of recent
/// ones. References: KTX 2.0 specification, "BasisLZ Global Data", "BasisLZ/ETC1S Bitstream" and
/// "ETC1S Slice Decoding"; Khronos Data Format Specification, "ETC1S".
#include "texture/etc1s.h"

#include "image/picture.h"

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

/// Reads endpoints as differences to the previous one; its value chooses the code.
static zt_result read_endpoints(basis_bits *b, arena *a, etc1s_codebook *book, zt_error *err)
{
    basis_huffman color[3], table;
    for (int i = 0; i < 3; i++)
        ZT_TRY(basis_huffman_read(b, a, &color[i], err));
    ZT_TRY(basis_huffman_read(b, a, &table, err));
    const uint32_t channels = basis_take(b, 1) ? 1 : 3;
    etc1s_endpoint *endpoints;
    ZT_TRY(ARENA_TAKE_RAW(a, &endpoints, book->endpoint_count, "endpoints", err));
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
    uint8_t(*selectors)[4];
    ZT_TRY(ARENA_TAKE_RAW(a, &selectors, book->selector_count, "selectors", err));
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

/// Reads counts and sizes, which must sum to the global data; below 2^64: 15 x 2^33 images.
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

// ---- Slices -------------------------------------------------------------------------------------

enum {
    PRED_LEFT = 0,
    PRED_UPPER = 1,
    PRED_UPPER_LEFT = 2,
    PRED_NONE = 3,
    PRED_REPEAT = 256, ///< symbol of a run of predictions
    PRED_RUN_MIN = 3,
    SELECTOR_RUN_MIN = 3,
    SELECTOR_RUN_LONG = 63,
    FLAG_P_FRAME = 2,
    FIRST_PIXEL_BITS = 2,
};

/// The small and the large modifier of each table (the intensity tables of ETC1).
static const int16_t modifiers[8][2] = {{2, 8},   {5, 17},  {9, 29},   {13, 42},
                                        {18, 60}, {24, 80}, {33, 106}, {47, 183}};

typedef struct slice_reader {
    basis_bits b;
    const etc1s_codebook *book;
    uint32_t columns, rows; ///< in blocks
    uint16_t *above;        ///< endpoints of the row above, replaced by those of this row
    uint8_t *lower_pred;    ///< predictions of the odd row, for pairs of blocks
    uint32_t pred, pred_symbol, pred_run;
    uint32_t endpoint;   ///< of the previous block
    uint32_t upper_left; ///< endpoint of the block above the previous one
    uint16_t *history;
    uint32_t rover; ///< index in the history of the next selector
    uint32_t selector_run;
} slice_reader;

/// Reads a number in groups of `bits` with continuation bits. Over 32 bits sets `overrun`.
static uint32_t take_groups(basis_bits *b, uint32_t bits)
{
    uint64_t value = 0;
    for (uint32_t at = 0; at < 32; at += bits) {
        value |= (uint64_t)basis_take(b, bits) << at;
        if (!basis_take(b, 1))
            return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
    }
    b->overrun = true;
    return 0;
}

/// Predictions of 2 x 2 blocks come with the upper left; the lower row's are kept for later.
static void next_predictions(slice_reader *s, uint32_t x, uint32_t y)
{
    if (y % 2 == 1) {
        s->pred = s->lower_pred[x / 2];
        return;
    }
    if (s->pred_run > 0) {
        s->pred_run--;
    } else {
        const uint32_t symbol = basis_symbol(&s->b, &s->book->endpoint_pred);
        if (symbol == PRED_REPEAT) {
            const uint32_t more = take_groups(&s->b, 4);
            s->pred_run = more > UINT32_MAX - PRED_RUN_MIN ? UINT32_MAX : more + PRED_RUN_MIN - 1;
        } else {
            s->pred_symbol = symbol;
        }
    }
    s->pred = s->pred_symbol;
    s->lower_pred[x / 2] = (uint8_t)(s->pred >> 4);
}

static zt_result next_endpoint(slice_reader *s, uint32_t x, uint32_t y, zt_error *err)
{
    if (x % 2 == 0)
        next_predictions(s, x, y);
    const uint32_t pred = s->pred & 3, above = s->above[x];
    s->pred >>= 2;
    if ((x == 0 && (pred == PRED_LEFT || pred == PRED_UPPER_LEFT)) ||
        (y == 0 && (pred == PRED_UPPER || pred == PRED_UPPER_LEFT)))
        return basis_fail(&s->b, "a block repeats a neighbour beyond the border", err);
    if (pred == PRED_UPPER) {
        s->endpoint = above;
    } else if (pred == PRED_UPPER_LEFT) {
        s->endpoint = s->upper_left;
    } else if (pred == PRED_NONE) {
        s->endpoint += basis_symbol(&s->b, &s->book->endpoint_delta);
        if (s->endpoint >= s->book->endpoint_count)
            s->endpoint -= s->book->endpoint_count;
        if (s->endpoint >= s->book->endpoint_count)
            return basis_fail(&s->b, "an endpoint that does not exist", err);
    }
    s->upper_left = above;
    s->above[x] = (uint16_t)s->endpoint;
    return ZT_OK;
}

/// A selector that is given by number enters the second half of the history, which is a ring; one
/// that is given by its index in the history is swapped with the entry at half that index.
static zt_result next_selector(slice_reader *s, uint32_t *out, zt_error *err)
{
    const etc1s_codebook *book = s->book;
    uint32_t symbol = book->selector_count;
    if (s->selector_run > 0) {
        s->selector_run--;
    } else {
        symbol = basis_symbol(&s->b, &book->selector);
        if (symbol == book->selector_count + book->history_size) {
            const uint32_t run = basis_symbol(&s->b, &book->selector_run);
            const uint32_t more = run == SELECTOR_RUN_LONG ? take_groups(&s->b, 7) : run;
            s->selector_run =
                more > UINT32_MAX - SELECTOR_RUN_MIN ? UINT32_MAX : more + SELECTOR_RUN_MIN - 1;
            symbol = book->selector_count;
        }
    }
    if (symbol < book->selector_count) {
        *out = symbol;
        if (book->history_size > 0) {
            s->history[s->rover++] = (uint16_t)symbol;
            if (s->rover == book->history_size)
                s->rover = book->history_size / 2;
        }
        return ZT_OK;
    }
    const uint32_t index = symbol - book->selector_count;
    if (index >= book->history_size)
        return basis_fail(&s->b, "a selector that does not exist", err);
    *out = s->history[index];
    s->history[index] = s->history[index / 2];
    s->history[index / 2] = (uint16_t)*out;
    return ZT_OK;
}

static uint8_t clamp_u8(int value) { return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value); }

/// The channel of the slice that each channel of the picture takes; -1: it stays unchanged.
typedef struct slice_target {
    int8_t from[4];
} slice_target;

/// Pixels of blocks at the right and lower edges that lie outside the picture are dropped.
static void draw_block(const etc1s_endpoint *e, const uint8_t selector[4], slice_target target,
                       uint32_t columns, uint32_t rows, uint8_t *out, size_t pitch)
{
    const int small = modifiers[e->table][0], large = modifiers[e->table][1];
    const int by_selector[4] = {-large, -small, small, large};
    uint8_t colors[4][3];
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++)
            colors[i][c] = clamp_u8(e->color[c] + by_selector[i]);
    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t x = 0; x < columns; x++) {
            const uint8_t *color = colors[selector[y] >> (FIRST_PIXEL_BITS * x) & 3];
            for (int c = 0; c < 4; c++)
                if (target.from[c] >= 0)
                    out[y * pitch + 4 * x + (size_t)c] = color[target.from[c]];
        }
}

static zt_result decode_blocks(slice_reader *s, slice_target target, uint32_t width,
                               uint32_t height, budget *work, uint8_t *out, zt_error *err)
{
    const size_t pitch = (size_t)width * 4;
    for (uint32_t y = 0; y < s->rows; y++) {
        if (budget_cancelled(work))
            return cancel_fail(err);
        for (uint32_t x = 0; x < s->columns; x++) {
            uint32_t selector = 0;
            ZT_TRY(next_endpoint(s, x, y, err));
            ZT_TRY(next_selector(s, &selector, err));
            const uint32_t right = width - 4 * x, lower = height - 4 * y;
            draw_block(&s->book->endpoints[s->endpoint], s->book->selectors[selector], target,
                       right < 4 ? right : 4, lower < 4 ? lower : 4,
                       out + 4 * y * pitch + (size_t)16 * x, pitch);
        }
        if (s->b.overrun)
            return basis_fail(&s->b, "it ends early", err);
    }
    return ZT_OK;
}

static zt_result decode_slice(slice_reader *s, slice_target target, uint32_t width, uint32_t height,
                              arena *temporary, uint8_t *out, zt_error *err)
{
    s->columns = (width + 3) / 4;
    s->rows = (height + 3) / 4;
    ZT_TRY(ARENA_TAKE(temporary, &s->above, s->columns, "blocks of a KTX2", err));
    ZT_TRY(ARENA_TAKE(temporary, &s->lower_pred, (s->columns + 1) / 2, "blocks of a KTX2", err));
    ZT_TRY(ARENA_TAKE(temporary, &s->history, s->book->history_size, "blocks of a KTX2", err));
    s->rover = s->book->history_size / 2;
    return decode_blocks(s, target, width, height, temporary->budget, out, err);
}

/// Which channels the slices fill: the first has the colour, the second alpha or a second channel.
static zt_result choose_targets(const ktx2_file *f, slice_target out[2], zt_error *err)
{
    const bool second = f->channel_count > 1;
    const uint8_t a = f->channel[0], b = f->channel[1];
    out[0] = (slice_target){{0, 1, 2, -1}};
    out[1] = (slice_target){{-1, -1, -1, 1}}; // its green
    if (f->channel_count <= 2 && a == KTX2_ETC1S_RGB && (!second || b == KTX2_ETC1S_AAA))
        return ZT_OK;
    if (f->channel_count == 1 && a == KTX2_ETC1S_RRR)
        return ZT_OK; // a grey picture
    if (f->channel_count == 2 && a == KTX2_ETC1S_RRR && b == KTX2_ETC1S_GGG) {
        out[0] = (slice_target){{0, -1, -1, -1}};
        out[1] = (slice_target){{-1, 1, -1, -1}};
        return ZT_OK;
    }
    if (f->channel_count == 2 && a == KTX2_ETC1S_RRR && b == KTX2_ETC1S_AAA)
        return ZT_OK;
    return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: %u channels of ETC1S, %u and %u", f->name,
                   f->descriptor, f->channel_count, a, b);
}

zt_result etc1s_level_decode(const ktx2_file *f, const etc1s_codebook *book, uint32_t level,
                             arena *temporary, uint8_t *out, zt_error *err)
{
    const uint32_t width = picture_level_side(f->width, level),
                   height = picture_level_side(f->height, level);
    const size_t image = book->images + IMAGE_BYTES * (size_t)(f->image_count * level);
    slice_target target[2];
    ZT_TRY(choose_targets(f, target, err));
    if (ktx2_u32(f->bytes, image) & FLAG_P_FRAME)
        return zt_fail(err, ZT_ERR_FORMAT, "%s:%zu: the first frame depends on one before it",
                       f->name, image);
    for (size_t i = 0; i < (size_t)width * height * 4; i++)
        out[i] = 255;
    for (uint32_t i = 0; i < 2 && i < f->channel_count; i++) {
        const uint64_t offset = ktx2_u32(f->bytes, image + 4 + 8 * i);
        const uint64_t size = ktx2_u32(f->bytes, image + 8 + 8 * i);
        if (size == 0 || offset + size > f->level[level].size)
            return zt_fail(err, ZT_ERR_FORMAT,
                           "%s:%zu: a slice of %llu bytes from %llu (its level has %zu)", f->name,
                           image + 4 + 8 * i, (unsigned long long)size, (unsigned long long)offset,
                           f->level[level].size);
        slice_reader s = {.book = book};
        s.b =
            basis_section(f->name, f->bytes, f->level[level].offset + (size_t)offset, (size_t)size);
        ZT_TRY(decode_slice(&s, target[i], width, height, temporary, out, err));
    }
    return ZT_OK;
}
