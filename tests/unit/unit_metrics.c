// SPDX-License-Identifier: MIT
/// Metrics of pictures: sums against numbers worked out by hand, masks, antialiased edges, and SSIM
/// and FLIP against a second method: windows and filters in two dimensions, in double, with libm.
#include "counted_cancel.h"
#include "testing.h"

enum { W = 41, H = 33 };

/// A pixel of the pictures in flip_of_known_pictures.
#define FLIP_BITS 0x1.59a8ac946b788p-2
#define SSIM_BITS 0x1.ee8a3f3ea3c5p-1

static zt_image make(int32_t width, int32_t height, uint8_t grey)
{
    zt_image image = make_image(width, height);
    for (int32_t i = 0; i < width * height; i++)
        memcpy(image.rgba8 + 4 * i, (const uint8_t[]){grey, grey, grey, 255}, 4);
    return image;
}

static uint8_t *at(const zt_image *image, int32_t x, int32_t y)
{
    return image->rgba8 + (size_t)y * image->stride + 4 * (size_t)x;
}

static zt_metrics measure(const zt_image *a, const zt_image *b, const zt_metrics_def *def)
{
    zt_metrics m;
    zt_error err = {0};
    MUST(zt_image_measure(a, b, def, &m, NULL, &err), err);
    return m;
}

Test(metrics, sums_by_hand)
{
    OWN_IMAGE a = make(10, 5, 100), b = make(10, 5, 100);
    zt_metrics_def def = zt_default_metrics_def();
    zt_metrics m = measure(&a, &b, &def);
    cr_expect(m.pixels == 0 && m.max == 0 && m.mean == 0 && m.rms == 0 && isinf(m.psnr));
    cr_expect(m.compared == 50 && m.first_x == -1 && m.differing.width == 0 && isnan(m.ssim));
    cr_expect(isnan(m.flip) && isnan(m.flip_first_quartile) && isnan(m.flip_median) &&
              isnan(m.flip_third_quartile) && isnan(m.flip_max));
    at(&b, 3, 1)[0] = 104;
    at(&b, 7, 2)[1] = 97;
    at(&b, 7, 2)[2] = 88;
    def.threshold = 4;
    m = measure(&a, &b, &def);
    cr_expect(m.pixels == 2 && m.over == 1 && m.max == 12 && m.first_x == 3 && m.first_y == 1);
    cr_expect_float_eq(m.share, 2.0, 1e-12);
    cr_expect_float_eq(m.mean, (4 + 3 + 12) / 200.0, 1e-12);
    cr_expect_float_eq(m.rms, sqrt((16 + 9 + 144) / 200.0), 1e-12);
    cr_expect_float_eq(m.psnr, 20 * log10(255 / m.rms), 1e-9);
    cr_expect(m.differing.x == 3 && m.differing.y == 1 && m.differing.width == 5 &&
              m.differing.height == 2);
}

/// Hidden colours do not count; nothing that can be seen is rounded to nothing.
Test(metrics, alpha)
{
    OWN_IMAGE a = make(4, 4, 10), b = make(4, 4, 10);
    zt_metrics_def def = zt_default_metrics_def();
    at(&a, 0, 0)[3] = at(&b, 0, 0)[3] = 0;
    at(&b, 0, 0)[1] = 250;
    cr_expect_eq(measure(&a, &b, &def).pixels, 0);
    def.straight = true;
    cr_expect_eq(measure(&a, &b, &def).max, 240);
    def.straight = false;
    at(&a, 1, 0)[3] = at(&b, 1, 0)[3] = 1;
    at(&b, 1, 0)[1] = 12;
    const zt_metrics m = measure(&a, &b, &def);
    cr_expect(m.pixels == 1 && m.max == 1 && m.over == 1);
    cr_expect_float_eq(m.mean, 2.0 / 255 / 64, 1e-12);
}

