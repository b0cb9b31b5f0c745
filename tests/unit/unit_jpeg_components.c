// SPDX-License-Identifier: MIT
/// Large progressive JPEGs, whose components have decoders of their own: the pixels of a
/// decoder that reads the file in one piece (TurboJPEG), with and without threads, whatever is
/// damaged.
#include "image/jpeg_scans.h"
#include "picture_fixture.h"
#include "test_memory.h"

#include <turbojpeg.h>

enum { WIDTH = 608, HEIGHT = 456, PIXELS = WIDTH * HEIGHT };

typedef struct large_jpeg {
    unsigned char *data;
    unsigned long size;
} large_jpeg;

static large_jpeg encode(int layout)
{
    static uint8_t pixels[PIXELS * 3];
    uint32_t noise = 1;
    for (int i = 0; i < PIXELS * 3; i++) {
        noise = noise * 1664525u + 1013904223u;
        pixels[i] = (uint8_t)((uint32_t)(i / 3 % WIDTH / 4 + i % 3 * 20) + (noise >> 26));
    }
    large_jpeg out = {0};
    tjhandle encoder = tjInitCompress();
    cr_assert_eq(tjCompress2(encoder, pixels, WIDTH, 0, HEIGHT, TJPF_RGB, &out.data, &out.size,
                             layout, 80, TJFLAG_PROGRESSIVE),
                 0);
    tjDestroy(encoder);
    return out;
}

static zt_result decode(picture_case *f, large_jpeg file, int halvings, job_pool *pool)
{
    f->need = (picture_need){.min_side = halvings > 0 ? HEIGHT >> halvings : 0, .pool = pool};
    return jpeg_decode(&f->a, "x.jpg", (file_bytes){file.data, file.size}, f->need, &f->out,
                       &f->err);
}

/// The same in one piece. It warns of damage, and goes on as ours does.
static void expect_pixels(const picture_case *f, large_jpeg file, int halvings, const char *what)
{
    static uint8_t want[PIXELS * 4];
    const int width = WIDTH >> halvings, height = HEIGHT >> halvings;
    tjhandle decoder = tjInitDecompress();
    cr_assert_eq(f->out.width, width);
    (void)tjDecompress2(decoder, file.data, file.size, want, width, 0, height, TJPF_RGBA,
                        TJFLAG_ACCURATEDCT);
    cr_expect(memcmp(want, f->out.level[0], (size_t)width * (size_t)height * 4) == 0, "%s", what);
    tjDestroy(decoder);
}

Test(jpeg_components, the_pixels_of_one_piece)
{
    static const int layouts[] = {TJSAMP_444, TJSAMP_420, TJSAMP_422, TJSAMP_440};
    OWN_POOL *pool = make_pool(3);
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        for (int halvings = 0; halvings < 2; halvings++)
            for (int threads = 0; threads < 2; threads++) {
                large_jpeg file = encode(layouts[i]);
                uint8_t component[JPEG_COMPONENTS_MAX];
                cr_assert_eq(jpeg_scans_separate((file_bytes){file.data, file.size}, component), 3);
                trace_log trace;
                PICTURE_CASE(f, 0);
                cr_assert(trace_init(&trace, 9));
                f.memory.trace = &trace;
                MUST(decode(&f, file, halvings, threads ? pool : NULL), f.err);
                cr_expect_eq(trace.count, 3u, "pieces of work: its components");
                trace_finish(&trace);
                PRINTED(what, 40, "layout %zu, %d, %d", i, halvings, threads);
                expect_pixels(&f, file, halvings, what);
                tjFree(file.data);
            }
}

/// A byte is changed, in headers and in data: what is still decoded has the pixels of one piece.
Test(jpeg_components, damage_is_found_in_one_piece, .timeout = 120)
{
    large_jpeg file = encode(TJSAMP_420);
    int refused = 0, warned = 0;
    for (unsigned long at = 2; at < file.size; at += at < 700 ? 3 : file.size / 60) {
        const uint8_t before = file.data[at];
        file.data[at] ^= (uint8_t)(1 + at % 255);
        PICTURE_CASE(f, 64 << 20);
        const zt_result result = decode(&f, file, 0, NULL);
        cr_assert(result == ZT_OK || result == ZT_ERR_FORMAT || result == ZT_ERR_LIMIT, "%lu", at);
        if (result == ZT_OK && f.out.width == WIDTH && f.out.height == HEIGHT) {
            PRINTED(what, 40, "byte %lu", at);
            expect_pixels(&f, file, 0, what);
            warned++;
        }
        refused += result != ZT_OK;
        file.data[at] = before;
    }
    cr_expect(refused > 10 && warned > 20, "%d refused, %d warned of", refused, warned);
    tjFree(file.data);
}

