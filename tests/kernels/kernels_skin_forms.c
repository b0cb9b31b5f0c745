// SPDX-License-Identifier: MIT
/// Skinning by one matrix, four and eight influences and dual quaternions: sets against scalar, and
/// double.
#include "base/dvec3.h"
#include "kernels/kernels.h"
#include "random_inputs.h"
#include "testing.h"

enum { MOST = 80, JOINTS = 9 };

typedef struct skin_case {
    vertex_position position[MOST];
    _Alignas(32) vertex_attributes attributes[MOST];
    vertex_joints joints[MOST], more[MOST];
    _Alignas(16) vertex_weights weights[MOST], weights_more[MOST];
    _Alignas(64) skin_matrix palette[JOINTS], normals[JOINTS], stretch[JOINTS],
        stretch_normals[JOINTS];
    _Alignas(16) skin_dual duals[JOINTS];
} skin_case;

typedef struct skin_result {
    _Alignas(32) vertex_position position[MOST];
    _Alignas(32) vertex_attributes attributes[MOST];
} skin_result;

static void fill_matrix(random_state *r, skin_matrix *m, float spread)
{
    for (int col = 0; col < 4; col++)
        for (int row = 0; row < 4; row++)
            m->column[col][row] =
                row == 3 ? (col == 3 ? 1.0f : 0.0f)
                         : (col == row ? 1.0f : 0.0f) + random_float(r, -spread, spread);
}

/// A unit dual quaternion from a random rotation and translation, in double.
static void fill_dual(random_state *r, skin_dual *out)
{
    double q[4], length = 0.0, t[3];
    for (int k = 0; k < 4; k++) {
        q[k] = (double)random_float(r, -1.0f, 1.0f);
        length += q[k] * q[k];
    }
    for (int k = 0; k < 4; k++)
        q[k] /= sqrt(length);
    for (int k = 0; k < 3; k++)
        t[k] = (double)random_float(r, -3.0f, 3.0f);
    const double d[4] = {0.5 * (t[0] * q[3] + t[1] * q[2] - t[2] * q[1]),
                         0.5 * (t[1] * q[3] + t[2] * q[0] - t[0] * q[2]),
                         0.5 * (t[2] * q[3] + t[0] * q[1] - t[1] * q[0]),
                         -0.5 * (t[0] * q[0] + t[1] * q[1] + t[2] * q[2])};
    for (int k = 0; k < 4; k++) {
        out->real[k] = (float)q[k];
        out->dual[k] = (float)d[k];
    }
}

/// `extreme`: by values that no sensible file has.
static void fill(skin_case *c, uint32_t seed, bool extreme)
{
    float (*const number)(random_state *, float, float) = extreme ? random_extreme : random_float;
    random_state r = {seed};
    memset(c, 0, sizeof *c);
    for (int j = 0; j < JOINTS; j++) {
        fill_matrix(&r, &c->palette[j], 2.0f);
        fill_matrix(&r, &c->normals[j], 2.0f);
        fill_matrix(&r, &c->stretch[j], 0.3f);
        fill_matrix(&r, &c->stretch_normals[j], 0.3f);
        memset(c->stretch[j].column[3], 0, 3 * sizeof(float));
        fill_dual(&r, &c->duals[j]);
    }
    for (int v = 0; v < MOST; v++) {
        float sum = 0.0f, weight[8];
        for (int k = 0; k < 3; k++)
            (&c->position[v].x)[k] = number(&r, -2.0f, 2.0f);
        c->position[v].one = 1.0f;
        for (int k = 0; k < 8; k++) {
            (&c->attributes[v].nx)[k] = number(&r, -1.0f, 1.0f);
            weight[k] = random_u32(&r) % 4 ? random_float(&r, 0.01f, 1.0f) : 0.0f;
            weight[0] += k == 0 ? 0.01f : 0.0f;
            sum += weight[k];
        }
        for (int k = 0; k < 4; k++) {
            c->joints[v].joint[k] = (uint16_t)random_int(&r, 0, JOINTS - 1);
            c->more[v].joint[k] = (uint16_t)random_int(&r, 0, JOINTS - 1);
            c->weights[v].weight[k] = weight[k] / sum;
            c->weights_more[v].weight[k] = weight[4 + k] / sum;
        }
    }
}