Test(metrics, masks_and_rectangles)
{
    OWN_IMAGE a = make(20, 10, 0), b = make(20, 10, 60), mask = make(20, 10, 255), diff = {0};
    zt_metrics_def def = zt_default_metrics_def();
    const zt_rectangle ignored[] = {{-5, 0, 15, 10}, {10, 8, 9999999, 9999999}};
    def.ignored = ignored;
    def.ignored_count = 2;
    cr_expect_eq(measure(&a, &b, &def).compared, 80);
    memset(at(&mask, 12, 0), 0, 4);
    at(&mask, 13, 0)[3] = 100;
    memset(at(&mask, 14, 0), 127, 3);
    memset(at(&mask, 15, 0), 129, 3);
    def.mask = &mask;
    def.ssim = def.flip = true;
    zt_metrics m;
    cr_assert_eq(zt_image_measure(&a, &b, &def, &m, &diff, NULL), ZT_OK);
    cr_expect_eq(m.compared, 77);
    cr_expect_eq(m.pixels, 77);
    cr_expect_eq(m.first_x, 10);
    cr_expect(at(&diff, 2, 2)[2] >= 96 && at(&diff, 2, 2)[0] < 96); // left out
    cr_expect(at(&diff, 15, 2)[0] > 200);
    const zt_rectangle all = {0, 0, 20, 10};
    def.ignored = &all;
    def.ignored_count = 1;
    m = measure(&a, &b, &def);
    cr_expect(m.compared == 0 && m.pixels == 0 && m.ssim == 1.0 && m.flip == 0.0);
    OWN_IMAGE small = make(5, 5, 255);
    def.mask = &small;
    cr_expect_eq(zt_image_measure(&a, &b, &def, &m, NULL, NULL), ZT_ERR_ARGUMENT);
    cr_expect_eq(zt_image_measure(&a, &small, &def, &m, NULL, NULL), ZT_ERR_DIFFERENT);
    cr_expect(zt_image_blank(&a) && !zt_image_blank(&mask));
}

/// Each doubling of a difference has a colour, brighter than the one before and unlike grey.
Test(metrics, colors_tell_how_much)
{
    OWN_IMAGE a = make(256, 1, 0), b = make(256, 1, 0), diff = {0};
    const zt_metrics_def def = zt_default_metrics_def();
    for (int32_t x = 1; x < 256; x++)
        at(&b, x, 0)[x % 3] = (uint8_t)x;
    cr_assert_eq(zt_image_measure(&a, &b, &def, NULL, &diff, NULL), ZT_OK);
    for (int32_t x = 1, before = 0, luma; x < 256; x++, before = luma) {
        const uint8_t *p = at(&diff, x, 0);
        luma = (77 * p[0] + 150 * p[1] + 29 * p[2]) / 256;
        cr_expect((x & (x - 1)) == 0 ? luma > before + 8 : luma == before, "%d", x);
        cr_expect(p[0] > p[1] + 60 || luma > 200);
    }
}

/// A column between black and white that has another grey is an edge; a square on black is not.
Test(metrics, antialiased_edges)
{
    OWN_IMAGE a = make(20, 20, 0), b = make(20, 20, 0);
    zt_metrics_def def = zt_default_metrics_def();
    for (int32_t y = 0; y < 20; y++)
        for (int32_t x = 10; x < 20; x++) {
            memset(at(&a, x, y), x == 10 ? 80 : 255, 3);
            memset(at(&b, x, y), x == 10 ? 170 : 255, 3);
        }
    cr_expect_eq(measure(&a, &b, &def).pixels, 20);
    def.ignore_antialiasing = true;
    def.ssim = def.flip = true;
    zt_metrics m = measure(&a, &b, &def);
    // In the corners the border stands for an equal neighbour: 2 of 2 pixels remain edges.
    cr_expect_eq(m.pixels + m.antialiased, 20);
    cr_expect_geq(m.antialiased, 18);
    for (int32_t i = 0; i < 9; i++)
        memset(at(&b, 3 + i % 3, 5 + i / 3), 200, 3);
    // A hard edge in either of the pictures is one of the other as well.
    OWN_IMAGE hard = make(20, 20, 0);
    for (int32_t y = 0; y < 20; y++)
        memset(at(&hard, 11, y), 255, (size_t)9 * 4);
    cr_expect_geq(measure(&a, &hard, &def).antialiased, 18);
    cr_expect_geq(measure(&hard, &a, &def).antialiased, 18);
    const int64_t edges = m.pixels;
    m = measure(&a, &b, &def);
    cr_expect_eq(m.pixels - edges, 9);
}