/// Scans out of order, without their last bits or with another table between them are left to one
/// decoder.
Test(jpeg_components, only_what_is_whole_and_in_order)
{
    large_jpeg file = encode(TJSAMP_444);
    uint8_t component[JPEG_COMPONENTS_MAX];
    file_bytes bytes = {file.data, file.size};
    size_t scans[32], count = 0, table = 0;
    jpeg_segment s;
    for (size_t at = 2; jpeg_segment_next(bytes, &at, &s);) {
        if (s.marker == MARKER_SOS)
            scans[count++] = s.begin;
        if (s.marker == MARKER_DHT && count == 2)
            table = s.begin;
    }
    cr_assert(count > 5 && table > 0);
    for (size_t i = 0; i < count; i++) { // from bit 3 on, as none before
        uint8_t *bits = file.data + scans[i] + 6 + 2 * file.data[scans[i] + 4] + 1;
        const uint8_t before = *bits;
        *bits = (uint8_t)(before ^ 0x30);
        cr_expect_eq(jpeg_scans_separate(bytes, component), 0, "scan %zu", i);
        *bits = before == 0x10 ? 0 : before; // the last bit, as if it were all
        cr_expect_eq(jpeg_scans_separate(bytes, component), before == 0x10 ? 0 : 3, "scan %zu", i);
        *bits = before;
    }
    file.data[table + 1] = MARKER_DQT;
    cr_expect_eq(jpeg_scans_separate(bytes, component), 0);
    file.data[table + 1] = MARKER_DHT;
    file.data[scans[count - 1] + 1] = MARKER_COM; // the last scan is missing
    cr_expect_eq(jpeg_scans_separate(bytes, component), 0);
    file.data[scans[count - 1] + 1] = MARKER_SOS;
    cr_expect_eq(jpeg_scans_separate(bytes, component), 3);
    tjFree(file.data);
}

/// A scan of frequencies that ends early is an error, as in one piece.
Test(jpeg_components, data_that_end_before_the_last_block)
{
    large_jpeg file = encode(TJSAMP_444);
    file.size -= 40;
    memcpy(file.data + file.size - 2, (const uint8_t[]){0xff, MARKER_EOI}, 2);
    PICTURE_CASE(f, 0);
    cr_expect_eq(decode(&f, file, 0, NULL), ZT_ERR_FORMAT);
    cr_expect(strstr(f.err.message, "ends early"), "%s", f.err.message);
    tjFree(file.data);
}

/// The same whether it fits or not with threads and without, and nothing is left in use.
Test(jpeg_components, limits_of_memory)
{
    large_jpeg file = encode(TJSAMP_444);
    OWN_POOL *pool = make_pool(3);
    int fitted = 0, refused = 0;
    for (uint64_t limit = 1 << 20; limit < 8 << 20; limit += 200 << 10) {
        zt_result results[2];
        for (int threads = 0; threads < 2; threads++) {
            PICTURE_CASE(f, limit);
            results[threads] = decode(&f, file, 0, threads ? pool : NULL);
            if (results[threads] == ZT_OK)
                expect_pixels(&f, file, 0, "in little memory");
        }
        cr_expect_eq(results[0], results[1]);
        fitted += results[0] == ZT_OK;
        refused += results[0] == ZT_ERR_LIMIT;
    }
    cr_expect(fitted > 3 && refused > 3, "%d, %d", fitted, refused);
    tjFree(file.data);
}

Test(jpeg_components, can_be_cancelled)
{
    large_jpeg file = encode(TJSAMP_444);
    PICTURE_CASE(f, 0);
    cancel_raise(&f.memory.cancel);
    cr_expect_eq(decode(&f, file, 0, NULL), ZT_ERR_CANCELLED);
    tjFree(file.data);
}
