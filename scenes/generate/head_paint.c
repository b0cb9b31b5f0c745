// SPDX-License-Identifier: MIT
#include "head_paint.h"

// r = sin(t / 2), t the angle from +z: the face, 90 degrees, lies within 0.7 of the edge.
void head_uv(dvec3 d, double *u, double *v)
{
    const double across = sqrt(d.x * d.x + d.y * d.y);
    const double r = sqrt(maths_max(0.5 - 0.5 * d.z, 0.0)) * 0.49;
    *u = 0.5 + (across > 0.0 ? r * d.x / across : 0.0);
    *v = 0.5 - (across > 0.0 ? r * d.y / across : r);
}

/// The point of the ball that is shown at (u, v).
static dvec3 head_at(double u, double v)
{
    const double x = (u - 0.5) / 0.49, y = (0.5 - v) / 0.49;
    const double r2 = maths_min(x * x + y * y, 1.0), k = 2.0 * sqrt(1.0 - r2);
    return v3(HEAD_X * x * k, HEAD_Y * y * k, HEAD_Z * (1.0 - 2.0 * r2));
}

/// Square of the distance from a line from a to b, in the plane of the face.
static double away2(dvec3 at, double ax, double ay, double bx, double by)
{
    const double dx = bx - ax, dy = by - ay, px = at.x - ax, py = at.y - ay;
    const double t = maths_clamp((px * dx + py * dy) / (dx * dx + dy * dy), 0.0, 1.0);
    const double x = px - t * dx, y = py - t * dy;
    return x * x + y * y;
}

/// 1 at a distance of 0, falling off to 0 at `width`; on the face only.
static double falling(dvec3 at, double d2, double width)
{
    const double inside = 1.0 - d2 / (width * width);
    return at.z > 0.0 && inside > 0.0 ? inside * inside : 0.0;
}

/// 1 on a line from a to b, falling off within `width` of it.
static double stroke(dvec3 at, double ax, double ay, double bx, double by, double width)
{
    return falling(at, away2(at, ax, ay, bx, by), width);
}

/// 1 inside an ellipse in the plane of the face, 0 from twice its size on.
static double spot(dvec3 at, double x, double y, double half_x, double half_y)
{
    const double dx = (at.x - x) / half_x, dy = (at.y - y) / half_y;
    return at.z > 0.0 ? 1.0 - smooth_step(1.0, 4.0, dx * dx + dy * dy) : 0.0;
}

static void color_at(dvec3 at, double rgb[3])
{
    static const double skin[3] = {0.86, 0.67, 0.56}, lip[3] = {0.72, 0.36, 0.34},
                        hair[3] = {0.22, 0.15, 0.11};
    const double side = at.x < 0.0 ? -1.0 : 1.0;
    const double lips = maths_max(stroke(at, -0.2, -0.44, 0.2, -0.44, 0.09),
                                  stroke(at, -0.13, -0.5, 0.13, -0.5, 0.09));
    const double slit = stroke(at, -0.21, -0.465, 0.21, -0.465, 0.022);
    const double brow = maths_max(stroke(at, side * 0.13, 0.4, side * 0.3, 0.455, 0.045),
                                  stroke(at, side * 0.3, 0.455, side * 0.46, 0.4, 0.035));
    const double line = 0.86 - 0.12 * at.x * at.x + (fabs(at.x) > 0.6 ? -0.2 : 0.0);
    const double back = smooth_step(0.05, -0.15, at.z) * smooth_step(-0.55, -0.35, at.y);
    const double top = smooth_step(line, line + 0.03, at.y) * smooth_step(-0.6, -0.2, at.y);
    const double dark = maths_max(maths_max(top, back), 0.95 * smooth_step(0.1, 0.6, brow));
    for (int k = 0; k < 3; k++) {
        rgb[k] = mix_d(skin[k], lip[k], 0.9 * smooth_step(0.0, 0.5, lips));
        rgb[k] *= 1.0 - 0.75 * slit;
        rgb[k] = mix_d(rgb[k], lip[k], 0.18 * spot(at, side * 0.45, -0.12, 0.14, 0.12));
        rgb[k] = mix_d(rgb[k], hair[k], dark);
    }
}

void head_paint_color(built_image *image)
{
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            double rgb[3];
            color_at(head_at((x + 0.5) / image->width, (y + 0.5) / image->height), rgb);
            texel_set(image, x, y, rgb[0], rgb[1], rgb[2], 1.0);
        }
}

typedef double (*height_fn)(dvec3 at);

/// Metres across the picture in its middle, where sin(t / 2) is half the angle.
#define METRES (2.0 * 2.0 * HEAD_Z / 0.98)

/// From heights in metres; green points up the picture.
static void paint_heights(built_image *image, height_fn height)
{
    const double step = 0.5 / image->width;
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            const double u = (x + 0.5) / image->width, v = (y + 0.5) / image->height;
            const double along = height(head_at(u + step, v)) - height(head_at(u - step, v));
            const double up = height(head_at(u, v - step)) - height(head_at(u, v + step));
            const double scale = 1.0 / (2.0 * step * METRES);
            texel_set_normal(image, x, y, v3_unit(v3(-along * scale, -up * scale, 1.0)));
        }
}