// ---- A second method ----------------------------------------------------------------------------

/// Discs and stripes; `shift` and `noise` make another version of it.
static zt_image pattern(double shift, int noise)
{
    zt_image image = make(W, H, 0);
    for (int32_t y = 0; y < H; y++)
        for (int32_t x = 0; x < W; x++) {
            uint8_t *p = at(&image, x, y);
            const double r = hypot(x - 20 - shift, y - 15);
            p[0] = (uint8_t)(r < 9 ? 230 : 40 + 4 * x);
            p[1] = (uint8_t)((x + y) % 7 < 3 ? 200 - 3 * y : 30);
            p[2] = (uint8_t)(r < 5 ? 20 : 90 + (x * 7919 + y * 104729) % (1 + noise));
        }
    return image;
}

/// Mirrored about the border, whose pixel is repeated.
static int32_t mirrored(int32_t i, int32_t size)
{
    const int32_t period = 2 * size, k = ((i % period) + period) % period;
    return k < size ? k : period - 1 - k;
}

static double luma(const zt_image *image, int32_t x, int32_t y)
{
    const uint8_t *p = at(image, mirrored(x, image->width), mirrored(y, image->height));
    return 0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2];
}

static double slow_ssim(const zt_image *a, const zt_image *b)
{
    double sum = 0;
    int count = 0;
    const int32_t edge = a->width > 10 && a->height > 10 ? 5 : 0; // all windows inside, or all
    for (int32_t y = edge; y < a->height - edge; y++)
        for (int32_t x = edge; x < a->width - edge; x++, count++) {
            double weights = 0, ma = 0, mb = 0, va = 0, vb = 0, cov = 0;
            for (int32_t v = -5; v <= 5; v++)
                for (int32_t u = -5; u <= 5; u++) {
                    const double w = exp(-(u * u + v * v) / 4.5);
                    weights += w;
                    ma += w * luma(a, x + u, y + v);
                    mb += w * luma(b, x + u, y + v);
                }
            ma /= weights;
            mb /= weights;
            for (int32_t v = -5; v <= 5; v++)
                for (int32_t u = -5; u <= 5; u++) {
                    const double w = exp(-(u * u + v * v) / 4.5) / weights;
                    const double da = luma(a, x + u, y + v) - ma, db = luma(b, x + u, y + v) - mb;
                    va += w * da * da;
                    vb += w * db * db;
                    cov += w * da * db;
                }
            const double c1 = 6.5025, c2 = 58.5225;
            sum +=
                (2 * ma * mb + c1) * (2 * cov + c2) / ((ma * ma + mb * mb + c1) * (va + vb + c2));
        }
    return sum / count;
}

