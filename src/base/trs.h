// SPDX-License-Identifier: MIT
/// Transforms in single precision, as models hold them and kernels use them. This is the only file
/// that includes cglm, with its SIMD paths off: its SSE, AVX, FMA and NEON paths sum in different
/// orders or fuse, and so give different bits. Its plain C gives one result everywhere under
/// -ffp-contract=off. Never call what reaches libm in cglm (rotate, perspective, slerp, euler, quat
/// from an angle ...): use the functions below and base/maths.h.
///
/// cglm matrices are column-major: m[column][row], and m * v is written glm_mat4_mulv(m, v, out).
#pragma once

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

/// Translation, rotation or scale: 0 to 2, as model_path and clip_path number them; and its floats.
static inline float *trs_part(trs *x, int part)
{
    float *const parts[3] = {x->t, x->r, x->s};
    return parts[part];
}
static inline const float *trs_const_part(const trs *x, int part)
{
    const float *const parts[3] = {x->t, x->r, x->s};
    return parts[part];
}
static inline uint32_t trs_width(int part) { return part == 1 ? 4 : 3; }

static inline trs trs_identity(void)
{
    trs identity = {.r[3] = 1.0f};
    for (int i = 0; i < 3; i++)
        identity.s[i] = 1.0f;
    return identity;
}
void trs_to_mat4(const trs *x, mat4 out);

/// Gives a vector unit length, in double. False, and nothing written: 0 long, or not finite.
bool vec3_normalize(float v[3]);

// Quaternions of floats: x, y, z, w.

/// As vec3_normalize().
bool quatf_normalize(float q[4]);
/// Spherical interpolation along the shorter arc between two unit quaternions, within 3e-7; exact
/// at s = 0 and 1 and between equal ones. The pose kernels do the same in lanes
/// (pose/pose_loops.h).
void quatf_slerp(const float from[4], const float to[4], float s, float out[4]);
/// The part of quatf_slerp() that does not depend on s. `out_angle2`: the square of the angle
/// between the two as vectors of four, 0 to (pi/2)^2, or -1 where they are equal. `out_whole`:
/// angle / sin(angle), negative where the shorter arc leads to -to.
void quatf_arc(const float from[4], const float to[4], float *out_angle2, float *out_whole);
/// Turns a quaternion, as keys have it, to the side of the one before.
void quatf_keep_side(const float before[4], float q[4]);
/// From intrinsic XYZ Euler angles in degrees.
void quatf_from_euler_deg(const double xyz_deg[3], float out[4]);

// From the upper 3x3.

float mat4_determinant3(mat4 m);
/// The cofactor matrix, which transforms normals; its translation is 0.
void mat4_cofactor3(mat4 m, mat4 out);
