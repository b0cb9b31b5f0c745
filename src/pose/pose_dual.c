// SPDX-License-Identifier: MIT
/// Palettes as dual quaternions: each matrix is a stretch, then a rotation, then a translation.
///
/// The rotation is that of the polar decomposition L = R S, S symmetric: the nearest rotation to L
/// (Higham, "Computing the polar decomposition - with applications", SIAM J. Sci. Stat. Comput. 7,
/// 1986: R <- (R + R^-T) / 2). A mirror goes into the stretch, which is then -S. A matrix without
/// volume is all stretch. Rotations blend as dual quaternions and stretches as matrices, before
/// them (Kavan et al., ACM TOG 27(4), 2008, section 6).
#include "pose/pose.h"

#include <math.h>
#include <string.h>

enum { POLAR_STEPS = 64 }; ///< a ratio of scales is halved by each, then digits double
static const double polar_still = 1e-15; ///< a smaller step of an entry changes no float
static const double flat_volume = 1e-12; ///< of the cube of the longest axis
static const double rigid_tolerance =
    1e-6; ///< of the entries of S - 1: roundings of float matrices

typedef double matrix3[3][3]; ///< [column][row]

static double dot(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/// det(m) m^-T; returns det(m).
static double cofactor(matrix3 m, matrix3 out)
{
    cross(m[1], m[2], out[0]);
    cross(m[2], m[0], out[1]);
    cross(m[0], m[1], out[2]);
    return dot(m[0], out[0]);
}

/// The rotation nearest to `linear`, and in `out_sign` -1 when that is a mirror. False: no volume.
static bool polar_rotation(matrix3 linear, matrix3 r, double *out_sign)
{
    double longest = 0.0;
    for (int k = 0; k < 3; k++)
        longest = dot(linear[k], linear[k]) > longest ? dot(linear[k], linear[k]) : longest;
    longest = sqrt(longest);
    if (!(longest > 0.0) || !(longest <= 1e30))
        return false;
    matrix3 inverse;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            r[k][i] = linear[k][i] / longest;
    const double volume = cofactor(r, inverse);
    *out_sign = volume < 0.0 ? -1.0 : 1.0;
    if (!(fabs(volume) > flat_volume))
        return false;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            r[k][i] *= *out_sign;
    for (int step = 0; step < POLAR_STEPS; step++) {
        double moved = 0.0;
        const double det = cofactor(r, inverse);
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 3; i++) {
                const double next = 0.5 * (r[k][i] + inverse[k][i] / det);
                moved = fabs(next - r[k][i]) > moved ? fabs(next - r[k][i]) : moved;
                r[k][i] = next;
            }
        if (moved < polar_still)
            break;
    }
    return true;
}

/// Unit quaternion of a rotation: by the largest of its four components (Shepperd, "Quaternion from
/// rotation matrix", J. Guidance and Control 1, 1978).
static void quaternion_of(matrix3 r, double q[4])
{
    const double trace = (r[0][0] + r[1][1]) + r[2][2];
    int i = 0;
    for (int k = 1; k < 3; k++)
        i = r[k][k] > r[i][i] ? k : i;
    if (trace >= r[i][i]) {
        q[0] = r[1][2] - r[2][1];
        q[1] = r[2][0] - r[0][2];
        q[2] = r[0][1] - r[1][0];
        q[3] = 1.0 + trace;
    } else {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        q[i] = 1.0 + r[i][i] - r[j][j] - r[k][k];
        q[j] = r[i][j] + r[j][i];
        q[k] = r[k][i] + r[i][k];
        q[3] = r[j][k] - r[k][j];
    }
    const double length = sqrt(dot(q, q) + q[3] * q[3]);
    for (int k = 0; k < 4; k++)
        q[k] /= length;
}

/// R^T L, the stretch that comes before the rotation. Returns whether it is one at all.
static bool stretch_of(matrix3 r, matrix3 linear, mat4 out)
{
    bool stretches = false;
    glm_mat4_identity(out);
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++) {
            const double value = dot(r[row], linear[column]);
            out[column][row] = (float)value;
            stretches = stretches || !(fabs(value - (column == row ? 1.0 : 0.0)) < rigid_tolerance);
        }
    return stretches;
}

bool pose_dual(mat4 world_from_bind, skin_dual *out, mat4 stretch)
{
    matrix3 linear, r;
    double sign, q[4], t[3], d[3];
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++)
            linear[column][row] = (double)world_from_bind[column][row];
    if (!polar_rotation(linear, r, &sign))
        memcpy(r,
               (const matrix3){
                   {1.0},
                   { 0.0,    1.0},
                   { 0.0, 0.0, 1.0}
        },
               sizeof r);
    quaternion_of(r, q);
    // The dual part is t q / 2, with the translation t as a quaternion without scalar.
    for (int k = 0; k < 3; k++)
        t[k] = (double)world_from_bind[3][k];
    cross(t, q, d);
    for (int k = 0; k < 3; k++) {
        out->real[k] = (float)q[k];
        out->dual[k] = (float)(0.5 * (d[k] + q[3] * t[k]));
    }
    out->real[3] = (float)q[3];
    out->dual[3] = (float)(-0.5 * dot(t, q));
    return stretch_of(r, linear, stretch);
}

bool pose_dual_palette(const skin_matrix *world_from_bind, uint32_t count, skin_dual *duals,
                       mat4 *stretch, mat4 *stretch_normals)
{
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        mat4 m;
        memcpy(m, world_from_bind[i].column, sizeof m);
        any |= pose_dual(m, &duals[i], stretch[i]);
        pose_normal_matrix(stretch[i], stretch_normals[i]);
    }
    return any;
}
