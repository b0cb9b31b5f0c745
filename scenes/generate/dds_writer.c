// SPDX-License-Identifier: MIT
// DDS files (DDS_HEADER of Microsoft's "Programming Guide for DDS"): BC1 for colour, BGRA8 for
// normals, each with mips down to 1x1.
//
// Mips are 2x2 box averages: of linear light for colour (sRGB in, sRGB out), of the unit vectors
// for normals, which are then made unit again.
#include "writers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    DDSD_NEEDED = 0x1 | 0x2 | 0x4 | 0x1000 | 0x20000, // caps, height, width, pixel format, mips
    DDSD_PITCH = 0x8,
    DDSD_LINEARSIZE = 0x80000,
    DDPF_ALPHAPIXELS = 0x1,
    DDPF_FOURCC = 0x4,
    DDPF_RGB = 0x40,
    DDSCAPS_MIPPED = 0x8 | 0x1000 | 0x400000, // complex, texture, mipmap
};

// --- colour spaces, from the tables of sRGB (IEC 61966-2-1) built once ---------------------------

// x^2.4 = x^2 (x^2)^(1/5); the fifth root by Newton from above, until it stops falling.
static double power_2_4(double x)
{
    const double square = x * x;
    double root = 1.0;
    for (int i = 0; i < 60; i++)
        root = (4.0 * root + square / (root * root * root * root)) / 5.0;
    return square * root;
}

static double linear_from_srgb8(int value)
{
    const double s = value / 255.0;
    return s <= 0.04045 ? s / 12.92 : power_2_4((s + 0.055) / 1.055);
}

static uint8_t srgb8_from_linear(const double *table, double linear)
{
    // The nearest code in linear light between neighbours; the table rises strictly.
    int low = 0, high = 255;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (table[middle] <= linear)
            low = middle;
        else
            high = middle;
    }
    return (uint8_t)(linear - table[low] < table[high] - linear ? low : high);
}

// --- mips ----------------------------------------------------------------------------------------

static uint8_t round_signed(double x)
{
    // x in [-1, 1] to [0, 255]; halves away from the middle, so that 255 - g mirrors exactly.
    const double scaled = fabs(x) * 127.5;
    const double code = floor(scaled); // codes 127 and 128 are -0.5 and +0.5 of a step
    const double steps = min_d(code, 127.0);
    return (uint8_t)(x < 0.0 ? 127.0 - steps : 128.0 + steps);
}

static void average_normal(const uint8_t *const texel[4], uint8_t *out)
{
    dvec3 sum = v3(0.0, 0.0, 0.0);
    for (int k = 0; k < 4; k++)
        sum = v3_add(sum, v3(2.0 * texel[k][0] - 255.0, 2.0 * texel[k][1] - 255.0,
                             2.0 * texel[k][2] - 255.0));
    sum = v3_unit(sum);
    out[0] = round_signed(sum.x);
    out[1] = round_signed(sum.y);
    out[2] = round_signed(sum.z);
    out[3] = 255;
}

static built_image half_size(const built_image *in, dds_use use)
{
    double table[256];
    for (int i = 0; i < 256; i++)
        table[i] = linear_from_srgb8(i);
    built_image out = {.width = in->width > 1 ? in->width / 2 : 1,
                       .height = in->height > 1 ? in->height / 2 : 1};
    out.rgba8 = checked_alloc((size_t)out.width * (size_t)out.height, 4);
    for (int y = 0; y < out.height; y++)
        for (int x = 0; x < out.width; x++) {
            const uint8_t *texel[4];
            for (int k = 0; k < 4; k++) {
                const int sx = x * 2 + (k & 1), sy = y * 2 + (k >> 1);
                const int cx = sx < in->width ? sx : in->width - 1;
                const int cy = sy < in->height ? sy : in->height - 1;
                texel[k] = in->rgba8 + ((size_t)cy * (size_t)in->width + (size_t)cx) * 4;
            }
            uint8_t *to = out.rgba8 + ((size_t)y * (size_t)out.width + (size_t)x) * 4;
            if (use == DDS_NORMAL_BGRA8) {
                average_normal(texel, to);
                continue;
            }
            for (int c = 0; c < 3; c++)
                to[c] = srgb8_from_linear(table, (table[texel[0][c]] + table[texel[1][c]] +
                                                  table[texel[2][c]] + table[texel[3][c]]) /
                                                     4.0);
            to[3] = 255;
        }
    return out;
}

