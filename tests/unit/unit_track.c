// SPDX-License-Identifier: MIT
/// Tracks of scenes: values between keys against formulas, loops without a seam, and their text.
#include "scene_fixture.h"

static const double five[5] = {0, 1, 2, 3, 4};

static double value_at(const track *t, double time_s)
{
    double value[4];
    track_evaluate(t, time_s, value);
    return value[0];
}

static track of_keys(const double *time_s, const double *value, const uint8_t *interpolation)
{
    return (track){.key_count = 5,
                   .width = 1,
                   .time_s = time_s,
                   .value = value,
                   .interpolation = interpolation,
                   .min = -100.0,
                   .max = 100.0};
}

Test(track, step_and_ease_until_the_next_key)
{
    static const double value[5] = {0, 10, 20, 40, 0};
    static const uint8_t kinds[5] = {TRACK_STEP, TRACK_EASE, TRACK_LINEAR, TRACK_STEP, TRACK_EASE};
    const track t = of_keys(five, value, kinds);
    const double cases[][2] = {{-1, 0},   {0, 0},  {0.999, 0},     {1, 10}, {1.25, 11.5625},
                               {1.5, 15}, {2, 20}, {2.25, 25},     {3, 40}, {3.9, 40},
                               {4, 0},    {9, 0},  {1.75, 18.4375}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        NEAR(value_at(&t, cases[i][0]), cases[i][1], 1e-12, "at %g", cases[i][0]);
}

/// Even times: slopes are a parabola's, which a cubic follows; at the ends one-sided.
Test(track, splines_follow_parabolas_and_stay_in_range)
{
    static const uint8_t kinds[5] = {TRACK_SPLINE, TRACK_SPLINE, TRACK_SPLINE, TRACK_SPLINE,
                                     TRACK_SPLINE};
    static const double square[5] = {0, 1, 4, 9, 16}, jump[5] = {0, 0, 1, 1, 1};
    const track t = of_keys(five, square, kinds);
    for (double x = 1.0; x <= 3.0; x += 0.0625)
        cr_expect(fabs(value_at(&t, x) - x * x) < 1e-12, "at %g: %g", x, value_at(&t, x));
    for (int k = 0; k < 5; k++)
        cr_expect_eq(value_at(&t, five[k]), square[k]);
    track limited = of_keys(five, jump, kinds);
    cr_expect(value_at(&limited, 0.5) < 0.0 && value_at(&limited, 2.5) > 1.0, "it swings over");
    limited.min = 0.0;
    limited.max = 1.0;
    cr_expect_eq(value_at(&limited, 0.5), 0.0);
    cr_expect_eq(value_at(&limited, 2.5), 1.0);
}

/// Slopes on both sides of a key, also of that where the loop closes, and of uneven times.
Test(track, loops_have_no_seam)
{
    static const uint8_t kinds[5] = {TRACK_SPLINE, TRACK_SPLINE, TRACK_SPLINE, TRACK_SPLINE,
                                     TRACK_SPLINE};
    static const double times[5] = {1.0, 1.5, 2.75, 3.0, 4.0}, value[5] = {2, -1, 3, 0, 2};
    const double step = 1e-6;
    track t = of_keys(times, value, kinds);
    t.loop = true;
    for (int k = 0; k < 5; k++) {
        const double before = (value_at(&t, times[k]) - value_at(&t, times[k] - step)) / step;
        const double after = (value_at(&t, times[k] + step) - value_at(&t, times[k])) / step;
        cr_expect(fabs(before - after) < 1e-3, "key %d: %g %g", k, before, after);
    }
    for (double x = -4.0; x < 8.0; x += 0.37)
        cr_expect(fabs(value_at(&t, x) - value_at(&t, x + 3.0)) < 1e-9, "at %g", x);
    t.interpolation = NULL;
    cr_expect(fabs(value_at(&t, 7.25) - 0.5) < 1e-12, "%g", value_at(&t, 7.25)); // as at 1.25
}

/// Keys of a steady rotation about y, every second one with the other sign.
Test(track, splines_of_quaternions)
{
    static const uint8_t kinds[5] = {TRACK_SPLINE, TRACK_SPLINE, TRACK_SPLINE, TRACK_SPLINE,
                                     TRACK_SPLINE};
    double value[5][4];
    const double pi = 3.14159265358979323846;
    for (int k = 0; k < 5; k++) {
        const double half = 0.5 * k * 50.0 * pi / 180.0, sign = k % 2 ? -1.0 : 1.0;
        value[k][0] = value[k][2] = 0.0;
        value[k][1] = sign * sin(half);
        value[k][3] = sign * cos(half);
    }
    const track t = {.key_count = 5,
                     .width = 4,
                     .time_s = five,
                     .value = &value[0][0],
                     .interpolation = kinds,
                     .min = -1.0,
                     .max = 1.0};
    for (double x = 1.0; x <= 3.0; x += 0.05) {
        const quat q = track_evaluate_rotation(&t, x);
        const double angle = 2.0 * atan2(fabs(q.y), q.w * (q.y < 0.0 ? -1.0 : 1.0)) * 180.0 / pi;
        cr_expect(fabs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1.0) < 1e-12);
        cr_expect(fabs(angle - 50.0 * x) < 0.2, "at %g: %g", x, angle);
    }
}

