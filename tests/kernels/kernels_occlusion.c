// SPDX-License-Identifier: MIT
/// The loops of ambient occlusion: open planes, a right-angled valley, a ball on a plane against
/// integrals in double; a moved picture against the picture moved; instruction sets.
///
/// The references know the model, not its samples: a point of a shape sees 1 - the mean over all
/// directions phi on its tangent plane of the largest w s(phi)^2 of the shape's points in that
/// direction, where s is the sine of elevation and w a weight of the distance.
#include "base/maths.h"
#include "kernels/kernels.h"
#include "random_inputs.h"
#include "shadow/occlusion.h"
#include "testing.h"
#include "view/view_camera.h"

enum { SIDE = 192, MIDDLE = SIDE / 2, RADIUS = 24 };
static const double metres = 0.01; ///< of a pixel at the distance of the shapes
static const double far_away = 5.0;

typedef struct stage {
    budget memory;
    arena arena;
    screen_view view;
    occlusion_planes planes;
} stage;

static stage s;

static double radius_px; ///< of the search

/// The weight of an occluder.
static double fade(double distance2)
{
    const double radius = radius_px * metres;
    return fmax(fmin(2.0 - 2.0 * distance2 / (radius * radius), 1.0), 0.0);
}

static void begin_with(bool orthographic, int32_t width, int32_t height, double radius)
{
    radius_px = radius;
    view_camera camera = {.right = {1.0, 0.0, 0.0},
                          .up = {0.0, 1.0, 0.0},
                          .forward = {0.0, 0.0, -1.0},
                          .orthographic = orthographic,
                          .focal = far_away / (metres * SIDE * 0.5),
                          .half_height = metres * height * 0.5,
                          .near_m = orthographic ? 0.0 : 0.01,
                          .far_m = 2.0 * far_away};
    zt_error err;
    arena_finish(&s.arena); // of what began before
    budget_init(&s.memory, 0, NULL);
    arena_init(&s.arena, &s.memory);
    view_build(&camera, width, height, &s.view);
    const occlusion_settings settings = {.radius = radius_px * metres, .intensity = 1.0};
    MUST(occlusion_init(&s.planes, &s.view, width, height, settings, &s.arena, &err), err);
    cr_assert_eq(s.planes.view.step, width < 512 ? 1 : 2);
}

static void begin(bool orthographic, int32_t width, int32_t height)
{
    begin_with(orthographic, width, height, RADIUS);
}

static float *distance_at(int32_t x, int32_t y)
{
    return &s.planes.distance[(ptrdiff_t)y * s.planes.view.stride + x];
}

static int visibility_at(int32_t x, int32_t y)
{
    return (int)(s.planes.smoothed[(ptrdiff_t)y * s.planes.view.stride + x] & 255u);
}

static void run(const shadow_loops *loops)
{
    const int64_t bands = occlusion_band_count(&s.planes);
    for (int64_t i = bands - 1; i >= 0; i--)
        occlusion_search_band(&s.planes, loops, i);
    for (int64_t i = 0; i < bands; i++)
        occlusion_smooth_band(&s.planes, loops, i);
}

static const shadow_loops *best(void) { return kernels_best(ZT_ISA_BEST)->shadow; }

/// Texels along a line through the middle have the visibility `expected(distance)` within `error`.
static void expect_row(int32_t first, int32_t last, double (*expected)(double distance),
                       double zero, double pixel, double error)
{
    double worst = 0.0;
    for (int32_t x = first; x <= last; x++) {
        const double want = expected(fabs((x + 0.5 - zero) * pixel));
        for (int32_t y = MIDDLE - 4; y < MIDDLE + 4; y++)
            worst = fmax(worst, fabs(visibility_at(x, y) / 255.0 - want));
    }
    cr_log_info("largest error %.4f", worst);
    cr_expect_lt(worst, error, "visibility is wrong by %.4f (at most %.4f)", worst, error);
}

