// SPDX-License-Identifier: MIT
// PNG encoding of rendered 1920x1080 frames, in memory, one thread: our encoders, libpng, and zlib
// and libdeflate on filtered rows, all in one run:
//     bench_png [MODEL or SCENE] [--repeat N] [--json] [--filter TEXT]
// Pictures: the explorer on a plain background and on a transparent one; a frame whose every pixel
// is textured (textured.yaml here); and the explorer over grey noise on a gradient, which is not
// rendered but the worst that a background can be. zlib and libdeflate get what is best for them:
// the one filter of None, Sub and Up that makes the smallest libdeflate -1 stream, found
// beforehand; filtering belongs to their time, chunks and checksums around the stream do not.
// The table has time, size and their ratios to libdeflate -1.
#include "bench_timing.h"
#include "image/png_bands.h"
#include "image/png_write.h"
#include "own.h"

#include <libdeflate.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

enum { WIDTH = 1920, HEIGHT = 1080 };

typedef struct encoded {
    uint8_t *bytes;
    size_t size, capacity;
    uint8_t *raw; ///< room for filtered rows
    arena memory; ///< of our encoders, kept between pictures as a sequence does
    int filter;   ///< for zlib and libdeflate
} encoded;

/// A way to encode; false when it fails.
typedef struct encoder {
    const char *name;
    bool (*encode)(const struct encoder *e, const zt_image *image, encoded *out);
    int level;
    zt_png_mode mode;
} encoder;

static bool encode_own(const encoder *e, const zt_image *image, encoded *out)
{
    file_bytes file;
    arena_reset(&out->memory);
    if (png_encode(image, e->mode, &out->memory, &file, NULL) != ZT_OK)
        return false;
    out->size = file.size;
    memcpy(out->bytes, file.data, file.size);
    return true;
}

static void on_write(png_structp png, png_bytep data, size_t size)
{
    encoded *out = png_get_io_ptr(png);
    if (size > out->capacity - out->size)
        png_error(png, "too large");
    memcpy(out->bytes + out->size, data, size);
    out->size += size;
}

static void on_flush(png_structp png) { (void)png; }

/// libpng as most programs use it: RGBA rows, its own choice of filters, zlib at `level`.
static bool encode_libpng(const encoder *e, const zt_image *image, encoded *out)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    out->size = 0;
    png_set_write_fn(png, out, on_write, on_flush);
    png_set_compression_level(png, e->level);
    png_set_IHDR(png, info, (png_uint_32)image->width, (png_uint_32)image->height, 8,
                 PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int32_t y = 0; y < image->height; y++)
        png_write_row(png, image->rgba8 + (size_t)y * image->stride);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return true;
}

/// Rows behind their type bytes, RGB when the picture is opaque; returns their size.
static size_t filter_rows(const zt_image *image, int filter, uint8_t *raw)
{
    static uint8_t packed[2][WIDTH * 4 + 4];
    const size_t bpp = png_is_opaque(image) ? 3 : 4, row = WIDTH * bpp;
    memset(packed, 0, sizeof packed);
    for (int32_t y = 0; y < image->height; y++) {
        const uint8_t *from = image->rgba8 + (size_t)y * image->stride;
        uint8_t *now = packed[y & 1], *out = raw + (size_t)y * (row + 1);
        const uint8_t *above = packed[~y & 1];
        for (size_t x = 0; x < WIDTH; x++)
            memcpy(now + x * bpp, from + 4 * x, 4);
        *out++ = (uint8_t)filter;
        memcpy(out, now, filter == 0 ? row : bpp);
        for (size_t i = bpp; filter == 1 && i < row; i++)
            out[i] = (uint8_t)(now[i] - now[i - bpp]);
        for (size_t i = 0; filter == 2 && i < row; i++)
            out[i] = (uint8_t)(now[i] - above[i]);
    }
    return (row + 1) * (size_t)image->height;
}

static bool encode_libdeflate(const encoder *e, const zt_image *image, encoded *out)
{
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(e->level);
    if (!c)
        return false;
    const size_t size = filter_rows(image, out->filter, out->raw);
    out->size = libdeflate_zlib_compress(c, out->raw, size, out->bytes, out->capacity);
    libdeflate_free_compressor(c);
    return out->size > 0;
}

static bool encode_zlib(const encoder *e, const zt_image *image, encoded *out)
{
    const size_t size = filter_rows(image, out->filter, out->raw);
    uLongf made = out->capacity;
    if (compress2(out->bytes, &made, out->raw, size, e->level) != Z_OK)
        return false;
    out->size = made;
    return true;
}

/// The first one is what the others are compared with.
static const encoder encoders[] = {
    {.name = "libdeflate_1", .encode = encode_libdeflate, .level = 1},
    {.name = "fast", .encode = encode_own, .mode = ZT_PNG_FAST},
    {.name = "small", .encode = encode_own, .mode = ZT_PNG_SMALL},
    {.name = "libpng_1", .encode = encode_libpng, .level = 1},
    {.name = "libpng_6", .encode = encode_libpng, .level = 6},
    {.name = "zlib_1", .encode = encode_zlib, .level = 1},
    {.name = "libdeflate_6", .encode = encode_libdeflate, .level = 6},
};
enum { ENCODERS = sizeof encoders / sizeof encoders[0] };

static bool choose_filter(const zt_image *image, encoded *out)
{
    size_t least = 0;
    int best = 0;
    for (out->filter = 0; out->filter < 3; out->filter++) {
        if (!encoders[0].encode(&encoders[0], image, out))
            return false;
        if (out->filter == 0 || out->size < least) {
            least = out->size;
            best = out->filter;
        }
    }
    out->filter = best;
    return true;
}

