// SPDX-License-Identifier: MIT
/// The second half of an aim: the turn about the line to the target. The first is a look.
#include "pose/ik.h"

quat ik_roll(dvec3 axis, dvec3 up_axis, dvec3 up)
{
    if (!dvec3_normalize(&axis, 0.0) || !dvec3_normalize(&up_axis, 0.0) ||
        !dvec3_normalize(&up, 0.0))
        return quat_identity();
    dvec3 from = dvec3_reject(up_axis, axis), to = dvec3_reject(up, axis);
    if (!dvec3_normalize(&from, 1e-6) || !dvec3_normalize(&to, 1e-6))
        return quat_identity();
    return quat_from_axis(axis, dvec3_dot(from, to), dvec3_dot(axis, dvec3_cross(from, to)));
}
