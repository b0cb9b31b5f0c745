// SPDX-License-Identifier: MIT
#include "bench_models.h"
#include "writers.h"

#include <math.h>
#include <stdlib.h>

/// A lamp that is as wide as an angle whose cosine is `edge`, with a soft rim.
typedef struct sky_lamp {
    double direction[3], edge, radiance[3];
} sky_lamp;

static const sky_lamp lamps[] = {
    {{0.43, 0.69, 0.58}, 0.998, {60.0, 54.0, 42.0}},
    {{-0.8, 0.3, 0.52}, 0.96, {4.0, 4.2, 4.5}},
    {{-0.3, 0.25, -0.92}, 0.97, {3.0, 3.1, 3.3}},
};

static void sky_radiance(const double d[3], double out[3])
{
    const double height = 0.5 + 0.5 * d[1];
    const double sky[3] = {0.35, 0.5, 0.75}, ground[3] = {0.2, 0.18, 0.16};
    for (int k = 0; k < 3; k++)
        out[k] = d[1] > 0.0 ? sky[k] * (1.6 - height) : ground[k] * (0.4 + height);
    for (size_t i = 0; i < sizeof lamps / sizeof *lamps; i++) {
        const sky_lamp *l = &lamps[i];
        const double cosine =
            d[0] * l->direction[0] + d[1] * l->direction[1] + d[2] * l->direction[2];
        const double inside = (cosine - l->edge) / (0.25 * (1.0 - l->edge));
        const double share = inside < 0.0 ? 0.0 : inside > 1.0 ? 1.0 : inside;
        for (int k = 0; k < 3; k++)
            out[k] += l->radiance[k] * share;
    }
}

/// Shared exponent of the largest component (Ward, "Real Pixels", Graphics Gems II, 1991).
static void rgbe(const double color[3], uint8_t out[4])
{
    double most = color[0];
    for (int k = 1; k < 3; k++)
        most = color[k] > most ? color[k] : most;
    int exponent;
    frexp(most, &exponent);
    for (int k = 0; k < 3; k++)
        out[k] = (uint8_t)ldexp(color[k], 8 - exponent);
    out[3] = (uint8_t)(exponent + 128);
}

void sky_write(const char *folder, const char *name, int width)
{
    const int height = width / 2;
    FILE *file = file_begin(folder, name);
    fprintf(file, "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n", height, width);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const double around = 6.283185307179586 * ((x + 0.5) / width - 0.5);
            const double down = 3.141592653589793 * (y + 0.5) / height;
            const double d[3] = {cos(around) * sin(down), cos(down), sin(around) * sin(down)};
            double color[3];
            uint8_t texel[4];
            sky_radiance(d, color);
            rgbe(color, texel);
            fwrite(texel, 1, sizeof texel, file);
        }
    file_end(file);
}
