// SPDX-License-Identifier: MIT
/// Views, clipping and tile lists against geometry in double.
#include "../kernels/double3.h"
#include "../kernels/random_inputs.h"
#include "geometry/bins.h"
#include "geometry/clip.h"
#include "kernels/kernels.h"
#include "raster/tile.h"
#include "testing.h"
#include "view/view_camera.h"

static const double EPS = 1.0 / 16777216.0; ///< 2^-24

static void camera_random(random_state *r, bool orthographic, view_camera *out)
{
    double eye[3], target[3], up[3];
    for (int k = 0; k < 3; k++) {
        eye[k] = (double)random_float(r, -5.0f, 5.0f);
        target[k] = (double)random_float(r, -1.0f, 1.0f);
        up[k] = (double)random_float(r, -1.0f, 1.0f);
    }
    eye[2] += 8.0;
    *out = (view_camera){0};
    view_look_at(out, eye, target, up);
    out->orthographic = orthographic;
    out->focal = (double)random_float(r, 0.7f, 4.0f);
    out->half_height = (double)random_float(r, 0.5f, 4.0f);
    out->near_m = 0.1;
    out->far_m = 30.0;
}

/// Axes of a camera are unit, orthogonal and right-handed, and look at the target.
static void check_axes(const view_camera *c)
{
    cr_assert_lt(fabs(dot3(c->right, c->right) - 1.0), 1e-12);
    cr_assert_lt(fabs(dot3(c->up, c->up) - 1.0), 1e-12);
    cr_assert_lt(fabs(dot3(c->forward, c->forward) - 1.0), 1e-12);
    cr_assert_lt(fabs(dot3(c->right, c->up)), 1e-12);
    cr_assert_lt(fabs(dot3(c->right, c->forward)), 1e-12);
    const double x = c->right[1] * c->up[2] - c->right[2] * c->up[1];
    cr_assert_lt(fabs(x + c->forward[0]), 1e-12, "right x up is backwards");
}

/// The pixel of a point, its w and depth, from the definition of the camera.
static void project(const view_camera *c, int32_t width, int32_t height, const double p[3],
                    double out[4])
{
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = p[k] - c->eye[k];
    const double z = dot3(d, c->forward), w = c->orthographic ? 1.0 : z;
    // The picture's half height is half_height metres, or 1 / focal at distance 1.
    const double unit = height / 2.0 * (c->orthographic ? 1.0 / c->half_height : c->focal / z);
    out[0] = width / 2.0 + dot3(d, c->right) * unit;
    out[1] = height / 2.0 - dot3(d, c->up) * unit;
    out[2] = w;
    out[3] = c->orthographic ? (c->far_m - z) / (c->far_m - c->near_m) : 1.0 / z;
}

/// Reconstruction by the shading kernel of a pixel position, w and depth: shade_loops.h.
static void unproject(const screen_view *v, const double pixel[4], double out[3])
{
    const bool ortho = v->transform.orthographic;
    for (int k = 0; k < 3; k++) {
        const double at =
            (double)v->ray[k] + (double)v->ray_x[k] * pixel[0] + (double)v->ray_y[k] * pixel[1];
        const double along = (1.0 - pixel[3]) * (double)v->depth_range;
        out[k] =
            (double)v->origin[k] + (ortho ? at + (double)v->forward[k] * along : at * pixel[2]);
    }
}

