// SPDX-License-Identifier: MIT
/// Maps of radiance: alias tables against the weights, densities and samples against the picture's
/// bilinear light in double, rotation, black pictures, and that a renderer makes a map when asked.
#include "drawing.h"
#include "random_numbers.h"
#include "render/renderer.h"

enum { WIDTH = 8, HEIGHT = 5, SAMPLES = 1000000 };

#define PI 3.14159265358979323846

static zt_error err;

Test(alias_table, realises_weights)
{
    static double weights[5000], reached[5000];
    static alias_slot slots[5000];
    uint64_t seed = 5;
    for (int kind = 0; kind < 5; kind++)
        for (uint32_t count = 1; count <= 5000; count = count * 3 + 1) {
            long double sum = 0.0L;
            for (uint32_t i = 0; i < count; i++) {
                const double x = between(&seed, 0.0, 1.0);
                const double by_kind[5] = {x, 1.0, i == count / 2 ? 1.0 : 0.0, x < 0.9 ? 0.0 : x,
                                           i == 0 ? 1.5 : x * x * x * x * x * x};
                weights[i] = kind == 3 && i == 0 ? 0.3 : by_kind[kind];
                sum += (long double)weights[i];
            }
            double copy[5000];
            memcpy(copy, weights, count * sizeof *weights);
            memset(reached, 0, sizeof reached);
            alias_table_build(copy, count, (double)sum, slots);
            for (uint32_t i = 0; i < count; i++) {
                const double stored = (double)slots[i].keep, keep = stored + (stored < 0.0);
                reached[i] += keep / count;
                reached[slots[i].other] += (1.0 - keep) / count;
                double u = (i + 0.75 * keep) / count, v = (i + 0.5 * (1.0 + keep)) / count;
                if (keep > 1e-3)
                    cr_assert(alias_table_pick(slots, count, &u) == i && fabs(u - 0.75) < 1e-6);
                if (keep < 0.999)
                    cr_assert(alias_table_pick(slots, count, &v) == slots[i].other &&
                              fabs(v - 0.5) < 1e-6);
            }
            for (uint32_t i = 0; i < count; i++) {
                const double p = (double)((long double)weights[i] / sum);
                const double bound = p > 0.0 ? 0x1p-23 * p + 0x1p-51 * count : 0.0;
                cr_assert(fabs(reached[i] - p) <= bound, "%d, %u of %u: %g not %g", kind, i, count,
                          reached[i], p);
            }
        }
}

typedef struct fixture {
    budget memory;
    radiance_keep keep;
    float rgb[HEIGHT * WIDTH * 3];
    radiance_map map;
    environment_view view;
} fixture;

static void begin(fixture *f, double scale)
{
    uint64_t seed = 3;
    *f = (fixture){.view = {.cosine = 1.0f, .intensity = 1.0f}};
    for (int i = 0; i < HEIGHT * WIDTH * 3; i++) // a third of the pixels is black
        f->rgb[i] = (float)(i / 3 % 3 == 1 ? 0.0 : scale * between(&seed, 0.0, 4.0));
    f->rgb[3 * (2 * WIDTH - 1) + 1] = (float)(scale * 50.0);
    budget_init(&f->memory, 0, NULL);
    cr_assert_eq(radiance_keep_init(&f->keep, &f->memory, &err), ZT_OK);
    const radiance_source source = {.picture = {WIDTH, HEIGHT, f->rgb}};
    cr_assert_eq(radiance_map_ask(&f->keep, &source, &f->map, &err), ZT_OK);
}

static void finish(fixture *f)
{
    radiance_keep_finish(&f->keep);
    cr_expect_eq(f->memory.used, 0);
}

/// Finishes with its block.
#define FIXTURE __attribute__((cleanup(finish))) fixture

