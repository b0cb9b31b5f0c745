// SPDX-License-Identifier: MIT
/// BasisLZ: pictures that are packed here, with every kind of reference between blocks, and come
/// back; pixels of files of the reference encoder; streams that lie.
#include "base/bytes.h"
#include "ktx2_fixture.h"
#include "random_numbers.h"
#include "testing.h"
#include "texture/texture_codecs.h"

enum { MODEL_ETC1S = 163, RGB = 0, RRR = 3, GGG = 4, AAA = 15 };
enum { ENDPOINTS = 24, SELECTORS = 16, HISTORY = 8, BLOCKS_MOST = 64, GLOBAL_MOST = 4096 };
// Symbols of the tables, all with codes of one length.
enum { PRED_BITS = 9, DELTA_BITS = 5, SELECTOR_BITS = 5, RUN_BITS = 6, REPEAT = 256 };

typedef struct stream {
    uint8_t data[GLOBAL_MOST];
    size_t bit;
} stream;

static void put(stream *s, uint32_t value, int bits)
{
    cr_assert(s->bit + (size_t)bits <= sizeof s->data * 8);
    for (int i = 0; i < bits; i++, s->bit++)
        s->data[s->bit / 8] |= (uint8_t)((value >> i & 1) << (s->bit % 8));
}

/// A code of a table whose codes have `bits` bits: the highest one first.
static void put_symbol(stream *s, uint32_t symbol, int bits)
{
    for (int i = bits; i-- > 0;)
        put(s, symbol >> i & 1, 1);
}

/// 2^bits codes of `bits` bits: one code of lengths, of one bit, that stands for `bits`.
static void put_table(stream *s, int bits)
{
    static const int order[21] = {17, 18, 19, 20, 0,  8, 7,  9, 6,  10, 5,
                                  11, 4,  12, 3,  13, 2, 14, 1, 15, 16};
    put(s, 1u << bits, 14);
    put(s, 21, 5);
    for (int i = 0; i < 21; i++)
        put(s, order[i] == bits, 3);
    for (int i = 0; i < 1 << bits; i++)
        put(s, 0, 1);
}

static void put_groups(stream *s, uint32_t value, int bits)
{
    do {
        put(s, value & ((1u << bits) - 1), bits);
        value >>= bits;
        put(s, value != 0, 1);
    } while (value != 0);
}

static size_t bytes_of(const stream *s) { return (s->bit + 7) / 8; }

static uint32_t random_state;

static uint32_t below(uint32_t limit) { return next_random(&random_state) % limit; }

/// The parts of a file of this test.
typedef struct source {
    uint8_t color[ENDPOINTS][3]; ///< of 5 bits
    uint8_t table[ENDPOINTS];
    uint8_t selector[SELECTORS][16]; ///< of 2 bits
    bool grey, raw_selectors;
    uint32_t columns, rows;
    uint8_t endpoint_of[BLOCKS_MOST], selector_of[BLOCKS_MOST];
} source;

static void fill(source *s, uint32_t columns, uint32_t rows)
{
    memset(s, 0, sizeof *s);
    s->grey = below(2);
    s->raw_selectors = below(2);
    for (int i = 0; i < ENDPOINTS; i++) {
        s->table[i] = (uint8_t)below(8);
        for (int c = 0; c < 3; c++)
            s->color[i][c] = c && s->grey ? s->color[i][0] : (uint8_t)below(32);
    }
    for (int i = 0; i < SELECTORS * 16; i++)
        s->selector[i / 16][i % 16] = (uint8_t)below(4);
    s->columns = columns;
    s->rows = rows;
    for (uint32_t i = 0; i < columns * rows; i++) { // mostly repeats of what is near
        const uint32_t kind = below(5);
        s->endpoint_of[i] = (uint8_t)(kind == 0 || i == 0         ? below(ENDPOINTS)
                                      : kind == 1 && i >= columns ? s->endpoint_of[i - columns]
                                      : kind == 2 && i > columns  ? s->endpoint_of[i - columns - 1]
                                                                  : s->endpoint_of[i - 1]);
        s->selector_of[i] =
            (uint8_t)(i == 0 || below(3) == 0 ? below(SELECTORS) : s->selector_of[i - 1]);
    }
}

