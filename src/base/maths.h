// SPDX-License-Identifier: MIT
/// Scene-level maths: cglm with its SIMD paths off, and the transcendentals that cglm would take
/// from libm. This is the only place that includes cglm.
///
/// Why off: cglm's SSE, AVX, FMA and NEON paths sum in different orders or fuse, so they give
/// different bits; its plain C gives one result everywhere under -ffp-contract=off. Never call what
/// reaches libm in it (rotate, perspective, slerp, euler, quat from angle...): use maths_* instead.
///
/// cglm matrices are column-major: m[column][row], and m * v is written glm_mat4_mulv(m, v, out).
#ifndef ZT_BASE_MATHS_H
#define ZT_BASE_MATHS_H

#pragma push_macro("__SSE__")
#pragma push_macro("__SSE2__")
#pragma push_macro("__SSE3__")
#pragma push_macro("__SSE4_1__")
#pragma push_macro("__SSE4_2__")
#pragma push_macro("__AVX__")
#pragma push_macro("__FMA__")
#pragma push_macro("__ARM_NEON")
#pragma push_macro("__ARM_NEON_FP")
#undef __SSE__
#undef __SSE2__
#undef __SSE3__
#undef __SSE4_1__
#undef __SSE4_2__
#undef __AVX__
#undef __FMA__
#undef __ARM_NEON
#undef __ARM_NEON_FP
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wdouble-promotion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wundef"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wpedantic"
#endif
#include <cglm/cglm.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#pragma pop_macro("__ARM_NEON_FP")
#pragma pop_macro("__ARM_NEON")
#pragma pop_macro("__FMA__")
#pragma pop_macro("__AVX__")
#pragma pop_macro("__SSE4_2__")
#pragma pop_macro("__SSE4_1__")
#pragma pop_macro("__SSE3__")
#pragma pop_macro("__SSE2__")
#pragma pop_macro("__SSE__")

#include <stdbool.h>

/// Translation, rotation (unit quaternion x, y, z, w) and scale: M = T * R * S.
typedef struct trs {
    float t[3], r[4], s[3];
} trs;

static inline trs trs_identity(void)
{
    trs identity = {.r[3] = 1.0f};
    for (int i = 0; i < 3; i++)
        identity.s[i] = 1.0f;
    return identity;
}
void trs_to_mat4(const trs *x, mat4 out);

/// Sine and cosine of an angle in radians; errors below 3.1e-8 (rounded once) for |x| <= 1e6. What
/// is not finite gives those of 0.
void maths_sincos(float radians, float *out_sin, float *out_cos);
float maths_tan(float radians);
/// In double, for cameras and scene angles: degrees, exact at multiples of 90, errors below 3e-16.
void maths_sincos_deg(double degrees, double *out_sin, double *out_cos);
/// In (-pi, pi], as atan2 of C; errors below 4.5e-16 of the result.
double maths_atan2(double y, double x);
/// acos of a value clamped to [-1, 1].
float maths_acos(float x);
float maths_sqrt(float x);
/// 2^x and log2 x in double (x > 0), for exposure and tables at load time; errors below 4e-16 of
/// the result, exact for whole powers. log2 of anything not above 0 is -infinity.
double maths_exp2(double x);
double maths_log2(double x);

/// Gives a vector unit length, computed in double. False, and unchanged, when it has none.
bool maths_vec3_normalize(float v[3]);
/// Gives a quaternion unit length, computed in double. False, and unchanged, when it has none.
bool maths_quat_normalize(float q[4]);
/// Spherical interpolation along the shorter arc of two unit quaternions; exact at s = 0 and 1, and
/// of equal ones. In float, to 3e-7: the plain form of the pose kernels' (pose/pose_loops.h).
void maths_slerp(const float from[4], const float to[4], float s, float out[4]);
/// What maths_slerp needs of its ends beside them, whatever s is: the square of the angle between
/// them (in the sphere of quaternions, 0 to (pi/2)^2), or -1 where they are equal, and one divided
/// by sin(angle) / angle, negative where the shorter arc leads to -to.
void maths_arc(const float from[4], const float to[4], float *out_angle2, float *out_whole);
/// Intrinsic XYZ Euler angles in degrees -> quaternion (x, y, z, w).
void maths_quat_from_euler_deg(const double xyz_deg[3], float out[4]);
/// Determinant of the upper 3x3, and its cofactor matrix (for normals), column-major in mat4.
float maths_det3(mat4 m);
void maths_cofactor3(mat4 m, mat4 out);

#endif
