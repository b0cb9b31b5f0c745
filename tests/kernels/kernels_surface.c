// SPDX-License-Identifier: MIT
/// Barycentrics, attributes and gradients against the intersection of a ray with a plane in double,
/// for triangles with corners behind the eye too, and all instruction sets against each other.
#include "double3.h"
#include "kernels/kernels.h"
#include "random_inputs.h"
#include "surface_probe.h"
#include "testing.h"

static const double EPS = 1.0 / 16777216.0; ///< 2^-24: rounding error of one operation

const surface_probe *surface_probe_for(zt_isa isa)
{
    static const surface_probe *const probes[ZT_ISA_COUNT] = {
        [ZT_ISA_SCALAR] = &surface_probe_scalar, [ZT_ISA_SSE2] = &surface_probe_sse2,
        [ZT_ISA_AVX2] = &surface_probe_avx2,     [ZT_ISA_AVX512] = &surface_probe_avx512,
        [ZT_ISA_NEON] = &surface_probe_neon,
    };
    return kernels_for(isa) ? probes[isa] : NULL;
}

/// One triangle of its own meshlet, and the pixel position that sees it.
typedef struct surface_case {
    _Alignas(16) float homogeneous[3][4];
    _Alignas(32) vertex_attributes attributes[3];
    _Alignas(32) vertex_extra extra[3];
    float px, py;
} surface_case;

typedef struct surface_stage {
    surface_case at[SURFACE_LANES];
    posed_meshlet meshlet[SURFACE_LANES];
    homogeneous_vertices homogeneous[SURFACE_LANES];
    uint32_t id[SURFACE_LANES];
    float px[SURFACE_LANES], py[SURFACE_LANES];
    shade_frame frame;
} surface_stage;

static const uint32_t vertex_of_local[3] = {0, 1, 2};
static const uint8_t corner_of_triangle[3] = {0, 1, 2};

static void stage_build(surface_stage *s)
{
    for (int i = 0; i < SURFACE_LANES; i++) {
        s->meshlet[i] = (posed_meshlet){
            .vertex = vertex_of_local,
            .corner = {corner_of_triangle, corner_of_triangle + 1, corner_of_triangle + 2},
            .attributes = s->at[i].attributes,
            .extra = s->at[i].extra,
            .handedness = 1.0f,
            .front = -1.0f};
        s->homogeneous[i] = (homogeneous_vertices)s->at[i].homogeneous;
        s->id[i] = primitive_id((uint32_t)i, 0);
        s->px[i] = s->at[i].px;
        s->py[i] = s->at[i].py;
    }
    s->frame = (shade_frame){.surfaces = {s->meshlet, s->homogeneous}};
}

/// A triangle over a pixel of a `side` wide picture. `behind`: a corner is. False: none found.
static bool case_random(random_state *r, float side, float spread, bool behind, surface_case *out)
{
    double sum[3] = {0.0, 0.0, 0.0}, lowest = 1e9;
    const float cx = random_float(r, 0.0f, side), cy = random_float(r, 0.0f, side);
    const float far = powf(10.0f, random_float(r, -1.0f, 3.0f));
    for (int k = 0; k < 3; k++) {
        float *h = out->homogeneous[k];
        h[2] = far * random_float(r, behind ? -1.0f : 0.3f, 1.0f);
        h[0] = (cx + random_float(r, -spread, spread)) * (behind ? far : h[2]);
        h[1] = (cy + random_float(r, -spread, spread)) * (behind ? far : h[2]);
        h[3] = random_float(r, 0.0f, 1.0f);
        lowest = fmin(lowest, (double)h[2]);
        const double share = (double)random_float(r, 0.02f, 1.0f);
        for (int c = 0; c < 3; c++)
            sum[c] += share * (double)h[c];
        float *a = &out->attributes[k].nx, *e = &out->extra[k].r;
        for (int c = 0; c < 8; c++) {
            a[c] = random_float(r, -2.0f, 2.0f);
            e[c] = random_float(r, -2.0f, 2.0f);
        }
    }
    const double x = sum[0] / sum[2], y = sum[1] / sum[2];
    if (!(sum[2] > 0.0) || fabs(x) > 16384.0 || fabs(y) > 16384.0 || (lowest < 0.0) != behind)
        return false;
    out->px = (float)(floor(x * 256.0) / 256.0);
    out->py = (float)(floor(y * 256.0) / 256.0);
    return true;
}