#define MODEL(transform)                                                                           \
    "format: 1\nmodels:\n  - { file: triangle.gltf, transform: { " transform " } }\n"

Test(track, keys_as_text)
{
    must_read(MODEL("scale: [[0, 1, step], [1, 2, ease], [2, 3]]"));
    const track *t = &scene.instances[0].scale;
    cr_assert(t->interpolation && t->interpolation[0] == TRACK_STEP &&
              t->interpolation[1] == TRACK_EASE && t->interpolation[2] == TRACK_LINEAR);
    must_read(MODEL("translate: { keys: [[0, [0, 0, 0]], [1, [1, 0, 0], linear], [2, [0, 0, 0]]], "
                    "interpolation: spline, loop: true }"));
    t = &scene.instances[0].translate;
    cr_assert(t->loop && t->interpolation[0] == TRACK_SPLINE &&
              t->interpolation[1] == TRACK_LINEAR);
    must_read(MODEL("translate: { keys: [[0, [0, 0, 0]], [1, [1, 0, 0]]] }"));
    cr_assert_null(scene.instances[0].translate.interpolation);
}

/// Against Simpson's rule, which is exact for cubics, piece by piece.
Test(track, integrals_are_exact)
{
    static const double time_s[5] = {-1, 0.25, 2, 2.5, 7}, value[5] = {1, -3, 0.5, 4, 2};
    static const uint8_t kinds[5] = {TRACK_STEP, TRACK_EASE, TRACK_LINEAR, TRACK_EASE, TRACK_STEP};
    const track t = of_keys(time_s, value, kinds);
    OWN_MEMORY(a, 0);
    const double *sum = track_sums(&a, &t);
    cr_assert(sum);
    for (double end_s = -2.0; end_s < 9.0; end_s += 0.0917) {
        const double breaks[] = {-1, 0.25, 2, 2.5, 7, 100};
        double want = end_s < -1.0 ? end_s + 1.0 : 0.0, from_s = -1.0;
        for (int i = 1; i < 6 && from_s < end_s; i++) {
            const double to_s = breaks[i] < end_s ? breaks[i] : end_s, h = to_s - from_s;
            const double last = to_s == breaks[i] ? to_s - 1e-13 * h : to_s; // before a step
            want += h / 6.0 *
                    (value_at(&t, from_s) + 4.0 * value_at(&t, 0.5 * (from_s + to_s)) +
                     value_at(&t, last));
            from_s = to_s;
        }
        NEAR(track_integral(&t, sum, end_s), want, 1e-9, "%g", end_s);
    }
}