Test(view, project_and_back)
{
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        random_state r = {seed};
        view_camera camera;
        screen_view v;
        const int32_t width = random_int(&r, 1, 3000), height = random_int(&r, 1, 3000);
        camera_random(&r, seed % 2 == 0, &camera);
        check_axes(&camera);
        view_build(&camera, width, height, &v);
        const vertex_position p = {random_float(&r, -1.0f, 1.0f), random_float(&r, -1.0f, 1.0f),
                                   random_float(&r, -1.0f, 1.0f), 1.0f};
        const double world[3] = {(double)p.x, (double)p.y, (double)p.z};
        double want[4], back[3];
        project(&camera, width, height, world, want);
        if (want[2] < 0.5)
            continue;
        EACH_KERNEL_TABLE (isa, k) {
            static screen_vertices screen;
            _Alignas(16) float h[1][4];
            const uint32_t vertex = 0;
            k->geometry->transform(&(transform_job){&v.transform, &p, &vertex, 1, &screen, h});
            const double got[4] = {(double)h[0][0] / (double)h[0][2],
                                   (double)h[0][1] / (double)h[0][2], (double)h[0][2],
                                   (double)h[0][3]};
            // Rows are numbers of up to some 30 pictures, divided by w.
            const double bound =
                16.0 * EPS * (fabs(got[0]) + fabs(got[1]) + 20.0 * height) / fmin(want[2], 1.0);
            cr_assert_leq(fabs(got[0] - want[0]), bound, "%s: x %g, %g", k->name, got[0], want[0]);
            cr_assert_leq(fabs(got[1] - want[1]), bound, "%s: y %g, %g", k->name, got[1], want[1]);
            cr_assert_leq(fabs(got[2] - want[2]), 64.0 * EPS * (1.0 + want[2]));
            NEAR(got[3], want[3], 64.0 * EPS * (1.0 + want[3]), "%s: depth", k->name);
            unproject(&v, got, back);
            // 20 m of scene in 24 bits and some 30 roundings; wide pictures have long rays.
            const double reach = 20.0 * (1.0 + (double)width / height);
            for (int i = 0; i < 3; i++)
                NEAR(back[i], world[i], 32.0 * EPS * reach, "%s", k->name);
        }
    }
}

Test(view, look_at_without_a_direction)
{
    static const double origin[3] = {1.0, 2.0, 3.0}, above[3] = {1.0, 5.0, 3.0};
    static const double up[3] = {0.0, 1.0, 0.0}, none[3] = {0.0, 0.0, 0.0};
    view_camera c;
    view_look_at(&c, origin, above, up);
    check_axes(&c);
    view_look_at(&c, origin, origin, up);
    check_axes(&c);
    view_look_at(&c, origin, above, none);
    check_axes(&c);
}

typedef struct point2 {
    double x, y;
} point2;

/// A triangle and the half-spaces that clip it, linear functions of barycentrics, not negative.
typedef struct clip_case {
    double x[3], y[3], w[3];
    double side[8][3]; ///< at the three corners
} clip_case;

static void clip_case_of(const view_transform *v, const screen_vertices *s, const uint32_t at[3],
                         clip_case *out)
{
    for (int k = 0; k < 3; k++) {
        const double x = (double)s->x[at[k]], y = (double)s->y[at[k]], w = (double)s->w[at[k]];
        out->x[k] = x;
        out->y[k] = y;
        out->w[k] = w;
        for (int c = 0; c < 3; c++)
            out->side[c][k] = c == k ? 1.0 : 0.0;
        out->side[3][k] = v->orthographic ? 1.0 - (double)s->depth[at[k]] : w - (double)v->near_w;
        out->side[4][k] = x - GUARD_MIN_PX * w;
        out->side[5][k] = GUARD_MAX_PX * w - x;
        out->side[6][k] = y - GUARD_MIN_PX * w;
        out->side[7][k] = GUARD_MAX_PX * w - y;
    }
}

/// Corners of the clipped triangle: where two sides meet and no other is violated; on the screen.
static int oracle_corners(const clip_case *c, point2 out[28])
{
    int count = 0;
    for (int i = 0; i < 8; i++) {
        for (int j = i + 1; j < 8; j++) {
            const double *a = c->side[i], *b = c->side[j];
            double l[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                           a[0] * b[1] - a[1] * b[0]};
            const double sum = l[0] + l[1] + l[2];
            bool kept = fabs(sum) > 0.0;
            for (int k = 0; k < 3 && kept; k++)
                l[k] /= sum;
            for (int s = 0; s < 8 && kept; s++) {
                const double *f = c->side[s];
                const double size = fabs(f[0]) + fabs(f[1]) + fabs(f[2]);
                kept = s == i || s == j || dot3(f, l) >= -1e-12 * size;
            }
            if (!kept)
                continue;
            const double w = dot3(c->w, l);
            out[count++] = (point2){dot3(c->x, l) / w, dot3(c->y, l) / w};
        }
    }
    return count;
}

/// Area of the convex polygon with these corners, sorted by angle here. `out_round`: its length.
static double convex_area(point2 *p, int count, double *out_round)
{
    point2 mid = {0.0, 0.0};
    for (int i = 0; i < count; i++) {
        mid.x += p[i].x / count;
        mid.y += p[i].y / count;
    }
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0; j--) {
            const double a = atan2(p[j].y - mid.y, p[j].x - mid.x);
            const double b = atan2(p[j - 1].y - mid.y, p[j - 1].x - mid.x);
            if (a >= b)
                break;
            const point2 swap = p[j];
            p[j] = p[j - 1];
            p[j - 1] = swap;
        }
    double area = 0.0;
    *out_round = 0.0;
    for (int i = 0; i < count; i++) {
        const point2 a = p[i], b = p[(i + 1) % count];
        area += (a.x * b.y - b.x * a.y) / 2.0;
        *out_round += hypot(b.x - a.x, b.y - a.y);
    }
    return fabs(area);
}