static void report_value(const bench_options *o, const char *name_of, const char *what,
                         const char *who, const char *unit, double value, uint64_t hash)
{
    char name[64];
    const bench_series s = {.ns = {value}, .count = 1};
    snprintf(name, sizeof name, "png_%s%s", name_of, what);
    bench_report(o, name, who, unit, 1.0, &s, hash);
}

/// Time that this thread has used of a core: others on the machine do not count.
static uint64_t thread_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool run_encoders(const bench_options *o, const char *name_of, const zt_image *image,
                         encoded *out)
{
    double first_time = 1.0, first_size = 1.0;
    char name[64];
    for (size_t i = 0; i < ENCODERS; i++) {
        const encoder *e = &encoders[i];
        bench_series series = {.count = 0};
        // The slow ones are there for scale: a few turns tell enough.
        const int32_t turns =
            e->level > 1 || e->mode == ZT_PNG_SMALL ? o->repeats / 4 + 1 : o->repeats;
        for (int32_t k = 0; k < turns + BENCH_WARM_UP; k++) {
            const uint64_t start = thread_ns();
            if (!e->encode(e, image, out))
                return false;
            if (k >= BENCH_WARM_UP)
                bench_add(&series, thread_ns() - start);
        }
        const uint64_t hash = bench_hash(out->bytes, out->size);
        const double size = (double)out->size, least = bench_min(&series);
        if (i == 0) {
            first_time = least;
            first_size = size;
        }
        snprintf(name, sizeof name, "png_%s", name_of);
        bench_report(o, name, e->name, "ms", 1e-6, &series, hash);
        report_value(o, name_of, "_size", e->name, "kB", size * 1e-3, hash);
        report_value(o, name_of, "_time_ratio", e->name, "x", least / first_time, hash);
        report_value(o, name_of, "_size_ratio", e->name, "x", size / first_size, hash);
    }
    return true;
}

static bool run_picture(const bench_options *o, const char *name_of, const zt_image *image)
{
    encoded out = {.capacity = (size_t)WIDTH * HEIGHT * 8};
    budget memory;
    budget_init(&memory, 0, NULL);
    arena_init(&out.memory, &memory);
    out.bytes = malloc(out.capacity);
    out.raw = malloc(((size_t)WIDTH * 4 + 1) * HEIGHT);
    const bool done =
        out.bytes && out.raw && choose_filter(image, &out) && run_encoders(o, name_of, image, &out);
    arena_finish(&out.memory);
    free(out.raw);
    free(out.bytes);
    return done;
}

/// Puts the picture over a gradient with noise of 4 bits, the same in all channels.
static void add_noise(zt_image *image)
{
    uint64_t state = 1;
    for (int32_t y = 0; y < image->height; y++)
        for (int32_t x = 0; x < image->width; x++) {
            uint8_t *p = image->rgba8 + (size_t)y * image->stride + (size_t)x * 4;
            state = state * 6364136223846793005u + 1442695040888963407u; // Knuth's MMIX
            const int alpha = p[3], noise = (int)(state >> 60);
            const int behind[3] = {x * 200 / WIDTH + noise, y * 200 / HEIGHT + noise, 80 + noise};
            for (int k = 0; k < 3; k++)
                p[k] = (uint8_t)((p[k] * alpha + behind[k] * (255 - alpha)) / 255);
            p[3] = 255;
        }
}

static zt_result render(const char *path, const char *background, zt_image *image, zt_error *err)
{
    OWN_SCENE *scene = NULL;
    OWN_RENDERER *renderer = NULL;
    zt_load_def load = zt_default_load_def();
    zt_shot_def shot = zt_default_shot_def();
    zt_renderer_def def = zt_default_renderer_def();
    shot.width = WIDTH;
    shot.height = HEIGHT;
    shot.background = background;
    ZT_TRY(zt_scene_load(path, &load, &scene, err));
    ZT_TRY(zt_scene_apply(scene, &shot, err));
    ZT_TRY(zt_renderer_create(&def, &renderer, err));
    return zt_render(renderer, scene, zt_scene_frame(scene, 0), image, err);
}

int main(int argc, char **argv)
{
    static const char *const pictures[] = {"plain", "transparent", "textured", "noise"};
    static const char *const backgrounds[] = {"2b3038", "transparent", NULL, "transparent"};
    bench_options o;
    if (!bench_options_read(argc, argv, &o))
        return 2;
    zt_error err = {ZT_OK, ""};
    OWN_IMAGE image = {0};
    zt_result result = zt_image_init(&image, WIDTH, HEIGHT, NULL, &err);
    for (int i = 0; result == ZT_OK && i < 4; i++) {
        if (!bench_selected(&o, pictures[i]))
            continue;
        const char *path = i == 2    ? ZT_SOURCE_DIR "/bench/textured.yaml"
                           : o.model ? o.model
                                     : ZT_SOURCE_DIR "/scenes/walk.yaml";
        result = render(path, backgrounds[i], &image, &err);
        image.keep_alpha = false;
        if (result == ZT_OK && i == 3)
            add_noise(&image);
        if (result == ZT_OK && !run_picture(&o, pictures[i], &image))
            result = ZT_ERR_INTERNAL;
    }
    if (result != ZT_OK)
        fprintf(stderr, "%s\n", err.message);
    return (int)result;
}