/// Flags: all combinations of those before FORM_RIGID, and the first two of them with it.
enum {
    FORM_ATTRIBUTES = 1,
    FORM_NORMALS = 2,
    FORM_MORE = 4,
    FORM_DUAL = 8,
    FORM_STRETCH = 16,
    FORM_RIGID = 32,
    FORMS = 36
};

static void run(const kernel_table *k, const skin_case *c, unsigned form, size_t first,
                size_t count, skin_result *out)
{
    memset(out, 0xa5, sizeof *out);
    const skin_job job = {.position = c->position,
                          .attributes = c->attributes,
                          .joints = form & FORM_RIGID ? NULL : c->joints,
                          .weights = c->weights,
                          .joints_more = form & FORM_MORE ? c->more : NULL,
                          .weights_more = c->weights_more,
                          .duals = form & FORM_DUAL ? c->duals : NULL,
                          .stretch = form & FORM_STRETCH ? c->stretch : NULL,
                          .stretch_normals = form & FORM_STRETCH ? c->stretch_normals : NULL,
                          .palette = c->palette,
                          .normals = form & FORM_NORMALS ? c->normals : c->palette,
                          .out_position = out->position,
                          .out_attributes = form & FORM_ATTRIBUTES ? out->attributes : NULL,
                          .first = first,
                          .count = count};
    k->geometry->skin(&job);
}

Test(bit_exact, skin_forms)
{
    static skin_case c;
    static skin_result want, got;
    for (uint32_t n = 1; n <= 67; n++)
        for (unsigned form = 0; form < FORMS; form++) {
            fill(&c, n * FORMS + form + 1, true);
            run(kernels_for(ZT_ISA_SCALAR), &c, form, n % 5, n, &want);
            EACH_KERNEL_TABLE (isa, k) {
                run(k, &c, form, n % 5, n, &got);
                cr_assert(memcmp(&want, &got, sizeof want) == 0, "%s n=%u form=%u", k->name, n,
                          form);
            }
        }
}

static const double EPS = 1.0 / 8388608.0; ///< 2^-23

static void influence(const skin_case *c, int v, int k, int *joint, double *weight)
{
    *joint = k < 4 ? c->joints[v].joint[k] : c->more[v].joint[k - 4];
    *weight = (double)(k < 4 ? c->weights[v].weight[k] : c->weights_more[v].weight[k - 4]);
}

/// Row of the blend of the matrices of so many influences times (p, one). `*out_size`: the sum of
/// the magnitudes of all terms.
static double blended_row(const skin_case *c, int influences, const skin_matrix *m, int v, int row,
                          const double p[3], double one, double *out_size)
{
    double sum = 0.0;
    *out_size = 0.0;
    for (int k = 0; k < influences; k++) {
        int j;
        double w;
        influence(c, v, k, &j, &w);
        for (int col = 0; col < 4; col++) {
            const double term = w * (double)m[j].column[col][row] * (col < 3 ? p[col] : one);
            sum += term;
            *out_size += fabs(term);
        }
    }
    return sum;
}

static void check_row(const char *name, float got, double want, int influences, double size)
{
    // So many blends of 2 roundings, and 4 terms of 2: half-ulps of the magnitudes.
    const double bound = (influences + 4) * EPS * size;
    cr_assert(fabs((double)got - want) <= bound, "%s: %.9g, want %.9g", name, (double)got, want);
}

/// All vertices of one case; `normals`: matrices of normals alone.
static void check_influences(const kernel_table *k, const skin_case *c, int influences,
                             bool normals)
{
    static skin_result got;
    run(k, c, (influences > 4 ? FORM_MORE : 0) | (normals ? FORM_NORMALS : 0) | FORM_ATTRIBUTES, 0,
        MOST, &got);
    for (int v = 0; v < MOST; v++) {
        const vertex_attributes *a = &c->attributes[v], *o = &got.attributes[v];
        const dvec3 vectors[3] = {dvec3_from_floats(&c->position[v].x), dvec3_from_floats(&a->nx),
                                  dvec3_from_floats(&a->tx)};
        const float *const out[3] = {&got.position[v].x, &o->nx, &o->tx};
        for (int i = 0; i < 9; i++) {
            const int vector = i / 3, row = i % 3;
            const skin_matrix *m = vector == 1 && normals ? c->normals : c->palette;
            const double p[3] = {vectors[vector].x, vectors[vector].y, vectors[vector].z};
            double size;
            const double want = blended_row(c, influences, m, v, row, p, vector ? 0.0 : 1.0, &size);
            check_row(k->name, out[vector][row], want, influences, size);
        }
        cr_assert(got.position[v].one == 1.0f && o->u == a->u && o->v == a->v);
    }
}