/// Depth at a corner of what is left: 1 / w, or in orthographic views on the triangle's plane.
static double depth_at(const screen_vertices *in, const uint32_t at[3], const view_transform *v,
                       double x, double y, double w)
{
    double px[3], py[3], d[3], part[3];
    if (!v->orthographic)
        return 1.0 / w;
    for (int k = 0; k < 3; k++) {
        px[k] = (double)in->x[at[k]];
        py[k] = (double)in->y[at[k]];
        d[k] = (double)in->depth[at[k]];
    }
    const double area = (px[1] - px[0]) * (py[2] - py[0]) - (px[2] - px[0]) * (py[1] - py[0]);
    part[1] = ((x - px[0]) * (py[2] - py[0]) - (px[2] - px[0]) * (y - py[0])) / area;
    part[2] = ((px[1] - px[0]) * (y - py[0]) - (x - px[0]) * (py[1] - py[0])) / area;
    part[0] = 1.0 - part[1] - part[2];
    // A sliver has no plane in float: its corners are between its vertices all the same.
    return fabs(area) > 100.0 ? part[0] * d[0] + part[1] * d[1] + part[2] * d[2] : (double)NAN;
}

/// Sum of the fan's areas from snapped corners, with the sign of the winding.
static double fan_area(const screen_vertices *s, uint32_t count)
{
    double area = 0.0;
    for (uint32_t i = 1; i + 1 < count; i++) {
        const double ax = s->sx[i] - s->sx[0], ay = s->sy[i] - s->sy[0];
        const double bx = s->sx[i + 1] - s->sx[0], by = s->sy[i + 1] - s->sy[0];
        area += (ax * by - ay * bx) / 2.0 / 65536.0;
    }
    return area;
}

typedef struct clip_stage {
    view_camera camera;
    screen_view view;
    vertex_position position[16];
    screen_vertices screen;
} clip_stage;

/// 16 vertices around the camera's near plane and far beyond the picture.
static void clip_stage_build(clip_stage *s, random_state *r, bool orthographic)
{
    static uint32_t index[16];
    static _Alignas(16) float homogeneous[16][4];
    camera_random(r, orthographic, &s->camera);
    view_build(&s->camera, 640, 480, &s->view);
    const double reach = random_u32(r) % 2 ? 2.0 : 40.0;
    for (uint32_t i = 0; i < 16; i++) {
        const double ahead = (double)random_float(r, -1.0f, 2.0f);
        const double side = (double)random_float(r, -1.0f, 1.0f) * reach;
        const double high = (double)random_float(r, -1.0f, 1.0f) * reach;
        float *p = &s->position[i].x;
        for (int k = 0; k < 3; k++)
            p[k] = (float)(s->camera.eye[k] + s->camera.forward[k] * ahead +
                           s->camera.right[k] * side + s->camera.up[k] * high);
        p[3] = 1.0f;
        index[i] = i;
    }
    kernels_for(ZT_ISA_SCALAR)
        ->geometry->transform(
            &(transform_job){&s->view.transform, s->position, index, 16, &s->screen, homogeneous});
}

