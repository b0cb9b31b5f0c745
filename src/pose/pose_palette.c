// SPDX-License-Identifier: MIT
/// Palettes of skins: the matrix of each joint, the one that transforms normals, and both as a
/// stretch and a dual quaternion.
///
/// Dual quaternions: each matrix is a stretch, then a rotation, then a translation: the rotation of
/// the polar decomposition L = R S, S symmetric (Higham, "Computing the polar decomposition - with
/// applications", SIAM J. Sci. Stat. Comput. 7, 1986: R <- (R + R^-T) / 2). A mirror goes into the
/// stretch, -S; without volume all is stretch. Rotations blend as dual quaternions, stretches as
/// matrices before them (Kavan et al., ACM TOG 27(4), 2008, 6).
#include "base/maths.h"
#include "base/quat.h"
#include "pose/pose.h"

#include <math.h>
#include <string.h>

/// The factor by which one axis of a joint must be longer than another, and how far two axes must
/// be from a right angle, before normals get a matrix of their own. Below it a normal is off by at
/// most 1e-4 rad, less than the step of an 8-bit normal map; above it shading shows.
#define NON_UNIFORM 1.0e-4

/// Each step halves the ratio of scales; near the end it doubles the correct digits.
enum { POLAR_STEPS = 64 };
/// A step that changes elements by less changes no float.
#define POLAR_CONVERGED 1e-15
/// The volume, relative to the cube of the longest axis, below which a matrix has none.
#define FLAT_VOLUME 1e-12
/// Elements of S - 1 below it are roundings of matrices that were multiplied in floats (up
/// to 1.5e-5 in files whose joints do not scale): 0.03 mm in a metre.
#define RIGID_TOLERANCE 3e-5

/// True when axes differ in length or are not square; a rotation with one scale has neither.
static bool scales_non_uniformly(mat4 m, double *out_largest_squared)
{
    dvec3 axis[3];
    double squared[3];
    for (int i = 0; i < 3; i++) {
        axis[i] = dvec3_from_floats(m[i]);
        squared[i] = dvec3_dot(axis[i], axis[i]);
    }
    double smallest = squared[0], largest = squared[0];
    for (int i = 1; i < 3; i++) {
        smallest = squared[i] < smallest ? squared[i] : smallest;
        largest = squared[i] > largest ? squared[i] : largest;
    }
    *out_largest_squared = largest;
    if (largest - smallest > 2.0 * NON_UNIFORM * largest) // squares differ twice as much as lengths
        return true;
    for (int i = 0; i < 3; i++) {
        if (fabs(dvec3_dot(axis[i], axis[(i + 1) % 3])) > NON_UNIFORM * largest)
            return true;
    }
    return false;
}

/// Normals transform by the inverse transpose, cofactor(M) / det(M). Only direction counts, and the
/// cofactor exists without an inverse (a joint scaled flat); the sign of det keeps normals outside
/// when M mirrors. A uniform M is used as it is: one blend serves positions and normals.
///
/// The lengths of the cofactor are products of two scales. It is divided by the largest scale, so
/// that its weight counts the same in a blend with a uniform joint, and nothing overflows.
bool pose_normal_matrix(mat4 world_from_model, mat4 out)
{
    mat4 m;
    memcpy(m, world_from_model, sizeof m);
    for (int row = 0; row < 3; row++)
        m[3][row] = 0.0f;
    double largest_squared;
    if (!scales_non_uniformly(m, &largest_squared)) {
        memcpy(out, world_from_model, sizeof m);
        return false;
    }
    const double largest = sqrt(largest_squared);
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++)
            m[column][row] = (float)((double)m[column][row] / largest);
    }
    mat4 cofactor;
    mat4_cofactor3(m, cofactor);
    const double scale = mat4_determinant3(m) < 0.0f ? -largest : largest;
    memcpy(out, m, sizeof m);
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++)
            out[column][row] = (float)((double)cofactor[column][row] * scale);
    }
    return true;
}