static void pack_endpoints(const source *s, stream *out)
{
    uint32_t last[3] = {16, 16, 16}, table = 0;
    for (int i = 0; i < 3; i++)
        put_table(out, 5);
    put_table(out, 3);
    put(out, s->grey, 1);
    for (int i = 0; i < ENDPOINTS; i++) {
        put_symbol(out, (s->table[i] - table) & 7, 3);
        table = s->table[i];
        for (int c = 0; c < (s->grey ? 1 : 3); c++) {
            put_symbol(out, (s->color[i][c] - last[c]) & 31, 5);
            last[c] = s->color[i][c];
        }
    }
}

static void pack_selectors(const source *s, stream *out)
{
    uint32_t last[4] = {0};
    put(out, 0, 2);
    put(out, s->raw_selectors, 1);
    if (!s->raw_selectors)
        put_table(out, 8);
    for (int i = 0; i < SELECTORS; i++)
        for (int y = 0; y < 4; y++) {
            uint32_t row = 0;
            for (int x = 0; x < 4; x++)
                row |= (uint32_t)s->selector[i][4 * y + x] << (2 * x);
            if (i == 0 || s->raw_selectors)
                put(out, row, 8);
            else
                put_symbol(out, row ^ last[y], 8);
            last[y] = row;
        }
}

static void pack_tables(stream *out)
{
    put_table(out, PRED_BITS);
    put_table(out, DELTA_BITS);
    put_table(out, SELECTOR_BITS);
    put_table(out, RUN_BITS);
    put(out, HISTORY, 13);
}

/// Ways in which a block takes over an endpoint: 0 left, 1 above, 2 above left, 3 not at all.
static uint32_t prediction(const source *s, uint32_t x, uint32_t y)
{
    if (x >= s->columns || y >= s->rows)
        return 0;
    const uint8_t *at = &s->endpoint_of[y * s->columns + x];
    if (x > 0 && at[-1] == at[0])
        return 0;
    if (y > 0 && *(at - s->columns) == at[0])
        return 1;
    if (x > 0 && y > 0 && *(at - s->columns - 1) == at[0])
        return 2;
    return 3;
}

static uint32_t group_of(const source *s, uint32_t group)
{
    const uint32_t across = (s->columns + 1) / 2;
    const uint32_t x = group % across * 2, y = group / across * 2;
    return prediction(s, x, y) | prediction(s, x + 1, y) << 2 | prediction(s, x, y + 1) << 4 |
           prediction(s, x + 1, y + 1) << 6;
}

/// The history of the writer, as the format describes it.
typedef struct history {
    uint8_t value[HISTORY];
    uint32_t rover, run;
} history;

static void pack_selector(const source *s, history *h, uint32_t block, stream *out)
{
    const uint32_t count = s->columns * s->rows, want = s->selector_of[block];
    if (h->run > 0) {
        h->run--;
        return;
    }
    uint32_t run = 0;
    while (h->value[0] == want && block + run < count && s->selector_of[block + run] == want)
        run++;
    if (run >= 3) {
        put_symbol(out, SELECTORS + HISTORY, SELECTOR_BITS);
        put_symbol(out, run - 3 < 63 ? run - 3 : 63, RUN_BITS);
        if (run - 3 >= 63)
            put_groups(out, run - 3, 7);
        h->run = run - 1;
        return;
    }
    for (uint32_t slot = 0; slot < HISTORY; slot++)
        if (h->value[slot] == want) {
            put_symbol(out, SELECTORS + slot, SELECTOR_BITS);
            h->value[slot] = h->value[slot / 2];
            h->value[slot / 2] = (uint8_t)want;
            return;
        }
    put_symbol(out, want, SELECTOR_BITS);
    h->value[h->rover++] = (uint8_t)want;
    h->rover = h->rover == HISTORY ? HISTORY / 2 : h->rover;
}

