// SPDX-License-Identifier: MIT
/// Pictures as WebP and JPEG files: read back by this library's decoders, the keys of frames, sizes
/// and budgets. tests/cli/formats.sh has other programs read them.
#include "image/picture_encoders.h"
#include "image/picture_writer.h"
#include "test_folder.h"
#include "test_memory.h"

enum { WIDTH = 37, HEIGHT = 21, KEY = 0x1234567 };

static zt_error err;
static budget memory;
static arena a;

static void begin(void)
{
    test_folder_make();
    budget_init(&memory, 0, NULL);
    arena_init(&a, &memory);
}

static void end(void)
{
    arena_finish(&a);
    cr_assert_eq(memory.used, 0);
    test_folder_remove();
}

TestSuite(picture_files, .init = begin, .fini = end);

/// Smooth, so that JPEG moves it little; alpha 255, or every value including 0.
static zt_image made(bool alpha)
{
    zt_image image = make_image(WIDTH, HEIGHT);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            uint8_t *p = image.rgba8 + (size_t)y * image.stride + (size_t)x * 4;
            p[0] = (uint8_t)(60 + 3 * x);
            p[1] = (uint8_t)(40 + 5 * y);
            p[2] = (uint8_t)(2 * x + y);
            p[3] = alpha ? (uint8_t)((x * HEIGHT + y) % 256) : 255;
        }
    return image;
}

/// Written under `name` and read back.
static zt_image round_trip(const zt_image *image, const char *name, const zt_encode_def *def)
{
    const char *path = test_file(name);
    zt_image back = {0};
    MUST(zt_image_write(path, image, def, &err), err);
    MUST(zt_image_read(path, false, NULL, &back, &err), err);
    cr_assert(back.width == WIDTH && back.height == HEIGHT);
    return back;
}

Test(picture_files, webp_is_exact)
{
    for (int k = 0; k < 4; k++) {
        zt_encode_def def = zt_default_encode_def();
        def.png = k & 1 ? ZT_PNG_SMALL : ZT_PNG_FAST;
        OWN_IMAGE image = made(k >> 1);
        OWN_IMAGE back = round_trip(&image, "a.webp", &def);
        cr_assert_eq(zt_image_hash(&back), zt_image_hash(&image), "%d", k);
    }
}

Test(picture_files, jpeg_is_near_and_over_black)
{
    long size_before = 0;
    for (int quality = 40; quality <= 100; quality += 30) {
        zt_encode_def def = zt_default_encode_def();
        uint8_t *bytes = NULL;
        size_t size = 0;
        def.jpeg_quality = quality;
        OWN_IMAGE image = made(true);
        OWN_IMAGE back = round_trip(&image, quality == 100 ? "a.JPEG" : "a.jpg", &def);
        for (int i = 0; i < WIDTH * HEIGHT * 4; i++) {
            const int alpha = image.rgba8[i | 3];
            const int want = i % 4 == 3 ? 255 : (image.rgba8[i] * alpha + 127) / 255;
            if (quality == 100)
                cr_assert(abs(back.rgba8[i] - want) <= 4, "%d: %d, not %d", i, back.rgba8[i], want);
        }
        def.format = "jpeg";
        cr_assert_eq(zt_image_encode(&image, &def, &bytes, &size, &err), ZT_OK);
        cr_assert_gt((long)size, size_before);
        size_before = (long)size;
        zt_free(bytes);
        def.jpeg_quality = 90; // as without a word
        cr_assert_eq(zt_image_encode(&image, &def, &bytes, &size, &err), ZT_OK);
        def = zt_default_encode_def();
        def.format = "jpeg";
        uint8_t *usual = NULL;
        size_t usual_size = 0;
        cr_assert_eq(zt_image_encode(&image, &def, &usual, &usual_size, &err), ZT_OK);
        cr_assert(usual_size == size && memcmp(usual, bytes, size) == 0);
        zt_free(usual);
        zt_free(bytes);
    }
}

/// A file with the key of a frame is known by it, and no longer once a byte is another.
Test(picture_files, keys)
{
    static const char *const formats[] = {"png", "webp", "jpeg"};
    OWN_IMAGE image = made(true);
    const picture_planes planes = {.width = WIDTH, .height = HEIGHT, .color8 = image};
    const zt_encode_def encoding = {.has_key = true, .key = KEY}, plain = {0};
    for (int f = 0; f < 3; f++) {
        const picture_writer *writer = NULL;
        file_bytes bytes;
        cr_assert_eq(picture_writer_find(formats[f], &writer, &err), ZT_OK);
        cr_assert_eq(writer->encode(&planes, &plain, &a, &bytes, &err), ZT_OK);
        cr_assert(!writer->known(bytes, KEY, WIDTH, HEIGHT), "%s without a key", formats[f]);
        cr_assert_eq(writer->encode(&planes, &encoding, &a, &bytes, &err), ZT_OK);
        cr_assert(writer->known(bytes, KEY, WIDTH, HEIGHT), "%s", formats[f]);
        cr_assert(!writer->known(bytes, KEY + 1, WIDTH, HEIGHT));
        OWN_BLOCK uint8_t *copy = malloc(bytes.size);
        cr_assert(copy);
        memcpy(copy, bytes.data, bytes.size);
        for (size_t i = 0; i < bytes.size; i += 7) {
            copy[i] ^= 1;
            cr_assert(!writer->known((file_bytes){copy, bytes.size}, KEY, WIDTH, HEIGHT),
                      "%s with another byte %zu", formats[f], i);
            copy[i] ^= 1;
        }
        for (size_t size = 0; size < bytes.size; size += 11)
            cr_assert(!writer->known((file_bytes){copy, size}, KEY, WIDTH, HEIGHT));
    }
}

