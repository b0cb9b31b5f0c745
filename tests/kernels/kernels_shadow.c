// SPDX-License-Identifier: MIT
/// The lookup of shadow maps, compiled for one lane, against double precision: planes in the texels
/// of a map against points on them that are projected one by one; the sharp filter against the sum
/// over all texels; penumbras against the part of a disc that a straight edge hides.
#define ZT_ISA_SCALAR_BUILD 1
#include "base/maths.h"
#include "double3.h"
#include "shade/shade_loops.h"
#include "simd/vec3_lanes.h"

// clang-format off
#include "surface/texture.inl"
#include "surface/anisotropy.inl"
#include "surface/surface.inl"
#include "surface/surface_screen.inl"
#include "shadow/shadow.inl"
#include "shadow/shadow_soft.inl"
#include "shadow/shadow_lookup.inl"
#include "testing.h"
// clang-format on

enum { SIDE = 256, STRIDE = SIDE + 2 * SHADOW_BORDER, CELL_SHIFT = 3, CELLS = SIDE >> CELL_SHIFT };

// ---- Projection ---------------------------------------------------------------------------------

/// A camera of a light, in double.
typedef struct light_camera {
    double eye[3], right[3], up[3], forward[3];
    double pixels; ///< of a metre, in perspective at the distance 1
    double far_m;  ///< orthographic; 0: perspective
} light_camera;

static void random_camera(random_state *r, bool orthographic, light_camera *c)
{
    double other[3];
    random_unit3(r, c->forward);
    do
        random_unit3(r, other);
    while (fabs(dot3(other, c->forward)) > 0.9);
    cross3(c->forward, other, c->right);
    unit3(c->right);
    for (int k = 0; k < 3; k++)
        c->eye[k] = (double)random_float(r, -3.0f, 3.0f);
    cross3(c->right, c->forward, c->up);
    c->pixels = (double)random_float(r, 50.0f, 200.0f);
    c->far_m = orthographic ? (double)random_float(r, 4.0f, 12.0f) : 0.0;
}

/// Column, line and depth of a point in the map: 1 at the light, 0 at far_m, or 1 / distance.
static void project(const light_camera *c, const double p[3], double out[3])
{
    const double from[3] = {p[0] - c->eye[0], p[1] - c->eye[1], p[2] - c->eye[2]};
    const double along = dot3(from, c->forward), w = c->far_m > 0.0 ? 1.0 : along;
    out[0] = SIDE * 0.5 + c->pixels * dot3(from, c->right) / w;
    out[1] = SIDE * 0.5 - c->pixels * dot3(from, c->up) / w;
    out[2] = c->far_m > 0.0 ? 1.0 - along / c->far_m : 1.0 / along;
}

/// row . (p, 1) = scale * axis . (p - eye) + offset + center * forward . (p - eye)
static void fill_row(const light_camera *c, const double axis[3], double scale, double center,
                     double offset, float row[4])
{
    double constant = offset;
    for (int k = 0; k < 3; k++) {
        const double v = scale * axis[k] + center * c->forward[k];
        row[k] = (float)v;
        constant -= v * c->eye[k];
    }
    row[3] = (float)constant;
}

static shadow_map map_of(const light_camera *c)
{
    const bool orthographic = c->far_m > 0.0;
    const double half = SIDE * 0.5;
    const double scale = orthographic ? 1.0 / (c->pixels * c->far_m) : 1.0 / c->pixels;
    shadow_map m = {.width = SIDE,
                    .height = SIDE,
                    .texel_m = (float)(1.0 / c->pixels),
                    .steps = (float)scale,
                    .view = {.near_w = 0.01f, .orthographic = orthographic}};
    const double middle = orthographic ? 0.0 : half, shift = orthographic ? half : 0.0;
    fill_row(c, c->right, c->pixels, middle, shift, m.view.row_x);
    fill_row(c, c->up, -c->pixels, middle, shift, m.view.row_y);
    fill_row(c, c->forward, 1.0, 0.0, 0.0, m.view.row_w);
    if (orthographic)
        fill_row(c, c->forward, -1.0 / c->far_m, 0.0, 1.0, m.view.row_d);
    for (int k = 0; k < 3; k++) {
        m.eye[k] = (float)c->eye[k];
        m.forward[k] = (float)c->forward[k];
        m.plane_x[k] = (float)(c->right[k] * scale);
        m.plane_y[k] = (float)(-c->up[k] * scale);
    }
    return m;
}