static void pack_slice(const source *s, stream *out)
{
    const uint32_t across = (s->columns + 1) / 2, groups = across * ((s->rows + 1) / 2);
    history h = {.rover = HISTORY / 2};
    uint32_t skip = 0, last_group = 0, last = 0;
    for (uint32_t y = 0; y < s->rows; y++)
        for (uint32_t x = 0; x < s->columns; x++) {
            const uint32_t block = y * s->columns + x, group = y / 2 * across + x / 2;
            if (x % 2 == 0 && y % 2 == 0 && skip > 0)
                skip--;
            else if (x % 2 == 0 && y % 2 == 0) {
                uint32_t run = 0;
                while (group + run < groups && group_of(s, group + run) == last_group)
                    run++;
                last_group = group_of(s, group);
                put_symbol(out, run >= 3 ? REPEAT : last_group, PRED_BITS);
                if (run >= 3) {
                    put_groups(out, run - 3, 4);
                    skip = run - 1;
                }
            }
            const uint32_t endpoint = s->endpoint_of[block];
            if (prediction(s, x, y) == 3)
                put_symbol(out, (endpoint + ENDPOINTS - last) % ENDPOINTS, DELTA_BITS);
            last = endpoint;
            pack_selector(s, &h, block, out);
        }
}

/// Global data with one image of one or two slices.
static size_t make_global(const source *s, const stream slices[2], uint32_t count,
                          uint8_t out[GLOBAL_MOST])
{
    stream part[3] = {{{0}, 0}, {{0}, 0}, {{0}, 0}};
    pack_endpoints(s, &part[0]);
    pack_selectors(s, &part[1]);
    pack_tables(&part[2]);
    memset(out, 0, 40);
    bytes_store_u32_le(out, ENDPOINTS | SELECTORS << 16);
    size_t size = 40;
    for (int i = 0; i < 3; i++) {
        bytes_store_u32_le(out + 4 + 4 * i, (uint32_t)bytes_of(&part[i]));
        memcpy(out + size, part[i].data, bytes_of(&part[i]));
        size += bytes_of(&part[i]);
    }
    bytes_store_u32_le(out + 28, (uint32_t)bytes_of(&slices[0]));
    if (count > 1) {
        bytes_store_u32_le(out + 32, (uint32_t)bytes_of(&slices[0]));
        bytes_store_u32_le(out + 36, (uint32_t)bytes_of(&slices[1]));
    }
    return size;
}

/// A file of `width` x `height` pixels whose slices share the codebooks of the first source.
static void make_file(picture_case *c, const source *first, const source *second, uint32_t width,
                      uint32_t height, const uint8_t channels[2])
{
    stream slices[2] = {{{0}, 0}, {{0}, 0}};
    uint8_t global[GLOBAL_MOST], level[2 * GLOBAL_MOST];
    pack_slice(first, &slices[0]);
    if (second)
        pack_slice(second, &slices[1]);
    const size_t size = make_global(first, slices, second ? 2 : 1, global);
    const size_t a = bytes_of(&slices[0]), b = second ? bytes_of(&slices[1]) : 0;
    memcpy(level, slices[0].data, a);
    memcpy(level + a, slices[1].data, b);
    ktx2_start(c, &(ktx2_head){.width = width,
                               .height = height,
                               .scheme = 1,
                               .model = MODEL_ETC1S,
                               .channels = {channels[0], channels[1]},
                               .channel_count = second ? 2 : 1,
                               .global = global,
                               .global_size = size});
    ktx2_level_add(c, 0, level, a + b, 0);
}