Test(oracle, influences)
{
    static skin_case c;
    for (uint32_t seed = 4711; seed < 4714; seed++) {
        fill(&c, seed, false);
        EACH_KERNEL_TABLE (isa, k)
            for (int form = 0; form < 4; form++)
                check_influences(k, &c, form % 2 ? 8 : 4, form / 2);
    }
}

/// Product of two quaternions x, y, z, w.
static void product(const double a[4], const double b[4], double out[4])
{
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = a[3] * b[k] + b[3] * a[k] + a[i] * b[j] - a[j] * b[i];
    }
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

/// The blend of a vertex by definition: signs relative to the largest weight, then normalized.
static void blended_dual(const skin_case *c, int v, double real[4], double dual[4])
{
    int pivot = 0, j;
    double largest = -1.0, w;
    memset(real, 0, 4 * sizeof *real);
    memset(dual, 0, 4 * sizeof *dual);
    for (int k = 0; k < 8; k++) {
        influence(c, v, k, &j, &w);
        pivot = w > largest ? j : pivot;
        largest = w > largest ? w : largest;
    }
    for (int k = 0; k < 8; k++) {
        double dot = 0.0;
        influence(c, v, k, &j, &w);
        for (int i = 0; i < 4; i++)
            dot += (double)c->duals[pivot].real[i] * (double)c->duals[j].real[i];
        for (int i = 0; i < 4; i++) {
            real[i] += (dot < 0.0 ? -w : w) * (double)c->duals[j].real[i];
            dual[i] += (dot < 0.0 ? -w : w) * (double)c->duals[j].dual[i];
        }
    }
    const double length =
        sqrt(real[0] * real[0] + real[1] * real[1] + real[2] * real[2] + real[3] * real[3]);
    for (int i = 0; i < 4; i++) {
        real[i] /= length;
        dual[i] /= length;
    }
}

/// real v real*, by products of quaternions.
static void rotated(const double real[4], const double v[3], double out[4])
{
    const double conjugate[4] = {-real[0], -real[1], -real[2], real[3]};
    const double point[4] = {v[0], v[1], v[2], 0.0};
    double half[4];
    product(real, point, half);
    product(half, conjugate, out);
}

Test(oracle, dual_quaternions)
{
    static skin_case c;
    static skin_result got;
    fill(&c, 815, false);
    EACH_KERNEL_TABLE (isa, k) {
        run(k, &c, FORM_MORE | FORM_DUAL | FORM_STRETCH | FORM_ATTRIBUTES, 0, MOST, &got);
        for (int v = 0; v < MOST; v++) {
            const vertex_attributes *a = &c.attributes[v];
            const double p[3] = {(double)c.position[v].x, (double)c.position[v].y,
                                 (double)c.position[v].z};
            const double n[3] = {(double)a->nx, (double)a->ny, (double)a->nz};
            double real[4], dual[4], sp[3], sn[3], size, out_p[4], out_n[4], t[4];
            blended_dual(&c, v, real, dual);
            for (int row = 0; row < 3; row++) {
                sp[row] = blended_row(&c, 8, c.stretch, v, row, p, 0.0, &size);
                sn[row] = blended_row(&c, 8, c.stretch_normals, v, row, n, 0.0, &size);
            }
            rotated(real, sp, out_p);
            rotated(real, sn, out_n);
            const double conjugate[4] = {-real[0], -real[1], -real[2], real[3]};
            product(dual, conjugate, t);
            // Coordinates are up to 6, and the blend is at least 1/8 long before normalization:
            // some 30 roundings, the first of them 8 times as large.
            for (int row = 0; row < 3; row++) {
                cr_assert(fabs((double)(&got.position[v].x)[row] - (out_p[row] + 2.0 * t[row])) <
                          6.0 * 100.0 * EPS);
                cr_assert(fabs((double)(&got.attributes[v].nx)[row] - out_n[row]) < 100.0 * EPS);
            }
            cr_assert(got.position[v].one == 1.0f && got.attributes[v].u == a->u &&
                      got.attributes[v].v == a->v);
        }
    }
}