typedef double vector3[3];

/// Barycentrics of the point where the ray (x, y, 1) t meets the plane of the triangle in the space
/// of (X, Y, w): areas of the three parts over the whole, all as vectors along the normal.
static void oracle_barycentrics(const surface_case *c, double x, double y, vector3 out)
{
    vector3 p[3], edge1, edge2, normal;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            p[k][i] = (double)c->homogeneous[k][i];
    for (int i = 0; i < 3; i++) {
        edge1[i] = p[1][i] - p[0][i];
        edge2[i] = p[2][i] - p[0][i];
    }
    cross3(edge1, edge2, normal);
    const vector3 ray = {x, y, 1.0};
    const double t = dot3(normal, p[0]) / dot3(normal, ray);
    for (int k = 0; k < 3; k++) {
        vector3 a, b, area;
        for (int i = 0; i < 3; i++) {
            a[i] = p[(k + 1) % 3][i] - t * ray[i];
            b[i] = p[(k + 2) % 3][i] - t * ray[i];
        }
        cross3(a, b, area);
        out[k] = dot3(area, normal) / dot3(normal, normal);
    }
}

/// First-order error bounds of float arithmetic: of the barycentrics, and of their steps.
typedef struct surface_bound {
    double l, step;
    double sum; ///< of the three edge functions, relative
} surface_bound;

static surface_bound bound_of(const surface_case *c)
{
    double x[3], y[3], x_size[3], y_size[3], w[3], e_err = 0.0, step_err = 0.0, sum = 0.0;
    double sum_x = 0.0, sum_y = 0.0;
    for (int k = 0; k < 3; k++) {
        const float *h = c->homogeneous[k];
        w[k] = (double)h[2];
        x[k] = (double)h[0] - (double)c->px * w[k];
        y[k] = (double)h[1] - (double)c->py * w[k];
        x_size[k] = fabs((double)h[0]) + fabs((double)c->px * w[k]);
        y_size[k] = fabs((double)h[1]) + fabs((double)c->py * w[k]);
    }
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        sum += x[a] * y[b] - x[b] * y[a];
        e_err += x_size[a] * fabs(y[b]) + x_size[b] * fabs(y[a]) + y_size[b] * fabs(x[a]) +
                 y_size[a] * fabs(x[b]);
        sum_x += w[b] * y[a] - w[a] * y[b];
        sum_y += w[a] * x[b] - w[b] * x[a];
        step_err += fabs(w[b]) * (y_size[a] + x_size[a]) + fabs(w[a]) * (y_size[b] + x_size[b]);
    }
    surface_bound out;
    out.sum = 4.0 * EPS * e_err / fabs(sum);
    out.l = 2.0 * out.sum + 4.0 * EPS;
    const double turn = (fabs(sum_x) + fabs(sum_y)) / fabs(sum);
    out.step = 8.0 * EPS * step_err / fabs(sum) + 4.0 * out.l * turn;
    return out;
}

