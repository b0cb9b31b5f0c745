// SPDX-License-Identifier: MIT
/// Writes the tables of src/shade/albedo_table.h to stdout; kernels_bsdf checks them by other
/// integrals.
#include "albedo_oracle.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { GGX_COLUMNS = 32, GGX_ROWS = 24, BITS = 12, STEPS = 400 };
enum { SHEEN_COLUMNS = 24, SHEEN_ROWS = 24 };
#define SHEEN_SMOOTHEST 0.07
#define SHEEN_SCALE     4.0
#define GGX_SMOOTHEST   0.05

static uint32_t packed(double a, double b)
{
    const double one = (1 << BITS) - 1;
    return (uint32_t)floor(a * one + 0.5) << BITS | (uint32_t)floor(b * one + 0.5);
}

static void write_table(const char *name, int columns, int rows, const uint32_t *value)
{
    printf("static const float %s[%d] = {\n", name, columns * rows);
    int written = 0;
    for (int i = 0; i < columns * rows; i++) {
        written += printf(written ? " %u," : "    %u,", value[i]);
        if (written > 90 || i + 1 == columns * rows) {
            printf("\n");
            written = 0;
        }
    }
    printf("};\n");
}

static void ggx_table(void)
{
    static uint32_t value[GGX_ROWS * GGX_COLUMNS];
    for (int y = 0; y < GGX_ROWS; y++)
        for (int x = 0; x < GGX_COLUMNS; x++) {
            const double u = x / (GGX_COLUMNS - 1.0), v = y / (GGX_ROWS - 1.0);
            double a, b;
            oracle_ggx_albedo(fmax(u * u * u * u, 1e-4),
                              GGX_SMOOTHEST + (1.0 - GGX_SMOOTHEST) * v * v, STEPS, &a, &b);
            value[y * GGX_COLUMNS + x] = packed(a, b);
        }
    write_table("ggx_albedo_table", GGX_COLUMNS, GGX_ROWS, value);
}

static void sheen_table(void)
{
    static uint32_t value[SHEEN_ROWS * SHEEN_COLUMNS];
    for (int y = 0; y < SHEEN_ROWS; y++)
        for (int x = 0; x < SHEEN_COLUMNS; x++) {
            const double u = x / (SHEEN_COLUMNS - 1.0), v = y / (SHEEN_ROWS - 1.0);
            double albedo, along, up;
            oracle_sheen_albedo(fmin(fmax(u * u, 1e-4), 0.999999),
                                SHEEN_SMOOTHEST + (1.0 - SHEEN_SMOOTHEST) * v, STEPS, &albedo,
                                &along, &up);
            along = fmin(fmax(-along, 0.0), 1.0);
            value[y * SHEEN_COLUMNS + x] =
                packed(fmin(albedo / SHEEN_SCALE, 1.0), albedo > 1e-6 ? along / (along + up) : 0.0);
        }
    write_table("sheen_albedo_table", SHEEN_COLUMNS, SHEEN_ROWS, value);
}

int main(void)
{
    ggx_table();
    sheen_table();
    return 0;
}