/// A plane through the middle of the picture, whose normal leans by these slopes.
static void fill_plane(bool orthographic, double slope_x, double slope_y)
{
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++) {
            const double u = (x + 0.5 - MIDDLE) * metres, v = (y + 0.5 - MIDDLE) * metres;
            const double lean = slope_x * u + slope_y * v;
            const double z = orthographic ? far_away + lean : far_away / (1.0 - lean / far_away);
            *distance_at(x, y) = (float)z;
        }
}

Test(kernels_occlusion, planes_are_open)
{
    static const double slopes[][2] = {
        {0.0, 0.0}, {0.7, 0.0}, {-0.3, 1.1}, {0.0, -3.0}, {2.5, 2.5}};
    for (int orthographic = 0; orthographic < 2; orthographic++)
        for (size_t i = 0; i<sizeof slopes / sizeof *slopes; i += ZT_RANDOM_SHARE> 1 ? 2 : 1) {
            begin(orthographic, SIDE, SIDE);
            fill_plane(orthographic, slopes[i][0], slopes[i][1]);
            run(best());
            int least = 255;
            for (int32_t y = 0; y < SIDE; y++)
                for (int32_t x = 0; x < SIDE; x++)
                    least = visibility_at(x, y) < least ? visibility_at(x, y) : least;
            cr_expect_eq(least, 255, "%d on plane %zu, orthographic %d", least, i, orthographic);
        }
}

/// A point at `distance` from the bottom, on one wall; the other one has no end.
static double valley_visibility(double distance)
{
    const double radius = RADIUS * metres;
    double blocked = 0.0;
    const int directions = 720;
    for (int i = 0; i < directions; i++) {
        const double phi = ((i + 0.5) / directions - 0.5) * MATHS_PI; // the other half sees nothing
        const double to_wall = distance / cos(phi);
        double highest = 0.0;
        for (double h = 0.0; to_wall * to_wall + h * h < radius * radius; h += radius / 2000.0) {
            const double length2 = to_wall * to_wall + h * h;
            highest = fmax(highest, h * h / length2 * fade(length2));
        }
        blocked += 0.5 * highest / directions;
    }
    return 1.0 - blocked;
}

Test(kernels_occlusion, valley)
{
    begin(true, SIDE, SIDE);
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++)
            *distance_at(x, y) = (float)(far_away - fabs((x + 0.5 - MIDDLE) * metres));
    run(best());
    // The walls rise by 45 degrees: a pixel covers metres * sqrt(2) of them. The samples of a line
    // miss the highest point a little; with 40 samples instead of 6 the error is 0.03. Next
    // to the bottom, where visibility changes by 0.1 a texel, smoothing adds to it.
    expect_row(MIDDLE + 3, MIDDLE + RADIUS, valley_visibility, MIDDLE, metres * sqrt(2.0), 0.06);
    expect_row(MIDDLE - RADIUS, MIDDLE - 4, valley_visibility, MIDDLE, metres * sqrt(2.0), 0.06);
}

/// The same valley seen at an angle: one wall is steep, the other one flat.
Test(kernels_occlusion, valley_from_the_side)
{
    static const double degrees[] = {20.0, -20.0};
    for (int i = 0; i < 2; i++) {
        const double steep = tan((45.0 + degrees[i]) * MATHS_PI / 180.0);
        begin(true, SIDE, SIDE);
        for (int32_t y = 0; y < SIDE; y++)
            for (int32_t x = 0; x < SIDE; x++) {
                const double u = (x + 0.5 - MIDDLE) * metres;
                *distance_at(x, y) = (float)(far_away - (u > 0.0 ? u * steep : -u / steep));
            }
        run(best());
        const double right = metres * sqrt(1.0 + steep * steep);
        const double left = metres * sqrt(1.0 + 1.0 / (steep * steep));
        const int32_t last = (int32_t)(RADIUS * metres / right),
                      first = (int32_t)(RADIUS * metres / left);
        expect_row(MIDDLE + 3, MIDDLE + last + 2, valley_visibility, MIDDLE, right, 0.12);
        expect_row(MIDDLE - first - 2, MIDDLE - 4, valley_visibility, MIDDLE, left, 0.12);
    }
}

