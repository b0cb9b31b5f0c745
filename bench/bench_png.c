// SPDX-License-Identifier: MIT
// PNG encoding of one rendered 1920x1080 frame, against plain libpng and against libdeflate on
// unfiltered rows, all in one run:
//     bench_png [MODEL or SCENE] [--repeat N] [--json] [--filter TEXT]
// Pictures: the figure on its own background, on a transparent one, and on a textured one (noise
// over a gradient, the hardest thing that a background can be). Beside the time of each encoder
// stands what it made of the picture.
#include "bench_timing.h"

#include <zoetrope/zoetrope.h>

#include <libdeflate.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1920, HEIGHT = 1080 };

typedef struct encoded {
    uint8_t *bytes;
    size_t size, capacity;
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
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (zt_png_encode(image, e->mode, &bytes, &size, NULL) != ZT_OK)
        return false;
    out->size = size;
    memcpy(out->bytes, bytes, size);
    zt_bytes_free(bytes);
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

static void on_flush(png_structp png)
{
    (void)png;
}

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

/// The compressor alone on the bare pixels: no filters, no file around it.
static bool encode_libdeflate(const encoder *e, const zt_image *image, encoded *out)
{
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(e->level);
    if (!c)
        return false;
    out->size = libdeflate_zlib_compress(c, image->rgba8, image->stride * (size_t)image->height,
                                         out->bytes, out->capacity);
    libdeflate_free_compressor(c);
    return out->size > 0;
}

static const encoder encoders[] = {
    {.name = "fast",              .encode = encode_own,        .mode = ZT_PNG_FAST },
    {.name = "small",             .encode = encode_own,        .mode = ZT_PNG_SMALL},
    {.name = "libpng_1",          .encode = encode_libpng,     .level = 1          },
    {.name = "libpng_6",          .encode = encode_libpng,     .level = 6          },
    {.name = "libdeflate_1_bare", .encode = encode_libdeflate, .level = 1          },
};

static bool run_picture(const bench_options *o, const char *picture, const zt_image *image)
{
    encoded out = {.capacity = (size_t)WIDTH * HEIGHT * 8};
    out.bytes = malloc(out.capacity);
    bool done = out.bytes != NULL;
    for (size_t i = 0; done && i < sizeof encoders / sizeof encoders[0]; i++) {
        const encoder *e = &encoders[i];
        bench_series series = {.count = 0};
        for (int32_t k = 0; done && k < o->repeats + BENCH_WARM_UP; k++) {
            const uint64_t start = bench_now_ns();
            done = e->encode(e, image, &out);
            if (k >= BENCH_WARM_UP)
                bench_add(&series, bench_now_ns() - start);
        }
        char name[64];
        snprintf(name, sizeof name, "png_%s", picture);
        bench_report(o, name, e->name, "ms", 1e-6, &series, bench_hash(out.bytes, out.size));
        const bench_series bytes = {.ns = {(double)out.size}, .count = 1};
        snprintf(name, sizeof name, "png_%s_size", picture);
        bench_report(o, name, e->name, "kB", 1e-3, &bytes, bench_hash(out.bytes, out.size));
    }
    free(out.bytes);
    return done;
}

/// Puts the picture over a gradient with noise of 4 bits.
static void add_texture(zt_image *image)
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
    zt_scene *scene = NULL;
    zt_renderer *renderer = NULL;
    zt_load_def load = zt_default_load_def();
    zt_shot_def shot = zt_default_shot_def();
    zt_renderer_def def = zt_default_renderer_def();
    shot.width = WIDTH;
    shot.height = HEIGHT;
    shot.background = background;
    zt_result result = zt_scene_load(path, &load, &scene, err);
    if (result == ZT_OK)
        result = zt_scene_apply(scene, &shot, err);
    if (result == ZT_OK)
        result = zt_renderer_create(&def, &renderer, err);
    if (result == ZT_OK)
        result = zt_render(renderer, scene, zt_scene_frame(scene, 0), image, err);
    zt_renderer_destroy(renderer);
    zt_scene_destroy(scene);
    return result;
}

int main(int argc, char **argv)
{
    static const char *const pictures[] = {"plain", "transparent", "textured"};
    static const char *const backgrounds[] = {"2b3038", "transparent", "transparent"};
    bench_options o;
    if (!bench_options_read(argc, argv, &o))
        return 2;
    zt_error err = {ZT_OK, ""};
    zt_image image = {0};
    zt_result result = zt_image_init(&image, WIDTH, HEIGHT, &err);
    for (int i = 0; result == ZT_OK && i < 3; i++) {
        if (!bench_selected(&o, pictures[i]))
            continue;
        const char *path = o.model ? o.model : ZT_SOURCE_DIR "/scenes/walk.yaml";
        result = render(path, backgrounds[i], &image, &err);
        if (result == ZT_OK && i == 2)
            add_texture(&image);
        if (result == ZT_OK && !run_picture(&o, pictures[i], &image))
            result = ZT_ERR_INTERNAL;
    }
    zt_image_finish(&image);
    if (result != ZT_OK)
        fprintf(stderr, "%s\n", err.message);
    return (int)result;
}
