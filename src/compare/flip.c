// SPDX-License-Identifier: MIT
// LDR-FLIP, row by row: as many rows as the filters need are kept, filtered along x. Sums of
// products have one order, errors are summed as integers, and no function of libm is called.
#include "base/maths.h"
#include "compare/image_pair.h"

#include <math.h>
#include <string.h>

enum {
    ACHROMATIC, ///< Y of YCxCz
    RED_GREEN,  ///< Cx
    BLUE_YELLOW_1,
    BLUE_YELLOW_2, ///< Cz, by each of its two Gaussians
    SMOOTH,        ///< luminance for the features: Gaussian,
    EDGE,          ///< its first derivative
    POINT,         ///< and its second
    FILTERS,
    COLORS = SMOOTH,
    RADIUS_MAX = 256,
    TAPS_MAX = 2 * RADIUS_MAX + 1,
    BINS = 65536,
};

typedef struct flip_filter {
    int32_t radius;
    float weight[TAPS_MAX];
} flip_filter;

typedef struct flip_job {
    const image_pair *pair;
    int32_t width, height, rows; ///< rows: of a ring
    flip_filter filter[FILTERS];
    float blue_yellow[2]; ///< shares of the two Gaussians
    float linear[256];    ///< sRGB codes to linear light
    double rgb_from_xyz[3][3];
    double color_max; ///< the largest difference of colours: green and blue
    float *ring[2];   ///< of a side: [rows][FILTERS][width]; row y is at y % rows
    float *padded[3]; ///< Y, Cx, Cz of a row with repeated borders
    uint8_t *codes;
    float *column[2]; ///< of a side: [FILTERS + 2][width], filtered along y too
    uint64_t *bins;   ///< errors, in 65535ths
    uint64_t sum;     ///< of errors, in 2^-32
    uint64_t count, largest;
} flip_job;

static double power(double x, double exponent)
{
    return x > 0.0 ? maths_exp2(exponent * maths_log2(x)) : exponent > 0.0 ? 0.0 : 1.0;
}

// ---- Colours ------------------------------------------------------------------------------------

/// CIE XYZ of linear sRGB, as the paper's program has it; rows sum to the white point.
static const double xyz_from_rgb[3][3] = {
    {10135552.0 / 24577794, 8788810.0 / 24577794, 4435075.0 / 24577794},
    {2613072.0 / 12288897, 8788810.0 / 12288897, 887015.0 / 12288897},
    {1425312.0 / 73733382, 8788810.0 / 73733382, 70074185.0 / 73733382},
};

static double white(int row)
{
    return xyz_from_rgb[row][0] + xyz_from_rgb[row][1] + xyz_from_rgb[row][2];
}

/// rgb from XYZ relative to white.
static void invert(double out[3][3])
{
    const double(*m)[3] = xyz_from_rgb;
    double cofactor[3][3];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            cofactor[r][c] = m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
        }
    const double determinant =
        m[0][0] * cofactor[0][0] + m[0][1] * cofactor[0][1] + m[0][2] * cofactor[0][2];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            out[r][c] = cofactor[c][r] / determinant * white(c);
}

/// Two steps of Halley from a straight line: below 1e-12 on 0.008..1, which is all that is asked.
static double cube_root(double x)
{
    double scale = 1.0;
    while (x < 0.125) {
        x *= 8.0;
        scale *= 0.5;
    }
    double y = 0.4388 + 0.5755 * x; // on 0.125..1
    for (int i = 0; i < 3; i++) {
        const double cube = y * y * y;
        y = y * (cube + 2.0 * x) / (2.0 * cube + x);
    }
    return y * scale;
}

static double lab_curve(double t)
{
    const double delta = 6.0 / 29.0;
    return t > delta * delta * delta ? cube_root(t) : t / (3.0 * delta * delta) + 4.0 / 29.0;
}