static vec3_lanes lanes_of(const double v[3])
{
    return (vec3_lanes){vf_set1((float)v[0]), vf_set1((float)v[1]), vf_set1((float)v[2])};
}

/// Another point of the plane through `p`.
static void along_plane(random_state *r, const double p[3], const double normal[3], double out[3])
{
    double other[3], step[3];
    random_unit3(r, other);
    cross3(normal, other, step);
    for (int k = 0; k < 3; k++)
        out[k] = p[k] + 0.05 * step[k];
}

/// A point moved along its normal and one of its plane: the plane's steps lead between them.
static void check_plane(random_state *r, const light_camera *c)
{
    const shadow_map m = map_of(c);
    double p[3], normal[3], at[3], near[3], moved[3], other[3], away, lateral[2];
    do {
        random_unit3(r, normal);
        away = (double)random_float(r, 1.5f, 3.5f);
        for (int k = 0; k < 2; k++)
            lateral[k] = (double)random_float(r, -0.4f, 0.4f);
        for (int k = 0; k < 3; k++)
            p[k] =
                c->eye[k] + away * c->forward[k] + lateral[0] * c->right[k] + lateral[1] * c->up[k];
    } while (fabs(dot3(normal, c->forward)) < 0.5);
    const double texel = (c->far_m > 0.0 ? 1.0 : away) / c->pixels;
    for (int k = 0; k < 3; k++)
        moved[k] = p[k] + texel * normal[k];
    const shadow_point point = {lanes_of(p), lanes_of(normal), lanes_of(normal)};
    const shadow_texel got = shadow_project(&m, &point);
    project(c, moved, at);
    along_plane(r, moved, normal, other);
    project(c, other, near);
    // Coordinates of up to 8 m, times 200 texels a metre, in floats of 24 bits.
    cr_assert_lt(fabs((double)got.x - at[0]), 2e-3);
    cr_assert_lt(fabs((double)got.y - at[1]), 2e-3);
    const double slopes = fabs((double)got.depth_x) + fabs((double)got.depth_y);
    const double least = at[2] + slopes / 64.0; // the sample is this much nearer to the light
    NEAR(got.depth, least, 5e-6, "depth");
    const double step =
        (double)got.depth_x * (near[0] - at[0]) + (double)got.depth_y * (near[1] - at[1]);
    NEAR(step, near[2] - at[2], 2e-6, "step");
}

Test(shadow_lookup, planes)
{
    random_state r = {17};
    for (int i = 0; i < 2000; i++) {
        light_camera c;
        random_camera(&r, i % 2, &c);
        check_plane(&r, &c);
    }
}

// ---- The sharp filter ---------------------------------------------------------------------------

static float texels[STRIDE * STRIDE];
static float cells[CELLS * CELLS];
static float cover[(SIDE / SHADOW_COVER_CELL) * (SIDE / SHADOW_COVER_CELL)];

static float *texel_at(int32_t x, int32_t y)
{
    return texels + (y + SHADOW_BORDER) * STRIDE + x + SHADOW_BORDER;
}

static double power2_above(double x) { return x > 0.0 ? x * x : 0.0; }

/// A texel's weight along an axis: a box three times over itself, as divided differences.
static double spline(double t)
{
    return 0.5 * (power2_above(t + 1.5) - 3.0 * power2_above(t + 0.5) +
                  3.0 * power2_above(t - 0.5) - power2_above(t - 1.5));
}

