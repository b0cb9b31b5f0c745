// SPDX-License-Identifier: MIT
/// OpenEXR: every lossless compression in scan lines and tiles against the numbers that were
/// written, a file written by hand, windows, layers, chroma, primaries, what is refused, damage.
#include "../kernels/random_inputs.h"
#include "base/bytes.h"
#include "counted_cancel.h"
#include "exr_fixture.h"
#include "picture_fixture.h"
#include "testing.h"

#include <limits.h>

/// Reads the bytes in a case of its own, in place of what the case had; f->err has the result.
static void decode_bytes(picture_case *f, const uint8_t *bytes, size_t size, uint64_t limit)
{
    OWN_BLOCK uint8_t *exact = picture_exact_copy(bytes, size);
    picture_finish(f);
    picture_begin(f, limit);
    const zt_result result =
        exr_decode(&f->a, "x.exr", (file_bytes){exact, size}, &f->radiance, &f->err);
    cr_expect_eq(result, f->err.code);
    cr_expect_eq(result == ZT_OK, f->radiance.rgb != NULL);
}

static void decode(picture_case *f, const exr_recipe *recipe)
{
    size_t size = 0;
    OWN_BLOCK uint8_t *bytes = exr_encode(recipe, &size);
    cr_assert_not_null(bytes);
    decode_bytes(f, bytes, size, 0);
}

static void must_decode(picture_case *f, const exr_recipe *recipe)
{
    decode(f, recipe);
    MUST(f->err.code, f->err);
}

static void expect_error(const picture_case *f, zt_result result, const char *text)
{
    cr_expect(f->err.code == result && strncmp(f->err.message, "x.exr:", 6) == 0 &&
                  strstr(f->err.message, text),
              "%s: got %d, %s", text, (int)f->err.code, f->err.message);
}

/// Even sides, as sampled channels need them.
static const exr_recipe plain = {
    .compression = EXR_COMPRESSION_NONE,
    .storage = EXR_STORAGE_SCANLINE,
    .data = {0, 0, 43, 37},
    .display = {0, 0, 43, 37},
    .tile = {16, 8},
    .channel = {{"B", EXR_PIXEL_HALF, 1}, {"G", EXR_PIXEL_HALF, 1}, {"R", EXR_PIXEL_HALF, 1}},
};

/// Reads a file, all of which is displayed; every pixel is what the recipe says, to `tolerance` of
/// 16.
static void expect_recipe(const exr_recipe *recipe, double tolerance)
{
    static const char *const names[3] = {"R", "G", "B"};
    const int32_t *d = recipe->data, width = d[2] - d[0] + 1;
    PICTURE_CASE(f, 0);
    must_decode(&f, recipe);
    cr_assert(f.radiance.width == width && f.radiance.height == d[3] - d[1] + 1);
    for (int i = 0; i < 3 * width * f.radiance.height; i++) {
        const int x = i / 3 % width + d[0], y = i / 3 / width + d[1];
        const double got = (double)f.radiance.rgb[i];
        const double want =
            (double)(recipe->value ? recipe->value : exr_sample_value)(names[i % 3], x, y);
        cr_assert(fabs(got - want) <= tolerance, "%d %d: %g, expected %g", x, y, got, want);
    }
}

Test(exr, lossless_compressions_in_lines_and_tiles)
{
    static const exr_compression_t kinds[] = {EXR_COMPRESSION_NONE, EXR_COMPRESSION_RLE,
                                              EXR_COMPRESSION_ZIP,  EXR_COMPRESSION_ZIPS,
                                              EXR_COMPRESSION_PIZ,  EXR_COMPRESSION_PXR24};
    for (size_t i = 0; i < 3 * sizeof kinds / sizeof *kinds; i++)
        for (int type = EXR_PIXEL_HALF; type <= EXR_PIXEL_FLOAT; type++) {
            exr_recipe r = plain;
            r.compression = kinds[i / 3];
            r.storage = i % 3 ? EXR_STORAGE_TILED : EXR_STORAGE_SCANLINE;
            r.mipmap = i % 3 == 2;
            for (int c = 0; c < 3; c++)
                r.channel[c].type = (exr_pixel_type_t)type;
            expect_recipe(&r, 0.0);
        }
}