static void check_lane(const surface_found *f, int i, const surface_case *c, double *worst)
{
    const surface_bound bound = bound_of(c);
    vector3 l, right, left, below, above;
    const double x = (double)c->px, y = (double)c->py, h = 1e-3;
    oracle_barycentrics(c, x, y, l);
    oracle_barycentrics(c, x + h, y, right);
    oracle_barycentrics(c, x - h, y, left);
    oracle_barycentrics(c, x, y + h, below);
    oracle_barycentrics(c, x, y - h, above);
    double w = 0.0, depth = 0.0, size = 0.0;
    for (int k = 0; k < 3; k++) {
        const double error = fabs((double)f->l[k][i] - l[k]);
        // The last is 1 minus the others, and has the errors of both.
        cr_assert_leq(error, 2.0 * bound.l, "l%d = %.9g, want %.9g", k, (double)f->l[k][i], l[k]);
        *worst = fmax(*worst, error);
        w += l[k] * (double)c->homogeneous[k][2];
        depth += l[k] * (double)c->homogeneous[k][3];
        size += fabs((double)c->homogeneous[k][2]);
    }
    cr_assert_leq(fabs((double)f->w[i] - w), (4.0 * bound.l + 8.0 * EPS) * size, "w");
    cr_assert_leq(fabs((double)f->depth[i] - depth), 12.0 * bound.l + 8.0 * EPS, "depth");

    for (int j = 0; j < 16; j++) { // attributes lie in -2..2
        double want = 0.0, want_x = 0.0, want_y = 0.0;
        for (int k = 0; k < 3; k++) {
            const float *from = j < 8 ? &c->attributes[k].nx : &c->extra[k].r;
            want += l[k] * (double)from[j % 8];
            want_x += (right[k] - left[k]) / (2.0 * h) * (double)from[j % 8];
            want_y += (below[k] - above[k]) / (2.0 * h) * (double)from[j % 8];
        }
        const float *const got[16] = {f->normal[0],  f->normal[1],  f->normal[2],  f->uv[0][0],
                                      f->tangent[0], f->tangent[1], f->tangent[2], f->uv[0][1],
                                      f->color[0],   f->color[1],   f->color[2],   f->color[3],
                                      f->uv[1][0],   f->uv[1][1],   NULL,          NULL};
        if (!got[j])
            continue;
        NEAR(got[j][i], want, 12.0 * bound.l + 32.0 * EPS, "attribute %d", j);
        const bool is_uv = j == 3 || j == 7 || j == 12 || j == 13;
        if (!is_uv)
            continue;
        const int set = j / 8, v = j == 7 || j == 13;
        const double slack = 16.0 * bound.step + 1e-5 * (fabs(want_x) + fabs(want_y));
        NEAR(f->uv[set][2 + v][i], want_x, slack, "d/dx");
        NEAR(f->uv[set][4 + v][i], want_y, slack, "d/dy");
    }
}

/// Makes random triangles until 16 are visible and have edge functions that 24 bits can represent.
static int stage_random(random_state *r, float side, float spread, bool behind, surface_stage *s)
{
    int drawn = 0, tries = 0;
    while (drawn < SURFACE_LANES) {
        tries++;
        surface_case *c = &s->at[drawn];
        if (case_random(r, side, spread, behind, c) && bound_of(c).sum < 0.1) {
            // Stay away from the edges by more than the error: another test covers clamping.
            vector3 l;
            oracle_barycentrics(c, (double)c->px, (double)c->py, l);
            const double clear = 2.0 * bound_of(c).l;
            drawn += l[0] > clear && l[1] > clear && l[2] > clear;
        }
        cr_assert_lt(tries, 100000, "hardly any triangle fits");
    }
    stage_build(s);
    return tries;
}

/// Locates all samples of a stage. Every instruction set must give the same bits.
static const surface_found *locate(const surface_stage *stage)
{
    static surface_found first, found;
    EACH_SURFACE_PROBE (isa, probe) {
        memset(&found, 0, sizeof found);
        probe->locate(&stage->frame, stage->id, stage->px, stage->py, &found);
        if (isa == (int)ZT_ISA_SCALAR)
            first = found;
        cr_assert(memcmp(&first, &found, sizeof first) == 0, "%s differs", probe->name);
    }
    return &first;
}

static double worst_of(float side, float spread, bool behind, int rounds)
{
    static surface_stage stage;
    double worst = 0.0;
    for (int round = 1; round <= rounds / ZT_RANDOM_SHARE; round++) {
        random_state r = {(uint64_t)round * 977};
        stage_random(&r, side, spread, behind, &stage);
        const surface_found *found = locate(&stage);
        for (int i = 0; i < SURFACE_LANES; i++)
            check_lane(found, i, &stage.at[i], &worst);
    }
    return worst;
}

