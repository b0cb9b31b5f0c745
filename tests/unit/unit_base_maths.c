// SPDX-License-Identifier: MIT
/// Elementary functions against the C library in long double (only tests may call it), rotations
/// against their definitions, and the cglm wrapper against itself under other compiler flags.
#include "base/maths.h"
#include "base/quat.h"
#include "base/trs.h"
#include "cglm_probe.h"
#include "random_numbers.h"
#include "testing.h"

#include <float.h>

static const long double pi = 3.14159265358979323846264338327950288L;

Test(maths, sincos_within_one_ulp_of_one)
{
    uint64_t seed = 1;
    for (int i = 0; i < 200000; i++) {
        static const double ranges[] = {8192.0, 7.0, 0.01, 1.0e6};
        const double range = ranges[i % 4];
        const float x = (float)between(&seed, -range, range);
        float s, c;
        maths_sincos(x, &s, &c);
        // In double to 3e-16, then one rounding: half a unit in the last place of a float below 1.
        cr_assert_leq(fabsl((long double)s - sinl((long double)x)), 3.1e-8L, "sin %a", (double)x);
        cr_assert_leq(fabsl((long double)c - cosl((long double)x)), 3.1e-8L, "cos %a", (double)x);
    }
}

Test(maths, sincos_of_anything_is_finite)
{
    static const float extreme[] = {0.0f,      -0.0f,  FLT_MAX,   -FLT_MAX, INFINITY,
                                    -INFINITY, NAN,    FLT_MIN,   1.0e-45f, 16777216.0f,
                                    1.0e6f,    1.0e7f, 1.5707964f};
    for (size_t i = 0; i < sizeof extreme / sizeof extreme[0]; i++) {
        float s, c;
        maths_sincos(extreme[i], &s, &c);
        cr_assert(fabsf(s) <= 1.0f && fabsf(c) <= 1.0f, "%a", (double)extreme[i]);
        cr_assert_float_eq((double)(s * s + c * c), 1.0, 1e-6, "%a", (double)extreme[i]);
    }
}

Test(maths, degrees_are_exact_at_quarters)
{
    for (int quarter = -8000; quarter <= 8000; quarter++) {
        static const double sine[4] = {0.0, 1.0, 0.0, -1.0};
        double s, c;
        maths_sincos_deg(90.0 * quarter, &s, &c);
        const int at = ((quarter % 4) + 4) % 4;
        cr_assert_eq(s, sine[at], "%d", quarter);
        cr_assert_eq(c, sine[(at + 1) % 4], "%d", quarter);
    }
    uint64_t seed = 3;
    for (int i = 0; i < 100000; i++) {
        const double degrees = between(&seed, -1000.0, 1000.0);
        double s, c;
        maths_sincos_deg(degrees, &s, &c);
        const long double x = fmodl((long double)degrees, 360.0L) * pi / 180.0L;
        cr_assert_leq(fabsl((long double)s - sinl(x)), 3.0e-16L, "%a", degrees);
        cr_assert_leq(fabsl((long double)c - cosl(x)), 3.0e-16L, "%a", degrees);
        double opposite_s, opposite_c;
        maths_sincos_deg(-degrees, &opposite_s, &opposite_c);
        cr_assert(opposite_s == -s && opposite_c == c, "symmetry at %a", degrees);
    }
    double s, c;
    maths_sincos_deg(1.0e300, &s, &c);
    cr_assert_float_eq(s * s + c * c, 1.0, 1e-15);
}

Test(maths, atan2_in_every_direction)
{
    uint64_t seed = 4;
    for (int i = 0; i < 200000; i++) {
        const double scale = exp2(between(&seed, -60.0, 60.0));
        const double y = between(&seed, -1.0, 1.0) * (i % 2 ? scale : 1.0);
        const double x = between(&seed, -1.0, 1.0);
        const long double want = atan2l((long double)y, (long double)x);
        const long double error = fabsl((long double)maths_atan2(y, x) - want);
        cr_assert_leq(error, 4.5e-16L * (fabsl(want) + 0.001L), "%a %a", y, x);
    }
    static const double axis[] = {0.0, -0.0, 1.0, -1.0, HUGE_VAL, -HUGE_VAL, 5e-324, DBL_MAX};
    for (size_t i = 0; i < 8; i++)
        for (size_t k = 0; k < 8; k++) {
            const double got = maths_atan2(axis[i], axis[k]), want = atan2(axis[i], axis[k]);
            cr_assert_float_eq(got, want, 1e-15, "%a %a: %a", axis[i], axis[k], got);
            cr_assert_eq(signbit(got), signbit(want), "%a %a", axis[i], axis[k]);
        }
    cr_assert(isfinite(maths_atan2((double)NAN, 1.0)));
}

