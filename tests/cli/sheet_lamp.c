// SPDX-License-Identifier: MIT
// Lights a sheet as 2D engines do: usage sheet_lamp STEM X Y Z LIT.png, of STEM_albedo.png and
// STEM_normal.png by a lamp that shines along X Y Z. Prints the mean difference from STEM.png.
#include <zoetrope/zoetrope.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static zt_image read_sheet(const char *stem, const char *end)
{
    char path[256];
    zt_error err;
    zt_image out = {0};
    snprintf(path, sizeof path, "%s%s.png", stem, end);
    if (zt_image_read(path, true, NULL, &out, &err) == ZT_OK)
        return out;
    fprintf(stderr, "%s\n", err.message);
    exit(2);
}

static double linear_of(double code)
{
    const double v = code / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double code_of(double v)
{
    v = fmin(v, 1.0);
    return 255.0 * (v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1.0 / 2.4) - 0.055);
}

int main(int argc, char **argv)
{
    if (argc != 6)
        return 2;
    const zt_image color = read_sheet(argv[1], ""), albedo = read_sheet(argv[1], "_albedo");
    const zt_image normal = read_sheet(argv[1], "_normal");
    double lamp[3], sum = 0.0, count = 0.0;
    for (int c = 0; c < 3; c++)
        lamp[c] = atof(argv[2 + c]);
    const double length = sqrt(lamp[0] * lamp[0] + lamp[1] * lamp[1] + lamp[2] * lamp[2]);
    for (size_t i = 0; i < (size_t)(color.width * color.height); i++) {
        uint8_t *out = albedo.rgba8 + 4 * i;
        const uint8_t *want = color.rgba8 + 4 * i, *n = normal.rgba8 + 4 * i;
        double facing = 0.0;
        for (int c = 0; c < 3; c++)
            facing -= (n[c] / 127.5 - 1.0) * lamp[c] / length;
        out[3] = want[3];
        for (int c = 0; c < 3 && want[3] > 0; c++) {
            const double code =
                code_of(linear_of(out[c]) * fmax(facing, 0.0) * 255.0 / (double)want[3]);
            sum += fabs(code - want[c]) * want[3];
            count += want[3];
            out[c] = (uint8_t)(code + 0.5);
        }
    }
    printf("%.3f\n", count > 0.0 ? sum / count : 999.0);
    return zt_image_write(argv[5], &albedo, NULL, NULL);
}