Test(clip, area_and_depth_of_the_remaining_part)
{
    static clip_stage s;
    static screen_vertices out;
    int cut = 0, gone = 0, whole = 0, largest = 0, deep = 0;
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        random_state r = {seed};
        clip_stage_build(&s, &r, seed % 3 == 0);
        for (uint32_t t = 0; t < 5; t++) {
            const uint32_t at[3] = {t * 3, t * 3 + 1, t * 3 + 2};
            const uint32_t count =
                clip_triangle(&s.view.transform, &s.screen, at[0], at[1], at[2], &out);
            clip_case c;
            point2 corner[28];
            clip_case_of(&s.view.transform, &s.screen, at, &c);
            const int corners = oracle_corners(&c, corner);
            cr_assert(count == 0 || (count >= 3 && count <= CLIP_CORNERS), "%u corners", count);
            largest = count > (uint32_t)largest ? (int)count : largest;
            const double area = count ? fan_area(&out, count) : 0.0;
            double round = 0.0;
            const double want = corners ? convex_area(corner, corners, &round) : 0.0;
            // Corners lie within a unit of 1/256 pixel, and new ones within the rounding of
            // homogeneous coordinates of up to 2^15 pixels over the least w on the way.
            double size = 0.0, smallest = 1e9;
            for (int k = 0; k < 3; k++)
                size = fmax(size, fabs(c.x[k]) + fabs(c.y[k]) + 32768.0 * fabs(c.w[k]));
            for (uint32_t k = 0; k < count; k++)
                smallest = fmin(smallest, (double)out.w[k]);
            const double off = count ? 2.0 / 256.0 + 16.0 * EPS * size / smallest : 0.1;
            cr_assert_leq(fabs(fabs(area) - want), off * round + off * off,
                          "seed %d: area %.9g, want %.9g, %u corners", (int)seed, area, want,
                          count);
            const uint32_t codes =
                s.screen.outcode[at[0]] | s.screen.outcode[at[1]] | s.screen.outcode[at[2]];
            cut += count > 3;
            gone += count == 0;
            if ((codes & OUTCODE_CLIP) == 0) {
                whole++;
                cr_assert_eq(count, 3);
                for (uint32_t k = 0; k < 3; k++)
                    cr_assert(out.sx[k] == s.screen.sx[at[k]] && out.sy[k] == s.screen.sy[at[k]]);
            }
            for (uint32_t k = 0; k < count; k++) // what setup may rely on
                cr_assert(out.outcode[k] == 0 && out.sx[k] >= GUARD_MIN_PX * 256 &&
                          out.sx[k] <= GUARD_MAX_PX * 256 && out.sy[k] >= GUARD_MIN_PX * 256 &&
                          out.sy[k] <= GUARD_MAX_PX * 256);
            for (uint32_t k = 0; k < count; k++) {
                const double want_depth =
                    depth_at(&s.screen, at, &s.view.transform, (double)out.x[k], (double)out.y[k],
                             (double)out.w[k]);
                const double depth = (double)out.depth[k];
                // Rounded to the next 1/256 pixel, ties upwards, left of the picture too.
                const double column = (double)(out.x[k] / out.w[k]) * 256.0 + 0.5;
                const double row = (double)(out.y[k] / out.w[k]) * 256.0 + 0.5;
                const double slack = 4.0 * EPS * (fabs(column) + fabs(row));
                const bool inside = fabs(column) < 2e6 && fabs(row) < 2e6;
                cr_assert(!inside ||
                              (column - out.sx[k] >= -slack && row - out.sy[k] >= -slack &&
                               column - out.sx[k] < 1.0 + slack && row - out.sy[k] < 1.0 + slack),
                          "seed %d: snapped to %d, %d", (int)seed, out.sx[k], out.sy[k]);
                deep += s.camera.orthographic && count > 3 && !isnan(want_depth);
                cr_assert(isnan(want_depth) ||
                              fabs(depth - want_depth) <= 1e-3 * (1.0 + fabs(want_depth)),
                          "seed %d: depth %.9g, want %.9g", (int)seed, depth, want_depth);
            }
            // The winding stays: the sign of the part in front is that of the determinant.
            const double det = c.x[0] * (c.y[1] * c.w[2] - c.y[2] * c.w[1]) -
                               c.x[1] * (c.y[0] * c.w[2] - c.y[2] * c.w[0]) +
                               c.x[2] * (c.y[0] * c.w[1] - c.y[1] * c.w[0]);
            if (want > 4.0 * off * round + 1.0)
                cr_assert((area > 0.0) == (det > 0.0), "seed %d: turned round", (int)seed);
        }
    }
    cr_log_info("%d cut, %d gone, %d whole, at most %d corners", cut, gone, whole, largest);
    cr_assert(cut > 1000 && gone > 1000 && whole > 100 && largest >= 6 && deep > 1000,
              "%d %d %d %d %d", cut, gone, whole, largest, deep);
}