/// ETC1: 5 bits widened to 8, and a modifier by table and selector, cut to [0, 255].
static int want_pixel(const source *book, const source *s, uint32_t x, uint32_t y, int channel)
{
    static const int small[8] = {2, 5, 9, 13, 18, 24, 33, 47};
    static const int large[8] = {8, 17, 29, 42, 60, 80, 106, 183};
    const uint32_t block = y / 4 * s->columns + x / 4;
    const int endpoint = s->endpoint_of[block];
    const int selector = book->selector[s->selector_of[block]][y % 4 * 4 + x % 4];
    const int table = book->table[endpoint];
    const int modifier = selector == 0   ? -large[table]
                         : selector == 1 ? -small[table]
                         : selector == 2 ? small[table]
                                         : large[table];
    const int value = book->color[endpoint][channel] * 33 / 4 + modifier;
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

Test(etc1s, packed_blocks_come_back)
{
    random_state = 11;
    for (int round = 0; round < 200; round++) {
        static source first, second;
        const uint32_t columns = 1 + below(8), rows = 1 + below(8);
        const uint32_t width = 4 * columns - below(4), height = 4 * rows - below(4);
        const bool alpha = round % 2, two = round % 6 == 3;
        fill(&first, columns, rows);
        fill(&second, columns, rows);
        PICTURE_CASE(c, 0);
        const uint8_t channels[2] = {two ? RRR : RGB, two ? GGG : AAA};
        make_file(&c, &first, alpha ? &second : NULL, width, height, channels);
        cr_assert_eq(ktx2_run(&c), ZT_OK, "round %d: %s", round, c.err.message);
        cr_assert(c.out.width == (int32_t)width && c.out.height == (int32_t)height);
        cr_expect_eq(c.out.two_channel, two);
        for (uint32_t y = 0; y < height; y++)
            for (uint32_t x = 0; x < width; x++)
                for (int k = 0; k < 4; k++) {
                    int want = 255;
                    if (k == 3 ? alpha && !two : two && k == 1)
                        want = want_pixel(&first, &second, x, y, 1);
                    else if (k < (two ? 1 : 3))
                        want = want_pixel(&first, &first, x, y, k);
                    const int got =
                        ((const uint8_t *)c.out.level[0])[4 * (y * width + x) + (uint32_t)k];
                    cr_assert(got == want, "round %d, %u %u.%d: %d, expected %d", round, x, y, k,
                              got, want);
                }
    }
}

/// Files of the reference encoder; its decoder gives the same colours, UASTC's up to rounding.
Test(etc1s, pinned_pixels)
{
    static const struct {
        const char *name;
        int32_t width, height, levels;
        bool has_alpha;
        uint64_t hash;
    } cases[] = {
        {"ktx2/etc1s_mips.ktx2", 37, 26, 6, false, UINT64_C(0xeb59aca0de114e8b)},
        {"ktx2/etc1s_alpha.ktx2", 22, 14, 1, true, UINT64_C(0x5252a00586135d91)},
        {"ktx2/uastc_zstd.ktx2", 33, 19, 6, true, UINT64_C(0xd5d62c7874094c90)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PICTURE_CASE(c, 0);
        const file_bytes bytes = picture_read_corpus(&c, cases[i].name);
        MUST(ktx2_decode(&c.a, cases[i].name, bytes, c.need, &c.out, &c.err), c.err);
        cr_assert(c.out.width == cases[i].width && c.out.height == cases[i].height &&
                  c.out.level_count == cases[i].levels && c.out.has_alpha == cases[i].has_alpha);
        uint64_t hash = 0;
        for (int32_t level = 0; level < c.out.level_count; level++) {
            const int32_t width = c.out.width >> level ? c.out.width >> level : 1;
            const int32_t height = c.out.height >> level ? c.out.height >> level : 1;
            uint8_t pixels[37 * 26 * 4];
            memcpy(pixels, c.out.level[level], (size_t)width * (size_t)height * 4);
            const zt_image image = {
                .rgba8 = pixels, .width = width, .height = height, .stride = (size_t)width * 4};
            hash = hash * 31 + zt_image_hash(&image);
        }
        cr_expect_eq(hash, cases[i].hash, "%s: 0x%016llx", cases[i].name, (unsigned long long)hash);
    }
}

// ---- Streams that lie ---------------------------------------------------------------------------

static void make_good(picture_case *c)
{
    static source s;
    random_state = 5;
    fill(&s, 4, 4);
    ktx2_begin(c, 0);
    make_file(c, &s, NULL, 16, 16, (const uint8_t[]){RGB, 0});
    MUST(ktx2_run(c), c->err);
}

/// The global data begins at 152; its images are 20 bytes on, the endpoints 40.
Test(etc1s, global_data_that_lies)
{
    static const struct {
        size_t at;
        uint32_t value;
        size_t byte;
        const char *text;
    } cases[] = {
        {72, 19, 152, "global data of 19 bytes"},
        {152, SELECTORS << 16, 152, "0 endpoints"},
        {152, ENDPOINTS, 152, "0 selectors"},
        {156, 0, 152, "its parts and 1 images"},
        {168, 1, 152, "its parts"},
        {32, 1000, 152, "1000 images"},
        {172, 2, 172, "depends on one before it"},
        {176, 9999, 176, "a slice of"},
        {180, 0, 176, "a slice of 0 bytes"},
        {180, 9999, 176, "a slice of 9999 bytes"},
        {44, 2, 44, "go together"},
        {52, 28, 104, "no samples"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PICTURE_CASE(c, 0);
        make_good(&c);
        cr_assert_eq(c.file[64] | c.file[65] << 8, 152);
        picture_put_u32(&c, cases[i].at, cases[i].value);
        ktx2_expect_error(&c, ZT_ERR_FORMAT, cases[i].byte, cases[i].text);
    }
}

Test(etc1s, channels_that_do_not_exist)
{
    PICTURE_CASE(c, 0);
    make_good(&c);
    c.file[c.descriptor + 28 + 3] = 7;
    ktx2_expect_error(&c, ZT_ERR_FORMAT, c.descriptor, "1 channels of ETC1S, 7");
}

/// Sections that end early: all but the last byte go to the extended data, which nobody reads.
Test(etc1s, sections_that_end_early)
{
    for (size_t section = 0; section < 3; section++) {
        PICTURE_CASE(c, 0);
        make_good(&c);
        const size_t at = 156 + 4 * section;
        const uint32_t size = (uint32_t)(c.file[at] | c.file[at + 1] << 8);
        picture_put_u32(&c, at, 1);
        picture_put_u32(&c, 168, size - 1);
        cr_expect_eq(ktx2_run(&c), ZT_ERR_FORMAT);
        cr_expect(strstr(c.err.message, "broken BasisLZ data: "), "%s", c.err.message);
    }
}

Test(etc1s, broken_tables_and_blocks)
{
    PICTURE_CASE(c, 0);
    make_good(&c);
    // The first table of codes: its count, then 5 bits of which 22 is too much.
    picture_put_u32(&c, 192, 32 | 22 << 14);
    ktx2_expect_error(&c, ZT_ERR_FORMAT, 194, "1 to 21 lengths");
    make_good(&c);
    // All lengths 1: too many codes.
    picture_put_u32(&c, 192, 32 | 21 << 14 | 1u << 19 | 1u << 22 | 1u << 25 | 1u << 28 | 1u << 31);
    ktx2_expect_error(&c, ZT_ERR_FORMAT, 202, "do not fit");
    make_good(&c);
    // A first block that repeats its left neighbour: prediction 0 of 9 bits.
    c.file[c.levels] = 0;
    c.file[c.levels + 1] = 0;
    ktx2_expect_error(&c, ZT_ERR_FORMAT, c.levels + 1, "beyond the border");
    make_good(&c);
    // A slice that is one byte long.
    picture_put_u32(&c, 180, 1);
    ktx2_expect_error(&c, ZT_ERR_FORMAT, c.levels + 1, "");
}