Test(metrics, ssim_by_a_second_method)
{
    zt_metrics_def def = zt_default_metrics_def();
    def.ssim = true;
    for (int i = 0; i < 3; i++) {
        OWN_IMAGE a = pattern(0, 5), b = pattern(0.7 * i, 5 + 60 * i);
        cr_expect_float_eq(measure(&a, &b, &def).ssim, i ? slow_ssim(&a, &b) : 1.0, 1e-11);
    }
    OWN_IMAGE a = make(7, 3, 10), b = make(7, 3, 240); // no window is inside
    const double low = (2.0 * 10 * 240 + 6.5025) / (100 + 57600 + 6.5025);
    cr_expect_float_eq(measure(&a, &b, &def).ssim, low, 1e-11);
    // Windows that reach beyond the picture, some beyond both sides of it.
    static const int32_t small[][2] = {{1, 1},  {2, 5},   {4, 9},  {10, 3},
                                       {3, 10}, {11, 10}, {11, 11}};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        OWN_IMAGE c = make(small[i][0], small[i][1], 0), d = make(small[i][0], small[i][1], 0);
        for (int32_t y = 0; y < c.height; y++)
            for (int32_t x = 0; x < c.width; x++) {
                memset(at(&c, x, y), (x * 37 + y * 91) % 256, 3);
                memset(at(&d, x, y), (x * 53 + y * 17 + 20) % 256, 3);
            }
        cr_expect_float_eq(measure(&c, &d, &def).ssim, slow_ssim(&c, &d), 1e-11, "%d x %d",
                           small[i][0], small[i][1]);
    }
}

static const double rgb_to_xyz[3][3] = {
    {10135552.0 / 24577794, 8788810.0 / 24577794, 4435075.0 / 24577794},
    {2613072.0 / 12288897, 8788810.0 / 12288897, 887015.0 / 12288897},
    {1425312.0 / 73733382, 8788810.0 / 73733382, 70074185.0 / 73733382},
};

/// XYZ of a pixel, over white.
static void slow_xyz(const zt_image *image, int32_t x, int32_t y, double out[3])
{
    x = x < 0 ? 0 : x < image->width ? x : image->width - 1;
    y = y < 0 ? 0 : y < image->height ? y : image->height - 1;
    for (int r = 0; r < 3; r++) {
        double sum = 0, white = 0;
        for (int c = 0; c < 3; c++) {
            const double s = at(image, x, y)[c] / 255.0;
            sum += rgb_to_xyz[r][c] * (s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4));
            white += rgb_to_xyz[r][c];
        }
        out[r] = sum / white;
    }
}

/// Filtered YCxCz to CIELAB with Hunt's adjustment, by elimination in place of an inverse.
static void slow_lab(const double ycc[3], double out[3])
{
    double m[3][4], f[3];
    const double yn = (ycc[0] + 16) / 116;
    const double xyz[3] = {yn + ycc[1] / 500, yn, yn - ycc[2] / 200};
    for (int r = 0; r < 3; r++) {
        double white = 0;
        for (int c = 0; c < 3; c++)
            white += m[r][c] = rgb_to_xyz[r][c];
        m[r][3] = xyz[r] * white;
    }
    for (int p = 0; p < 3; p++)
        for (int r = 0; r < 3; r++) {
            const double factor = m[r][p] / m[p][p];
            for (int c = 0; c < 4 && r != p; c++)
                m[r][c] -= factor * m[p][c];
        }
    for (int r = 0; r < 3; r++) {
        double sum = 0, white = 0;
        for (int c = 0; c < 3; c++) {
            sum += rgb_to_xyz[r][c] * fmin(fmax(m[c][3] / m[c][c], 0), 1);
            white += rgb_to_xyz[r][c];
        }
        const double t = sum / white;
        f[r] = t > 216.0 / 24389 ? cbrt(t) : t * 841 / 108 + 4.0 / 29;
    }
    out[0] = 116 * f[1] - 16;
    out[1] = 5 * out[0] * (f[0] - f[1]);
    out[2] = 2 * out[0] * (f[1] - f[2]);
}

typedef struct slow_pixel {
    double lab[3], edge, point;
} slow_pixel;