/// Bilinear light at a place in pixels, by its definition.
static void light_at(const fixture *f, double x, double y, double out[3])
{
    const int left = (int)floor(x - 0.5), top = (int)floor(y - 0.5);
    for (int c = 0; c < 3; c++)
        out[c] = 0.0;
    for (int i = 0; i < 4; i++) {
        const int column = left + i % 2, row = top + i / 2;
        const int inside = row < 0 ? 0 : row >= HEIGHT ? HEIGHT - 1 : row;
        const double weight = (1.0 - fabs(x - 0.5 - column)) * (1.0 - fabs(y - 0.5 - row));
        for (int c = 0; c < 3; c++)
            out[c] += weight * (double)f->rgb[3 * (inside * WIDTH + (column + WIDTH) % WIDTH) + c];
    }
}

/// Mean luminance of a texel: that of four points, as its quarters are bilinear.
static double texel_light(const fixture *f, int column, int row)
{
    double sum = 0.0, rgb[3];
    for (int i = 0; i < 4; i++) {
        light_at(f, column + 0.25 + 0.5 * (i % 2), row + 0.25 + 0.5 * (i / 2), rgb);
        sum += 0.25 * (0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]);
    }
    return sum;
}

static double solid_angle(int row)
{
    return (cos(PI * row / HEIGHT) - cos(PI * (row + 1) / HEIGHT)) * 2.0 * PI / WIDTH;
}

Test(radiance_map, density_is_luminance)
{
    FIXTURE f;
    begin(&f, 1.0);
    double total = 0.0, integral = 0.0;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        total += texel_light(&f, i % WIDTH, i / WIDTH) * solid_angle(i / WIDTH);
    cr_expect_float_eq(f.map.total, total, 1e-6 * total);
    for (int i = 0; i < WIDTH * HEIGHT * 16; i++) { // the middles of quarters of texels
        const double x = (i % (4 * WIDTH) + 0.5) / 4.0, y = (int)(i / (4 * WIDTH)) / 4.0 + 0.125;
        const double v = PI * y / HEIGHT, u = 2.0 * PI * (x / WIDTH - 0.5);
        const double d[3] = {sin(v) * cos(u), cos(v), sin(v) * sin(u)};
        double rgb[3], expected[3];
        const double pdf = radiance_map_pdf(&f.map, &f.view, d);
        cr_assert_float_eq(pdf, texel_light(&f, (int)x, (int)y) / total, 1e-6 * pdf);
        integral += pdf * solid_angle((int)y) / 16.0;
        radiance_map_evaluate(&f.map, &f.view, d, rgb);
        light_at(&f, x, y, expected);
        for (int c = 0; c < 3; c++)
            cr_assert_float_eq(rgb[c], expected[c], 1e-12);
        cr_assert(pdf > 0.0 || rgb[0] + rgb[1] + rgb[2] == 0.0);
    }
    cr_expect_float_eq(integral, 1.0, 1e-12);
}

Test(radiance_map, samples_follow_luminance)
{
    static int64_t counts[HEIGHT * WIDTH];
    double means[HEIGHT] = {0.0}, chi2 = 0.0;
    int64_t rows[HEIGHT] = {0};
    uint64_t seed = 11;
    radiance_sample s;
    FIXTURE f;
    begin(&f, 1.0);
    for (int i = 0; i < SAMPLES; i++) {
        const double u[2] = {between(&seed, 0.0, 1.0), between(&seed, 0.0, 1.0)};
        double rgb[3];
        cr_assert(radiance_map_sample(&f.map, &f.view, u, &s));
        const double y = HEIGHT * acos(s.direction[1]) / PI;
        const double x = WIDTH * (0.5 + atan2(s.direction[2], s.direction[0]) / (2.0 * PI));
        const int row = (int)y;
        cr_assert_float_eq(s.pdf, texel_light(&f, (int)x, row) / f.map.total, 1e-6 * s.pdf);
        light_at(&f, x, y, rgb);
        cr_assert_float_eq(s.rgb[1], rgb[1], 1e-7);
        counts[row * WIDTH + (int)x]++;
        rows[row]++;
        const double top = cos(PI * row / HEIGHT), bottom = cos(PI * (row + 1) / HEIGHT);
        means[row] += (s.direction[1] - top) / (bottom - top);
    }
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const double share =
            texel_light(&f, i % WIDTH, i / WIDTH) * solid_angle(i / WIDTH) / f.map.total;
        const double expected = SAMPLES * share;
        const double off = (double)counts[i] - expected;
        cr_assert(share > 0.0 || counts[i] == 0);
        chi2 += share > 0.0 ? off * off / expected : 0.0;
    }
    cr_expect_lt(chi2, 82.0, "%g", chi2);  // 39 degrees of freedom: 1 in 10,000
    for (int row = 0; row < HEIGHT; row++) // evenly by solid angle: 5 deviations
        cr_expect_float_eq(means[row] / (double)rows[row], 0.5, 1.45 / sqrt((double)rows[row]));
}