/// CIELAB with Hunt's adjustment of the chroma by the lightness, from linear rgb.
static void lab_of(const double rgb[3], double out[3])
{
    double f[3];
    for (int r = 0; r < 3; r++) {
        const double v =
            xyz_from_rgb[r][0] * rgb[0] + xyz_from_rgb[r][1] * rgb[1] + xyz_from_rgb[r][2] * rgb[2];
        f[r] = lab_curve(v / white(r));
    }
    out[0] = 116.0 * f[1] - 16.0;
    out[1] = 0.01 * out[0] * 500.0 * (f[0] - f[1]);
    out[2] = 0.01 * out[0] * 200.0 * (f[1] - f[2]);
}

/// HyAB: the difference of lightness and the distance of the chroma, to the power 0.7.
static double color_distance(const double a[3], const double b[3])
{
    const double l = a[0] > b[0] ? a[0] - b[0] : b[0] - a[0];
    const double u = a[1] - b[1], v = a[2] - b[2];
    return power(l + sqrt(u * u + v * v), 0.7);
}

static double srgb_to_linear(double c)
{
    return c <= 0.04045 ? c / 12.92 : power((c + 0.055) / 1.055, 2.4);
}

// ---- Filters ------------------------------------------------------------------------------------

static double gaussian(double exponent)
{
    return maths_exp2(-exponent * 1.4426950408889634); // log2 e
}

/// A Gaussian exp(-pi^2 x^2 / b), x in degrees, with the sum 1. Returns the sum before.
static double make_color_filter(flip_filter *f, int32_t radius, double b, double ppd)
{
    double weight[TAPS_MAX], sum = 0.0;
    f->radius = radius;
    for (int32_t i = 0; i <= 2 * radius; i++) {
        const double x = (i - radius) / ppd;
        weight[i] = gaussian(MATHS_PI * MATHS_PI * x * x / b);
        sum += weight[i];
    }
    for (int32_t i = 0; i <= 2 * radius; i++)
        f->weight[i] = (float)(weight[i] / sum);
    return sum;
}

/// A Gaussian times 1, -x or x^2 / sd^2 - 1. Positive weights sum to 1, negative ones to -1.
static void make_feature_filter(flip_filter *f, int32_t radius, double sd, int order)
{
    double weight[TAPS_MAX], positive = 0.0, negative = 0.0;
    f->radius = radius;
    for (int32_t i = 0; i <= 2 * radius; i++) {
        const double x = i - radius, g = gaussian(x * x / (2.0 * sd * sd));
        weight[i] = order == 0 ? g : order == 1 ? -x * g : (x * x / (sd * sd) - 1.0) * g;
        if (weight[i] > 0.0)
            positive += weight[i];
        else
            negative -= weight[i];
    }
    for (int32_t i = 0; i <= 2 * radius; i++)
        f->weight[i] = (float)(weight[i] / (weight[i] > 0.0 ? positive : order ? negative : 1.0));
}

static int32_t round_up(double x)
{
    const int32_t whole = (int32_t)x;
    return whole < x ? whole + 1 : whole;
}

/// Contrast sensitivity: terms a sqrt(pi / b) exp(-pi^2 x^2 / b); features: 0.082 degrees.
static void make_filters(flip_job *j, double ppd)
{
    const double b1 = 0.04, b2 = 0.025, sd = 0.5 * 0.082 * ppd;
    const int32_t radius = round_up(3.0 * sqrt(b1 / (2.0 * MATHS_PI * MATHS_PI)) * ppd);
    const int32_t feature_radius = round_up(3.0 * sd);
    make_color_filter(&j->filter[ACHROMATIC], radius, 0.0047, ppd);
    make_color_filter(&j->filter[RED_GREEN], radius, 0.0053, ppd);
    const double sum1 = make_color_filter(&j->filter[BLUE_YELLOW_1], radius, b1, ppd);
    const double sum2 = make_color_filter(&j->filter[BLUE_YELLOW_2], radius, b2, ppd);
    const double share1 = 34.1 * sqrt(MATHS_PI / b1) * sum1 * sum1;
    const double share2 = 13.5 * sqrt(MATHS_PI / b2) * sum2 * sum2;
    j->blue_yellow[0] = (float)(share1 / (share1 + share2));
    j->blue_yellow[1] = (float)(share2 / (share1 + share2));
    make_feature_filter(&j->filter[SMOOTH], feature_radius, sd, 0);
    make_feature_filter(&j->filter[EDGE], feature_radius, sd, 1);
    make_feature_filter(&j->filter[POINT], feature_radius, sd, 2);
    j->rows = 2 * (radius > feature_radius ? radius : feature_radius) + 1;
}

