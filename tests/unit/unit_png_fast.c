// SPDX-License-Identifier: MIT
/// The PNG encoders: files against two readers (libpng, and png_oracle over zlib), its bytes
/// against a fixed hash and against themselves in any order of bands, its size against its bound.
#include "base/hash.h"
#include "image/deflate_huffman.h"
#include "image/deflate_tokens.h"
#include "image/png_write.h"
#include "picture_fixture.h"
#include "png_oracle.h"
#include "random_numbers.h"
#include "test_memory.h"

#include <zlib.h>

typedef enum content {
    CONSTANT,
    RAMP,
    NOISE,      ///< nothing to compress
    GREY_NOISE, ///< few values, the same in all channels
    SPARSE,     ///< empty but for single pixels: runs of all lengths
    SPRITE,     ///< a disk on nothing
    COLUMNS,    ///< equal rows: all but the first are empty
    PATCHES,    ///< flat rectangles with noise in some
    CONTENT_COUNT
} content;

static void paint_pixel(content kind, int32_t x, int32_t y, uint32_t random, uint8_t p[4])
{
    const uint32_t patch = ((uint32_t)x / 37 * 7 + (uint32_t)y / 29 * 13) % 5;
    memset(p, 0, 4);
    switch (kind) {
    case CONSTANT: memset(p, 77, 4); break;
    case RAMP:
        p[0] = (uint8_t)(x / 3);
        p[1] = (uint8_t)(y * 5);
        p[2] = (uint8_t)((x + y) / 7);
        p[3] = 255;
        break;
    case NOISE: memcpy(p, &random, 4); break;
    case GREY_NOISE: memset(p, (int)(100 + (random >> 28)), 4); break;
    case SPARSE:
        if (random % 97 == 0)
            memcpy(p, &random, 4);
        break;
    case SPRITE:
        if ((x - 90) * (x - 90) + (y - 40) * (y - 40) < 1600) {
            p[0] = (uint8_t)(x * 2 + (int)(random >> 31));
            p[3] = (uint8_t)(128 + y);
        }
        break;
    case COLUMNS:
        p[0] = (uint8_t)(x * 91 >> 2);
        p[1] = (uint8_t)(x * x);
        p[3] = 200;
        break;
    case PATCHES:
    case CONTENT_COUNT:
        memset(p, (int)patch * 50, 4);
        if (patch == 3)
            memcpy(p, &random, 4);
        break;
    }
}

/// A picture with room between its rows.
static zt_image paint(int32_t width, int32_t height, content kind, bool opaque)
{
    zt_image image = {.width = width, .height = height, .stride = (size_t)width * 4 + 12};
    uint32_t seed = (uint32_t)kind * 977 + 1;
    image.rgba8 = malloc(image.stride * (size_t)height);
    cr_assert_not_null(image.rgba8);
    memset(image.rgba8, 0xa5, image.stride * (size_t)height);
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++) {
            uint8_t *p = image.rgba8 + (size_t)y * image.stride + 4 * (size_t)x;
            paint_pixel(kind, x, y, next_random(&seed), p);
            if (opaque)
                p[3] = 255;
        }
    return image;
}

static file_bytes encode(picture_case *f, const zt_image *image)
{
    file_bytes file;
    MUST(png_encode(image, ZT_PNG_FAST, &f->a, &file, &f->err), f->err);
    return file;
}

/// Stored blocks with their frames, the header, the checksum, and what parts bands.
static size_t compressed_bound(const png_facts *facts)
{
    return facts->raw + (facts->raw / 65535 + 1) * 5 + (size_t)facts->idat_chunks * 10 + 6;
}