/// Random matrices with shear, mirroring and scale, one for tangents and one for normals.
static void random_matrices(random_state *r, skin_matrix matrix[SURFACE_LANES][2])
{
    for (int i = 0; i < SURFACE_LANES; i++)
        for (int m = 0; m < 2; m++)
            for (int column = 0; column < 4; column++)
                for (int row = 0; row < 4; row++)
                    matrix[i][m].column[column][row] = random_float(r, -2.0f, 2.0f);
}

/// The attributes of a lane in world space, rounded once.
static void transformed_case(const skin_matrix matrix[2], surface_case *c)
{
    for (int k = 0; k < 3; k++) {
        float *const vector[2] = {&c->attributes[k].tx, &c->attributes[k].nx};
        for (int m = 0; m < 2; m++) {
            double sum[3] = {0.0, 0.0, 0.0};
            for (int row = 0; row < 3; row++)
                for (int i = 0; i < 3; i++)
                    sum[row] += (double)matrix[m].column[i][row] * (double)vector[m][i];
            for (int row = 0; row < 3; row++)
                vector[m][row] = (float)sum[row];
        }
    }
}

/// The same as the skin loop makes them, to the bit.
static void posed_case(const skin_matrix matrix[2], surface_case *c)
{
    for (int k = 0; k < 3; k++) {
        float *const vector[2] = {&c->attributes[k].tx, &c->attributes[k].nx};
        for (int m = 0; m < 2; m++) {
            const float(*column)[4] = matrix[m].column, *v = vector[m];
            float posed[3];
            for (int row = 0; row < 3; row++)
                posed[row] =
                    (column[0][row] * v[0] + column[1][row] * v[1]) + column[2][row] * v[2];
            memcpy(vector[m], posed, sizeof posed);
        }
    }
}

/// Has every `step`th lane of the stage turned by its matrices; returns what is located where the
/// attributes are turned beforehand.
static const surface_found *turned(surface_stage *stage, skin_matrix matrix[SURFACE_LANES][2],
                                   void (*turn)(const skin_matrix matrix[2], surface_case *c),
                                   int step)
{
    static surface_stage want;
    want = *stage;
    for (int i = 0; i < SURFACE_LANES; i += step) {
        turn(matrix[i], &want.at[i]);
        stage->meshlet[i].world_from_tangent = &matrix[i][0];
        stage->meshlet[i].world_from_normal = &matrix[i][1];
    }
    stage_build(&want);
    return locate(&want);
}

Test(surface, attributes_in_bind_space)
{
    static surface_stage stage;
    static surface_found first;
    static skin_matrix matrix[SURFACE_LANES][2];
    for (int round = 1; round <= 50; round++) {
        random_state r = {(uint64_t)round * 571};
        stage_random(&r, 2048.0f, 100.0f, false, &stage);
        random_matrices(&r, matrix);
        first = *turned(&stage, matrix, posed_case, 1);
        cr_assert(memcmp(&first, locate(&stage), sizeof first) == 0, "round %d", round);
    }
}

Test(surface, attributes_of_placed_meshes)
{
    static surface_stage stage;
    static surface_found first;
    static skin_matrix matrix[SURFACE_LANES][2];
    double worst = 0.0;
    for (int round = 1; round <= 200; round++) {
        random_state r = {(uint64_t)round * 4253};
        stage_random(&r, 2048.0f, 100.0f, false, &stage);
        random_matrices(&r, matrix);
        first = *turned(&stage, matrix, transformed_case, 1 + round % 3);
        for (int i = 0; i < SURFACE_LANES; i += 1 + round % 3)
            stage.meshlet[i].world_from_position = &matrix[i][0];
        const surface_found *found = locate(&stage);
        for (int i = 0; i < SURFACE_LANES; i++)
            for (int k = 0; k < 3; k++) {
                const double normal = (double)found->normal[k][i] - (double)first.normal[k][i];
                const double tangent = (double)found->tangent[k][i] - (double)first.tangent[k][i];
                worst = fmax(worst, fmax(fabs(normal), fabs(tangent)));
                cr_assert_eq(found->l[k][i], first.l[k][i]);
            }
    }
    cr_log_info("placed: normals and tangents within %g", worst);
    cr_assert_lt(worst, 2e-4); // normalizing a vector that is nearly 0 loses digits
}