static void make_tables(flip_job *j)
{
    static const double green[3] = {0, 1, 0}, blue[3] = {0, 0, 1};
    double lab_green[3], lab_blue[3];
    invert(j->rgb_from_xyz);
    for (int i = 0; i < 256; i++)
        j->linear[i] = (float)srgb_to_linear(i / 255.0);
    lab_of(green, lab_green);
    lab_of(blue, lab_blue);
    j->color_max = color_distance(lab_green, lab_blue);
}

// ---- Rows ---------------------------------------------------------------------------------------

static float *ring_row(const flip_job *j, int side, int32_t y, int filter)
{
    return j->ring[side] + ((size_t)(y % j->rows) * FILTERS + (size_t)filter) * (size_t)j->width;
}

static void filter_row(const flip_filter *f, const float *restrict in, int32_t width,
                       float *restrict out)
{
    memset(out, 0, (size_t)width * sizeof *out);
    for (int32_t k = 0; k <= 2 * f->radius; k++) {
        const float weight = f->weight[k];
        for (int32_t x = 0; x < width; x++)
            out[x] += weight * in[x + k];
    }
}

/// Codes of a row to Y, Cx and Cz over their whites, less constants: linear in light.
static void opponents(flip_job *j, int32_t pad)
{
    float m[3][3];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            m[r][c] = (float)(xyz_from_rgb[r][c] / white(r));
    for (int32_t x = -pad; x < j->width + pad; x++) {
        const int32_t inside = x < 0 ? 0 : x < j->width ? x : j->width - 1;
        const uint8_t *code = j->codes + 3 * (size_t)inside;
        const float r = j->linear[code[0]], g = j->linear[code[1]], b = j->linear[code[2]];
        const float vx = m[0][0] * r + m[0][1] * g + m[0][2] * b;
        const float vy = m[1][0] * r + m[1][1] * g + m[1][2] * b;
        const float vz = m[2][0] * r + m[2][1] * g + m[2][2] * b;
        j->padded[0][x + pad] = vy;
        j->padded[1][x + pad] = vx - vy;
        j->padded[2][x + pad] = vy - vz;
    }
}

/// Filters row y of both pictures along x into the rings.
static void take_row(flip_job *j, int32_t y)
{
    static const int plane[FILTERS] = {0, 1, 2, 2, 0, 0, 0};
    const int32_t pad = j->rows / 2;
    for (int side = 0; side < 2; side++) {
        image_pair_row(j->pair, side, y, j->codes);
        opponents(j, pad);
        for (int i = 0; i < FILTERS; i++) {
            const flip_filter *f = &j->filter[i];
            filter_row(f, j->padded[plane[i]] + (pad - f->radius), j->width,
                       ring_row(j, side, y, i));
        }
    }
}

/// Filters plane `from` of the ring along y around row y.
static void filter_column(const flip_job *j, int side, int32_t y, const flip_filter *f, int from,
                          float *restrict out)
{
    memset(out, 0, (size_t)j->width * sizeof *out);
    for (int32_t k = 0; k <= 2 * f->radius; k++) {
        int32_t v = y + k - f->radius;
        if (v >= j->height)
            v = j->height - 1;
        const float *restrict in = ring_row(j, side, v < 0 ? 0 : v, from);
        const float weight = f->weight[k];
        for (int32_t x = 0; x < j->width; x++)
            out[x] += weight * in[x];
    }
}