static void check_round_trip(int32_t width, int32_t height, content kind, bool opaque)
{
    png_facts facts;
    PICTURE_CASE(f, 0);
    OWN_IMAGE image = paint(width, height, kind, opaque);
    const file_bytes file = encode(&f, &image);
    const char *fault = png_oracle(file, &image, &facts);
    cr_assert_null(fault, "%dx%d, content %d: %s", width, height, (int)kind, fault);
    cr_expect_leq(facts.compressed, compressed_bound(&facts), "%dx%d, content %d", width, height,
                  (int)kind);
    cr_expect_eq(file.data[25], opaque ? 2 : 6);
    picture_expect_libpng(file, &image, "fast");
}

static bool shows_alpha(content kind) { return kind != RAMP; }

Test(png_fast, round_trips)
{
    static const int32_t sizes[][2] = {{1, 1},   {1, 2},    {2, 1},     {1, 700},
                                       {700, 1}, {3, 3},    {5, 4},     {7, 90},
                                       {64, 64}, {181, 83}, {300, 300}, {641, 480}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (content kind = CONSTANT; kind < CONTENT_COUNT; kind++)
            for (int opaque = 0; opaque < 2; opaque++)
                if (opaque || (shows_alpha(kind) && kind != SPARSE) || sizes[s][0] > 6)
                    check_round_trip(sizes[s][0], sizes[s][1], kind, opaque || !shows_alpha(kind));
}

/// The other mode; its bytes are the same again.
Test(png_fast, small_files_show_the_same)
{
    static const int32_t sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {67, 31}, {256, 255}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (content kind = CONSTANT; kind < CONTENT_COUNT; kind++) {
            PICTURE_CASE(f, 0);
            file_bytes file, again;
            OWN_IMAGE image = paint(sizes[s][0], sizes[s][1], kind, kind % 2);
            MUST(png_encode(&image, ZT_PNG_SMALL, &f.a, &file, &f.err), f.err);
            MUST(png_encode(&image, ZT_PNG_SMALL, &f.a, &again, &f.err), f.err);
            cr_expect(file.size == again.size && memcmp(file.data, again.data, file.size) == 0);
            cr_expect_eq(file.data[25], kind % 2 ? 2 : 6);
            picture_expect_libpng(file, &image, "small");
        }
}

/// Every small width: the tails of vectors and words.
Test(png_fast, all_small_widths)
{
    for (int32_t width = 1; width <= 40; width++)
        for (content kind = CONSTANT; kind < CONTENT_COUNT; kind++)
            check_round_trip(width, 11, kind, true);
}

Test(png_fast, strips_of_the_widest_picture)
{
    for (content kind = CONSTANT; kind < CONTENT_COUNT; kind++) {
        check_round_trip(16383, 3, kind, true);
        check_round_trip(1, 16384, kind, true);
    }
    check_round_trip(16384, 9, SPARSE, false);
    check_round_trip(16384, 9, NOISE, false);
}

/// Bands that end exactly with the picture, one row before it, and one after.
Test(png_fast, heights_around_bands)
{
    PICTURE_CASE(f, 0);
    OWN_IMAGE one = paint(401, 2000, RAMP, true);
    png_plan plan;
    cr_assert_eq(png_plan_begin(&plan, &one, &f.a, NULL), ZT_OK);
    const int32_t rows = plan.rows_per_band;
    cr_assert_gt(plan.band_count, 3);
    for (int32_t bands = 1; bands <= 3; bands++)
        for (int32_t more = -1; more <= 1; more++) {
            check_round_trip(401, bands * rows + more, PATCHES, true);
            check_round_trip(401, bands * rows + more, NOISE, true);
        }
}

Test(png_fast, incompressible_pictures_are_stored)
{
    png_facts facts;
    PICTURE_CASE(f, 0);
    OWN_IMAGE image = paint(500, 500, NOISE, true);
    const file_bytes file = encode(&f, &image);
    cr_assert_null(png_oracle(file, &image, &facts));
    cr_expect_gt(facts.compressed, facts.raw);
}

Test(png_fast, empty_pictures_cost_little)
{
    png_facts facts;
    PICTURE_CASE(f, 0);
    OWN_IMAGE image = paint(1920, 1080, CONSTANT, true);
    const file_bytes file = encode(&f, &image);
    cr_assert_null(png_oracle(file, &image, &facts));
    cr_expect_lt(facts.compressed, 12000, "%zu", facts.compressed);
}

// ---- The same bytes -----------------------------------------------------------------------------

typedef struct band_job {
    const png_plan *plan;
    uint8_t *scratch; ///< one for each worker
    bool backwards;
} band_job;

static void run_band(void *user, int64_t index, int32_t worker)
{
    const band_job *job = user;
    const int32_t i = (int32_t)(job->backwards ? job->plan->band_count - 1 - index : index);
    png_band_encode(job->plan, i, job->scratch + (size_t)worker * job->plan->scratch_size);
}

Test(png_fast, bands_run_in_any_order_on_any_thread)
{
    static const int32_t threads[] = {1, 2, 7};
    OWN_IMAGE image = paint(900, 1500, PATCHES, false);
    PICTURE_CASE(whole, 0);
    const file_bytes want = encode(&whole, &image);
    for (size_t t = 0; t < 3; t++)
        for (int backwards = 0; backwards < 2; backwards++) {
            PICTURE_CASE(f, 0);
            png_plan plan;
            file_bytes file;
            cr_assert_eq(png_plan_begin(&plan, &image, &f.a, NULL), ZT_OK);
            cr_assert_gt(plan.band_count, 7);
            cr_expect_eq(plan.scratch_size % 64, 0);
            OWN_POOL *pool = make_pool(threads[t]);
            band_job job = {.plan = &plan, .backwards = backwards};
            job.scratch = arena_alloc_raw(&f.a, (size_t)threads[t], plan.scratch_size);
            cr_assert_not_null(job.scratch);
            memset(job.scratch, 0x99, (size_t)threads[t] * plan.scratch_size);
            job_pool_run(pool, plan.band_count, run_band, &job);
            cr_assert_eq(png_plan_finish(&plan, &f.a, &file, NULL), ZT_OK);
            cr_assert_eq(file.size, want.size);
            cr_assert_arr_eq(file.data, want.data, want.size);
        }
}

/// Made once; it may change with the encoder, never with compiler, processor or libraries.
Test(png_fast, bytes_are_the_same_everywhere)
{
    uint64_t all = 0;
    for (content kind = CONSTANT; kind < CONTENT_COUNT; kind++) {
        PICTURE_CASE(f, 0);
        OWN_IMAGE image = paint(611, 700, kind, kind % 2);
        const file_bytes file = encode(&f, &image);
        all = all * 31 + hash_bytes(HASH_START, file.data, file.size);
    }
    cr_expect_eq(all, 0x1b6eaebfb1d6fb10u, "0x%016llx", (unsigned long long)all);
}

// ---- Parts --------------------------------------------------------------------------------------

/// Bits of the best code without a limit: merge the two least counts until one is left.
static uint64_t least_bits(const uint32_t *counts, size_t size)
{
    uint64_t left[HUFFMAN_SYMBOLS], total = 0;
    size_t n = 0;
    for (size_t i = 0; i < size; i++)
        if (counts[i] > 0)
            left[n++] = counts[i];
    while (n > 1) {
        for (int k = 0; k < 2; k++) { // the least goes last
            size_t smallest = 0;
            for (size_t i = 1; i < n - (size_t)k; i++)
                smallest = left[i] < left[smallest] ? i : smallest;
            const uint64_t swap = left[n - 1 - (size_t)k];
            left[n - 1 - (size_t)k] = left[smallest];
            left[smallest] = swap;
        }
        left[n - 2] += left[n - 1];
        total += left[n - 2];
        n--;
    }
    return total;
}

static void check_lengths(const uint32_t *counts, size_t size, uint32_t limit, bool is_best)
{
    uint8_t lengths[HUFFMAN_SYMBOLS];
    uint64_t kraft = 0, bits = 0;
    size_t used = 0;
    huffman_lengths(counts, size, limit, lengths);
    for (size_t i = 0; i < size; i++) {
        cr_assert_leq(lengths[i], limit);
        cr_assert(counts[i] == 0 || lengths[i] > 0);
        kraft += lengths[i] ? (uint64_t)1 << (limit - lengths[i]) : 0;
        bits += (uint64_t)counts[i] * lengths[i];
        used += counts[i] > 0;
    }
    cr_assert_eq(kraft, (uint64_t)1 << limit, "a complete code");
    if (is_best && used > 1)
        cr_assert_eq(bits, least_bits(counts, size));
}

Test(png_fast, code_lengths_are_complete_and_best)
{
    uint32_t seed = 5, counts[HUFFMAN_SYMBOLS];
    for (int turn = 0; turn < 400; turn++) {
        const size_t size = 2 + next_random(&seed) % (HUFFMAN_SYMBOLS - 1);
        const uint32_t largest = 1u << next_random(&seed) % 8, holes = next_random(&seed) % 4;
        for (size_t i = 0; i < size; i++)
            counts[i] = next_random(&seed) % 4 < holes ? 0 : next_random(&seed) % largest;
        check_lengths(counts, size, 15, true); // never that deep with such counts
        check_lengths(counts, size, 9, false);
    }
}

Test(png_fast, code_lengths_keep_the_limit)
{
    uint32_t counts[30] = {1, 1};
    for (size_t i = 2; i < 30; i++)
        counts[i] = counts[i - 1] + counts[i - 2]; // Fibonacci numbers make the deepest code
    check_lengths(counts, 16, 15, true);
    for (uint32_t limit = 5; limit <= 15; limit++)
        check_lengths(counts, 30, limit, false);
    const uint32_t one[5] = {0, 0, 0, 9, 0}, none[5] = {0};
    check_lengths(one, 5, 7, false);
    check_lengths(none, 5, 7, false);

    // Depths 5 5 4 3 2 1; a limit of 4 costs least (53 bits) by taking the place of the 3.
    static const uint32_t deep[6] = {1, 1, 2, 3, 6, 13};
    static const uint8_t want[6] = {4, 4, 4, 4, 2, 1};
    uint8_t lengths[6];
    huffman_lengths(deep, 6, 4, lengths);
    cr_assert_arr_eq(lengths, want, sizeof want);
}

/// All lengths that runs can have, from bytes and from zeros that were only counted.
Test(png_fast, runs_of_all_lengths)
{
    enum { LONGEST = 1100, ROOM = 3 * LONGEST + 64 };
    for (uint32_t length = ZERO_RUN_MIN; length <= LONGEST; length++) {
        uint8_t want[ROOM], got[ROOM], packed[ROOM + 64];
        token_stream s;
        OWN_BLOCK void *memory = malloc(tokens_size(ROOM, 2));
        tokens_init(&s, ROOM, 2, memory);
        size_t size = 0;
        memset(want, 0, sizeof want);
        want[size++] = s.end[0] = 9;
        tokens_scan(&s, s.end + 1);
        tokens_zeros(&s, length);
        size += length;
        for (uint32_t i = 0; i < length; i++)
            want[size++] = s.end[i] = length % 3 ? 0 : 5; // goes on with zeros, or does not
        tokens_scan(&s, s.end + length);
        tokens_zeros(&s, length);
        size += length;
        want[size++] = *s.end = 8;
        tokens_scan(&s, s.end + 1);
        tokens_finish(&s);
        cr_assert_eq(s.block.size, size);
        const uint8_t *end = deflate_block_write(&s.block, true, packed);
        z_stream z = {.next_in = packed, .avail_in = (uInt)(end - packed), .next_out = got};
        z.avail_out = sizeof got;
        cr_assert_eq(inflateInit2(&z, -15), Z_OK);
        cr_assert_eq(inflate(&z, Z_FINISH), Z_STREAM_END, "length %u", length);
        cr_assert_eq(z.total_out, size);
        cr_assert_arr_eq(got, want, size);
        inflateEnd(&z);
    }
}
