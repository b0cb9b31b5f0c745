// SPDX-License-Identifier: MIT
/// Palettes as dual quaternions: each matrix is a stretch, then a rotation, then a translation.
///
/// The rotation is that of the polar decomposition L = R S, S symmetric: the nearest rotation to L
/// (Higham, "Computing the polar decomposition - with applications", SIAM J. Sci. Stat. Comput. 7,
/// 1986: R <- (R + R^-T) / 2). A mirror goes into the stretch, which is then -S. A matrix without
/// volume is all stretch. Rotations blend as dual quaternions and stretches as matrices, before
/// them (Kavan et al., ACM TOG 27(4), 2008, section 6).
#include "base/quat.h"
#include "pose/pose.h"

#include <math.h>
#include <string.h>

enum { POLAR_STEPS = 64 }; ///< a ratio of scales is halved by each, then digits double
static const double polar_still = 1e-15; ///< a smaller step of an entry changes no float
static const double flat_volume = 1e-12; ///< of the cube of the longest axis
static const double rigid_tolerance =
    1e-6; ///< of the entries of S - 1: roundings of float matrices

static double larger(double a, double b)
{
    return b > a ? b : a;
}

/// One column of a step: the mean of R and R^-T. Returns the larger of `moved` and what moved most.
static double polar_step(dvec3 *r, dvec3 cofactor, double det, double moved)
{
    const dvec3 next = dvec3_scale(dvec3_add(*r, dvec3_divide(cofactor, det)), 0.5);
    const dvec3 step = dvec3_sub(next, *r);
    *r = next;
    return larger(larger(larger(moved, fabs(step.x)), fabs(step.y)), fabs(step.z));
}

/// The rotation nearest to `linear`, or to -linear when that mirrors. False: no volume.
static bool polar_rotation(const dmat3 *linear, dmat3 *r)
{
    const double longest =
        sqrt(larger(larger(dvec3_dot(linear->x, linear->x), dvec3_dot(linear->y, linear->y)),
                    dvec3_dot(linear->z, linear->z)));
    if (!(longest > 0.0) || !(longest <= 1e30))
        return false;
    *r = (dmat3){dvec3_divide(linear->x, longest), dvec3_divide(linear->y, longest),
                 dvec3_divide(linear->z, longest)};
    const double volume = dmat3_determinant(r);
    const double sign = volume < 0.0 ? -1.0 : 1.0;
    if (!(fabs(volume) > flat_volume))
        return false;
    *r = (dmat3){dvec3_scale(r->x, sign), dvec3_scale(r->y, sign), dvec3_scale(r->z, sign)};
    for (int step = 0; step < POLAR_STEPS; step++) {
        const dmat3 cofactor = dmat3_cofactor(r);
        const double det = dvec3_dot(r->x, cofactor.x);
        double moved = polar_step(&r->x, cofactor.x, det, 0.0);
        moved = polar_step(&r->y, cofactor.y, det, moved);
        moved = polar_step(&r->z, cofactor.z, det, moved);
        if (moved < polar_still)
            break;
    }
    return true;
}

static bool is_small(dvec3 v)
{
    return fabs(v.x) < rigid_tolerance && fabs(v.y) < rigid_tolerance &&
           fabs(v.z) < rigid_tolerance;
}

/// R^T L, the stretch that comes before the rotation. Returns whether it is one at all.
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