// --- BC1 -----------------------------------------------------------------------------------------

static unsigned pack_565(const double *rgb)
{
    const unsigned r = (unsigned)floor(clamp_d(rgb[0], 0.0, 255.0) * 31.0 / 255.0 + 0.5);
    const unsigned g = (unsigned)floor(clamp_d(rgb[1], 0.0, 255.0) * 63.0 / 255.0 + 0.5);
    const unsigned b = (unsigned)floor(clamp_d(rgb[2], 0.0, 255.0) * 31.0 / 255.0 + 0.5);
    return r << 11 | g << 5 | b;
}

static int widen(unsigned value, unsigned bits)
{
    return (int)(bits == 5 ? value << 3 | value >> 2 : value << 2 | value >> 4);
}

// The four-colour palette (first endpoint larger): 5 and 6 bits widened by repeating their top
// bits. Decoders disagree on how to round the thirds, so only ends whose thirds are whole numbers
// are used (see whole_thirds): the picture is then the same with every decoder.
static void bc1_palette(unsigned c0, unsigned c1, int palette[4][3])
{
    const unsigned ends[2] = {c0, c1};
    for (int k = 0; k < 2; k++) {
        palette[k][0] = widen(ends[k] >> 11, 5);
        palette[k][1] = widen(ends[k] >> 5 & 63, 6);
        palette[k][2] = widen(ends[k] & 31, 5);
    }
    for (int c = 0; c < 3; c++) {
        palette[2][c] = (2 * palette[0][c] + palette[1][c]) / 3;
        palette[3][c] = (palette[0][c] + 2 * palette[1][c]) / 3;
    }
}

// Moves the ends of each channel by as few steps as make their difference a multiple of three.
static void whole_thirds(unsigned *c0, unsigned *c1)
{
    static const struct {
        unsigned shift, bits;
    } channels[3] = {
        {11, 5},
        {5,  6},
        {0,  5}
    };
    // Widened neighbours differ by 8 or 9 (4 or 5): within two steps every remainder is found.
    static const int moves[][2] = {
        {0,  0 },
        {0,  1 },
        {0,  -1},
        {1,  0 },
        {-1, 0 },
        {0,  2 },
        {0,  -2}
    };
    unsigned ends[2] = {0, 0};
    for (int c = 0; c < 3; c++) {
        const unsigned shift = channels[c].shift, bits = channels[c].bits;
        const int limit = (1 << bits) - 1;
        const int a = (int)(*c0 >> shift) & limit, b = (int)(*c1 >> shift) & limit;
        for (size_t k = 0; k < sizeof moves / sizeof *moves; k++) {
            const int na = a + moves[k][0], nb = b + moves[k][1];
            if (na < 0 || nb < 0 || na > limit || nb > limit ||
                (widen((unsigned)na, bits) - widen((unsigned)nb, bits)) % 3 != 0)
                continue;
            ends[0] |= (unsigned)na << shift;
            ends[1] |= (unsigned)nb << shift;
            break;
        }
    }
    *c0 = ends[0];
    *c1 = ends[1];
}

