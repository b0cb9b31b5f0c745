// SPDX-License-Identifier: MIT
// DDS files (DDS_HEADER of Microsoft's "Programming Guide for DDS") of BC1, level 0 only: the
// renderer builds the mips of the PNG files of the .glb, and both files must give the same picture.
#include "base/bytes.h"
#include "texture/bc_block.h"
#include "writers.h"

#include <math.h>
#include <string.h>

enum {
    DDS_MAGIC = 0x20534444,                           // "DDS "
    DDSD_NEEDED = 0x1 | 0x2 | 0x4 | 0x1000 | 0x80000, // caps, height, width, pixel format, size
    DDPF_FOURCC = 0x4,
    DXT1 = 0x31545844,
    DDSCAPS_TEXTURE = 0x1000,
};

static unsigned pack_565(const double *rgb)
{
    const unsigned r = (unsigned)floor(maths_clamp(rgb[0], 0.0, 255.0) * 31.0 / 255.0 + 0.5);
    const unsigned g = (unsigned)floor(maths_clamp(rgb[1], 0.0, 255.0) * 63.0 / 255.0 + 0.5);
    const unsigned b = (unsigned)floor(maths_clamp(rgb[2], 0.0, 255.0) * 31.0 / 255.0 + 0.5);
    return r << 11 | g << 5 | b;
}

static void bc1_store(uint8_t block[8], unsigned c0, unsigned c1, uint32_t bits)
{
    bytes_store_u32_le(block, c0 | c1 << 16);
    bytes_store_u32_le(block + 4, bits);
}

static long bc1_assign(uint8_t texels[16][3], unsigned c0, unsigned c1, uint32_t *out_bits)
{
    uint8_t block[8];
    bc_pixels palette; // its first four pixels choose one entry each
    long error = 0;
    bc1_store(block, c0, c1, 0xe4);
    bc1_decode(block, palette);
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

// Endpoints on the block's principal axis (power iteration), one least-squares step if it helps.
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
        low = maths_min(low, along);
        high = maths_max(high, along);
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
                aa += a * a;
                ab += a * b;
                bb += b * b;
                for (int c = 0; c < 3; c++) {
                    ax[c] += a * texels[i][c];
                    bx[c] += b * texels[i][c];
                }
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

uint8_t *dds_bc1(built_image *image, size_t *out_size)
{
    const int width = image->width, height = image->height;
    const uint32_t head[32] = {DDS_MAGIC,
                               124,
                               DDSD_NEEDED,
                               (uint32_t)height,
                               (uint32_t)width,
                               (uint32_t)(width * height / 2),
                               [19] = 32,
                               DDPF_FOURCC,
                               DXT1,
                               [27] = DDSCAPS_TEXTURE};
    *out_size = sizeof head + (size_t)(width * height / 2);
    uint8_t *file = checked_alloc(*out_size, 1), *end = file + sizeof head;
    for (int k = 0; k < 32; k++)
        bytes_store_u32_le(file + 4 * k, head[k]);
    for (int by = 0; by < height; by += 4)
        for (int bx = 0; bx < width; bx += 4) {
            uint8_t texels[16][3], *at[16];
            for (int i = 0; i < 16; i++) {
                at[i] = image->rgba8 + ((by + (i >> 2)) * width + bx + (i & 3)) * 4;
                memcpy(texels[i], at[i], 3);
            }
            unsigned c0 = 0, c1 = 0;
            uint32_t bits = 0;
            bc1_encode(texels, &c0, &c1, &bits);
            bc_pixels shown;
            bc1_store(end, c0, c1, bits);
            bc1_decode(end, shown);
            end += 8;
            for (int i = 0; i < 16; i++)
                memcpy(at[i], shown[i], 3);
        }
    return file;
}
