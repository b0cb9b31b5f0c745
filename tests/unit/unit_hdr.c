// SPDX-License-Identifier: MIT
/// Radiance pictures: files written here in each kind of row against the definition in double
/// precision, exposures, orders of rows, headers and runs that lie, and real files.
#include "asset_files.h"
#include "picture_fixture.h"

#include <float.h>

static zt_result decode(picture_case *f)
{
    OWN_BLOCK uint8_t *exact = picture_exact_copy(f->file, f->size);
    f->err = (zt_error){ZT_OK, ""};
    return hdr_decode(&f->a, "x.hdr", (file_bytes){exact, f->size}, &f->radiance, &f->err);
}

static void expect_error(picture_case *f, zt_result result, size_t byte, const char *text)
{
    PRINTED(where, 64, "x.hdr:%zu: ", byte);
    const zt_result r = decode(f);
    cr_expect(r == result && strncmp(f->err.message, where, strlen(where)) == 0 &&
                  strstr(f->err.message, text),
              "%s%s: got %d, %s", where, text, (int)r, f->err.message);
    cr_expect_null(f->radiance.rgb);
}

#define HEADER "#?RADIANCE\n# a comment\nFORMAT=32-bit_rle_rgbe\n"

static void expect_pixel(const picture_case *f, int x, int y, const uint8_t rgbe[4],
                         double exposure)
{
    const float *got = f->radiance.rgb + 3 * (y * f->radiance.width + x);
    for (int c = 0; c < 3; c++) {
        double want = rgbe[3] ? ldexp(rgbe[c], rgbe[3] - 136) / exposure : 0.0;
        want = want > (double)FLT_MAX ? (double)FLT_MAX : want;
        cr_expect(got[c] == (float)want, "%d %d.%d: %g, expected %g", x, y, c, (double)got[c],
                  want);
    }
}

/// Reads a file of one pixel with these lines in its header.
static void decode_pixel(picture_case *f, const char *lines, const uint8_t pixel[4])
{
    picture_put_text(f, lines);
    picture_put_text(f, "\n-Y 1 +X 1\n");
    picture_put(f, pixel, 4);
    MUST(decode(f), f->err);
    cr_assert(f->radiance.width == 1 && f->radiance.height == 1);
}

Test(hdr, every_exponent_in_plain_rows)
{
    for (int e = 0; e < 256; e++) {
        const uint8_t pixel[4] = {1, 128, 255, (uint8_t)e};
        PICTURE_CASE(f, 0);
        decode_pixel(&f, HEADER, pixel);
        expect_pixel(&f, 0, 0, pixel, 1.0);
    }
}

Test(hdr, exposures_are_taken_out)
{
    static const struct {
        const char *lines;
        uint8_t pixel[4];
        double exposure;
    } cases[] = {
        {HEADER "EXPOSURE=2.5\nEXPOSURE= 3\n", {10, 20, 30, 130}, 7.5},
        // The darkest exposure that is taken makes the brightest pixel too large for a float.
        {HEADER "EXPOSURE=1e-30\n", {255, 255, 255, 255}, 1e-30},
    };
    for (int i = 0; i < 2; i++) {
        PICTURE_CASE(f, 0);
        decode_pixel(&f, cases[i].lines, cases[i].pixel);
        expect_pixel(&f, 0, 0, cases[i].pixel, cases[i].exposure);
    }
}

/// Four rows of 9 pixels whose red is 10 y + x, in each kind of row.
static void put_rows(picture_case *f, int kind)
{
    for (int y = 0; y < 4; y++) {
        uint8_t red[9];
        for (int x = 0; x < 9; x++)
            red[x] = (uint8_t)(10 * y + x + 2);
        if (kind == 0) // plain
            for (int x = 0; x < 9; x++)
                picture_put(f, (const uint8_t[]){red[x], 50, 60, 129}, 4);
        else { // red as a copy, the others as runs, blue in two
            picture_put(f, (const uint8_t[]){2, 2, 0, 9, 9}, 5);
            picture_put(f, red, 9);
            picture_put(f, (const uint8_t[]){128 + 9, 50, 128 + 4, 60, 5, 60, 60, 60, 60, 60}, 10);
            picture_put(f, (const uint8_t[]){128 + 9, 129}, 2);
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
        PICTURE_CASE(f, 0);
        picture_put_text(&f, HEADER "\n");
        picture_put_text(&f, cases[i / 2].size);
        put_rows(&f, i % 2);
        MUST(decode(&f), f.err);
        const int width = cases[i / 2].columns ? 4 : 9, height = 13 - width;
        cr_assert(f.radiance.width == width && f.radiance.height == height);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                const int from_x = cases[i / 2].right_left ? width - 1 - x : x;
                const int from_y = cases[i / 2].bottom_up ? height - 1 - y : y;
                const int line = cases[i / 2].columns ? from_x : from_y;
                const int along = cases[i / 2].columns ? from_y : from_x;
                expect_pixel(&f, x, y,
                             (const uint8_t[]){(uint8_t)(10 * line + along + 2), 50, 60, 129}, 1.0);
            }
    }
}