/// Values of a row's pixels after both filters: four colours, then edges and points along x and y.
enum { EDGE_X = COLORS, EDGE_Y, POINT_X, POINT_Y, COLUMNS };

static void filter_columns(flip_job *j, int side, int32_t y)
{
    static const int from[COLUMNS] = {ACHROMATIC, RED_GREEN, BLUE_YELLOW_1, BLUE_YELLOW_2,
                                      EDGE,       SMOOTH,    POINT,         SMOOTH};
    static const int to[COLUMNS] = {ACHROMATIC, RED_GREEN, BLUE_YELLOW_1, BLUE_YELLOW_2,
                                    SMOOTH,     EDGE,      SMOOTH,        POINT};
    for (int i = 0; i < COLUMNS; i++)
        filter_column(j, side, y, &j->filter[to[i]], from[i],
                      j->column[side] + (size_t)i * (size_t)j->width);
}

// ---- Errors -------------------------------------------------------------------------------------

static void filtered_lab(const flip_job *j, const float c[COLUMNS], double out[3])
{
    const double y = (double)c[ACHROMATIC];
    const double z = (double)j->blue_yellow[0] * (double)c[BLUE_YELLOW_1] +
                     (double)j->blue_yellow[1] * (double)c[BLUE_YELLOW_2];
    const double xyz[3] = {y + (double)c[RED_GREEN], y, y - z};
    double rgb[3];
    for (int r = 0; r < 3; r++) {
        const double(*m)[3] = j->rgb_from_xyz;
        const double v = m[r][0] * xyz[0] + m[r][1] * xyz[1] + m[r][2] * xyz[2];
        rgb[r] = v > 0.0 ? maths_min(v, 1.0) : 0.0;
    }
    lab_of(rgb, out);
}

static double color_error(const flip_job *j, const float a[COLUMNS], const float b[COLUMNS])
{
    const double part = 0.4, whole = 0.95; // errors below 0.4 of the largest fill 0..0.95
    double lab_a[3], lab_b[3];
    if (memcmp(a, b, COLORS * sizeof *a) == 0)
        return 0.0;
    filtered_lab(j, a, lab_a);
    filtered_lab(j, b, lab_b);
    const double d = color_distance(lab_a, lab_b), border = part * j->color_max;
    const double error = d < border
                             ? whole / border * d
                             : whole + (d - border) / (j->color_max - border) * (1.0 - whole);
    return error < 1.0 ? error : 1.0;
}

static double length_difference(const float a[COLUMNS], const float b[COLUMNS], int along_x)
{
    const double ax = (double)a[along_x], ay = (double)a[along_x + 1];
    const double bx = (double)b[along_x], by = (double)b[along_x + 1];
    const double d = sqrt(ax * ax + ay * ay) - sqrt(bx * bx + by * by);
    return d < 0.0 ? -d : d;
}

static double pixel_error(const flip_job *j, const float a[COLUMNS], const float b[COLUMNS])
{
    const double color = color_error(j, a, b);
    const double edge = length_difference(a, b, EDGE_X), point = length_difference(a, b, POINT_X);
    // The larger one over the square root of 2, to the power 1/2.
    const double feature = sqrt((edge > point ? edge : point) * 0.7071067811865476);
    return power(color, 1.0 - (feature < 1.0 ? feature : 1.0));
}

/// From black over violet and orange to pale yellow, lighter with each step.
static void paint(double error, uint8_t out[4])
{
    static const uint8_t stops[9][3] = {{0, 0, 4},      {28, 16, 68},    {79, 18, 123},
                                        {129, 37, 129}, {181, 54, 122},  {229, 80, 100},
                                        {251, 135, 97}, {254, 194, 135}, {252, 253, 191}};
    const double at = error * 8.0;
    const int i = at < 8.0 ? (int)at : 7;
    for (int c = 0; c < 3; c++)
        out[c] = (uint8_t)(stops[i][c] + (at - i) * (stops[i + 1][c] - stops[i][c]) + 0.5);
    out[3] = 255;
}