static long bc1_assign(uint8_t texels[16][3], unsigned c0, unsigned c1, uint32_t *out_bits)
{
    int palette[4][3];
    long error = 0;
    bc1_palette(c0, c1, palette);
    *out_bits = 0;
    for (int i = 0; i < 16; i++) {
        long best = -1;
        uint32_t choice = 0;
        // Equal ends select the three-colour mode, where only entry 0 is surely that colour.
        for (uint32_t k = 0; k < (c0 == c1 ? 1u : 4u); k++) {
            long distance = 0;
            for (int c = 0; c < 3; c++)
                distance += (long)(texels[i][c] - palette[k][c]) * (texels[i][c] - palette[k][c]);
            if (best < 0 || distance < best) {
                best = distance;
                choice = k;
            }
        }
        error += best;
        *out_bits |= choice << (2 * i);
    }
    return error;
}

// Endpoints on the principal axis of the block (power iteration), then one least-squares step over
// the chosen palette entries, kept when it lowers the error.
static void bc1_encode(uint8_t texels[16][3], unsigned *out_c0, unsigned *out_c1,
                       uint32_t *out_bits)
{
    double mean[3] = {0}, axis[3] = {0.9, 1.0, 0.7}, cov[3][3] = {{0}};
    for (int i = 0; i < 16; i++)
        for (int c = 0; c < 3; c++)
            mean[c] += texels[i][c] / 16.0;
    for (int i = 0; i < 16; i++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                cov[a][b] += (texels[i][a] - mean[a]) * (texels[i][b] - mean[b]);
    for (int step = 0; step < 8; step++) {
        double next[3], length = 0.0;
        for (int a = 0; a < 3; a++) {
            next[a] = cov[a][0] * axis[0] + cov[a][1] * axis[1] + cov[a][2] * axis[2];
            length += next[a] * next[a];
        }
        if (length == 0.0)
            break;
        for (int a = 0; a < 3; a++)
            axis[a] = next[a] / sqrt(length);
    }
    double low = 0.0, high = 0.0;
    for (int i = 0; i < 16; i++) {
        double along = 0.0;
        for (int c = 0; c < 3; c++)
            along += (texels[i][c] - mean[c]) * axis[c];
        low = min_d(low, along);
        high = max_d(high, along);
    }
    double ends[2][3];
    long best = -1;
    for (int pass = 0; pass < 3; pass++) {
        if (pass == 0) {
            for (int c = 0; c < 3; c++) {
                ends[0][c] = mean[c] + axis[c] * high;
                ends[1][c] = mean[c] + axis[c] * low;
            }
        } else {
            static const double share[4] = {1.0, 0.0, 2.0 / 3.0, 1.0 / 3.0};
            double aa = 0.0, ab = 0.0, bb = 0.0, ax[3] = {0}, bx[3] = {0};
            for (int i = 0; i < 16; i++) {
                const double a = share[*out_bits >> (2 * i) & 3], b = 1.0 - a;
                aa += a * a, ab += a * b, bb += b * b;
                for (int c = 0; c < 3; c++)
                    ax[c] += a * texels[i][c], bx[c] += b * texels[i][c];
            }
            const double det = aa * bb - ab * ab;
            if (det < 1e-9)
                break;
            for (int c = 0; c < 3; c++) {
                ends[0][c] = (ax[c] * bb - bx[c] * ab) / det;
                ends[1][c] = (bx[c] * aa - ax[c] * ab) / det;
            }
        }
        unsigned c0 = pack_565(ends[0]), c1 = pack_565(ends[1]);
        whole_thirds(&c0, &c1);
        if (c0 < c1) {
            const unsigned swap = c0;
            c0 = c1;
            c1 = swap;
        }
        uint32_t bits;
        const long error = bc1_assign(texels, c0, c1, &bits);
        if (best >= 0 && error >= best)
            break;
        best = error;
        *out_c0 = c0;
        *out_c1 = c1;
        *out_bits = bits;
    }
}

// Calls the encoder on each 4x4 block; blocks of pictures under 4 pixels repeat the last texel.
// `decoded` may be `in`: blocks are read whole before they are written back.
static void bc1_image(const built_image *in, byte_buffer *blocks, built_image *decoded)
{
    for (int by = 0; by < in->height; by += 4)
        for (int bx = 0; bx < in->width; bx += 4) {
            uint8_t texels[16][3];
            for (int i = 0; i < 16; i++) {
                const int x = bx + (i & 3) < in->width ? bx + (i & 3) : in->width - 1;
                const int y = by + (i >> 2) < in->height ? by + (i >> 2) : in->height - 1;
                memcpy(texels[i], in->rgba8 + ((size_t)y * (size_t)in->width + (size_t)x) * 4, 3);
            }
            unsigned c0 = 0, c1 = 0;
            uint32_t bits = 0;
            bc1_encode(texels, &c0, &c1, &bits);
            if (blocks) {
                buffer_u32(blocks, c0 | c1 << 16);
                buffer_u32(blocks, bits);
            }
            int palette[4][3];
            bc1_palette(c0, c1, palette);
            for (int i = 0; decoded && i < 16; i++) {
                const int x = bx + (i & 3), y = by + (i >> 2);
                if (x >= decoded->width || y >= decoded->height)
                    continue;
                uint8_t *to = decoded->rgba8 + ((size_t)y * (size_t)in->width + (size_t)x) * 4;
                for (int c = 0; c < 3; c++)
                    to[c] = (uint8_t)palette[bits >> (2 * i) & 3][c];
                to[3] = 255;
            }
        }
}

void dds_bc1_round_trip(built_image *image)
{
    bc1_image(image, NULL, image);
}

// --- file ----------------------------------------------------------------------------------------

// Blocks leave their decoded colours in `level`: that is what the next mip is made from.
static void append_level(byte_buffer *file, built_image *level, dds_use use)
{
    if (use == DDS_COLOR_BC1) {
        bc1_image(level, file, level);
        return;
    }
    for (size_t i = 0; i < (size_t)level->width * (size_t)level->height; i++) {
        const uint8_t *p = level->rgba8 + i * 4;
        const uint8_t bgra[4] = {p[2], p[1], p[0], p[3]};
        buffer_append(file, bgra, sizeof bgra);
    }
}

bool dds_write(const built_image *image, dds_use use, const char *folder, const char *name)
{
    byte_buffer file = {0};
    const bool blocks = use == DDS_COLOR_BC1;
    const uint32_t width = (uint32_t)image->width, height = (uint32_t)image->height;
    uint32_t mip_count = 1;
    while (width >> mip_count || height >> mip_count)
        mip_count++;
    buffer_append(&file, "DDS ", 4);
    const uint32_t head[7] = {124,
                              DDSD_NEEDED | (blocks ? DDSD_LINEARSIZE : DDSD_PITCH),
                              height,
                              width,
                              blocks ? width * height / 2 : width * 4,
                              0,
                              mip_count};
    for (int k = 0; k < 7; k++)
        buffer_u32(&file, head[k]);
    for (int k = 0; k < 11; k++) // reserved
        buffer_u32(&file, 0);
    buffer_u32(&file, 32);
    buffer_u32(&file, blocks ? DDPF_FOURCC : DDPF_RGB | DDPF_ALPHAPIXELS);
    buffer_append(&file, blocks ? "DXT1" : "\0\0\0\0", 4);
    const uint32_t masks[5] = {32, 0x00ff0000u, 0x0000ff00u, 0x000000ffu, 0xff000000u};
    for (int k = 0; k < 5; k++)
        buffer_u32(&file, blocks ? 0 : masks[k]);
    buffer_u32(&file, DDSCAPS_MIPPED);
    for (int k = 0; k < 4; k++)
        buffer_u32(&file, 0);

    built_image level = *image;
    level.rgba8 = checked_alloc((size_t)width * height, 4);
    memcpy(level.rgba8, image->rgba8, (size_t)width * height * 4);
    for (uint32_t mip = 0; mip < mip_count; mip++) {
        append_level(&file, &level, use);
        const built_image next = half_size(&level, use);
        free(level.rgba8);
        level = next;
    }
    free(level.rgba8);
    const bool ok = buffer_save(&file, folder, name);
    free(file.data);
    return ok;
}
