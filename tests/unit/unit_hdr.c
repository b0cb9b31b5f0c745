// SPDX-License-Identifier: MIT
/// Radiance pictures: files written here in each kind of row against the definition in double
/// precision, exposures, orders of rows, headers and runs that lie, and real files.
#include "image/hdr_read.h"
#include "testing.h"

#include <float.h>

typedef struct fixture {
    budget memory;
    arena a;
    zt_error err;
    hdr_picture out;
    uint8_t file[8192];
    size_t size;
} fixture;

static void begin(fixture *f, uint64_t limit)
{
    memset(f, 0, sizeof *f);
    budget_init(&f->memory, limit, NULL);
    arena_init(&f->a, &f->memory);
}

static void finish(fixture *f)
{
    arena_finish(&f->a);
    cr_expect_eq(f->memory.used, 0);
}

static void put_text(fixture *f, const char *text)
{
    memcpy(f->file + f->size, text, strlen(text));
    f->size += strlen(text);
}

static void put_bytes(fixture *f, const uint8_t *bytes, size_t size)
{
    memcpy(f->file + f->size, bytes, size);
    f->size += size;
}

static zt_result decode(fixture *f)
{
    uint8_t *exact = malloc(f->size + 1); // so that ASan sees any byte read beyond the end
    memcpy(exact, f->file, f->size);
    exact[f->size] = 0;
    f->err = (zt_error){ZT_OK, ""};
    const zt_result r = hdr_decode(&f->a, "x.hdr", (file_bytes){exact, f->size}, &f->out, &f->err);
    free(exact);
    return r;
}

static void expect_error(fixture *f, zt_result result, size_t byte, const char *text)
{
    char where[64];
    snprintf(where, sizeof where, "x.hdr:%zu: ", byte);
    const zt_result r = decode(f);
    cr_expect(r == result && strncmp(f->err.message, where, strlen(where)) == 0 &&
                  strstr(f->err.message, text),
              "%s%s: got %d, %s", where, text, (int)r, f->err.message);
    cr_expect_null(f->out.rgb);
}

#define HEADER "#?RADIANCE\n# a comment\nFORMAT=32-bit_rle_rgbe\n"

static void expect_pixel(const fixture *f, int x, int y, const uint8_t rgbe[4], double exposure)
{
    const float *got = f->out.rgb + 3 * (y * f->out.width + x);
    for (int c = 0; c < 3; c++) {
        double want = rgbe[3] ? ldexp(rgbe[c], rgbe[3] - 136) / exposure : 0.0;
        want = want > (double)FLT_MAX ? (double)FLT_MAX : want;
        cr_expect(got[c] == (float)want, "%d %d.%d: %g, expected %g", x, y, c, (double)got[c],
                  want);
    }
}

Test(hdr, every_exponent_in_plain_rows)
{
    for (int e = 0; e < 256; e++) {
        const uint8_t pixel[4] = {1, 128, 255, (uint8_t)e};
        fixture f;
        begin(&f, 0);
        put_text(&f, HEADER "\n-Y 1 +X 1\n");
        put_bytes(&f, pixel, 4);
        cr_assert_eq(decode(&f), ZT_OK, "%s", f.err.message);
        cr_assert(f.out.width == 1 && f.out.height == 1);
        expect_pixel(&f, 0, 0, pixel, 1.0);
        finish(&f);
    }
}

Test(hdr, exposures_are_taken_out)
{
    static const uint8_t pixel[4] = {10, 20, 30, 130};
    fixture f;
    begin(&f, 0);
    put_text(&f, HEADER "EXPOSURE=2.5\nEXPOSURE= 3\n\n-Y 1 +X 1\n");
    put_bytes(&f, pixel, 4);
    cr_assert_eq(decode(&f), ZT_OK, "%s", f.err.message);
    expect_pixel(&f, 0, 0, pixel, 7.5);
    finish(&f);
    begin(&f,
          0); // the darkest exposure that is taken makes the brightest pixel too large for a float
    put_text(&f, HEADER "EXPOSURE=1e-30\n\n-Y 1 +X 1\n");
    put_bytes(&f, (const uint8_t[]){255, 255, 255, 255}, 4);
    cr_assert_eq(decode(&f), ZT_OK, "%s", f.err.message);
    expect_pixel(&f, 0, 0, (const uint8_t[]){255, 255, 255, 255}, 1e-30);
    finish(&f);
}