/// The blocked part; `*out_doubt`: the weight of texels that floats may decide either way.
static double blocked_of(const shadow_texel *at, double *out_doubt)
{
    double sum = 0.0;
    *out_doubt = 0.0;
    for (int32_t y = -2; y < SIDE + 2; y++)
        for (int32_t x = -2; x < SIDE + 2; x++) {
            const double dx = x + 0.5 - (double)at->x, dy = y + 0.5 - (double)at->y;
            const double weight = spline(dx) * spline(dy);
            if (!(weight > 0.0))
                continue;
            const double plane =
                (double)at->depth + (double)at->depth_x * dx + (double)at->depth_y * dy;
            const double over = (double)*texel_at(x, y) - fmax(plane, -0.5);
            sum += over > 0.0 ? weight : 0.0;
            *out_doubt += fabs(over) < 1e-6 ? weight : 0.0;
        }
    return sum;
}

static shadow_texel random_texel(random_state *r)
{
    return (shadow_texel){.x = vf_set1(random_float(r, 0.0f, SIDE)),
                          .y = vf_set1(random_float(r, 0.0f, SIDE)),
                          .depth = vf_set1(random_float(r, -0.6f, 1.0f)),
                          .depth_x = vf_set1(random_float(r, -0.1f, 0.1f)),
                          .depth_y = vf_set1(random_float(r, -0.1f, 0.1f))};
}

Test(shadow_lookup, sharp)
{
    random_state r = {23};
    const shadow_map m = {.depth = texel_at(0, 0), .width = SIDE, .height = SIDE, .stride = STRIDE};
    for (int32_t i = 0; i < STRIDE * STRIDE; i++)
        texels[i] = random_u32(&r) % 8 == 0 ? -1.0f : random_float(&r, 0.0f, 1.0f);
    for (int i = 0; i < 500; i++) {
        const shadow_texel at = random_texel(&r);
        double doubt;
        const double exact = 1.0 - blocked_of(&at, &doubt);
        // Positions have 16 bits behind the point at most: 9 weights of 1e-5 each.
        cr_assert_leq(fabs((double)shadow_filter_3x3(&m, &at) - exact), doubt + 1e-4);
    }
}

/// Whichever side is longer, texels of the map are looked up, and none far outside of it.
Test(shadow_lookup, maps_need_not_be_square)
{
    static const int32_t sizes[][2] = {{256, 64}, {64, 256}, {100, 100}};
    random_state r = {31};
    for (int i = 0; i < 3000; i++) {
        const int32_t width = sizes[i % 3][0], height = sizes[i % 3][1];
        const int32_t side = width > height ? width : height;
        const shadow_map m = {
            .width = width, .height = height, .inside = 0.5f * (float)side + 2.0f};
        const float x = random_float(&r, -300.0f, 600.0f), y = random_float(&r, -300.0f, 600.0f);
        const shadow_texel at = {.x = vf_set1(x), .y = vf_set1(y)};
        const double off_x = fabs((double)x - 0.5 * width), off_y = fabs((double)y - 0.5 * height);
        cr_assert_eq(vm_any(shadow_sees(&m, &at)), fmax(off_x, off_y) <= (double)m.inside,
                     "%d x %d at %g, %g", width, height, (double)x, (double)y);
    }
}

// ---- Penumbras ----------------------------------------------------------------------------------

/// The part of a disc on the far side of a line at the distance `t` radii from its centre.
static double beyond(double t)
{
    if (t >= 1.0 || t <= -1.0)
        return t > 0.0 ? 0.0 : 1.0;
    return (acos(t) - t * sqrt(1.0 - t * t)) / MATHS_PI;
}

/// A straight edge: texels beyond it have the depth `depth`, others are far away.
static void fill_edge(const double normal[2], double distance, float depth)
{
    for (int32_t i = 0; i < CELLS * CELLS; i++)
        cells[i] = -1.0f;
    for (int32_t y = -SHADOW_BORDER; y < SIDE + SHADOW_BORDER; y++)
        for (int32_t x = -SHADOW_BORDER; x < SIDE + SHADOW_BORDER; x++) {
            const double dx = x + 0.5 - SIDE / 2, dy = y + 0.5 - SIDE / 2;
            const bool blocks = dx * normal[0] + dy * normal[1] > distance;
            *texel_at(x, y) = blocks ? depth : -1.0f;
            if (blocks && x >= 0 && y >= 0 && x < SIDE && y < SIDE)
                cells[(y >> CELL_SHIFT) * CELLS + (x >> CELL_SHIFT)] = depth;
        }
}

