// SPDX-License-Identifier: MIT
// Maps of the character: a quilt of diamonds with stitched seams and a woven grain, from one height
// field. There is detail at every scale down to the texel, so that mip levels and filters matter.
#include "character_paint.h"

enum { DIAMONDS = 12 };

/// Smooth noise of `cells` cells a side that tiles, in [0, 1).
static double noise(double u, double v, int cells, int seed)
{
    const double x = u * cells, y = v * cells;
    const int x0 = (int)floor(x), y0 = (int)floor(y);
    const double fx = smooth_step(0.0, 1.0, x - x0), fy = smooth_step(0.0, 1.0, y - y0);
    const int xa = (x0 + cells) % cells, xb = (x0 + 1) % cells;
    const int ya = (y0 + cells) % cells, yb = (y0 + 1) % cells;
    return mix_d(mix_d(hash_unit(xa, ya, seed), hash_unit(xb, ya, seed), fx),
                 mix_d(hash_unit(xa, yb, seed), hash_unit(xb, yb, seed), fx), fy);
}

typedef struct cloth {
    double height; ///< metres above the seams
    double seam;   ///< 1 on a seam
    int patch;     ///< which diamond
    double grain;
} cloth;

static cloth cloth_at(double u, double v)
{
    const double a = (u + v) * DIAMONDS, b = (u - v) * DIAMONDS;
    const double fa = a - floor(a), fb = b - floor(b);
    const double edge = maths_min(maths_min(fa, 1.0 - fa), maths_min(fb, 1.0 - fb));
    cloth c;
    c.patch = (((int)floor(a) % 1024 + 1024) * 31 + ((int)floor(b) % 1024 + 1024) * 17) % 5;
    c.seam = 1.0 - smooth_step(0.02, 0.06, edge);
    c.grain = noise(u, v, 512, 1) * 0.6 + noise(u, v, 128, 2) * 0.4;
    c.height = 0.012 * sqrt(maths_min(edge * 2.5, 1.0)) + 0.0009 * c.grain;
    return c;
}

static uint8_t code(double x) { return (uint8_t)(maths_clamp(x, 0.0, 1.0) * 255.0 + 0.5); }

static void put(uint8_t *texel, double r, double g, double b)
{
    texel[0] = code(r);
    texel[1] = code(g);
    texel[2] = code(b);
    texel[3] = 255;
}

void character_paint(built_model *model, int material, int side)
{
    static const double colors[5][3] = {{0.78, 0.32, 0.24},
                                        {0.24, 0.46, 0.66},
                                        {0.88, 0.74, 0.38},
                                        {0.36, 0.58, 0.40},
                                        {0.80, 0.78, 0.74}};
    built_image *base = new_picture(model, "base", side, side);
    built_image *normal = new_picture(model, "normal", side, side);
    built_image *metal_rough = new_picture(model, "metal_rough", side, side);
    model->materials[material].base_map.texture = 0;
    model->materials[material].normal_map.texture = 1;
    model->materials[material].metal_rough_map.texture = 2;
    const double step = 1.0 / side, texel_m = 1.0 / (0.36 * side);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            const size_t at = ((size_t)y * (size_t)side + (size_t)x) * 4;
            const double u = (x + 0.5) * step, v = (y + 0.5) * step;
            const cloth here = cloth_at(u, v);
            const double dx = (cloth_at(u + step, v).height - here.height) / texel_m;
            const double dy = (cloth_at(u, v + step).height - here.height) / texel_m;
            const double *color = colors[here.patch];
            const double shade = (0.75 + 0.35 * here.grain) * (1.0 - 0.45 * here.seam);
            put(base->rgba8 + at, color[0] * shade, color[1] * shade, color[2] * shade);
            const dvec3 n = v3_unit(v3(-dx, dy, 1.0));
            put(normal->rgba8 + at, n.x * 0.5 + 0.5, n.y * 0.5 + 0.5, n.z * 0.5 + 0.5);
            const double rough = here.seam > 0.5 ? 0.35 : 0.45 + 0.4 * here.grain;
            put(metal_rough->rgba8 + at, 1.0, rough, here.patch == 2 ? 0.9 : 0.0);
        }
}