static slow_pixel slow_filter(const zt_image *image, int32_t x, int32_t y, double ppd)
{
    const double pi = acos(-1.0), sd = 0.041 * ppd;
    const int radius = (int)ceil(3 * sqrt(0.04 / (2 * pi * pi)) * ppd);
    const int feature = (int)ceil(3 * sd);
    double ycc[3] = {0}, weights[3] = {0}, e[2] = {0}, p[2] = {0};
    double edge_sum = 0, point_plus = 0, point_minus = 0;
    slow_pixel out = {0};
    for (int v = -radius; v <= radius; v++)
        for (int u = -radius; u <= radius; u++) {
            const double z = pi * pi * (u * u + v * v) / (ppd * ppd);
            const double w[3] = {exp(-z / 0.0047), exp(-z / 0.0053),
                                 34.1 * sqrt(pi / 0.04) * exp(-z / 0.04) +
                                     13.5 * sqrt(pi / 0.025) * exp(-z / 0.025)};
            double xyz[3];
            slow_xyz(image, x + u, y + v, xyz);
            const double c[3] = {116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]),
                                 200 * (xyz[1] - xyz[2])};
            for (int i = 0; i < 3; i++) {
                ycc[i] += w[i] * c[i];
                weights[i] += w[i];
            }
        }
    for (int i = 0; i < 3; i++)
        ycc[i] /= weights[i];
    slow_lab(ycc, out.lab);
    for (int pass = 0; pass < 2; pass++)
        for (int v = -feature; v <= feature; v++)
            for (int u = -feature; u <= feature; u++) {
                const double g = exp(-(u * u + v * v) / (2 * sd * sd));
                const double first[2] = {-u * g, -v * g};
                const double second[2] = {(u * u / (sd * sd) - 1) * g, (v * v / (sd * sd) - 1) * g};
                if (pass == 0) {
                    edge_sum += fmax(first[0], 0);
                    point_plus += fmax(second[0], 0);
                    point_minus -= fmin(second[0], 0);
                    continue;
                }
                double xyz[3];
                slow_xyz(image, x + u, y + v, xyz);
                for (int i = 0; i < 2; i++) {
                    e[i] += first[i] / edge_sum * xyz[1];
                    p[i] += second[i] / (second[i] > 0 ? point_plus : point_minus) * xyz[1];
                }
            }
    out.edge = hypot(e[0], e[1]);
    out.point = hypot(p[0], p[1]);
    return out;
}

static double hyab(const double a[3], const double b[3])
{
    return pow(fabs(a[0] - b[0]) + hypot(a[1] - b[1], a[2] - b[2]), 0.7);
}

static int by_value(const void *a, const void *b)
{
    const double d = *(const double *)a - *(const double *)b;
    return (d > 0) - (d < 0);
}

/// Mean and weighted quartiles.
static void slow_flip(const zt_image *a, const zt_image *b, double ppd, double out[4])
{
    static double errors[W * H];
    double lab_green[3], lab_blue[3], xyz[3];
    OWN_IMAGE one = make(1, 1, 0);
    for (int i = 1; i < 3; i++) { // the largest difference: green and blue
        memset(one.rgba8, 0, 3);
        one.rgba8[i] = 255;
        slow_xyz(&one, 0, 0, xyz);
        const double c[3] = {116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])};
        slow_lab(c, i == 1 ? lab_green : lab_blue);
    }
    const double most = hyab(lab_green, lab_blue);
    double sum = 0;
    for (int32_t i = 0; i < W * H; i++) {
        const slow_pixel pa = slow_filter(a, i % W, i / W, ppd);
        const slow_pixel pb = slow_filter(b, i % W, i / W, ppd);
        const double d = hyab(pa.lab, pb.lab);
        const double color = d < 0.4 * most ? 0.95 * d / (0.4 * most)
                                            : 0.95 + 0.05 * (d - 0.4 * most) / (0.6 * most);
        const double feature =
            sqrt(fmax(fabs(pa.edge - pb.edge), fabs(pa.point - pb.point)) / sqrt(2.0));
        errors[i] = pow(color, 1 - feature);
        sum += errors[i];
    }
    qsort(errors, W * H, sizeof *errors, by_value);
    out[0] = sum / (W * H);
    double running = 0;
    for (int32_t i = 0, next = 1; i < W * H && next < 4; i++) {
        running += errors[i];
        for (; next < 4 && running >= 0.25 * next * sum; next++)
            out[next] = errors[i];
    }
}

