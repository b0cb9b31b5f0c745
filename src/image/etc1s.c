// SPDX-License-Identifier: MIT
/// Slices of ETC1S -> pixels (KTX 2.0 specification, "ETC1S Slice Decoding"; Khronos Data Format
/// Specification, "ETC1S"). Each block refers to an endpoint, by prediction from its neighbours or
/// by difference, and to a selector, by number or by its place in a history of recent ones.
#include "image/etc1s.h"

enum {
    PRED_LEFT = 0,
    PRED_UPPER = 1,
    PRED_UPPER_LEFT = 2,
    PRED_NONE = 3,
    PRED_REPEAT = 256, ///< symbol of a run of predictions
    PRED_RUN_LEAST = 3,
    SELECTOR_RUN_LEAST = 3,
    SELECTOR_RUN_LONG = 63,
    IMAGE_BYTES = 20,
    FLAG_P_FRAME = 2,
    FIRST_PIXEL_BITS = 2,
};

/// Modifiers of the tables: the small and the large one (ETC1's intensity tables).
static const int16_t modifiers[8][2] = {
    {2,  8  },
    {5,  17 },
    {9,  29 },
    {13, 42 },
    {18, 60 },
    {24, 80 },
    {33, 106},
    {47, 183}
};

typedef struct slice_reader {
    basis_bits b;
    const etc1s_codebook *book;
    uint32_t columns, rows; ///< in blocks
    uint16_t *above;        ///< endpoints of the row above, overwritten by this row's
    uint8_t *lower_pred;    ///< predictions of the odd row, by pairs of blocks
    uint32_t pred, pred_symbol, pred_run;
    uint32_t endpoint;   ///< of the block before
    uint32_t upper_left; ///< endpoint of the block above that one
    uint16_t *history;
    uint32_t rover; ///< where the history takes the next selector
    uint32_t selector_run;
} slice_reader;

/// A number in groups of `bits`, each followed by a bit that says whether there are more. What does
/// not fit in 32 bits is an overrun.
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

/// The predictions of 2 x 2 blocks come at their upper left one; those of the lower row are kept.
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
            s->pred_run =
                more > UINT32_MAX - PRED_RUN_LEAST ? UINT32_MAX : more + PRED_RUN_LEAST - 1;
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

/// A selector's own number enters the second half of the history in turn; one that is found there
/// moves to half its index.
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
                more > UINT32_MAX - SELECTOR_RUN_LEAST ? UINT32_MAX : more + SELECTOR_RUN_LEAST - 1;
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
    const uint32_t place = symbol - book->selector_count;
    if (place >= book->history_size)
        return basis_fail(&s->b, "a selector that does not exist", err);
    *out = s->history[place];
    s->history[place] = s->history[place / 2];
    s->history[place / 2] = (uint16_t)*out;
    return ZT_OK;
}

static uint8_t clamp_u8(int value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/// The channel that each channel of the picture takes from a slice; -1: it is left alone.
typedef struct slice_target {
    int8_t from[4];
} slice_target;

/// Blocks at the right and lower edges hold pixels beyond the picture, which are dropped.
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
                               uint32_t height, uint8_t *out, zt_error *err)
{
    const size_t pitch = (size_t)width * 4;
    for (uint32_t y = 0; y < s->rows; y++) {
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
    s->above = ARENA_ARRAY(temporary, uint16_t, s->columns);
    s->lower_pred = ARENA_ARRAY(temporary, uint8_t, (s->columns + 1) / 2);
    s->history = ARENA_ARRAY(temporary, uint16_t, s->book->history_size);
    if (!s->above || !s->lower_pred || !s->history)
        return arena_fail(temporary, err, "blocks of a KTX2");
    s->rover = s->book->history_size / 2;
    return decode_blocks(s, target, width, height, out, err);
}

/// Where the channels of the slices go: one of colour, and one of alpha or of a second channel.
static zt_result find_targets(const ktx2_file *f, slice_target out[2], zt_error *err)
{
    const bool second = f->channel_count > 1;
    const uint8_t a = f->channel[0], b = f->channel[1];
    out[0] = (slice_target){
        {0, 1, 2, -1}
    };
    out[1] = (slice_target){
        {-1, -1, -1, 1}
    }; // its green
    if (f->channel_count <= 2 && a == KTX2_ETC1S_RGB && (!second || b == KTX2_ETC1S_AAA))
        return ZT_OK;
    if (f->channel_count == 1 && a == KTX2_ETC1S_RRR)
        return ZT_OK; // a grey picture
    if (f->channel_count == 2 && a == KTX2_ETC1S_RRR && b == KTX2_ETC1S_GGG) {
        out[0] = (slice_target){
            {0, -1, -1, -1}
        };
        out[1] = (slice_target){
            {-1, 1, -1, -1}
        };
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
    const uint32_t width = ktx2_side(f->width, level), height = ktx2_side(f->height, level);
    const size_t image = book->images + IMAGE_BYTES * (size_t)(f->image_count * level);
    slice_target target[2];
    ZT_TRY(find_targets(f, target, err));
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