/// Four rows of 9 pixels whose red is 10 y + x, in each kind of row.
static void put_rows(fixture *f, int kind)
{
    for (int y = 0; y < 4; y++) {
        uint8_t red[9];
        for (int x = 0; x < 9; x++)
            red[x] = (uint8_t)(10 * y + x + 2);
        if (kind == 0) // plain
            for (int x = 0; x < 9; x++)
                put_bytes(f, (const uint8_t[]){red[x], 50, 60, 129}, 4);
        else { // red as a copy, the others as runs, blue in two
            put_bytes(f, (const uint8_t[]){2, 2, 0, 9, 9}, 5);
            put_bytes(f, red, 9);
            put_bytes(f, (const uint8_t[]){128 + 9, 50, 128 + 4, 60, 5, 60, 60, 60, 60, 60}, 10);
            put_bytes(f, (const uint8_t[]){128 + 9, 129}, 2);
        }
    }
}

/// Row `line` of the file is a row or a column of nine pixels; red says where a pixel was stored.
Test(hdr, all_eight_orientations)
{
    static const struct {
        const char *size;
        bool columns, bottom_up, right_left;
    } cases[8] = {
        {"-Y 4 +X 9\n", false, false, false}, {"+Y 4 +X 9\n", false, true, false},
        {"-Y 4 -X 9\n", false, false, true},  {"+Y 4 -X 9\n", false, true, true},
        {"+X 4 -Y 9\n", true, false, false},  {"+X 4 +Y 9\n", true, true, false},
        {"-X 4 -Y 9\n", true, false, true},   {"-X 4 +Y 9\n", true, true, true},
    };
    for (int i = 0; i < 16; i++) {
        fixture f;
        begin(&f, 0);
        put_text(&f, HEADER "\n");
        put_text(&f, cases[i / 2].size);
        put_rows(&f, i % 2);
        cr_assert_eq(decode(&f), ZT_OK, "%s", f.err.message);
        const int width = cases[i / 2].columns ? 4 : 9, height = 13 - width;
        cr_assert(f.out.width == width && f.out.height == height);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                const int from_x = cases[i / 2].right_left ? width - 1 - x : x;
                const int from_y = cases[i / 2].bottom_up ? height - 1 - y : y;
                const int line = cases[i / 2].columns ? from_x : from_y;
                const int along = cases[i / 2].columns ? from_y : from_x;
                expect_pixel(&f, x, y,
                             (const uint8_t[]){(uint8_t)(10 * line + along + 2), 50, 60, 129}, 1.0);
            }
        finish(&f);
    }
}

Test(hdr, colour_corrections_are_taken_out)
{
    static const double correct[3] = {0.5 * 3.0, 2.0 * 4.0, 1.0 * 5.0};
    fixture f;
    begin(&f, 0);
    put_text(&f, HEADER "COLORCORR=0.5 2 1\nEXPOSURE=2\nCOLORCORR= 3 4  5\n\n-Y 1 +X 1\n");
    put_bytes(&f, (const uint8_t[]){10, 20, 30, 130}, 4);
    cr_assert_eq(decode(&f), ZT_OK, "%s", f.err.message);
    for (int c = 0; c < 3; c++) {
        const double want = ldexp(10 * (c + 1), 130 - 136) / (2.0 * correct[c]);
        cr_expect(fabs((double)f.out.rgb[c] - want) <= 1e-7 * want, "%d: %g, expected %g", c,
                  (double)f.out.rgb[c], want);
    }
    finish(&f);
}