Test(metrics, flip_by_a_second_method)
{
    zt_metrics_def def = zt_default_metrics_def();
    def.flip = true;
    for (int i = 0; i < 2; i++) {
        OWN_IMAGE a = pattern(0, 5), b = pattern(2.2, 5 + 60 * i);
        double slow[4];
        def.pixels_per_degree = i ? 30.0 : zt_default_metrics_def().pixels_per_degree;
        const zt_metrics m = measure(&a, &b, &def);
        slow_flip(&a, &b, def.pixels_per_degree, slow);
        cr_expect_float_eq(m.flip, slow[0], 3e-5, "%.9g %.9g", m.flip, slow[0]);
        cr_expect_float_eq(m.flip_first_quartile, slow[1], 2e-3);
        cr_expect_float_eq(m.flip_median, slow[2], 2e-3, "%g %g", m.flip_median, slow[2]);
        cr_expect_float_eq(m.flip_third_quartile, slow[3], 2e-3);
    }
}

/// The paper's scale: flat green and blue differ by 1. And the bits, which are the same everywhere.
Test(metrics, flip_of_known_pictures)
{
    OWN_IMAGE a = make(30, 20, 0), b = make(30, 20, 0);
    zt_metrics_def def = zt_default_metrics_def();
    def.flip = def.ssim = true;
    for (int32_t i = 0; i < 600; i++)
        a.rgba8[4 * i + 1] = b.rgba8[4 * i + 2] = 255;
    const zt_metrics m = measure(&a, &b, &def);
    cr_expect_float_eq(m.flip, 1.0, 1e-4, "%.9g", m.flip);
    cr_expect_float_eq(m.flip_median, 1.0, 1e-3);

    OWN_IMAGE c = pattern(0, 5), d = pattern(2.2, 65);
    const zt_metrics n = measure(&c, &d, &def);
    cr_expect(n.flip == FLIP_BITS && n.ssim == SSIM_BITS, "%a %a", n.flip, n.ssim);
    // Pictures with alpha are seen over white and over black.
    memset(at(&c, 0, 0), 0, 4);
    memset(at(&d, 0, 0), 255, 3);
    at(&d, 0, 0)[3] = 0;
    cr_expect_float_eq(measure(&c, &d, &def).flip, n.flip, 2e-2);
}

Test(metrics, refusals)
{
    OWN_IMAGE a = make(9, 9, 1), b = make(9, 9, 2), diff = {0};
    zt_metrics_def def = zt_default_metrics_def();
    counted_cancel caller = {.last = 1};
    const zt_cancel cancel = {counted_ask, &caller};
    a.cancel = &cancel;
    def.flip = true;
    cr_expect_eq(zt_image_measure(&a, &b, &def, NULL, &diff, NULL), ZT_ERR_CANCELLED);
    cr_expect_null(diff.rgba8);
    def.flip = false;
    def.ssim = true;
    cr_expect_eq(zt_image_measure(&a, &b, &def, NULL, NULL, NULL), ZT_ERR_CANCELLED);
    def.pixels_per_degree = 0;
    cr_expect_eq(zt_image_measure(&a, &b, &def, NULL, NULL, NULL), ZT_ERR_ARGUMENT);
    def = (zt_metrics_def){0};
    cr_expect_eq(zt_image_measure(&a, &b, &def, NULL, NULL, NULL), ZT_ERR_ARGUMENT);
    def = zt_default_metrics_def();
    def.threshold = 256;
    cr_expect_eq(zt_image_measure(&a, &b, &def, NULL, NULL, NULL), ZT_ERR_ARGUMENT);
}