static double ball = 10.0; ///< radius, pixels

static double ball_visibility(double distance)
{
    const double radius = RADIUS * metres, r = ball * metres;
    const int directions = 720;
    double blocked = 0.0;
    for (int i = 0; i < directions; i++) {
        const double c = cos(2.0 * MATHS_PI * (i + 0.5) / directions);
        double highest = 0.0;
        for (double t = radius / 1000.0; t < radius; t += radius / 1000.0) {
            const double off2 = distance * distance + t * t - 2.0 * distance * t * c;
            if (off2 >= r * r)
                continue;
            const double h = r + sqrt(r * r - off2), length2 = t * t + h * h;
            highest = fmax(highest, h * h / length2 * fade(length2));
        }
        blocked += highest / directions;
    }
    return 1.0 - blocked;
}

static void fill_ball(void)
{
    for (int32_t y = 0; y < s.planes.view.height; y++)
        for (int32_t x = 0; x < s.planes.view.width; x++) {
            const double u = x + 0.5 - MIDDLE, v = y + 0.5 - MIDDLE, off2 = u * u + v * v;
            const double h = off2 < ball * ball ? ball + sqrt(ball * ball - off2) : 0.0;
            *distance_at(x, y) = (float)(far_away - h * metres);
        }
}

Test(kernels_occlusion, ball_on_a_plane)
{
    begin(true, SIDE, SIDE);
    fill_ball();
    run(best());
    const int32_t first = MIDDLE + (int32_t)ball + 3;
    expect_row(first, MIDDLE + RADIUS + 8, ball_visibility, MIDDLE, metres, 0.065);
}

/// A ball, `height` over the ground below the middle of the picture, seen from `degrees` above.
static void fill_ball_over_ground(double side, double height, double degrees)
{
    const int32_t step = s.planes.view.step;
    const double up = cos(degrees * MATHS_PI / 180.0), near = sin(degrees * MATHS_PI / 180.0);
    for (int32_t y = 0; y < s.planes.view.height; y++)
        for (int32_t x = 0; x < s.planes.view.width; x++) {
            const double u = x * step + 0.5 - side / 2.0, v = y * step + 0.5 - side / 2.0;
            const double below = v + height * up, off2 = u * u + below * below;
            double z = -v * up / near; // of the ground
            if (off2 < ball * ball)
                z = fmin(z, -height * near - sqrt(ball * ball - off2));
            *distance_at(x, y) = (float)(far_away + z * metres);
        }
}

/// With a radius that reaches all of the ball, the ground has the visibility of the sky past a
/// sphere: 1 - (r / d)^2 cos of the angle to its middle, in pictures of all sizes.
Test(kernels_occlusion, near_a_ball_at_all_sizes)
{
    static const int32_t sizes[] = {128, 511, 512, 1024, 2048};
    static const struct {
        double degrees, height, at[4], error; ///< in radii of the ball
    } rows[] = {{35.0, 1.0, {1.05, 1.25, 1.5, 2.0}, 0.09},
                {90.0, 1.0, {1.1, 1.25, 1.5, 2.0}, 0.07},
                {15.0, 1.5, {0.0, 0.3, 0.6, 1.5}, 0.1}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            ball = sizes[k] / 12.0;
            begin_with(true, sizes[k], sizes[k], 5.6 * ball);
            fill_ball_over_ground(sizes[k], rows[i].height * ball, rows[i].degrees);
            run(best());
            for (size_t j = 0; j < sizeof rows->at / sizeof *rows->at; j++) {
                const int32_t step = s.planes.view.step;
                const int32_t x = (int32_t)(sizes[k] / 2.0 + rows[i].at[j] * ball) / step;
                const double d = (x * step + 0.5 - sizes[k] / 2.0) / ball, h = rows[i].height;
                const double exact = 1.0 - h * pow(h * h + d * d, -1.5);
                const double found = visibility_at(x, sizes[k] / 2 / step) / 255.0;
                NEAR(found, exact, rows[i].error, "%d pixels, %g", sizes[k], d);
            }
        }
}

