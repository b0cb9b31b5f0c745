// SPDX-License-Identifier: MIT
// Lights STEM_albedo.png by STEM_normal.png as 2D engines do, with a lamp that shines along X Y Z,
// and prints the mean difference from STEM.png: sheet_lamp STEM X Y Z.
#include <zoetrope/zoetrope.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static const char *const ends[3] = {"", "_albedo", "_normal"};
    zt_image in[3] = {{0}};
    double linear[256], lamp[3] = {0}, sum = 0.0, count = 1e-9;
    for (int i = 0; i < 256; i++)
        linear[i] = i <= 10 ? i / 255.0 / 12.92 : pow((i / 255.0 + 0.055) / 1.055, 2.4);
    for (int i = 0; i < 3 && argc == 5; i++) {
        char path[256];
        zt_error err;
        lamp[i] = atof(argv[2 + i]);
        snprintf(path, sizeof path, "%s%s.png", argv[1], ends[i]);
        if (zt_image_read(path, true, NULL, &in[i], &err) != ZT_OK)
            return 2;
    }
    const double length = sqrt(lamp[0] * lamp[0] + lamp[1] * lamp[1] + lamp[2] * lamp[2]);
    for (int i = 0; i < 4 * in[0].width * in[0].height; i += 4) {
        const uint8_t *want = in[0].rgba8 + i, *n = in[2].rgba8 + i;
        double facing = 0.0;
        for (int c = 0; c < 3; c++)
            facing -= (n[c] / 127.5 - 1.0) * lamp[c] / length;
        for (int c = 0; c < 3; c++) {
            int code = 0;
            while (code < 255 && linear[code] * want[3] < linear[in[1].rgba8[i + c]] * facing * 255)
                code++;
            sum += abs(code - want[c]) * want[3];
            count += want[3];
        }
    }
    printf("%.3f\n", sum / count);
    for (int i = 0; i < 3; i++)
        zt_image_finish(&in[i]);
    return 0;
}