/// Values at whole numbers, smooth between them, -1 to 1.
static double noise(double x, double y)
{
    const double fx = floor(x), fy = floor(y);
    const int32_t i = (int32_t)fx, k = (int32_t)fy;
    const double s = smooth_step(0.0, 1.0, x - fx), t = smooth_step(0.0, 1.0, y - fy);
    const double above = mix_d(hash_unit(i, k, 11), hash_unit(i + 1, k, 11), s);
    const double below = mix_d(hash_unit(i, k + 1, 11), hash_unit(i + 1, k + 1, 11), s);
    return 2.0 * mix_d(above, below, t) - 1.0;
}

/// Fine lines of the lips, pores of the cheeks.
static double skin_height(dvec3 at)
{
    const double lips = stroke(at, -0.2, -0.47, 0.2, -0.47, 0.12);
    const double pores = noise(at.x * 45.0, at.y * 45.0);
    return at.z > 0.0 ? 0.0012 * lips * exact_sin(at.x * 120.0) + 0.0007 * pores : 0.0;
}

void head_paint_skin(built_image *image) { paint_heights(image, skin_height); }

/// Height of a groove with raised rims, at a distance from its bottom.
static double groove(dvec3 at, double d2, double width)
{
    return falling(at, d2, 2.2 * width) - 2.0 * falling(at, d2, width);
}

static double crease(dvec3 at, double ax, double ay, double bx, double by, double width)
{
    return groove(at, away2(at, ax, ay, bx, by), width);
}

static double forehead_height(dvec3 at)
{
    double h = 0.0;
    for (int k = 0; k < 4; k++) {
        const double half = 0.5 - 0.06 * k;
        const double wave = 0.02 * exact_cos(at.x * 9.0 + (k % 2 ? 0.5 : 0.0));
        const double off = at.y - (0.54 + 0.085 * k + wave - 0.12 * at.x * at.x);
        h += groove(at, off * off, 0.026) * smooth_step(half, half - 0.15, fabs(at.x));
    }
    return 0.016 * h;
}

static double brow_height(dvec3 at)
{
    double h = 0.0;
    for (int side = -1; side <= 1; side += 2) {
        h += crease(at, side * 0.055, 0.3, side * 0.065, 0.52, 0.03);
        h += 0.7 * crease(at, side * 0.15, 0.42, side * 0.16, 0.54, 0.022);
        h += 0.6 * crease(at, side * 0.19, 0.53, side * 0.34, 0.555, 0.024);
    }
    h += 0.8 * crease(at, -0.09, 0.225, 0.09, 0.225, 0.024);
    return 0.014 * h;
}

static double mouth_height(dvec3 at)
{
    static const double fold[5][2] = {
        {0.16, -0.08}, {0.24, -0.17}, {0.32, -0.29}, {0.36, -0.42}, {0.35, -0.54}};
    double h = 0.0;
    for (int side = -1; side <= 1; side += 2) {
        double d2 = 1.0;
        for (int k = 0; k < 4; k++)
            d2 = maths_min(d2, away2(at, side * fold[k][0], fold[k][1], side * fold[k + 1][0],
                                     fold[k + 1][1]));
        h += 1.3 * groove(at, d2, 0.035);
        h += 0.8 * crease(at, side * 0.44, -0.33, side * 0.46, -0.48, 0.028);
        for (int k = -1; k <= 1; k++)
            h += 0.7 * crease(at, side * 0.47, 0.17 + 0.035 * k, side * 0.6, 0.17 + 0.1 * k, 0.018);
    }
    return 0.011 * h;
}

void head_paint_wrinkle(built_image *image, head_wrinkle which)
{
    static const height_fn heights[WRINKLE_COUNT] = {forehead_height, brow_height, mouth_height};
    paint_heights(image, heights[which]);
}

static double mask_at(dvec3 at, head_wrinkle which)
{
    const double side = at.x < 0.0 ? -1.0 : 1.0;
    if (which == WRINKLE_FOREHEAD)
        return spot(at, 0.0, 0.67, 0.4, 0.14);
    if (which == WRINKLE_BROW)
        return maths_max(spot(at, 0.0, 0.37, 0.12, 0.12), spot(at, side * 0.25, 0.52, 0.1, 0.04));
    return maths_max(spot(at, side * 0.33, -0.3, 0.11, 0.18),
                     spot(at, side * 0.55, 0.17, 0.08, 0.1));
}

void head_paint_mask(built_image *image, head_wrinkle which)
{
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            const double m =
                mask_at(head_at((x + 0.5) / image->width, (y + 0.5) / image->height), which);
            texel_set(image, x, y, m, m, m, 1.0);
        }
}