Test(radiance_map, turns_with_its_view)
{
    FIXTURE f;
    begin(&f, 1.0);
    const environment made = {0};
    environment_view turned;
    environment_view_build(&made, 90.0, 2.0, &turned); // counter-clockwise from above: +x to -z
    uint64_t seed = 7;
    for (int i = 0; i < 100; i++) {
        const dvec3 d = random_direction(&seed);
        const double from[3] = {d.x, d.y, d.z}, to[3] = {d.z, d.y, -d.x};
        const double u[2] = {between(&seed, 0.0, 1.0), between(&seed, 0.0, 1.0)};
        double a[3], b[3];
        radiance_sample s, t;
        radiance_map_evaluate(&f.map, &f.view, from, a);
        radiance_map_evaluate(&f.map, &turned, to, b);
        cr_assert_float_eq(2.0 * a[2], b[2], 1e-12);
        cr_assert(radiance_map_pdf(&f.map, &f.view, from) == radiance_map_pdf(&f.map, &turned, to));
        cr_assert(radiance_map_sample(&f.map, &f.view, u, &s));
        cr_assert(radiance_map_sample(&f.map, &turned, u, &t));
        cr_assert(t.pdf == s.pdf && fabs(t.rgb[0] - 2.0 * s.rgb[0]) < 1e-9);
        cr_assert(t.direction[0] == s.direction[2] && t.direction[1] == s.direction[1] &&
                  t.direction[2] == -s.direction[0]);
    }
}

Test(radiance_map, black_has_no_samples)
{
    radiance_sample s;
    FIXTURE f;
    begin(&f, 0.0);
    const double d[3] = {0.0, 1.0, 0.0}, u[2] = {0.5, 0.5};
    cr_expect_not(radiance_map_sample(&f.map, &f.view, u, &s));
    cr_expect(radiance_map_pdf(&f.map, &f.view, d) == 0.0 && f.map.total == 0.0);
}

typedef struct asked {
    zt_renderer *renderer;
    const zt_scene *scene;
    radiance_map map[16];
} asked;

static void ask(void *user, int64_t index, int32_t worker)
{
    asked *a = user;
    (void)worker;
    cr_expect_eq(renderer_radiance_map(a->renderer, a->scene, &a->map[index], NULL), ZT_OK);
}

Test(radiance_map, is_made_when_asked_for)
{
    static const char *const files[] = {"studio.yaml", "environment.yaml",
                                        "model_environment.yaml"};
    asked a = {.renderer = make_renderer(4, ZT_ISA_SCALAR)};
    for (int i = 0; i < 3; i++) {
        PRINTED(path, 512, "%s/scenes/tests/%s", ZT_SOURCE_DIR, files[i]);
        OWN_SCENE *scene = load_scene(path, NULL);
        a.scene = scene;
        cr_assert_eq(renderer_prepare(a.renderer, scene, &err), ZT_OK);
        cr_expect_eq(a.renderer->environment.radiance.arena.used, 0); // that of before is gone
        job_pool_run(a.renderer->pool, 16, ask, &a);
        cr_expect_geq(a.renderer->environment.radiance.arena.used,
                      (uint64_t)a.map[0].picture.width * (uint64_t)a.map[0].picture.height * 12);
        for (int k = 0; k < 16; k++)
            cr_expect(a.map[k].texels == a.map[0].texels && a.map[k].total > 0.0);
    }
    zt_renderer_destroy(a.renderer);
}