/// Steps, balls and holes at random, with places that show nothing.
static void fill_random(random_state *r, int32_t shift)
{
    for (int32_t y = 0; y < s.planes.view.height; y++)
        for (int32_t x = 0; x < s.planes.view.width; x++)
            *distance_at(x, y) = OCCLUSION_NOTHING;
    for (int k = 0; k < 60; k++) {
        const int32_t left = random_int(r, -16, SIDE - 16);
        const int32_t top = random_int(r, -16, SIDE - 16);
        const int32_t size = random_int(r, 3, 62);
        const float z = random_float(r, 5.0f, 5.5f), lean = random_float(r, 0.0f, 0.01f);
        for (int32_t y = top; y < top + size; y++)
            for (int32_t x = left; x < left + size; x++) {
                const int32_t at_x = x + shift, at_y = y + shift;
                if (at_x >= 0 && at_y >= 0 && at_x < s.planes.view.width &&
                    at_y < s.planes.view.height)
                    *distance_at(at_x, at_y) = z + lean * (float)(x - left);
            }
    }
}

static uint32_t *copy_of_smoothed(void)
{
    const size_t count = (size_t)s.planes.view.width * (size_t)s.planes.view.height;
    uint32_t *copy = malloc(count * sizeof *copy);
    cr_assert(copy);
    for (int32_t y = 0; y < s.planes.view.height; y++)
        memcpy(copy + (ptrdiff_t)y * s.planes.view.width,
               s.planes.smoothed + (ptrdiff_t)y * s.planes.view.stride,
               (size_t)s.planes.view.width * sizeof *copy);
    return copy;
}

Test(kernels_occlusion, same_bits)
{
    static const int32_t widths[] = {SIDE, 61, 130, 7};
    for (int k = 0; k<8; k += ZT_RANDOM_SHARE> 1 ? 3 : 1) {
        random_state seed = {77 + (uint64_t)k};
        begin(k & 1, widths[k / 2], 90);
        fill_random(&seed, 0);
        run(kernels_for(ZT_ISA_SCALAR)->shadow);
        OWN_BLOCK uint32_t *expected = copy_of_smoothed();
        EACH_KERNEL_TABLE (isa, table) {
            run(table->shadow);
            OWN_BLOCK uint32_t *got = copy_of_smoothed();
            cr_expect_eq(memcmp(got, expected, sizeof *got * (size_t)widths[k / 2] * 90), 0,
                         "%s, width %d", table->name, (int)widths[k / 2]);
        }
    }
}

/// A picture moved by a tile has the same texels: no place of tiles, bands and lanes matters.
Test(kernels_occlusion, moved_by_a_tile)
{
    random_state seed = {4}, again = {4};
    begin(true, SIDE, SIDE);
    fill_random(&seed, 0);
    run(best());
    OWN_BLOCK uint32_t *expected = copy_of_smoothed();
    const occlusion_view first = s.planes.view;
    begin(true, SIDE + TILE_SIZE, SIDE + TILE_SIZE);
    s.planes.view.dx = first.dx; // which the size of the picture may round differently
    s.planes.view.dy = first.dy;
    fill_random(&again, TILE_SIZE);
    run(best());
    int different = 0;
    // Texels within the radius of the border see more in the larger picture.
    for (int32_t y = RADIUS + 3; y < SIDE - RADIUS - 3; y++)
        for (int32_t x = RADIUS + 3; x < SIDE - RADIUS - 3; x++)
            different += s.planes.smoothed[(ptrdiff_t)(y + TILE_SIZE) * s.planes.view.stride + x +
                                           TILE_SIZE] != expected[y * SIDE + x];
    cr_expect_eq(different, 0, "%d texels differ", different);
}