/// Triangles with a common edge, wound oppositely: what is left has the same ends, to the bit.
Test(clip, shared_edges_get_the_same_points)
{
    static clip_stage s;
    static screen_vertices out[2];
    int shared = 0;
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        random_state r = {seed * 3};
        clip_stage_build(&s, &r, seed % 3 == 0);
        for (uint32_t t = 0; t < 4; t++) {
            const uint32_t a = t * 4, b = a + 1;
            const uint32_t count[2] = {
                clip_triangle(&s.view.transform, &s.screen, a, b, a + 2, &out[0]),
                clip_triangle(&s.view.transform, &s.screen, b, a, a + 3, &out[1])};
            clip_case c;
            const uint32_t at[3] = {a, b, a + 2};
            clip_case_of(&s.view.transform, &s.screen, at, &c);
            double from = 0.0, to = 1.0; // the part of the edge a -> b that is inside
            for (int p = 3; p < 8; p++) {
                const double da = c.side[p][0], db = c.side[p][1], cross = da / (da - db);
                if (da < 0.0 && db < 0.0)
                    to = -1.0;
                else if (da < 0.0)
                    from = fmax(from, cross);
                else if (db < 0.0)
                    to = fmin(to, cross);
            }
            if (to - from < 1e-4) // a corner or nothing
                continue;
            uint32_t same = 0;
            for (uint32_t i = 0; i < count[0]; i++)
                for (uint32_t j = 0; j < count[1]; j++)
                    same += out[0].x[i] == out[1].x[j] && out[0].y[i] == out[1].y[j] &&
                            out[0].w[i] == out[1].w[j] && out[0].sx[i] == out[1].sx[j] &&
                            out[0].sy[i] == out[1].sy[j] && out[0].depth[i] == out[1].depth[j];
            cr_assert_geq(same, 2, "seed %d: %u points in common", (int)seed, same);
            shared += from > 0.0 || to < 1.0;
        }
    }
    cr_assert_gt(shared, 1000);
}

enum { BIN_WIDTH = 300, BIN_HEIGHT = 200 };

/// True when a sample of the tile's pixels in the picture lies in the triangle or on its edge.
static bool triangle_touches_tile(const setup_triangle *t, int32_t samples, int32_t column,
                                  int32_t row)
{
    const int8_t(*sample)[2] = sample_pattern(samples);
    for (int32_t y = row * TILE_SIZE; y < (row + 1) * TILE_SIZE && y < BIN_HEIGHT; y++) {
        for (int32_t x = column * TILE_SIZE; x < (column + 1) * TILE_SIZE && x < BIN_WIDTH; x++) {
            for (int32_t s = 0; s < samples; s++) {
                const int64_t px = x * 256 + 128 + sample[s][0], py = y * 256 + 128 + sample[s][1];
                bool inside = true;
                for (int k = 0; k < 3 && inside; k++) {
                    const int64_t dx = t->x[(k + 1) % 3] - t->x[k];
                    const int64_t dy = t->y[(k + 1) % 3] - t->y[k];
                    inside = dx * (py - t->y[k]) - dy * (px - t->x[k]) >= 0;
                }
                if (inside)
                    return true;
            }
        }
    }
    return false;
}

static uint32_t times_filed(const bins *b, int32_t tile, uint32_t id)
{
    uint32_t times = 0;
    for (const bin_chunk *c = b->head[BIN_OPAQUE][tile]; c; c = c->next)
        for (uint32_t i = 0; i < c->count; i++)
            times += c->triangle[i]->id == id;
    for (const bin_small_chunk *c = b->small[BIN_SMALL_FIRST][tile]; c; c = c->next)
        for (uint32_t i = 0; i < c->count; i++)
            times += c->triangle[i].id == id;
    return times;
}

/// One random corner: anywhere, or on a border of tiles, or a unit next to one.
static int32_t corner_random(random_state *r, int32_t pixels)
{
    if (random_u32(r) % 3 == 0)
        return random_int(r, -1, pixels / TILE_SIZE + 1) * TILE_SIZE * 256 + random_int(r, -1, 1);
    return random_int(r, -100 * 256, (pixels + 100) * 256);
}