Test(hdr, gamma_is_undone)
{
    static const struct {
        const char *line;
        double gamma;
    } cases[] = {{"GAMMA=1\n", 1.0}, {"GAMMA=2.2\n", 2.2}, {"GAMMA=0.5\n", 0.5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int e = 1; e < 256; e++) {
            fixture f;
            begin(&f, 0);
            put_text(&f, HEADER);
            put_text(&f, cases[i].line);
            put_text(&f, "EXPOSURE=3\n\n-Y 1 +X 1\n");
            put_bytes(&f, (const uint8_t[]){0, 77, 255, (uint8_t)e}, 4);
            cr_assert_eq(decode(&f), ZT_OK, "%s", f.err.message);
            cr_expect_eq(f.out.rgb[0], 0.0f);
            for (int c = 1; c < 3; c++) {
                double want = pow(ldexp(c == 1 ? 77 : 255, e - 136), cases[i].gamma) / 3.0;
                want = want > (double)FLT_MAX ? (double)FLT_MAX : want;
                cr_expect(fabs((double)f.out.rgb[c] - want) <= 1e-7 * want + 1e-45,
                          "%s %d.%d: %g, expected %g", cases[i].line, e, c, (double)f.out.rgb[c],
                          want);
            }
            finish(&f);
        }
}

/// Radiance's primaries in XYZ at 179 lm/W: each comes back alone, equal X, Y, Z as white.
Test(hdr, xyze_in_the_primaries_of_radiance)
{
    static const double x[3] = {0.640, 0.290, 0.150}, y[3] = {0.330, 0.600, 0.060};
    for (int k = 0; k < 4; k++) {
        const double xyz[3] = {k < 3 ? x[k] : 1.0 / 3.0, k < 3 ? y[k] : 1.0 / 3.0,
                               k < 3 ? 1.0 - x[k] - y[k] : 1.0 / 3.0};
        const double top = fmax(xyz[0], fmax(xyz[1], xyz[2]));
        uint8_t pixel[4] = {0, 0, 0, 136};
        for (int c = 0; c < 3; c++)
            pixel[c] = (uint8_t)lrint(255.0 * xyz[c] / top);
        fixture f;
        begin(&f, 0);
        put_text(&f, "#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\n");
        put_bytes(&f, pixel, 4);
        cr_assert_eq(decode(&f), ZT_OK, "%s", f.err.message);
        const float *got = f.out.rgb;
        for (int c = 0; c < 3 && k < 3; c++)
            cr_expect(c == k ? got[c] > 0.0f : got[c] < 0.02f * got[k], "%d %d: %g of %g", k, c,
                      (double)got[c], (double)got[k]);
        for (int c = 0; c < 3 && k == 3; c++) // 255 of each, to the rounding of a float
            cr_expect(fabs((double)got[c] - 255.0 / 179.0) < 1e-6, "%g", (double)got[c]);
        finish(&f);
    }
}

/// One pixel 300 times: 44 repeats, then 256 with a run of the second order, less the pixel itself.
Test(hdr, runs_of_whole_pixels)
{
    static const uint8_t pixel[4] = {9, 8, 7, 128};
    fixture f;
    begin(&f, 0);
    put_text(&f, "#?RGBE\n\n-Y 1 +X 301\n");
    put_bytes(&f, pixel, 4);
    put_bytes(&f, (const uint8_t[]){1, 1, 1, 44, 1, 1, 1, 1}, 8);
    cr_assert_eq(decode(&f), ZT_OK, "%s", f.err.message);
    for (int x = 0; x < 301; x++)
        expect_pixel(&f, x, 0, pixel, 1.0);
    finish(&f);
}

Test(hdr, headers_that_lie)
{
    static const struct {
        const char *text;
        zt_result result;
        size_t byte;
        const char *message;
    } cases[] = {
        {"P6\n", ZT_ERR_FORMAT, 0, "not an HDR"},
        {"#?RADIANCE", ZT_ERR_FORMAT, 10, "ends in its header"},
        {"#?RADIANCE\nFORMAT=32-bit_rle_rgbe", ZT_ERR_FORMAT, 11, "does not end"},
        {"#?RADIANCE\nFORMAT=32-bit_rle_abce\n\n", ZT_ERR_FORMAT, 11, "unsupported HDR: FORMAT"},
        {"#?RADIANCE\nCOLORCORR=1 2\n\n-Y 1 +X 1\n", ZT_ERR_FORMAT, 11, "COLORCORR is not"},
        {"#?RADIANCE\nCOLORCORR=1 0 1\n\n-Y 1 +X 1\n", ZT_ERR_FORMAT, 11, "COLORCORR is not"},
        {"#?RADIANCE\nCOLORCORR=1e20 1 1\nCOLORCORR=1e20 1 1\n\n", ZT_ERR_FORMAT, 30,
         "COLORCORR lines"},
        {"#?RADIANCE\nGAMMA=0\n\n-Y 1 +X 1\n", ZT_ERR_FORMAT, 11, "GAMMA is not"},
        {"#?RADIANCE\nEXPOSURE=x\n\n-Y 1 +X 1\n", ZT_ERR_FORMAT, 11, "EXPOSURE"},
        {"#?RADIANCE\nEXPOSURE=0\n\n-Y 1 +X 1\n", ZT_ERR_FORMAT, 11, "EXPOSURE"},
        {"#?RADIANCE\nEXPOSURE=1e20\nEXPOSURE=1e20\n\n", ZT_ERR_FORMAT, 25, "product"},
        {"#?RADIANCE\n\n", ZT_ERR_FORMAT, 12, "before its size"},
        {"#?RADIANCE\n\n+X 1 -X 1\n", ZT_ERR_FORMAT, 12, "-Y height +X width"},
        {"#?RADIANCE\n\n+Z 1 -Y 1\n", ZT_ERR_FORMAT, 12, "-Y height +X width"},
        {"#?RADIANCE\n\n-Y 1\n", ZT_ERR_FORMAT, 12, "-Y height +X width"},
        {"#?RADIANCE\n\n-Y 0 +X 1\n", ZT_ERR_FORMAT, 12, "1 x 0 pixels"},
        {"#?RADIANCE\n\n-Y -4 +X 1\n", ZT_ERR_FORMAT, 12, "1 x -4 pixels"},
        {"#?RADIANCE\n\n-Y 4 +X 16385\n", ZT_ERR_LIMIT, 12, "at most 16384"},
        {"#?RADIANCE\n\n-Y 1 +X 1\nabc", ZT_ERR_FORMAT, 25, "pixels end early"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f;
        begin(&f, 0);
        put_text(&f, cases[i].text);
        expect_error(&f, cases[i].result, cases[i].byte, cases[i].message);
        finish(&f);
    }
}

Test(hdr, runs_that_lie)
{
    static const struct {
        const char *size;
        uint8_t rows[12];
        size_t count, byte;
        const char *message;
    } cases[] = {
        {"-Y 1 +X 9\n", {2, 2, 0, 8}, 4, 0, "another width"},
        {"-Y 1 +X 9\n", {2, 2, 0, 9, 0, 1}, 6, 4, "does not fit"},
        {"-Y 1 +X 9\n", {2, 2, 0, 9, 10, 1}, 6, 4, "does not fit"},
        {"-Y 1 +X 9\n", {2, 2, 0, 9, 138, 1}, 6, 4, "does not fit"},
        {"-Y 1 +X 9\n", {2, 2, 0, 9, 9, 1}, 6, 6, "end early"},
        {"-Y 1 +X 9\n", {2, 2, 0, 9, 137}, 5, 5, "end early"},
        {"-Y 1 +X 2\n", {1, 1, 1, 1}, 4, 0, "does not fit"},
        {"-Y 1 +X 2\n", {5, 5, 5, 5, 1, 1, 1, 2}, 8, 4, "does not fit"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f;
        begin(&f, 0);
        put_text(&f, "#?RADIANCE\n\n");
        put_text(&f, cases[i].size);
        const size_t start = f.size;
        put_bytes(&f, cases[i].rows, cases[i].count);
        expect_error(&f, ZT_ERR_FORMAT, start + cases[i].byte, cases[i].message);
        finish(&f);
    }
}

Test(hdr, every_truncation_is_an_error)
{
    for (int kind = 0; kind < 2; kind++) {
        fixture f;
        begin(&f, 0);
        put_text(&f, HEADER "\n-Y 4 +X 9\n");
        put_rows(&f, kind);
        cr_assert_eq(decode(&f), ZT_OK, "%s", f.err.message);
        const size_t whole = f.size;
        for (f.size = 0; f.size < whole; f.size++)
            cr_expect_eq(decode(&f), ZT_ERR_FORMAT, "cut to %zu", f.size);
        finish(&f);
    }
}

Test(hdr, memory_is_counted_before_it_is_taken)
{
    fixture f;
    begin(&f, 1 << 20);
    put_text(&f, "#?RADIANCE\n\n-Y 16384 +X 16384\n");
    cr_expect_eq(decode(&f), ZT_ERR_LIMIT, "%s", f.err.message);
    finish(&f);
}

Test(hdr, real_files)
{
    static const struct {
        const char *name;
        int32_t width, height;
    } cases[] = {
        {"simple-rle.hdr", 8, 2},
        {"royal_esplanade_256.hdr", 256, 128},
        {"venice_sunset_1k.hdr", 1024, 512},
    };
    const char *root = getenv("ZT_ASSETS");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[1024];
        fixture f;
        file_bytes bytes;
        begin(&f, 0);
        snprintf(path, sizeof path, "%s/hdr/%s", root ? root : ZT_SOURCE_DIR "/../shared/assets",
                 cases[i].name);
        if (file_read(&f.a, path, &bytes, &f.err) != ZT_OK) {
            fprintf(stderr, "skipped: no file %s\n", path);
        } else {
            cr_assert_eq(hdr_decode(&f.a, path, bytes, &f.out, &f.err), ZT_OK, "%s", f.err.message);
            cr_expect(f.out.width == cases[i].width && f.out.height == cases[i].height);
            for (int k = 0; k < 3 * f.out.width * f.out.height; k++)
                cr_assert(f.out.rgb[k] >= 0.0f && f.out.rgb[k] <= FLT_MAX);
        }
        finish(&f);
    }
}
