// SPDX-License-Identifier: MIT
#include "base/trs.h"

#include "base/maths.h"
#include "base/quat.h"

#include <string.h>

void trs_to_mat4(const trs *x, mat4 out)
{
    const float qx = x->r[0], qy = x->r[1], qz = x->r[2], qw = x->r[3];
    // clang-format off
    const float rotation[3][3] = {
        {1.0f - 2.0f * (qy * qy + qz * qz), 2.0f * (qx * qy + qz * qw), 2.0f * (qx * qz - qy * qw)},
        {2.0f * (qx * qy - qz * qw), 1.0f - 2.0f * (qx * qx + qz * qz), 2.0f * (qy * qz + qx * qw)},
        {2.0f * (qx * qz + qy * qw), 2.0f * (qy * qz - qx * qw), 1.0f - 2.0f * (qx * qx + qy * qy)},
    };
    // clang-format on
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++)
            out[column][row] = rotation[column][row] * x->s[column];
        out[column][3] = 0.0f;
    }
    for (int row = 0; row < 3; row++)
        out[3][row] = x->t[row];
    out[3][3] = 1.0f;
}

bool vec3_normalize(float v[3])
{
    dvec3 unit = dvec3_from_floats(v);
    const bool has_length = dvec3_normalize(&unit, 0.0);
    if (has_length)
        dvec3_to_floats(unit, v);
    return has_length;
}

bool quatf_normalize(float q[4])
{
    quat unit = quat_from_floats(q);
    const bool has_length = quat_normalize(&unit);
    if (has_length)
        quat_to_floats(unit, q);
    return has_length;
}

/// sin(x) / x of x^2 for |x| <= pi/2: Abramowitz & Stegun 4.3.97, within 2e-9 before rounding.
static float sinc_float(float x2)
{
    const float x4 = x2 * x2;
    const float low = 1.0f - 0.1666666664f * x2;
    const float middle = 0.0083333315f - 0.0001984090f * x2;
    const float high = 0.0000027526f - 0.0000000239f * x2;
    return low + (middle + high * x4) * x4;
}

/// acos(c)^2 for 0 <= c <= 1: Abramowitz & Stegun 4.4.46, an arccosine within 2e-8 before rounding.
static float acos_squared_float(float c)
{
    const float c2 = c * c;
    const float p01 = 1.5707963050f - 0.2145988016f * c;
    const float p23 = 0.0889789874f - 0.0501743046f * c;
    const float p45 = 0.0308918810f - 0.0170881256f * c;
    const float p67 = 0.0066700901f - 0.0012624911f * c;
    const float p = (p01 + p23 * c2) + (p45 + p67 * c2) * (c2 * c2);
    return (1.0f - c) * (p * p);
}

static float dot4(const float a[4], const float b[4])
{
    return ((a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]) + a[3] * b[3];
}

// pose/pose.inl does the same in lanes, operation by operation.
void quatf_arc(const float from[4], const float to[4], float *out_angle2, float *out_whole)
{
    const float dot = dot4(from, to), size = fabsf(dot);
    const float angle2 = acos_squared_float(size < 1.0f ? size : 1.0f);
    const float whole = 1.0f / sinc_float(angle2);
    const bool equal = from[0] == to[0] && from[1] == to[1] && from[2] == to[2] && from[3] == to[3];
    *out_angle2 = equal ? -1.0f : angle2;
    // q and -q are one rotation: take the nearer. At exactly 180 degrees both are; `to` stays.
    *out_whole = dot < 0.0f ? -whole : whole;
}

void quatf_keep_side(const float before[4], float q[4])
{
    const float dot = dot4(before, q);
    if (dot < 0.0f)
        for (int k = 0; k < 4; k++)
            q[k] = -q[k];
}

void quatf_slerp(const float from[4], const float to[4], float s, float out[4])
{
    if (s <= 0.0f || s >= 1.0f) {
        memmove(out, s <= 0.0f ? from : to, 4 * sizeof *out);
        return;
    }
    float angle2, whole, q[4];
    quatf_arc(from, to, &angle2, &whole);
    const bool equal = angle2 < 0.0f;
    const float r = 1.0f - s;
    float weight_from = (r * sinc_float(angle2 * (r * r))) * fabsf(whole);
    float weight_to = (s * sinc_float(angle2 * (s * s))) * whole;
    if (equal) { // what is at rest stays, in bits
        weight_from = 1.0f;
        weight_to = 0.0f;
    }
    for (int i = 0; i < 4; i++)
        q[i] = from[i] * weight_from + to[i] * weight_to;
    // One step of Newton's for 1 / sqrt from 1: the length is that of from and to to 4e-7.
    const float unit = equal ? 1.0f : 1.5f - 0.5f * dot4(q, q);
    for (int i = 0; i < 4; i++)
        out[i] = q[i] * unit;
}

void quatf_from_euler_deg(const double xyz_deg[3], float out[4])
{
    double sx, cx, sy, cy, sz, cz;
    maths_sincos_deg(xyz_deg[0] * 0.5, &sx, &cx);
    maths_sincos_deg(xyz_deg[1] * 0.5, &sy, &cy);
    maths_sincos_deg(xyz_deg[2] * 0.5, &sz, &cz);
    // qx * qy * qz: intrinsic XYZ rotates about x first, then about the rotated y and z.
    const double q[4] = {
        sx * cy * cz + cx * sy * sz,
        cx * sy * cz - sx * cy * sz,
        cx * cy * sz + sx * sy * cz,
        cx * cy * cz - sx * sy * sz,
    };
    for (int i = 0; i < 4; i++)
        out[i] = (float)q[i];
}

// Products of floats are exact in double, so each difference of two rounds once.

float mat4_determinant3(mat4 m)
{
    const affine a = affine_from_floats(m[0]);
    return (float)dmat3_determinant(&a.m);
}

void mat4_cofactor3(mat4 m, mat4 out)
{
    const affine a = affine_from_floats(m[0]), cofactor = {.m = dmat3_cofactor(&a.m)};
    affine_to_floats(&cofactor, out[0]);
}