Test(maths, acos_is_near)
{
    uint64_t seed = 5;
    for (int i = 0; i < 200000; i++) {
        float x = (float)between(&seed, -1.0, 1.0);
        if (i % 2) // near the ends, where it is steep
            x = (float)(1.0 - exp2(between(&seed, -24.0, -1.0))) * (i % 4 == 1 ? 1.0f : -1.0f);
        const long double want = acosl((long double)x);
        cr_assert_leq(fabsl((long double)maths_acos(x) - want), 3e-7L * want, "%a", (double)x);
    }
    cr_assert_eq(maths_acos(1.0f), 0.0f);
    cr_assert_eq(maths_acos(7.0f), 0.0f);
    cr_assert(maths_acos(-1.0f) == (float)pi);
    cr_assert(maths_acos(-7.0f) == (float)pi);
}

Test(maths, exp2_and_log2)
{
    uint64_t seed = 6;
    for (int i = 0; i < 100000; i++) {
        const double x = between(&seed, i % 2 ? -1021.0 : -3.0, i % 2 ? 1023.0 : 3.0);
        const long double want = exp2l((long double)x);
        cr_assert_leq(fabsl((long double)maths_exp2(x) - want), 4.0e-16L * want, "exp2 %a", x);
        const double y = maths_exp2(x);
        const long double log_want = log2l((long double)y);
        cr_assert_leq(fabsl((long double)maths_log2(y) - log_want), 4.0e-16L * fabsl(log_want),
                      "log2 %a", y);
        const double near_one = 1.0 + between(&seed, -1.0e-3, 1.0e-3);
        const long double small = log2l((long double)near_one);
        cr_assert_leq(fabsl((long double)maths_log2(near_one) - small), 5.0e-16L * fabsl(small));
    }
    for (int n = -1074; n <= 1023; n++) {
        cr_assert_eq(maths_exp2((double)n), ldexp(1.0, n), "%d", n);
        cr_assert_eq(maths_log2(ldexp(1.0, n)), (double)n, "%d", n);
    }
    cr_assert_eq(maths_exp2(-5000.0), 0.0);
    cr_assert(isinf(maths_exp2(1024.0)));
    cr_assert_eq(maths_exp2((double)NAN), 0.0);
    cr_assert_eq(maths_log2(0.0), -HUGE_VAL);
    cr_assert_eq(maths_log2(-1.0), -HUGE_VAL);
    cr_assert_eq(maths_log2(HUGE_VAL), HUGE_VAL);
}

// ---- Rotations ----------------------------------------------------------------------------------

static void random_rotation(uint64_t *seed, float out[4])
{
    double q[4], length = 0.0;
    for (int i = 0; i < 4; i++) {
        q[i] = between(seed, -1.0, 1.0);
        length += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++)
        out[i] = (float)(q[i] / sqrt(length));
}