bool pose_palette(const model_skin *skin, const mat4 *world_from_node, mat4 *world_from_bind,
                  mat4 *normals)
{
    bool differs = false;
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        mat4 world_from_joint, joint_from_bind;
        memcpy(world_from_joint, world_from_node[skin->joint_node[i]], sizeof world_from_joint);
        memcpy(joint_from_bind, skin->joint_from_bind[i], sizeof joint_from_bind);
        glm_mat4_mul(world_from_joint, joint_from_bind, world_from_bind[i]);
        differs |= pose_normal_matrix(world_from_bind[i], normals[i]);
    }
    return differs;
}

/// One column of a step, the mean of R and R^-T. Returns the largest change, at least `change`.
static double polar_step(dvec3 *r, dvec3 cofactor, double det, double change)
{
    const dvec3 next = dvec3_scale(dvec3_add(*r, dvec3_divide(cofactor, det)), 0.5);
    const dvec3 step = dvec3_sub(next, *r);
    *r = next;
    return maths_max(maths_max(maths_max(change, fabs(step.x)), fabs(step.y)), fabs(step.z));
}

/// The rotation nearest to `linear`, or to -linear when that mirrors. False: no volume.
static bool polar_rotation(const dmat3 *linear, dmat3 *r)
{
    const double longest =
        sqrt(maths_max(maths_max(dvec3_dot(linear->x, linear->x), dvec3_dot(linear->y, linear->y)),
                       dvec3_dot(linear->z, linear->z)));
    if (!(longest > 0.0) || !(longest <= 1e30))
        return false;
    *r = (dmat3){dvec3_divide(linear->x, longest), dvec3_divide(linear->y, longest),
                 dvec3_divide(linear->z, longest)};
    const double volume = dmat3_determinant(r);
    const double sign = volume < 0.0 ? -1.0 : 1.0;
    if (!(fabs(volume) > FLAT_VOLUME))
        return false;
    *r = (dmat3){dvec3_scale(r->x, sign), dvec3_scale(r->y, sign), dvec3_scale(r->z, sign)};
    for (int step = 0; step < POLAR_STEPS; step++) {
        const dmat3 cofactor = dmat3_cofactor(r);
        const double det = dvec3_dot(r->x, cofactor.x);
        double change = polar_step(&r->x, cofactor.x, det, 0.0);
        change = polar_step(&r->y, cofactor.y, det, change);
        change = polar_step(&r->z, cofactor.z, det, change);
        if (change < POLAR_CONVERGED)
            break;
    }
    return true;
}

static bool is_small(dvec3 v)
{
    return fabs(v.x) < RIGID_TOLERANCE && fabs(v.y) < RIGID_TOLERANCE &&
           fabs(v.z) < RIGID_TOLERANCE;
}

/// R^T L, the stretch before the rotation. Returns false when it is the identity.
static bool stretch_of(const dmat3 *r, const dmat3 *linear, mat4 out)
{
    const affine stretch = {.m = dmat3_transpose_multiply(r, linear)};
    affine_to_floats(&stretch, out[0]);
    return !(is_small(dvec3_sub(stretch.m.x, (dvec3){1.0, 0.0, 0.0})) &&
             is_small(dvec3_sub(stretch.m.y, (dvec3){0.0, 1.0, 0.0})) &&
             is_small(dvec3_sub(stretch.m.z, (dvec3){0.0, 0.0, 1.0})));
}

bool pose_dual(mat4 world_from_bind, skin_dual *out, mat4 stretch)
{
    const affine world = affine_from_floats(world_from_bind[0]);
    dmat3 r;
    if (!polar_rotation(&world.m, &r))
        r = dmat3_identity();
    quat q = quat_from_rotation(&r);
    quat_normalize(&q);
    // The dual part is t q / 2, with the translation t as a quaternion without scalar.
    const dvec3 v = {q.x, q.y, q.z};
    const dvec3 dual = dvec3_add(dvec3_cross(world.t, v), dvec3_scale(world.t, q.w));
    quat_to_floats(q, out->real);
    dvec3_to_floats(dvec3_scale(dual, 0.5), out->dual);
    out->dual[3] = (float)(-0.5 * dvec3_dot(world.t, v));
    return stretch_of(&r, &world.m, stretch);
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
