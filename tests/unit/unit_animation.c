// SPDX-License-Identifier: MIT
/// Many frames in one file: APNG and animated WebP taken apart by their chunks, each frame equal to
/// zt_render's, the same bytes with any number of threads; order, failures, names.
#include "base/bytes.h"
#include "drawing.h"
#include "image/picture_streams.h"
#include "render/animation.h"
#include "test_folder.h"
#include "test_memory.h"

#include <libdeflate.h>

enum { FRAMES = 7, WIDTH = 45, HEIGHT = 32, FILE_MAX = 1 << 20 };

static zt_error err;
static zt_scene *scene;
static uint64_t want[FRAMES];

static void open_all(void)
{
    zt_shot_def shot = sized_shot(WIDTH, HEIGHT);
    test_folder_make();
    shot.background = "transparent";
    shot.turntable_count = FRAMES;
    shot.fps_numerator = 30000;
    shot.fps_denominator = 1001;
    scene = load_scene(FIGURE_SCENE, &shot);
    OWN_RENDERER *renderer = make_renderer(1, ZT_ISA_BEST);
    for (int i = 0; i < FRAMES; i++) {
        OWN_IMAGE image = draw_frame(renderer, scene, i);
        want[i] = zt_image_hash(&image);
    }
}

static void close_all(void)
{
    zt_scene_destroy(scene);
    test_folder_remove();
}

TestSuite(animation, .init = open_all, .fini = close_all);

static zt_result write_as(const char *name, int32_t threads, zt_sequence_def def)
{
    OWN_RENDERER *renderer = make_renderer(threads, ZT_ISA_BEST);
    def.pattern = test_file(name);
    return zt_render_sequence(renderer, scene, &def, &err);
}

static size_t load(const char *name, uint8_t *bytes)
{
    const char *path = test_file(name);
    FILE *f = fopen(path, "rb");
    cr_assert(f, "%s", path);
    const size_t size = fread(bytes, 1, FILE_MAX, f);
    fclose(f);
    return size;
}

/// The picture in a file made of `size` bytes.
static uint64_t hash_of_file(const char *name, const uint8_t *bytes, size_t size)
{
    const char *path = test_file(name);
    OWN_IMAGE image = {0};
    FILE *f = fopen(path, "wb");
    cr_assert(f && fwrite(bytes, 1, size, f) == size);
    fclose(f);
    MUST(zt_image_read(path, false, NULL, &image, &err), err);
    const uint64_t hash = zt_image_hash(&image);
    unlink(path);
    return hash;
}

static uint8_t first[FILE_MAX], again[FILE_MAX], still[FILE_MAX];

/// The file, which must be the same from 1, 2 and 5 threads.
static size_t written(const char *name)
{
    MUST(write_as(name, 1, zt_default_sequence_def()), err);
    const size_t size = load(name, first);
    for (int threads = 2; threads <= 5; threads += 3) {
        MUST(write_as(name, threads, zt_default_sequence_def()), err);
        cr_assert_eq(load(name, again), size);
        cr_assert_eq(memcmp(first, again, size), 0, "%d threads", threads);
    }
    cr_assert_eq(test_folder_empty(), 1);
    return size;
}

/// A PNG around the data of one frame: signature and IHDR of the animation, one IDAT.
static size_t png_of(const uint8_t *header, const uint8_t *data, size_t size)
{
    memcpy(still, header, 8 + 25);
    uint8_t *chunk = still + 33;
    bytes_store_u32_be(chunk, (uint32_t)size);
    memcpy(chunk + 4, "IDAT", 4);
    memcpy(chunk + 8, data, size);
    bytes_store_u32_be(chunk + 8 + size, libdeflate_crc32(0, chunk + 4, size + 4));
    memcpy(chunk + 12 + size, "\0\0\0\0IEND\xAE\x42\x60\x82", 12);
    return 33 + 12 + size + 12;
}

Test(animation, apng_frames_are_the_pixels)
{
    static uint8_t data[FILE_MAX];
    size_t data_size = 0;
    const size_t size = written("a.apng");
    uint32_t number = 0;
    int frames = 0;
    bool ended = false;
    cr_assert_eq(memcmp(first + 8 + 25 + 13 + 4, "acTL", 4), 0);
    cr_assert(bytes_u32_be(first + 8 + 25 + 13 + 8) == FRAMES);
    cr_assert(bytes_u32_be(first + 8 + 25 + 13 + 12) == 0, "plays for ever");
    for (size_t at = 8; at < size;) {
        const uint8_t *chunk = first + at;
        const uint32_t length = bytes_u32_be(chunk);
        const bool control = memcmp(chunk + 4, "fcTL", 4) == 0;
        const bool more = memcmp(chunk + 4, "fdAT", 4) == 0;
        cr_assert(at + 12 + length <= size);
        cr_assert_eq(libdeflate_crc32(0, chunk + 4, length + 4), bytes_u32_be(chunk + 8 + length));
        if (control || more)
            cr_assert_eq(bytes_u32_be(chunk + 8), number++);
        ended = memcmp(chunk + 4, "IEND", 4) == 0;
        if ((control || ended) && data_size > 0) {
            const uint64_t hash = hash_of_file("f.png", still, png_of(first, data, data_size));
            cr_assert_eq(hash, want[frames], "frame %d", frames);
            frames++;
            data_size = 0;
        }
        if (control) { // all of the picture, 1001/30000 s, dispose none, blend source
            const uint8_t end[] = {1001 >> 8, 1001 & 255, 30000 >> 8, 30000 & 255, 0, 0};
            cr_assert(bytes_u32_be(chunk + 12) == WIDTH && bytes_u32_be(chunk + 16) == HEIGHT);
            cr_assert_eq(memcmp(chunk + 28, end, sizeof end), 0);
        }
        if (more || memcmp(chunk + 4, "IDAT", 4) == 0) {
            cr_assert_eq(more, frames > 0);
            const uint32_t skip = more ? 4 : 0;
            memcpy(data + data_size, chunk + 8 + skip, length - skip);
            data_size += length - skip;
        }
        at += 12 + length;
    }
    cr_assert(ended && frames == FRAMES);
}