Test(exr, other_files)
{
    static const struct {
        exr_compression_t compression;
        int parts; ///< whose first one counts
        double tolerance;
        exr_recipe_channel channel[EXR_CHANNELS_MAX];
    } cases[] = {
        {EXR_COMPRESSION_B44, 1, 1.0, {{.name = NULL}}}, // six bits
        {EXR_COMPRESSION_B44A, 1, 1.0, {{.name = NULL}}},
        {EXR_COMPRESSION_ZIPS, 3, 0.0, {{.name = NULL}}},
        {EXR_COMPRESSION_ZIP,
         1,
         0.0,
         {{"A", EXR_PIXEL_HALF, 1},
          {"B", EXR_PIXEL_FLOAT, 1},
          {"G", EXR_PIXEL_HALF, 1},
          {"R", EXR_PIXEL_FLOAT, 1},
          {"S", EXR_PIXEL_HALF, 2},
          {"Z", EXR_PIXEL_UINT, 1}}},
        {EXR_COMPRESSION_NONE,
         1,
         0.0,
         {{"depth.Z", EXR_PIXEL_FLOAT, 1},
          {"x.B", EXR_PIXEL_HALF, 1},
          {"x.G", EXR_PIXEL_HALF, 1},
          {"x.R", EXR_PIXEL_HALF, 1}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        exr_recipe r = plain;
        r.compression = cases[i].compression;
        r.parts = cases[i].parts;
        if (cases[i].channel[0].name)
            memcpy(r.channel, cases[i].channel, sizeof r.channel);
        expect_recipe(&r, cases[i].tolerance);
    }
}

static float whole(const char *channel, int32_t x, int32_t y)
{
    return (float)(uint32_t)(channel[0] + x * 1000 + y * 70000);
}

Test(exr, whole_numbers)
{
    exr_recipe r = plain;
    r.value = whole;
    for (int c = 0; c < 3; c++)
        r.channel[c].type = EXR_PIXEL_UINT;
    expect_recipe(&r, 0.0);
}

Test(exr, windows_of_data_and_display)
{
    static const struct {
        int32_t data[4], display[4];
    } cases[] = {
        {{10, 20, 40, 50}, {10, 20, 40, 50}},
        {{-5, -7, 60, 90}, {0, 0, 31, 15}}, // more than is displayed
        {{8, 4, 20, 10}, {0, 0, 31, 15}},   // less
        {{-9, 3, 12, 40}, {0, 0, 31, 15}},  // some of it
        {{40, 40, 50, 50}, {0, 0, 31, 15}}, // nothing
        {{0, 0, 9, 9}, {-100, -50, -90, 20}},
    };
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        exr_recipe r = plain;
        r.compression = EXR_COMPRESSION_ZIP;
        r.storage = i % 2 ? EXR_STORAGE_TILED : EXR_STORAGE_SCANLINE;
        memcpy(r.data, cases[i / 2].data, sizeof r.data);
        memcpy(r.display, cases[i / 2].display, sizeof r.display);
        PICTURE_CASE(f, 0);
        must_decode(&f, &r);
        cr_assert_eq(f.radiance.width, r.display[2] - r.display[0] + 1);
        cr_assert_eq(f.radiance.height, r.display[3] - r.display[1] + 1);
        for (int32_t y = r.display[1]; y <= r.display[3]; y++)
            for (int32_t x = r.display[0]; x <= r.display[2]; x++) {
                const bool inside =
                    x >= r.data[0] && x <= r.data[2] && y >= r.data[1] && y <= r.data[3];
                const float *got = f.radiance.rgb +
                                   3 * ((y - r.display[1]) * f.radiance.width + (x - r.display[0]));
                cr_assert_eq(got[1], inside ? exr_sample_value("G", x, y) : 0.0f, "%zu: %d %d", i,
                             x, y);
            }
    }
}

/// Unneeded channels are passed over by their samples, at any corner, by sampling.
Test(exr, channels_of_any_sampling)
{
    static const int32_t corner[] = {0, 1, 7, -1, -7, -50};
    for (int step = 1; step <= 5; step++)
        for (size_t i = 0; i < sizeof corner / sizeof *corner; i++) {
            exr_recipe r = plain;
            memcpy(r.channel + 1, plain.channel, 3 * sizeof *r.channel);
            r.channel[0] = (exr_recipe_channel){"A.coarse", EXR_PIXEL_HALF, step}; // in each line
            for (int axis = 0; axis < 2; axis++) {
                r.data[axis] = corner[i] * step;
                r.data[axis + 2] = corner[i] * step + 59;
            }
            memcpy(r.display, r.data, sizeof r.display);
            expect_recipe(&r, 0.0);
        }
}

/// Numbers of chunks, of colours and of the picture.
Test(exr, each_line_asks_whether_to_go_on)
{
    exr_recipe r = plain;
    r.data[3] = r.display[3] = 299;
    r.display[2] = 50; // not all of it is data
    r.compression = EXR_COMPRESSION_PIZ;
    size_t size = 0;
    OWN_BLOCK uint8_t *bytes = exr_encode(&r, &size);
    long last = LONG_MAX;
    for (int i = 0; i < 2; i++) {
        counted_cancel caller = {.last = last};
        const zt_cancel cancel = {counted_ask, &caller};
        PICTURE_CASE(f, 0);
        cancel_init(&f.memory.cancel, &cancel);
        exr_decode(&f.a, "x.exr", (file_bytes){bytes, size}, &f.radiance, &f.err);
        cr_expect_eq(f.err.code, i ? ZT_ERR_CANCELLED : ZT_OK, "%d", (int)f.err.code);
        cr_expect(caller.asked == last || caller.asked > 3 * 300, "%ld", (long)caller.asked);
        last = caller.asked / 2;
    }
}

/// A colour of the ratios 4 : 2 : 1 whose luminance changes from pixel to pixel.
static float chroma_value(const char *channel, int32_t x, int32_t y)
{
    const double luminance = 0.2126 * 4.0 + 0.7152 * 2.0 + 0.0722;
    if (strcmp(channel, "Y") == 0)
        return (float)(luminance * (1 + x + y));
    return (float)((channel[0] == 'R' ? 4.0 : 1.0) / luminance - 1.0);
}

/// Without chroma, sampling 0, it is grey.
Test(exr, luminance_and_chroma)
{
    for (int sampling = 0; sampling <= 2; sampling++) {
        exr_recipe r = plain;
        const exr_recipe_channel channels[4] = {{"BY", EXR_PIXEL_FLOAT, sampling},
                                                {"RY", EXR_PIXEL_FLOAT, sampling},
                                                {"Y", EXR_PIXEL_FLOAT, 1}};
        memcpy(r.channel, channels + (sampling ? 0 : 2), (sampling ? 4 : 2) * sizeof *channels);
        r.value = chroma_value;
        r.compression = sampling == 2 ? EXR_COMPRESSION_PIZ : EXR_COMPRESSION_ZIP;
        PICTURE_CASE(f, 0);
        must_decode(&f, &r);
        for (int i = 0; i < 3 * 44 * 38; i++) {
            const int x = i / 3 % 44, y = i / 3 / 44;
            const double want =
                sampling ? (double)(4 >> i % 3) * (1 + x + y) : (double)chroma_value("Y", x, y);
            NEAR((double)f.radiance.rgb[i], want, 1e-3 * want, "%d %d.%d", x, y, i % 3);
        }
    }
}

static float white_or_green(const char *channel, int32_t x, int32_t y)
{
    (void)y;
    return x == 0 || channel[0] == 'G' ? 1.0f : 0.0f;
}

/// ITU-R BT.2087: linear BT.709 from linear BT.2020; and ACES AP1, whose white is adapted.
Test(exr, other_primaries)
{
    const exr_attr_chromaticities_t bt2020 = {0.708f, 0.292f, 0.170f,  0.797f,
                                              0.131f, 0.046f, 0.3127f, 0.3290f};
    const exr_attr_chromaticities_t ap1 = {0.713f, 0.293f, 0.165f,   0.830f,
                                           0.128f, 0.044f, 0.32168f, 0.33767f};
    static const double green[3] = {0.0, 1.1329, 0.0}; // red and blue are negative: outside
    for (int i = 0; i < 2; i++) {
        exr_recipe r = plain;
        r.chromaticities = i ? &ap1 : &bt2020;
        r.value = white_or_green;
        PICTURE_CASE(f, 0);
        must_decode(&f, &r);
        for (int c = 0; c < 3; c++) {
            NEAR(f.radiance.rgb[c], 1.0, 1e-4, "white %d", c);
            if (i == 0)
                NEAR(f.radiance.rgb[3 + c], green[c], 1e-3, "green %d", c);
        }
    }
    const exr_attr_chromaticities_t none[] = {
        {0},                                                          // no white
        {0.5f, 0.25f, 0.375f, 0.375f, 0.25f, 0.5f, 0.3127f, 0.3290f}, // on a line
        {0.64f, 0.33f, 0.3f, 0.3f, 0.47f, 0.315f, 0.3127f, 0.3290f},  // but for rounding
    };
    for (int i = 0; i < 3; i++) {
        exr_recipe r = plain;
        r.chromaticities = &none[i];
        PICTURE_CASE(f, 0);
        decode(&f, &r);
        expect_error(&f, ZT_ERR_FORMAT, "chromaticities span no colours");
    }
}

static float special(const char *channel, int32_t x, int32_t y)
{
    static const float values[] = {-1.0f,    -INFINITY, INFINITY, NAN,
                                   65504.0f, 0x1p-24f,  0x1p-14f, 0.0f};
    (void)channel, (void)y;
    return values[x & 7];
}

Test(exr, every_value_is_finite_and_not_negative)
{
    static const float want[] = {0.0f, 0.0f, 65504.0f, 0.0f, 65504.0f, 0x1p-24f, 0x1p-14f, 0.0f};
    for (int type = EXR_PIXEL_HALF; type <= EXR_PIXEL_FLOAT; type++) {
        exr_recipe r = plain;
        r.value = special;
        for (int c = 0; c < 3; c++)
            r.channel[c].type = (exr_pixel_type_t)type;
        PICTURE_CASE(f, 0);
        must_decode(&f, &r);
        for (int x = 0; x < 8; x++)
            cr_expect_eq(f.radiance.rgb[3 * x], want[x], "%d: %g", x,
                         (double)f.radiance.rgb[3 * x]);
    }
}

Test(exr, what_is_refused)
{
    PICTURE_CASE(f, 0);
    for (int i = 0; i < 2; i++) { // the encoder has no DWA: the byte of the attribute says it
        size_t size = 0;
        OWN_BLOCK uint8_t *bytes = exr_encode(&plain, &size);
        for (size_t k = 0; k + 32 < size; k++)
            if (memcmp(bytes + k, "compression\0compression", 24) == 0) {
                bytes[k + 28] = (uint8_t)(i ? EXR_COMPRESSION_DWAB : EXR_COMPRESSION_DWAA);
                break;
            }
        decode_bytes(&f, bytes, size, 0);
        expect_error(&f, ZT_ERR_UNSUPPORTED, i ? "DWAB compression" : "DWAA compression");
    }
    exr_recipe r = plain;
    r.cube = true;
    decode(&f, &r);
    expect_error(&f, ZT_ERR_UNSUPPORTED, "the faces of a cube");
    r = plain;
    r.channel[2].name = "X";
    decode(&f, &r);
    expect_error(&f, ZT_ERR_UNSUPPORTED, "other channels is not supported (expected R, G and B");
    r = plain;
    r.channel[0].sampling = 2;
    decode(&f, &r);
    expect_error(&f, ZT_ERR_UNSUPPORTED,
                 "coarsely sampled channels is not supported (expected RY and BY");
    r = plain;
    r.display[2] = 16384;
    decode(&f, &r);
    expect_error(&f, ZT_ERR_LIMIT, "16385 x 38 pixels (at most 16384 a side)");
    decode_bytes(&f, (const uint8_t *)"\x76\x2f\x31\x02", 4, 0);
    expect_error(&f, ZT_ERR_FORMAT, "not an OpenEXR");
}

/// One pixel, byte by byte as "OpenEXR File Layout" has it.
static const char one_pixel[] = "\x76\x2f\x31\x01\2\0\0\0"
                                "channels\0chlist\0\x37\0\0\0"
                                "B\0\2\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0"
                                "G\0\1\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0"
                                "R\0\1\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0\0"
                                "compression\0compression\0\1\0\0\0\0"
                                "dataWindow\0box2i\0\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                                "displayWindow\0box2i\0\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                                "lineOrder\0lineOrder\0\1\0\0\0\0"
                                "pixelAspectRatio\0float\0\4\0\0\0\0\0\x80\x3f"
                                "screenWindowCenter\0v2f\0\x08\0\0\0\0\0\0\0\0\0\0\0"
                                "screenWindowWidth\0float\0\4\0\0\0\0\0\x80\x3f\0"
                                "\x41\1\0\0\0\0\0\0"      // where the chunk is
                                "\0\0\0\0\x08\0\0\0"      // line 0, 8 bytes
                                "\0\0\xa0\x40\0\x3e\1\0"; // 5.0f, 1.5 and 2^-24 in half

Test(exr, a_file_written_by_hand)
{
    PICTURE_CASE(f, 0);
    decode_bytes(&f, (const uint8_t *)one_pixel, sizeof one_pixel - 1, 0);
    cr_assert_eq(f.err.code, ZT_OK, "%s (%zu bytes)", f.err.message, sizeof one_pixel - 1);
    cr_assert(f.radiance.width == 1 && f.radiance.height == 1);
    cr_expect(f.radiance.rgb[0] == 0x1p-24f && f.radiance.rgb[1] == 1.5f &&
              f.radiance.rgb[2] == 5.0f);
}

Test(exr, tables_of_chunks_are_checked_before_memory_is_taken)
{
    enum { DATA_CORNER = 142, DISPLAY_CORNER = 182 }; // x, of 256 pixels; that of y follows
    uint8_t bytes[sizeof one_pixel];
    PICTURE_CASE(f, 0);
    memcpy(bytes, one_pixel, sizeof bytes);
    bytes[DATA_CORNER] = bytes[DATA_CORNER + 4] = bytes[DISPLAY_CORNER] = 16; // one chunk is little
    bytes[DISPLAY_CORNER + 4] = 15;
    decode_bytes(&f, bytes, sizeof bytes - 1, 8 << 20);
    cr_expect_lt(f.memory.peak, 1 << 20);
    expect_error(&f, ZT_ERR_FORMAT, "its table of chunks ends early");
}

/// Decodes that file with `extra` before its other attributes.
static void decode_with(picture_case *f, const void *extra, size_t size, uint64_t limit)
{
    enum { FIRST = 8, CHUNK_BYTES = 16 };
    const size_t whole = sizeof one_pixel - 1 + size;
    uint8_t *bytes = malloc(whole), *table = bytes + whole - CHUNK_BYTES - 8;
    memcpy(bytes, one_pixel, FIRST);
    memcpy(bytes + FIRST, extra, size);
    memcpy(bytes + FIRST + size, one_pixel + FIRST, sizeof one_pixel - 1 - FIRST);
    for (size_t i = 0, chunk = whole - CHUNK_BYTES; i < 8; i++)
        table[i] = (uint8_t)(chunk >> 8 * i);
    decode_bytes(f, bytes, whole, limit);
    free(bytes);
}

/// Writes an attribute's name, type and size; returns where its value begins.
static uint8_t *put_attribute(uint8_t *at, const char *name, const char *type, size_t size)
{
    at += sprintf((char *)at, "%s", name) + 1;
    at += sprintf((char *)at, "%s", type) + 1;
    bytes_store_u32_le(at, (uint32_t)size);
    return at + 4;
}

/// The library holds two copies of all attributes at a time.
Test(exr, attributes_are_counted_before_they_are_copied)
{
    enum { SIZE = 8 << 20 };
    static uint8_t extra[SIZE + 64];
    for (int i = 0; i < 4; i++) { // of a list of empty strings each costs more than its four bytes
        PICTURE_CASE(f, 0);
        const size_t size = i & 2 ? SIZE / 8 : SIZE;
        uint8_t *value = put_attribute(extra, "a", i & 2 ? "stringvector" : "string", size);
        memset(value, 0, size);
        decode_with(&f, extra, (size_t)(value - extra) + size, i & 1 ? 128 << 20 : 18 << 20);
        cr_expect_eq(f.err.code, i & 1 ? ZT_OK : ZT_ERR_LIMIT, "%d: %d, %s", i, f.err.code,
                     f.err.message);
    }
}

/// Attributes of one byte, or a list of channels; their names descend.
static size_t put_names(uint8_t *out, int count, bool channels)
{
    enum { CHANNEL_BYTES = 6 + 16 };
    uint8_t *at = out;
    char name[16];
    if (channels)
        at = put_attribute(at, "list", "chlist", (size_t)count * CHANNEL_BYTES + 1);
    for (int i = 0; i < count; i++) {
        sprintf(name, "%05d", 99999 - i);
        if (channels) {
            memcpy(at, name, 6);
            memcpy(at + 6, "\1\0\0\0\0\0\0\0\1\0\0\0\1\0\0", 16);
            at += CHANNEL_BYTES;
        } else {
            at = put_attribute(at, name, "other", 1);
            *at++ = 0;
        }
    }
    if (channels)
        *at++ = 0;
    return (size_t)(at - out);
}

Test(exr, names_are_limited)
{
    static uint8_t extra[5000 * 32];
    PICTURE_CASE(f, 0);
    decode_with(&f, extra, put_names(extra, 4088, false), 0); // and eight of the file
    cr_expect_eq(f.err.code, ZT_OK, "%s", f.err.message);
    decode_with(&f, extra, put_names(extra, 4089, false), 0);
    expect_error(&f, ZT_ERR_LIMIT, "too many attributes (at most 4096)");
    decode_with(&f, extra, put_names(extra, 4096, true), 0);
    cr_expect_eq(f.err.code, ZT_OK, "%s", f.err.message);
    decode_with(&f, extra, put_names(extra, 4097, true), 0);
    expect_error(&f, ZT_ERR_LIMIT, "too many channels (at most 4096)");
}

/// Attributes that the library would take for its own: the value of one that it cannot read.
Test(exr, attributes_are_as_their_types_say)
{
    static const struct {
        const char *name, *type;
        size_t size;
        const char *value, *message;
    } cases[] = {
        {"a", "float", 5, "\0\0\0\0\0", "another size than its type has"},
        {"a", "floatvector", 5, "\0\0\0\0\0", "another size than its type has"},
        {"a", "preview", 12, "\2\0\0\0\1\0\0\0\0\0\0", "another size than its type has"},
        {"a", "stringvector", 6, "\3\0\0\0ab", "another size than its strings"},
        {"a", "chlist", 2, "\0\0", "another size than its channels"},
        {"a", "chlist", 9, "R\0\1\0\0\0\0\0", "a list of channels ends early"},
        {"a", "chlist", 18, "R\0\3\0\0\0\0\0\0\0\1\0\0\0\1\0\0", "a channel of an unknown kind"},
        {"a", "chlist", 18, "R\0\1\0\0\0\0\0\0\0\0\0\0\0\1\0\0", "a channel of an unknown kind"},
        {"channels", "string", 2, "ab", "is there twice"},
        {"a", "string", 1u << 31, "", "larger than the file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t extra[64];
        PICTURE_CASE(f, 0);
        uint8_t *value = put_attribute(extra, cases[i].name, cases[i].type, cases[i].size);
        const size_t size = cases[i].size < 32 ? cases[i].size : 0;
        memcpy(value, cases[i].value, size);
        decode_with(&f, extra, (size_t)(value - extra) + size, 0);
        expect_error(&f, ZT_ERR_FORMAT, cases[i].message);
    }
    uint8_t extra[400];
    memset(extra, 'a', sizeof extra);
    PICTURE_CASE(f, 0);
    decode_with(&f, extra, sizeof extra, 0);
    expect_error(&f, ZT_ERR_FORMAT, "too long (expected at most 255)");
}

Test(exr, every_truncation_is_an_error)
{
    for (int i = 0; i < 2; i++) {
        exr_recipe r = plain;
        r.compression = EXR_COMPRESSION_ZIP;
        r.storage = i ? EXR_STORAGE_TILED : EXR_STORAGE_SCANLINE;
        size_t size = 0;
        OWN_BLOCK uint8_t *bytes = exr_encode(&r, &size);
        for (size_t cut = 0; cut < size; cut += ZT_RANDOM_SHARE) {
            PICTURE_CASE(f, 0);
            decode_bytes(&f, bytes, cut, 0);
            cr_expect(f.err.code == ZT_ERR_FORMAT && strncmp(f.err.message, "x.exr:", 6) == 0,
                      "cut to %zu of %zu: %d, %s", cut, size, (int)f.err.code, f.err.message);
        }
    }
}

Test(exr, memory_is_counted_before_it_is_taken)
{
    exr_recipe r = plain;
    size_t size = 0;
    OWN_BLOCK uint8_t *bytes = exr_encode(&r, &size);
    for (uint64_t limit = 1 << 10; limit <= 1 << 22; limit *= 2) {
        PICTURE_CASE(f, 0);
        decode_bytes(&f, bytes, size, limit);
        cr_expect(f.err.code == ZT_ERR_LIMIT || limit > (1 << 21), "%d: %s", (int)f.err.code,
                  f.err.message);
    }
}