Test(bins, every_tile_that_is_touched)
{
    static screen_vertices v;
    static uint8_t corner[3][16];
    static setup_triangle out[16], large[16];
    static small_triangle small[16];
    static uint32_t small_tiles[16];
    int touched = 0, spared = 0;
    uint32_t smalls = 0;
    OWN_MEMORY(a, 0);
    for (uint64_t seed = 1; seed <= 250 / ZT_RANDOM_SHARE; seed++) {
        random_state r = {seed};
        const int32_t samples = 1 << random_u32(&r) % 5;
        memset(&v, 0, sizeof v);
        for (int i = 0; i < 16; i++) {
            v.sx[i] = corner_random(&r, BIN_WIDTH);
            v.sy[i] = corner_random(&r, BIN_HEIGHT);
            if (seed % 2 && i > 0) { // near each other
                v.sx[i] = v.sx[0] + random_int(&r, -50 * 256, 50 * 256);
                v.sy[i] = v.sy[0] + random_int(&r, -50 * 256, 50 * 256);
            }
            v.w[i] = v.depth[i] = 1.0f;
        }
        for (int i = 0; i < 3 * 16; i++)
            corner[i / 16][i % 16] = (uint8_t)random_int(&r, 0, 15);
        uint32_t count = 0, large_count = 0, small_count = 0, clip_count = 0;
        uint8_t clip_list[16];
        setup_job job = {.vertices = &v,
                         .corner = {corner[0], corner[1], corner[2]},
                         .count = 16,
                         .cull = SETUP_CULL_NONE,
                         .width = BIN_WIDTH,
                         .height = BIN_HEIGHT,
                         .first_id = 1,
                         .sample_count = samples,
                         .out = out,
                         .out_count = &count,
                         .clip_list = clip_list,
                         .clip_count = &clip_count};
        kernels_for(ZT_ISA_SCALAR)->geometry->setup(&job);
        job.out = large;
        job.out_count = &large_count;
        job.small = small;
        job.small_tiles = small_tiles;
        job.small_count = &small_count;
        kernels_for(ZT_ISA_SCALAR)->geometry->setup(&job);
        smalls += small_count;
        bins b;
        arena_reset(&a);
        cr_assert_eq(bins_init(&b, &a, BIN_WIDTH, BIN_HEIGHT, NULL), ZT_OK);
        cr_assert(bins_add(&b, BIN_OPAQUE, large, large_count));
        cr_assert(bins_add_small(&b, BIN_SMALL_FIRST, small, small_tiles, small_count));
        cr_assert_eq(b.triangle_count, count);
        for (uint32_t t = 0; t < count; t++) {
            for (int32_t tile = 0; tile < b.columns * b.rows; tile++) {
                const uint32_t times = times_filed(&b, tile, out[t].id);
                cr_assert_leq(times, 1, "filed twice");
                const bool needs =
                    triangle_touches_tile(&out[t], samples, tile % b.columns, tile / b.columns);
                cr_assert(times || !needs, "seed %d, tile %d", (int)seed, tile);
                touched += needs;
                spared += !times;
            }
        }
    }
    cr_log_info("%d touched, %d spared", touched, spared);
    cr_assert(touched > 10000 / ZT_RANDOM_SHARE && spared > 10000 / ZT_RANDOM_SHARE, "%d %d",
              touched, spared);
    cr_assert_gt(smalls, 100);
}

Test(bins, lists_grow_beyond_a_chunk)
{
    bins b;
    OWN_MEMORY(a, 0);
    cr_assert_eq(bins_init(&b, &a, 64, 65, NULL), ZT_OK);
    cr_assert(b.columns == 1 && b.rows == 2);
    setup_triangle t = {.x = {0, 256, 0}, .y = {0, 0, 256}, .max_x = 0, .max_y = 0};
    for (uint32_t i = 0; i < 1000; i++) {
        t.id = i + 1;
        cr_assert(bins_add(&b, BIN_OPAQUE, &t, 1));
        const uint32_t lower = 1u << SMALL_TILES_FIRST_ROW | 1u << SMALL_TILES_LAST_ROW;
        cr_assert(
            bins_add_small(&b, BIN_SMALL_FIRST, &(small_triangle){.id = i + 2001}, &lower, 1));
    }
    for (uint32_t i = 0; i < 1000; i++)
        cr_assert(times_filed(&b, 0, i + 1) == 1 && times_filed(&b, 1, i + 1) == 0);
    for (uint32_t i = 2000; i < 3000; i++)
        cr_assert(times_filed(&b, 0, i + 1) == 0 && times_filed(&b, 1, i + 1) == 1);
}

Test(bins, memory_that_runs_out_is_reported)
{
    bins b;
    OWN_MEMORY(a, 4096);
    cr_assert_eq(bins_init(&b, &a, 640, 640, NULL), ZT_OK);
    const setup_triangle t = {.x = {0, 256, 0}, .y = {0, 0, 256}};
    bool fitted = true;
    for (int i = 0; i < 100 && fitted; i++)
        fitted = bins_add(&b, BIN_OPAQUE, &t, 1);
    cr_assert(!fitted && a.failed == ZT_ERR_LIMIT);
}