Test(picture_files, limits)
{
    const char *path = test_file("wide.webp");
    OWN_IMAGE image = {0}, back = {0};
    zt_encode_def def = zt_default_encode_def();
    cr_assert_eq(zt_image_init(&image, 16384, 1, NULL, &err), ZT_OK);
    cr_assert_eq(zt_image_write(path, &image, &def, &err), ZT_ERR_LIMIT);
    cr_assert(strstr(err.message, "at most 16383 a side"), "%s", err.message);
    def.format = "y4m";
    cr_assert_eq(zt_image_write(path, &image, &def, &err), ZT_ERR_ARGUMENT);
    def.format = "jpeg";
    def.jpeg_quality = 101;
    cr_assert_eq(zt_image_write(path, &image, &def, &err), ZT_ERR_ARGUMENT);
    cr_assert_eq(zt_image_write(path, &image, &(zt_encode_def){0}, &err), ZT_ERR_ARGUMENT);
    cr_assert_eq(zt_image_read(path, false, NULL, &back, &err), ZT_ERR_INPUT, "%s", err.message);
    cr_assert_eq(zt_image_read(ZT_SOURCE_DIR "/README.md", false, NULL, &back, &err),
                 ZT_ERR_FORMAT);
    cr_assert_eq(test_folder_empty(), 0);
}

/// Memory of libraries is charged: below it they do not begin.
Test(picture_files, budgets)
{
    OWN_IMAGE image = made(true);
    const picture_planes planes = {.width = WIDTH, .height = HEIGHT, .color8 = image};
    const zt_encode_def encoding = {0};
    file_bytes bytes;
    OWN_MEMORY(tight, 300 << 10);
    cr_assert_eq(webp_encode(&planes, &encoding, &tight, &bytes, &err), ZT_ERR_LIMIT);
    arena_reset(&tight);
    tight_budget.limit = 100 << 10;
    cr_assert_eq(jpeg_encode(&planes, &encoding, &tight, &bytes, &err), ZT_ERR_LIMIT);
    arena_finish(&tight);
    cr_assert_eq(tight_budget.used, 0);
}

Test(picture_files, png_texts_are_read_back)
{
    char text[32], small[6];
    const zt_picture_text texts[] = {{"Thumb::URI", "file:///a%20b"}, {"Thumb::MTime", ""}};
    OWN_IMAGE image = made(true);
    zt_encode_def def = zt_default_encode_def();
    def.texts = texts;
    def.text_count = 2;
    def.has_key = true;
    def.key = KEY;
    OWN_IMAGE back = round_trip(&image, "texts.png", &def);
    cr_assert_eq(zt_image_hash(&back), zt_image_hash(&image));
    const char *path = test_file("texts.png");
    cr_assert(zt_png_read_text(path, "Thumb::URI", text, sizeof text));
    cr_assert_str_eq(text, texts[0].text);
    cr_assert(zt_png_read_text(path, "Thumb::MTime", text, sizeof text) && text[0] == 0);
    cr_assert(zt_png_read_text(path, "Zoetrope", text, sizeof text));
    cr_assert_not(zt_png_read_text(path, "Thumb::U", text, sizeof text));
    cr_assert_not(zt_png_read_text(path, "Thumb::URI", small, sizeof small), "too little room");
    cr_assert(freopen(path, "r", stdin)); // of a call without a file it is neither read nor closed
    cr_expect_not(zt_png_read_text(NULL, "Thumb::URI", text, sizeof text));
    cr_expect_not(zt_png_read_text(path, "Thumb::URI", text, 0));
    cr_expect_eq(fgetc(stdin), 0x89, "the first byte of a PNG");
    cr_assert_eq(zt_png_hash(path, NULL, NULL, NULL), ZT_ERR_ARGUMENT);
    cr_assert(zt_image_has_key(path, KEY, WIDTH, HEIGHT));
    cr_assert_not(zt_image_has_key(path, KEY + 1, WIDTH, HEIGHT));
    cr_assert_not(zt_image_has_key(path, KEY, WIDTH + 1, HEIGHT));
    zt_image_finish(&back);
    back = round_trip(&image, "key.webp", &def);
    path = test_file("key.webp");
    cr_assert(zt_image_has_key(path, KEY, WIDTH, HEIGHT));
    cr_assert_not(zt_png_read_text(path, "Thumb::URI", text, sizeof text), "no PNG");
    const zt_picture_text nameless = {"", "text"};
    def.texts = &nameless;
    def.text_count = 1;
    cr_assert_eq(zt_image_write(test_file("not.png"), &image, &def, &err), ZT_ERR_ARGUMENT);
}