/// Rates of large numbers: a fraction of 16 bits, no more than a hundred-thousandth off.
Test(animation, apng_delays)
{
    static const int32_t rates[][2] = {
        {120000, 1001}, {1000000, 1001}, {1000000, 1000003}, {1001, 1000000}, {60000, 1001}};
    uint8_t *png = NULL;
    size_t size = 0;
    file_bytes part;
    OWN_MEMORY(a, 0);
    OWN_IMAGE image = make_image(1, 1);
    image.rgba8[3] = 255;
    cr_assert_eq(zt_image_encode(&image, NULL, &png, &size, &err), ZT_OK);
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        picture_stream stream = {.width = 1,
                                 .height = 1,
                                 .fps_numerator = rates[i][0],
                                 .fps_denominator = rates[i][1],
                                 .frame_count = 1};
        MUST(apng_join(&stream, (file_bytes){png, size}, &a, &part, &err), err);
        const double delay = (double)(part.data[28] << 8 | part.data[29]) /
                             (double)(part.data[30] << 8 | part.data[31]);
        cr_expect_float_eq(delay * rates[i][0] / rates[i][1], 1.0, 1e-5, "%d/%d: %.9g", rates[i][0],
                           rates[i][1], delay);
    }
    zt_free(png);
}

Test(animation, webp_frames_are_the_pixels)
{
    const size_t size = written("a.webp");
    int frames = 0;
    uint32_t total_ms = 0;
    cr_assert_eq(bytes_u32_le(first + 4), size - 8);
    cr_assert_eq(memcmp(first + 12, "VP8X\x0A\0\0\0\x12\0\0\0", 12), 0, "animation and alpha");
    cr_assert_eq(memcmp(first + 30, "ANIM\6\0\0\0\0\0\0\0\0\0", 14), 0);
    for (size_t at = 44; at < size; frames++) {
        const uint8_t *chunk = first + at;
        const size_t length = bytes_u32_le(chunk + 4), data = length - 16;
        cr_assert_eq(memcmp(chunk, "ANMF", 4), 0);
        cr_assert(bytes_load_le(chunk + 14, 3) == WIDTH - 1 && chunk[23] == 2, "not blended");
        total_ms += (uint32_t)bytes_load_le(chunk + 20, 3);
        memcpy(still, "RIFF", 4);
        bytes_store_u32_le(still + 4, (uint32_t)(4 + data));
        memcpy(still + 8, "WEBP", 4);
        memcpy(still + 12, chunk + 24, data);
        cr_assert_eq(hash_of_file("f.webp", still, 12 + data), want[frames], "frame %d", frames);
        at += 8 + length;
    }
    cr_assert_eq(frames, FRAMES);
    cr_assert_eq(total_ms, 234, "7 frames of 1001/30 ms: %u", total_ms);
}

Test(animation, names_and_refusals)
{
    zt_sequence_def def = zt_default_sequence_def();
    cr_assert_eq(write_as("x-##.apng", 1, def), ZT_ERR_ARGUMENT);
    cr_assert(strstr(err.message, "one file of all frames"), "%s", err.message);
    def.resume = true;
    cr_assert_eq(write_as("x.apng", 1, def), ZT_ERR_ARGUMENT);
    cr_assert_eq(write_as("x.webp", 1, def), ZT_ERR_ARGUMENT);
    def = zt_default_sequence_def();
    def.shard_index = 1;
    def.shard_count = 2;
    cr_assert_eq(write_as("x.y4m", 1, def), ZT_ERR_ARGUMENT);
    cr_assert_eq(test_folder_empty(), 0);
    MUST(write_as("x-##.webp", 2, zt_default_sequence_def()), err);
    cr_assert_eq(test_folder_empty(), FRAMES);
    MUST(write_as("x.y4m", 3, zt_default_sequence_def()), err);
    cr_assert_eq(test_folder_empty(), 1);
}

static bool stop_at_third(void *user, const zt_frame_report *report)
{
    (void)user;
    return report->done < 3;
}

Test(animation, no_file_after_a_failure)
{
    for (int threads = 1; threads <= 5; threads += 2) {
        zt_sequence_def def = zt_default_sequence_def();
        def.progress = stop_at_third;
        cr_assert_eq(write_as("x.apng", threads, def), ZT_ERR_CANCELLED);
        cr_assert_eq(test_folder_empty(), 0);
    }
}

/// With memory for one frame at a time alone, the file is the same.
Test(animation, tight_memory)
{
    const size_t size = written("a.webp");
    zt_renderer_def tight = zt_default_renderer_def();
    zt_result result = ZT_ERR_LIMIT;
    uint64_t limit = 1 << 20;
    for (; result == ZT_ERR_LIMIT && limit < (uint64_t)1 << 30; limit += limit / 8) {
        OWN_RENDERER *renderer = NULL;
        zt_sequence_def def = zt_default_sequence_def();
        tight.threads = 4;
        tight.max_memory = limit;
        def.pattern = test_file("t.webp");
        MUST(zt_renderer_create(&tight, &renderer, &err), err);
        result = zt_render_sequence(renderer, scene, &def, &err);
    }
    MUST(result, err);
    cr_assert_eq(load("t.webp", again), size);
    cr_assert_eq(memcmp(first, again, size), 0);
}