/// Float corners of triangles up to 200 pixels wide in a 2048 picture are good to 2^-13 pixel.
Test(surface, barycentrics_of_triangles_of_every_size)
{
    static const struct {
        const char *name;
        float picture, size;
        bool crossing; ///< the eye plane
        double limit;
    } cases[] = {
        {"ordinary", 2048.0f, 100.0f, false, 1e-3},
        {"tiny", 512.0f, 0.75f, false, 5e-3},
        {"huge", 2048.0f, 20000.0f, false, 1e-4},
        {"crossing", 2048.0f, 2000.0f, true, 1e-3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double worst = worst_of(cases[i].picture, cases[i].size, cases[i].crossing, 400);
        cr_log_info("%s: barycentrics within %g", cases[i].name, worst);
        cr_expect_lt(worst, cases[i].limit, "%s", cases[i].name);
    }
}

Test(surface, outside_positions_are_drawn_to_the_triangle)
{
    static surface_stage stage;
    static surface_found found;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        random_state r = {seed};
        stage_random(&r, 512.0f, 40.0f, false, &stage);
        for (int i = 0; i < SURFACE_LANES; i++) {
            stage.px[i] += random_float(&r, -100.0f, 100.0f);
            stage.py[i] += random_float(&r, -100.0f, 100.0f);
        }
        EACH_SURFACE_PROBE (isa, probe) {
            probe->locate(&stage.frame, stage.id, stage.px, stage.py, &found);
            for (int i = 0; i < SURFACE_LANES; i++)
                for (int k = 0; k < 3; k++)
                    cr_assert(found.l[k][i] >= 0.0f && found.l[k][i] <= 1.0f, "%s: %g", probe->name,
                              (double)found.l[k][i]);
        }
    }
}

Test(surface, face_normals_and_empty_triangles)
{
    static surface_stage stage;
    static surface_found found;
    random_state r = {5};
    stage_random(&r, 512.0f, 40.0f, false, &stage);
    for (int i = 0; i < SURFACE_LANES; i++) {
        // On a y-down screen (0,0) (1,0) (0,1) is clockwise in the world: a back, unless mirrored.
        static const float shape[3][4] = {{0, 0, 1, 0.5f}, {100, 0, 1, 0.5f}, {0, 100, 1, 0.5f}};
        memcpy(stage.at[i].homogeneous, shape, sizeof shape);
        stage.meshlet[i].front = i % 2 != 0 ? 1.0f : -1.0f;
        stage.px[i] = stage.py[i] = 10.0f;
        if (i >= 8) // a point
            memcpy(stage.at[i].homogeneous[1], shape[0], sizeof shape[0]);
        if (i >= 12) // a line, seen end-on
            stage.px[i] = 0.0f;
    }
    EACH_SURFACE_PROBE (isa, probe) {
        probe->locate(&stage.frame, stage.id, stage.px, stage.py, &found);
        for (int i = 0; i < SURFACE_LANES; i++) {
            if (i < 8)
                cr_assert_eq(found.back[i] != 0.0f, i % 2 == 0, "%s: lane %d", probe->name, i);
            const float sum = found.l[0][i] + found.l[1][i] + found.l[2][i];
            cr_assert(fabsf(sum - 1.0f) < 1e-6f, "%s: lane %d: %g", probe->name, i, (double)sum);
            for (int c = 0; c < 3; c++)
                cr_assert(fabsf(found.normal[c][i]) < 3.0f, "%s: lane %d", probe->name, i);
        }
    }
}