/// Rotates by v + 2 w (u x v) + 2 u x (u x v): not the formula that trs_to_mat4 uses.
static void rotate(const float q[4], const double v[3], double out[3])
{
    const double u[3] = {(double)q[0], (double)q[1], (double)q[2]}, w = (double)q[3];
    double a[3], b[3];
    for (int i = 0; i < 3; i++)
        a[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
    for (int i = 0; i < 3; i++)
        b[i] = u[(i + 1) % 3] * a[(i + 2) % 3] - u[(i + 2) % 3] * a[(i + 1) % 3];
    for (int i = 0; i < 3; i++)
        out[i] = v[i] + 2.0 * (w * a[i] + b[i]);
}

Test(maths, trs_to_matrix)
{
    uint64_t seed = 7;
    for (int i = 0; i < 5000; i++) {
        trs x;
        random_rotation(&seed, x.r);
        double v[3], scaled[3], turned[3];
        for (int k = 0; k < 3; k++) {
            x.t[k] = (float)between(&seed, -5.0, 5.0);
            x.s[k] = (float)between(&seed, -3.0, 3.0);
            v[k] = between(&seed, -1.0, 1.0);
            scaled[k] = v[k] * (double)x.s[k];
        }
        rotate(x.r, scaled, turned);
        mat4 m;
        trs_to_mat4(&x, m);
        for (int row = 0; row < 3; row++) {
            double got = (double)m[3][row];
            for (int column = 0; column < 3; column++)
                got += (double)m[column][row] * v[column];
            cr_assert_float_eq(got, turned[row] + (double)x.t[row], 5e-6);
            cr_assert_eq(m[row][3], 0.0f);
        }
        cr_assert_eq(m[3][3], 1.0f);
    }
    const trs identity = trs_identity();
    mat4 m, one = GLM_MAT4_IDENTITY_INIT;
    trs_to_mat4(&identity, m);
    cr_assert(memcmp(m, one, sizeof m) == 0);
}

Test(maths, euler_angles_turn_about_x_then_new_y_then_new_z)
{
    uint64_t seed = 8;
    for (int i = 0; i < 2000; i++) {
        const double angles[3] = {between(&seed, -360.0, 360.0), between(&seed, -360.0, 360.0),
                                  between(&seed, -360.0, 360.0)};
        float q[4];
        quatf_from_euler_deg(angles, q);
        double v[3] = {between(&seed, -1.0, 1.0), between(&seed, -1.0, 1.0), 0.5}, got[3];
        rotate(q, v, got);
        for (int axis = 2; axis >= 0; axis--) { // intrinsic XYZ = Rx Ry Rz v: z acts first
            const double r = angles[axis] * (double)pi / 180.0;
            const int a = (axis + 1) % 3, b = (axis + 2) % 3;
            const double va = v[a], vb = v[b];
            v[a] = va * cos(r) - vb * sin(r);
            v[b] = va * sin(r) + vb * cos(r);
        }
        for (int k = 0; k < 3; k++)
            cr_assert_float_eq(got[k], v[k], 1e-6, "axis %d", k);
    }
    float q[4];
    quatf_from_euler_deg((const double[3]){0.0, 180.0, 0.0}, q);
    cr_assert(q[0] == 0.0f && q[1] == 1.0f && q[2] == 0.0f && q[3] == 0.0f, "exact half turn");
}

Test(maths, slerp_moves_evenly_on_the_shorter_arc)
{
    uint64_t seed = 9;
    for (int i = 0; i < 20000; i++) {
        float a[4], b[4], q[4];
        random_rotation(&seed, a);
        random_rotation(&seed, b);
        if (i % 4 == 0) { // close together
            for (int k = 0; k < 4; k++)
                b[k] = a[k] + (k == i % 3 ? (float)exp2(between(&seed, -26.0, -6.0)) : 0.0f);
            const float length = sqrtf(b[0] * b[0] + b[1] * b[1] + b[2] * b[2] + b[3] * b[3]);
            for (int k = 0; k < 4; k++)
                b[k] /= length;
        }
        const float s = (float)between(&seed, 0.0, 1.0);
        quatf_slerp(a, b, s, q);
        long double dot = 0.0L, length = 0.0L, to_a = 0.0L;
        for (int k = 0; k < 4; k++) {
            dot += (long double)a[k] * (long double)b[k];
            length += (long double)q[k] * (long double)q[k];
        }
        const long double sign = dot < 0.0L ? -1.0L : 1.0L;
        const long double angle = acosl(fminl(fabsl(dot), 1.0L));
        // In float: 4 roundings of squares and their sum, 3 of root, reciprocal and product, twice.
        cr_assert_float_eq((double)length, 1.0, 3e-7);
        if (angle < 1.0e-3L)
            continue;
        for (int k = 0; k < 4; k++) {
            const long double want = ((long double)a[k] * sinl((1.0L - (long double)s) * angle) +
                                      sign * (long double)b[k] * sinl((long double)s * angle)) /
                                     sinl(angle);
            cr_assert_float_eq((double)q[k], (double)want, 3e-7, "case %d", i);
            to_a += (long double)q[k] * (long double)a[k];
        }
        cr_assert_geq(to_a, fabsl(dot) - 1e-6L, "left the shorter arc");
    }
}

Test(maths, arc_between_rotations)
{
    uint64_t seed = 12;
    for (int i = 0; i < 5000; i++) {
        float a[4], b[4], angle2, whole;
        random_rotation(&seed, a);
        random_rotation(&seed, b);
        quatf_arc(a, b, &angle2, &whole);
        double dot = 0.0;
        for (int k = 0; k < 4; k++)
            dot += (double)a[k] * (double)b[k];
        const double angle = acos(fmin(fabs(dot), 1.0));
        cr_assert_float_eq((double)angle2, angle * angle, 2e-6);
        cr_assert_float_eq(fabs((double)whole), angle > 0.0 ? angle / sin(angle) : 1.0, 1e-6);
        cr_assert_eq(whole < 0.0f, dot < 0.0, "to or -to");
        quatf_arc(a, a, &angle2, &whole);
        cr_assert(angle2 == -1.0f && isfinite(whole), "equal ends are taken for different ones");
    }
}

Test(maths, slerp_in_double_matches_its_definition)
{
    uint64_t seed = 77;
    for (int i = 0; i < 20000; i++) {
        quat q[2];
        for (int k = 0; k < 2; k++) {
            double v[4];
            for (int c = 0; c < 4; c++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                v[c] = (double)(int64_t)seed * 0x1p-63;
            }
            q[k] = (quat){v[0], v[1], v[2], v[3]};
            if (k == 1 && i % 3 == 0) // close together
                q[1] = (quat){q[0].x + v[0] * 1e-7, q[0].y, q[0].z - v[1] * 1e-9, q[0].w};
            cr_assert(quat_normalize(&q[k]));
        }
        const double s = (i % 101) * 0.01;
        const quat got = quat_slerp(q[0], q[1], s);
        // With the sines of long double, and the sign of the nearer of q and -q.
        const long double from[4] = {(long double)q[0].x, (long double)q[0].y, (long double)q[0].z,
                                     (long double)q[0].w};
        const long double to[4] = {(long double)q[1].x, (long double)q[1].y, (long double)q[1].z,
                                   (long double)q[1].w};
        const double found[4] = {got.x, got.y, got.z, got.w};
        long double dot = 0.0L, squared = 0.0L, part = (long double)s;
        for (int c = 0; c < 4; c++)
            dot += from[c] * to[c];
        const long double sign = dot < 0.0L ? -1.0L : 1.0L;
        for (int c = 0; c < 4; c++)
            squared += (from[c] - sign * to[c]) * (from[c] - sign * to[c]);
        const long double angle = 2.0L * asinl(sqrtl(squared) * 0.5L);
        const long double a =
            angle > 0.0L ? sinl((1.0L - part) * angle) / sinl(angle) : 1.0L - part;
        const long double b = angle > 0.0L ? sinl(part * angle) / sinl(angle) : part;
        double off[4];
        for (int c = 0; c < 4; c++)
            off[c] = found[c] - (double)(a * from[c] + b * sign * to[c]);
        for (int c = 0; c < 4; c++)
            cr_assert(fabs(off[c]) < 1e-14, "%d: component %d is %g off", i, c, off[c]);
    }
}

Test(maths, slerp_is_exact_at_the_ends)
{
    uint64_t seed = 10;
    for (int i = 0; i < 1000; i++) {
        float a[4], b[4], q[4];
        random_rotation(&seed, a);
        random_rotation(&seed, b);
        quatf_slerp(a, b, 0.0f, q);
        cr_assert(memcmp(q, a, sizeof q) == 0);
        quatf_slerp(a, b, 1.0f, q);
        cr_assert(memcmp(q, b, sizeof q) == 0);
        quatf_slerp(a, a, (float)between(&seed, 0.0, 1.0), q);
        cr_assert(memcmp(q, a, sizeof q) == 0);
    }
    // A half turn: the quaternions are at right angles, both ways are as long, `to` decides.
    const float none[4] = {0.0f, 0.0f, 0.0f, 1.0f}, half[4] = {0.0f, 1.0f, 0.0f, 0.0f};
    float q[4];
    quatf_slerp(none, half, 0.5f, q);
    cr_assert_float_eq(q[1], sqrtf(0.5f), 1e-7f);
    cr_assert_float_eq(q[3], sqrtf(0.5f), 1e-7f);
    // The negated quaternion is the same rotation: nothing moves.
    const float negated[4] = {-0.0f, -0.0f, -0.0f, -1.0f};
    quatf_slerp(none, negated, 0.5f, q);
    cr_assert_eq(fabsf(q[3]), 1.0f);
    const float zero[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    quatf_slerp(zero, none, 0.25f, q);
    cr_assert(isfinite(q[3]));
}

Test(maths, determinant_and_cofactors)
{
    uint64_t seed = 11;
    for (int i = 0; i < 2000; i++) {
        mat4 m, c;
        for (int k = 0; k < 16; k++)
            m[k / 4][k % 4] = (float)between(&seed, -2.0, 2.0);
        const float det = mat4_determinant3(m);
        mat4_cofactor3(m, c);
        // M^T C = det I
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                double sum = 0.0;
                for (int row = 0; row < 3; row++)
                    sum += (double)m[a][row] * (double)c[b][row];
                cr_assert_float_eq(sum, a == b ? (double)det : 0.0, 5e-6);
            }
        cr_assert(c[0][3] == 0.0f && c[3][0] == 0.0f && c[3][3] == 1.0f);
        mat4 in_place;
        memcpy(in_place, m, sizeof m);
        mat4_cofactor3(in_place, in_place);
        cr_assert(memcmp(in_place, c, sizeof c) == 0);
    }
}

Test(maths, cglm_gives_the_same_bits_under_other_flags)
{
    const uint64_t hash = cglm_probe_o0();
    cr_assert_eq(cglm_probe_o2(), hash);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        cr_assert_eq(cglm_probe_fma(), hash);
#endif
}