Test(hdr, colour_corrections_are_taken_out)
{
    static const double correct[3] = {0.5 * 3.0, 2.0 * 4.0, 1.0 * 5.0};
    PICTURE_CASE(f, 0);
    decode_pixel(&f, HEADER "COLORCORR=0.5 2 1\nEXPOSURE=2\nCOLORCORR= 3 4  5\n",
                 (const uint8_t[]){10, 20, 30, 130});
    for (int c = 0; c < 3; c++) {
        const double want = ldexp(10 * (c + 1), 130 - 136) / (2.0 * correct[c]);
        NEAR(f.radiance.rgb[c], want, 1e-7 * want, "%d", c);
    }
}

Test(hdr, gamma_is_undone)
{
    static const struct {
        const char *lines;
        double gamma;
    } cases[] = {
        {HEADER "GAMMA=1\nEXPOSURE=3\n", 1.0},
        {HEADER "GAMMA=2.2\nEXPOSURE=3\n", 2.2},
        {HEADER "GAMMA=0.5\nEXPOSURE=3\n", 0.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int e = 1; e < 256; e++) {
            PICTURE_CASE(f, 0);
            decode_pixel(&f, cases[i].lines, (const uint8_t[]){0, 77, 255, (uint8_t)e});
            cr_expect_eq(f.radiance.rgb[0], 0.0f);
            for (int c = 1; c < 3; c++) {
                double want = pow(ldexp(c == 1 ? 77 : 255, e - 136), cases[i].gamma) / 3.0;
                want = want > (double)FLT_MAX ? (double)FLT_MAX : want;
                NEAR(f.radiance.rgb[c], want, 1e-7 * want + 1e-45, "%s %d.%d", cases[i].lines, e,
                     c);
            }
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
        PICTURE_CASE(f, 0);
        decode_pixel(&f, "#?RADIANCE\nFORMAT=32-bit_rle_xyze\n", pixel);
        const float *got = f.radiance.rgb;
        for (int c = 0; c < 3 && k < 3; c++)
            cr_expect(c == k ? got[c] > 0.0f : got[c] < 0.02f * got[k], "%d %d: %g of %g", k, c,
                      (double)got[c], (double)got[k]);
        for (int c = 0; c < 3 && k == 3; c++) // 255 of each, to the rounding of a float
            cr_expect(fabs((double)got[c] - 255.0 / 179.0) < 1e-6, "%g", (double)got[c]);
    }
}

/// One pixel 300 times: 44 repeats, then 256 with a run of the second order, less the pixel itself.
Test(hdr, runs_of_whole_pixels)
{
    static const uint8_t pixel[4] = {9, 8, 7, 128};
    PICTURE_CASE(f, 0);
    picture_put_text(&f, "#?RGBE\n\n-Y 1 +X 301\n");
    picture_put(&f, pixel, 4);
    picture_put(&f, (const uint8_t[]){1, 1, 1, 44, 1, 1, 1, 1}, 8);
    MUST(decode(&f), f.err);
    for (int x = 0; x < 301; x++)
        expect_pixel(&f, x, 0, pixel, 1.0);
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
        PICTURE_CASE(f, 0);
        picture_put_text(&f, cases[i].text);
        expect_error(&f, cases[i].result, cases[i].byte, cases[i].message);
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
        PICTURE_CASE(f, 0);
        picture_put_text(&f, "#?RADIANCE\n\n");
        picture_put_text(&f, cases[i].size);
        const size_t start = f.size;
        picture_put(&f, cases[i].rows, cases[i].count);
        expect_error(&f, ZT_ERR_FORMAT, start + cases[i].byte, cases[i].message);
    }
}

Test(hdr, every_truncation_is_an_error)
{
    for (int kind = 0; kind < 2; kind++) {
        PICTURE_CASE(f, 0);
        picture_put_text(&f, HEADER "\n-Y 4 +X 9\n");
        put_rows(&f, kind);
        MUST(decode(&f), f.err);
        const size_t whole = f.size;
        for (f.size = 0; f.size < whole; f.size++)
            cr_expect_eq(decode(&f), ZT_ERR_FORMAT, "cut to %zu", f.size);
    }
}

Test(hdr, memory_is_counted_before_it_is_taken)
{
    PICTURE_CASE(f, 1 << 20);
    picture_put_text(&f, "#?RADIANCE\n\n-Y 16384 +X 16384\n");
    cr_expect_eq(decode(&f), ZT_ERR_LIMIT, "%s", f.err.message);
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
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        file_bytes bytes;
        PICTURE_CASE(f, 0);
        PRINTED(path, 1024, "%s/hdr/%s", asset_folder(), cases[i].name);
        if (file_read(&f.a, path, &bytes, &f.err) != ZT_OK) {
            fprintf(stderr, "skipped: no file %s\n", path);
        } else {
            MUST(hdr_decode(&f.a, path, bytes, &f.radiance, &f.err), f.err);
            cr_expect(f.radiance.width == cases[i].width && f.radiance.height == cases[i].height);
            for (int k = 0; k < 3 * f.radiance.width * f.radiance.height; k++)
                cr_assert(f.radiance.rgb[k] >= 0.0f && f.radiance.rgb[k] <= FLT_MAX);
        }
    }
}
