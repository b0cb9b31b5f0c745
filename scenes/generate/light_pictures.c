// SPDX-License-Identifier: MIT
// Pictures of light: equirectangular, in Radiance files.
#include "models.h"
#include "writers.h"

enum { WIDTH = 128, HEIGHT = 64 };

/// A courtyard: sky over paving, walls of one colour in each direction, and a small bright sun. +x
/// is red, +z green, -x yellow, -z blue. `u` and `v` are 0 to 1 from the left and from the top.
static void courtyard(double u, double v, double rgb[3])
{
    static const double sky[2][3] = {{0.25, 0.45, 0.95}, {0.85, 0.9, 0.95}};
    static const double paving[2][3] = {{0.4, 0.36, 0.3}, {0.15, 0.13, 0.12}};
    static const double walls[4][3] = {
        {0.9, 0.75, 0.15}, {0.1, 0.2, 0.9}, {0.9, 0.1, 0.08}, {0.1, 0.7, 0.15}};
    const double t = v < 0.5 ? v * 2.0 : v * 2.0 - 1.0;
    for (int c = 0; c < 3; c++)
        rgb[c] = v < 0.5 ? sky[0][c] + (sky[1][c] - sky[0][c]) * t
                         : paving[0][c] + (paving[1][c] - paving[0][c]) * t;
    // Quarters of the horizon are centred at -x, -z, +x and +z.
    const double quarters = u * 4.0 + 0.5;
    const int quarter = (int)quarters % 4;
    const double across = quarters - (int)quarters;
    if (v > 0.36 && v < 0.56 && across > 0.2 && across < 0.8)
        for (int c = 0; c < 3; c++)
            rgb[c] = walls[quarter][c];
    if (u > 0.64 && u < 0.67 && v > 0.22 && v < 0.27)
        for (int c = 0; c < 3; c++)
            rgb[c] = 150.0 - 15.0 * c;
}

/// Mantissas and the exponent that they share, rounded down.
static void encode_rgbe(const double rgb[3], uint8_t out[4])
{
    double largest = rgb[0] > rgb[1] ? rgb[0] : rgb[1], scale = 256.0;
    int exponent = 128;
    largest = rgb[2] > largest ? rgb[2] : largest;
    for (; largest >= 1.0; exponent++, largest *= 0.5)
        scale *= 0.5;
    for (; largest < 0.5; exponent--, largest *= 2.0)
        scale *= 2.0;
    for (int c = 0; c < 3; c++)
        out[c] = (uint8_t)(rgb[c] * scale);
    out[3] = (uint8_t)exponent;
}

/// One component of a row: runs of equal bytes, and others as they are.
static void write_runs(FILE *file, const uint8_t *bytes)
{
    for (int x = 0; x < WIDTH;) {
        int run = 1;
        while (x + run < WIDTH && run < 127 && bytes[x + run] == bytes[x])
            run++;
        if (run > 2) {
            fputc(128 + run, file);
            fputc(bytes[x], file);
            x += run;
            continue;
        }
        const int first = x;
        while (x < WIDTH && x - first < 128 &&
               !(x + 2 < WIDTH && bytes[x] == bytes[x + 1] && bytes[x] == bytes[x + 2]))
            x++;
        fputc(x - first, file);
        fwrite(bytes + first, 1, (size_t)(x - first), file);
    }
}

void courtyard_write(const char *folder)
{
    FILE *file = file_begin(folder, "courtyard.hdr");
    fprintf(file, "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n", HEIGHT, WIDTH);
    for (int y = 0; y < HEIGHT; y++) {
        uint8_t row[4][WIDTH];
        for (int x = 0; x < WIDTH; x++) {
            double rgb[3];
            uint8_t texel[4];
            courtyard((x + 0.5) / WIDTH, (y + 0.5) / HEIGHT, rgb);
            encode_rgbe(rgb, texel);
            for (int c = 0; c < 4; c++)
                row[c][x] = texel[c];
        }
        const uint8_t start[4] = {2, 2, WIDTH >> 8, WIDTH & 255};
        fwrite(start, 1, sizeof start, file);
        for (int c = 0; c < 4; c++)
            write_runs(file, row[c]);
    }
    file_end(file);
}