static void add_row(flip_job *j, int32_t y, zt_image *map)
{
    for (int32_t x = 0; x < j->width; x++) {
        float a[COLUMNS], b[COLUMNS];
        for (int i = 0; i < COLUMNS; i++) {
            a[i] = j->column[0][(size_t)i * (size_t)j->width + (size_t)x];
            b[i] = j->column[1][(size_t)i * (size_t)j->width + (size_t)x];
        }
        const bool counts = image_pair_counts(j->pair, x, y);
        const bool equal = memcmp(a, b, sizeof a) == 0;
        const double error = equal || !counts ? 0.0 : pixel_error(j, a, b);
        if (map)
            paint(error, map->rgba8 + (size_t)y * map->stride + 4 * (size_t)x);
        if (!counts)
            continue;
        const uint64_t fixed = (uint64_t)(error * 4294967296.0);
        j->sum += fixed;
        j->largest = fixed > j->largest ? fixed : j->largest;
        j->bins[(size_t)(error * (BINS - 1) + 0.5)]++;
        j->count++;
    }
}

static double weighted_quantile(const flip_job *j, double part)
{
    uint64_t whole = 0, sum = 0;
    for (size_t i = 0; i < BINS; i++)
        whole += i * j->bins[i];
    if (whole > 0)
        for (size_t i = 0; i < BINS; i++) {
            sum += i * j->bins[i];
            if ((double)sum >= part * (double)whole)
                return (double)i / (BINS - 1);
        }
    return 0.0;
}

static bool allocate(flip_job *j, arena *memory)
{
    const size_t width = (size_t)j->width;
    bool whole = true;
    for (int side = 0; side < 2; side++) {
        j->ring[side] = ARENA_ARRAY_RAW(memory, float, (size_t)j->rows *FILTERS *width);
        j->column[side] = ARENA_ARRAY_RAW(memory, float, COLUMNS *width);
        whole = whole && j->ring[side] && j->column[side];
    }
    for (int i = 0; i < 3; i++) {
        j->padded[i] = ARENA_ARRAY_RAW(memory, float, width + (size_t)j->rows);
        whole = whole && j->padded[i];
    }
    j->codes = ARENA_ARRAY_RAW(memory, uint8_t, 3 * width);
    j->bins = ARENA_ARRAY(memory, uint64_t, BINS);
    return whole && j->codes && j->bins;
}

zt_result image_flip(const image_pair *pair, double pixels_per_degree, arena *memory,
                     flip_result *out, zt_image *out_map, zt_error *err)
{
    flip_job *j;
    ZT_TRY(ARENA_TAKE(memory, &j, 1, "FLIP", err));
    j->pair = pair;
    j->width = pair->side[0]->width;
    j->height = pair->side[0]->height;
    make_filters(j, pixels_per_degree);
    make_tables(j);
    if (!allocate(j, memory))
        return arena_fail(memory, err, "FLIP");
    int32_t taken = 0;
    for (int32_t y = 0; y < j->height; y++) {
        if (image_pair_cancelled(pair))
            return cancel_fail(err);
        for (; taken < j->height && taken <= y + j->rows / 2; taken++)
            take_row(j, taken);
        filter_columns(j, 0, y);
        filter_columns(j, 1, y);
        add_row(j, y, out_map);
    }
    *out = (flip_result){
        .mean = j->count > 0 ? (double)j->sum / 4294967296.0 / (double)j->count : 0.0,
        .first_quartile = weighted_quantile(j, 0.25),
        .median = weighted_quantile(j, 0.5),
        .third_quartile = weighted_quantile(j, 0.75),
        .max = (double)j->largest / 4294967296.0,
    };
    return ZT_OK;
}