/// An edge hides from the point what it hides of a disc in the map of radius `spread` times its
/// depth above the point. The disc has 16, 32 or 64 samples, means over boxes of 3 texels: a line
/// misses a part of those it cuts, small discs have few texels. Errors have both signs.
Test(shadow_lookup, penumbra_of_an_edge)
{
    random_state r = {29};
    double sum = 0.0, sum2 = 0.0, wider = 0.0;
    enum { COUNT = 300 };
    for (size_t i = 0; i < sizeof cover / sizeof *cover; i++)
        cover[i] = 2.0f; // something may block everywhere
    for (int i = 0; i < COUNT; i++) {
        const double angle = (double)random_float(&r, 0.0f, 6.2831853f);
        const double normal[2] = {cos(angle), sin(angle)};
        const double radius = (double)random_float(&r, 4.0f, 40.0f);
        const double distance = radius * (double)random_float(&r, -1.2f, 1.2f);
        const float spread = 400.0f, depth = 0.5f + (float)radius / spread;
        const shadow_texel at = {.x = vf_set1((float)SIDE / 2),
                                 .y = vf_set1((float)SIDE / 2),
                                 .depth = vf_set1(0.5f),
                                 .depth_x = vf_set1(0.0f),
                                 .depth_y = vf_set1(0.0f)};
        const shadow_map m = {.depth = texel_at(0, 0),
                              .width = SIDE,
                              .height = SIDE,
                              .stride = STRIDE,
                              .spread = spread,
                              .search = 44.0f,
                              .cells_wide = CELLS,
                              .cells_high = CELLS,
                              .cell_shift = CELL_SHIFT,
                              .cells = cells,
                              .cover = cover,
                              .cover_wide = SIDE / SHADOW_COVER_CELL};
        fill_edge(normal, distance, depth);
        const int32_t turn = random_int(&r, 0, 15);
        const vf sharp = shadow_filter_3x3(&m, &at);
        const double got =
            (double)shadow_filter_soft(&m, &at, vi_set1(turn), vm_from_bits(1), sharp);
        const double error = got - (1.0 - beyond(distance / radius));
        sum += error;
        sum2 += error * error;
        wider += distance > 0.0 ? -error : error;
        NEAR(error, 0.0, radius < 8.0 ? 0.15 : 0.08, "radius %g, %g from the edge: %g", radius,
             distance / radius, got);
    }
    cr_assert_lt(fabs(sum / COUNT), 0.005, "mean %g", sum / COUNT);
    cr_assert_lt(sqrt(sum2 / COUNT), 0.03, "root mean square %g", sqrt(sum2 / COUNT));
    // A disc that is 5 % too wide has 0.01 more on the near side. The boxes of the samples at its
    // rim are kept inside of it, which makes it about as much narrower.
    cr_assert_lt(fabs(wider / COUNT + 0.01), 0.01, "wider by %g", wider / COUNT);
}

// ---- The spiral of samples ----------------------------------------------------------------------

Test(shadow_lookup, samples_stand_on_the_spiral_of_the_golden_angle)
{
    for (int i = 0; i < SHADOW_SAMPLES_MAX; i++) {
        const double angle = i * 3.14159265358979324 * (3.0 - sqrt(5.0));
        cr_expect_float_eq((double)shadow_spiral[i][0], cos(angle), 1e-7, "%d", i);
        cr_expect_float_eq((double)shadow_spiral[i][1], sin(angle), 1e-7, "%d", i);
        cr_expect_float_eq((double)shadow_root[i][0], sqrt(i + 0.5), 5e-7, "%d", i);
        cr_expect_float_eq((double)shadow_root[i][1], sqrt((i + 0.5) / 32.0), 1e-7, "%d", i);
    }
}
